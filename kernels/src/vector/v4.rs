//! The vector layer over AVX-512: leading zeros of each lane, masks in registers of their own.
//! Kernels stay at 256 bits, where the CPU keeps its clock.

use core::arch::x86_64::*;

pub(crate) use super::v3::{U64x2, U64x4, crc32c, pdep, pext, shuffle_bytes, stream, stream_fence};

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
