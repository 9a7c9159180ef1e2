//! Tables of constants.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::arithmetic::sum;
use super::bits::odd;
use super::{Node, Term, Wide, constant, intern};

/// Constants of one width, in order.
#[derive(PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Wide>,
    width: u32,
    /// Tables may have thousands of entries, and every look-up is hashed.
    digest: u64,
}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl Table {
    /// Of entries of `width` bits; at least one.
    pub fn new(entries: Vec<Wide>, width: u32) -> Rc<Table> {
        assert!(!entries.is_empty());
        let mut hasher = DefaultHasher::new();
        (&entries, width).hash(&mut hasher);
        Rc::new(Table {
            entries,
            width,
            digest: hasher.finish(),
        })
    }

    /// The entries.
    pub fn entries(&self) -> &[Wide] {
        &self.entries
    }

    /// The number of bits of an entry.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of bits of an index: what lies over the last entry is never looked up.
    pub fn index_width(&self) -> u32 {
        (self.entries.len() - 1)
            .checked_ilog2()
            .map_or(1, |log| log + 1)
    }

    /// The bits that some entry has.
    pub(super) fn possible(&self) -> Wide {
        self.entries
            .iter()
            .fold(Wide::ZERO, |bits, &entry| bits | entry)
    }

    /// The highest entry, where all fit into 64 bits.
    pub(super) fn highest(&self) -> Option<u64> {
        let mut entries = self.entries.iter().map(|entry| entry.to_u64());
        entries.try_fold(0, |highest, entry| Some(entry?.max(highest)))
    }

    /// The entry at an index, or the last for one over it.
    pub(super) fn at(&self, index: Wide) -> Wide {
        let last = self.entries.len() - 1;
        let index = index
            .to_u64()
            .map_or(last, |index| last.min(index as usize));
        self.entries[index]
    }

    /// The same table with some bits of each entry.
    pub(super) fn part(&self, lo: u32, width: u32) -> Rc<Table> {
        let entries = self
            .entries
            .iter()
            .map(|entry| entry.shifted_right(lo).low(width));
        Table::new(entries.collect(), width)
    }

    /// The entry at `index`, which is less than their number.
    pub fn lookup(self: Rc<Self>, index: Term) -> Term {
        let width = self.index_width();
        debug_assert!(index.width() >= width || index.value().is_some());
        let index = index.resize(width);
        if let Some(value) = index.value() {
            return constant(self.at(value), self.width);
        }
        if self.entries.iter().all(|entry| *entry == self.entries[0]) {
            return constant(self.entries[0], self.width);
        }
        if let Some(sum) = self.linear(index).or_else(|| self.additive(index)) {
            return sum;
        }
        let width = self.width;
        intern(Node::Lookup(self, index), width)
    }

    /// The entry as the exclusive or of a constant for each bit of the index, where every entry is that.
    fn linear(&self, index: Term) -> Option<Term> {
        let count = self.entries.len();
        if !count.is_power_of_two() {
            return None;
        }
        let first = self.entries[0];
        let is_linear = (1..count).all(|i| {
            let lowest = i & i.wrapping_neg();
            self.entries[i] == self.entries[i ^ lowest] ^ self.entries[lowest] ^ first
        });
        is_linear.then(|| {
            let parts = (0..self.index_width()).filter(|i| 1 << i < count).map(|i| {
                let change = constant(self.entries[1 << i] ^ first, self.width);
                index.bit(i).extend(self.width) & change
            });
            odd(parts.chain([constant(first, self.width)]))
        })
    }

    /// The entry as the sum of a constant for each bit of the index, where every entry is that.
    fn additive(&self, index: Term) -> Option<Term> {
        let count = self.entries.len();
        if !count.is_power_of_two() {
            return None;
        }
        let first = self.entries[0];
        let step = |i: usize| self.entries[1 << i].plus(first.negative()).low(self.width);
        let is_additive = (1..count).all(|i| {
            let lowest = i.trailing_zeros() as usize;
            self.entries[i] == self.entries[i & (i - 1)].plus(step(lowest)).low(self.width)
        });
        is_additive.then(|| {
            let bits =
                (0..count.ilog2()).map(|i| (index.bit(i).resize(self.width), step(i as usize)));
            sum(bits.collect::<Vec<_>>(), first, self.width)
        })
    }
}
