//! Memory: bytes that are known by term, constants of the program, and arrays known by name only.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use crate::term::{Node, Table, Term, Wide, apply, concat, highest, number, trailing_zeros};

/// The most entries of a table that an unknown index leads into.
const MOST_ENTRIES: u64 = 1 << 17;

/// Bytes by their addresses.
#[derive(Clone)]
pub struct Memory {
    /// The term that was stored there, and which byte of it: what is stored and loaded again is the same term.
    bytes: HashMap<u64, (Term, u32)>,
    arrays: Vec<Array>,
    program: Rc<Program>,
}

/// Memory of which only the name is known: an element is a function of that name and of its distance from the start,
/// in bytes and 64 bits. The function of an array `weights` with elements of 32 bits is `weights_32`.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its address.
    pub start: u64,
    /// Its bytes.
    pub length: u64,
    /// The bytes of an element: a power of two.
    pub element: u32,
}

impl Array {
    /// `bytes` bytes at a distance from the start.
    pub fn read(&self, distance: Term, bytes: u32) -> Term {
        let element = |i: u32| {
            let place = distance.plus((i * self.element).into());
            let bits = 8 * self.element;
            apply(&format!("{}_{bits}", self.name), &[place], bits)
        };
        concat((0..bytes / self.element).map(element))
    }

    /// Whether whole elements of it, and nothing else, lie at a distance from the start.
    fn has(&self, distance: Term, bytes: u32) -> bool {
        let end = highest(distance).and_then(|highest| highest.checked_add(bytes.into()));
        bytes.is_multiple_of(self.element)
            && trailing_zeros(distance) >= self.element.trailing_zeros()
            && end.is_some_and(|end| end <= self.length)
    }
}

/// Why memory could not be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryError {
    /// Nothing is known of an address that is read.
    #[error("reads {0:#x}, which is neither its own nor a constant of the program")]
    Foreign(u64),
    /// What is not its own is written.
    #[error("writes to {0:#x}, which is not its own")]
    NotOwn(u64),
    /// What is read may lie outside of an array, or be a part of an element.
    #[error("what is read from the array {0} may lie outside of it, or be part of an element")]
    Outside(&'static str),
    /// Too little is known of an address.
    #[error("an address is not known")]
    Unknown,
    /// What is known of an address does not keep it within the constants of the program.
    #[error(
        "reads from {start:#x} on as far as {stride} times {highest}, which are not all constants"
    )]
    Far {
        /// What the address is at least.
        start: u64,
        /// The step from one possible address to the next.
        stride: u64,
        /// The highest number of such steps.
        highest: u64,
    },
}

/// Where a table lies: its start, the bytes from one entry to the next, the entries, the bits of each.
type Place = (u64, u64, u64, u32);

/// What the running program has at addresses that nobody may write to: its code and its constants.
pub struct Program {
    tables: RefCell<HashMap<Place, Rc<Table>>>,
}

/// The parts of this process's memory that cannot be written to, first address and end.
static CONSTANT: LazyLock<Vec<(u64, u64)>> = LazyLock::new(|| {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let part = |line: &str| {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next()?, words.next()?);
        // Only what was loaded from a file: the rest is the system's.
        let path = words.nth(3)?;
        let (start, end) = range.split_once('-')?;
        let parsed = (
            u64::from_str_radix(start, 16).ok()?,
            u64::from_str_radix(end, 16).ok()?,
        );
        (rights.starts_with('r') && !rights.contains('w') && path.starts_with('/'))
            .then_some(parsed)
    };
    maps.lines().filter_map(part).collect()
});

impl Program {
    /// This program.
    pub fn running() -> Rc<Program> {
        Rc::new(Program {
            tables: RefCell::default(),
        })
    }

    /// The bytes at an address, at most `count`, as far as they are constant.
    pub fn bytes(&self, address: u64, count: u64) -> &'static [u8] {
        let part = CONSTANT
            .iter()
            .find(|(start, end)| (*start..*end).contains(&address));
        let Some(&(_, end)) = part else {
            return &[];
        };
        let count = count.min(end - address) as usize;
        // SAFETY: the system says that this memory can be read and not written to, and a program's
        // own file stays loaded as long as it runs.
        unsafe { std::slice::from_raw_parts(address as *const u8, count) }
    }

    /// `count` constants of `width` bits, `stride` bytes from one to the next.
    fn table(&self, start: u64, stride: u64, count: u64, width: u32) -> Option<Rc<Table>> {
        let key = (start, stride, count, width);
        if let Some(table) = self.tables.borrow().get(&key) {
            return Some(table.clone());
        }
        let own = u64::from(width / 8);
        let entry = |i| {
            let bytes = self.bytes(start.wrapping_add(i * stride), own);
            (bytes.len() as u64 == own).then(|| Wide::from_bytes(bytes))
        };
        let entries: Option<Vec<Wide>> = (0..count).map(entry).collect();
        let table = Table::new(entries?, width);
        self.tables.borrow_mut().insert(key, table.clone());
        Some(table)
    }
}

impl Memory {
    /// Empty, but for the constants of a program.
    pub fn new(program: Rc<Program>) -> Memory {
        Memory {
            bytes: HashMap::new(),
            arrays: Vec::new(),
            program,
        }
    }

    /// Adds an array.
    pub fn add_array(&mut self, array: Array) {
        self.arrays.push(array);
    }

    /// The term at an address, of so many bytes.
    pub fn load(&self, address: Term, bytes: u32) -> Result<Term, MemoryError> {
        let (rest, base) = address.without_offset();
        let base = base.low_word();
        if let Some(array) = self
            .arrays
            .iter()
            .find(|array| base.wrapping_sub(array.start) < array.length)
        {
            let distance = address.plus((array.start as i64).wrapping_neg());
            return match array.has(distance, bytes) {
                true => Ok(array.read(distance, bytes)),
                false => Err(MemoryError::Outside(array.name)),
            };
        }
        if rest.is_zero() {
            return self.at(base, bytes);
        }
        let (index, stride) = index(rest);
        let highest = highest(index).ok_or(MemoryError::Unknown)?;
        let far = MemoryError::Far {
            start: base,
            stride,
            highest,
        };
        if highest >= MOST_ENTRIES {
            return Err(far);
        }
        let count = highest + 1;
        if self.bytes.contains_key(&base) {
            // Its own memory: a choice between what is there.
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
        Ok(table.ok_or(far)?.lookup(index))
    }

    /// The bytes at a constant address.
    fn at(&self, address: u64, bytes: u32) -> Result<Term, MemoryError> {
        let mut parts = Vec::new();
        let mut i = 0;
        while i < bytes {
            let here = address.wrapping_add(i.into());
            let Some(&(stored, first)) = self.bytes.get(&here) else {
                let [byte] = self.program.bytes(here, 1) else {
                    return Err(MemoryError::Foreign(here));
                };
                parts.push(number((*byte).into(), 8));
                i += 1;
                continue;
            };
            let follows = |n: &u32| {
                let next = self.bytes.get(&here.wrapping_add((*n).into()));
                next == Some(&(stored, first + n))
            };
            let count = (1..bytes - i).take_while(follows).count() as u32 + 1;
            parts.push(stored.extract(8 * first, 8 * count));
            i += count;
        }
        Ok(concat(parts))
    }

    /// Makes the bytes from an address on its own, and puts a term of whole bytes there.
    pub fn add(&mut self, address: u64, value: Term) {
        for i in 0..value.width() / 8 {
            self.bytes
                .insert(address.wrapping_add(i.into()), (value, i));
        }
    }

    /// Puts a term of whole bytes at an address, in memory that is its own already.
    pub fn store(&mut self, address: Term, value: Term) -> Result<(), MemoryError> {
        let address = address.number().ok_or(MemoryError::Unknown)?;
        for i in 0..value.width() / 8 {
            let here = address.wrapping_add(i.into());
            let byte = self.bytes.get_mut(&here);
            *byte.ok_or(MemoryError::NotOwn(here))? = (value, i);
        }
        Ok(())
    }
}

/// A distance from a constant address as a number times a constant.
fn index(distance: Term) -> (Term, u64) {
    if let Node::Sum(terms, _) = &*distance.node()
        && let [(term, factor)] = terms[..]
        && let Some(factor) = factor.to_u64()
    {
        let (index, own) = index(term);
        if let Some(stride) = own.checked_mul(factor) {
            return (index, stride);
        }
    }
    if let Node::Concat(parts) = &*distance.node()
        && parts[0].is_zero()
        && parts[0].width() < 16
    {
        let zeros = parts[0].width();
        let (index, own) = index(distance.extract(zeros, distance.width() - zeros));
        return (index, own << zeros);
    }
    let zeros = trailing_zeros(distance).min(12);
    (
        distance.extract(zeros, distance.width() - zeros),
        1 << zeros,
    )
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

    /// Wherever the table lies, and however its index is put together.
    #[test]
    fn what_an_unknown_index_leads_to_is_an_entry_of_the_table() {
        let memory = Memory::new(Program::running());
        let start = NUMBERS.0.as_ptr() as u64;
        let index = variable("index", 10);
        let apart = concat((0..10).map(|i| variable(&format!("bit{i}"), 1)));
        for first in [0, 1, 2, 3, 512, 1023, 1024, 1025, 2048, 4095, 5000] {
            for index in [index, apart] {
                let distance = concat([bit(false), index, zeros(53)]);
                let address = number(start + 2 * first, 64) + distance;
                let entries =
                    (first..first + 1024).map(|i| Wide::new(NUMBERS.0[i as usize].into()));
                let expected = Table::new(entries.collect(), 16).lookup(index);
                assert_eq!(memory.load(address, 2), Ok(expected), "{first}");
            }
        }
    }
}
