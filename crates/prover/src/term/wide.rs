//! Integers of up to 768 bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor};

use ruint::Uint;

/// Maximum width in bits: 48 features of 16 bits. A register of AVX-512 has 512.
pub const WIDEST: u32 = 768;

/// Value of up to [`WIDEST`] bits. Bits above the width of its term are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Wide(Uint<{ WIDEST as usize }, { WIDEST as usize / 64 }>);

impl Wide {
    /// The number 0.
    pub const ZERO: Wide = Wide(Uint::ZERO);

    /// The number 1.
    pub const ONE: Wide = Wide(Uint::ONE);

    /// Number from an integer of 64 bits.
    pub fn new(low: u64) -> Wide {
        Wide(Uint::from(low))
    }

    /// Number with the lowest `width` bits set.
    pub fn ones(width: u32) -> Wide {
        Wide(Uint::MAX).low(width)
    }

    /// Number from at most 96 bytes, the lowest first.
    pub fn from_bytes(bytes: &[u8]) -> Wide {
        Wide(Uint::from_le_slice(bytes))
    }

    /// The lowest 64 bits.
    pub fn low_word(self) -> u64 {
        self.0.as_limbs()[0]
    }

    /// The number as `u64`; `None` if it does not fit.
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.0).ok()
    }

    /// Bit `i`, 0 the lowest.
    pub fn bit(self, i: u32) -> bool {
        self.0.bit(i as usize)
    }

    /// The lowest `width` bits, the others 0.
    pub fn low(self, width: u32) -> Wide {
        let above = WIDEST.saturating_sub(width);
        self.shifted_left(above).shifted_right(above)
    }

    /// Returns `true` for 0.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Number of set bits.
    pub fn count(self) -> u32 {
        self.0.count_ones() as u32
    }

    /// Number of trailing zeros; [`WIDEST`] for 0.
    pub fn trailing_zeros(self) -> u32 {
        self.0.trailing_zeros() as u32
    }

    /// Number of bits without leading zeros; 0 for 0.
    pub fn length(self) -> u32 {
        self.0.bit_len() as u32
    }

    /// Shifts to higher bits.
    pub fn shifted_left(self, by: u32) -> Wide {
        Wide(self.0 << by)
    }

    /// Shifts to lower bits.
    pub fn shifted_right(self, by: u32) -> Wide {
        Wide(self.0 >> by)
    }

    /// Sum modulo 2^768.
    pub fn plus(self, other: Wide) -> Wide {
        Wide(self.0.wrapping_add(other.0))
    }

    /// Negative number in two's complement, in all bits.
    pub fn negative(self) -> Wide {
        Wide(self.0.wrapping_neg())
    }

    /// Product modulo 2^768.
    pub fn times(self, other: Wide) -> Wide {
        Wide(self.0.wrapping_mul(other.0))
    }

    /// Signed less-than of numbers of `width` bits.
    pub fn is_less_signed(self, other: Wide, width: u32) -> bool {
        match (self.bit(width - 1), other.bit(width - 1)) {
            (true, false) => true,
            (false, true) => false,
            _ => self < other,
        }
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
                Wide(self.0.$method(other.0))
            }
        }
    )*};
}

bitwise! {
    BitAnd, bitand;
    BitOr, bitor;
    BitXor, bitxor;
}

macro_rules! formats {
    ($($format:ident)*) => {$(
        impl fmt::$format for Wide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$format::fmt(&self.0, f)
            }
        }
    )*};
}

formats! { LowerHex Binary }

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_to_their_widths() {
        let number = Wide::new(0xF0).shifted_left(60);
        assert_eq!((number.low(66).length(), number.low(64).length()), (66, 0));
        assert_eq!(
            (number.low(WIDEST), Wide::ones(WIDEST).count()),
            (number, WIDEST)
        );
        assert_eq!(Wide::new(0x80).extended(8, 512).count(), 505);
        assert_eq!(Wide::new(0x7F).extended(8, 512), Wide::new(0x7F));
        let signs = [
            (0x80, 0x7F, true),
            (0x7F, 0x80, false),
            (1, 2, true),
            (0x80, 0x80, false),
        ];
        for (one, other, is_less) in signs {
            let [a, b] = [one, other].map(Wide::new);
            assert_eq!(a.is_less_signed(b, 8), is_less, "{one:#x} {other:#x}");
        }
        let wide = Wide::new(1).shifted_left(68);
        assert_eq!(
            format!("{wide:x} {wide:?} {:?}", Wide::ZERO),
            "100000000000000000 0x100000000000000000 0x0"
        );
    }
}
