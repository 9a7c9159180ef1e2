//! Multiplications of bit matrices, shared by the levels whose CPUs have GFNI.

use core::arch::x86_64::*;

use super::v3::U64x4;

/// Matrix with ones on its antidiagonal. As the bytes of a board it is the diagonal from A1 to H8.
const ANTIDIAGONAL: u64 = 0x8040_2010_0804_0201;

with_features!(
    #[target_feature(enable = "avx2,gfni")]
    impl U64x4 {
        /// Reverses the 64 bits of each lane: the board rotated by 180 degrees.
        pub(crate) fn reverse_bits_by_matrix(self) -> Self {
            self.swap_bytes().mirror_rows()
        }

        /// Reverses the bits of each byte: the board mirrored left to right.
        pub(crate) fn mirror_rows(self) -> Self {
            let matrix = Self::splat(ANTIDIAGONAL);
            Self(_mm256_gf2p8affine_epi64_epi8::<0>(self.0, matrix.0))
        }

        /// Transposes each lane as a matrix of 8 x 8 bits: rows become columns.
        pub(crate) fn transpose(self) -> Self {
            // The instruction multiplies each byte of its first operand by the matrix in its second. A byte with
            // one set bit picks one column. The highest byte of the matrix is its first row.
            let bits = Self::splat(ANTIDIAGONAL);
            Self(_mm256_gf2p8affine_epi64_epi8::<0>(
                bits.0,
                self.swap_bytes().0,
            ))
        }
    }
);

/// Transposes a board as a matrix of 8 x 8 bits.
#[inline]
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn transpose(board: u64) -> u64 {
    let bits = _mm_set1_epi64x(ANTIDIAGONAL as i64);
    let rows = _mm_cvtsi64_si128(board.swap_bytes() as i64);
    _mm_cvtsi128_si64(_mm_gf2p8affine_epi64_epi8::<0>(bits, rows)) as u64
}
