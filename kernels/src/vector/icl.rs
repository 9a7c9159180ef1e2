//! The vector layer over AVX-512 as Ice Lake and Zen 4 have it: byte permutes, bit matrices, bit
//! counts in vectors, and dot products of bytes.

use core::arch::x86_64::*;

use crate::network::{HIDDEN, Matrix};

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

    /// The number of ones in each lane, by one instruction.
    #[inline]
    #[target_feature(enable = "avx2,avx512vl,avx512vpopcntdq")]
    pub(crate) fn population(self) -> Self {
        Self(_mm256_popcnt_epi64(self.0))
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

impl I8x32 {
    /// As `times`, but one instruction multiplies four weights of each of eight hidden numbers and adds the
    /// products.
    #[inline]
    #[target_feature(enable = "avx2,avx512vl,avx512vnni")]
    pub(crate) fn times_by_dot_products(self, matrix: &Matrix, bias: &[i32; HIDDEN]) -> I16x16 {
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

impl U64x8 {
    /// The number of ones in each lane, by one instruction.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub(crate) fn population(self) -> Self {
        Self(_mm512_popcnt_epi64(self.0))
    }
}

/// A list of squares, a byte each, in a 512-bit register.
#[derive(Clone, Copy)]
pub(crate) struct Squares64(__m512i);

impl Squares64 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(squares: &[u8; 64]) -> Self {
        // SAFETY: 64 bytes are as long as the register; the load asks for no alignment.
        Self(unsafe { _mm512_loadu_si512(squares.as_ptr().cast()) })
    }

    /// The squares of `board` in their order; 255 after them, which is none.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi2")]
    pub(crate) fn of(board: u64) -> Self {
        static ALL: [u8; 64] = {
            let mut all = [0; 64];
            let mut square = 0;
            while square < 64 {
                all[square] = square as u8;
                square += 1;
            }
            all
        };
        let none = _mm512_set1_epi8(-1);
        Self(_mm512_mask_compress_epi8(none, board, Self::load(&ALL).0))
    }

    /// The first eight as boards, in a lane each; one that is none is the empty board.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn first_bits(self) -> U64x8 {
        // A shift by 255 leaves nothing.
        let counts = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(self.0));
        U64x8(_mm512_sllv_epi64(_mm512_set1_epi64(1), counts))
    }

    /// What `scores` has for each of the first eight, in a lane each.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn first_scores(self, scores: &[u8; 64]) -> U64x8 {
        let found = _mm512_permutexvar_epi8(self.0, Self::load(scores).0);
        U64x8(_mm512_cvtepu8_epi64(_mm512_castsi512_si128(found)))
    }

    /// Those of the squares that are in `board`, in the same order, zeros after them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi2,avx512bitalg")]
    pub(crate) fn those_in(self, board: u64) -> Self {
        let boards = _mm512_set1_epi64(board as i64);
        let are_in = _mm512_bitshuffle_epi64_mask(boards, self.0);
        Self(_mm512_maskz_compress_epi8(are_in, self.0))
    }

    /// A bit for the place of each of the first sixteen squares that is in `board`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx512bitalg")]
    pub(crate) fn first_in(self, board: u64) -> u64 {
        let boards = _mm_set1_epi64x(board as i64);
        u64::from(_mm_bitshuffle_epi64_mask(
            boards,
            _mm512_castsi512_si128(self.0),
        ))
    }

    /// The first eight, the first in the lowest byte.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn first_eight(self) -> u64 {
        _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64
    }
}
