//! Tables of constants.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::bits::{concat, xor_all, zeros};
use super::{Node, Term, Wide, constant, intern};

/// Table of constants of one width.
#[derive(PartialEq, Eq, Debug)]
pub struct Table {
    entries: Vec<Wide>,
    width: u32,
    /// Hash of all entries, computed once: tables are long, and every look-up is hashed.
    digest: u64,
}

/// Maximum number of entries of a table whose index is normalised.
const MAX_NORMALISED: usize = 1 << 12;

/// Bit of an index: a constant, or a bit of an input, possibly negated.
struct IndexBit {
    /// Bit of an input; `None` for a constant.
    input: Option<Term>,
    /// `true` negates the input; the value of the bit if there is no input.
    flips: bool,
}

impl IndexBit {
    /// `None` for a bit that is neither a bit of an input nor constant.
    fn parse(bit: Term) -> Option<IndexBit> {
        let is_input = |bit: Term| match *bit.node() {
            Node::Variable(_) => true,
            Node::Extract(base, _) => matches!(*base.node(), Node::Variable(_)),
            _ => false,
        };
        let index_bit = |input, flips| Some(IndexBit { input, flips });
        match bit.value() {
            Some(value) => index_bit(None, !value.is_zero()),
            None if is_input(bit) => index_bit(Some(bit), false),
            None if is_input(!bit) => index_bit(Some(!bit), true),
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
    /// Table of entries of `width` bits; at least one.
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

    /// Entries by index.
    pub fn entries(&self) -> &[Wide] {
        &self.entries
    }

    /// Width of an entry in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Width of an index in bits: the least that reaches the last entry.
    pub fn index_width(&self) -> u32 {
        (self.entries.len() - 1)
            .checked_ilog2()
            .map_or(1, |log| log + 1)
    }

    /// Bits that are set in some entry.
    pub(super) fn possible(&self) -> Wide {
        self.entries
            .iter()
            .fold(Wide::ZERO, |bits, &entry| bits | entry)
    }

    /// Greatest entry, if all fit into 64 bits.
    pub(super) fn highest(&self) -> Option<u64> {
        let mut entries = self.entries.iter().map(|entry| entry.to_u64());
        entries.try_fold(0, |highest, entry| Some(entry?.max(highest)))
    }

    /// Entry at an index; the last entry for an index beyond it.
    pub(super) fn at(&self, index: Wide) -> Wide {
        let last = self.entries.len() - 1;
        let index = index
            .to_u64()
            .map_or(last, |index| last.min(index as usize));
        self.entries[index]
    }

    /// Table of the `width` bits from `lo` on of each entry.
    pub(super) fn part(&self, lo: u32, width: u32) -> Rc<Table> {
        let entries = self
            .entries
            .iter()
            .map(|entry| entry.shifted_right(lo).low(width));
        Table::new(entries.collect(), width)
    }

    /// Entry at `index`, which must be less than the number of entries.
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
        if self.entries.len().is_power_of_two()
            && let Some(other) = self
                .linear(index)
                .or_else(|| self.additive(index))
                .or_else(|| self.normalised(index))
        {
            return other;
        }
        let width = self.width;
        intern(Node::Lookup(self, index), width)
    }

    /// Rewrites a look-up by bits of inputs, so that different tables of the same bits become one.
    ///
    /// The new index has each bit that matters once, in sorted order. Zeros that all entries share at the top or the
    /// bottom are cut off. `None` if the look-up has this form already, or cannot have it.
    fn normalised(&self, index: Term) -> Option<Term> {
        if self.entries.len() > MAX_NORMALISED {
            return None;
        }
        let bits: Option<Vec<IndexBit>> = index.bits().map(IndexBit::parse).collect();
        let bits = bits?;
        let mut order: Vec<Term> = bits.iter().filter_map(|bit| bit.input).collect();
        order.sort_unstable();
        order.dedup();
        let mut entries = self.permuted(&bits, &order);
        let mut bit = 0;
        while bit < order.len() {
            let matters = (0..entries.len()).any(|i| entries[i] != entries[i & !(1 << bit)]);
            if matters {
                bit += 1;
                continue;
            }
            order.remove(bit);
            entries = self.permuted(&bits, &order);
        }
        let any = entries.iter().fold(Wide::ZERO, |any, &entry| any | entry);
        let (lo, hi) = (any.trailing_zeros(), any.length());
        let is_same = |(bit, input): (&IndexBit, &Term)| bit.input == Some(*input) && !bit.flips;
        let is_ordered = bits.len() == order.len() && bits.iter().zip(&order).all(is_same);
        if is_ordered && (lo, hi) == (0, self.width) {
            return None;
        }
        if order.is_empty() {
            return Some(constant(entries[0], self.width));
        }
        let entries = entries.iter().map(|entry| entry.shifted_right(lo));
        let entry = Table::new(entries.collect(), hi - lo).lookup(concat(order));
        let below = (lo > 0).then(|| zeros(lo));
        let above = (hi < self.width).then(|| zeros(self.width - hi));
        Some(concat([below, Some(entry), above].into_iter().flatten()))
    }

    /// Entries by an index of the inputs in `order`; other inputs are 0.
    fn permuted(&self, bits: &[IndexBit], order: &[Term]) -> Vec<Wide> {
        let positions = bits.iter().map(|bit| {
            let input = bit.input?;
            order.iter().position(|&other| other == input)
        });
        let positions: Vec<Option<usize>> = positions.collect();
        let entry = |index: usize| {
            let inputs = bits.iter().zip(&positions).enumerate();
            let old = inputs.fold(0, |old, (i, (bit, position))| {
                let set = position.is_some_and(|position| index >> position & 1 == 1);
                old | usize::from(set ^ bit.flips) << i
            });
            self.entries[old]
        };
        (0..1 << order.len()).map(entry).collect()
    }

    /// Look-up in a table that is linear over GF(2), as an exclusive or of one constant for each bit of the index.
    fn linear(&self, index: Term) -> Option<Term> {
        let first = self.entries[0];
        let step = |i: usize| self.entries[1 << i] ^ first;
        self.is_composed(|rest, i| rest ^ step(i)).then(|| {
            let steps = (0..self.bits()).map(|i| {
                let step = constant(step(i), self.width);
                index.bit(i as u32).extend(self.width) & step
            });
            xor_all(steps.chain([constant(first, self.width)]))
        })
    }

    /// Look-up in a table whose entries are sums of one constant for each set bit of the index, written as such a sum.
    fn additive(&self, index: Term) -> Option<Term> {
        let first = self.entries[0];
        let step = |i: usize| self.entries[1 << i].plus(first.negative()).low(self.width);
        let add = |rest: Wide, i| rest.plus(step(i)).low(self.width);
        self.is_composed(add).then(|| {
            let bits = (0..self.bits()).map(|i| (index.bit(i as u32).resize(self.width), step(i)));
            Term::sum(bits, first, self.width)
        })
    }

    /// Number of bits of an index of this table, whose length is a power of two.
    fn bits(&self) -> usize {
        self.entries.len().ilog2() as usize
    }

    /// Returns `true` if `add` makes each entry from the entry without the index's lowest set bit, and that bit.
    fn is_composed(&self, add: impl Fn(Wide, usize) -> Wide) -> bool {
        let rest = |i: usize| self.entries[i & (i - 1)];
        (1..self.entries.len())
            .all(|i| self.entries[i] == add(rest(i), i.trailing_zeros() as usize))
    }
}
