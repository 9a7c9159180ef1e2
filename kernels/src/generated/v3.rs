//! The kernels at level v3: x86-64 with AVX2, BMI1, BMI2, FMA and LZCNT.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

use crate::generated::Isa;
use crate::Level;
use crate::registry::Entry;
use crate::trace::entry;
use crate::Block;
use crate::Features;
use crate::Weights;
/// The hash of a board: CRC32C of the mover's discs in the high half, and of the mover's and then the
/// opponent's in the low half (Edax AVX).
pub mod board_hash {
    #[allow(unused_imports)]
    use crate::generated::common::board_hash::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Sixteen looks into a table of 4 KiB.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn table(player: u64, opponent: u64) -> u64 {
        let high = crc32c_by_table(0, player);
        u64::from(high) << 32 | u64::from(crc32c_by_table(high, opponent))
    }

    /// The CPU's own instruction, twice.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn instruction(player: u64, opponent: u64) -> u64 {
        let high = crc32c(0, player);
        u64::from(high) << 32 | u64::from(crc32c(high, opponent))
    }

    pub use instruction as selected;
}

/// The board among its eight images that comes first, by the mover's discs and then the opponent's, as
/// numbers: one board stands for all that are the same but for symmetry.
pub mod canonical {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// All eight images of both sides, and the least pair.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn least(player: u64, opponent: u64) -> [u64; 2] {
        let players = super::symmetries::selected(player);
        let opponents = super::symmetries::selected(opponent);
        let mut least = [player, opponent];
        for i in 1..8 {
            let image = [players[i], opponents[i]];
            if image < least {
                least = image;
            }
        }
        least
    }

    /// The mover's least image, then the opponent's least among those that go with it.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn player_first(player: u64, opponent: u64) -> [u64; 2] {
        let players = super::symmetries::selected(player);
        let mut first = players[0];
        for image in players {
            first = first.min(image);
        }
        let opponents = super::symmetries::selected(opponent);
        let mut second = u64::MAX;
        for i in 0..8 {
            if players[i] == first {
                second = second.min(opponents[i]);
            }
        }
        [first, second]
    }

    pub use least as selected;
}

/// Fills `memory` with `pattern`, again and again: how a transposition table is emptied.
pub mod clear {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Block;
    /// Ordinary stores.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn stores(memory: &mut [Block], pattern: [u64; 4]) {
        for block in memory {
            *block = Block(pattern);
        }
    }

    /// Stores of 16 bytes that bypass the caches: the table is not read again soon, and what was cached
    /// stays.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn stream_16(memory: &mut [Block], pattern: [u64; 4]) {
        for block in memory {
            store_16(block, pattern);
        }
        stream_fence();
    }

    /// The same, 32 bytes a store.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn stream_32(memory: &mut [Block], pattern: [u64; 4]) {
        for block in memory {
            store_32(block, pattern);
        }
        stream_fence();
    }

    pub use stream_32 as selected;
}

/// The number of the mover's corners, and of the squares beside them on the edges that they make
/// stable (0..=12): the cheap part of stability that move ordering uses.
pub mod corner_stability {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Each corner held is moved to its two neighbours on the edges.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn shifts(player: u64) -> i32 {
        let corners = player & 0x8100_0000_0000_0081;
        let (west, east) = (
            corners & 0x0100_0000_0000_0001,
            corners & 0x8000_0000_0000_0080,
        );
        let beside = west << 1 | east >> 1 | corners << 8 | corners >> 8;
        (corners | beside & player).count_ones() as i32
    }

    pub use shifts as selected;
}

/// The mover's discs on the four edges that no sequence of moves can turn, each edge on its own.
pub mod edge_stability {
    #[allow(unused_imports)]
    use crate::generated::common::edge_stability::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// The columns gathered by multiplication (the bit-gather seed).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn kindergarten(player: u64, opponent: u64) -> u64 {
        let column_a = |board: u64| {
            ((board & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56)
                as usize
        };
        let column_h = |board: u64| column_a(board >> 7);
        lay(
            (player as usize & 255) << 8 | opponent as usize & 255,
            (player >> 56 << 8 | opponent >> 56) as usize,
            column_a(player) << 8 | column_a(opponent),
            column_h(player) << 8 | column_h(opponent),
        )
    }

    /// Both boards side by side: the signs of the bytes are one column of both, ready as an index.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn movemask(player: u64, opponent: u64) -> u64 {
        let both = U64x2::new([opponent, player]);
        lay(
            (player as usize & 255) << 8 | opponent as usize & 255,
            (player >> 56 << 8 | opponent >> 56) as usize,
            both.shl::<7>().byte_signs(),
            both.byte_signs(),
        )
    }

    /// The same, and the bytes of both boards interleaved, so that a row of both is one word of the
    /// register (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn interleave(player: u64, opponent: u64) -> u64 {
        let both = U64x2::new([opponent, player]);
        let rows = U64x2::zip_bytes(opponent, player);
        lay(
            rows.word::<0>(),
            rows.word::<7>(),
            both.shl::<7>().byte_signs(),
            both.byte_signs(),
        )
    }

    /// The columns gathered by `pext`, and laid back by `pdep`.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn pext_columns(player: u64, opponent: u64) -> u64 {
        let stable = |player: usize, opponent: usize| {
            STABLE[player << 8 & 0xFF00 | opponent & 0xFF]
        };
        let column = |mask: u64| pdep(
            stable(pext(player, mask), pext(opponent, mask)),
            mask,
        );
        u64::from(stable(player as usize, opponent as usize))
            | u64::from(stable((player >> 56) as usize, (opponent >> 56) as usize)) << 56
            | column(0x0101_0101_0101_0101) | column(0x8080_8080_8080_8080)
    }

    pub use movemask as selected;
}

/// The sum of the packed weights of all features: that of two neighbouring stages at once.
///
/// `features` may be any: no value leads out of the weights.
pub mod eval_sum {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    use crate::Weights;
    use crate::weights::OFFSETS;
    /// One load after the other.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn scalar(weights: &Weights, features: &Features) -> i32 {
        let mut sum = 0_i32;
        for (value, offset) in features.0.iter().zip(OFFSETS) {
            sum = sum.wrapping_add(weights.0[offset as usize + usize::from(*value)]);
        }
        sum
    }

    /// Six gathers of eight (Edax AVX, but no half of what is loaded is thrown away).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn gather8(weights: &Weights, features: &Features) -> i32 {
        let first = I32x8::gather::<0>(weights, features)
            .add(I32x8::gather::<8>(weights, features));
        let second = I32x8::gather::<16>(weights, features)
            .add(I32x8::gather::<24>(weights, features));
        let third = I32x8::gather::<32>(weights, features)
            .add(I32x8::gather::<40>(weights, features));
        first.add(second).add(third).sum()
    }

    pub use scalar as selected;
}

/// The features after the mover passes: the sides change and nothing else, `highest - feature`.
///
/// Geometry: edax. `features` must be those of a board.
pub mod feature_pass {
    #[allow(unused_imports)]
    use crate::generated::common::feature_pass::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    use crate::geometry::edax::HIGHEST;
    /// Four features in a word: no difference is below 0.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn swar(features: &Features, after: &mut Features) {
        Features64::load(&HIGHEST).sub(Features64::load(features)).store(after);
    }

    /// Eight features in a register.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector128(features: &Features, after: &mut Features) {
        Features128::load(&HIGHEST).sub(Features128::load(features)).store(after);
    }

    /// Sixteen features in a register.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector256(features: &Features, after: &mut Features) {
        Features256::load(&HIGHEST).sub(Features256::load(features)).store(after);
    }

    pub use vector256 as selected;
}

/// The features after the mover passes: the sides change and nothing else, `highest - feature`.
///
/// Geometry: ntest. `features` must be those of a board.
pub mod feature_pass_ntest {
    #[allow(unused_imports)]
    use crate::generated::common::feature_pass_ntest::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    use crate::geometry::ntest::HIGHEST;
    /// Four features in a word: no difference is below 0.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn swar(features: &Features, after: &mut Features) {
        Features64::load(&HIGHEST).sub(Features64::load(features)).store(after);
    }

    /// Eight features in a register.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector128(features: &Features, after: &mut Features) {
        Features128::load(&HIGHEST).sub(Features128::load(features)).store(after);
    }

    /// Sixteen features in a register.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector256(features: &Features, after: &mut Features) {
        Features256::load(&HIGHEST).sub(Features256::load(features)).store(after);
    }

    pub use vector256 as selected;
}

/// The features before the mover played on `square` and turned `flipped`, when the move is taken back.
///
/// `features` are those, saved before the move; `moved` are those after it. An algorithm uses the
/// one or the other.
///
/// Geometry: edax.
pub mod feature_restore {
    #[allow(unused_imports)]
    use crate::generated::common::feature_restore::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    /// Copies the saved features (Edax AVX 4.4.6: faster than to work them out again).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn copy(
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let _ = (moved, square, flipped);
        *after = *features;
    }

    /// Works them out from those after the move: the update is its own inverse.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn reverse(
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let _ = features;
        super::feature_update::selected(moved, square, flipped, after);
    }

    pub use copy as selected;
}

/// The features before the mover played on `square` and turned `flipped`, when the move is taken back.
///
/// `features` are those, saved before the move; `moved` are those after it. An algorithm uses the
/// one or the other.
///
/// Geometry: ntest.
pub mod feature_restore_ntest {
    #[allow(unused_imports)]
    use crate::generated::common::feature_restore_ntest::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    /// Copies the saved features (Edax AVX 4.4.6: faster than to work them out again).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn copy(
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let _ = (moved, square, flipped);
        *after = *features;
    }

    /// Works them out from those after the move: the update is its own inverse.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn reverse(
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let _ = features;
        super::feature_update_ntest::selected(moved, square, flipped, after);
    }

    pub use copy as selected;
}

/// The features after the mover plays on `square` and turns `flipped`, and the sides change.
///
/// Every digit that changes goes up by itself: with 0 for the mover, 1 for empty and 2 for the
/// opponent, changing sides is `highest - feature`. The square was empty (1) and is the next mover's
/// opponent's (2): one more than 2 - 1. The flipped discs were the opponent's (2) and are again the
/// next mover's opponent's (2): two more than 2 - 2. So
/// `after = highest - before + 3^square + 2 * (the sum of 3^disc)`.
/// The same sum takes the move back: `before = highest - after + …`.
///
/// Geometry: edax. `features` must be those of a board on which `square` is empty and
/// `flipped` the opponent's.
pub mod feature_update {
    #[allow(unused_imports)]
    use crate::generated::common::feature_update::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    use crate::geometry::edax::{HIGHEST, POWERS};
    /// Four features in a word (Edax AVX): none ever leaves its 16 bits.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn swar(features: &Features, square: usize, flipped: u64, after: &mut Features) {
        let mut turned = Features64::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features64::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features64::load(&POWERS[square & 63]);
        let swapped = Features64::load(&HIGHEST).sub(Features64::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    /// Eight features in a register (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector128(
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let mut turned = Features128::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features128::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features128::load(&POWERS[square & 63]);
        let swapped = Features128::load(&HIGHEST).sub(Features128::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    /// Sixteen features in a register (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector256(
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let mut turned = Features256::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features256::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features256::load(&POWERS[square & 63]);
        let swapped = Features256::load(&HIGHEST).sub(Features256::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    pub use vector256 as selected;
}

/// The features after the mover plays on `square` and turns `flipped`, and the sides change.
///
/// Every digit that changes goes up by itself: with 0 for the mover, 1 for empty and 2 for the
/// opponent, changing sides is `highest - feature`. The square was empty (1) and is the next mover's
/// opponent's (2): one more than 2 - 1. The flipped discs were the opponent's (2) and are again the
/// next mover's opponent's (2): two more than 2 - 2. So
/// `after = highest - before + 3^square + 2 * (the sum of 3^disc)`.
/// The same sum takes the move back: `before = highest - after + …`.
///
/// Geometry: ntest. `features` must be those of a board on which `square` is empty and
/// `flipped` the opponent's.
pub mod feature_update_ntest {
    #[allow(unused_imports)]
    use crate::generated::common::feature_update_ntest::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::Features;
    use crate::geometry::ntest::{HIGHEST, POWERS};
    /// Four features in a word (Edax AVX): none ever leaves its 16 bits.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn swar(features: &Features, square: usize, flipped: u64, after: &mut Features) {
        let mut turned = Features64::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features64::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features64::load(&POWERS[square & 63]);
        let swapped = Features64::load(&HIGHEST).sub(Features64::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    /// Eight features in a register (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector128(
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let mut turned = Features128::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features128::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features128::load(&POWERS[square & 63]);
        let swapped = Features128::load(&HIGHEST).sub(Features128::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    /// Sixteen features in a register (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn vector256(
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        let mut turned = Features256::zero();
        let mut rest = flipped;
        while rest != 0 {
            turned = turned
                .add(Features256::load(&POWERS[rest.trailing_zeros() as usize]));
            rest &= rest - 1;
        }
        let played = Features256::load(&POWERS[square & 63]);
        let swapped = Features256::load(&HIGHEST).sub(Features256::load(features));
        swapped.add(played).add(turned).add(turned).store(after);
    }

    pub use vector256 as selected;
}

/// The discs that turn when the mover plays on the empty `square` (0..=63), as a bitboard; 0 where
/// the move is not legal.
pub mod flip {
    #[allow(unused_imports)]
    use crate::generated::common::flip::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// The mover's square and what it reaches: Kogge and Stone's parallel prefix fill, four directions at
    /// a time by steps of 1, 2 and 2. A run turns if the mover holds the square behind it.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn kogge_stone(square: usize, player: u64, opponent: u64) -> u64 {
        let (players, placed) = (U64x4::splat(player), U64x4::splat(1 << (square & 63)));
        let through = U64x4::splat(opponent).and(U64x4::new([INNER, INNER, !0, INNER]));
        let up = through.and(placed.shl_each([1, 7, 8, 9]));
        let up = up.or(through.and(up.shl_each([1, 7, 8, 9])));
        let pairs = through.and(through.shl_each([1, 7, 8, 9]));
        let up = up.or(pairs.and(up.shl_each([2, 14, 16, 18])));
        let up = up.or(pairs.and(up.shl_each([2, 14, 16, 18])));
        let up = up.and_not(up.shl_each([1, 7, 8, 9]).and(players).is_zero());
        let down = through.and(placed.shr_each([1, 7, 8, 9]));
        let down = down.or(through.and(down.shr_each([1, 7, 8, 9])));
        let pairs = through.and(through.shr_each([1, 7, 8, 9]));
        let down = down.or(pairs.and(down.shr_each([2, 14, 16, 18])));
        let down = down.or(pairs.and(down.shr_each([2, 14, 16, 18])));
        let down = down.and_not(down.shr_each([1, 7, 8, 9]).and(players).is_zero());
        up.or(down).reduce_or()
    }

    /// Carry propagation on 64-bit words: upwards, a carry runs through the opponent's discs and stops
    /// on the first other square of the ray; downwards, that square is the highest bit of the ray that
    /// is not the opponent's. What lies between turns if the mover holds it.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn carry(square: usize, player: u64, opponent: u64) -> u64 {
        let rays = &RAYS[square & 63];
        let mut flipped = 0;
        for (up, down) in rays.up.into_iter().zip(rays.down) {
            flipped |= line(up, down, player, opponent);
        }
        flipped
    }

    /// The discs that turn on one line, given its rays.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn line(up: u64, down: u64, player: u64, opponent: u64) -> u64 {
        let end = (up & !opponent).wrapping_neg() & up & player;
        let upwards = end.saturating_sub(1) & up;
        let end = (1 << 63 >> ((down & !opponent) | 1).leading_zeros()) & down & player;
        upwards | (end << 1).wrapping_neg() & down
    }

    /// Magic multiplications gather each line into a byte and lay its answer back (the bit-gather
    /// seed); two small tables know all lines.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn kindergarten(square: usize, player: u64, opponent: u64) -> u64 {
        let lines = &LINES[square & 63];
        let mut flipped = 0;
        for (i, line) in lines.squares.into_iter().enumerate() {
            let place = usize::from(lines.columns[i] & 7);
            let ends = ENDS[place][gather(opponent, line, i == COLUMN) >> 1 & 63];
            let ends = usize::from(ends) & gather(player, line, i == COLUMN);
            flipped |= spread(BETWEEN[place][ends & 255], line, i == COLUMN);
        }
        flipped
    }

    /// The same by `pext` and `pdep`.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn pext_pdep(square: usize, player: u64, opponent: u64) -> u64 {
        let lines = &LINES[square & 63];
        let mut flipped = 0;
        for (i, line) in lines.squares.into_iter().enumerate() {
            let place = usize::from(lines.places[i] & 7);
            let ends = ENDS[place][pext(opponent, line) >> 1 & 63];
            let ends = usize::from(ends) & pext(player, line);
            flipped |= pdep(BETWEEN[place][ends & 255], line);
        }
        flipped
    }

    /// The discs that turn towards higher squares, four directions at a time, by a carry.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn upwards(rays: &Rays, players: U64x4, opponents: U64x4) -> U64x4 {
        let up = U64x4::new(rays.up);
        let end = up.and_not(opponents).neg().and(up.and(players));
        up.and_not(end.is_zero()).and(end.add(U64x4::splat(!0)))
    }

    /// The carry in 128-bit registers, the board in one lane and upside down in the other, so that one
    /// carry serves a direction and its reverse; the row is done in a word.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn mirror(square: usize, player: u64, opponent: u64) -> u64 {
        let (players, opponents) = (
            U64x2::with_mirror(player),
            U64x2::with_mirror(opponent),
        );
        let ones = U64x2::splat(!0);
        let rays = &RAYS[square & 63];
        let mut pairs = U64x2::splat(0);
        for (up, down) in [
            (rays.up[1], rays.down[3]),
            (rays.up[2], rays.down[2]),
            (rays.up[3], rays.down[1]),
        ] {
            let both = U64x2::new([up, down.swap_bytes()]);
            let end = both.and_not(opponents).neg().and(both.and(players));
            pairs = pairs.or(both.and_not(end.is_zero()).and(end.add(ones)));
        }
        pairs.join_mirror() | line(rays.up[0], rays.down[0], player, opponent)
    }

    /// Four directions at a time: upwards by a carry, downwards by a parallel prefix fill that covers
    /// all that lies behind the first square of the ray that is not the opponent's.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn fill(square: usize, player: u64, opponent: u64) -> u64 {
        let rays = &RAYS[square & 63];
        let (players, opponents) = (U64x4::splat(player), U64x4::splat(opponent));
        let down = U64x4::new(rays.down);
        let behind = down.and_not(opponents).shr_each([1, 7, 8, 9]);
        let behind = behind.or(behind.shr_each([1, 7, 8, 9]));
        let behind = behind.or(behind.shr_each([2, 14, 16, 18]));
        let behind = behind.or(behind.shr_each([2, 14, 16, 18]));
        let end = down.and(players).and_not(behind);
        let downwards = down.and(end.add(end).neg());
        upwards(rays, players, opponents).or(downwards).reduce_or()
    }

    /// Carries on the board, and on the board turned by half: bytes swapped, the bits of each reversed
    /// by half bytes.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn byte_swap(square: usize, player: u64, opponent: u64) -> u64 {
        let (players, opponents) = (U64x4::splat(player), U64x4::splat(opponent));
        let up = upwards(&RAYS[square & 63], players, opponents);
        let down = upwards(
            &RAYS[63 - (square & 63)],
            players.reverse_bits(),
            opponents.reverse_bits(),
        );
        up.or(down.reverse_bits()).reduce_or()
    }

    pub use fill as selected;
}

/// The squares whose line is full, for each kind of line: rows, falling diagonals (A8 to H1),
/// columns, rising diagonals (A1 to H8).
pub mod full_lines {
    #[allow(unused_imports)]
    use crate::generated::common::full_lines::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// A square counts while all that follows it is occupied or off the board: doubling steps of 1, 2
    /// and 4 in both directions, four kinds of line at a time.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub(super) fn prefix_lanes(occupied: u64) -> U64x4 {
        let ends = |i: usize| U64x4::new(ENDS[i]);
        let starts = |i: usize| U64x4::new(STARTS[i]);
        let all = U64x4::splat(occupied);
        let after = all.and(all.shr_each([1, 7, 8, 9]).or(ends(0)));
        let after = after.and(after.shr_each([2, 14, 16, 18]).or(ends(1)));
        let after = after.and(after.shr_each([4, 28, 32, 36]).or(ends(2)));
        let before = all.and(all.shl_each([1, 7, 8, 9]).or(starts(0)));
        let before = before.and(before.shl_each([2, 14, 16, 18]).or(starts(1)));
        let before = before.and(before.shl_each([4, 28, 32, 36]).or(starts(2)));
        after.and(before)
    }

    /// All four kinds of line by doubling steps.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn prefix(player: u64, opponent: u64) -> [u64; 4] {
        prefix_lanes(player | opponent).to_array()
    }

    /// Rows and columns by folding, diagonals by doubling steps, a word for each.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn fold(player: u64, opponent: u64) -> [u64; 4] {
        let all = player | opponent;
        let row = all & all >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
        let row = row & row >> 2;
        let row = row & row >> 1 & 0x0101_0101_0101_0101;
        let column = all & all.rotate_left(32);
        let column = column & column.rotate_left(16);
        let column = column & column.rotate_left(8);
        let diagonal = |axis: usize, step: u32| {
            let after = all & (all >> step | ENDS[0][axis]);
            let after = after & (after >> (2 * step) | ENDS[1][axis]);
            let after = after & (after >> (4 * step) | ENDS[2][axis]);
            let before = all & (all << step | STARTS[0][axis]);
            let before = before & (before << (2 * step) | STARTS[1][axis]);
            let before = before & (before << (4 * step) | STARTS[2][axis]);
            after & before
        };
        [row.wrapping_mul(0xFF), diagonal(1, 7), column, diagonal(3, 9)]
    }

    pub use prefix as selected;
}

/// The number of discs that turn when the mover plays on `square`, the only empty square of a board
/// on which all that is not the mover's is the opponent's. A bit of `player` on `square` is ignored.
pub mod last_flip_count {
    #[allow(unused_imports)]
    use crate::generated::common::last_flip_count::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    use crate::generated::common::flip::RAYS;
    /// The move itself, and its discs counted.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn plain(square: usize, player: u64) -> i32 {
        super::flip::selected(square, player, !(player | 1 << (square & 63)))
            .count_ones() as i32
    }

    /// The square, and all that lies before the mover's nearest disc on each ray: upwards by a carry,
    /// downwards from the highest bit. What turns is disjoint, so one count does.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn carry(square: usize, player: u64) -> i32 {
        let rays = &RAYS[square & 63];
        let mut flipped = 0;
        for (up, down) in rays.up.into_iter().zip(rays.down) {
            let end = player & up;
            flipped |= (end & end.wrapping_neg()).saturating_sub(1) & up;
            let end = player & down;
            flipped
                |= ((1 << 63 >> (end | 1).leading_zeros() & end) << 1).wrapping_neg()
                    & down;
        }
        flipped.count_ones() as i32
    }

    /// Four bit gathers by multiplication (the bit-gather seed), four looks into one table.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn kindergarten(square: usize, player: u64) -> i32 {
        let (x, y) = (square & 7, square >> 3 & 7);
        let [rising, falling] = DIAGONALS[square & 63];
        let by_column = &LINE_FLIPS[x];
        let gather = |line: u64| {
            (line.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
        };
        let row = (player >> (8 * y)) as usize & 255;
        let column = (player >> x & 0x0101_0101_0101_0101)
            .wrapping_mul(0x0102_0408_1020_4080) >> 56;
        i32::from(by_column[row]) + i32::from(LINE_FLIPS[y][column as usize])
            + i32::from(by_column[gather(player & rising)])
            + i32::from(by_column[gather(player & falling)])
    }

    /// Both diagonals by one sum of bytes, the column by the signs of the bytes (Edax AVX).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn movemask(square: usize, player: u64) -> i32 {
        let (x, y) = (square & 7, square >> 3 & 7);
        let by_column = &LINE_FLIPS[x];
        let players = U64x2::splat(player);
        let [rising, falling] = players
            .and(U64x2::new(DIAGONALS[square & 63]))
            .byte_sums();
        let column = players.shl_by(7 - x).byte_signs() & 255;
        let row = (player >> (8 * y)) as usize & 255;
        i32::from(by_column[row]) + i32::from(LINE_FLIPS[y][column])
            + i32::from(by_column[rising & 255]) + i32::from(by_column[falling & 255])
    }

    /// The three lines that meet a row in one square at most, each gathered by which of its bytes are
    /// not zero: one comparison and one movemask for all.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn bytemask(square: usize, player: u64) -> i32 {
        let held = U64x4::splat(player).and(U64x4::new(LINES[square & 63]));
        by_rows(square, player, !held.zero_bytes() as usize)
    }

    /// The count, given in the lowest three bytes of `rows` the rows in which the mover holds a square of
    /// the rising diagonal, of the falling one, and of the column.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn by_rows(square: usize, player: u64, rows: usize) -> i32 {
        let (x, y) = (square & 7, square >> 3 & 7);
        let by_row = &LINE_FLIPS[y];
        let row = (player >> (8 * y)) as usize & 255;
        i32::from(LINE_FLIPS[x][row]) + i32::from(by_row[rows & 255])
            + i32::from(by_row[rows >> 8 & 255]) + i32::from(by_row[rows >> 16 & 255])
    }

    /// One `pext` a line. A short diagonal is gathered without gaps at its lower end, so the place of the
    /// square on it is its distance from there.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn pext_lines(square: usize, player: u64) -> i32 {
        let (x, y) = (square & 7, square >> 3 & 7);
        let lines = &LINES[square & 63];
        let full = |line: u64| line | 1 << (square & 63);
        let row = (player >> (8 * y)) as usize & 255;
        i32::from(LINE_FLIPS[x][row])
            + i32::from(LINE_FLIPS[y][pext(player, full(lines[2])) & 255])
            + i32::from(LINE_FLIPS[x.min(y)][pext(player, full(lines[0])) & 255])
            + i32::from(LINE_FLIPS[y.min(7 - x)][pext(player, full(lines[1])) & 255])
    }

    pub use bytemask as selected;
}

/// The mover's score with one empty square left, cut short where `alpha` allows it: the lazy high and
/// low cut-offs of Edax AVX.
///
/// All that is not the mover's is the opponent's; a bit of `player` on `square` is ignored. Where the
/// mover can play and the least that a move gives is over `alpha`, that least score is the answer (a
/// lower bound); where the mover must pass and the game's end on that is not over `alpha`, that score
/// is (an upper bound). Everything else is exact.
pub mod last_move_score {
    #[allow(unused_imports)]
    use crate::generated::common::last_move_score::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Counts the mover's flips, then the opponent's where they matter.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn count(square: usize, player: u64, alpha: i32) -> i32 {
        let player = player & !(1 << (square & 63));
        let difference = 2 * player.count_ones() as i32 - 63;
        let flips = super::last_flip_count::selected(square, player);
        if flips > 0 {
            return if difference + 3 > alpha {
                difference + 3
            } else {
                difference + 2 * flips + 1
            };
        }
        let game_over = difference + difference.signum();
        if game_over <= alpha {
            return game_over;
        }
        let flips = super::last_flip_count::selected(square, !player);
        if flips > 0 { difference - 2 * flips - 1 } else { game_over }
    }

    /// Counts both sides' flips whether they matter or not: more work for fewer branches.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn both(square: usize, player: u64, alpha: i32) -> i32 {
        let player = player & !(1 << (square & 63));
        let mine = super::last_flip_count::selected(square, player);
        let theirs = super::last_flip_count::selected(square, !player);
        settle(player, mine, theirs, alpha)
    }

    /// The answer, given how many discs turn when either side plays.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn settle(player: u64, mine: i32, theirs: i32, alpha: i32) -> i32 {
        let difference = 2 * player.count_ones() as i32 - 63;
        let least = difference + 3;
        let moved = if least > alpha { least } else { difference + 2 * mine + 1 };
        let game_over = difference + difference.signum();
        let answered = difference - 2 * theirs - 1;
        let passed = if game_over > alpha && theirs > 0 { answered } else { game_over };
        if mine > 0 { moved } else { passed }
    }
    use crate::generated::common::flip::RAYS;
    /// The same with one `pext` a line.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn pext(square: usize, player: u64, alpha: i32) -> i32 {
        let player = player & !(1 << (square & 63));
        let difference = 2 * player.count_ones() as i32 - 63;
        let flips = super::last_flip_count::pext_lines(square, player);
        if flips > 0 {
            return if difference + 3 > alpha {
                difference + 3
            } else {
                difference + 2 * flips + 1
            };
        }
        let game_over = difference + difference.signum();
        if game_over <= alpha {
            return game_over;
        }
        let flips = super::last_flip_count::pext_lines(square, !player);
        if flips > 0 { difference - 2 * flips - 1 } else { game_over }
    }

    /// Where any move is good enough, only whether one exists is asked: some ray that begins with the
    /// opponent's disc has one of the mover's on it.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn lazy_high(square: usize, player: u64, alpha: i32) -> i32 {
        let player = player & !(1 << (square & 63));
        let difference = 2 * player.count_ones() as i32 - 63;
        let game_over = difference + difference.signum();
        if difference + 3 <= alpha {
            let flips = super::last_flip_count::selected(square, player);
            return if flips > 0 { difference + 2 * flips + 1 } else { game_over };
        }
        let rays = &RAYS[square & 63];
        let players = U64x4::splat(player);
        let (up, down) = (U64x4::new(rays.up), U64x4::new(rays.down));
        let up = up.and_not(players).and_not(up.and(players).is_zero());
        let down = down.and_not(players).and_not(down.and(players).is_zero());
        if !up.or(down).is_disjoint(U64x4::splat(NEIGHBOURS[square & 63])) {
            return difference + 3;
        }
        if game_over <= alpha {
            return game_over;
        }
        let flips = super::last_flip_count::selected(square, !player);
        if flips > 0 { difference - 2 * flips - 1 } else { game_over }
    }

    pub use count as selected;
}

/// The squares where the mover may play, as a bitboard.
pub mod mobility {
    #[allow(unused_imports)]
    use crate::generated::common::mobility::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Four directions at a time, each with its reverse: the mover's discs flow through the opponent's
    /// by parallel prefix (steps of 1, 2, 2), and one square further.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn parallel(player: u64, opponent: u64) -> u64 {
        let players = U64x4::splat(player);
        let through = U64x4::splat(opponent).and(U64x4::new([INNER, INNER, !0, INNER]));
        let up = through.and(players.shl_each([1, 7, 8, 9]));
        let up = up.or(through.and(up.shl_each([1, 7, 8, 9])));
        let pairs = through.and(through.shl_each([1, 7, 8, 9]));
        let up = up.or(pairs.and(up.shl_each([2, 14, 16, 18])));
        let up = up.or(pairs.and(up.shl_each([2, 14, 16, 18])));
        let down = through.and(players.shr_each([1, 7, 8, 9]));
        let down = down.or(through.and(down.shr_each([1, 7, 8, 9])));
        let pairs = through.and(through.shr_each([1, 7, 8, 9]));
        let down = down.or(pairs.and(down.shr_each([2, 14, 16, 18])));
        let down = down.or(pairs.and(down.shr_each([2, 14, 16, 18])));
        let reached = up.shl_each([1, 7, 8, 9]).or(down.shr_each([1, 7, 8, 9]));
        reached.reduce_or() & !(player | opponent)
    }

    /// The board in one 128-bit lane and upside down in the other: one flow serves a direction and its
    /// reverse; the row is done in words.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn mirror(player: u64, opponent: u64) -> u64 {
        let players = U64x2::with_mirror(player);
        let all = U64x2::with_mirror(opponent);
        let inner = all.and(U64x2::splat(INNER));
        let row = opponent & INNER;
        let right = row & (player << 1);
        let right = right | row & (right << 1);
        let pairs = row & (row << 1);
        let right = right | pairs & (right << 2);
        let right = right | pairs & (right << 2);
        let left = row & (player >> 1);
        let left = left | row & (left >> 1);
        let pairs = row & (row >> 1);
        let left = left | pairs & (left >> 2);
        let left = left | pairs & (left >> 2);
        let reached = flow::<7, 14>(players, inner)
            .or(flow::<8, 16>(players, all))
            .or(flow::<9, 18>(players, inner));
        (reached.join_mirror() | right << 1 | left >> 1) & !(player | opponent)
    }

    /// The squares just behind runs of `through` that begin beside `from`, by steps of `STEP`, twice which
    /// is `TWICE`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn flow<const STEP: i32, const TWICE: i32>(from: U64x2, through: U64x2) -> U64x2 {
        let run = through.and(from.shl::<STEP>());
        let run = run.or(through.and(run.shl::<STEP>()));
        let pairs = through.and(through.shl::<STEP>());
        let run = run.or(pairs.and(run.shl::<TWICE>()));
        let run = run.or(pairs.and(run.shl::<TWICE>()));
        run.shl::<STEP>()
    }

    pub use parallel as selected;
}

/// The order in which to try the last four empties, by parity (Edax AVX's shuffle).
///
/// `squares` holds four different squares, the first in the lowest byte, in an order of preference.
/// The result has four groups of four bytes, lowest first: group `i` is the `i`-th square to try, and
/// the three that are left in the order in which the answer should try them. Squares alone in their
/// quadrant, or one of three there, come before those that share it evenly.
pub mod parity_sort {
    #[allow(unused_imports)]
    use crate::generated::common::parity_sort::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Byte by byte.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn table(squares: u32) -> u128 {
        let mut bytes = order(squares).to_le_bytes();
        for byte in &mut bytes {
            *byte = (squares >> (8 * u32::from(*byte & 3))) as u8;
        }
        u128::from_le_bytes(bytes)
    }

    /// All sixteen bytes by one shuffle.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn shuffle(squares: u32) -> u128 {
        shuffle_bytes(squares, order(squares))
    }

    pub use shuffle as selected;
}

/// The empty squares that touch a disc of the opponent: where the mover may one day play.
pub mod potential_mobility {
    #[allow(unused_imports)]
    use crate::generated::common::potential_mobility::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// The opponent's discs grown by one square along the row, then along the column.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn dilate(player: u64, opponent: u64) -> u64 {
        let row = opponent | (opponent << 1) & NOT_A | (opponent & NOT_A) >> 1;
        (row | row << 8 | row >> 8) & !(player | opponent)
    }

    /// The opponent's discs moved in four directions and their reverses at a time.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn lanes(player: u64, opponent: u64) -> u64 {
        const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let opponents = U64x4::splat(opponent);
        let up = opponents
            .and(U64x4::new([NOT_H, NOT_A, !0, NOT_H]))
            .shl_each([1, 7, 8, 9]);
        let down = opponents
            .and(U64x4::new([NOT_A, NOT_H, !0, NOT_A]))
            .shr_each([1, 7, 8, 9]);
        up.or(down).reduce_or() & !(player | opponent)
    }

    pub use dilate as selected;
}

/// The discs whose row, column and diagonals are all full. They never turn again, and they never turn
/// another disc, so the rest of the game does not depend on their colour (Matsuo and Narazaki).
pub mod solid_discs {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// What is in a full line of every kind.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn full_lines(player: u64, opponent: u64) -> u64 {
        super::full_lines::prefix_lanes(player | opponent).reduce_and()
    }

    pub use full_lines as selected;
}

/// The mover's discs that are known never to turn: stable edges, solid discs, and what these protect
/// in each of its four lines, spread until nothing more follows.
pub mod stability {
    #[allow(unused_imports)]
    use crate::generated::common::stability::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Four kinds of line at a time: a disc is safe on a line that is full, or where it lies beside a
    /// stable disc.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn spread(player: u64, opponent: u64) -> u64 {
        let full = super::full_lines::prefix_lanes(player | opponent);
        let mut stable = super::edge_stability::selected(player, opponent)
            | full.reduce_and() & player;
        if stable == 0 {
            return 0;
        }
        loop {
            let lanes = U64x4::splat(stable);
            let beside = lanes.shl_each([1, 7, 8, 9]).or(lanes.shr_each([1, 7, 8, 9]));
            let safe = beside.or(full).reduce_and() & player & CENTRE;
            if safe & !stable == 0 {
                return stable;
            }
            stable |= safe;
        }
    }

    pub use spread as selected;
}

/// The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left
/// to right, upside down, both, and the same four of the board with rows and columns exchanged.
pub mod symmetries {
    #[allow(unused_imports)]
    use crate::generated::common::symmetries::*;
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Bit and byte swaps in words.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn words(player: u64) -> [u64; 8] {
        let transposed = super::transpose::selected(player);
        let [a, b, c, d] = four(player);
        let [e, f, g, h] = four(transposed);
        [a, b, c, d, e, f, g, h]
    }

    pub use words as selected;
}

/// The mover's discs with rows and columns exchanged: the board mirrored at the diagonal from A1 to H8.
pub mod transpose {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// Squares exchanged a block at a time: 4 x 4 squares, 2 x 2, single ones (Warren's delta swaps).
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn swaps(player: u64) -> u64 {
        exchange::<
            7,
        >(
            exchange::<
                14,
            >(exchange::<28>(player, 0x0000_0000_F0F0_F0F0), 0x0000_CCCC_0000_CCCC),
            0x00AA_00AA_00AA_00AA,
        )
    }

    /// Exchanges the squares of `mask` with those `STEP` squares higher.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn exchange<const STEP: u32>(board: u64, mask: u64) -> u64 {
        let changed = (board ^ board >> STEP) & mask;
        board ^ changed ^ changed << STEP
    }

    pub use swaps as selected;
}

/// The number of squares where the mover may play, corners counted twice: what move ordering
/// asks about the opponent's answers (Edax).
pub mod weighted_mobility {
    #[allow(unused_imports)]
    use crate::vector::v3::*;
    /// The moves, and those of them that are corners.
    ///
    /// # Safety
    /// The CPU has the level v3, unless the caller is compiled for it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    pub fn corners_twice(player: u64, opponent: u64) -> i32 {
        let moves = super::mobility::selected(player, opponent);
        (moves.count_ones() + (moves & 0x8100_0000_0000_0081).count_ones()) as i32
    }

    pub use corners_twice as selected;
}

impl Isa for crate::tokens::V3 {
    const LEVEL: Level = Level::V3;
    #[inline(always)]
    fn board_hash(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(board_hash::selected(player, opponent))
    }

    #[inline(always)]
    fn canonical(self, player: u64, opponent: u64) -> [u64; 2] {
        crate::level::proven!(canonical::selected(player, opponent))
    }

    #[inline(always)]
    fn clear(self, memory: &mut [Block], pattern: [u64; 4]) {
        crate::level::proven!(clear::selected(memory, pattern))
    }

    #[inline(always)]
    fn corner_stability(self, player: u64) -> i32 {
        crate::level::proven!(corner_stability::selected(player))
    }

    #[inline(always)]
    fn edge_stability(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(edge_stability::selected(player, opponent))
    }

    #[inline(always)]
    fn eval_sum(self, weights: &Weights, features: &Features) -> i32 {
        crate::level::proven!(eval_sum::selected(weights, features))
    }

    #[inline(always)]
    fn feature_pass(self, features: &Features, after: &mut Features) {
        crate::level::proven!(feature_pass::selected(features, after))
    }

    #[inline(always)]
    fn feature_pass_ntest(self, features: &Features, after: &mut Features) {
        crate::level::proven!(feature_pass_ntest::selected(features, after))
    }

    #[inline(always)]
    fn feature_restore(
        self,
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        crate::level::proven!(
            feature_restore::selected(features, moved, square, flipped, after)
        )
    }

    #[inline(always)]
    fn feature_restore_ntest(
        self,
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        crate::level::proven!(
            feature_restore_ntest::selected(features, moved, square, flipped, after)
        )
    }

    #[inline(always)]
    fn feature_update(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        crate::level::proven!(feature_update::selected(features, square, flipped, after))
    }

    #[inline(always)]
    fn feature_update_ntest(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        crate::level::proven!(
            feature_update_ntest::selected(features, square, flipped, after)
        )
    }

    #[inline(always)]
    fn flip(self, square: usize, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(flip::selected(square, player, opponent))
    }

    #[inline(always)]
    fn full_lines(self, player: u64, opponent: u64) -> [u64; 4] {
        crate::level::proven!(full_lines::selected(player, opponent))
    }

    #[inline(always)]
    fn last_flip_count(self, square: usize, player: u64) -> i32 {
        crate::level::proven!(last_flip_count::selected(square, player))
    }

    #[inline(always)]
    fn last_move_score(self, square: usize, player: u64, alpha: i32) -> i32 {
        crate::level::proven!(last_move_score::selected(square, player, alpha))
    }

    #[inline(always)]
    fn mobility(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(mobility::selected(player, opponent))
    }

    #[inline(always)]
    fn parity_sort(self, squares: u32) -> u128 {
        crate::level::proven!(parity_sort::selected(squares))
    }

    #[inline(always)]
    fn potential_mobility(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(potential_mobility::selected(player, opponent))
    }

    #[inline(always)]
    fn solid_discs(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(solid_discs::selected(player, opponent))
    }

    #[inline(always)]
    fn stability(self, player: u64, opponent: u64) -> u64 {
        crate::level::proven!(stability::selected(player, opponent))
    }

    #[inline(always)]
    fn symmetries(self, player: u64) -> [u64; 8] {
        crate::level::proven!(symmetries::selected(player))
    }

    #[inline(always)]
    fn transpose(self, player: u64) -> u64 {
        crate::level::proven!(transpose::selected(player))
    }

    #[inline(always)]
    fn weighted_mobility(self, player: u64, opponent: u64) -> i32 {
        crate::level::proven!(weighted_mobility::selected(player, opponent))
    }
}

/// Every algorithm of every kernel at this level.
pub(crate) static ENTRIES: &[Entry] = &[
    entry!(
        returns board_hash::table, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> u64, (player, opponent), [60usize]
    ),
    entry!(
        returns board_hash::instruction, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (u64, u64) -> u64, (player, opponent), [10usize "crc32"]
    ),
    entry!(
        returns canonical::least, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64,
        u64) -> [u64; 2], (player, opponent), [198usize]
    ),
    entry!(
        returns canonical::player_first, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (u64, u64) -> [u64; 2], (player, opponent), [304usize]
    ),
    entry!(
        fills clear::stores, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& mut
        [Block], [u64; 4]), (memory, pattern), [42usize]
    ),
    entry!(
        fills clear::stream_16, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& mut
        [Block], [u64; 4]), (memory, pattern), [18usize "movntdq"]
    ),
    entry!(
        fills clear::stream_32, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& mut
        [Block], [u64; 4]), (memory, pattern), [15usize "vmovntdq"]
    ),
    entry!(
        returns corner_stability::shifts, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (u64) -> i32, (player), [23usize]
    ),
    entry!(
        returns edge_stability::kindergarten, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> u64, (player, opponent),
        [63usize "imul"]
    ),
    entry!(
        returns edge_stability::movemask, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (u64, u64) -> u64, (player, opponent), [41usize "vpmovmskb"]
    ),
    entry!(
        returns edge_stability::interleave, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> u64, (player, opponent),
        [34usize "vpunpcklbw"]
    ),
    entry!(
        returns edge_stability::pext_columns, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> u64, (player, opponent),
        [39usize "pext" "pdep"]
    ),
    entry!(
        returns eval_sum::scalar, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (&
        Weights, & Features) -> i32, (weights, features), []
    ),
    entry!(
        returns eval_sum::gather8, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (&
        Weights, & Features) -> i32, (weights, features), []
    ),
    entry!(
        writes feature_pass::swar, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (&
        Features, & mut Features), (features, after), []
    ),
    entry!(
        writes feature_pass::vector128, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (& Features, & mut Features), (features, after), []
    ),
    entry!(
        writes feature_pass::vector256, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (& Features, & mut Features), (features, after), []
    ),
    entry!(
        writes feature_pass_ntest::swar, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (& Features, & mut Features), (features_ntest, after), []
    ),
    entry!(
        writes feature_pass_ntest::vector128, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, & mut Features),
        (features_ntest, after), []
    ),
    entry!(
        writes feature_pass_ntest::vector256, V3, true,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, & mut Features),
        (features_ntest, after), []
    ),
    entry!(
        writes feature_restore::copy, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (& Features, & Features, usize, u64, & mut Features), (features, moved, square,
        flipped, after), []
    ),
    entry!(
        writes feature_restore::reverse, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (& Features, & Features, usize, u64, & mut Features), (features, moved,
        square, flipped, after), []
    ),
    entry!(
        writes feature_restore_ntest::copy, V3, true,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, & Features, usize, u64, &
        mut Features), (features_ntest, moved_ntest, square, flipped, after), []
    ),
    entry!(
        writes feature_restore_ntest::reverse, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, & Features, usize, u64, &
        mut Features), (features_ntest, moved_ntest, square, flipped, after), []
    ),
    entry!(
        writes feature_update::swar, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (& Features, usize, u64, & mut Features), (features, square, flipped, after), []
    ),
    entry!(
        writes feature_update::vector128, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (& Features, usize, u64, & mut Features), (features, square, flipped, after),
        []
    ),
    entry!(
        writes feature_update::vector256, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (& Features, usize, u64, & mut Features), (features, square, flipped, after),
        []
    ),
    entry!(
        writes feature_update_ntest::swar, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, usize, u64, & mut Features),
        (features_ntest, square, flipped, after), []
    ),
    entry!(
        writes feature_update_ntest::vector128, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, usize, u64, & mut Features),
        (features_ntest, square, flipped, after), []
    ),
    entry!(
        writes feature_update_ntest::vector256, V3, true,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (& Features, usize, u64, & mut Features),
        (features_ntest, square, flipped, after), []
    ),
    entry!(
        returns flip::kogge_stone, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, u64) -> u64, (square, player, opponent), [62usize "vpsllvq"]
    ),
    entry!(
        returns flip::carry, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize,
        u64, u64) -> u64, (square, player, opponent), [72usize]
    ),
    entry!(
        returns flip::kindergarten, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, u64) -> u64, (square, player, opponent), [130usize "imul"]
    ),
    entry!(
        returns flip::pext_pdep, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, u64) -> u64, (square, player, opponent), [92usize "pext" "pdep"]
    ),
    entry!(
        returns flip::mirror, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize,
        u64, u64) -> u64, (square, player, opponent), [87usize "vpshufb"]
    ),
    entry!(
        returns flip::fill, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize,
        u64, u64) -> u64, (square, player, opponent), [50usize "vpsrlvq"]
    ),
    entry!(
        returns flip::byte_swap, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, u64) -> u64, (square, player, opponent), [75usize "vpshufb"]
    ),
    entry!(
        returns full_lines::prefix, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> [u64; 4], (player, opponent), [34usize "vpsllvq"]
    ),
    entry!(
        returns full_lines::fold, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> [u64; 4], (player, opponent), [102usize]
    ),
    entry!(
        returns last_flip_count::plain, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (usize, u64) -> i32, (square, player), [52usize]
    ),
    entry!(
        returns last_flip_count::carry, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (usize, u64) -> i32, (square, player), [67usize]
    ),
    entry!(
        returns last_flip_count::kindergarten, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize, u64) -> i32, (square, player),
        [49usize "imul"]
    ),
    entry!(
        returns last_flip_count::movemask, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize, u64) -> i32, (square, player),
        [45usize "vpmovmskb" "vpsadbw"]
    ),
    entry!(
        returns last_flip_count::bytemask, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (usize, u64) -> i32, (square, player), [43usize "vpmovmskb"]
    ),
    entry!(
        returns last_flip_count::pext_lines, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize, u64) -> i32, (square, player),
        [61usize "pext"]
    ),
    entry!(
        returns last_move_score::count, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, i32) -> i32, (square, player, alpha), [116usize]
    ),
    entry!(
        returns last_move_score::both, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, i32) -> i32, (square, player, alpha), [97usize]
    ),
    entry!(
        returns last_move_score::pext, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (usize, u64, i32) -> i32, (square, player, alpha), [114usize "pext"]
    ),
    entry!(
        returns last_move_score::lazy_high, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (usize, u64, i32) -> i32, (square,
        player, alpha), [138usize "vptest"]
    ),
    entry!(
        returns mobility::parallel, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> u64, (player, opponent), [52usize "vpsllvq"]
    ),
    entry!(
        returns mobility::mirror, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> u64, (player, opponent), [104usize "vpshufb"]
    ),
    entry!(
        returns parity_sort::table, V3, false, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u32) -> u128, (squares), [171usize]
    ),
    entry!(
        returns parity_sort::shuffle, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u32) -> u128, (squares), [24usize "vpshufb"]
    ),
    entry!(
        returns potential_mobility::dilate, V3, true,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> u64, (player, opponent),
        [23usize]
    ),
    entry!(
        returns potential_mobility::lanes, V3, false,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> u64, (player, opponent),
        [21usize "vpsllvq"]
    ),
    entry!(
        returns solid_discs::full_lines, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"],
        fn (u64, u64) -> u64, (player, opponent), [38usize "vpsllvq"]
    ),
    entry!(
        returns stability::spread, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64, u64) -> u64, (player, opponent), [106usize "vpsllvq"]
    ),
    entry!(
        returns symmetries::words, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn
        (u64) -> [u64; 8], (player), [127usize]
    ),
    entry!(
        returns transpose::swaps, V3, true, ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64)
        -> u64, (player), [32usize]
    ),
    entry!(
        returns weighted_mobility::corners_twice, V3, true,
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"], fn (u64, u64) -> i32, (player, opponent),
        [58usize "popcnt"]
    ),
];
