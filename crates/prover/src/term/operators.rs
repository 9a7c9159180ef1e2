//! Operators of terms.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use super::arithmetic::{product, sum, total};
use super::{Term, Wide, and_all, constant, xor_all};

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
    Sub, sub: |a: Term, b| sum([(a, Wide::ONE), (b, Wide::ONE.negative())], Wide::ZERO, a.width());
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
