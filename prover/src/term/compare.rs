//! Choices, and comparisons as one bit.

use super::bits::{in_parts, zeros};
use super::range::signed_range;
use super::{Node, Term, Wide, all, bit, constant, intern, odd};

impl Term {
    /// `one` where this bit is set, else `other`.
    pub fn choose(self, one: Term, other: Term) -> Term {
        debug_assert_eq!((self.width(), one.width()), (1, other.width()));
        if let Some(value) = self.value() {
            return if value.is_zero() { other } else { one };
        }
        if one == other {
            return one;
        }
        // Of a condition and its opposite the one without a constant is kept.
        if let Node::Xor(terms) = &*self.node()
            && terms[0].value().is_some()
        {
            return (!self).choose(other, one);
        }
        if one.width() == 1 {
            match (one.value(), other.value()) {
                (Some(one), Some(_)) => return if one.is_zero() { !self } else { self },
                (Some(one), None) if one.is_zero() => return !self & other,
                (Some(_), None) => return self | other,
                (None, Some(other)) if other.is_zero() => return self & one,
                (None, Some(_)) => return !self | one,
                (None, None) => (),
            }
        }
        if other.is_zero() && one.value() == Some(Wide::ones(one.width())) {
            return self.extend(one.width());
        }
        if one.is_zero() && other.value() == Some(Wide::ones(one.width())) {
            return (!self).extend(one.width());
        }
        // Counts of zeros say the same for 0 by themselves.
        if let (&Node::Equal(a, zero), &Node::TrailingZeros(b) | &Node::LeadingZeros(b)) =
            (&*self.node(), &*other.node())
            && a == b
            && zero.is_zero()
            && one.number() == Some(b.width().into())
        {
            return other;
        }
        let one = self.shortened(one);
        let above = zeros_above(one).min(zeros_above(other));
        if above > 0 && (one.value().is_none() || other.value().is_none()) {
            let own = one.width() - above;
            let chosen = self.choose(one.extract(0, own), other.extract(0, own));
            return chosen.resize(one.width());
        }
        intern(Node::If(self, one, other), one.width())
    }

    /// What is chosen where this bit is set, in the bits that are left to it if it is less than a number then.
    fn shortened(self, one: Term) -> Term {
        if let &Node::Below(small, bound) = &*self.node()
            && let Some(bound) = bound.value()
            && small.width() <= one.width()
            && one == small.resize(one.width())
        {
            let own = bound.plus(Wide::ONE.negative()).length().max(1);
            return small.extract(0, own).resize(one.width());
        }
        one
    }

    /// Whether two terms are equal, as one bit.
    pub fn equals(self, other: Term) -> Term {
        debug_assert_eq!(self.width(), other.width());
        if self == other {
            return bit(true);
        }
        let width = self.width();
        match (self.value(), other.value()) {
            (Some(_), Some(_)) => return bit(false),
            (Some(_), None) => return other.equals(self),
            _ => (),
        }
        if width == 1 {
            return !(self ^ other);
        }
        if let Some(parts) = in_parts(&[self, other], None, width) {
            let parts: Vec<_> = parts.collect();
            // Two terms in many parts are compared as they are: as words, if that is what they are.
            if parts.len() <= FEW || other.value().is_some() {
                let equal = |(lo, width)| self.extract(lo, width).equals(other.extract(lo, width));
                return all(parts.into_iter().map(equal));
            }
        }
        if let (Node::Extend(inner), Some(value)) = (&*self.node(), other.value()) {
            let own = inner.width();
            return match value == value.low(own).extended(own, width) {
                true => inner.equals(constant(value, own)),
                false => bit(false),
            };
        }
        if let (Node::Xor(terms), Some(value)) = (&*self.node(), other.value())
            && let Some(change) = terms[0].value()
        {
            let rest = odd(terms[1..].iter().copied());
            return rest.equals(constant(change ^ value, width));
        }
        let is_sum = |term: Term| matches!(*term.node(), Node::Sum(..));
        if is_sum(self) || is_sum(other) {
            // What both sides add does not matter.
            let difference = self - other;
            match &*difference.node() {
                Node::Constant(value) => return bit(value.is_zero()),
                Node::Sum(terms, start) if !start.is_zero() || terms.len() == 1 => {
                    let own = constant(start.negative(), width);
                    match terms[..] {
                        [(term, Wide::ONE)] => return term.equals(own),
                        [(term, factor)] if factor == Wide::ONE.negative().low(width) => {
                            return term.equals(constant(*start, width));
                        }
                        _ => (),
                    }
                }
                Node::Sum(..) => (),
                _ => return difference.equals(zeros(width)),
            }
        }
        let (a, b) = match other.value() {
            Some(_) => (self, other),
            None => (self.min(other), self.max(other)),
        };
        intern(Node::Equal(a, b), 1)
    }

    /// Whether it is less than another, as one bit.
    pub fn below(self, other: Term) -> Term {
        if self == other || other.is_zero() {
            return bit(false);
        }
        match (self.value(), other.value()) {
            (Some(one), Some(other)) => return bit(one.is_less(other)),
            (Some(one), None) if one.is_zero() => return !other.equals(self),
            (Some(one), None) if at_most(other, one) => return bit(false),
            (None, Some(other)) if at_most(self, other.plus(Wide::ONE.negative())) => {
                return bit(true);
            }
            _ => (),
        }
        // Bits that both have in common at the top do not matter.
        let width = self.width();
        let common = common_top(self, other);
        if common > 0 {
            let low = width - common;
            return self.extract(0, low).below(other.extract(0, low));
        }
        intern(Node::Below(self, other), 1)
    }

    /// Whether it is less than another, both in two's complement, as one bit.
    pub fn signed_below(self, other: Term) -> Term {
        if self == other {
            return bit(false);
        }
        if let (Some(one), Some(other)) = (self.value(), other.value()) {
            return bit(one.is_less_signed(other, self.width()));
        }
        if self.width() <= 64 {
            let (one, two) = (signed_range(self), signed_range(other));
            if one.1 < two.0 {
                return bit(true);
            }
            if one.0 >= two.1 {
                return bit(false);
            }
        }
        if self.sign() == other.sign() {
            return self.below(other);
        }
        if other.is_zero() {
            return self.sign();
        }
        intern(Node::SignedBelow(self, other), 1)
    }
}

/// Terms of up to so many parts are equal if their parts are.
const FEW: usize = 4;

/// The bits of the part of zeros at the top; less than all.
fn zeros_above(term: Term) -> u32 {
    match &*term.node() {
        Node::Constant(value) => term.width() - value.length().max(1),
        Node::Concat(parts) => match parts.last() {
            Some(top) if top.is_zero() => top.width(),
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether a term is known to be no more than a number.
fn at_most(term: Term, number: Wide) -> bool {
    let highest = super::highest(term);
    highest.is_some_and(|highest| !number.is_less(Wide::new(highest)))
}

/// The number of bits at the top in which two different terms are the same term.
fn common_top(one: Term, other: Term) -> u32 {
    let top = |term: Term| match &*term.node() {
        Node::Concat(parts) => *parts.last().expect("has parts"),
        _ => term,
    };
    let width = one.width();
    let (a, b) = (top(one), top(other));
    let common = a.width().min(b.width());
    let of = |term: Term| term.extract(width - common, common);
    match common < width && of(one) == of(other) {
        true => {
            common
                + common_top(
                    one.extract(0, width - common),
                    other.extract(0, width - common),
                )
        }
        false => 0,
    }
}
