//! Memory: stored terms, constants of the program, and arrays of unknown contents.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::term::{Node, Table, Term, Wide, apply, concat, number, trailing_zeros, upper_bound};

/// Maximum number of entries of a table with an unknown index.
const MAX_ENTRIES: u64 = 1 << 17;

/// Memory of the code under proof: its own bytes by address, arrays, and the program's constants.
#[derive(Clone)]
pub struct Memory {
    /// Each byte's stored term and the index of the byte in it, so that a load after a store yields the same term.
    bytes: FxHashMap<u64, (Term, u32)>,
    arrays: Vec<Array>,
    /// Memory that the code fills, if its address is unknown.
    pub target: Option<Target>,
    /// Conditions under which the stores into `target` so far lie inside it, one bit each. A proof must prove them.
    pub conditions: Vec<Term>,
    program: Rc<Program>,
}

/// Memory of unknown address and length that the code fills, observed at one word of 64 bits.
///
/// The code may write it, but not read it. Nothing else lies in it. The offset of the observed word is unknown, so a
/// claim about this word holds for all words.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Address of the first byte.
    pub start: Term,
    /// Length in bytes: a multiple of 8.
    pub length: Term,
    /// Offset of the observed word in bytes: a multiple of 8.
    pub observed: Term,
    /// Contents of the observed word.
    pub value: Term,
}

impl Target {
    /// Stores a term of whole words; returns the conditions under which it lies in the memory.
    fn store(&mut self, address: Term, value: Term) -> Option<[Term; 3]> {
        let bytes = value.width() / 8;
        if !bytes.is_multiple_of(8) {
            return None;
        }
        let offset = address - self.start;
        for (i, word) in (0..).zip(value.lanes(64)) {
            let is_observed = offset.plus(8 * i).equals(self.observed);
            self.value = is_observed.choose(word, self.value);
        }
        let last = self.length.plus(-i64::from(bytes));
        Some([
            offset.extract(0, 3).equals(number(0, 3)),
            !self.length.below(number(bytes.into(), 64)),
            !last.below(offset),
        ])
    }
}

/// Array of unknown contents, read only.
///
/// An element is the value of an uninterpreted function at the element's offset from the start, a number of bytes in 64
/// bits. The function of an array `weights` with elements of 32 bits is `weights_32`.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Name, and the first part of the function's name.
    pub name: &'static str,
    /// Address of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
    /// Size of an element in bytes: a power of two.
    pub element: u32,
}

impl Array {
    /// The `bytes` bytes at an offset from the start.
    pub fn read(&self, offset: Term, bytes: u32) -> Term {
        let element = |i: u32| {
            let element_offset = offset.plus((i * self.element).into());
            let bits = 8 * self.element;
            apply(&format!("{}_{bits}", self.name), &[element_offset], bits)
        };
        concat((0..bytes / self.element).map(element))
    }

    /// Returns `true` if the `bytes` bytes at an offset are known to be whole elements of the array.
    fn has(&self, offset: Term, bytes: u32) -> bool {
        let end = upper_bound(offset).and_then(|highest| highest.checked_add(bytes.into()));
        bytes.is_multiple_of(self.element)
            && trailing_zeros(offset) >= self.element.trailing_zeros()
            && end.is_some_and(|end| end <= self.length)
    }
}

/// Reason why memory cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryError {
    /// A read from unknown memory.
    #[error("reads {0:#x}, which is neither the code's own memory nor a constant of the program")]
    ForeignRead(u64),
    /// A write outside the code's own memory.
    #[error("writes to {0:#x}, which is not the code's own memory")]
    ForeignWrite(u64),
    /// A read that may leave an array, or split one of its elements.
    #[error("a read from the array {0} may leave it or split an element")]
    OutsideArray(&'static str),
    /// An address that depends on the input in a way that has no model.
    #[error("an address depends on the input")]
    UnknownAddress,
    /// A read whose address may lie outside the constants of the program.
    #[error(
        "reads up to {highest} times {stride} bytes from {start:#x} on, which are not all constants"
    )]
    OutsideConstants {
        /// Lowest possible address.
        start: u64,
        /// Distance between neighbouring possible addresses, in bytes.
        stride: u64,
        /// Highest possible number of strides.
        highest: u64,
    },
}

/// Key of a table: start, stride in bytes, number of entries, bits of an entry.
type TableKey = (u64, u64, u64, u32);

/// Code and constants of the running program: all of its memory that is not writable.
pub struct Program {
    tables: RefCell<FxHashMap<TableKey, Rc<Table>>>,
}

/// Address ranges (start, end) of this process's memory that cannot be written.
static CONSTANT: LazyLock<Vec<(u64, u64)>> = LazyLock::new(|| {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let range_of_line = |line: &str| {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next()?, words.next()?);
        // Only mapped files count: other read-only pages belong to the system.
        let path = words.nth(3)?;
        let (start, end) = range.split_once('-')?;
        let parsed = (
            u64::from_str_radix(start, 16).ok()?,
            u64::from_str_radix(end, 16).ok()?,
        );
        (rights.starts_with('r') && !rights.contains('w') && path.starts_with('/'))
            .then_some(parsed)
    };
    maps.lines().filter_map(range_of_line).collect()
});

impl Program {
    /// The running program.
    pub fn running() -> Rc<Program> {
        Rc::new(Program {
            tables: RefCell::default(),
        })
    }

    /// Up to `count` bytes at an address: fewer where constant memory ends.
    pub fn bytes(&self, address: u64, count: u64) -> &'static [u8] {
        let part = CONSTANT
            .iter()
            .find(|(start, end)| (*start..*end).contains(&address));
        let Some(&(_, end)) = part else {
            return &[];
        };
        let count = count.min(end - address) as usize;
        // SAFETY: the system maps this memory as readable and not writable, and a program's own file stays mapped
        // as long as the program runs.
        unsafe { std::slice::from_raw_parts(address as *const u8, count) }
    }

    /// Table of `count` constants of `width` bits, `stride` bytes apart; `None` if some are not constant.
    fn table(&self, start: u64, stride: u64, count: u64, width: u32) -> Option<Rc<Table>> {
        let key = (start, stride, count, width);
        if let Some(table) = self.tables.borrow().get(&key) {
            return Some(table.clone());
        }
        let size = u64::from(width / 8);
        let entry = |i| {
            let bytes = self.bytes(start.wrapping_add(i * stride), size);
            (bytes.len() as u64 == size).then(|| Wide::from_bytes(bytes))
        };
        let entries: Option<Vec<Wide>> = (0..count).map(entry).collect();
        let table = Table::new(entries?, width);
        self.tables.borrow_mut().insert(key, table.clone());
        Some(table)
    }
}

impl Memory {
    /// Memory that holds only the constants of a program.
    pub fn new(program: Rc<Program>) -> Memory {
        Memory {
            bytes: FxHashMap::default(),
            arrays: Vec::new(),
            target: None,
            conditions: Vec::new(),
            program,
        }
    }

    /// Adds an array, at an address where nothing else lies.
    pub fn add_array(&mut self, array: Array) {
        self.arrays.push(array);
    }

    /// Loads `bytes` bytes from an address.
    pub fn load(&self, address: Term, bytes: u32) -> Result<Term, MemoryError> {
        let (rest, base) = address.without_offset();
        let base = base.low_word();
        if let Some(array) = self
            .arrays
            .iter()
            .find(|array| base.wrapping_sub(array.start) < array.length)
        {
            let offset = address.plus((array.start as i64).wrapping_neg());
            return match array.has(offset, bytes) {
                true => Ok(array.read(offset, bytes)),
                false => Err(MemoryError::OutsideArray(array.name)),
            };
        }
        if rest.is_zero() {
            return self.load_constant_address(base, bytes);
        }
        let (index, stride) = index(rest);
        let highest = upper_bound(index).ok_or(MemoryError::UnknownAddress)?;
        let outside = MemoryError::OutsideConstants {
            start: base,
            stride,
            highest,
        };
        if highest >= MAX_ENTRIES {
            return Err(outside);
        }
        let count = highest + 1;
        if self.bytes.contains_key(&base) {
            // The code's own memory: a choice between the possible addresses.
            let at = |i: u64| self.load(number(base + i * stride, 64), bytes);
            let mut chosen = at(count - 1)?;
            for i in (0..count - 1).rev() {
                chosen = index
                    .equals(number(i, index.width()))
                    .choose(at(i)?, chosen);
            }
            return Ok(chosen);
        }
        let table = self.program.table(base, stride, count, 8 * bytes);
        Ok(table.ok_or(outside)?.lookup(index))
    }

    /// Loads `bytes` bytes from a constant address.
    fn load_constant_address(&self, address: u64, bytes: u32) -> Result<Term, MemoryError> {
        let byte = |i: u32| {
            let here = address.wrapping_add(i.into());
            if let Some(&stored) = self.bytes.get(&here) {
                return Ok(stored);
            }
            match self.program.bytes(here, 1) {
                &[byte] => Ok((number(byte.into(), 8), 0)),
                _ => Err(MemoryError::ForeignRead(here)),
            }
        };
        let loaded: Vec<(Term, u32)> = (0..bytes).map(byte).collect::<Result<_, _>>()?;
        // Neighbouring bytes of one stored term are one part.
        let runs = loaded.chunk_by(|&(one, i), &(other, j)| one == other && i + 1 == j);
        let part = |run: &[(Term, u32)]| run[0].0.extract(8 * run[0].1, 8 * run.len() as u32);
        Ok(concat(runs.map(part)))
    }

    /// Adds memory that the code may write, with a term of whole bytes as its initial contents.
    pub fn add(&mut self, address: u64, value: Term) {
        for i in 0..value.width() / 8 {
            self.bytes
                .insert(address.wrapping_add(i.into()), (value, i));
        }
    }

    /// Stores a term of whole bytes into the code's own memory.
    pub fn store(&mut self, address: Term, value: Term) -> Result<(), MemoryError> {
        let Some(address) = address.number() else {
            let target = self.target.as_mut();
            let conditions = target.and_then(|target| target.store(address, value));
            self.conditions
                .extend(conditions.ok_or(MemoryError::UnknownAddress)?);
            return Ok(());
        };
        for i in 0..value.width() / 8 {
            let here = address.wrapping_add(i.into());
            let byte = self.bytes.get_mut(&here);
            *byte.ok_or(MemoryError::ForeignWrite(here))? = (value, i);
        }
        Ok(())
    }
}

impl Memory {
    /// Parts that differ from those of an earlier state: address and length in bytes, aligned words where possible.
    pub(crate) fn changes(&self, earlier: &Memory) -> Vec<(u64, u32)> {
        let is_changed = |(address, byte): &(&u64, &(Term, u32))| {
            earlier.bytes.get(address).is_some_and(|old| old != *byte)
        };
        let changed = self.bytes.iter().filter(is_changed);
        let word_or_byte = |(&address, _): (&u64, &(Term, u32))| {
            let word = address & !7;
            let is_whole = (word..word + 8).all(|byte| self.bytes.contains_key(&byte));
            if is_whole { (word, 8) } else { (address, 1) }
        };
        let mut changes: Vec<(u64, u32)> = changed.map(word_or_byte).collect();
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

/// Splits an offset into an index and a constant stride.
fn index(offset: Term) -> (Term, u64) {
    if let Node::Sum(terms, _) = &*offset.node()
        && let [(term, factor)] = terms[..]
        && let Some(factor) = factor.to_u64()
    {
        let (index, stride) = index(term);
        if let Some(stride) = stride.checked_mul(factor) {
            return (index, stride);
        }
    }
    if let Node::Concat(parts) = &*offset.node()
        && parts[0].is_zero()
        && parts[0].width() < 16
    {
        let zeros = parts[0].width();
        let (index, stride) = index(offset.extract(zeros, offset.width() - zeros));
        return (index, stride << zeros);
    }
    let zeros = trailing_zeros(offset).min(12);
    (offset.extract(zeros, offset.width() - zeros), 1 << zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{bit, variable, zeros};

    #[repr(align(8192))]
    struct Aligned([u16; 8192]);

    static NUMBERS: Aligned = {
        let mut all = [0; 8192];
        let mut i = 0;
        while i < all.len() {
            all[i] = (i * i % 9973) as u16;
            i += 1;
        }
        Aligned(all)
    };

    #[test]
    fn load_with_unknown_index_is_a_table_lookup_at_any_alignment() {
        let memory = Memory::new(Program::running());
        let start = NUMBERS.0.as_ptr() as u64;
        let index = variable("index", 10);
        let split_index = concat((0..10).map(|i| variable(&format!("bit{i}"), 1)));
        for first in [0, 1, 2, 3, 512, 1023, 1024, 1025, 2048, 4095, 5000] {
            for index in [index, split_index] {
                let offset = concat([bit(false), index, zeros(53)]);
                let address = number(start + 2 * first, 64) + offset;
                let entries =
                    (first..first + 1024).map(|i| Wide::new(NUMBERS.0[i as usize].into()));
                let expected = Table::new(entries.collect(), 16).lookup(index);
                assert_eq!(memory.load(address, 2), Ok(expected), "{first}");
            }
        }
    }
}
