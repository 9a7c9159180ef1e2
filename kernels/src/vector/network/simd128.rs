//! Vectors of the network ([`crate::network`]) at simd128: bytes of rows and inputs, and 16-bit sums.

use core::arch::wasm32::*;

use crate::network::{HIDDEN, Matrix};
use crate::vector::each::Each;
use crate::vector::simd128::I32x4;

/// Thirty-two signed bytes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I8x32([v128; 2]);

with_features!(
    #[target_feature(enable = "simd128")]
    impl I8x32 {
        pub(crate) fn load(bytes: &[i8; 32]) -> Self {
            let halves = bytes.as_chunks::<16>().0;
            // SAFETY: an array of 16 bytes is as long as the register; the load asks for no alignment.
            Self([0, 1].each(|half| unsafe { v128_load(halves[half].as_ptr().cast()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1].each(|half| i8x16_add(self.0[half], other.0[half])))
        }

        /// Adds the bytes of both into 16-bit lanes.
        pub(crate) fn widening_add(self, other: Self) -> I16x32 {
            I16x32(
                self.zip(other)
                    .each(|pairs| i16x8_extadd_pairwise_i8x16(pairs)),
            )
        }

        /// `a * a + b * b` for each byte `a` of `self` and `b` of `other`, both 0..=127.
        pub(crate) fn squares(self, other: Self) -> I16x32 {
            I16x32(self.zip(other).each(|pairs| {
                let (a, b) = (v128_and(pairs, u16x8_splat(0xFF)), u16x8_shr(pairs, 8));
                i16x8_add(i16x8_mul(a, a), i16x8_mul(b, b))
            }))
        }

        /// Interleaves the bytes of both, eight pairs in a register.
        fn zip(self, other: Self) -> [v128; 4] {
            let low = |a, b| {
                u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
            };
            let high = |a, b| {
                u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
            };
            let ([a, b], [c, d]) = (self.0, other.0);
            [low(a, c), high(a, c), low(b, d), high(b, d)]
        }

        /// Multiplies the bytes (0..=127) by `matrix`, adds `bias`, and divides the 16 sums by 64. The quotients
        /// saturate to 16 bits.
        pub(crate) fn times(self, matrix: &Matrix, bias: &[i32; HIDDEN]) -> I16x16 {
            let eights = self.0.each(|bytes| {
                [
                    i16x8_extend_low_i8x16(bytes),
                    i16x8_extend_high_i8x16(bytes),
                ]
            });
            // Engines compile a product of bytes to several instructions, and this product of 16-bit lanes to one.
            let mut pairs = [i32x4_splat(0); 8];
            for (&eight, weights) in eights.as_flattened().iter().zip(matrix.as_chunks::<2>().0) {
                let fours = [
                    i64x2_shuffle::<0, 0>(eight, eight),
                    i64x2_shuffle::<1, 1>(eight, eight),
                ];
                for (four, weights) in fours.into_iter().zip(weights) {
                    for (pair, weights) in pairs.iter_mut().zip(weights.as_chunks::<2>().0) {
                        // SAFETY: two times four weights are eight bytes, which the load reads without alignment.
                        let weights = unsafe { i16x8_load_extend_i8x8(weights.as_ptr().cast()) };
                        *pair = i32x4_add(*pair, i32x4_dot_i16x8(four, weights));
                    }
                }
            }
            let biases = bias.as_chunks::<4>().0;
            let sums = [0, 1, 2, 3].each(|quarter| {
                let (low, high) = (pairs[2 * quarter], pairs[2 * quarter + 1]);
                let sums = i32x4_add(
                    i32x4_shuffle::<0, 2, 4, 6>(low, high),
                    i32x4_shuffle::<1, 3, 5, 7>(low, high),
                );
                // SAFETY: four biases of 32 bits are as long as the register; the load asks for no alignment.
                let bias = unsafe { v128_load(biases[quarter].as_ptr().cast()) };
                i32x4_shr(i32x4_add(bias, sums), 6)
            });
            I16x16([
                i16x8_narrow_i32x4(sums[0], sums[1]),
                i16x8_narrow_i32x4(sums[2], sums[3]),
            ])
        }
    }
);

/// Thirty-two 16-bit lanes in four registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x32([v128; 4]);

with_features!(
    #[target_feature(enable = "simd128")]
    impl I16x32 {
        pub(crate) fn load(lanes: &[i16; 32]) -> Self {
            let eights = lanes.as_chunks::<8>().0;
            // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no alignment.
            Self([0, 1, 2, 3].each(|i| unsafe { v128_load(eights[i].as_ptr().cast()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1, 2, 3].each(|i| i16x8_add(self.0[i], other.0[i])))
        }

        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(self.0.each(|eight| u16x8_shr(eight, COUNT as u32)))
        }

        /// Clamps each lane to 0..=127 and narrows it to a byte.
        pub(crate) fn clamp_to_7_bits(self) -> I8x32 {
            let [a, b, c, d] = self.0;
            let bytes = [i8x16_narrow_i16x8(a, b), i8x16_narrow_i16x8(c, d)];
            I8x32(bytes.each(|half| i8x16_max(half, i8x16_splat(0))))
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums eight products.
        pub(crate) fn dot(self, weights: &[i16; 32]) -> I32x4 {
            let weights = Self::load(weights);
            let [a, b, c, d] = [0, 1, 2, 3].each(|i| i32x4_dot_i16x8(self.0[i], weights.0[i]));
            I32x4(i32x4_add(i32x4_add(a, b), i32x4_add(c, d)))
        }
    }
);

/// Sixteen 16-bit lanes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x16([v128; 2]);

with_features!(
    #[target_feature(enable = "simd128")]
    impl I16x16 {
        /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            Self(self.0.each(|half| u16x8_shr(half, COUNT as u32)))
        }

        /// Clamps each lane to 0..=127.
        pub(crate) fn clamp_to_7_bits(self) -> Self {
            let positive = self.0.each(|half| i16x8_max(half, i16x8_splat(0)));
            Self(positive.each(|half| i16x8_min(half, i16x8_splat(127))))
        }

        /// The square of each lane of 7 bits.
        pub(crate) fn square(self) -> Self {
            Self(self.0.each(|half| i16x8_mul(half, half)))
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums four products.
        pub(crate) fn dot(self, weights: &[i16; 16]) -> I32x4 {
            let halves = weights.as_chunks::<8>().0;
            let [low, high] = [0, 1].each(|half| {
                // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no alignment.
                let weights = unsafe { v128_load(halves[half].as_ptr().cast()) };
                i32x4_dot_i16x8(self.0[half], weights)
            });
            I32x4(i32x4_add(low, high))
        }
    }
);
