//! Vectors of the network ([`crate::network`]) at v2: bytes of rows and inputs, and 16-bit sums.

use core::arch::x86_64::*;

use crate::network::{HIDDEN, Matrix};
use crate::vector::each::Each;
use crate::vector::v2::I32x4;

/// Thirty-two signed bytes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I8x32([__m128i; 2]);

with_features!(
    #[target_feature(enable = "sse4.2,popcnt")]
    impl I8x32 {
        pub(crate) fn load(bytes: &[i8; 32]) -> Self {
            let halves = bytes.as_chunks::<16>().0;
            // SAFETY: an array of 16 bytes is as long as the register; the load asks for no alignment.
            Self([0, 1].each(|half| unsafe { _mm_loadu_si128(halves[half].as_ptr().cast()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1].each(|half| _mm_add_epi8(self.0[half], other.0[half])))
        }

        /// Adds the bytes of both into 16-bit lanes.
        pub(crate) fn widening_add(self, other: Self) -> I16x32 {
            let ones = _mm_set1_epi8(1);
            I16x32(self.zip(other).each(|pairs| _mm_maddubs_epi16(ones, pairs)))
        }

        /// `a * a + b * b` for each byte `a` of `self` and `b` of `other`, both 0..=127.
        pub(crate) fn squares(self, other: Self) -> I16x32 {
            I16x32(
                self.zip(other)
                    .each(|pairs| _mm_maddubs_epi16(pairs, pairs)),
            )
        }

        /// Interleaves the bytes of both, eight pairs in a register.
        fn zip(self, other: Self) -> [__m128i; 4] {
            let ([a, b], [c, d]) = (self.0, other.0);
            [
                _mm_unpacklo_epi8(a, c),
                _mm_unpackhi_epi8(a, c),
                _mm_unpacklo_epi8(b, d),
                _mm_unpackhi_epi8(b, d),
            ]
        }

        /// Multiplies the bytes (0..=127) by `matrix`, adds `bias`, and divides the 16 sums by 64. The quotients
        /// saturate to 16 bits.
        pub(crate) fn times(self, matrix: &Matrix, bias: &[i32; HIDDEN]) -> I16x16 {
            let groups = self.0.each(|bytes| {
                [
                    _mm_shuffle_epi32::<0b00_00_00_00>(bytes),
                    _mm_shuffle_epi32::<0b01_01_01_01>(bytes),
                    _mm_shuffle_epi32::<0b10_10_10_10>(bytes),
                    _mm_shuffle_epi32::<0b11_11_11_11>(bytes),
                ]
            });
            let mut sums = [_mm_setzero_si128(); 4];
            for (sum, bias) in sums.iter_mut().zip(bias.as_chunks::<4>().0) {
                // SAFETY: four biases of 32 bits are as long as the register; the load asks for no alignment.
                *sum = unsafe { _mm_loadu_si128(bias.as_ptr().cast()) };
            }
            for (&group, weights) in groups.as_flattened().iter().zip(matrix) {
                for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
                    // SAFETY: four times four weights are as long as the register; the load asks for no alignment.
                    let weights = unsafe { _mm_loadu_si128(weights.as_ptr().cast()) };
                    *sum = add_products(*sum, group, weights);
                }
            }
            let sums = sums.each(|sum| _mm_srai_epi32::<6>(sum));
            I16x16([
                _mm_packs_epi32(sums[0], sums[1]),
                _mm_packs_epi32(sums[2], sums[3]),
            ])
        }
    }
);

/// Thirty-two 16-bit lanes in four registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x32([__m128i; 4]);

with_features!(
    #[target_feature(enable = "sse4.2,popcnt")]
    impl I16x32 {
        pub(crate) fn load(lanes: &[i16; 32]) -> Self {
            let eights = lanes.as_chunks::<8>().0;
            // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no alignment.
            Self([0, 1, 2, 3].each(|i| unsafe { _mm_loadu_si128(eights[i].as_ptr().cast()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1, 2, 3].each(|i| _mm_add_epi16(self.0[i], other.0[i])))
        }

        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(self.0.each(|eight| _mm_srli_epi16::<COUNT>(eight)))
        }

        /// Clamps each lane to 0..=127 and narrows it to a byte.
        pub(crate) fn clamp_to_7_bits(self) -> I8x32 {
            let [a, b, c, d] = self.0;
            let bytes = [_mm_packs_epi16(a, b), _mm_packs_epi16(c, d)];
            I8x32(bytes.each(|half| _mm_max_epi8(half, _mm_setzero_si128())))
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums eight products.
        pub(crate) fn dot(self, weights: &[i16; 32]) -> I32x4 {
            let weights = Self::load(weights);
            let [a, b, c, d] = [0, 1, 2, 3].each(|i| _mm_madd_epi16(self.0[i], weights.0[i]));
            I32x4(_mm_add_epi32(_mm_add_epi32(a, b), _mm_add_epi32(c, d)))
        }
    }
);

/// Sixteen 16-bit lanes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x16([__m128i; 2]);

with_features!(
    #[target_feature(enable = "sse4.2,popcnt")]
    impl I16x16 {
        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(self.0.each(|half| _mm_srli_epi16::<COUNT>(half)))
        }

        /// Clamps each lane to 0..=127.
        pub(crate) fn clamp_to_7_bits(self) -> Self {
            let positive = self.0.each(|half| _mm_max_epi16(half, _mm_setzero_si128()));
            Self(positive.each(|half| _mm_min_epi16(half, _mm_set1_epi16(127))))
        }

        /// The square of each lane of 7 bits.
        pub(crate) fn square(self) -> Self {
            Self(self.0.each(|half| _mm_mullo_epi16(half, half)))
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums four products.
        pub(crate) fn dot(self, weights: &[i16; 16]) -> I32x4 {
            let halves = weights.as_chunks::<8>().0;
            let [low, high] = [0, 1].each(|half| {
                // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no alignment.
                let weights = unsafe { _mm_loadu_si128(halves[half].as_ptr().cast()) };
                _mm_madd_epi16(self.0[half], weights)
            });
            I32x4(_mm_add_epi32(low, high))
        }
    }
);

/// Adds four products of 7-bit `bytes` and signed `weights` to each 32-bit lane of `sum`.
#[inline]
#[target_feature(enable = "sse4.2,ssse3,popcnt")]
fn add_products(sum: __m128i, bytes: __m128i, weights: __m128i) -> __m128i {
    // The sum of two products is at most 2 * 127 * 128, so nothing saturates.
    let pairs = _mm_maddubs_epi16(bytes, weights);
    _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
}
