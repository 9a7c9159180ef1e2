//! Tables of constants.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::arithmetic::sum;
use super::bits::{concat, odd, zeros};
use super::{Node, Term, Wide, constant, intern};

/// Constants of one width, in order.
#[derive(PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Wide>,
    width: u32,
    /// Tables may have thousands of entries, and every look-up is hashed.
    digest: u64,
}

/// The most entries of tables whose index is put in order.
const MOST_ORDERED: usize = 1 << 12;

/// A bit of an index.
struct Bit {
    /// The bit of an input that it is; `None` if it is 0.
    input: Option<Term>,
    /// Whether it is the opposite.
    flips: bool,
}

impl Bit {
    /// `None` where it is neither a bit of an input nor known.
    fn of(bit: Term) -> Option<Bit> {
        let is_input = |bit: Term| match *bit.node() {
            Node::Variable(_) => true,
            Node::Extract(base, _) => matches!(*base.node(), Node::Variable(_)),
            _ => false,
        };
        let of = |input, flips| Some(Bit { input, flips });
        match bit.value() {
            Some(value) => of(None, !value.is_zero()),
            None if is_input(bit) => of(Some(bit), false),
            None if is_input(!bit) => of(Some(!bit), true),
            None => None,
        }
    }
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
        if let Some(other) = self.ordered(index) {
            return other;
        }
        let width = self.width;
        intern(Node::Lookup(self, index), width)
    }

    /// An index of bits of inputs with each bit once and in their order, without those that do not matter; and entries
    /// without zeros above and below. So tables that are made in different ways for the same bits become one. `None`
    /// where they are so already.
    fn ordered(&self, index: Term) -> Option<Term> {
        if self.entries.len() > MOST_ORDERED || !self.entries.len().is_power_of_two() {
            return None;
        }
        let bits: Option<Vec<Bit>> = index.bits().map(Bit::of).collect();
        let bits = bits?;
        let mut order: Vec<Term> = bits.iter().filter_map(|bit| bit.input).collect();
        order.sort_unstable();
        order.dedup();
        let mut entries = self.by(&bits, &order);
        let mut place = 0;
        while place < order.len() {
            let matters = (0..entries.len()).any(|i| entries[i] != entries[i & !(1 << place)]);
            if matters {
                place += 1;
                continue;
            }
            order.remove(place);
            entries = self.by(&bits, &order);
        }
        let any = entries.iter().fold(Wide::ZERO, |any, &entry| any | entry);
        let (lo, hi) = (any.trailing_zeros(), any.length());
        let is_same = |(bit, input): (&Bit, &Term)| bit.input == Some(*input) && !bit.flips;
        let is_ordered = bits.len() == order.len() && bits.iter().zip(&order).all(is_same);
        if is_ordered && (lo, hi) == (0, self.width) {
            return None;
        }
        if order.is_empty() {
            return Some(constant(entries[0], self.width));
        }
        let entries = entries.iter().map(|entry| entry.shifted_right(lo));
        let own = Table::new(entries.collect(), hi - lo).lookup(concat(order));
        let below = (lo > 0).then(|| zeros(lo));
        let above = (hi < self.width).then(|| zeros(self.width - hi));
        Some(concat([below, Some(own), above].into_iter().flatten()))
    }

    /// The entries by an index of these inputs; inputs that are not among them are 0.
    fn by(&self, bits: &[Bit], order: &[Term]) -> Vec<Wide> {
        let places = bits.iter().map(|bit| {
            let input = bit.input?;
            order.iter().position(|&other| other == input)
        });
        let places: Vec<Option<usize>> = places.collect();
        let entry = |index: usize| {
            let own = bits.iter().zip(&places).enumerate();
            let old = own.fold(0, |old, (i, (bit, place))| {
                let set = place.is_some_and(|place| index >> place & 1 == 1);
                old | usize::from(set ^ bit.flips) << i
            });
            self.entries[old]
        };
        (0..1 << order.len()).map(entry).collect()
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
