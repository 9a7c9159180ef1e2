//! Import of the text that Edax exports a book to.
//!
//! A line has the squares, `X` for the mover, then the level, the leaf and its value: `SQUARES X,LEVEL,MOVE,VALUE`. Without
//! a leaf the move is `--`. Links and values of positions follow from the positions and leaves.

use std::borrow::Cow;

use outflank::notation::read_position;
use outflank::{Limits, Ply};

use crate::EntryError;
use crate::entry::{SearchEffort, ValuedMove};
use crate::foreign::{ForeignImport, ForeignPosition};

/// Maximum level.
const MAX_LEVEL: u32 = 60;

/// Returns `true` if a file begins with a position of an exported book: squares, the side to move and a comma.
pub fn is_exported(file: &[u8]) -> bool {
    let first = lines(file).next();
    first.is_some_and(|(_, line)| {
        let squares = line.split(',').next().unwrap_or_default();
        squares.len() < line.len() && read_position(squares).is_ok()
    })
}

/// Reads an exported book. Invalid lines are skipped and counted, empty ones only skipped.
pub fn import_exported(file: &[u8]) -> ForeignImport {
    let mut import = ForeignImport::default();
    for (number, line) in lines(file) {
        import.add(number, position(&line));
    }
    import.connect();
    import
}

/// Lines that are not empty, with their numbers from 1.
fn lines(file: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let lines = file
        .split(|&byte| byte == b'\n')
        .map(String::from_utf8_lossy);
    (1..).zip(lines).filter(|(_, line)| !line.trim().is_empty())
}

fn position(line: &str) -> Result<ForeignPosition, EntryError> {
    let mut fields = line.split(',').map(str::trim);
    let mut next = || fields.next().ok_or(EntryError::Layout);
    let (squares, level, leaf, value) = (next()?, next()?, next()?, next()?);
    let (board, _) = read_position(squares).map_err(|_| EntryError::Layout)?;
    let level: u32 = level.parse().map_err(|_| EntryError::Layout)?;
    let value: i32 = value.parse().map_err(|_| EntryError::Layout)?;
    let ply: Option<Ply> = match leaf {
        "--" => None,
        "PA" | "PS" | "pa" | "ps" => Some(None),
        square => Some(Some(square.parse().map_err(|_| EntryError::Layout)?)),
    };
    if level > MAX_LEVEL {
        return Err(EntryError::Layout);
    }
    let empties = board.empty_count();
    Ok(ForeignPosition {
        board,
        value: None,
        searched: SearchEffort::of_limits(&Limits::level(level, empties), empties),
        moves: ply
            .map(|ply| ValuedMove::new(ply, value))
            .into_iter()
            .collect(),
    })
}
