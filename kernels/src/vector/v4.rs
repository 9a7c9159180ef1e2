//! The vector layer over AVX-512: leading zeros of each lane and mask registers. Most kernels stay at 256 bits,
//! at which no CPU lowers its clock. `U64x8` is for kernels that gain from 512 bits and for experiments.

use core::arch::x86_64::*;

use crate::geometry::FEATURES;
use crate::weights::OFFSETS;
use crate::{Features, Weights};

pub(crate) use super::v3::*;

with_features!(
    #[target_feature(enable = "avx2")]
    impl U64x4 {
        pub(crate) fn xor(self, other: Self) -> Self {
            Self(_mm256_xor_si256(self.0, other.0))
        }

        /// Shifts every lane left by `COUNT` (0..=63).
        pub(crate) fn shl<const COUNT: i32>(self) -> Self {
            Self(_mm256_slli_epi64::<COUNT>(self.0))
        }

        /// Shifts every lane right by `COUNT` (0..=63).
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(_mm256_srli_epi64::<COUNT>(self.0))
        }

        /// Adds `term` to each lane where `a` and `b` have a common bit.
        #[target_feature(enable = "avx512vl")]
        pub(crate) fn add_where_common(self, term: Self, a: Self, b: Self) -> Self {
            let mask = _mm256_test_epi64_mask(a.0, b.0);
            Self(_mm256_mask_add_epi64(self.0, mask, self.0, term.0))
        }

        /// Selects `other` in each lane where `lanes` is zero, else `self`.
        #[target_feature(enable = "avx512vl")]
        pub(crate) fn where_zero(self, lanes: Self, other: Self) -> Self {
            let mask = _mm256_testn_epi64_mask(lanes.0, lanes.0);
            Self(_mm256_mask_mov_epi64(self.0, mask, other.0))
        }

        /// Population count of each lane: a table counts each nibble, and the counts are added.
        pub(crate) fn count_ones(self) -> Self {
            let low_nibble = _mm256_set1_epi8(15);
            let counts = _mm_set_epi64x(0x0403_0302_0302_0201, 0x0302_0201_0201_0100);
            let counts = _mm256_broadcastsi128_si256(counts);
            let low = _mm256_and_si256(self.0, low_nibble);
            let high = _mm256_and_si256(_mm256_srli_epi64::<4>(self.0), low_nibble);
            let bytes = _mm256_add_epi8(
                _mm256_shuffle_epi8(counts, low),
                _mm256_shuffle_epi8(counts, high),
            );
            Self(_mm256_sad_epu8(bytes, _mm256_setzero_si256()))
        }

        /// ORs the lanes of each of four registers. Lane `i` of the result belongs to register `i`.
        pub(crate) fn or_of_each([a, b, c, d]: [Self; 4]) -> Self {
            let halves = |a: Self, b: Self| {
                _mm256_or_si256(
                    _mm256_unpacklo_epi64(a.0, b.0),
                    _mm256_unpackhi_epi64(a.0, b.0),
                )
            };
            let (ab, cd) = (halves(a, b), halves(c, d));
            Self(_mm256_or_si256(
                _mm256_permute2x128_si256::<0x20>(ab, cd),
                _mm256_permute2x128_si256::<0x31>(ab, cd),
            ))
        }

        /// Lower 32 bits of each lane.
        pub(crate) fn low_halves(self) -> I32x4 {
            let even = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
            let packed = _mm256_permutevar8x32_epi32(self.0, even);
            I32x4(_mm256_castsi256_si128(packed))
        }

        /// Minimum of each two lanes as unsigned numbers.
        #[target_feature(enable = "avx512vl")]
        pub(crate) fn min(self, other: Self) -> Self {
            Self(_mm256_min_epu64(self.0, other.0))
        }

        /// Isolates the bit above the highest set bit of each lane. It is bit 0 if the highest is bit 63 or the
        /// lane is 0.
        #[target_feature(enable = "avx512cd,avx512vl")]
        pub(crate) fn above_highest_bit(self) -> Self {
            let lowest = _mm256_set1_epi64x(1);
            Self(_mm256_rorv_epi64(lowest, _mm256_lzcnt_epi64(self.0)))
        }

        /// Isolates the highest set bit of each lane. A lane of 0 stays 0.
        #[target_feature(enable = "avx512cd,avx512vl")]
        pub(crate) fn highest_bit(self) -> Self {
            let top = _mm256_set1_epi64x(i64::MIN);
            Self(_mm256_srlv_epi64(top, _mm256_lzcnt_epi64(self.0)))
        }

        /// One bit for each of the 32 bytes, lowest first: set where the byte of `self & other` is not
        /// zero.
        #[target_feature(enable = "avx512bw,avx512vl")]
        pub(crate) fn common_bytes(self, other: Self) -> u32 {
            _mm256_test_epi8_mask(self.0, other.0)
        }

        /// Keeps the lanes where `a` and `b` have a common bit. The others become zero.
        #[target_feature(enable = "avx512vl")]
        pub(crate) fn keep_where_common(self, a: Self, b: Self) -> Self {
            Self(_mm256_maskz_mov_epi64(
                _mm256_test_epi64_mask(a.0, b.0),
                self.0,
            ))
        }
    }
);

/// Eight 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x8(pub(super) __m512i);

with_features!(
    #[target_feature(enable = "avx512f")]
    impl U64x8 {
        pub(crate) fn new([a, b, c, d, e, f, g, h]: [u64; 8]) -> Self {
            let [a, b, c, d, e, f, g, h] = [
                a as i64, b as i64, c as i64, d as i64, e as i64, f as i64, g as i64, h as i64,
            ];
            Self(_mm512_set_epi64(h, g, f, e, d, c, b, a))
        }

        pub(crate) fn splat(value: u64) -> Self {
            Self(_mm512_set1_epi64(value as i64))
        }

        /// Joins two registers: lanes 0 to 3 are `low`, lanes 4 to 7 `high`.
        pub(crate) fn halves(low: U64x4, high: U64x4) -> Self {
            Self(_mm512_inserti64x4::<1>(
                _mm512_castsi256_si512(low.0),
                high.0,
            ))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(_mm512_and_si512(self.0, other.0))
        }

        /// `self & !other`.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(_mm512_andnot_si512(other.0, self.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(_mm512_or_si512(self.0, other.0))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm512_add_epi64(self.0, other.0))
        }

        pub(crate) fn neg(self) -> Self {
            Self(_mm512_sub_epi64(_mm512_setzero_si512(), self.0))
        }

        /// Keeps the lanes where `a` and `b` have a common bit. The others become zero.
        pub(crate) fn keep_where_common(self, a: Self, b: Self) -> Self {
            Self(_mm512_maskz_mov_epi64(
                _mm512_test_epi64_mask(a.0, b.0),
                self.0,
            ))
        }

        /// Isolates the highest set bit of each lane. A lane of 0 stays 0.
        #[target_feature(enable = "avx512cd")]
        pub(crate) fn highest_bit(self) -> Self {
            let top = _mm512_set1_epi64(i64::MIN);
            Self(_mm512_srlv_epi64(top, _mm512_lzcnt_epi64(self.0)))
        }

        /// Rotates each lane left by its own count (0..=63).
        pub(crate) fn rotl_each(self, counts: [u64; 8]) -> Self {
            Self(_mm512_rolv_epi64(self.0, Self::new(counts).0))
        }

        /// OR of all lanes.
        pub(crate) fn reduce_or(self) -> u64 {
            U64x4(_mm512_castsi512_si256(self.0))
                .or(U64x4(_mm512_extracti64x4_epi64::<1>(self.0)))
                .reduce_or()
        }

        /// ORs of the lower four lanes and of the upper four.
        pub(crate) fn reduce_or_halves(self) -> [u64; 2] {
            let low = U64x4(_mm512_castsi512_si256(self.0));
            let high = U64x4(_mm512_extracti64x4_epi64::<1>(self.0));
            [low.reduce_or(), high.reduce_or()]
        }
    }
);

/// Fills `blocks` by 64-byte stores that bypass the caches, and waits until all stores are visible. Half cache
/// lines at both ends take 32-byte stores.
#[inline]
#[target_feature(enable = "avx2,avx512f")]
pub(crate) fn fill_past_caches_64(blocks: &mut [crate::Block], words: [u64; 4]) {
    let [a, b, c, d] = words;
    let line_words = U64x8::new([a, b, c, d, a, b, c, d]).0;
    // A block at an odd multiple of its size is the second half of a cache line.
    let half = blocks.as_ptr().addr() / size_of::<crate::Block>() % 2;
    let (head, rest) = blocks.split_at_mut(half.min(blocks.len()));
    let (lines, tail) = rest.as_chunks_mut::<2>();
    for line in lines {
        // SAFETY: two blocks are 64 bytes. They are aligned to 64, because a first block that is not is in `head`.
        // Nobody else can look at the memory before the fence of the calls below: the borrow is exclusive.
        unsafe { _mm512_stream_si512(line.as_mut_ptr().cast(), line_words) }
    }
    fill_past_caches_32(head, words);
    fill_past_caches_32(tail, words);
}

/// Features in two registers: the first 32 in a 512-bit register, the other 16 in a 256-bit one.
#[derive(Clone, Copy)]
pub(crate) struct Features512(__m512i, __m256i);

with_features!(
    #[target_feature(enable = "avx512f")]
    impl Features512 {
        pub(crate) fn load(features: &Features) -> Self {
            let start = features.0.as_ptr();
            // SAFETY: the loads read 32 features and then 16, all 48 in total; they ask for no alignment.
            unsafe {
                Self(
                    _mm512_loadu_si512(start.cast()),
                    _mm256_loadu_si256(start.add(32).cast()),
                )
            }
        }

        pub(crate) fn store(self, features: &mut Features) {
            let start = features.0.as_mut_ptr();
            // SAFETY: as for `load`; the borrow is exclusive.
            unsafe {
                _mm512_storeu_si512(start.cast(), self.0);
                _mm256_storeu_si256(start.add(32).cast(), self.1);
            }
        }

        pub(crate) fn zero() -> Self {
            Self(_mm512_setzero_si512(), _mm256_setzero_si256())
        }

        #[target_feature(enable = "avx512bw")]
        pub(crate) fn add(self, other: Self) -> Self {
            Self(
                _mm512_add_epi16(self.0, other.0),
                _mm256_add_epi16(self.1, other.1),
            )
        }

        #[target_feature(enable = "avx512bw")]
        pub(crate) fn sub(self, other: Self) -> Self {
            Self(
                _mm512_sub_epi16(self.0, other.0),
                _mm256_sub_epi16(self.1, other.1),
            )
        }
    }
);

/// Sixteen 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x16(__m512i);

with_features!(
    #[target_feature(enable = "avx512f")]
    impl I32x16 {
        /// Loads the weights of the sixteen features from `FROM` on.
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

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm512_add_epi32(self.0, other.0))
        }

        /// The sum of all lanes.
        pub(crate) fn sum(self) -> i32 {
            _mm512_reduce_add_epi32(self.0)
        }
    }
);
