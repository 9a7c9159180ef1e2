//! Errors of invalid rows.

use core::fmt;

use super::PASS;

/// Error of an invalid row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RowError {
    /// Row, from 0.
    pub row: usize,
    /// Reason why the row is invalid.
    pub fault: RowFault,
}

/// Reason why a row is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RowFault {
    /// Both sides hold these squares.
    Overlap(u64),
    /// The number is neither a square nor [`PASS`].
    NotAPly(u8),
    /// The number is no square, which [`flip`](super::flip) needs.
    NotASquare(u8),
    /// The move, or [`PASS`], is not legal.
    Illegal(u8),
    /// The game is not over: a side has a move.
    NotOver,
}

/// Name of a square.
struct Name(u8);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'A' + self.0 % 8);
        write!(f, "{column}{}", self.0 / 8 + 1)
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}: {}", self.row, self.fault)
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RowFault::Overlap(squares) => {
                f.write_str("both sides hold ")?;
                let squares = (0..64).filter(|square| squares >> square & 1 != 0);
                for (index, square) in squares.enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{}", Name(square))?;
                }
                Ok(())
            }
            RowFault::NotAPly(number) => {
                write!(
                    f,
                    "{number} is no ply: A1 to H8 are 0 to 63, and a pass is 64"
                )
            }
            RowFault::NotASquare(number) => {
                write!(f, "{number} is no square: A1 to H8 are 0 to 63")
            }
            RowFault::Illegal(PASS) => f.write_str("PS is not legal here"),
            RowFault::Illegal(square) => write!(f, "{} is not legal here", Name(square)),
            RowFault::NotOver => f.write_str("the game is not over"),
        }
    }
}

impl core::error::Error for RowError {}
impl core::error::Error for RowFault {}
