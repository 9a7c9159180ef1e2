//! The vector layer in 64-bit integer code, for any target.

use super::features::features_in_registers;

/// Four 64-bit lanes in four words.
#[derive(Clone, Copy)]
pub(crate) struct U64x4([u64; 4]);

impl U64x4 {
    #[inline]
    pub(crate) fn new(lanes: [u64; 4]) -> Self {
        Self(lanes)
    }

    #[inline]
    pub(crate) fn splat(value: u64) -> Self {
        Self([value; 4])
    }

    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// `self & !other`.
    #[inline]
    pub(crate) fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    pub(crate) fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline]
    pub(crate) fn neg(self) -> Self {
        Self(self.0.map(u64::wrapping_neg))
    }

    /// All ones in each lane that is zero.
    #[inline]
    pub(crate) fn is_zero(self) -> Self {
        Self(self.0.map(|lane| u64::from(lane == 0).wrapping_neg()))
    }

    /// Shifts each lane left by its own count (0..=63).
    #[inline]
    pub(crate) fn shl_each(self, counts: [u64; 4]) -> Self {
        self.zip(Self(counts), |lane, count| lane << count)
    }

    /// Shifts each lane right by its own count (0..=63).
    #[inline]
    pub(crate) fn shr_each(self, counts: [u64; 4]) -> Self {
        self.zip(Self(counts), |lane, count| lane >> count)
    }

    /// The or of all lanes.
    #[inline]
    pub(crate) fn reduce_or(self) -> u64 {
        self.0.into_iter().fold(0, |all, lane| all | lane)
    }

    /// The and of all lanes.
    #[inline]
    pub(crate) fn reduce_and(self) -> u64 {
        self.0.into_iter().fold(!0, |all, lane| all & lane)
    }

    #[inline]
    pub(crate) fn to_array(self) -> [u64; 4] {
        self.0
    }
}

features_in_registers!(
    /// The features in twelve words, four in each. Lanes do not know each other: a sum or difference
    /// that leaves 16 bits spills into the next.
    Features64: [u64; 12] [] zero 0, add u64::wrapping_add, sub u64::wrapping_sub
);

impl Features64 {
    /// Feature `4 * word + i`; the whole word is loaded for all four.
    #[inline]
    pub(crate) fn feature(self, word: usize, i: usize) -> u16 {
        let place = if cfg!(target_endian = "little") {
            i
        } else {
            3 - i
        };
        (self.0[word] >> (16 * place)) as u16
    }
}

/// The same number, but the compiler no longer knows where it comes from: it would make one chain of
/// two sums that are added at last, and every addition would wait for the one before. (Not on
/// WebAssembly.)
#[inline(always)]
pub(crate) fn apart(sum: i32) -> i32 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut sum = sum;
        // SAFETY: there is no instruction: what goes in comes out, and nothing else is touched.
        #[allow(asm_sub_register, reason = "the register is named in a comment")]
        unsafe {
            std::arch::asm!(
                "/* {0} */",
                inout(reg) sum,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        sum
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    sum
}
