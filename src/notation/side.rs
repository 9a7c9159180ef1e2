//! The two sides. Boards know only a mover and an opponent; colours live here, with the notations.

use crate::Board;

/// A side, by the colour of its discs.
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
}
