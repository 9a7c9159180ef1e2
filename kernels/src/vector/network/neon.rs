//! Vectors of the network ([`crate::network`]) at neon: bytes of rows and inputs, and 16-bit sums.

use core::arch::aarch64::*;

use crate::network::{HIDDEN, Matrix};
use crate::vector::each::Each;
use crate::vector::neon::I32x4;

/// Thirty-two signed bytes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I8x32([int8x16_t; 2]);

with_features!(
    #[target_feature(enable = "neon")]
    impl I8x32 {
        pub(crate) fn load(bytes: &[i8; 32]) -> Self {
            let halves = bytes.as_chunks::<16>().0;
            // SAFETY: an array of 16 bytes is as long as the register; bytes need no alignment.
            Self([0, 1].each(|half| unsafe { vld1q_s8(halves[half].as_ptr()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1].each(|half| vaddq_s8(self.0[half], other.0[half])))
        }

        /// Adds the bytes of both into 16-bit lanes.
        pub(crate) fn widening_add(self, other: Self) -> I16x32 {
            let ([a, b], [c, d]) = (self.0, other.0);
            I16x32([
                vaddl_s8(vget_low_s8(a), vget_low_s8(c)),
                vaddl_high_s8(a, c),
                vaddl_s8(vget_low_s8(b), vget_low_s8(d)),
                vaddl_high_s8(b, d),
            ])
        }

        /// `a * a + b * b` for each byte `a` of `self` and `b` of `other`, both 0..=127.
        pub(crate) fn squares(self, other: Self) -> I16x32 {
            let low = |a, b| {
                let (a, b) = (vget_low_s8(a), vget_low_s8(b));
                vmlal_s8(vmull_s8(a, a), b, b)
            };
            let high = |a, b| vmlal_high_s8(vmull_high_s8(a, a), b, b);
            let ([a, b], [c, d]) = (self.0, other.0);
            I16x32([low(a, c), high(a, c), low(b, d), high(b, d)])
        }

        /// Multiplies the bytes (0..=127) by `matrix`, adds `bias`, and divides the 16 sums by 64. The quotients
        /// saturate to 16 bits.
        pub(crate) fn times(self, matrix: &Matrix, bias: &[i32; HIDDEN]) -> I16x16 {
            let groups = self.0.each(|bytes| {
                let fours = vreinterpretq_s32_s8(bytes);
                [
                    vdupq_laneq_s32::<0>(fours),
                    vdupq_laneq_s32::<1>(fours),
                    vdupq_laneq_s32::<2>(fours),
                    vdupq_laneq_s32::<3>(fours),
                ]
            });
            let mut pairs = [[vdupq_n_s32(0); 2]; 4];
            for (&group, weights) in groups.as_flattened().iter().zip(matrix) {
                let group = vreinterpretq_s8_s32(group);
                for ([low, high], weights) in pairs.iter_mut().zip(weights.as_chunks::<4>().0) {
                    // SAFETY: four times four weights are as long as the register; bytes need no alignment.
                    let weights = unsafe { vld1q_s8(weights.as_flattened().as_ptr()) };
                    *low = vpadalq_s16(*low, vmull_s8(vget_low_s8(group), vget_low_s8(weights)));
                    *high = vpadalq_s16(*high, vmull_high_s8(group, weights));
                }
            }
            let biases = bias.as_chunks::<4>().0;
            let sums = [0, 1, 2, 3].each(|quarter| {
                let [low, high] = pairs[quarter];
                // SAFETY: four biases of 32 bits are as long as the register; the load asks for no more alignment.
                let bias = unsafe { vld1q_s32(biases[quarter].as_ptr()) };
                vqmovn_s32(vshrq_n_s32::<6>(vaddq_s32(bias, vpaddq_s32(low, high))))
            });
            I16x16([
                vcombine_s16(sums[0], sums[1]),
                vcombine_s16(sums[2], sums[3]),
            ])
        }
    }
);

/// Thirty-two 16-bit lanes in four registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x32([int16x8_t; 4]);

with_features!(
    #[target_feature(enable = "neon")]
    impl I16x32 {
        pub(crate) fn load(lanes: &[i16; 32]) -> Self {
            let eights = lanes.as_chunks::<8>().0;
            // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no more alignment.
            Self([0, 1, 2, 3].each(|i| unsafe { vld1q_s16(eights[i].as_ptr()) }))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self([0, 1, 2, 3].each(|i| vaddq_s16(self.0[i], other.0[i])))
        }

        /// Shifts each lane right by `COUNT` (1..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            let shifted = |eight| vshrq_n_u16::<COUNT>(vreinterpretq_u16_s16(eight));
            Self(self.0.each(|eight| vreinterpretq_s16_u16(shifted(eight))))
        }

        /// Clamps each lane to 0..=127 and narrows it to a byte.
        pub(crate) fn clamp_to_7_bits(self) -> I8x32 {
            let bytes = |low, high| {
                let bytes = vqmovn_high_s16(vqmovn_s16(low), high);
                vmaxq_s8(bytes, vdupq_n_s8(0))
            };
            let [a, b, c, d] = self.0;
            I8x32([bytes(a, b), bytes(c, d)])
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums eight products.
        pub(crate) fn dot(self, weights: &[i16; 32]) -> I32x4 {
            dot(self.0, Self::load(weights).0)
        }
    }
);

/// Sixteen 16-bit lanes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x16([int16x8_t; 2]);

with_features!(
    #[target_feature(enable = "neon")]
    impl I16x16 {
        /// Shifts each lane right by `COUNT` (1..=15); zeros come in.
        pub(crate) fn shr<const COUNT: i32>(self) -> Self {
            let shifted = |half| vshrq_n_u16::<COUNT>(vreinterpretq_u16_s16(half));
            Self(self.0.each(|half| vreinterpretq_s16_u16(shifted(half))))
        }

        /// Clamps each lane to 0..=127.
        pub(crate) fn clamp_to_7_bits(self) -> Self {
            let positive = self.0.each(|half| vmaxq_s16(half, vdupq_n_s16(0)));
            Self(positive.each(|half| vminq_s16(half, vdupq_n_s16(127))))
        }

        /// The square of each lane of 7 bits.
        pub(crate) fn square(self) -> Self {
            Self(self.0.each(|half| vmulq_s16(half, half)))
        }

        /// Partial sums of the dot product with `weights`: each of the four lanes sums four products.
        pub(crate) fn dot(self, weights: &[i16; 16]) -> I32x4 {
            let halves = weights.as_chunks::<8>().0;
            // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no more alignment.
            dot(
                self.0,
                [0, 1].each(|half| unsafe { vld1q_s16(halves[half].as_ptr()) }),
            )
        }
    }
);

/// Partial sums of the dot product of `numbers` and `weights`, in four lanes.
#[inline]
#[target_feature(enable = "neon")]
fn dot<const N: usize>(numbers: [int16x8_t; N], weights: [int16x8_t; N]) -> I32x4 {
    let mut sums = vdupq_n_s32(0);
    for (numbers, weights) in numbers.into_iter().zip(weights) {
        sums = vmlal_s16(sums, vget_low_s16(numbers), vget_low_s16(weights));
        sums = vmlal_high_s16(sums, numbers, weights);
    }
    I32x4(sums)
}
