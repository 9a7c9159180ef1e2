//! OBF, the format of Othello problem sets: one position a line with the scores of its moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % a comment
//! ```
//!
//! A line has the 64 squares A1 to H8, the side to move, then any number of moves with their scores. `--:+4;` is the
//! score of the position itself. A comment is the name of its position.
//!
//! The reader accepts the spellings of files in circulation. The writer uses a single spelling.
//!
//! | part | spellings |
//! |---|---|
//! | black's discs | `X`, `*`, `B`, `1`, `●`, full-width letters |
//! | white's discs | `O`, `W`, `0`, `○`, full-width letters |
//! | empty squares | `-`, `.`, `_` |
//! | division | one word, eight words of eight, 64 of one; blanks or `/` between them |
//! | side to move | a disc, `black`, `white`, `X to move`; with or without a blank before |
//! | short spellings | [`Spelling`](super::Spelling): `8/8/8/3OX3/3XO3/8/8/8`, `0x0000000810000000 0x0000001008000000` |
//! | printed board | eight lines, with or without letters and numbers; the side behind them |
//!
//! Lines of moves directly below a position without scores make it the start of a game.

use std::fmt;

mod read;

pub(super) use read::entries;
pub use read::read;

pub use super::squares::BoardFault;
use super::{one_line, ply_name, truncated};
use crate::{Board, Ply, Side, Square};

/// A position, with the exact scores of moves that are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Position, mover first.
    pub board: Board,
    /// Side to move.
    pub side: Side,
    /// Moves with their exact scores in discs for the mover, -64..=64, in the order of the file.
    pub moves: Vec<(Ply, i32)>,
    /// Exact score of the position in discs for the mover, -64..=64, if the file has a score without a move.
    pub score: Option<i32>,
    /// Name of the position: the comment at the end of its line, or a comment with a number (`#7`) on the line above.
    /// If a comment has an FFO number, the name is only that number: `FFO #40`.
    pub name: Option<String>,
    /// Line of the file, from 1.
    pub line: usize,
}

impl Problem {
    /// Creates a position without scores; `squares` has black first.
    fn new(squares: Board, side: Side, line: usize) -> Problem {
        Problem {
            board: side.black_first(squares),
            side,
            moves: Vec::new(),
            score: None,
            name: None,
            line,
        }
    }

    /// Squares A1 to H8: `X` black, `O` white, `-` empty.
    pub fn squares(&self) -> String {
        self.side.black_first(self.board).to_string()
    }

    /// Best known score in discs for the mover, of a move or of the position itself. `None` if no score is known.
    pub fn best_score(&self) -> Option<i32> {
        let scores = self.moves.iter().map(|&(_, score)| score);
        scores.chain(self.score).max()
    }
}

impl fmt::Display for Problem {
    /// Writes a line of OBF without a line end; the name is the comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", super::write_position(self.board, self.side))?;
        for &(ply, score) in &self.moves {
            write!(f, " {}:{score:+};", ply_name(ply))?;
        }
        if let Some(score) = self.score {
            write!(f, " {NO_MOVE}:{score:+};")?;
        }
        if let Some(name) = self.name.as_deref().and_then(name) {
            write!(f, " % {name}")?;
        }
        Ok(())
    }
}

/// Error of a faulty line, with its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {fault}")]
#[non_exhaustive]
pub struct ObfError {
    /// Line of the file, from 1.
    pub line: usize,
    /// Character of the line, from 1. A sequence of invalid UTF-8, which becomes one U+FFFD, counts as one character.
    pub column: usize,
    /// Fault at that location.
    pub fault: ObfFault,
}

/// Fault of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObfFault {
    /// A character of the board is not a square.
    #[error("expected a square of the board (X, O or -), found {0}")]
    NotASquare(FoundText),
    /// The board has fewer or more than 64 squares.
    #[error("expected 64 squares, found {0}")]
    SquareCount(usize),
    /// The board is ambiguous, or no game can reach it.
    #[error(transparent)]
    Board(#[from] BoardFault),
    /// A printed board has fewer than eight rows.
    #[error("expected 8 rows of 8 squares, found {0}")]
    RowCount(usize),
    /// The side to move is missing or unknown.
    #[error("expected the side to move (X or O), found {0}")]
    NotASide(FoundText),
    /// An entry does not end with `;`.
    #[error("expected ';', found {0}")]
    NoSemicolon(FoundText),
    /// An entry does not begin with a move.
    #[error("expected a move (A1 to H8, PS, or -- for none), found {0}")]
    NotAMove(FoundText),
    /// A move has no score.
    #[error("expected ':' and a score, found {0}")]
    NoScore(FoundText),
    /// A score is not a whole number from -64 to 64.
    #[error("expected a score from -64 to +64, found {0}")]
    NotAScore(FoundText),
    /// The side to move cannot play on the square.
    #[error("expected a legal move, found {0}")]
    IllegalMove(Square),
    /// A pass is listed, but the side to move has a move, or the game is over.
    #[error("expected a legal move, found a pass where {0}")]
    IllegalPass(&'static str),
    /// The move was listed before.
    #[error("expected each move once, found {} again", ply_name(*.0))]
    Repeated(Ply),
    /// A second score is listed without a move.
    #[error("expected one score without a move, found another")]
    RepeatedScore,
    /// Lines of moves follow, so the position is the start of a game.
    #[error("expected positions alone, found moves behind this one")]
    Moves,
}

/// Text found in place of the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FoundText {
    /// Characters of the line, truncated.
    Text(String),
    /// Nothing, at the end of the line.
    EndOfLine,
}

impl FoundText {
    fn new(text: &str) -> FoundText {
        match text.is_empty() {
            true => FoundText::EndOfLine,
            false => FoundText::Text(truncated(text)),
        }
    }
}

impl fmt::Display for FoundText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Quoting keeps control characters from terminals.
            FoundText::Text(text) => write!(f, "{text:?}"),
            FoundText::EndOfLine => f.write_str("the end of the line"),
        }
    }
}

/// Name of a position from its comment: an FFO number, else the whole comment as one safe line. `None` if it is empty.
fn name(comment: &str) -> Option<String> {
    if let Some(number) = ffo_number(comment) {
        return Some(format!("FFO #{number}"));
    }
    let name = one_line(comment);
    (!name.is_empty()).then_some(name)
}

/// Number of a problem in the FFO test sets: `FFO #40`, `FFO 40`, `ffo-40`.
fn ffo_number(comment: &str) -> Option<&str> {
    const SET: &str = "FFO";
    let mut suffixes = comment.char_indices().map(|(index, _)| &comment[index..]);
    let is_set = |text: &&str| {
        let begin = text.get(..SET.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(SET))
    };
    let set = suffixes.find(is_set)?;
    let rest = set[SET.len()..].trim_start_matches([' ', '#', '-', '_']);
    leading_number(rest)
}

/// Returns `true` if a comment has a number such as `#7`. Other comments may be about many problems.
fn is_numbered(comment: &str) -> bool {
    let mut parts = comment.split('#').skip(1);
    parts.any(|part| leading_number(part).is_some())
}

fn leading_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &text[..digits])
}

/// Text in place of a move before a score of the position itself.
const NO_MOVE: &str = "--";
