//! Vectors of the network ([`crate::network`]) at v3: bytes of rows and inputs, and 16-bit sums.

use core::arch::x86_64::*;

use crate::network::{HIDDEN, Matrix};
use crate::vector::each::Each;
use crate::vector::v3::I32x8;

/// Thirty-two signed bytes.
#[derive(Clone, Copy)]
pub(crate) struct I8x32(__m256i);

with_features!(
    #[target_feature(enable = "avx2")]
    impl I8x32 {
        pub(crate) fn load(bytes: &[i8; 32]) -> Self {
            // SAFETY: an array of 32 bytes is as long as the register; the load asks for no alignment.
            Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm256_add_epi8(self.0, other.0))
        }

        /// Adds the bytes of both into 16-bit lanes.
        pub(crate) fn widening_add(self, other: Self) -> I16x32 {
            let ones = _mm256_set1_epi8(1);
            I16x32(
                self.zip(other)
                    .each(|pairs| _mm256_maddubs_epi16(ones, pairs)),
            )
        }

        /// `a * a + b * b` for each byte `a` of `self` and `b` of `other`, both 0..=127.
        pub(crate) fn squares(self, other: Self) -> I16x32 {
            I16x32(
                self.zip(other)
                    .each(|pairs| _mm256_maddubs_epi16(pairs, pairs)),
            )
        }

        /// Interleaves the bytes of both, in the lane order of [`I16x32`].
        fn zip(self, other: Self) -> [__m256i; 2] {
            [
                _mm256_unpacklo_epi8(self.0, other.0),
                _mm256_unpackhi_epi8(self.0, other.0),
            ]
        }

        /// Multiplies the bytes (0..=127) by `matrix`, adds `bias`, and divides the 16 sums by 64. The quotients
        /// saturate to 16 bits.
        pub(crate) fn times(self, matrix: &Matrix, bias: &[i32; HIDDEN]) -> I16x16 {
            self.times_by(matrix, bias, |sum, bytes, weights| {
                add_products(sum, bytes, weights)
            })
        }

        /// Multiplies like [`times`](Self::times), with a given way to add products. `add_products(sum, bytes, weights)`
        /// adds four products of 7-bit bytes and signed weights to each of eight 32-bit lanes.
        pub(in crate::vector) fn times_by(
            self,
            matrix: &Matrix,
            bias: &[i32; HIDDEN],
            add_products: impl Fn(__m256i, __m256i, __m256i) -> __m256i,
        ) -> I16x16 {
            // An entry of `halves` repeats sixteen bytes in both halves of a register. An entry of `groups` repeats
            // one group of four bytes in all lanes.
            let halves = [
                _mm256_permute2x128_si256::<0x00>(self.0, self.0),
                _mm256_permute2x128_si256::<0x11>(self.0, self.0),
            ];
            let groups = halves.each(|bytes| {
                [
                    _mm256_shuffle_epi32::<0b00_00_00_00>(bytes),
                    _mm256_shuffle_epi32::<0b01_01_01_01>(bytes),
                    _mm256_shuffle_epi32::<0b10_10_10_10>(bytes),
                    _mm256_shuffle_epi32::<0b11_11_11_11>(bytes),
                ]
            });
            // Two independent sums for each half of the hidden numbers shorten the chain of dependent additions.
            let mut sums = [[_mm256_setzero_si256(); 2]; 2];
            for (part, (groups, weights)) in
                groups.iter().zip(matrix.as_chunks::<4>().0).enumerate()
            {
                for (&group, weights) in groups.iter().zip(weights) {
                    for (half, weights) in weights.as_chunks::<8>().0.iter().enumerate() {
                        // SAFETY: eight times four weights are as long as the register; the load asks for no alignment.
                        let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
                        sums[half][part] = add_products(sums[half][part], group, weights);
                    }
                }
            }
            let biases = bias.as_chunks::<8>().0;
            let [low, high] = [0, 1].each(|half| {
                // SAFETY: eight biases of 32 bits are as long as the register; the load asks for no alignment.
                let bias = unsafe { _mm256_loadu_si256(biases[half].as_ptr().cast()) };
                let sum = _mm256_add_epi32(bias, _mm256_add_epi32(sums[half][0], sums[half][1]));
                _mm256_srai_epi32::<6>(sum)
            });
            let packed = _mm256_packs_epi32(low, high);
            I16x16(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
        }
    }
);

/// Thirty-two 16-bit lanes in two registers: lanes 0 to 7 and 16 to 23 in the first, the others in the second.
/// The unpack instructions leave bytes in this order.
#[derive(Clone, Copy)]
pub(crate) struct I16x32([__m256i; 2]);

with_features!(
    #[target_feature(enable = "avx2")]
    impl I16x32 {
        pub(crate) fn load(lanes: &[i16; 32]) -> Self {
            let eights = lanes.as_chunks::<8>().0;
            Self([0, 1].each(|half| {
                // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the loads ask for no alignment.
                unsafe {
                    _mm256_loadu2_m128i(
                        eights[half + 2].as_ptr().cast(),
                        eights[half].as_ptr().cast(),
                    )
                }
            }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1].each(|half| _mm256_add_epi16(self.0[half], other.0[half])))
        }

        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(self.0.each(|half| _mm256_srli_epi16::<COUNT>(half)))
        }

        /// Clamps each lane to 0..=127 and narrows it to a byte.
        pub(crate) fn clamp_to_7_bits(self) -> I8x32 {
            let bytes = _mm256_packs_epi16(self.0[0], self.0[1]);
            I8x32(_mm256_max_epi8(bytes, _mm256_setzero_si256()))
        }

        /// Partial sums of the dot product with `weights`: each of the eight lanes sums four products.
        pub(crate) fn dot(self, weights: &[i16; 32]) -> I32x8 {
            let weights = Self::load(weights);
            let [low, high] = [0, 1].each(|half| _mm256_madd_epi16(self.0[half], weights.0[half]));
            I32x8(_mm256_add_epi32(low, high))
        }
    }
);

/// Sixteen 16-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I16x16(__m256i);

with_features!(
    #[target_feature(enable = "avx2")]
    impl I16x16 {
        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(_mm256_srli_epi16::<COUNT>(self.0))
        }

        /// Clamps each lane to 0..=127.
        pub(crate) fn clamp_to_7_bits(self) -> Self {
            let positive = _mm256_max_epi16(self.0, _mm256_setzero_si256());
            Self(_mm256_min_epi16(positive, _mm256_set1_epi16(127)))
        }

        /// The square of each lane of 7 bits.
        pub(crate) fn square(self) -> Self {
            Self(_mm256_mullo_epi16(self.0, self.0))
        }

        /// Partial sums of the dot product with `weights`: each of the eight lanes sums two products.
        pub(crate) fn dot(self, weights: &[i16; 16]) -> I32x8 {
            // SAFETY: an array of 16 numbers of 16 bits is as long as the register; the load asks for no alignment.
            let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
            I32x8(_mm256_madd_epi16(self.0, weights))
        }
    }
);

/// Adds four products of 7-bit `bytes` and signed `weights` to each 32-bit lane of `sum`.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products(sum: __m256i, bytes: __m256i, weights: __m256i) -> __m256i {
    // The sum of two products is at most 2 * 127 * 128, so nothing saturates.
    let pairs = _mm256_maddubs_epi16(bytes, weights);
    _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}
