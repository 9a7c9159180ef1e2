//! A game with its properties and notes.

use super::obf::Problem;
use super::{Format, one_line};
use crate::game::Overlap;
use crate::{Board, Game, Ply, Side};

/// A game with all data that a GGF file can have: properties, and a note for each ply.
///
/// Properties have GGF's names and text values. The usual ones:
///
/// | name | value |
/// |---|---|
/// | `PC` | place; also the number of a tournament, `#263` |
/// | `EV` | event, the tournament |
/// | `DT` | date: `2003.12.15_13:24:03.MST`, `2020` |
/// | `PB`, `PW` | players of black and white |
/// | `RB`, `RW` | ratings of black and white |
/// | `RE` | result in discs for black: `+12.000`, `?` |
/// | `TI` | time of each player: `05:00//02:00` |
/// | `TY` | type of the game: `8` |
/// | `TS` | theoretical score: `24 +18` |
///
/// `RE` ends with `:r` after a resignation and with `:t` after a loss on time. `TS` is an extension of this crate: a
/// number of empty squares, and the score of perfect play from there in discs for black.
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
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameRecord {
    /// Starting position and plies.
    pub game: Game,
    /// Notes of the plies, in their order. The list may be shorter than the game; missing notes are empty.
    pub notes: Vec<Note>,
    properties: Vec<(String, String)>,
}

/// A game with its location in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedGame {
    /// First line of the game in the file, from 1.
    pub line: usize,
    /// Game with its properties.
    pub record: GameRecord,
}

/// Evaluation and time of a ply.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Note {
    /// Evaluation by the player, in discs and usually from the player's view.
    pub eval: Option<f64>,
    /// Thinking time in seconds.
    pub seconds: Option<f64>,
}

/// Error of a name that no property can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} cannot be the name of a property: that is A to Z, and not GM, BO, B or W")]
pub struct PropertyError(String);

/// Reason why a format cannot store a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedGame {
    /// The format cannot store a starting position, and the game has an unusual one.
    #[error("{0} has no place for another starting position than the usual one")]
    Start(Format),
    /// The format cannot store a game without moves.
    #[error("{0} has no place for a game without moves")]
    NoMoves(Format),
    /// The format needs a possible score in whole discs, and the game has none.
    #[error(
        "{0} has a score for every game, and this one is not over and has no result in whole discs"
    )]
    NoScore(Format),
}

/// Names that the writer of GGF uses for the game itself.
const RESERVED: [&str; 4] = ["GM", "BO", "B", "W"];

impl GameRecord {
    /// Creates a record without properties and notes.
    pub fn new(game: Game) -> GameRecord {
        GameRecord {
            game,
            ..GameRecord::default()
        }
    }

    /// Creates a record of a game that starts from a position and has no moves.
    ///
    /// The best score of the position becomes `TS`. Its name and the scores of its moves are lost.
    pub fn from_problem(problem: &Problem) -> Result<GameRecord, Overlap> {
        let mut record = GameRecord::new(Game::from_start(problem.board, problem.side)?);
        if let Some(score) = problem.best_score() {
            let (empties, score) = (problem.board.empty_count(), problem.side.black_score(score));
            record.push("TS".to_owned(), format!("{empties} {score:+}"));
        }
        Ok(record)
    }

    /// Value of the first property of this name.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut properties = self.properties();
        properties.find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Names and values of all properties, in their order.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        let properties = self.properties.iter();
        properties.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a property and removes others of the same name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), PropertyError> {
        check_name(name)?;
        let index = self.properties.iter().position(|(other, _)| other == name);
        self.properties.retain(|(other, _)| other != name);
        let property = (name.to_owned(), value.to_owned());
        match index {
            Some(index) => self.properties.insert(index, property),
            None => self.properties.push(property),
        }
        Ok(())
    }

    /// Adds a property after those of the same name, if there are any.
    pub fn add(&mut self, name: &str, value: &str) -> Result<(), PropertyError> {
        check_name(name)?;
        self.push(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Adds a property, even if there are others of the same name. The name is not checked.
    pub(super) fn push(&mut self, name: String, value: String) {
        self.properties.push((name, value));
    }

    /// Sets the note of the last ply. Passes that were inserted before it have empty notes.
    pub(super) fn note_last_ply(&mut self, note: Note) {
        let plies = self.game.plies().len();
        self.notes.resize(plies, Note::default());
        if let Some(last) = self.notes.last_mut() {
            *last = note;
        }
    }

    /// Plies with their notes; a missing note is empty.
    pub fn noted_plies(&self) -> impl Iterator<Item = (Ply, Note)> {
        let notes = self.notes.iter().copied();
        let notes = notes.chain(std::iter::repeat(Note::default()));
        self.game.plies().iter().copied().zip(notes)
    }

    /// Final score in discs for black, -64..=64. It is that of the board if the game is over, else a whole number in
    /// `RE`.
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

    /// Theoretical score `TS`: a number of empty squares, 0..=64, and the score of perfect play from there.
    ///
    /// The score is in discs for black, an even number of -64..=64. Other values of `TS` count as absent.
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

    /// Year of `DT`. Dates are `2003.12.15` or `20031215`. Some servers write seconds (9 or 10 digits) or milliseconds
    /// (12 or 13 digits) since 1970 in UTC instead.
    pub fn year(&self) -> Option<u16> {
        let date = self.property("DT")?.trim();
        let digits = date.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = date[..digits].parse().ok()?;
        let year = match (digits, digits == date.len()) {
            (4, _) => number,
            (8, true) => number / 10_000,
            (9 | 10, true) => year_of_unix_time(number),
            (12 | 13, true) => year_of_unix_time(number / 1000),
            _ => return None,
        };
        u16::try_from(year).ok()
    }

    /// Players on one line: `Tastet - Feinstein`. `None` if neither has a name other than a number such as `#8`.
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
            let black = black.as_deref().unwrap_or("black");
            format!("{black} - {}", white.as_deref().unwrap_or("white"))
        })
    }

    /// Starting position and the position after each move, as in [`Game::turns`]. A finished game has a score at its
    /// end. The position that `TS` refers to has the theoretical score.
    ///
    /// ```
    /// use outflank::{Game, notation::GameRecord};
    ///
    /// let mut record = GameRecord::new(Game::from_moves(&["F5".parse()?])?);
    /// record.set("TS", "59 +2")?;
    /// let scores: Vec<_> = record.problems().map(|problem| problem.score).collect();
    /// assert_eq!(scores, [None, Some(-2)]); // for white, the side to move
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

    /// Exact score of a position of the game for the side to move, if known.
    fn known_score(&self, board: Board, side: Side) -> Option<i32> {
        if board.is_game_over() {
            return Some(board.final_score());
        }
        let (empties, score) = self.theoretical_score()?;
        (u32::from(empties) == board.empty_count()).then(|| side.black_score(score))
    }
}

/// Checks the name of a property that a caller sets.
fn check_name(name: &str) -> Result<(), PropertyError> {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
    match is_name && !RESERVED.contains(&name) {
        true => Ok(()),
        false => Err(PropertyError(super::truncated(name))),
    }
}

/// Year in UTC at a number of seconds since the beginning of 1970.
fn year_of_unix_time(seconds: u64) -> u64 {
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
    fn years_are_read_from_dates() {
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
            let mut record = GameRecord::default();
            record.set("DT", date).unwrap();
            assert_eq!(record.year(), year, "{date}");
        }
    }
}
