//! Egaroucid's books, versions 2 and 3 (`.egbk2`, `.egbk3`).
//!
//! Numbers are little-endian. A header of 14 bytes precedes the positions:
//!
//! | bytes | header |
//! |---|---|
//! | 9 | `DICUORAGE` |
//! | 1 | version, 2 or 3 |
//! | 4 | number of positions |
//!
//! | bytes | position of version 3 |
//! |---|---|
//! | 8, 8 | the mover's discs and the opponent's |
//! | 1, 1 | value in discs for the mover, level |
//! | 4 | number of lines, which is not read |
//! | 1, 1, 1 | the leaf: value, square, and level; square 64 is a pass, others above 63 mean no leaf |
//!
//! | bytes | position of version 2 |
//! |---|---|
//! | 8, 8 | the mover's discs and the opponent's |
//! | 1, 1 | value in discs for the mover, level |
//! | 1 | number of moves |
//! | 2 each | the moves: value and square |
//!
//! Squares are numbers of bits. Which corner has bit 0 does not matter, since a book has positions up to symmetry. A
//! position in which the mover has to pass stands for the position after the pass.
//!
//! Source: the book code of Egaroucid 7.8 (T. Yamana).

use outflank::notation::FileKind;
use outflank::{Board, Limits};

use crate::EntryError;
use crate::entry::{SearchEffort, ValuedMove, read_ply};
use crate::foreign::{ForeignImport, ForeignPosition};

const MAGIC: &[u8; 9] = b"DICUORAGE";

/// Bytes of the header.
const HEADER: usize = 14;

/// Bytes of a position of version 3.
const POSITION: usize = 25;

/// Bytes of a position of version 2 before its moves.
const FIXED: usize = 19;

/// Highest level. Egaroucid gives higher numbers to values that a person has set.
const MAX_LEVEL: i8 = 60;

/// Reason why a file, or one of its positions, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EgaroucidError {
    /// The file has another format.
    #[error("expected a book of Egaroucid's, but {0}")]
    Foreign(#[source] FileKind),
    /// The version is unknown.
    #[error("a book of Egaroucid's of version {0}; expected version 2 or 3")]
    Version(u8),
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
}

/// Reads a book. Invalid positions are skipped and counted. A truncated file is an error.
///
/// A level is taken as the level of this number of this engine. Positions without a bound of the moves that leave the
/// book are invalid.
pub fn import(file: &[u8]) -> Result<ForeignImport, EgaroucidError> {
    if !file.starts_with(MAGIC) {
        return Err(EgaroucidError::Foreign(FileKind::detect(file)));
    }
    let truncated = |positions, expected| EgaroucidError::Truncated {
        positions,
        expected,
    };
    let header = file.get(..HEADER).ok_or(truncated(0, 0))?;
    let version = header[MAGIC.len()];
    if ![2, 3].contains(&version) {
        return Err(EgaroucidError::Version(version));
    }
    let expected = u32::from_le_bytes(header[10..].try_into().expect("four bytes")) as usize;
    let mut import = ForeignImport::default();
    let mut rest = &file[HEADER..];
    for number in 1..=expected {
        let length = match version {
            3 => POSITION,
            _ => rest
                .get(FIXED - 1)
                .map_or(FIXED, |&moves| FIXED + 2 * usize::from(moves)),
        };
        let (bytes, behind) = rest
            .split_at_checked(length)
            .ok_or(truncated(number - 1, expected))?;
        rest = behind;
        import.add(number, position(bytes, version));
    }
    if !rest.is_empty() {
        return Err(EgaroucidError::Longer(rest.len(), expected));
    }
    import.connect();
    Ok(import)
}

/// Reads a position.
fn position(bytes: &[u8], version: u8) -> Result<ForeignPosition, EntryError> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let byte = |at: usize| bytes[at] as i8;
    let board = Board {
        player: word(0),
        opponent: word(8),
    };
    let value = i32::from(byte(16));
    if board.player & board.opponent != 0 {
        return Err(EntryError::Overlap);
    }
    if value.abs() > 64 {
        return Err(EntryError::Value(value));
    }
    let moved = |at: usize| Some(ValuedMove::new(read_ply(bytes[at + 1])?, byte(at).into()));
    let (level, moves): (i8, Vec<ValuedMove>) = match version {
        3 => (
            if bytes[23] <= 64 { byte(24) } else { byte(17) },
            moved(22).into_iter().collect(),
        ),
        _ => (
            byte(17),
            (FIXED..bytes.len()).step_by(2).filter_map(moved).collect(),
        ),
    };
    let level = if level > MAX_LEVEL { 0 } else { level.max(0) };
    let empties = board.empty_count();
    Ok(ForeignPosition {
        board,
        value: Some(value),
        searched: SearchEffort::of_limits(&Limits::level(level as u32, empties), empties),
        moves,
    })
}
