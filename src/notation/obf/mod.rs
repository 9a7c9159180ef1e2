//! OBF, the format of Othello problem sets: one position a line with the scores of its moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % a comment
//! ```
//!
//! The 64 squares A1 to H8, the side to move, then any number of moves with their scores. `--:+4;` is
//! a score of the position without a move that reaches it. A comment is taken for the name of its position.
//!
//! Files in circulation have many spellings. All of them are read, one is written.
//!
//! | part | spellings |
//! |---|---|
//! | black's discs | `X`, `*`, `B`, `1`, `●`, full-width letters |
//! | white's discs | `O`, `W`, `0`, `○`, full-width letters |
//! | empty squares | `-`, `.`, `_` |
//! | division | one word, eight words of eight, 64 of one; blanks or `/` between them |
//! | side to move | a disc, `black`, `white`, `X to move`; with or without a blank before |
//! | printed board | eight lines, with or without letters and numbers; the side behind them |
//!
//! Lines of moves directly below a position without scores make it the start of a game.

use std::fmt;

mod read;

pub(super) use read::entries;
pub use read::read;

pub use super::squares::BoardFault;
use super::{one_line, ply_name, shown, squares};
use crate::{Board, Ply, Side, Square};

/// A position and what is known of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position, mover first.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// Moves with their exact scores in discs for the mover, -64..=64, in the order of the file.
    pub moves: Vec<(Ply, i32)>,
    /// The position's exact score in discs for the mover, -64..=64, where the file gives it without a
    /// move.
    pub score: Option<i32>,
    /// Name of the position: `FFO #40` where a comment says so, else the comment at the end of its line, or
    /// one with a number (`#7`) on a line of its own directly above.
    pub name: Option<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

impl Problem {
    /// A position of which nothing more is known: `squares` has black first.
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

    /// The 64 squares A1 to H8: `X` black, `O` white, `-` empty.
    pub fn squares(&self) -> String {
        self.side.black_first(self.board).to_string()
    }

    /// The best score that the line has, in discs for the mover; `None` if it has none.
    pub fn best_score(&self) -> Option<i32> {
        let scores = self.moves.iter().map(|&(_, score)| score);
        scores.chain(self.score).max()
    }
}

impl fmt::Display for Problem {
    /// The problem as a line of OBF, without the line's end; its name is the comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", squares::position(self.board, self.side))?;
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

/// A line that is no problem: where, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {fault}")]
pub struct ObfError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1. Bytes that are not UTF-8 count as one character for
    /// each sequence that a decoder would replace.
    pub column: usize,
    /// Fault at that place.
    pub fault: Fault,
}

/// Faults of a line of OBF.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A character of the board is no square.
    #[error("expected a square of the board (X, O or -), found {0}")]
    NotASquare(Found),
    /// The board has fewer or more than 64 squares.
    #[error("expected 64 squares, found {0}")]
    SquareCount(usize),
    /// The squares are no board that a game can reach.
    #[error(transparent)]
    Board(#[from] BoardFault),
    /// A printed board ends after some rows.
    #[error("expected 8 rows of 8 squares, found {0}")]
    RowCount(usize),
    /// The side to move is missing or unknown.
    #[error("expected the side to move (X or O), found {0}")]
    NotASide(Found),
    /// Something stands where an entry of the line must end.
    #[error("expected ';', found {0}")]
    NoSemicolon(Found),
    /// An entry does not begin with a move.
    #[error("expected a move (A1 to H8, PS, or -- for none), found {0}")]
    NotAMove(Found),
    /// A move has no score.
    #[error("expected ':' and a score, found {0}")]
    NoScore(Found),
    /// A score is no whole number in range.
    #[error("expected a score from -64 to +64, found {0}")]
    NotAScore(Found),
    /// The side to move cannot play there.
    #[error("expected a legal move, found {0}")]
    IllegalMove(Square),
    /// The side to move has a move, or the game is over.
    #[error("expected a legal move, found a pass where {0}")]
    IllegalPass(&'static str),
    /// The move was listed before.
    #[error("expected each move once, found {} again", ply_name(*.0))]
    Repeated(Ply),
    /// There are two scores without a move.
    #[error("expected one score without a move, found another")]
    RepeatedScore,
    /// Moves follow on the position, so that it is the start of a game.
    #[error("expected positions alone, found moves behind this one")]
    Moves,
}

/// Text found in place of the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Found {
    /// These characters, the first few of a long run.
    Text(String),
    /// Nothing more.
    EndOfLine,
}

impl Found {
    fn new(text: &str) -> Found {
        match text.is_empty() {
            true => Found::EndOfLine,
            false => Found::Text(shown(text)),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // As in a string literal: control characters must not reach a terminal.
            Found::Text(text) => write!(f, "{text:?}"),
            Found::EndOfLine => f.write_str("the end of the line"),
        }
    }
}

/// The name that a comment gives to a problem: the number of the FFO's sets, else all of it, as one line
/// without control characters; `None` where nothing is left.
fn name(comment: &str) -> Option<String> {
    if let Some(number) = ffo_number(comment) {
        return Some(format!("FFO #{number}"));
    }
    let shown = one_line(comment);
    (!shown.is_empty()).then_some(shown)
}

/// The number behind `FFO`, as in `FFO #40`, `FFO 40`, `ffo-40`.
fn ffo_number(comment: &str) -> Option<&str> {
    const SET: &str = "FFO";
    let places = comment.char_indices().map(|(place, _)| place);
    let is_set = |text: &&str| {
        let begin = text.get(..SET.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(SET))
    };
    let found = places.map(|place| &comment[place..]).find(is_set)?;
    let rest = found[SET.len()..].trim_start_matches([' ', '#', '-', '_']);
    leading_number(rest)
}

/// Returns `true` if a comment has a number such as `#7`: other comments may be about many problems.
fn is_numbered(comment: &str) -> bool {
    let mut parts = comment.split('#').skip(1);
    parts.any(|part| leading_number(part).is_some())
}

fn leading_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &text[..digits])
}

/// Placeholder for a move, where a score is that of the position.
const NO_MOVE: &str = "--";
