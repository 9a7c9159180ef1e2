//! The vector layer over WebAssembly's simd128: 128-bit registers, one shift count for all lanes. Kernels shift
//! four lanes by four counts, so `U64x4` is the type of the portable level.

use core::arch::wasm32::*;

use super::features::features_in_registers;
pub(crate) use super::network::simd128::*;
pub(crate) use super::portable::{Features64, U64x4, apart};

/// Two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(v128);

with_features!(
    #[target_feature(enable = "simd128")]
    impl U64x2 {
        pub(crate) fn new([low, high]: [u64; 2]) -> Self {
            Self(u64x2(low, high))
        }

        pub(crate) fn splat(value: u64) -> Self {
            Self(u64x2_splat(value))
        }

        /// Puts the board into the low lane, and its vertical mirror image (row 1 becomes row 8) into the high
        /// lane.
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

        /// ORs the low lane with the vertical mirror image of the high lane.
        pub(crate) fn join_mirror(self) -> u64 {
            let mirrored = u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(
                self.0, self.0,
            );
            u64x2_extract_lane::<0>(v128_or(self.0, mirrored))
        }

        /// ORs the low lane of both with the vertical mirror image of their high lane.
        pub(crate) fn join_mirrors(first: Self, second: Self) -> Self {
            let low = u64x2_shuffle::<0, 2>(first.0, second.0);
            let mirrored =
                u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 31, 30, 29, 28, 27, 26, 25, 24>(
                    first.0, second.0,
                );
            Self(v128_or(low, mirrored))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        /// `self & !other`.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(v128_andnot(self.0, other.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(u64x2_add(self.0, other.0))
        }

        pub(crate) fn neg(self) -> Self {
            Self(i64x2_neg(self.0))
        }

        /// All ones in each lane that is zero.
        pub(crate) fn is_zero(self) -> Self {
            Self(u64x2_eq(self.0, u64x2_splat(0)))
        }

        /// Shifts both lanes left by `N` (0..=63).
        pub(crate) fn shl<const N: i32>(self) -> Self {
            Self(u64x2_shl(self.0, N as u32))
        }

        /// Shifts both lanes right by `N` (0..=63); zeros come in.
        pub(crate) fn shr<const N: i32>(self) -> Self {
            Self(u64x2_shr(self.0, N as u32))
        }

        /// Shifts both lanes left by `count` (0..=63).
        pub(crate) fn shl_by(self, count: usize) -> Self {
            Self(u64x2_shl(self.0, count as u32))
        }

        /// The sum of the eight bytes of each lane.
        pub(crate) fn byte_sums(self) -> [usize; 2] {
            let fours = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
            [
                (u32x4_extract_lane::<0>(fours) + u32x4_extract_lane::<1>(fours)) as usize,
                (u32x4_extract_lane::<2>(fours) + u32x4_extract_lane::<3>(fours)) as usize,
            ]
        }

        /// Shuffles the sixteen bytes: byte `i` of the result is byte `order[i]` (0..=15) of `self`.
        pub(crate) fn shuffle(self, order: Self) -> Self {
            Self(u8x16_swizzle(self.0, order.0))
        }

        /// Absolute differences between the bytes of both. The bytes must be 0..=127.
        pub(crate) fn byte_distances(self, other: Self) -> Self {
            Self(i8x16_abs(i8x16_sub(self.0, other.0)))
        }

        /// Sign bits of the sixteen bytes as a number. Bit 0 is the sign of the lowest byte.
        pub(crate) fn byte_signs(self) -> usize {
            usize::from(u8x16_bitmask(self.0))
        }

        pub(crate) fn to_array(self) -> [u64; 2] {
            [
                u64x2_extract_lane::<0>(self.0),
                u64x2_extract_lane::<1>(self.0),
            ]
        }
    }
);

/// Shuffles bytes of `value`, zero-extended to sixteen: byte `i` of the result is byte `order[i]` (0..=15).
#[inline]
#[target_feature(enable = "simd128")]
pub(crate) fn shuffle_bytes(value: u32, order: u128) -> u128 {
    let order = U64x2::new([order as u64, (order >> 64) as u64]);
    let bytes = U64x2::new([u64::from(value), 0]);
    let [low, high] = bytes.shuffle(order).to_array();
    u128::from(high) << 64 | u128::from(low)
}

features_in_registers!(
    /// The features in six registers.
    Features128: [v128; 6] ["simd128"] zero u16x8_splat(0), add u16x8_add, sub u16x8_sub
);

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x4(pub(super) v128);

with_features!(
    #[target_feature(enable = "simd128")]
    impl I32x4 {
        pub(crate) fn add(self, other: Self) -> Self {
            Self(i32x4_add(self.0, other.0))
        }

        /// The sum of all lanes.
        pub(crate) fn sum(self) -> i32 {
            let twos = i32x4_add(self.0, i32x4_shuffle::<2, 3, 0, 1>(self.0, self.0));
            i32x4_extract_lane::<0>(twos) + i32x4_extract_lane::<1>(twos)
        }
    }
);
