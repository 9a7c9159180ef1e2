//! Integers of up to 768 bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor};

/// Maximum width in bits: 48 features of 16 bits. A register of AVX-512 has 512.
pub const WIDEST: u32 = 768;

const WORDS: usize = WIDEST as usize / 64;

/// Value of up to [`WIDEST`] bits, lowest word first. Bits above the width of its term are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Wide([u64; WORDS]);

impl Wide {
    /// The number 0.
    pub const ZERO: Wide = Wide([0; WORDS]);

    /// The number 1.
    pub const ONE: Wide = Wide::new(1);

    /// Number from an integer of 64 bits.
    pub const fn new(low: u64) -> Wide {
        let mut words = [0; WORDS];
        words[0] = low;
        Wide(words)
    }

    /// Number with the lowest `width` bits set.
    pub fn ones(width: u32) -> Wide {
        Wide([!0; WORDS]).low(width)
    }

    /// Number from at most 96 bytes, the lowest first.
    pub fn from_bytes(bytes: &[u8]) -> Wide {
        let mut words = [0; WORDS];
        for (i, &byte) in bytes.iter().enumerate() {
            words[i / 8] |= u64::from(byte) << (i % 8 * 8);
        }
        Wide(words)
    }

    /// Bytes of the number, the lowest first.
    pub fn to_bytes(self) -> [u8; WORDS * 8] {
        std::array::from_fn(|i| (self.0[i / 8] >> (i % 8 * 8)) as u8)
    }

    /// The lowest 64 bits.
    pub fn low_word(self) -> u64 {
        self.0[0]
    }

    /// The number as `u64`; `None` if it does not fit.
    pub fn to_u64(self) -> Option<u64> {
        self.0[1..]
            .iter()
            .all(|&word| word == 0)
            .then_some(self.0[0])
    }

    /// Bit `i`, 0 the lowest.
    pub fn bit(self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }

    /// The lowest `width` bits, the others 0.
    pub fn low(self, width: u32) -> Wide {
        Wide(std::array::from_fn(|i| {
            let kept = width.saturating_sub(64 * i as u32).min(64);
            match kept {
                64 => self.0[i],
                _ => self.0[i] & ((1 << kept) - 1),
            }
        }))
    }

    /// Returns `true` for 0.
    pub fn is_zero(self) -> bool {
        self == Wide::ZERO
    }

    /// Number of set bits.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Number of trailing zeros; [`WIDEST`] for 0.
    pub fn trailing_zeros(self) -> u32 {
        (0..WIDEST).find(|&i| self.bit(i)).unwrap_or(WIDEST)
    }

    /// Number of bits without leading zeros; 0 for 0.
    pub fn length(self) -> u32 {
        (0..WIDEST)
            .rev()
            .find(|&i| self.bit(i))
            .map_or(0, |i| i + 1)
    }

    /// Shifts to higher bits.
    pub fn shifted_left(self, by: u32) -> Wide {
        let (words, bits) = (by as usize / 64, by % 64);
        Wide(std::array::from_fn(|i| {
            let word = |i: Option<usize>| i.and_then(|i| self.0.get(i)).copied().unwrap_or(0);
            let first = word(i.checked_sub(words)) << bits;
            match bits {
                0 => first,
                _ => first | word(i.checked_sub(words + 1)) >> (64 - bits),
            }
        }))
    }

    /// Shifts to lower bits.
    pub fn shifted_right(self, by: u32) -> Wide {
        let (words, bits) = (by as usize / 64, by % 64);
        Wide(std::array::from_fn(|i| {
            let word = |i: usize| self.0.get(i).copied().unwrap_or(0);
            let first = word(i + words) >> bits;
            match bits {
                0 => first,
                _ => first | word(i + words + 1) << (64 - bits),
            }
        }))
    }

    /// Sum modulo 2^768.
    pub fn plus(self, other: Wide) -> Wide {
        let mut carry = false;
        Wide(std::array::from_fn(|i| {
            let (sum, one) = self.0[i].overflowing_add(other.0[i]);
            let (sum, two) = sum.overflowing_add(carry.into());
            carry = one || two;
            sum
        }))
    }

    /// Negative number in two's complement, in all bits.
    pub fn negative(self) -> Wide {
        Wide(self.0.map(|word| !word)).plus(Wide::ONE)
    }

    /// Product modulo 2^768.
    pub fn times(self, other: Wide) -> Wide {
        let mut product = Wide::ZERO;
        for i in (0..WIDEST).filter(|&i| other.bit(i)) {
            product = product.plus(self.shifted_left(i));
        }
        product
    }

    /// Signed less-than of numbers of `width` bits.
    pub fn is_less_signed(self, other: Wide, width: u32) -> bool {
        match (self.bit(width - 1), other.bit(width - 1)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.is_less(other),
        }
    }

    /// Unsigned less-than.
    pub fn is_less(self, other: Wide) -> bool {
        self.0.iter().rev().lt(other.0.iter().rev())
    }

    /// Sign extension from `from` to `to` bits.
    pub fn extended(self, from: u32, to: u32) -> Wide {
        match self.bit(from - 1) {
            true => Wide::ones(to) ^ Wide::ones(from) ^ self,
            false => self,
        }
    }
}

macro_rules! bitwise {
    ($($operator:ident, $method:ident;)*) => {$(
        impl $operator for Wide {
            type Output = Wide;

            fn $method(self, other: Wide) -> Wide {
                Wide(std::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
    )*};
}

bitwise! {
    BitAnd, bitand;
    BitOr, bitor;
    BitXor, bitxor;
}

impl fmt::LowerHex for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String = self
            .0
            .iter()
            .rev()
            .map(|word| format!("{word:016x}"))
            .collect();
        let digits = digits.trim_start_matches('0');
        f.write_str(if digits.is_empty() { "0" } else { digits })
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{self:x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_random::SplitMix64;

    #[test]
    fn operations_on_128_bits_agree_with_u128() {
        let mut random = SplitMix64::new(1);
        let wide = |x: u128| Wide::new(x as u64) | Wide::new((x >> 64) as u64).shifted_left(64);
        let mut number =
            || (u128::from(random.bits()) << 64 | u128::from(random.bits())) >> random.below(128);
        for i in 0..10_000 {
            let (a, b) = (number(), number());
            let by = i % 128;
            let pairs = [
                (wide(a).plus(wide(b)), a.wrapping_add(b)),
                (wide(a).times(wide(b)), a.wrapping_mul(b)),
                (wide(a).negative(), a.wrapping_neg()),
                (wide(a).shifted_left(by), a << by),
                (wide(a).shifted_right(by), a >> by),
                (wide(a) ^ wide(b), a ^ b),
            ];
            for (i, (got, expected)) in pairs.into_iter().enumerate() {
                assert_eq!(got.low(128), wide(expected), "{i}: {a:x} {b:x} {by}");
            }
            assert_eq!(wide(a).is_less(wide(b)), a < b);
            let signed = wide(a).is_less_signed(wide(b), 128);
            assert_eq!(signed, (a as i128) < b as i128);
            assert_eq!(wide(a).count(), a.count_ones());
            assert_eq!(wide(a).length(), 128 - a.leading_zeros());
        }
        assert_eq!(Wide::new(0x80).extended(8, 512).count(), 505);
        assert_eq!(
            format!("{:x}", Wide::new(1).shifted_left(68)),
            "100000000000000000"
        );
    }
}
