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
