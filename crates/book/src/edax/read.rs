//! Import of Edax's books.

use outflank::notation::FileKind;
use outflank::{Board, Limits};

use super::{EdaxError, FIXED, HEADER, MAGIC, MOVE, VERSION};
use crate::entry::{BookEntry, NO_MOVE, SearchEffort, ValuedMove, read_ply};
use crate::setting::SETTINGS;
use crate::{BookError, Graph, Writer};

/// Imported book.
#[derive(Default)]
pub struct Import {
    /// Valid positions with Edax's links. Negamax values are computed from the leaves.
    pub graph: Graph,
    /// Level of the book.
    pub level: i32,
    /// Minimum number of empty squares.
    pub empties: i32,
    /// Errors that Edax assumes for midgame values and for unsolved endgame values, in discs.
    pub errors: [i32; 2],
    /// Number of positions according to the header.
    pub positions: usize,
    /// Invalid positions, at most [`MAX_FAULTS`].
    pub faults: Vec<EdaxError>,
    /// Number of all invalid positions.
    pub fault_count: usize,
    /// Number of repeated positions, up to symmetry. The last copy is used.
    pub repeated: usize,
    /// Number of positions whose value differs from the negamax value of their moves.
    pub changed_values: usize,
    /// Number of positions with counts of won, drawn or lost lines. The import drops these counts, which follow from
    /// the leaves.
    pub dropped_line_counts: usize,
}

/// Maximum number of listed faults.
pub const MAX_FAULTS: usize = 10;

impl Import {
    /// Saves the book with the settings that [`export`](super::export) writes. Settings are clamped to the
    /// [range of books](crate::check::SETTINGS).
    pub fn save(&mut self, writer: &mut Writer) -> Result<(), BookError> {
        self.graph.save(writer)?;
        let values = [self.level, self.empties, self.errors[0], self.errors[1]];
        for ((name, range), value) in SETTINGS.iter().zip(values) {
            writer.set(name, i64::from(value).clamp(*range.start(), *range.end()))?;
        }
        Ok(())
    }
}

fn has_magic(file: &[u8]) -> bool {
    let magic = MAGIC.map(u32::to_le_bytes).concat();
    file.starts_with(&magic) || file.starts_with(b"EDAXBOOK")
}

/// Reads a book. Invalid positions are skipped and counted. A truncated file is an error.
pub fn import(file: &[u8]) -> Result<Import, EdaxError> {
    if !has_magic(file) {
        return Err(EdaxError::Foreign(FileKind::detect(file)));
    }
    let bytes = Bytes {
        file,
        big: file.starts_with(b"EDAX"),
    };
    let cut_off = |positions, expected| EdaxError::Truncated {
        positions,
        expected,
    };
    if file.len() < HEADER {
        return Err(cut_off(0, 0));
    }
    if file[8] != VERSION.0 {
        return Err(EdaxError::Version(file[8], file[9]));
    }
    let option = |index: usize| bytes.word(18 + 4 * index) as i32;
    let expected = bytes.word(38) as usize;
    let mut import = Import {
        level: option(0),
        empties: option(1),
        errors: [option(2), option(3)],
        positions: expected,
        ..Import::default()
    };
    let mut at = HEADER;
    let mut values = Vec::new();
    for number in 1..=expected {
        let length = file
            .get(at + FIXED - 2)
            .map(|&links| FIXED + MOVE * (usize::from(links) + 1));
        let length = length.filter(|&length| at + length <= file.len());
        let length = length.ok_or_else(|| cut_off(number - 1, expected))?;
        match bytes.position(at, length, number) {
            Ok((entry, value)) => {
                let new_number = import.graph.len();
                let number = import.graph.add(&entry);
                import.repeated += usize::from(number as usize != new_number);
                values.push((number, value));
                import.dropped_line_counts +=
                    usize::from((16..28).any(|offset| file[at + offset] != 0));
            }
            Err(fault) => {
                import.fault_count += 1;
                if import.faults.len() < MAX_FAULTS {
                    import.faults.push(fault);
                }
            }
        }
        at += length;
    }
    if at < file.len() {
        return Err(EdaxError::Longer(file.len() - at, expected));
    }
    import.graph.resolve_links();
    let differs = |&&(number, value): &&(u32, i32)| import.graph.value(number) != value;
    import.changed_values = values.iter().filter(differs).count();
    Ok(import)
}

/// File contents and byte order.
struct Bytes<'a> {
    file: &'a [u8],
    big: bool,
}

impl Bytes<'_> {
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes: [u8; N] = self.file[at..at + N]
            .try_into()
            .expect("the slice has N bytes");
        if self.big {
            bytes.reverse();
        }
        bytes
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    /// Decodes a position of `length` bytes. Returns its entry and Edax's value.
    fn position(
        &self,
        at: usize,
        length: usize,
        number: usize,
    ) -> Result<(BookEntry, i32), EdaxError> {
        let board = Board {
            player: u64::from_le_bytes(self.array(at)),
            opponent: u64::from_le_bytes(self.array(at + 8)),
        };
        let level = self.file[at + FIXED - 1];
        if level > 60 {
            return Err(EdaxError::Level { number, level });
        }
        let read = |&[value, ply]: &[u8; 2]| match read_ply(ply) {
            Some(ply) => Ok(ValuedMove::new(ply, i32::from(value as i8))),
            None => Err(EdaxError::Ply { number, ply }),
        };
        let (moves, _) = self.file[at + FIXED..at + length].as_chunks();
        let (leaf, links) = moves.split_last().expect("every position has a leaf");
        let leaf = match leaf[1] {
            NO_MOVE => None,
            _ => Some(read(leaf)?),
        };
        let links = links.iter().map(read).collect::<Result<_, _>>()?;
        let empties = board.empty_count();
        let searched = SearchEffort::of_limits(&Limits::level(level.into(), empties), empties);
        let entry = BookEntry::new(board, searched, leaf, links);
        let entry = entry.map_err(|error| EdaxError::Position { number, error })?;
        let value = i16::from_le_bytes(self.array(at + 32));
        Ok((entry, value.into()))
    }
}
