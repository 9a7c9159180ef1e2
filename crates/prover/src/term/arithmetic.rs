//! Sums, products and counts.

use std::collections::BTreeMap;

use super::range::{product_range, sum_range};
use super::{Node, Shift, Term, Wide, constant, intern, number};
use crate::term::bits::zeros;

/// Maximum number of shifted copies of operands that are checked for overlaps.
const MAX_COPIES: usize = 130;

/// Sum of terms times factors, plus a constant `start`, all of `width` bits.
pub(super) fn sum(terms: impl IntoIterator<Item = (Term, Wide)>, start: Wide, width: u32) -> Term {
    let (mut start, mut factors) = (start, BTreeMap::<Term, Wide>::new());
    let mut left: Vec<(Term, Wide)> = terms.into_iter().collect();
    if left.iter().any(|&(term, _)| is_scattered(term)) {
        left = left.into_iter().flat_map(in_bits).collect();
    }
    while let Some((term, factor)) = left.pop() {
        debug_assert_eq!(term.width(), width);
        let node = term.node();
        match &*node {
            Node::Constant(value) => start = start.plus(value.times(factor)),
            Node::Sum(inner, constant) => {
                start = start.plus(constant.times(factor));
                left.extend(
                    inner
                        .iter()
                        .map(|&(term, constant)| (term, constant.times(factor))),
                );
            }
            // A constant part becomes a summand of its own, so that the base of an address can be found.
            Node::Concat(parts)
                if parts
                    .iter()
                    .any(|part| part.value().is_some_and(|value| !value.is_zero())) =>
            {
                let (rest, offset) = term.without_offset();
                start = start.plus(offset.times(factor));
                left.push((rest, factor));
            }
            // Copies of one bit are this bit times a constant.
            Node::Concat(parts) if repeated(parts).is_some() => {
                let (bit, copies) = repeated(parts).expect("the guard has checked it");
                add(&mut factors, bit.resize(width), factor.times(copies), width);
            }
            // A concatenation of sums is a sum of their multiples.
            Node::Concat(parts) if parts.iter().any(|part| part.widened(width).is_some()) => {
                let mut lo = 0;
                for &part in parts {
                    left.push((part.resize(width), factor.shifted_left(lo)));
                    lo += part.width();
                }
            }
            // Low zeros are a factor.
            Node::Concat(parts) if parts[0].is_zero() => {
                let by = parts[0].width();
                let rest = whole(term.extract(by, width - by), width);
                left.push((rest, factor.shifted_left(by)));
            }
            // The complement is the negative minus one.
            Node::Xor(inner) if inner[0].value() == Some(Wide::ones(width)) => {
                start = start.plus(factor.negative());
                left.push((!term, factor.negative()));
            }
            _ => add(&mut factors, term, factor, width),
        }
    }
    factors.retain(|_, factor| !factor.is_zero());
    count_many(&mut factors, width);
    let start = start.low(width);
    if factors.is_empty() {
        return constant(start, width);
    }
    if let Some(joined) = without_carries(&factors, start, width) {
        return joined;
    }
    let single = factors
        .first_key_value()
        .filter(|_| start.is_zero() && factors.len() == 1);
    if let Some((&term, &factor)) = single.filter(|(_, factor)| factor.count() == 1) {
        return term.shift_by(Shift::Left, factor.trailing_zeros());
    }
    intern(Node::Sum(factors.into_iter().collect(), start), width)
}

/// Number of single bits from which on a term counts as scattered.
const SCATTERED: usize = 16;

/// Returns `true` for a concatenation of many single bits, as in code that counts bits.
fn is_scattered(term: Term) -> bool {
    match &*term.node() {
        Node::Concat(parts) => {
            let single = parts
                .iter()
                .filter(|part| part.width() == 1 && part.value().is_none());
            single.count() >= SCATTERED
        }
        _ => false,
    }
}

/// Splits a term times a factor into its bits times factors; terms that are not bits of inputs stay whole.
fn in_bits((term, factor): (Term, Wide)) -> Vec<(Term, Wide)> {
    let is_plain = |part: &Term| {
        matches!(
            *part.node(),
            Node::Variable(_) | Node::Extract(..) | Node::Constant(_)
        )
    };
    let splits = match &*term.node() {
        Node::Concat(parts) => parts.iter().all(is_plain),
        _ => is_plain(&term) && term.value().is_none(),
    };
    if !splits {
        return vec![(term, factor)];
    }
    let bits = term.bits().enumerate().filter(|(_, bit)| !bit.is_zero());
    bits.map(|(i, bit)| (bit.resize(term.width()), factor.shifted_left(i as u32)))
        .collect()
}

/// Number of set bits, in `width` bits; the order of the bits does not matter.
fn bit_count(mut bits: Vec<Term>, width: u32) -> Term {
    bits.sort_unstable();
    let count_width = bits.len().ilog2() + 1;
    let count = match bits[..] {
        [one] => one,
        _ => intern(Node::Count(bits.into()), count_width),
    };
    count.resize(width)
}

/// Replaces many bits with the same factor by their count times the factor.
fn count_many(factors: &mut BTreeMap<Term, Wide>, width: u32) {
    if factors.len() < SCATTERED {
        return;
    }
    let mut alike: BTreeMap<Wide, Vec<Term>> = BTreeMap::new();
    for (&term, &factor) in factors
        .iter()
        .filter(|(term, _)| super::upper_bound(**term) == Some(1))
    {
        alike.entry(factor).or_default().push(term);
    }
    for (factor, terms) in alike {
        if terms.len() >= SCATTERED {
            factors.retain(|term, _| !terms.contains(term));
            let bits = terms.iter().map(|term| term.bit(0)).collect();
            add(factors, bit_count(bits, width), factor, width);
        }
    }
}

fn add(factors: &mut BTreeMap<Term, Wide>, term: Term, factor: Wide, width: u32) {
    let sum = factors.entry(term).or_default();
    *sum = sum.plus(factor).low(width);
}

/// A bit and the mask of its copies, if all parts are zeros or copies of this bit.
fn repeated(parts: &[Term]) -> Option<(Term, Wide)> {
    let (mut found, mut copies, mut lo) = (None, Wide::ZERO, 0);
    for &part in parts {
        let width = part.width();
        if !part.is_zero() {
            let bit = match &*part.node() {
                &Node::Extend(inner) => inner,
                _ => part,
            };
            if bit.width() > 1 || found.is_some_and(|found| found != bit) {
                return None;
            }
            found = Some(bit);
            copies = copies | Wide::ones(width).shifted_left(lo);
        }
        lo += width;
    }
    Some((found?, copies))
}

/// A term of `width` bits whose lowest bits are `low`.
///
/// The result is the term from which `low` was extracted, if any, so that a number and its double share a term.
fn whole(low: Term, width: u32) -> Term {
    match *low.node() {
        Node::Extract(base, 0) if base.width() >= width => base.extract(0, width),
        _ => low.resize(width),
    }
}

/// Sum without carries, as a concatenation; `None` if two operands may have the same bit set.
fn without_carries(factors: &BTreeMap<Term, Wide>, start: Wide, width: u32) -> Option<Term> {
    let mut taken = start;
    let mut copies = vec![constant(start, width)];
    for (term, factor) in factors {
        if copies.len() + factor.count() as usize > MAX_COPIES {
            return None;
        }
        let mask = possible(*term);
        for by in (0..width).filter(|&i| factor.bit(i)) {
            let shifted = mask.shifted_left(by).low(width);
            if !(taken & shifted).is_zero() {
                return None;
            }
            taken = taken | shifted;
            copies.push(term.shift_by(Shift::Left, by));
        }
    }
    Some(super::bits::xor_all(copies))
}

/// Mask of the bits that may be set.
pub(super) fn possible(term: Term) -> Wide {
    match &*term.node() {
        Node::Constant(value) => *value,
        Node::Concat(parts) => {
            let (mut bits, mut lo) = (Wide::ZERO, 0);
            for &part in parts {
                bits = bits | possible(part).shifted_left(lo);
                lo += part.width();
            }
            bits
        }
        Node::Lookup(table, _) => table.possible(),
        _ => Wide::ones(super::upper_bound(term).map_or(term.width(), |highest| {
            (64 - highest.leading_zeros()).min(term.width())
        })),
    }
}

/// The `width` bits from `lo` on of a sum of `sum_width` bits, as a sum; `None` if the bits below may carry.
pub(super) fn high_part(
    terms: &[(Term, Wide)],
    start: Wide,
    sum_width: u32,
    lo: u32,
    width: u32,
) -> Option<Term> {
    let mut most_below = start.low(lo);
    let mut parts = Vec::new();
    let mut add = |part: Term, factor: Wide| {
        let factor = factor.low(sum_width);
        let below = Wide::new(super::upper_bound(part)?).times(factor.low(lo));
        most_below = most_below.plus(below);
        let high = factor.shifted_right(lo);
        if !high.is_zero() {
            parts.push((part.resize(width), high));
        }
        Some(())
    };
    for &(term, factor) in terms {
        match &*term.node() {
            Node::Concat(inner) => {
                let mut part_lo = 0;
                for &part in inner {
                    // Bit by bit, because a factor shifts different bits out at the top.
                    let step = match &*part.node() {
                        Node::Sum(..) => part.width(),
                        _ => 1,
                    };
                    let bits = (0..part.width()).step_by(step as usize);
                    for i in bits.filter(|_| !part.is_zero()) {
                        add(part.extract(i, step), factor.shifted_left(part_lo + i))?;
                    }
                    part_lo += part.width();
                }
            }
            _ => add(term, factor)?,
        }
    }
    let carries = most_below.length() > lo;
    (!carries).then(|| sum(parts, start.shifted_right(lo).low(width), width))
}

/// Product of two terms, in the least width that is known to hold it.
pub(super) fn product(a: Term, b: Term) -> Term {
    match (a.value(), b.value()) {
        (Some(factor), _) => return b.times(factor),
        (_, Some(factor)) => return a.times(factor),
        _ => (),
    }
    let width = a.width();
    if width <= 64
        && let Some((least, most)) = product_range(a, b)
    {
        let length = |number: i128| 128 - number.leading_zeros();
        let narrow = match least < 0 {
            true => length(most.max(-1 - least)) + 1,
            false => length(most).max(1),
        };
        if narrow < width {
            // The low bits of a product depend on the low bits of its operands only.
            let product = a.extract(0, narrow) * b.extract(0, narrow);
            return match least < 0 {
                true => product.extend(width),
                false => product.resize(width),
            };
        }
    }
    intern(Node::Product(a.min(b), a.max(b)), width)
}

/// Sum of terms of one width; at least one.
pub fn total(terms: impl IntoIterator<Item = Term>) -> Term {
    let terms: Vec<_> = terms.into_iter().map(|term| (term, Wide::ONE)).collect();
    let width = terms[0].0.width();
    sum(terms, Wide::ZERO, width)
}

impl Term {
    /// Zero extension of a sum, as a sum of wider operands; `None` unless the sum is known not to overflow.
    pub(super) fn widened(self, width: u32) -> Option<Term> {
        let Node::Sum(terms, start) = &*self.node() else {
            return None;
        };
        let mut most = start.to_u64()?;
        for &(term, factor) in terms {
            let bound = super::upper_bound(term)?.checked_mul(factor.to_u64()?)?;
            most = most.checked_add(bound)?;
        }
        let fits = most <= Wide::ones(self.width().min(64)).low_word();
        let wider = terms
            .iter()
            .map(|&(term, factor)| (term.resize(width), factor));
        fits.then(|| sum(wider.collect::<Vec<_>>(), *start, width))
    }

    /// Sign extension of a sum to at most 64 bits; `None` unless the sum is known not to overflow.
    pub(super) fn widened_signed(self, width: u32) -> Option<Term> {
        let (from, node) = (self.width(), self.node());
        let Node::Sum(terms, start) = &*node else {
            return None;
        };
        if width > 64 {
            return None;
        }
        let (least, most) = sum_range(terms, *start, from)?;
        if least < -(1 << (from - 1)) || most >= 1 << (from - 1) {
            return None;
        }
        let wide = |number: Wide| number.extended(from, width);
        let terms = terms
            .iter()
            .map(|&(term, factor)| (term.extend(width), wide(factor)));
        Some(sum(terms.collect::<Vec<_>>(), wide(*start), width))
    }

    /// Adds a signed constant.
    pub fn plus(self, number: i64) -> Term {
        let width = self.width();
        let number = Wide::new(number as u64).extended(64, width.max(64));
        sum([(self, Wide::ONE)], number.low(width), width)
    }

    /// Multiplies by a constant.
    pub fn times(self, factor: Wide) -> Term {
        sum([(self, factor)], Wide::ZERO, self.width())
    }

    /// Number of set bits, in the same width.
    pub fn count(self) -> Term {
        let width = self.width();
        let (known, open): (Vec<Term>, Vec<Term>) =
            self.bits().partition(|bit| bit.value().is_some());
        let set = known.iter().filter(|bit| !bit.is_zero()).count();
        match open.is_empty() {
            true => number(set as u64, width),
            false => bit_count(open, width).plus(set as i64),
        }
    }

    /// Number of leading zeros; the width for 0.
    pub fn leading_zeros(self) -> Term {
        let width = self.width();
        match self.value() {
            Some(value) => number((width - value.length()).into(), width),
            None => intern(Node::LeadingZeros(self), width),
        }
    }

    /// Number of trailing zeros; the width for 0.
    pub fn trailing_zeros(self) -> Term {
        let width = self.width();
        match self.value() {
            Some(value) => number(value.trailing_zeros().min(width).into(), width),
            None => intern(Node::TrailingZeros(self), width),
        }
    }

    /// Signed minimum.
    pub fn signed_min(self, other: Term) -> Term {
        other.signed_below(self).choose(other, self)
    }

    /// Signed maximum.
    pub fn signed_max(self, other: Term) -> Term {
        self.signed_below(other).choose(other, self)
    }

    /// Unsigned maximum.
    pub fn unsigned_max(self, other: Term) -> Term {
        self.below(other).choose(other, self)
    }

    /// Saturates a signed number to a signed number of `width` bits.
    pub fn saturated_signed(self, width: u32) -> Term {
        let from = self.width();
        let highest = constant(Wide::ones(width - 1), from);
        let lowest = !highest;
        self.signed_min(highest)
            .signed_max(lowest)
            .extract(0, width)
    }

    /// Saturates a signed number to an unsigned number of `width` bits.
    pub fn saturated_unsigned(self, width: u32) -> Term {
        let from = self.width();
        let highest = constant(Wide::ones(width), from);
        self.signed_min(highest)
            .signed_max(zeros(from))
            .extract(0, width)
    }
}
