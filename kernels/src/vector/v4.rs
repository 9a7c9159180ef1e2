//! The vector layer over AVX-512: leading zeros of each lane, masks in registers of their own.
//! Kernels stay at 256 bits, where the CPU keeps its clock.

use core::arch::x86_64::*;

use crate::geometry::FEATURES;
use crate::weights::OFFSETS;
use crate::{Features, Weights};

pub(crate) use super::v3::{Features64, Features128, Features256, I32x8, U64x2, U64x4, crc32c, pext, shuffle_bytes, stream, stream_fence};

impl U64x4 {
    /// The highest bit of each lane alone; 0 where the lane is 0.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
    pub(crate) fn highest_bit(self) -> Self {
        let top = _mm256_set1_epi64x(i64::MIN);
        Self(_mm256_srlv_epi64(top, _mm256_lzcnt_epi64(self.0)))
    }

    /// One bit for each of the 32 bytes, lowest first: set where the byte of `self & other` is not
    /// zero.
    #[inline]
    #[target_feature(enable = "avx2,avx512bw,avx512vl")]
    pub(crate) fn common_bytes(self, other: Self) -> u32 {
        _mm256_test_epi8_mask(self.0, other.0)
    }
}

/// The features in a 512-bit register, of which there are 32, and a 256-bit one.
#[derive(Clone, Copy)]
pub(crate) struct Features512(__m512i, __m256i);

impl Features512 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(features: &Features) -> Self {
        let start = features.0.as_ptr();
        // SAFETY: 32 features and 16 more are the 48 that there are; the loads ask for no alignment.
        unsafe { Self(_mm512_loadu_si512(start.cast()), _mm256_loadu_si256(start.add(32).cast())) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store(self, features: &mut Features) {
        let start = features.0.as_mut_ptr();
        // SAFETY: as for `load`; the borrow is exclusive.
        unsafe {
            _mm512_storeu_si512(start.cast(), self.0);
            _mm256_storeu_si256(start.add(32).cast(), self.1);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zero() -> Self {
        Self(_mm512_setzero_si512(), _mm256_setzero_si256())
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512bw")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi16(self.0, other.0), _mm256_add_epi16(self.1, other.1))
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512bw")]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(_mm512_sub_epi16(self.0, other.0), _mm256_sub_epi16(self.1, other.1))
    }
}

/// Sixteen 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x16(__m512i);

impl I32x16 {
    /// The weights of sixteen features, those from number `FROM` on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn gather<const FROM: usize>(weights: &Weights, features: &Features) -> Self {
        const { assert!(FROM + 16 <= FEATURES) };
        // SAFETY: as for `I32x8::gather`, with sixteen features and offsets.
        unsafe {
            let values = _mm256_loadu_si256(features.0.as_ptr().add(FROM).cast());
            let offsets = _mm512_loadu_si512(OFFSETS.as_ptr().add(FROM).cast());
            let indices = _mm512_add_epi32(_mm512_cvtepu16_epi32(values), offsets);
            Self(_mm512_i32gather_epi32::<4>(indices, weights.0.as_ptr()))
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi32(self.0, other.0))
    }

    /// The sum of all lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn sum(self) -> i32 {
        _mm512_reduce_add_epi32(self.0)
    }
}
