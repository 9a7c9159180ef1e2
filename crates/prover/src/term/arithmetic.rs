//! Products, searches for bits, minima and maxima, and the operators of Rust.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use super::range::product_range;
use super::{Node, Term, Wide, and_all, constant, intern, number, total, xor_all, zeros};

impl Term {
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

    /// Unsigned minimum.
    pub fn unsigned_min(self, other: Term) -> Term {
        other.below(self).choose(other, self)
    }

    /// Unsigned maximum.
    pub fn unsigned_max(self, other: Term) -> Term {
        self.below(other).choose(other, self)
    }

    /// Saturates a signed number to a signed number of `width` bits.
    pub fn saturated_signed(self, width: u32) -> Term {
        let highest = constant(Wide::ones(width - 1), self.width());
        self.clamped(!highest, highest).extract(0, width)
    }

    /// Saturates a signed number to an unsigned number of `width` bits.
    pub fn saturated_unsigned(self, width: u32) -> Term {
        let highest = constant(Wide::ones(width), self.width());
        self.clamped(zeros(self.width()), highest).extract(0, width)
    }

    fn clamped(self, lowest: Term, highest: Term) -> Term {
        self.signed_min(highest).signed_max(lowest)
    }
}

/// Product of two terms, in the least width that is known to hold it.
fn product(a: Term, b: Term) -> Term {
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

macro_rules! operators {
    ($($operator:ident, $method:ident: $function:expr;)*) => {$(
        impl $operator for Term {
            type Output = Term;

            fn $method(self, other: Term) -> Term {
                $function(self, other)
            }
        }
    )*};
}

operators! {
    Add, add: |a, b| total([a, b]);
    Sub, sub: |a: Term, b| Term::sum([(a, Wide::ONE), (b, Wide::ONE.negative())], Wide::ZERO, a.width());
    Mul, mul: product;
    BitAnd, bitand: |a, b| and_all([a, b]);
    BitOr, bitor: |a: Term, b: Term| !(!a & !b);
    BitXor, bitxor: |a, b| xor_all([a, b]);
}

impl Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        self.times(Wide::ONE.negative())
    }
}

impl Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        xor_all([self, constant(Wide::ones(self.width()), self.width())])
    }
}
