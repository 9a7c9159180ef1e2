//! The vector layer over AVX2: 256-bit registers, a shift count for each lane.

use core::arch::x86_64::*;

use crate::geometry::FEATURES;
use crate::weights::OFFSETS;
use crate::{Features, Weights};

use super::features::features_in_registers;
pub(crate) use super::network::v3::*;
pub(crate) use super::v2::{
    Features64, Features128, I32x4, U64x2, apart, crc32c, fill_past_caches_16, shuffle_bytes,
};

/// Four 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x4(pub(super) __m256i);

with_features!(
    #[target_feature(enable = "avx2")]
    impl U64x4 {
        pub(crate) fn new([a, b, c, d]: [u64; 4]) -> Self {
            Self(_mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64))
        }

        pub(crate) fn splat(value: u64) -> Self {
            Self(_mm256_set1_epi64x(value as i64))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(_mm256_and_si256(self.0, other.0))
        }

        /// `self & !other`.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(_mm256_andnot_si256(other.0, self.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(_mm256_or_si256(self.0, other.0))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm256_add_epi64(self.0, other.0))
        }

        pub(crate) fn neg(self) -> Self {
            Self(_mm256_sub_epi64(_mm256_setzero_si256(), self.0))
        }

        /// All ones in each lane that is zero.
        pub(crate) fn is_zero(self) -> Self {
            Self(_mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()))
        }

        /// Shifts each lane left by its own count (0..=63).
        pub(crate) fn shl_each(self, counts: [u64; 4]) -> Self {
            Self(_mm256_sllv_epi64(self.0, Self::new(counts).0))
        }

        /// Shifts each lane right by its own count (0..=63).
        pub(crate) fn shr_each(self, counts: [u64; 4]) -> Self {
            Self(_mm256_srlv_epi64(self.0, Self::new(counts).0))
        }

        /// OR of all lanes.
        pub(crate) fn reduce_or(self) -> u64 {
            let high = _mm256_extracti128_si256::<1>(self.0);
            let pair = _mm_or_si128(_mm256_castsi256_si128(self.0), high);
            _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
        }

        /// AND of all lanes.
        pub(crate) fn reduce_and(self) -> u64 {
            let high = _mm256_extracti128_si256::<1>(self.0);
            let pair = _mm_and_si128(_mm256_castsi256_si128(self.0), high);
            _mm_cvtsi128_si64(_mm_and_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
        }

        pub(crate) fn to_array(self) -> [u64; 4] {
            [
                _mm256_extract_epi64::<0>(self.0) as u64,
                _mm256_extract_epi64::<1>(self.0) as u64,
                _mm256_extract_epi64::<2>(self.0) as u64,
                _mm256_extract_epi64::<3>(self.0) as u64,
            ]
        }

        /// One bit for each of the 32 bytes, lowest first: set where the byte is zero.
        pub(crate) fn zero_bytes(self) -> u32 {
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256())) as u32
        }

        /// Reverses the 64 bits of each lane: the board rotated by 180 degrees.
        pub(crate) fn reverse_bits(self) -> Self {
            let low_nibble = _mm256_set1_epi8(15);
            // Tables of reversed nibbles: byte `i` is nibble `i` with its bits reversed, in the high or the low
            // nibble.
            let reversed = _mm_set_epi64x(0x0F07_0B03_0D05_0901, 0x0E06_0A02_0C04_0800);
            let to_low = _mm256_broadcastsi128_si256(reversed);
            let to_high = _mm256_slli_epi64::<4>(to_low);
            let low = _mm256_and_si256(self.0, low_nibble);
            let high = _mm256_and_si256(_mm256_srli_epi64::<4>(self.0), low_nibble);
            let bytes = _mm256_or_si256(
                _mm256_shuffle_epi8(to_high, low),
                _mm256_shuffle_epi8(to_low, high),
            );
            Self(bytes).swap_bytes()
        }

        /// Reverses the bytes of each lane: the board mirrored top to bottom.
        pub(crate) fn swap_bytes(self) -> Self {
            let order = _mm_set_epi64x(0x0809_0A0B_0C0D_0E0F, 0x0001_0203_0405_0607);
            Self(_mm256_shuffle_epi8(
                self.0,
                _mm256_broadcastsi128_si256(order),
            ))
        }

        /// Returns `true` if no lane has a bit in common with `other`.
        pub(crate) fn is_disjoint(self, other: Self) -> bool {
            _mm256_testz_si256(self.0, other.0) == 1
        }
    }
);

/// Extracts the bits of `board` under `mask` to the low end, in order.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn pext(board: u64, mask: u64) -> usize {
    _pext_u64(board, mask) as usize
}

/// Deposits the low bits of `bits` on the squares of `mask`, in order. It inverts [`pext`].
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn pdep(bits: u8, mask: u64) -> u64 {
    _pdep_u64(u64::from(bits), mask)
}

/// Fills `blocks` by 32-byte stores that bypass the caches, and waits until all stores are visible.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn fill_past_caches_32(blocks: &mut [crate::Block], words: [u64; 4]) {
    let words = U64x4::new(words).0;
    for block in blocks {
        // SAFETY: a `Block` is 32 bytes aligned to 32. Nobody else can look at the memory before the
        // fence below: the borrow is exclusive.
        unsafe { _mm256_stream_si256(block.0.as_mut_ptr().cast(), words) }
    }
    _mm_sfence();
}

features_in_registers!(
    /// The features in three 256-bit registers.
    Features256: [__m256i; 3] ["avx2"]
    zero _mm256_setzero_si256(), add _mm256_add_epi16, sub _mm256_sub_epi16
);

/// Eight 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x8(pub(super) __m256i);

with_features!(
    #[target_feature(enable = "avx2")]
    impl I32x8 {
        /// Loads the weights of the eight features from `FROM` on.
        pub(crate) fn gather<const FROM: usize>(weights: &Weights, features: &Features) -> Self {
            const { assert!(FROM + 8 <= FEATURES) };
            // SAFETY: eight features and eight offsets begin at `FROM` (asserted above). An index is an
            // offset and 16 bits more, so it is below `LENGTH`, the length of the weights: that is
            // asserted where `OFFSETS` are defined.
            unsafe {
                let values = _mm_loadu_si128(features.0.as_ptr().add(FROM).cast());
                let offsets = _mm256_loadu_si256(OFFSETS.as_ptr().add(FROM).cast());
                let indices = _mm256_add_epi32(_mm256_cvtepu16_epi32(values), offsets);
                Self(_mm256_i32gather_epi32::<4>(weights.0.as_ptr(), indices))
            }
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm256_add_epi32(self.0, other.0))
        }

        /// The sum of all lanes.
        pub(crate) fn sum(self) -> i32 {
            let high = _mm256_extracti128_si256::<1>(self.0);
            let fours = _mm_add_epi32(_mm256_castsi256_si128(self.0), high);
            let twos = _mm_add_epi32(fours, _mm_shuffle_epi32::<0b01_00_11_10>(fours));
            _mm_cvtsi128_si32(_mm_add_epi32(
                twos,
                _mm_shuffle_epi32::<0b10_11_00_01>(twos),
            ))
        }
    }
);
