//! The vector layer over Advanced SIMD: 128-bit registers, a shift count for each lane.

use core::arch::aarch64::*;

use super::features::features_in_registers;
pub(crate) use super::network::neon::*;
pub(crate) use super::portable::{Features64, apart};

/// Two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(uint64x2_t);

with_features!(
    #[target_feature(enable = "neon")]
    impl U64x2 {
        pub(crate) fn new([low, high]: [u64; 2]) -> Self {
            Self(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
        }

        pub(crate) fn splat(value: u64) -> Self {
            Self(vdupq_n_u64(value))
        }

        /// Puts the board into the low lane, and its vertical mirror image (row 1 becomes row 8) into the high
        /// lane.
        pub(crate) fn with_mirror(board: u64) -> Self {
            let rows = vcreate_u8(board);
            Self(vreinterpretq_u64_u8(vcombine_u8(rows, vrev64_u8(rows))))
        }

        /// ORs the low lane with the vertical mirror image of the high lane.
        pub(crate) fn join_mirror(self) -> u64 {
            let rows = vreinterpretq_u8_u64(self.0);
            let joined = vorr_u8(vget_low_u8(rows), vrev64_u8(vget_high_u8(rows)));
            vget_lane_u64::<0>(vreinterpret_u64_u8(joined))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(vandq_u64(self.0, other.0))
        }

        /// `self & !other`.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(vbicq_u64(self.0, other.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(vorrq_u64(self.0, other.0))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(vaddq_u64(self.0, other.0))
        }

        pub(crate) fn neg(self) -> Self {
            Self(vsubq_u64(vdupq_n_u64(0), self.0))
        }

        /// All ones in each lane that is zero.
        pub(crate) fn is_zero(self) -> Self {
            Self(vceqzq_u64(self.0))
        }

        /// Shifts both lanes left by `N` (0..=63).
        pub(crate) fn shl<const N: i32>(self) -> Self {
            Self(vshlq_n_u64::<N>(self.0))
        }

        /// Shifts both lanes left by `count`.
        pub(crate) fn shl_by(self, count: usize) -> Self {
            Self(vshlq_u64(self.0, vdupq_n_s64(count as i64)))
        }

        /// Shifts the low lane left by `low` and the high lane by `high`.
        fn shl_each(self, low: u64, high: u64) -> Self {
            let counts = Self::new([low, high]);
            Self(vshlq_u64(self.0, vreinterpretq_s64_u64(counts.0)))
        }

        /// Shifts the low lane right by `low` and the high lane by `high`.
        fn shr_each(self, low: u64, high: u64) -> Self {
            // A negative count shifts to the right.
            let counts = Self::new([low.wrapping_neg(), high.wrapping_neg()]);
            Self(vshlq_u64(self.0, vreinterpretq_s64_u64(counts.0)))
        }

        /// The sum of the eight bytes of each lane.
        pub(crate) fn byte_sums(self) -> [usize; 2] {
            let pairs = vpaddlq_u8(vreinterpretq_u8_u64(self.0));
            let [low, high] = Self(vpaddlq_u32(vpaddlq_u16(pairs))).to_array();
            [low as usize, high as usize]
        }

        /// Shuffles the sixteen bytes: byte `i` of the result is byte `order[i]` (0..=15) of `self`.
        pub(crate) fn shuffle(self, order: Self) -> Self {
            Self(vreinterpretq_u64_u8(vqtbl1q_u8(
                vreinterpretq_u8_u64(self.0),
                vreinterpretq_u8_u64(order.0),
            )))
        }

        /// Absolute differences between the bytes of both. The bytes must be 0..=127.
        pub(crate) fn byte_distances(self, other: Self) -> Self {
            Self(vreinterpretq_u64_u8(vabdq_u8(
                vreinterpretq_u8_u64(self.0),
                vreinterpretq_u8_u64(other.0),
            )))
        }

        /// Sign bits of the sixteen bytes as a number. Bit 0 is the sign of the lowest byte.
        pub(crate) fn byte_signs(self) -> usize {
            // No instruction gathers signs. In each half the sign of byte `i` becomes bit `i`, and three pairwise
            // sums join the eight bits.
            let signs = vcltzq_s8(vreinterpretq_s8_u64(self.0));
            let index_bits = vreinterpretq_u8_u64(Self::splat(0x8040_2010_0804_0201).0);
            let mut sums = vandq_u8(signs, index_bits);
            for _ in 0..3 {
                sums = vpaddq_u8(sums, sums);
            }
            usize::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sums)))
        }

        fn to_array(self) -> [u64; 2] {
            [vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<1>(self.0)]
        }
    }
);

super::pair::four_lanes_in_two_registers!("neon");

/// Shuffles bytes of `value`, zero-extended to sixteen: byte `i` of the result is byte `order[i]` (0..=15).
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn shuffle_bytes(value: u32, order: u128) -> u128 {
    let order = U64x2::new([order as u64, (order >> 64) as u64]);
    let bytes = U64x2::new([u64::from(value), 0]);
    let [low, high] = bytes.shuffle(order).to_array();
    u128::from(high) << 64 | u128::from(low)
}

/// CRC32C of eight bytes, continuing from `crc`.
#[inline]
#[target_feature(enable = "crc")]
pub(crate) fn crc32c(crc: u32, bytes: u64) -> u32 {
    __crc32cd(crc, bytes)
}

features_in_registers!(
    /// The features in six registers.
    Features128: [uint16x8_t; 6] ["neon"] zero vdupq_n_u16(0), add vaddq_u16, sub vsubq_u16
);

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x4(pub(super) int32x4_t);

with_features!(
    #[target_feature(enable = "neon")]
    impl I32x4 {
        pub(crate) fn add(self, other: Self) -> Self {
            Self(vaddq_s32(self.0, other.0))
        }

        /// The sum of all lanes.
        pub(crate) fn sum(self) -> i32 {
            vaddvq_s32(self.0)
        }
    }
);
