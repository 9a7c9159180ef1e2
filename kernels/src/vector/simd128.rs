//! The vector layer over WebAssembly's simd128: 128-bit registers, one shift count for all lanes.
//! Kernels give four lanes four counts, which is faster in words.

use core::arch::wasm32::*;

use crate::network::{Matrix, WIDTH};

use super::features::features_in_registers;
pub(crate) use super::portable::{Features64, U64x4, apart};

/// Two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(v128);

impl U64x2 {
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn new([low, high]: [u64; 2]) -> Self {
        Self(u64x2(low, high))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn splat(value: u64) -> Self {
        Self(u64x2_splat(value))
    }

    /// The board in the low lane, and upside down (rows 1 to 8 exchanged for 8 to 1) in the high one.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn with_mirror(board: u64) -> Self {
        let rows = u64x2_splat(board);
        Self(u8x16_shuffle::<
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            7,
            6,
            5,
            4,
            3,
            2,
            1,
            0,
        >(rows, rows))
    }

    /// The low lane, joined with the high lane turned upside down again.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn join_mirror(self) -> u64 {
        let mirrored =
            u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(self.0, self.0);
        u64x2_extract_lane::<0>(v128_or(self.0, mirrored))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    /// `self & !other`.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn and_not(self, other: Self) -> Self {
        Self(v128_andnot(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(u64x2_add(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn neg(self) -> Self {
        Self(i64x2_neg(self.0))
    }

    /// All ones in each lane that is zero.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn is_zero(self) -> Self {
        Self(u64x2_eq(self.0, u64x2_splat(0)))
    }

    /// Shifts both lanes left by `N` (0..=63).
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn shl<const N: i32>(self) -> Self {
        Self(u64x2_shl(self.0, N as u32))
    }

    /// Shifts both lanes left by `count` (0..=63).
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn shl_by(self, count: usize) -> Self {
        Self(u64x2_shl(self.0, count as u32))
    }

    /// The sum of the eight bytes of each lane.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn byte_sums(self) -> [usize; 2] {
        let fours = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
        [
            (u32x4_extract_lane::<0>(fours) + u32x4_extract_lane::<1>(fours)) as usize,
            (u32x4_extract_lane::<2>(fours) + u32x4_extract_lane::<3>(fours)) as usize,
        ]
    }

    /// The highest bit of each of the sixteen bytes, lowest byte first.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn byte_signs(self) -> usize {
        usize::from(u8x16_bitmask(self.0))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    fn to_array(self) -> [u64; 2] {
        [
            u64x2_extract_lane::<0>(self.0),
            u64x2_extract_lane::<1>(self.0),
        ]
    }
}

/// Rearranges the sixteen bytes of `value`: byte `i` of the result is byte `order[i]` (0..=15).
#[inline]
#[target_feature(enable = "simd128")]
pub(crate) fn shuffle_bytes(value: u32, order: u128) -> u128 {
    let order = U64x2::new([order as u64, (order >> 64) as u64]);
    let bytes = U64x2::new([u64::from(value), 0]);
    let [low, high] = U64x2(u8x16_swizzle(bytes.0, order.0)).to_array();
    u128::from(high) << 64 | u128::from(low)
}

features_in_registers!(
    /// The features in six registers.
    Features128: [v128; 6] ["simd128"] zero u16x8_splat(0), add u16x8_add, sub u16x8_sub
);

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x4(v128);

impl I32x4 {
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }

    /// The sum of all lanes.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn sum(self) -> i32 {
        let twos = i32x4_add(self.0, i32x4_shuffle::<2, 3, 0, 1>(self.0, self.0));
        i32x4_extract_lane::<0>(twos) + i32x4_extract_lane::<1>(twos)
    }
}

/// Sixteen 16-bit lanes in two registers.
#[derive(Clone, Copy)]
pub(crate) struct I16x16([v128; 2]);

impl I16x16 {
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn zero() -> Self {
        Self([i16x8_splat(0); 2])
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn load(lanes: &[i16; WIDTH]) -> Self {
        let halves = lanes.as_chunks::<8>().0;
        // SAFETY: an array of 8 numbers of 16 bits is 16 bytes long; the load asks for no alignment.
        Self([0, 1].map(|half| unsafe { v128_load(halves[half].as_ptr().cast()) }))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self([0, 1].map(|half| i16x8_add(self.0[half], other.0[half])))
    }

    /// Shifts each lane right by `COUNT` (0..=15); zeros come in.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn shr<const COUNT: i32>(self) -> Self {
        Self(self.0.map(|half| u16x8_shr(half, COUNT as u32)))
    }

    /// Each lane, but at least 0 and at most 127.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn clamp_to_7_bits(self) -> Self {
        let positive = self.0.map(|half| i16x8_max(half, i16x8_splat(0)));
        Self(positive.map(|half| i16x8_min(half, i16x8_splat(127))))
    }

    /// The square of each lane of 7 bits.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn square(self) -> Self {
        Self(self.0.map(|half| i16x8_mul(half, half)))
    }

    /// Sums of products with four weights each: all four together are the product of the vectors.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn dot(self, weights: &[i16; WIDTH]) -> I32x4 {
        let Self([low, high]) = Self::load(weights);
        I32x4(i32x4_add(
            i32x4_dot_i16x8(self.0[0], low),
            i32x4_dot_i16x8(self.0[1], high),
        ))
    }

    /// The 16 products with the lanes, which have 7 bits, each with its bias, divided by 64. Those that do not
    /// fit into 16 bits become the nearest that does.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn times(self, matrix: &Matrix, bias: &[i32; WIDTH]) -> Self {
        let bytes = i8x16_narrow_i16x8(self.0[0], self.0[1]);
        let groups = [
            i32x4_shuffle::<0, 0, 0, 0>(bytes, bytes),
            i32x4_shuffle::<1, 1, 1, 1>(bytes, bytes),
            i32x4_shuffle::<2, 2, 2, 2>(bytes, bytes),
            i32x4_shuffle::<3, 3, 3, 3>(bytes, bytes),
        ];
        let sums = [0, 1, 2, 3].map(|quarter| {
            let mut pairs = [i32x4_splat(0); 2];
            // SAFETY: four biases, and in each group four times four weights, begin at `4 * quarter`; the
            // loads ask for no alignment.
            let (bias, weights) = unsafe {
                let load = |from: *const i32| v128_load(from.add(4 * quarter).cast());
                (
                    load(bias.as_ptr()),
                    matrix.each_ref().map(|group| load(group.as_ptr().cast())),
                )
            };
            for (group, weights) in groups.into_iter().zip(weights) {
                let products = [
                    i16x8_extmul_low_i8x16(group, weights),
                    i16x8_extmul_high_i8x16(group, weights),
                ];
                for (pairs, products) in pairs.iter_mut().zip(products) {
                    *pairs = i32x4_add(*pairs, i32x4_extadd_pairwise_i16x8(products));
                }
            }
            let [low, high] = pairs;
            let sums = i32x4_add(
                i32x4_shuffle::<0, 2, 4, 6>(low, high),
                i32x4_shuffle::<1, 3, 5, 7>(low, high),
            );
            i32x4_shr(i32x4_add(bias, sums), 6)
        });
        Self([
            i16x8_narrow_i32x4(sums[0], sums[1]),
            i16x8_narrow_i32x4(sums[2], sums[3]),
        ])
    }
}
