//! Normal form of sums.

use std::collections::BTreeMap;

use super::bits::xor_all;
use super::range::{possible, signed_limits, sum_bound, sum_range, upper_bound};
use super::{Node, Shift, Term, Wide, concat, constant, intern, positioned, zeros};

/// Maximum number of shifted copies of operands that are checked for overlaps.
const MAX_COPIES: usize = 130;

/// Minimum number of single bits of a scattered term.
const SCATTERED: usize = 16;

/// Terms, each with its factor.
type Factors = BTreeMap<Term, Wide>;

/// Terms times factors, plus a constant.
type Summands = (Vec<(Term, Wide)>, Wide);

impl Term {
    /// Sum of terms times factors, plus a constant `start`, all of `width` bits.
    pub(super) fn sum(
        terms: impl IntoIterator<Item = (Term, Wide)>,
        mut start: Wide,
        width: u32,
    ) -> Term {
        let mut left: Vec<(Term, Wide)> = terms.into_iter().collect();
        if left.iter().any(|&(term, _)| is_scattered(term)) {
            left = left.into_iter().flat_map(in_bits).collect();
        }
        let mut factors = Factors::new();
        while let Some((term, factor)) = left.pop() {
            debug_assert_eq!(term.width(), width);
            let Some((parts, offset)) = summands(term) else {
                add(&mut factors, term, factor, width);
                continue;
            };
            start = start.plus(offset.times(factor));
            left.extend(
                parts
                    .iter()
                    .map(|&(part, of_part)| (part, of_part.times(factor))),
            );
        }
        factors.retain(|_, factor| !factor.is_zero());
        count_many(&mut factors, width);
        without_products(factors, start.low(width), width)
    }

    /// Bits of a sum of `terms` and `start`, this term, from `lo` on.
    pub(super) fn extract_from_sum(
        self,
        terms: &[(Term, Wide)],
        start: Wide,
        lo: u32,
        width: u32,
    ) -> Term {
        // The low bits of a sum depend on the low bits of its operands only.
        if lo == 0 {
            let low = |&(term, factor): &(Term, Wide)| (term.extract(0, width), factor);
            return Term::sum(terms.iter().map(low), start, width);
        }
        let needed = upper_bound(self).map_or(self.width(), |highest| 64 - highest.leading_zeros());
        if needed <= lo {
            return zeros(width);
        }
        if needed < self.width() {
            let kept = width.min(needed - lo);
            return self.extract(0, needed).extract(lo, kept).resize(width);
        }
        high_part(terms, start, self.width(), lo, width)
            .unwrap_or_else(|| intern(Node::Extract(self, lo), width))
    }

    /// Zero extension of a sum, as a sum of wider operands; `None` unless the sum is known not to overflow.
    pub(super) fn widened(self, width: u32) -> Option<Term> {
        let Node::Sum(terms, start) = &*self.node() else {
            return None;
        };
        let most = sum_bound(terms, *start)?;
        let fits = most <= Wide::ones(self.width().min(64)).low_word();
        let wider = terms
            .iter()
            .map(|&(term, factor)| (term.resize(width), factor));
        fits.then(|| Term::sum(wider, *start, width))
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
        let (lowest, highest) = signed_limits(from);
        if least < lowest || most > highest {
            return None;
        }
        let wide = |number: Wide| number.extended(from, width);
        let terms = terms
            .iter()
            .map(|&(term, factor)| (term.extend(width), wide(factor)));
        Some(Term::sum(terms, wide(*start), width))
    }

    /// Splits off a constant summand: returns the rest and the constant.
    pub fn without_offset(self) -> (Term, Wide) {
        match &*self.node() {
            Node::Constant(value) => (zeros(self.width()), *value),
            Node::Sum(terms, start) if !start.is_zero() => {
                let rest = Term::sum(terms.iter().copied(), Wide::ZERO, self.width());
                (rest, *start)
            }
            // If a constant and a term have no common bit, their exclusive or is their sum.
            Node::Xor(terms)
                if let Some(offset) = terms[0].value()
                    && (possible(self ^ terms[0]) & offset).is_zero() =>
            {
                (self ^ terms[0], offset)
            }
            // A constant added to zero bits is a part of a concatenation.
            Node::Concat(parts) => {
                let is_constant = |part: Term| part.value().is_some();
                let rest = parts.iter().map(|&part| match is_constant(part) {
                    true => zeros(part.width()),
                    false => part,
                });
                let constants =
                    positioned(parts).filter_map(|(lo, part)| Some((lo, part.value()?)));
                let offset =
                    constants.fold(Wide::ZERO, |sum, (lo, value)| sum | value.shifted_left(lo));
                (concat(rest), offset)
            }
            _ => (self, Wide::ZERO),
        }
    }

    /// Number of set bits, in the same width.
    pub fn count(self) -> Term {
        let (known, open): (Vec<Term>, Vec<Term>) =
            self.bits().partition(|bit| bit.value().is_some());
        let set = known.iter().filter(|bit| !bit.is_zero()).count();
        match open.is_empty() {
            true => super::number(set as u64, self.width()),
            false => bit_count(open, self.width()).plus(set as i64),
        }
    }

    /// Adds a signed constant.
    pub fn plus(self, number: i64) -> Term {
        let width = self.width();
        let number = Wide::new(number as u64).extended(64, width.max(64));
        Term::sum([(self, Wide::ONE)], number.low(width), width)
    }

    /// Multiplies by a constant.
    pub fn times(self, factor: Wide) -> Term {
        Term::sum([(self, factor)], Wide::ZERO, self.width())
    }
}

/// Sum of terms of one width; at least one.
pub fn total(terms: impl IntoIterator<Item = Term>) -> Term {
    let terms: Vec<_> = terms.into_iter().map(|term| (term, Wide::ONE)).collect();
    let width = terms[0].0.width();
    Term::sum(terms, Wide::ZERO, width)
}

/// Rewrites a summand as a sum of simpler ones; `None` for a term that no rule splits.
fn summands(term: Term) -> Option<Summands> {
    match &*term.node() {
        Node::Constant(value) => Some((Vec::new(), *value)),
        Node::Sum(terms, start) => Some((terms.to_vec(), *start)),
        Node::Concat(parts) => summands_of_parts(term, parts),
        // The complement is the negative minus one.
        Node::Xor(terms) if terms[0].value() == Some(Wide::ones(term.width())) => {
            let minus_one = Wide::ONE.negative();
            Some((vec![(!term, minus_one)], minus_one))
        }
        _ => None,
    }
}

/// Rewrites a concatenation as a sum; `None` if it stays whole.
fn summands_of_parts(term: Term, parts: &[Term]) -> Option<Summands> {
    let width = term.width();
    // A constant part becomes a summand of its own, so that the base of an address can be found.
    let is_offset = |part: &Term| part.value().is_some_and(|value| !value.is_zero());
    if parts.iter().any(is_offset) {
        let (rest, offset) = term.without_offset();
        return Some((vec![(rest, Wide::ONE)], offset));
    }
    // Copies of one bit are this bit times a constant.
    if let Some((bit, copies)) = repeated(parts) {
        let is_split = copies != Wide::ONE;
        return is_split.then(|| (vec![(bit.resize(width), copies)], Wide::ZERO));
    }
    let power = |exponent| Wide::ONE.shifted_left(exponent);
    // A concatenation of sums is a sum of their multiples.
    if parts.iter().any(|part| part.widened(width).is_some()) {
        let multiples = positioned(parts).map(|(lo, part)| (part.resize(width), power(lo)));
        return Some((multiples.collect(), Wide::ZERO));
    }
    // Low zeros are a factor.
    let zeros = parts[0].is_zero().then(|| parts[0].width())?;
    let rest = whole(term.extract(zeros, width - zeros), width);
    Some((vec![(rest, power(zeros))], Wide::ZERO))
}

/// A bit and the mask of its copies, if all parts are zeros or copies of this bit.
fn repeated(parts: &[Term]) -> Option<(Term, Wide)> {
    let (mut found, mut copies) = (None, Wide::ZERO);
    for (lo, part) in positioned(parts).filter(|(_, part)| !part.is_zero()) {
        let bit = match &*part.node() {
            &Node::Extend(inner) => inner,
            _ => part,
        };
        if bit.width() > 1 || found.is_some_and(|found| found != bit) {
            return None;
        }
        found = Some(bit);
        copies = copies | Wide::ones(part.width()).shifted_left(lo);
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

fn add(factors: &mut Factors, term: Term, factor: Wide, width: u32) {
    let sum = factors.entry(term).or_default();
    *sum = sum.plus(factor).low(width);
}

/// Returns `true` for a concatenation of many single bits, as in code that counts bits.
fn is_scattered(term: Term) -> bool {
    let is_single_bit = |part: &&Term| part.width() == 1 && part.value().is_none();
    match &*term.node() {
        Node::Concat(parts) => parts.iter().filter(is_single_bit).count() >= SCATTERED,
        _ => false,
    }
}

/// Splits a term times a factor into its bits times factors; terms that are not bits of inputs stay whole.
fn in_bits((term, factor): (Term, Wide)) -> Vec<(Term, Wide)> {
    let is_input = |part: &Term| matches!(*part.node(), Node::Variable(_) | Node::Extract(..));
    let splits = match &*term.node() {
        Node::Concat(parts) => parts
            .iter()
            .all(|part| is_input(part) || part.value().is_some()),
        _ => is_input(&term),
    };
    if !splits {
        return vec![(term, factor)];
    }
    let bits = term.bits().zip(0..).filter(|(bit, _)| !bit.is_zero());
    bits.map(|(bit, i)| (bit.resize(term.width()), factor.shifted_left(i)))
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
fn count_many(factors: &mut Factors, width: u32) {
    if factors.len() < SCATTERED {
        return;
    }
    let mut alike: BTreeMap<Wide, Vec<Term>> = BTreeMap::new();
    let bits = factors
        .iter()
        .filter(|(term, _)| upper_bound(**term) == Some(1));
    for (&term, &factor) in bits {
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

/// Sum of different terms that no rule splits: a constant, a concatenation, a shifted term, or a [`Node::Sum`].
fn without_products(factors: Factors, start: Wide, width: u32) -> Term {
    if factors.is_empty() {
        return constant(start, width);
    }
    if let Some(joined) = without_carries(&factors, start, width) {
        return joined;
    }
    let factors: Vec<(Term, Wide)> = factors.into_iter().collect();
    match factors[..] {
        [(term, factor)] if start.is_zero() && factor.count() == 1 => {
            term.shift_by(Shift::Left, factor.trailing_zeros())
        }
        _ => intern(Node::Sum(factors.into(), start), width),
    }
}

/// Sum without carries, as a concatenation; `None` if two operands may have the same bit set.
fn without_carries(factors: &Factors, start: Wide, width: u32) -> Option<Term> {
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
    Some(xor_all(copies))
}

/// The `width` bits from `lo` on of a sum of `sum_width` bits, as a sum; `None` if the bits below may carry.
fn high_part(
    terms: &[(Term, Wide)],
    start: Wide,
    sum_width: u32,
    lo: u32,
    width: u32,
) -> Option<Term> {
    let mut most_below = start.low(lo);
    let mut high_parts = Vec::new();
    for (part, factor) in terms.iter().flat_map(|&summand| in_steps(summand)) {
        let factor = factor.low(sum_width);
        let below = Wide::new(upper_bound(part)?).times(factor.low(lo));
        most_below = most_below.plus(below);
        let high = factor.shifted_right(lo);
        if !high.is_zero() {
            high_parts.push((part.resize(width), high));
        }
    }
    let carries = most_below.length() > lo;
    (!carries).then(|| Term::sum(high_parts, start.shifted_right(lo).low(width), width))
}

/// Splits a concatenation times a factor into sums and single bits times factors; other terms stay whole.
fn in_steps((term, factor): (Term, Wide)) -> Vec<(Term, Wide)> {
    let Node::Concat(parts) = &*term.node() else {
        return vec![(term, factor)];
    };
    let mut steps = Vec::new();
    for (part_lo, part) in positioned(parts).filter(|(_, part)| !part.is_zero()) {
        // Bit by bit, because a factor shifts different bits out at the top.
        let step = match &*part.node() {
            Node::Sum(..) => part.width(),
            _ => 1,
        };
        let bits = (0..part.width()).step_by(step as usize);
        steps.extend(bits.map(|i| (part.extract(i, step), factor.shifted_left(part_lo + i))));
    }
    steps
}
