//! The vector layer over AVX-512 as Ice Lake and Zen 4 have it: byte permutes, bit matrices, bit
//! counts in vectors, and dot products of bytes.

use core::arch::x86_64::*;

use crate::network::{HIDDEN, Matrix};

pub(crate) use super::gfni::transpose;
pub(crate) use super::v4::*;

with_features!(
    #[target_feature(enable = "avx2,avx512vl")]
    impl U64x4 {
        /// Population count of each lane, by one instruction.
        #[target_feature(enable = "avx512vpopcntdq")]
        pub(crate) fn population(self) -> Self {
            Self(_mm256_popcnt_epi64(self.0))
        }
    }
);

with_features!(
    #[target_feature(enable = "avx2")]
    impl I32x8 {
        pub(crate) fn new([a, b, c, d, e, f, g, h]: [i32; 8]) -> Self {
            Self(_mm256_set_epi32(h, g, f, e, d, c, b, a))
        }

        pub(crate) fn splat(value: i32) -> Self {
            Self(_mm256_set1_epi32(value))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(_mm256_or_si256(self.0, other.0))
        }

        /// Maximum of each two lanes as signed numbers.
        pub(crate) fn max(self, other: Self) -> Self {
            Self(_mm256_max_epi32(self.0, other.0))
        }

        /// Maximum of all lanes.
        #[target_feature(enable = "popcnt")]
        pub(crate) fn greatest(self) -> i32 {
            let high = I32x4(_mm256_extracti128_si256::<1>(self.0));
            I32x4(_mm256_castsi256_si128(self.0)).max(high).greatest()
        }

        pub(crate) fn to_array(self) -> [i32; 8] {
            let mut lanes = [0; 8];
            // SAFETY: eight numbers are as long as the register; the store asks for no alignment.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) }
            lanes
        }
    }
);

/// Multiplies like [`I8x32::times`], with one instruction for eight hidden numbers. The instruction multiplies four
/// bytes by four weights of each hidden number and adds the products.
#[inline]
#[target_feature(enable = "avx2,avx512vl,avx512vnni")]
pub(crate) fn times_by_dot_products(
    inputs: I8x32,
    matrix: &Matrix,
    bias: &[i32; HIDDEN],
) -> I16x16 {
    inputs.times_by(matrix, bias, |sum, bytes, weights| {
        _mm256_dpbusd_epi32(sum, bytes, weights)
    })
}

with_features!(
    #[target_feature(enable = "avx512f")]
    impl U64x8 {
        pub(crate) fn xor(self, other: Self) -> Self {
            Self(_mm512_xor_si512(self.0, other.0))
        }

        /// Shifts every lane left by `COUNT` (0..=63). The compiler turns the count into an immediate. (The
        /// intrinsic for immediates has an unsigned parameter.)
        pub(crate) fn shl<const COUNT: i32>(self) -> Self {
            Self(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(COUNT)))
        }

        /// Shifts every lane right by `COUNT` (0..=63).
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(_mm512_srl_epi64(self.0, _mm_cvtsi32_si128(COUNT)))
        }

        /// Adds `term` to each lane where `a` and `b` have a common bit.
        pub(crate) fn add_where_common(self, term: Self, a: Self, b: Self) -> Self {
            let mask = _mm512_test_epi64_mask(a.0, b.0);
            Self(_mm512_mask_add_epi64(self.0, mask, self.0, term.0))
        }

        /// Selects `other` in each lane where `lanes` is zero, else `self`.
        pub(crate) fn where_zero(self, lanes: Self, other: Self) -> Self {
            let mask = _mm512_testn_epi64_mask(lanes.0, lanes.0);
            Self(_mm512_mask_mov_epi64(self.0, mask, other.0))
        }

        /// Minimum of each two lanes as unsigned numbers.
        pub(crate) fn min(self, other: Self) -> Self {
            Self(_mm512_min_epu64(self.0, other.0))
        }

        /// Isolates the bit above the highest set bit of each lane. It is bit 0 if the highest is bit 63 or the
        /// lane is 0.
        #[target_feature(enable = "avx512cd")]
        pub(crate) fn above_highest_bit(self) -> Self {
            let lowest = _mm512_set1_epi64(1);
            Self(_mm512_rorv_epi64(lowest, _mm512_lzcnt_epi64(self.0)))
        }

        /// Lower 32 bits of each lane.
        pub(crate) fn low_halves(self) -> I32x8 {
            I32x8(_mm512_cvtepi64_epi32(self.0))
        }

        pub(crate) fn to_array(self) -> [u64; 8] {
            let mut lanes = [0; 8];
            // SAFETY: eight words are as long as the register; the store asks for no alignment.
            unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0) }
            lanes
        }

        /// ORs the four lanes of each half of four registers. Order of the result's lanes: `a` low, `b` low, `a` high,
        /// `b` high, `c` low, `d` low, `c` high, `d` high.
        pub(crate) fn or_of_halves([a, b, c, d]: [Self; 4]) -> Self {
            let pairs = |a: Self, b: Self| {
                _mm512_or_si512(
                    _mm512_unpacklo_epi64(a.0, b.0),
                    _mm512_unpackhi_epi64(a.0, b.0),
                )
            };
            let (ab, cd) = (pairs(a, b), pairs(c, d));
            Self(_mm512_or_si512(
                _mm512_shuffle_i64x2::<0b10_00_10_00>(ab, cd),
                _mm512_shuffle_i64x2::<0b11_01_11_01>(ab, cd),
            ))
        }

        /// Population count of each lane, by one instruction.
        #[target_feature(enable = "avx512vpopcntdq")]
        pub(crate) fn population(self) -> Self {
            Self(_mm512_popcnt_epi64(self.0))
        }
    }
);

/// A list of squares, a byte each, in a 512-bit register.
#[derive(Clone, Copy)]
pub(crate) struct Squares64(__m512i);

with_features!(
    #[target_feature(enable = "avx512f")]
    impl Squares64 {
        pub(crate) fn load(squares: &[u8; 64]) -> Self {
            // SAFETY: 64 bytes are as long as the register; the load asks for no alignment.
            Self(unsafe { _mm512_loadu_si512(squares.as_ptr().cast()) })
        }

        /// Lists the squares of `board` in ascending order. The bytes after them are 255, which is no square.
        #[target_feature(enable = "avx512vbmi2")]
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

        /// The first eight squares as bitboards, in a lane each. The lane of a byte that is no square is 0.
        pub(crate) fn first_bits(self) -> U64x8 {
            // A shift by 255 leaves nothing.
            let counts = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(self.0));
            U64x8(_mm512_sllv_epi64(_mm512_set1_epi64(1), counts))
        }

        /// Looks up the scores of the first eight squares, a lane each. A lane without a square has the score of
        /// square 63.
        #[target_feature(enable = "avx512vbmi")]
        pub(crate) fn first_scores(self, scores: &[u8; 64]) -> U64x8 {
            let looked_up = _mm512_permutexvar_epi8(self.0, Self::load(scores).0);
            U64x8(_mm512_cvtepu8_epi64(_mm512_castsi512_si128(looked_up)))
        }

        /// Keeps the squares that lie in `board`, in the same order. Zeros follow them.
        #[target_feature(enable = "avx512vbmi2,avx512bitalg")]
        pub(crate) fn those_in(self, board: u64) -> Self {
            let boards = _mm512_set1_epi64(board as i64);
            let are_in = _mm512_bitshuffle_epi64_mask(boards, self.0);
            Self(_mm512_maskz_compress_epi8(are_in, self.0))
        }

        /// Tests the first sixteen squares of the list: bit `i` of the result is set if square `i` lies in `board`.
        #[target_feature(enable = "avx512vl,avx512bitalg")]
        pub(crate) fn first_in(self, board: u64) -> u64 {
            let boards = _mm_set1_epi64x(board as i64);
            u64::from(_mm_bitshuffle_epi64_mask(
                boards,
                _mm512_castsi512_si128(self.0),
            ))
        }

        /// The first eight squares, the first in the lowest byte.
        pub(crate) fn first_eight(self) -> u64 {
            _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64
        }
    }
);
