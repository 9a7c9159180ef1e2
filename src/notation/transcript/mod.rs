//! Transcripts: games as lists of moves.
//!
//! ```text
//! f5d6c3d3c4f4f6f3 % upper or lower case, with or without blanks and commas between
//! F5 D6 C3 D3 PS C4
//! 1. f5 d6 2. c3 d3 34-30
//! ```
//!
//! Games begin at the usual start. Passes (`PS`, `PA`, `pass`, `--`) are ignored, because they follow from the rules.
//! `%` and `#` begin a comment up to the end of the line; `{` and `}` enclose one.
//!
//! A game takes one line or several:
//!
//! | line | meaning |
//! |---|---|
//! | tag of PGN (`[Black "…"]`) | begins a game, which lasts to its result or to the next tags |
//! | begins with move number 1 | begins a game |
//! | begins with another number | continues the game above |
//! | any other, legal from the start | is a game |
//! | any other, legal behind the game above | continues that game |
//!
//! A result (`34-30`, `1-0`, `1/2-1/2`, `*`) ends a game.

mod moves;
mod read;

pub use read::read;
pub(super) use read::{begins_with_move, is_transcript_line, read_moves_from};

use super::{Format, UnsupportedGame};
use crate::{Game, IllegalMove, Square};

/// Formats a game as a line without a line end: moves in lower case, without passes.
///
/// Games from another start and games without moves are errors.
///
/// ```
/// use outflank::{Game, notation::transcript};
///
/// let game = Game::from_moves(&["F5".parse()?, "D6".parse()?])?;
/// assert_eq!(transcript::write(&game)?, "f5d6");
/// assert!(transcript::write(&Game::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(game: &Game) -> Result<String, UnsupportedGame> {
    if !game.has_usual_start() {
        return Err(UnsupportedGame::Start(Format::Transcript));
    }
    let line: String = game.moves().map(|square| format!("{square:#}")).collect();
    match line.is_empty() {
        true => Err(UnsupportedGame::NoMoves(Format::Transcript)),
        false => Ok(line),
    }
}

/// Reads the moves on all lines of a text without playing them. Passes, numbers, results and comments are skipped.
///
/// ```
/// use outflank::notation::transcript;
///
/// let moves = transcript::moves("1. f5 d6\n2. c3")?;
/// assert_eq!(moves, ["F5", "D6", "C3"].map(|name| name.parse().unwrap()));
/// # Ok::<(), transcript::TranscriptError>(())
/// ```
pub fn moves(text: &str) -> Result<Vec<Square>, TranscriptError> {
    read::squares(text)
}

/// Error of a faulty game, with the line of the fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}{column}: {fault}", column = .fault.column_suffix())]
#[non_exhaustive]
pub struct TranscriptError {
    /// Line of the file, from 1.
    pub line: usize,
    /// Fault on that line.
    pub fault: TranscriptFault,
}

/// Fault of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptFault {
    /// The line has a text that is not a move.
    #[error("expected a move (A1 to H8, or PS), found {found:?}")]
    NotAMove {
        /// Character of the line, from 1.
        column: usize,
        /// Two characters, or the rest of the line.
        found: String,
    },
    /// A move is not legal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// A comment that begins with `{` does not end.
    #[error("expected '}}' at the end of the comment, found the end of the file")]
    NotClosed,
    /// The game begins with a position in FEN, which has several dialects.
    #[error("the game begins with a position in FEN, which is not read")]
    Fen,
}

impl TranscriptFault {
    /// Column behind the line in messages, if it is known.
    fn column_suffix(&self) -> String {
        match self {
            TranscriptFault::NotAMove { column, .. } => format!(":{column}"),
            _ => String::new(),
        }
    }
}
