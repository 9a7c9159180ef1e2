//! The vector layer over AVX-512 as Ice Lake and Zen 4 have it: byte permutes, bit matrices, bit
//! counts in vectors, and dot products of bytes.

use core::arch::x86_64::*;

use crate::network::{Matrix, WIDTH};

pub(crate) use super::v4::*;

impl U64x4 {
    /// Each lane with its 64 bits in reverse: the board turned by half.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl,gfni")]
    pub(crate) fn reverse_bits_by_matrix(self) -> Self {
        self.swap_bytes().mirror_rows()
    }

    /// Each lane with the bits of each byte in reverse: the board mirrored left to right.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl,gfni")]
    pub(crate) fn mirror_rows(self) -> Self {
        // The matrix with ones on its other diagonal.
        let matrix = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        Self(_mm256_gf2p8affine_epi64_epi8::<0>(self.0, matrix))
    }

    /// Each lane as a matrix of 8 x 8 bits, transposed: rows become columns.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl,gfni")]
    pub(crate) fn transpose(self) -> Self {
        // The instruction multiplies each byte of its first operand by the matrix in its second:
        // bytes of one bit each pick its columns. It takes the rows from the highest byte down.
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        Self(_mm256_gf2p8affine_epi64_epi8::<0>(
            bits,
            self.swap_bytes().0,
        ))
    }
}

impl I16x16 {
    /// As `times`, but one instruction multiplies four weights of each of eight hidden numbers and adds the
    /// products.
    #[inline]
    #[target_feature(enable = "avx2,avx512vl,avx512vnni")]
    pub(crate) fn times_by_dot_products(self, matrix: &Matrix, bias: &[i32; WIDTH]) -> Self {
        self.times_by(matrix, bias, |sum, bytes, weights| {
            _mm256_dpbusd_epi32(sum, bytes, weights)
        })
    }
}

/// A board as a matrix of 8 x 8 bits, transposed.
#[inline]
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn transpose(board: u64) -> u64 {
    let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let rows = _mm_cvtsi64_si128(board.swap_bytes() as i64);
    _mm_cvtsi128_si64(_mm_gf2p8affine_epi64_epi8::<0>(bits, rows)) as u64
}
