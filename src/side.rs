//! The two sides. Boards have only a mover and an opponent; games and notations have colours.

use std::fmt;

use crate::board::Board;

/// A side, by the colour of its discs.
///
/// ```
/// use outflank::{Board, Side};
///
/// assert_eq!(Side::Black.other(), Side::White);
/// assert_eq!(Side::White.to_string(), "white");
/// let white_to_move = Board::START.pass();
/// assert_eq!(Side::White.black_first(white_to_move), Board::START);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Black, which moves first.
    Black,
    /// White.
    White,
}

impl Side {
    /// Opponent of this side.
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// Letter of the side in position files: `X` black, `O` white.
    pub const fn letter(self) -> char {
        match self {
            Side::Black => 'X',
            Side::White => 'O',
        }
    }

    /// Converts a board with this side to move between mover first and black first. The function is its own inverse.
    pub const fn black_first(self, board: Board) -> Board {
        match self {
            Side::Black => board,
            Side::White => board.pass(),
        }
    }

    /// Converts a score between this side's view and black's view. The function is its own inverse.
    pub const fn black_score(self, score: i32) -> i32 {
        match self {
            Side::Black => score,
            Side::White => -score,
        }
    }
}

impl fmt::Display for Side {
    /// Writes `black` or `white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "black",
            Side::White => "white",
        })
    }
}
