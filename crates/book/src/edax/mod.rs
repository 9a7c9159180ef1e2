//! Edax's books, version 4 (`.dat`).
//!
//! A header of 42 bytes precedes the positions. Numbers have the byte order of the machine that wrote the file:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `EDAX` and `BOOK` as numbers: a little-endian file begins with `XADEKOOB` |
//! | 1, 1 | version, 4, and release |
//! | 8 | date: year (two bytes), month, day, hour, minute, second, and one byte of padding |
//! | 5 · 4 | level, empty squares down to which it was built, midgame error, endgame error, verbosity |
//! | 4 | number of positions |
//!
//! | bytes | position |
//! |---|---|
//! | 8, 8 | the mover's discs and the opponent's, A1 = bit 0 |
//! | 4 · 4 | numbers of won, drawn and lost lines, and of all lines |
//! | 3 · 2 | value, lower and upper bound, in discs for the mover |
//! | 1, 1 | number of links, level of the search |
//! | 2 each | the links: value, and square (0 to 63; 64 is a pass) |
//! | 2 | the leaf, encoded like a link; square 65 means no leaf |
//!
//! Source: the book code of Edax 4.5 (R. Delorme).

mod read;
mod text;
mod write;

pub use read::{Import, MAX_FAULTS, import};
pub use text::{import_exported, is_exported};
pub use write::{Date, Export, export};

/// First two 32-bit words of a file, in its byte order.
const MAGIC: [u32; 2] = [0x4544_4158, 0x424F_4F4B];

/// Supported version, and the release written.
const VERSION: (u8, u8) = (4, 5);

/// Bytes of the header.
const HEADER: usize = 42;

/// Bytes of the fixed part of a position.
const FIXED: usize = 16 + 16 + 6 + 2;

const MOVE: usize = 2;

/// Reason why a file is no readable book of Edax's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EdaxError {
    /// The file has another format.
    #[error("expected a book of Edax's, but {0}")]
    Foreign(#[source] outflank::notation::FileKind),
    /// The version is unknown.
    #[error("a book of Edax's of version {0}.{1}; expected version 4")]
    Version(u8, u8),
    /// The file is too short.
    #[error("cut off after {positions} of {expected} positions")]
    Truncated {
        /// Complete positions.
        positions: usize,
        /// Positions according to the header.
        expected: usize,
    },
    /// Bytes follow the last position.
    #[error("{0} bytes more than its {1} positions take")]
    Longer(usize, usize),
    /// A position is invalid.
    #[error("position {number}: {error}")]
    Position {
        /// Number of the position, from 1.
        number: usize,
        /// Reason.
        error: crate::EntryError,
    },
    /// The number of a move is neither a square nor a pass.
    #[error("position {number}: a move of number {ply}")]
    Ply {
        /// Number of the position, from 1.
        number: usize,
        /// Number of the move.
        ply: u8,
    },
    /// The level of a position is out of range.
    #[error("position {number}: level {level}; there are 0 to 60")]
    Level {
        /// Number of the position, from 1.
        number: usize,
        /// Level of the position.
        level: u8,
    },
}
