//! Transcripts: games as text, one a line.
//!
//! ```text
//! f5d6c3d3c4f4f6f3 % upper or lower case, with or without blanks and commas between
//! F5 D6 C3 D3 PS C4
//! ```
//!
//! The moves from the start of the game. A pass may be written (`PS`, `PA`, `--`); it follows from the
//! rules, so where it stands is not looked at. `%` and `#` begin a comment.

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
    let mut names = names(content).map(|(_, name)| name);
    let first = names.find(|name| !is_pass(name));
    first.is_none_or(|name| name.parse::<Square>().is_ok())
}

/// The moves of a line, or where it has none and what it has there.
fn moves(line: &str) -> Result<Vec<Square>, (usize, String)> {
    let mut moves = Vec::new();
    for (place, name) in names(line) {
        match name.parse() {
            Ok(square) => moves.push(square),
            Err(_) if is_pass(&name) => {}
            Err(_) => return Err((place, name)),
        }
    }
    Ok(moves)
}

/// The characters of a line two by two, as moves have them, with the place of the first, from 1. Blanks and
/// commas are between them.
fn names(line: &str) -> impl Iterator<Item = (usize, String)> {
    let is_between = |character: char| character.is_whitespace() || character == ',';
    let mut characters = line.chars().zip(1..).peekable();
    std::iter::from_fn(move || {
        let (first, place) = characters.find(|&(first, _)| !is_between(first))?;
        let second = characters.next_if(|&(next, _)| !is_between(next));
        let name = std::iter::once(first).chain(second.map(|(second, _)| second));
        Some((place, name.collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read() {
        let file = b"f5d6c3\r\n\n% nothing\nF5, D6 c3 # a comment\nF5 PS D6--C3\nF5D\nF5 D\xff6\n";
        let games: Vec<_> = read(file).collect();
        let moves = ["F5", "D6", "C3"]
            .map(|name| name.parse().unwrap())
            .to_vec();
        for (game, line) in games.iter().zip([1, 4, 5]) {
            let moves = moves.clone();
            assert_eq!(*game, Ok(Transcript { line, moves }));
        }
        let errors = games[3..]
            .iter()
            .map(|game| game.as_ref().unwrap_err().to_string());
        let expected = [
            "6:3: expected a move (A1 to H8, or PS), found \"D\"",
            "7:4: expected a move (A1 to H8, or PS), found \"D\u{fffd}\"",
        ];
        assert!(errors.eq(expected));
    }
}
