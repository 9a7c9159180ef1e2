//! If-then-else, and comparisons as one bit.

use super::bits::{split_ranges, zeros};
use super::range::signed_range;
use super::{Node, Term, Wide, and_all, bit, constant, intern, xor_all};

impl Term {
    /// If-then-else: `then` if this bit is set, else `otherwise`.
    pub fn choose(self, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!((self.width(), then.width()), (1, otherwise.width()));
        if let Some(value) = self.value() {
            return if value.is_zero() { otherwise } else { then };
        }
        if then == otherwise {
            return then;
        }
        // A negated condition swaps the branches.
        if let Node::Xor(terms) = &*self.node()
            && terms[0].value().is_some()
        {
            return (!self).choose(otherwise, then);
        }
        if then.width() == 1 {
            match (then.value(), otherwise.value()) {
                (Some(then), Some(_)) => return if then.is_zero() { !self } else { self },
                (Some(then), None) if then.is_zero() => return !self & otherwise,
                (Some(_), None) => return self | otherwise,
                (None, Some(otherwise)) if otherwise.is_zero() => return self & then,
                (None, Some(_)) => return !self | then,
                (None, None) => (),
            }
        }
        if otherwise.is_zero() && then.value() == Some(Wide::ones(then.width())) {
            return self.extend(then.width());
        }
        if then.is_zero() && otherwise.value() == Some(Wide::ones(then.width())) {
            return (!self).extend(then.width());
        }
        // A count of zeros already has this value for 0.
        if let (&Node::Equal(a, zero), &Node::TrailingZeros(b) | &Node::LeadingZeros(b)) =
            (&*self.node(), &*otherwise.node())
            && a == b
            && zero.is_zero()
            && then.number() == Some(b.width().into())
        {
            return otherwise;
        }
        let then = self.shortened(then);
        let above = zeros_above(then).min(zeros_above(otherwise));
        if above > 0 && (then.value().is_none() || otherwise.value().is_none()) {
            let kept = then.width() - above;
            let chosen = self.choose(then.extract(0, kept), otherwise.extract(0, kept));
            return chosen.resize(then.width());
        }
        intern(Node::If(self, then, otherwise), then.width())
    }

    /// Narrows `then`, the branch where this bit is set, if the bit bounds it by a constant.
    fn shortened(self, then: Term) -> Term {
        if let &Node::Below(small, bound) = &*self.node()
            && let Some(bound) = bound.value()
            && small.width() <= then.width()
            && then == small.resize(then.width())
        {
            let kept = bound.plus(Wide::ONE.negative()).length().max(1);
            return small.extract(0, kept).resize(then.width());
        }
        then
    }

    /// Equality, as one bit.
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
        // Terms of many parts are compared as words.
        if let Some(ranges) = split_ranges(&[self, other], Wide::ZERO, width)
            && (ranges.len() <= MAX_SPLIT_PARTS || other.value().is_some())
        {
            let equal = |(lo, width)| self.extract(lo, width).equals(other.extract(lo, width));
            return and_all(ranges.into_iter().map(equal));
        }
        if let (Node::Extend(inner), Some(value)) = (&*self.node(), other.value()) {
            let narrow = inner.width();
            return match value == value.low(narrow).extended(narrow, width) {
                true => inner.equals(constant(value, narrow)),
                false => bit(false),
            };
        }
        if let (Node::Xor(terms), Some(value)) = (&*self.node(), other.value())
            && let Some(change) = terms[0].value()
        {
            let rest = xor_all(terms[1..].iter().copied());
            return rest.equals(constant(change ^ value, width));
        }
        let is_sum = |term: Term| matches!(*term.node(), Node::Sum(..));
        if is_sum(self) || is_sum(other) {
            // Common summands cancel.
            let difference = self - other;
            match &*difference.node() {
                Node::Constant(value) => return bit(value.is_zero()),
                Node::Sum(terms, start) if !start.is_zero() || terms.len() == 1 => {
                    let negated = constant(start.negative(), width);
                    match terms[..] {
                        [(term, Wide::ONE)] => return term.equals(negated),
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

    /// Unsigned less-than, as one bit.
    pub fn below(self, other: Term) -> Term {
        if self == other || other.is_zero() {
            return bit(false);
        }
        match (self.value(), other.value()) {
            (Some(one), Some(other)) => return bit(one < other),
            (Some(one), None) if one.is_zero() => return !other.equals(self),
            (Some(one), None) if at_most(other, one) => return bit(false),
            (None, Some(other)) if at_most(self, other.plus(Wide::ONE.negative())) => {
                return bit(true);
            }
            _ => (),
        }
        // Common high bits do not matter.
        let width = self.width();
        let common = common_top(self, other);
        if common > 0 {
            let low = width - common;
            return self.extract(0, low).below(other.extract(0, low));
        }
        intern(Node::Below(self, other), 1)
    }

    /// Signed less-than, as one bit.
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

/// Maximum number of parts for which equality is split into equalities of parts.
const MAX_SPLIT_PARTS: usize = 4;

/// Number of leading zeros that the structure of a term shows; less than the width.
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

/// Returns `true` if a term is known to be at most a number.
fn at_most(term: Term, number: Wide) -> bool {
    let highest = super::upper_bound(term);
    highest.is_some_and(|highest| Wide::new(highest) <= number)
}

/// Number of high bits in which two different terms agree because their top parts are the same term.
fn common_top(one: Term, other: Term) -> u32 {
    let top = |term: Term| match &*term.node() {
        Node::Concat(parts) => *parts.last().expect("has parts"),
        _ => term,
    };
    let width = one.width();
    let (a, b) = (top(one), top(other));
    let common = a.width().min(b.width());
    let rest = width - common;
    match rest > 0 && one.extract(rest, common) == other.extract(rest, common) {
        true => common + common_top(one.extract(0, rest), other.extract(0, rest)),
        false => 0,
    }
}
