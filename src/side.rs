//! The two sides. Boards know only a mover and an opponent; colours belong to games and notations.

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
    /// Black, who begins the game.
    Black,
    /// White.
    White,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// The letter of the side in position files: `X` black, `O` white.
    pub const fn letter(self) -> char {
        match self {
            Side::Black => 'X',
            Side::White => 'O',
        }
    }

    /// Turns a board with this side to move, mover first, into one with black first. It is its own
    /// inverse: a board with black first becomes one with the mover first.
    pub const fn black_first(self, board: Board) -> Board {
        match self {
            Side::Black => board,
            Side::White => board.pass(),
        }
    }

    /// Turns a score from this side's point of view into one from black's. It is its own inverse.
    pub const fn black_score(self, score: i32) -> i32 {
        match self {
            Side::Black => score,
            Side::White => -score,
        }
    }
}

impl fmt::Display for Side {
    /// `black` or `white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "black",
            Side::White => "white",
        })
    }
}
