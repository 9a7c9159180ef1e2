//! Reading Edax's books.

use outflank::notation::Looks;
use outflank::{Board, Limits};

use super::{EdaxError, FIXED, HEADER, MAGIC, MOVE, NOTHING, VERSION};
use crate::entry::{Entry, Move, Searched, read_ply};
use crate::setting::SETTINGS;
use crate::{BookError, Graph, Writer};

/// A book of Edax's, read.
pub struct Import {
    /// The positions that can be used, linked as Edax has them, with the values that follow.
    pub graph: Graph,
    /// The level that the book was built at.
    pub level: i32,
    /// The fewest empty squares that it was built down to.
    pub empties: i32,
    /// What Edax adds to a value of a midgame, and of an endgame that is not solved, as its error, in discs.
    pub errors: [i32; 2],
    /// What the header says of the number of positions.
    pub positions: usize,
    /// Positions that cannot be used, the first [`MAX_FAULTS`] of them.
    pub faults: Vec<EdaxError>,
    /// How many there are.
    pub fault_count: usize,
    /// Positions that are there twice, the same but for symmetry: the last is taken.
    pub repeated: usize,
    /// Positions with another value than the one that follows from their moves.
    pub revalued: usize,
    /// Positions with counts of games that were won, drawn and lost, for which a book has no place: they follow from
    /// its leaves.
    pub counted: usize,
}

/// The most faults that are listed.
pub const MAX_FAULTS: usize = 10;

impl Import {
    /// Puts all of it into a book, with the settings that [`export`](super::export) writes again. A setting out of the
    /// [range of books](crate::check::SETTINGS) becomes the nearest value in range.
    pub fn save(&mut self, writer: &mut Writer) -> Result<(), BookError> {
        self.graph.save(writer)?;
        let values = [self.level, self.empties, self.errors[0], self.errors[1]];
        for ((name, range), value) in SETTINGS.iter().zip(values) {
            writer.set(name, i64::from(value).clamp(*range.start(), *range.end()))?;
        }
        Ok(())
    }
}

/// Whether a file begins as Edax's books do.
fn is_meant(file: &[u8]) -> bool {
    let magic = MAGIC.map(u32::to_le_bytes).concat();
    file.starts_with(&magic) || file.starts_with(b"EDAXBOOK")
}

/// Reads a book. Positions that cannot be are left out, and told; a file that is cut off is an error.
pub fn import(file: &[u8]) -> Result<Import, EdaxError> {
    if !is_meant(file) {
        return Err(EdaxError::Foreign(Looks::of(file)));
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
        graph: Graph::default(),
        level: option(0),
        empties: option(1),
        errors: [option(2), option(3)],
        positions: expected,
        faults: Vec::new(),
        fault_count: 0,
        repeated: 0,
        revalued: 0,
        counted: 0,
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
                let is_new = import.graph.len();
                let number = import.graph.add(&entry);
                import.repeated += usize::from(number as usize != is_new);
                values.push((number, value));
                import.counted += usize::from((16..28).any(|offset| file[at + offset] != 0));
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
    import.graph.resolve();
    let differs = |&&(number, value): &&(u32, i32)| import.graph.value(number) != value;
    import.revalued = values.iter().filter(differs).count();
    Ok(import)
}

/// A file, and whether its numbers begin with their highest bytes.
struct Bytes<'a> {
    file: &'a [u8],
    big: bool,
}

impl Bytes<'_> {
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes: [u8; N] = self.file[at..at + N].try_into().expect("as many bytes");
        if self.big {
            bytes.reverse();
        }
        bytes
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    /// The position of this number, which takes `length` bytes, and the value that Edax gave it.
    fn position(&self, at: usize, length: usize, number: usize) -> Result<(Entry, i32), EdaxError> {
        let board = Board {
            player: u64::from_le_bytes(self.array(at)),
            opponent: u64::from_le_bytes(self.array(at + 8)),
        };
        let level = self.file[at + FIXED - 1];
        if level > 60 {
            return Err(EdaxError::Level { number, level });
        }
        let read = |&[value, ply]: &[u8; 2]| match read_ply(ply) {
            Some(ply) => Ok(Move {
                ply,
                value: i32::from(value as i8),
            }),
            None => Err(EdaxError::Ply { number, ply }),
        };
        let (moves, _) = self.file[at + FIXED..at + length].as_chunks();
        let (leaf, links) = moves.split_last().expect("a leaf is always there");
        let leaf = match leaf[1] {
            NOTHING => None,
            _ => Some(read(leaf)?),
        };
        let links = links.iter().map(read).collect::<Result<_, _>>()?;
        let empties = board.empty_count();
        let searched = Searched::by(&Limits::level(level.into(), empties), empties);
        let entry = Entry::new(board, searched, leaf, links);
        let entry = entry.map_err(|error| EdaxError::Position { number, error })?;
        let value = i16::from_le_bytes(self.array(at + 32));
        Ok((entry, value.into()))
    }
}
