//! Import of the text that Edax exports a book to.
//!
//! A line has the squares, `X` for the mover, then the level, the leaf and its value: `SQUARES X,LEVEL,MOVE,VALUE`. Without
//! a leaf the move is `--`. Links and values of positions follow from the positions and leaves.

use outflank::notation::{PASS, read_position};
use outflank::{Limits, Ply};

use crate::EntryError;
use crate::entry::{SearchEffort, ValuedMove};
use crate::foreign::{ForeignImport, ForeignPosition};

/// Maximum level.
const MAX_LEVEL: u32 = 60;

/// Returns `true` if a file begins with a position of an exported book.
pub fn is_exported(file: &[u8]) -> bool {
    let line = file.split(|&byte| byte == b'\n').next().unwrap_or_default();
    str::from_utf8(line).is_ok_and(|line| position(line).is_ok())
}

/// Reads an exported book. Invalid lines are skipped and counted, empty ones only skipped.
pub fn import_exported(file: &[u8]) -> ForeignImport {
    let mut import = ForeignImport::default();
    let text = String::from_utf8_lossy(file);
    let lines = (1..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        import.add(number, position(line));
    }
    import.connect();
    import
}

fn position(line: &str) -> Result<ForeignPosition, EntryError> {
    let mut fields = line.trim().split(',');
    let mut next = || fields.next().ok_or(EntryError::Layout);
    let (squares, level, leaf, value) = (next()?, next()?, next()?, next()?);
    let (board, _) = read_position(squares).map_err(|_| EntryError::Layout)?;
    let level: u32 = level.parse().map_err(|_| EntryError::Layout)?;
    let value: i32 = value.parse().map_err(|_| EntryError::Layout)?;
    let ply: Option<Ply> = match leaf {
        "--" => None,
        pass if pass.eq_ignore_ascii_case(PASS) => Some(None),
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
