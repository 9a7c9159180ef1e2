//! The vector layer in 64-bit integer code, for any target.

use super::each::Each;
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
        Self([0, 1, 2, 3].each(|i| f(self.0[i], other.0[i])))
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
        Self(self.0.each(u64::wrapping_neg))
    }

    /// All ones in each lane that is zero.
    #[inline]
    pub(crate) fn is_zero(self) -> Self {
        Self(self.0.each(|lane| u64::from(lane == 0).wrapping_neg()))
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

    /// OR of all lanes.
    #[inline]
    pub(crate) fn reduce_or(self) -> u64 {
        self.0.into_iter().fold(0, |all, lane| all | lane)
    }

    /// AND of all lanes.
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
    /// The features in twelve words, four in each. A sum or difference that leaves its 16 bits carries into
    /// the next feature.
    Features64: [u64; 12] [] zero 0, add u64::wrapping_add, sub u64::wrapping_sub
);

impl Features64 {
    /// Feature `4 * word + i`. One load of a word serves its four features.
    #[inline]
    pub(crate) fn feature(self, word: usize, i: usize) -> u16 {
        let lane = if cfg!(target_endian = "little") {
            i
        } else {
            3 - i
        };
        (self.0[word] >> (16 * lane)) as u16
    }
}

/// Returns `sum` with its origin hidden from the compiler, on x86-64 and AArch64. Otherwise the compiler
/// merges independent sums into one chain, where every addition waits for the one before.
#[inline(always)]
pub(crate) fn apart(sum: i32) -> i32 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut sum = sum;
        // SAFETY: there is no instruction. The register is unchanged, and nothing else is touched.
        #[allow(asm_sub_register, reason = "the register is named in a comment")]
        unsafe {
            core::arch::asm!(
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
