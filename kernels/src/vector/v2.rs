//! The vector layer over SSE4.2 and SSSE3: 128-bit registers.

use core::arch::x86_64::*;

use super::features::features_in_registers;
pub(crate) use super::network::v2::*;
pub(crate) use super::portable::{Features64, apart};

/// Two 64-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(__m128i);

with_features!(
    #[target_feature(enable = "sse4.2,popcnt")]
    impl U64x2 {
        pub(crate) fn new([low, high]: [u64; 2]) -> Self {
            Self(_mm_set_epi64x(high as i64, low as i64))
        }

        pub(crate) fn splat(value: u64) -> Self {
            Self(_mm_set1_epi64x(value as i64))
        }

        /// Puts the board into the low lane, and its vertical mirror image (row 1 becomes row 8) into the high
        /// lane.
        pub(crate) fn with_mirror(board: u64) -> Self {
            let rows = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0);
            Self(_mm_shuffle_epi8(_mm_cvtsi64_si128(board as i64), rows))
        }

        /// ORs the low lane with the vertical mirror image of the high lane.
        pub(crate) fn join_mirror(self) -> u64 {
            let rows = _mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15);
            let mirrored = _mm_shuffle_epi8(self.0, rows);
            _mm_cvtsi128_si64(_mm_or_si128(self.0, mirrored)) as u64
        }

        /// ORs the low lane of both with the vertical mirror image of their high lane.
        pub(crate) fn join_mirrors(first: Self, second: Self) -> Self {
            let bytes = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            let mirrored = _mm_shuffle_epi8(_mm_unpackhi_epi64(first.0, second.0), bytes);
            Self(_mm_or_si128(
                _mm_unpacklo_epi64(first.0, second.0),
                mirrored,
            ))
        }

        pub(crate) fn and(self, other: Self) -> Self {
            Self(_mm_and_si128(self.0, other.0))
        }

        /// `self & !other`.
        pub(crate) fn and_not(self, other: Self) -> Self {
            Self(_mm_andnot_si128(other.0, self.0))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(_mm_or_si128(self.0, other.0))
        }

        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm_add_epi64(self.0, other.0))
        }

        pub(crate) fn neg(self) -> Self {
            Self(_mm_sub_epi64(_mm_setzero_si128(), self.0))
        }

        /// All ones in each lane that is zero.
        pub(crate) fn is_zero(self) -> Self {
            Self(_mm_cmpeq_epi64(self.0, _mm_setzero_si128()))
        }

        /// Shifts both lanes right by `N` (0..=63); zeros come in.
        pub(crate) fn shr<const N: i32>(self) -> Self {
            Self(_mm_srli_epi64::<N>(self.0))
        }

        /// Shifts both lanes left by `N` (0..=63).
        pub(crate) fn shl<const N: i32>(self) -> Self {
            Self(_mm_slli_epi64::<N>(self.0))
        }

        /// Shifts both lanes left by `count`.
        pub(crate) fn shl_by(self, count: usize) -> Self {
            Self(_mm_sll_epi64(self.0, _mm_cvtsi64_si128(count as i64)))
        }

        /// Shifts the low lane left by `low` and the high lane by `high`.
        fn shl_each(self, low: u64, high: u64) -> Self {
            let first = _mm_sll_epi64(self.0, _mm_cvtsi64_si128(low as i64));
            let second = _mm_sll_epi64(self.0, _mm_cvtsi64_si128(high as i64));
            Self(_mm_blend_epi16::<0xF0>(first, second))
        }

        /// Shifts the low lane right by `low` and the high lane by `high`.
        fn shr_each(self, low: u64, high: u64) -> Self {
            let first = _mm_srl_epi64(self.0, _mm_cvtsi64_si128(low as i64));
            let second = _mm_srl_epi64(self.0, _mm_cvtsi64_si128(high as i64));
            Self(_mm_blend_epi16::<0xF0>(first, second))
        }

        /// The sum of the eight bytes of each lane.
        pub(crate) fn byte_sums(self) -> [usize; 2] {
            let sums = _mm_sad_epu8(self.0, _mm_setzero_si128());
            [
                _mm_cvtsi128_si64(sums) as usize,
                _mm_extract_epi16::<4>(sums) as usize,
            ]
        }

        /// Interleaves the bytes of both, lowest first, beginning with `even`.
        pub(crate) fn zip_bytes(even: u64, odd: u64) -> Self {
            let (even, odd) = (
                _mm_cvtsi64_si128(even as i64),
                _mm_cvtsi64_si128(odd as i64),
            );
            Self(_mm_unpacklo_epi8(even, odd))
        }

        /// 16-bit word `N` (0..=7).
        pub(crate) fn word<const N: i32>(self) -> usize {
            _mm_extract_epi16::<N>(self.0) as usize
        }

        /// Shuffles the sixteen bytes: byte `i` of the result is byte `order[i]` (0..=15) of `self`.
        pub(crate) fn shuffle(self, order: Self) -> Self {
            Self(_mm_shuffle_epi8(self.0, order.0))
        }

        /// Absolute differences between the bytes of both. The bytes must be 0..=127.
        pub(crate) fn byte_distances(self, other: Self) -> Self {
            Self(_mm_abs_epi8(_mm_sub_epi8(self.0, other.0)))
        }

        /// Sign bits of the sixteen bytes as a number. Bit 0 is the sign of the lowest byte.
        pub(crate) fn byte_signs(self) -> usize {
            _mm_movemask_epi8(self.0) as usize
        }

        pub(crate) fn to_array(self) -> [u64; 2] {
            [
                _mm_cvtsi128_si64(self.0) as u64,
                _mm_extract_epi64::<1>(self.0) as u64,
            ]
        }
    }
);

super::pair::four_lanes_in_two_registers!("sse4.2,popcnt");

/// Shuffles bytes of `value`, zero-extended to sixteen: byte `i` of the result is byte `order[i]` (0..=15).
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
pub(crate) fn shuffle_bytes(value: u32, order: u128) -> u128 {
    let order = U64x2::new([order as u64, (order >> 64) as u64]);
    let bytes = U64x2::new([u64::from(value), 0]);
    let [low, high] = bytes.shuffle(order).to_array();
    u128::from(high) << 64 | u128::from(low)
}

/// CRC32C of eight bytes, continuing from `crc`.
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
pub(crate) fn crc32c(crc: u32, bytes: u64) -> u32 {
    _mm_crc32_u64(u64::from(crc), bytes) as u32
}

/// Fills `blocks` by 16-byte stores that bypass the caches, and waits until all stores are visible.
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
pub(crate) fn fill_past_caches_16(blocks: &mut [crate::Block], words: [u64; 4]) {
    let halves = U64x4::new(words);
    for block in blocks {
        let target: *mut __m128i = block.0.as_mut_ptr().cast();
        // SAFETY: a `Block` is 32 bytes aligned to 32, so both halves are in bounds and aligned to
        // 16. Nobody else can look at the memory before the fence below: the borrow is exclusive.
        unsafe {
            _mm_stream_si128(target, halves.0.0);
            _mm_stream_si128(target.add(1), halves.1.0);
        }
    }
    _mm_sfence();
}

features_in_registers!(
    /// The features in six 128-bit registers.
    Features128: [__m128i; 6] ["sse4.2,popcnt"]
    zero _mm_setzero_si128(), add _mm_add_epi16, sub _mm_sub_epi16
);

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct I32x4(pub(super) __m128i);

with_features!(
    #[target_feature(enable = "sse4.2,popcnt")]
    impl I32x4 {
        pub(crate) fn add(self, other: Self) -> Self {
            Self(_mm_add_epi32(self.0, other.0))
        }

        pub(crate) fn to_array(self) -> [i32; 4] {
            [
                _mm_extract_epi32::<0>(self.0),
                _mm_extract_epi32::<1>(self.0),
                _mm_extract_epi32::<2>(self.0),
                _mm_extract_epi32::<3>(self.0),
            ]
        }

        pub(crate) fn new([a, b, c, d]: [i32; 4]) -> Self {
            Self(_mm_set_epi32(d, c, b, a))
        }

        pub(crate) fn splat(value: i32) -> Self {
            Self(_mm_set1_epi32(value))
        }

        pub(crate) fn or(self, other: Self) -> Self {
            Self(_mm_or_si128(self.0, other.0))
        }

        /// Maximum of each two lanes as signed numbers.
        pub(crate) fn max(self, other: Self) -> Self {
            Self(_mm_max_epi32(self.0, other.0))
        }

        /// Maximum of all lanes.
        pub(crate) fn greatest(self) -> i32 {
            let twos = _mm_max_epi32(self.0, _mm_shuffle_epi32::<0b01_00_11_10>(self.0));
            _mm_cvtsi128_si32(_mm_max_epi32(
                twos,
                _mm_shuffle_epi32::<0b10_11_00_01>(twos),
            ))
        }

        /// The sum of all lanes.
        pub(crate) fn sum(self) -> i32 {
            let twos = _mm_add_epi32(self.0, _mm_shuffle_epi32::<0b01_00_11_10>(self.0));
            _mm_cvtsi128_si32(_mm_add_epi32(
                twos,
                _mm_shuffle_epi32::<0b10_11_00_01>(twos),
            ))
        }
    }
);
