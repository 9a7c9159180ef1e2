//! Transcripts: games as text, one a line.
//!
//! ```text
//! f5d6c3d3c4f4f6f3 % upper or lower case, with or without blanks and commas between
//! F5 D6 C3 D3 PS C4
//! 1. f5 d6 2. c3 d3
//! ```
//!
//! The moves from the start of the game. A pass may be written (`PS`, `PA`, `pass`, `--`), and so may numbers
//! before moves (`1.`, `1...`). A pass follows from the rules, so where it stands is not looked at; neither is
//! what the numbers are. `%` and `#` begin a comment.

use super::{Format, Unfit, is_pass, without_mark};
use crate::{Game, IllegalMove, Square};

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The line of the file, from 1.
    pub line: usize,
    /// The moves, without passes. Whether they are legal is not known.
    pub moves: Vec<Square>,
}

impl Transcript {
    /// The game, if its moves are legal.
    ///
    /// ```
    /// use outflank::notation::transcript;
    ///
    /// let games: Vec<_> = transcript::read(b"f5d6c3\nf5f5").map(|game| game.unwrap().game()).collect();
    /// assert_eq!(games[0].as_ref().unwrap().board().empty_count(), 57);
    /// assert!(games[1].as_ref().is_err_and(|error| error.number == 2));
    /// ```
    pub fn game(&self) -> Result<Game, IllegalMove> {
        Game::from_moves(&self.moves)
    }
}

/// Writes a game as a line, without the line's end: the moves in lower case, without passes. Games from
/// another start than the usual one cannot be written, nor those without a move.
///
/// ```
/// use outflank::{Game, notation::transcript};
///
/// let game = Game::from_moves(&["F5".parse()?, "D6".parse()?])?;
/// assert_eq!(transcript::write(&game)?, "f5d6");
/// assert!(transcript::write(&Game::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(game: &Game) -> Result<String, Unfit> {
    if !game.has_usual_start() {
        return Err(Unfit::Start(Format::Transcript));
    }
    let line: String = game.moves().map(|square| format!("{square:#}")).collect();
    match line.is_empty() {
        true => Err(Unfit::NoMoves(Format::Transcript)),
        false => Ok(line),
    }
}

/// A line that is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: expected a move (A1 to H8, or PS), found {found:?}")]
pub struct TranscriptError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What stands there: two characters, or what is left of the line.
    pub found: String,
}

/// Reads the games of a file, skipping blank lines and comments. A malformed line is an error of its
/// own and leaves the others readable.
///
/// ```
/// use outflank::notation::transcript;
///
/// let mut games = transcript::read(b"f5d6c3 % tiger\nf5 d6 g9\n");
/// assert_eq!(games.next().unwrap()?.moves.len(), 3);
/// let error = games.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), r#"2:7: expected a move (A1 to H8, or PS), found "g9""#);
/// # Ok::<(), transcript::TranscriptError>(())
/// ```
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<Transcript, TranscriptError>> {
    without_mark(file)
        .split(|&byte| byte == b'\n')
        .enumerate()
        .filter_map(|(index, line)| {
            let text = String::from_utf8_lossy(line);
            let content = text.split(['%', '#']).next().unwrap_or_default();
            let game = moves(content).map(|moves| Transcript {
                line: index + 1,
                moves,
            });
            match game {
                Ok(game) if game.moves.is_empty() => None,
                Ok(game) => Some(Ok(game)),
                Err((column, found)) => Some(Err(TranscriptError {
                    line: index + 1,
                    column,
                    found,
                })),
            }
        })
}

/// Whether a line begins with a move, whatever follows: passes alone, which words can begin with, are a
/// line of moves only where nothing follows them.
pub(super) fn is_meant(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let content = text.split(['%', '#']).next().unwrap_or_default();
    let first = Names::of(content).find(|(_, name)| !is_pass(name));
    first.is_none_or(|(_, name)| name.parse::<Square>().is_ok())
}

/// The moves of a line, or where it has none and what it has there.
fn moves(line: &str) -> Result<Vec<Square>, (usize, String)> {
    let mut moves = Vec::new();
    for (place, name) in Names::of(line) {
        match name.parse() {
            Ok(square) => moves.push(square),
            Err(_) if is_pass(name) => {}
            Err(_) => return Err((place, name.to_owned())),
        }
    }
    Ok(moves)
}

/// The names of moves and passes on a line, each with the place of its first character, from 1: two
/// characters each, or `pass`. Blanks, commas and the numbers of moves are between them.
struct Names<'a> {
    rest: &'a str,
    place: usize,
}

impl<'a> Names<'a> {
    fn of(line: &'a str) -> Names<'a> {
        Names {
            rest: line,
            place: 1,
        }
    }

    /// Passes over so many bytes, which it returns.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.place += taken.chars().count();
        taken
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest.trim_start_matches(is_between);
        self.take(self.rest.len() - rest.len());
    }

    /// Passes over a number of a move: digits and points with a move behind them.
    fn skip_number(&mut self) {
        let behind = self
            .rest
            .trim_start_matches(|one: char| one.is_ascii_digit());
        let digits = self.rest.len() - behind.len();
        let rest = behind.trim_start_matches('.');
        let is_number = digits > 0 && rest.len() < behind.len();
        if is_number && !rest.trim_start_matches(is_between).is_empty() {
            self.take(self.rest.len() - rest.len());
            self.skip_blanks();
        }
    }
}

impl<'a> Iterator for Names<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        const PASS: &str = "pass";
        self.skip_blanks();
        self.skip_number();
        let mut ends = self
            .rest
            .char_indices()
            .map(|(at, one)| (at + one.len_utf8(), one));
        let (first, _) = ends.next()?;
        let second = ends.next().filter(|&(_, one)| !is_between(one));
        let begin = self.rest.get(..PASS.len()).unwrap_or_default();
        let bytes = match begin.eq_ignore_ascii_case(PASS) {
            true => PASS.len(),
            false => second.map_or(first, |(end, _)| end),
        };
        Some((self.place, self.take(bytes)))
    }
}

/// Whether a character stands between moves.
fn is_between(character: char) -> bool {
    character.is_whitespace() || character == ','
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read() {
        let file = b"f5d6c3\r\n\n% nothing\nF5, D6 c3 # a comment\nF5 PS D6--C3\nF5D\nF5 D\xff6\n\
            1. f5 d6 2. c3\n1.f5 1... d6,2.c3\nf5PASSd6 pass c3\n1. f5 2.\nf5 2 d6\n12.\n";
        let games: Vec<_> = read(file).collect();
        let moves = ["F5", "D6", "C3"]
            .map(|name| name.parse().unwrap())
            .to_vec();
        let right = games.iter().filter_map(|game| game.as_ref().ok());
        let expected = [1, 4, 5, 8, 9, 10].map(|line| {
            let moves = moves.clone();
            Transcript { line, moves }
        });
        assert!(right.eq(&expected));
        let errors = games.iter().filter_map(|game| game.as_ref().err());
        let errors = errors.map(ToString::to_string);
        let expected = [
            "6:3: expected a move (A1 to H8, or PS), found \"D\"",
            "7:4: expected a move (A1 to H8, or PS), found \"D\u{fffd}\"",
            "11:7: expected a move (A1 to H8, or PS), found \"2.\"",
            "12:4: expected a move (A1 to H8, or PS), found \"2\"",
            "13:1: expected a move (A1 to H8, or PS), found \"12\"",
        ];
        assert!(errors.eq(expected));
    }
}
