//! Sums, products and counts.

use std::collections::BTreeMap;

use super::range::{product_range, sum_range};
use super::{Node, Shift, Term, Wide, constant, intern, number};
use crate::term::bits::zeros;

/// How many shifted copies of its operands a sum is written as at most, to see whether they overlap.
const COPIES: usize = 130;

/// The sum of terms, each times its factor, and of a number, all of `width` bits.
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
            Node::Sum(inner, own) => {
                start = start.plus(own.times(factor));
                left.extend(inner.iter().map(|&(term, own)| (term, own.times(factor))));
            }
            // What is known is added by itself: the base of an address has to be found again.
            Node::Concat(parts)
                if parts
                    .iter()
                    .any(|part| part.value().is_some_and(|value| !value.is_zero())) =>
            {
                let (rest, own) = term.without_offset();
                start = start.plus(own.times(factor));
                left.push((rest, factor));
            }
            // One bit in several places is that bit times a number.
            Node::Concat(parts) if repeated(parts).is_some() => {
                let (bit, places) = repeated(parts).expect("it was just now");
                add(&mut factors, bit.resize(width), factor.times(places), width);
            }
            // Sums side by side are sums, each times a number.
            Node::Concat(parts) if parts.iter().any(|part| part.widened(width).is_some()) => {
                let mut place = 0;
                for &part in parts {
                    left.push((part.resize(width), factor.shifted_left(place)));
                    place += part.width();
                }
            }
            // Zeros below are a factor.
            Node::Concat(parts) if parts[0].is_zero() => {
                let by = parts[0].width();
                let rest = whole(term.extract(by, width - by), width);
                left.push((rest, factor.shifted_left(by)));
            }
            // The complement is the negative number less one.
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

/// From so many single bits on, a term counts as scattered.
const SCATTERED: usize = 16;

/// Whether a term is many single bits with gaps, as in steps that count bits.
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

/// A term times a factor as the sum of its bits, each times a factor, if it is nothing but bits of others.
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

/// The number of bits that are set, in `width` bits: whatever their order, the same term.
fn counted(mut bits: Vec<Term>, width: u32) -> Term {
    bits.sort_unstable();
    let own = bits.len().ilog2() + 1;
    let count = match bits[..] {
        [one] => one,
        _ => intern(Node::Count(bits.into()), own),
    };
    count.resize(width)
}

/// Many bits with the same factor are their number times the factor.
fn count_many(factors: &mut BTreeMap<Term, Wide>, width: u32) {
    if factors.len() < SCATTERED {
        return;
    }
    let mut alike: BTreeMap<Wide, Vec<Term>> = BTreeMap::new();
    for (&term, &factor) in factors
        .iter()
        .filter(|(term, _)| super::highest(**term) == Some(1))
    {
        alike.entry(factor).or_default().push(term);
    }
    for (factor, terms) in alike {
        if terms.len() >= SCATTERED {
            factors.retain(|term, _| !terms.contains(term));
            let bits = terms.iter().map(|term| term.bit(0)).collect();
            add(factors, counted(bits, width), factor, width);
        }
    }
}

fn add(factors: &mut BTreeMap<Term, Wide>, term: Term, factor: Wide, width: u32) {
    let sum = factors.entry(term).or_default();
    *sum = sum.plus(factor).low(width);
}

/// The bit, if parts are zeros and always the same bit, and the places where it is.
fn repeated(parts: &[Term]) -> Option<(Term, Wide)> {
    let (mut found, mut places, mut place) = (None, Wide::ZERO, 0);
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
            places = places | Wide::ones(width).shifted_left(place);
        }
        place += width;
    }
    Some((found?, places))
}

/// A term of `width` bits of which the lowest are those of `low`: the one that these were taken from, if there is one,
/// so that a number and its double are made of the same term.
fn whole(low: Term, width: u32) -> Term {
    match *low.node() {
        Node::Extract(base, 0) if base.width() >= width => base.extract(0, width),
        _ => low.resize(width),
    }
}

/// The sum as one term of bits side by side, if no two operands have a bit in the same place.
fn without_carries(factors: &BTreeMap<Term, Wide>, start: Wide, width: u32) -> Option<Term> {
    let mut taken = start;
    let mut copies = vec![constant(start, width)];
    for (term, factor) in factors {
        if copies.len() + factor.count() as usize > COPIES {
            return None;
        }
        let own = possible(*term);
        for by in (0..width).filter(|&i| factor.bit(i)) {
            let place = own.shifted_left(by).low(width);
            if !(taken & place).is_zero() {
                return None;
            }
            taken = taken | place;
            copies.push(term.shift_by(Shift::Left, by));
        }
    }
    Some(super::bits::odd(copies))
}

/// The bits that may be set.
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
        _ => Wide::ones(super::highest(term).map_or(term.width(), |highest| {
            (64 - highest.leading_zeros()).min(term.width())
        })),
    }
}

/// Some bits of a sum of `of` bits, not the lowest, as a sum: where what lies below them never carries into them.
pub(super) fn high_part(
    terms: &[(Term, Wide)],
    start: Wide,
    of: u32,
    lo: u32,
    width: u32,
) -> Option<Term> {
    let mut most_below = start.low(lo);
    let mut parts = Vec::new();
    let mut add = |part: Term, factor: Wide| {
        let factor = factor.low(of);
        let below = Wide::new(super::highest(part)?).times(factor.low(lo));
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
                let mut place = 0;
                for &part in inner {
                    // Bit by bit: what a factor moves out at the top is not the same for all.
                    let step = match &*part.node() {
                        Node::Sum(..) => part.width(),
                        _ => 1,
                    };
                    let bits = (0..part.width()).step_by(step as usize);
                    for i in bits.filter(|_| !part.is_zero()) {
                        add(part.extract(i, step), factor.shifted_left(place + i))?;
                    }
                    place += part.width();
                }
            }
            _ => add(term, factor)?,
        }
    }
    let carries = most_below.length() > lo;
    (!carries).then(|| sum(parts, start.shifted_right(lo).low(width), width))
}

/// The product of two terms, neither of them a constant: in as few bits as are known to hold it.
fn product(a: Term, b: Term) -> Term {
    let width = a.width();
    if width <= 64
        && let Some((least, most)) = product_range(a, b)
    {
        let length = |number: i128| 128 - number.leading_zeros();
        let own = match least < 0 {
            true => length(most.max(-1 - least)) + 1,
            false => length(most).max(1),
        };
        if own < width {
            // The low bits of a product follow from those of its operands.
            let own = a.extract(0, own) * b.extract(0, own);
            return match least < 0 {
                true => own.extend(width),
                false => own.resize(width),
            };
        }
    }
    intern(Node::Product(a.min(b), a.max(b)), width)
}

/// The sum of terms of one width.
pub fn total(terms: impl IntoIterator<Item = Term>) -> Term {
    let terms: Vec<_> = terms.into_iter().map(|term| (term, Wide::ONE)).collect();
    let width = terms[0].0.width();
    sum(terms, Wide::ZERO, width)
}

impl Term {
    /// A sum in more bits, where it is known to fit into its own: the sum of its operands in more bits.
    pub(super) fn widened(self, width: u32) -> Option<Term> {
        let Node::Sum(terms, start) = &*self.node() else {
            return None;
        };
        let mut most = start.to_u64()?;
        for &(term, factor) in terms {
            let own = super::highest(term)?.checked_mul(factor.to_u64()?)?;
            most = most.checked_add(own)?;
        }
        let fits = most <= Wide::ones(self.width().min(64)).low_word();
        let wider = terms
            .iter()
            .map(|&(term, factor)| (term.resize(width), factor));
        fits.then(|| sum(wider.collect::<Vec<_>>(), *start, width))
    }

    /// A sum in two's complement in more bits, up to 64, where it is known to fit into its own.
    pub(super) fn widened_signed(self, width: u32) -> Option<Term> {
        let (own, node) = (self.width(), self.node());
        let Node::Sum(terms, start) = &*node else {
            return None;
        };
        if width > 64 {
            return None;
        }
        let (least, most) = sum_range(terms, *start, own)?;
        if least < -(1 << (own - 1)) || most >= 1 << (own - 1) {
            return None;
        }
        let wide = |number: Wide| number.extended(own, width);
        let terms = terms
            .iter()
            .map(|&(term, factor)| (term.extend(width), wide(factor)));
        Some(sum(terms.collect::<Vec<_>>(), wide(*start), width))
    }

    /// The sum with a number, which may be negative.
    pub fn plus(self, number: i64) -> Term {
        let width = self.width();
        let number = Wide::new(number as u64).extended(64, width.max(64));
        sum([(self, Wide::ONE)], number.low(width), width)
    }

    /// This many times it.
    pub fn times(self, factor: Wide) -> Term {
        sum([(self, factor)], Wide::ZERO, self.width())
    }

    /// The number of bits set, in as many bits.
    pub fn count(self) -> Term {
        let width = self.width();
        let (known, open): (Vec<Term>, Vec<Term>) =
            self.bits().partition(|bit| bit.value().is_some());
        let set = known.iter().filter(|bit| !bit.is_zero()).count();
        match open.is_empty() {
            true => number(set as u64, width),
            false => counted(open, width).plus(set as i64),
        }
    }

    /// The number of zero bits over the highest that is set; the width for 0.
    pub fn leading_zeros(self) -> Term {
        let width = self.width();
        match self.value() {
            Some(value) => number((width - value.length()).into(), width),
            None => intern(Node::LeadingZeros(self), width),
        }
    }

    /// The number of zero bits below the lowest that is set; the width for 0.
    pub fn trailing_zeros(self) -> Term {
        let width = self.width();
        match self.value() {
            Some(value) => number(value.trailing_zeros().min(width).into(), width),
            None => intern(Node::TrailingZeros(self), width),
        }
    }

    /// The lesser number in two's complement.
    pub fn signed_min(self, other: Term) -> Term {
        other.signed_below(self).choose(other, self)
    }

    /// The greater number in two's complement.
    pub fn signed_max(self, other: Term) -> Term {
        self.signed_below(other).choose(other, self)
    }

    /// The greater number.
    pub fn max_of(self, other: Term) -> Term {
        self.below(other).choose(other, self)
    }

    /// The number in two's complement, brought into the range of `width` bits in two's complement.
    pub fn saturated_signed(self, width: u32) -> Term {
        let own = self.width();
        let highest = constant(Wide::ones(width - 1), own);
        let lowest = !highest;
        self.signed_min(highest)
            .signed_max(lowest)
            .extract(0, width)
    }

    /// The number in two's complement, brought into the range of `width` bits.
    pub fn saturated_unsigned(self, width: u32) -> Term {
        let own = self.width();
        let highest = constant(Wide::ones(width), own);
        self.signed_min(highest)
            .signed_max(zeros(own))
            .extract(0, width)
    }
}

impl std::ops::Add for Term {
    type Output = Term;

    fn add(self, other: Term) -> Term {
        total([self, other])
    }
}

impl std::ops::Sub for Term {
    type Output = Term;

    fn sub(self, other: Term) -> Term {
        let terms = [(self, Wide::ONE), (other, Wide::ONE.negative())];
        sum(terms, Wide::ZERO, self.width())
    }
}

impl std::ops::Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        sum([(self, Wide::ONE.negative())], Wide::ZERO, self.width())
    }
}

impl std::ops::Mul for Term {
    type Output = Term;

    fn mul(self, other: Term) -> Term {
        match (self.value(), other.value()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => self.times(factor),
            _ => product(self, other),
        }
    }
}
