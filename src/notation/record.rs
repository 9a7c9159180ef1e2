//! A game with what a file says about it.

use super::obf::Problem;
use super::{Format, one_line};
use crate::game::Overlap;
use crate::{Board, Game, Ply, Side};

/// A game, and what is said about it and its plies: what a GGF file can have, and so more than any
/// other format.
///
/// Properties have GGF's names, and texts as values. The usual ones:
///
/// | name | value |
/// |---|---|
/// | `PC` | the place; also the number of a tournament, `#263` |
/// | `EV` | the event: the tournament |
/// | `DT` | the date: `2003.12.15_13:24:03.MST`, `2020` |
/// | `PB`, `PW` | the players of black and white |
/// | `RB`, `RW` | their ratings |
/// | `RE` | the result in discs from black's side: `+12.000`, `?`, with `:r` where one resigned, `:t` where the time was up |
/// | `TI` | the time of each player: `05:00//02:00` |
/// | `TY` | the type of the game: `8` |
/// | `TS` | ours: the number of empty squares of a position, and the score with perfect play from there, in discs from black's side: `24 +18` |
///
/// ```
/// use outflank::{Game, notation::GameRecord};
///
/// let mut record = GameRecord::new(Game::new());
/// record.set("PB", "Lucky Luke")?;
/// record.set("DT", "2003.12.15")?;
/// assert_eq!((record.property("PB"), record.year()), (Some("Lucky Luke"), Some(2003)));
/// assert!(record.set("no name", "").is_err());
/// # Ok::<(), outflank::notation::PropertyError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The game.
    pub game: Game,
    /// What is said about its plies, in their order; where there are fewer, nothing is said about the
    /// last ones.
    pub notes: Vec<Note>,
    properties: Vec<(String, String)>,
}

/// What is said about a ply.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Note {
    /// What the player thought that it is worth, in discs, as a rule from the player's side.
    pub eval: Option<f64>,
    /// The seconds that it took.
    pub seconds: Option<f64>,
}

/// A name that no property can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} cannot be the name of a property: that is A to Z, and not GM, BO, B or W")]
pub struct PropertyError(String);

/// Why a format has no place for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The game begins with another position.
    #[error("{0} has no place for another starting position than the usual one")]
    Start(Format),
    /// Nothing was played.
    #[error("{0} has no place for a game without moves")]
    NoMoves(Format),
    /// What the game came to is not known.
    #[error(
        "{0} has a score for every game, and this one is not over and has no result in whole discs"
    )]
    NoScore(Format),
}

/// Whose place in a file of games is elsewhere.
const RESERVED: [&str; 4] = ["GM", "BO", "B", "W"];

impl GameRecord {
    /// A game of which nothing is said.
    pub fn new(game: Game) -> GameRecord {
        GameRecord {
            game,
            notes: Vec::new(),
            properties: Vec::new(),
        }
    }

    /// A position as a game of which nothing was played, with its best score as `TS`. Its name is not kept.
    pub fn of_problem(problem: &Problem) -> Result<GameRecord, Overlap> {
        let mut record = GameRecord::new(Game::from_start(problem.board, problem.side)?);
        if let Some(score) = problem.best_score() {
            let (empties, score) = (problem.board.empty_count(), problem.side.black_score(score));
            record.push("TS".to_owned(), format!("{empties} {score:+}"));
        }
        Ok(record)
    }

    /// The value of the property of this name; the first one, where there are several.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut found = self.properties.iter().filter(|(other, _)| other == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// All properties, names and values, in their order.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        let properties = self.properties.iter();
        properties.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets the property of this name, and removes others of the same name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), PropertyError> {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_name || RESERVED.contains(&name) {
            return Err(PropertyError(super::shown(name)));
        }
        let place = self.properties.iter().position(|(other, _)| other == name);
        self.properties.retain(|(other, _)| other != name);
        let property = (name.to_owned(), value.to_owned());
        match place {
            Some(place) => self.properties.insert(place, property),
            None => self.properties.push(property),
        }
        Ok(())
    }

    /// Adds a property of which there may be others: what a file has is kept.
    pub(super) fn push(&mut self, name: String, value: String) {
        self.properties.push((name, value));
    }

    /// Adds a ply of the game, for which passes may have been inserted before, and what is said of it.
    pub(super) fn note_last_ply(&mut self, note: Note) {
        let plies = self.game.plies().len();
        self.notes.resize(plies, Note::default());
        if let Some(last) = self.notes.last_mut() {
            *last = note;
        }
    }

    /// The plies, each with what is said about it.
    pub fn noted_plies(&self) -> impl Iterator<Item = (Ply, Note)> {
        let notes = self.notes.iter().copied();
        let notes = notes.chain(std::iter::repeat(Note::default()));
        self.game.plies().iter().copied().zip(notes)
    }

    /// What the game came to, in discs from black's side, -64..=64: what the board says where it is over,
    /// else what `RE` says, where that is a whole number.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::new());
    /// assert_eq!(record.score(), None);
    /// record.set("RE", "-8.000:r")?;
    /// assert_eq!(record.score(), Some(-8));
    /// # Ok::<(), outflank::notation::PropertyError>(())
    /// ```
    pub fn score(&self) -> Option<i32> {
        self.game.score().or_else(|| {
            let result = self.property("RE")?.split(':').next()?;
            let discs: f64 = result.trim().parse().ok()?;
            let is_score = discs.fract() == 0.0 && discs.abs() <= 64.0;
            is_score.then_some(discs as i32)
        })
    }

    /// The score with perfect play from a position of the game, `TS`: the number of its empty squares,
    /// 0..=64, and the score in discs from black's side, an even number of -64..=64.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::new());
    /// record.set("TS", "24 +18")?;
    /// assert_eq!(record.theoretical_score(), Some((24, 18)));
    /// # Ok::<(), outflank::notation::PropertyError>(())
    /// ```
    pub fn theoretical_score(&self) -> Option<(u8, i32)> {
        let (empties, score) = self.property("TS")?.split_once(' ')?;
        let (empties, score) = (empties.parse().ok()?, score.parse().ok()?);
        let is_possible = empties <= 64 && (-64..=64).contains(&score) && score % 2 == 0;
        is_possible.then_some((empties, score))
    }

    /// The year of `DT`: of `2003.12.15`, `20031215`, or of seconds (9 or 10 digits) or milliseconds
    /// (12 or 13 digits) since 1970 in UTC, as some servers write them.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::new());
    /// record.set("DT", "1100000000")?;
    /// assert_eq!(record.year(), Some(2004));
    /// # Ok::<(), outflank::notation::PropertyError>(())
    /// ```
    pub fn year(&self) -> Option<u16> {
        let date = self.property("DT")?.trim();
        let digits = date.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = date[..digits].parse().ok()?;
        let year = match (digits, digits == date.len()) {
            (4, _) => number,
            (8, true) => number / 10_000,
            (9 | 10, true) => year_since_1970(number),
            (12 | 13, true) => year_since_1970(number / 1000),
            _ => return None,
        };
        u16::try_from(year).ok()
    }

    /// The players as `Tastet - Feinstein`, on one line; `None` where neither has a name other than a number
    /// such as `#8`.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::new());
    /// record.set("PB", "#8")?;
    /// assert_eq!(record.players(), None);
    /// record.set("PW", "Lucky Luke")?;
    /// assert_eq!(record.players().as_deref(), Some("#8 - Lucky Luke"));
    /// # Ok::<(), outflank::notation::PropertyError>(())
    /// ```
    pub fn players(&self) -> Option<String> {
        let names = ["PB", "PW"].map(|name| self.property(name).map(one_line));
        let is_name = |name: &String| !name.is_empty() && !name.starts_with('#');
        names.iter().flatten().any(is_name).then(|| {
            let [black, white] = names.map(|name| name.filter(|name| !name.is_empty()));
            format!(
                "{} - {}",
                black.as_deref().unwrap_or("black"),
                white.as_deref().unwrap_or("white")
            )
        })
    }

    /// The start and the position after every move, as [`Game::turns`] has them, with the scores that are
    /// known: at the end of the game, and where the theoretical score is for.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::from_moves(&["F5".parse()?])?);
    /// record.set("TS", "59 +2")?;
    /// let scores: Vec<_> = record.problems().map(|problem| problem.score).collect();
    /// assert_eq!(scores, [None, Some(-2)]); // from white's side, who is to move
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn problems(&self) -> impl Iterator<Item = Problem> {
        self.game.turns().map(|(board, side)| Problem {
            board,
            side,
            moves: Vec::new(),
            score: self.known_score(board, side),
            name: None,
            line: 0,
        })
    }

    /// The exact score of a position of the game, from the side to move.
    fn known_score(&self, board: Board, side: Side) -> Option<i32> {
        if board.is_game_over() {
            return Some(board.final_score());
        }
        let (empties, score) = self.theoretical_score()?;
        (u32::from(empties) == board.empty_count()).then(|| side.black_score(score))
    }
}

/// The year in UTC, so many seconds after the beginning of 1970.
fn year_since_1970(seconds: u64) -> u64 {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut days) = (1970, seconds / 86_400);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            return year;
        }
        (year, days) = (year + 1, days - length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_years() {
        for (date, year) in [
            ("2003.12.15_13:24:03.MST", Some(2003)),
            ("2020", Some(2020)),
            ("20031215", Some(2003)),
            ("946684799", Some(1999)),
            ("946684800", Some(2000)),
            ("1100000000", Some(2004)),
            ("1100000000000", Some(2004)),
            ("1709251199", Some(2024)),
            ("1735689599", Some(2024)),
            ("1735689600", Some(2025)),
            ("110000", None),
            ("99999999999999999999", None),
            ("?", None),
        ] {
            let mut record = GameRecord::new(Game::new());
            record.set("DT", date).unwrap();
            assert_eq!(record.year(), year, "{date}");
        }
    }
}
