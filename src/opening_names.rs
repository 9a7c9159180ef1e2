//! Established names of openings, recognised up to symmetry and transposition.
//!
//! The names and moves of `data/openings/names.tsv` are facts from two public lists: the catalogue of Robert Gatliff and
//! others (samsoft.org.uk/reversi/openings.htm) for English names, and the usual Japanese lists of joseki for Japanese
//! ones. English names of Japanese openings are translations.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::board::Board;
use crate::game::Game;
use crate::notation::transcript;

/// Opening with an established name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NamedOpening {
    /// One order of its moves from the start of a game, as a transcript such as `f5d6c3d3c4`.
    pub moves: &'static str,
    /// English name. ` / ` separates alternatives.
    pub english: Option<&'static str>,
    /// Japanese name.
    pub japanese: Option<&'static str>,
}

impl NamedOpening {
    /// Number of moves.
    pub fn plies(&self) -> usize {
        self.moves.len() / 2
    }

    /// Game of its moves.
    pub fn game(&self) -> Game {
        let moves = transcript::moves(self.moves).expect("the list has transcripts");
        Game::from_moves(&moves).expect("the moves are legal")
    }
}

/// Error of a name that does not belong to exactly one opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningNameError {
    /// No name contains the text.
    #[error("no opening is called {0:?}")]
    None(String),
    /// Several names contain the text.
    #[error(
        "{text:?} is a part of several names of openings: {names}; give the whole name, or moves"
    )]
    Several {
        /// The text.
        text: String,
        /// First names that contain it, separated by commas.
        names: String,
    },
}

/// Shows the English name, or the Japanese one if there is no other.
impl fmt::Display for NamedOpening {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.english.or(self.japanese).expect("one is there"))
    }
}

/// All openings, and their indices by canonical position.
struct Names {
    openings: Vec<NamedOpening>,
    by_position: HashMap<Board, usize>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let rows = include_str!("../data/openings/names.tsv").lines();
    let openings: Vec<_> = rows
        .map(|row| {
            let mut cells = row.split('\t');
            let mut cell = || cells.next().filter(|cell| !cell.is_empty());
            NamedOpening {
                moves: cell().expect("a row begins with moves"),
                english: cell(),
                japanese: cell(),
            }
        })
        .collect();
    let by_position = openings
        .iter()
        .enumerate()
        .map(|(index, opening)| (opening.game().board().canonical().0, index))
        .collect();
    Names {
        openings,
        by_position,
    }
});

/// Returns all openings with names, sorted by their moves.
pub fn named_openings() -> &'static [NamedOpening] {
    &NAMES.openings
}

/// Returns the openings that `text` names, in English or Japanese. Case does not matter.
///
/// If the text is a whole name or one of its alternatives, only openings of this name are returned, else all with the text
/// in a name.
///
/// ```
/// use outflank::opening_names::openings_called;
///
/// let moves = |text| openings_called(text).iter().map(|opening| opening.moves).collect::<Vec<_>>();
/// assert_eq!(moves("tiger"), ["f5d6c3d3c4"]);
/// assert_eq!(moves("虎"), ["f5d6c3d3c4"]);
/// assert!(moves("rose-b").len() > 1 && moves("no such name").is_empty());
/// ```
pub fn openings_called(text: &str) -> Vec<&'static NamedOpening> {
    let wanted = text.trim().to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<_> {
        let fits = |opening: &&NamedOpening| {
            let names = opening.english.into_iter().chain(opening.japanese);
            names.map(str::to_lowercase).any(|name| fits(&name))
        };
        named_openings().iter().filter(fits).collect()
    };
    let exact = with(&|name| name.split(" / ").any(|name| name == wanted));
    match exact.is_empty() {
        true => with(&|name| name.contains(&wanted)),
        false => exact,
    }
}

/// Returns the only opening that `text` names, as [`openings_called`] finds them.
pub fn opening_called(text: &str) -> Result<&'static NamedOpening, OpeningNameError> {
    /// Number of names in an error.
    const SHOWN: usize = 5;
    match openings_called(text)[..] {
        [] => Err(OpeningNameError::None(text.to_owned())),
        [opening] => Ok(opening),
        ref openings => {
            let shown = openings.iter().take(SHOWN);
            let mut names: Vec<String> = shown.map(|opening| opening.to_string()).collect();
            if openings.len() > SHOWN {
                names.push(format!("… and {} more", openings.len() - SHOWN));
            }
            Err(OpeningNameError::Several {
                text: text.to_owned(),
                names: names.join(", "),
            })
        }
    }
}

/// Returns the opening whose last move leads to this position or to one that is symmetric to it.
pub fn opening_at(board: Board) -> Option<&'static NamedOpening> {
    let index = *NAMES.by_position.get(&board.canonical().0)?;
    Some(&NAMES.openings[index])
}

/// Returns the named openings that a game passes through, in the order of its moves.
pub fn openings_of(game: &Game) -> Vec<&'static NamedOpening> {
    let boards = game.turns().map(|(board, _)| board);
    boards.filter_map(opening_at).collect()
}

/// Returns the most specific named opening of a game: the last one that it passes through.
pub fn opening_of(game: &Game) -> Option<&'static NamedOpening> {
    openings_of(game).pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Square;
    use crate::symmetry::Symmetry;

    fn game(moves: &str) -> Game {
        Game::from_moves(&transcript::moves(moves).unwrap()).unwrap()
    }

    fn last_name(moves: &str) -> Option<String> {
        opening_of(&game(moves)).map(|opening| opening.to_string())
    }

    #[test]
    fn every_opening_is_recognised_in_all_symmetries() {
        assert!(named_openings().len() > 100);
        assert_eq!(
            NAMES.by_position.len(),
            named_openings().len(),
            "a position has two names"
        );
        assert!(named_openings().is_sorted_by_key(|opening| opening.moves));
        for opening in named_openings() {
            let squares: Vec<Square> = game(opening.moves).moves().collect();
            assert_eq!(squares.len(), opening.plies());
            let mut games = 0;
            for symmetry in Symmetry::all() {
                let moved: Vec<_> = squares
                    .iter()
                    .map(|&square| symmetry.square(square))
                    .collect();
                // Half of the symmetries move the first discs to squares of the other colour.
                if let Ok(game) = Game::from_moves(&moved) {
                    assert_eq!(openings_of(&game).last(), Some(&opening), "{opening}");
                    games += 1;
                }
            }
            assert_eq!(games, 4, "{opening}");
        }
    }

    #[test]
    fn transpositions_and_continuations_have_the_deepest_name() {
        for (moves, name) in [
            ("", None),
            ("f5", None),
            ("f5f4", Some("Parallel")),
            ("f5d6c3d3c4", Some("Tiger")),
            ("f5d6c4d3c3", Some("Tiger")),
            ("c4e3f6e6f5", Some("Tiger")),
            ("f5d6c3d3c4f4f6f3", Some("Comp'Oth")),
            ("f5d6c3d3c4f4f6f3e6e7d7", Some("Comp'Oth")),
            ("f5d6c5f4e3c6e6f7", Some("井上流")),
        ] {
            assert_eq!(last_name(moves).as_deref(), name, "{moves}");
        }
        let names: Vec<_> = openings_of(&game("f5d6c3d3c4f4f6f3"))
            .iter()
            .map(|opening| opening.to_string())
            .collect();
        assert_eq!(names, ["Perpendicular", "Tiger", "Stephenson", "Comp'Oth"]);
    }
}
