//! Edax's books, version 4 (`.dat`).
//!
//! A header of 42 bytes, then the positions, all in the byte order of the machine that wrote them:
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
//! | 4 · 4 | lines that were won, drawn, lost, and all lines |
//! | 3 · 2 | value, lower and upper bound, in discs for the mover |
//! | 1, 1 | number of links, level of the search |
//! | 2 each | the links: value, and square (0 to 63; 64 is a pass) |
//! | 2 | the leaf, in the same way; 65 is none |
//!
//! Source: the book code of Edax 4.5 (R. Delorme).

mod read;
mod write;

pub use read::{Import, MAX_FAULTS, import};
pub use write::{Date, Export, export};

/// What a file begins with, in the byte order of the machine that wrote it.
const MAGIC: [u32; 2] = [0x4544_4158, 0x424F_4F4B];

/// The version that is read and written, and the release that is written.
const VERSION: (u8, u8) = (4, 5);

/// The bytes of the header, of the fixed part of a position, and of a move.
const HEADER: usize = 42;
const FIXED: usize = 16 + 16 + 6 + 2;
const MOVE: usize = 2;

/// What stands for no move.
const NOTHING: u8 = 65;

/// Why a file is no book of Edax's, or one that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EdaxError {
    /// It is something else.
    #[error("expected a book of Edax's, but {0}")]
    Foreign(outflank::notation::Looks),
    /// It is of another version.
    #[error("a book of Edax's of version {0}.{1}; expected version 4")]
    Version(u8, u8),
    /// The end is missing.
    #[error("cut off after {positions} of {expected} positions")]
    Truncated {
        /// Positions that are there.
        positions: usize,
        /// Positions that the header says.
        expected: usize,
    },
    /// There is something behind the last position.
    #[error("{0} bytes more than its {1} positions take")]
    Longer(usize, usize),
    /// A position cannot be.
    #[error("position {number}: {error}")]
    Position {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        error: crate::EntryError,
    },
    /// A move has no number that Edax gives.
    #[error("position {number}: a move of number {ply}")]
    Ply {
        /// Which one, from 1.
        number: usize,
        /// The number.
        ply: u8,
    },
    /// A level is none.
    #[error("position {number}: level {level}; there are 0 to 60")]
    Level {
        /// Which one, from 1.
        number: usize,
        /// The level.
        level: u8,
    },
}
