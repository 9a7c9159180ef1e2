//! The kernels at level portable: 64-bit integer code, any target.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

use crate::generated::Kernels;
use crate::Isa;
use crate::Block;
use crate::Features;
use crate::Weights;
/// The hash of a board: CRC32C of the mover's discs in the high half, and of the mover's and then the
/// opponent's in the low half (Edax AVX).
pub mod board_hash {
    #[allow(unused_imports)]
    use crate::generated::common::board_hash::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// Sixteen looks into a table of 4 KiB.
    #[inline]
    pub fn table(player: u64, opponent: u64) -> u64 {
        let high = crc32c_by_table(0, player);
        u64::from(high) << 32 | u64::from(crc32c_by_table(high, opponent))
    }

    #[cfg(not(feature = "record"))]
    pub use table as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(board_hash, player, opponent);
        table(player, opponent)
    }
}

/// The board among its eight images that comes first, by the mover's discs and then the opponent's, as
/// numbers: one board stands for all that are the same but for symmetry.
pub mod canonical {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// All eight images of both sides, and the least pair.
    #[inline]
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
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use least as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> [u64; 2] {
        crate::record::note!(canonical, player, opponent);
        least(player, opponent)
    }
}

/// Fills `memory` with `pattern`, again and again: how a transposition table is emptied.
pub mod clear {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Block;
    /// Ordinary stores.
    #[inline]
    pub fn stores(memory: &mut [Block], pattern: [u64; 4]) {
        for block in memory {
            *block = Block(pattern);
        }
    }

    pub use stores as selected;
}

/// The number of the mover's corners, and of the squares beside them on the edges that they make
/// stable (0..=12): the cheap part of stability that move ordering uses.
pub mod corner_stability {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// Each corner held is moved to its two neighbours on the edges.
    #[inline]
    pub fn shifts(player: u64) -> i32 {
        let corners = player & 0x8100_0000_0000_0081;
        let (west, east) = (
            corners & 0x0100_0000_0000_0001,
            corners & 0x8000_0000_0000_0080,
        );
        let beside = west << 1 | east >> 1 | corners << 8 | corners >> 8;
        (corners | beside & player).count_ones() as i32
    }

    #[cfg(not(feature = "record"))]
    pub use shifts as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64) -> i32 {
        crate::record::note!(corner_stability, player);
        shifts(player)
    }
}

/// The mover's discs on the four edges that no sequence of moves can turn, each edge on its own.
pub mod edge_stability {
    #[allow(unused_imports)]
    use crate::generated::common::edge_stability::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// The columns gathered by multiplication (Petric, "Bit Gather Via Multiplication", 2013).
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use kindergarten as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(edge_stability, player, opponent);
        kindergarten(player, opponent)
    }
}

/// The sum of the packed weights of all features: that of two neighbouring stages at once.
///
/// `features` may be any, but for those that the geometry does not use, which are 0: no value leads out
/// of the weights.
pub mod eval_sum {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    use crate::Weights;
    use crate::geometry::edax::{COUNT, OFFSETS};
    const _: () = assert!(COUNT == 46, "all features, and none more, are added below");
    /// One load after the other. Written out, because the compiler knows an index to be inside only where
    /// it knows the offset.
    #[inline]
    pub fn scalar(weights: &Weights, features: &Features) -> i32 {
        let weight = |i: usize| {
            weights.0[OFFSETS[i] as usize + usize::from(features.0[i])]
        };
        let mut sum = 0_i32;
        sum = sum.wrapping_add(weight(0));
        sum = sum.wrapping_add(weight(1));
        sum = sum.wrapping_add(weight(2));
        sum = sum.wrapping_add(weight(3));
        sum = sum.wrapping_add(weight(4));
        sum = sum.wrapping_add(weight(5));
        sum = sum.wrapping_add(weight(6));
        sum = sum.wrapping_add(weight(7));
        sum = sum.wrapping_add(weight(8));
        sum = sum.wrapping_add(weight(9));
        sum = sum.wrapping_add(weight(10));
        sum = sum.wrapping_add(weight(11));
        sum = sum.wrapping_add(weight(12));
        sum = sum.wrapping_add(weight(13));
        sum = sum.wrapping_add(weight(14));
        sum = sum.wrapping_add(weight(15));
        sum = sum.wrapping_add(weight(16));
        sum = sum.wrapping_add(weight(17));
        sum = sum.wrapping_add(weight(18));
        sum = sum.wrapping_add(weight(19));
        sum = sum.wrapping_add(weight(20));
        sum = sum.wrapping_add(weight(21));
        sum = sum.wrapping_add(weight(22));
        sum = sum.wrapping_add(weight(23));
        sum = sum.wrapping_add(weight(24));
        sum = sum.wrapping_add(weight(25));
        sum = sum.wrapping_add(weight(26));
        sum = sum.wrapping_add(weight(27));
        sum = sum.wrapping_add(weight(28));
        sum = sum.wrapping_add(weight(29));
        sum = sum.wrapping_add(weight(30));
        sum = sum.wrapping_add(weight(31));
        sum = sum.wrapping_add(weight(32));
        sum = sum.wrapping_add(weight(33));
        sum = sum.wrapping_add(weight(34));
        sum = sum.wrapping_add(weight(35));
        sum = sum.wrapping_add(weight(36));
        sum = sum.wrapping_add(weight(37));
        sum = sum.wrapping_add(weight(38));
        sum = sum.wrapping_add(weight(39));
        sum = sum.wrapping_add(weight(40));
        sum = sum.wrapping_add(weight(41));
        sum = sum.wrapping_add(weight(42));
        sum = sum.wrapping_add(weight(43));
        sum = sum.wrapping_add(weight(44));
        sum = sum.wrapping_add(weight(45));
        sum
    }

    /// The same with four features from one load: loads are what a CPU can do fewest of. Three sums do not
    /// wait for each other, one for the features of each register that an update leaves at v3.
    #[inline]
    pub fn words(weights: &Weights, features: &Features) -> i32 {
        let features = Features64::load(features);
        let weight = |i: usize| {
            let feature = features.feature(i / 4, i % 4);
            weights.0[OFFSETS[i] as usize + usize::from(feature)]
        };
        let mut sums = [0_i32; 3];
        sums[0] = sums[0].wrapping_add(weight(0));
        sums[0] = sums[0].wrapping_add(weight(1));
        sums[0] = sums[0].wrapping_add(weight(2));
        sums[0] = sums[0].wrapping_add(weight(3));
        sums[0] = sums[0].wrapping_add(weight(4));
        sums[0] = sums[0].wrapping_add(weight(5));
        sums[0] = sums[0].wrapping_add(weight(6));
        sums[0] = sums[0].wrapping_add(weight(7));
        sums[0] = sums[0].wrapping_add(weight(8));
        sums[0] = sums[0].wrapping_add(weight(9));
        sums[0] = sums[0].wrapping_add(weight(10));
        sums[0] = sums[0].wrapping_add(weight(11));
        sums[0] = sums[0].wrapping_add(weight(12));
        sums[0] = sums[0].wrapping_add(weight(13));
        sums[0] = sums[0].wrapping_add(weight(14));
        sums[0] = sums[0].wrapping_add(weight(15));
        sums[1] = sums[1].wrapping_add(weight(16));
        sums[1] = sums[1].wrapping_add(weight(17));
        sums[1] = sums[1].wrapping_add(weight(18));
        sums[1] = sums[1].wrapping_add(weight(19));
        sums[1] = sums[1].wrapping_add(weight(20));
        sums[1] = sums[1].wrapping_add(weight(21));
        sums[1] = sums[1].wrapping_add(weight(22));
        sums[1] = sums[1].wrapping_add(weight(23));
        sums[1] = sums[1].wrapping_add(weight(24));
        sums[1] = sums[1].wrapping_add(weight(25));
        sums[1] = sums[1].wrapping_add(weight(26));
        sums[1] = sums[1].wrapping_add(weight(27));
        sums[1] = sums[1].wrapping_add(weight(28));
        sums[1] = sums[1].wrapping_add(weight(29));
        sums[1] = sums[1].wrapping_add(weight(30));
        sums[1] = sums[1].wrapping_add(weight(31));
        sums[2] = sums[2].wrapping_add(weight(32));
        sums[2] = sums[2].wrapping_add(weight(33));
        sums[2] = sums[2].wrapping_add(weight(34));
        sums[2] = sums[2].wrapping_add(weight(35));
        sums[2] = sums[2].wrapping_add(weight(36));
        sums[2] = sums[2].wrapping_add(weight(37));
        sums[2] = sums[2].wrapping_add(weight(38));
        sums[2] = sums[2].wrapping_add(weight(39));
        sums[2] = sums[2].wrapping_add(weight(40));
        sums[2] = sums[2].wrapping_add(weight(41));
        sums[2] = sums[2].wrapping_add(weight(42));
        sums[2] = sums[2].wrapping_add(weight(43));
        sums[2] = sums[2].wrapping_add(weight(44));
        sums[2] = sums[2].wrapping_add(weight(45));
        apart(sums[0]).wrapping_add(apart(sums[1])).wrapping_add(sums[2])
    }

    pub use words as selected;
}

/// The features after the mover passes: the sides change and nothing else, `highest - feature`.
///
/// Geometry: edax. `features` must be those of a board.
pub mod feature_pass {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::edax::HIGHEST;
    /// Four features in a word: no difference is below 0.
    #[inline]
    pub fn swar(features: &Features, after: &mut Features) {
        Features64::load(&HIGHEST).sub(Features64::load(features)).store(after);
    }

    pub use swar as selected;
}

/// The features after the mover passes: the sides change and nothing else, `highest - feature`.
///
/// Geometry: ntest. `features` must be those of a board.
pub mod feature_pass_ntest {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::ntest::HIGHEST;
    /// Four features in a word: no difference is below 0.
    #[inline]
    pub fn swar(features: &Features, after: &mut Features) {
        Features64::load(&HIGHEST).sub(Features64::load(features)).store(after);
    }

    pub use swar as selected;
}

/// The features before the mover played on `square` and turned `flipped`, when the move is taken back.
///
/// `features` are those, saved before the move; `moved` are those after it. An algorithm uses the
/// one or the other.
///
/// Geometry: edax.
pub mod feature_restore {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    /// Copies the saved features (Edax AVX 4.4.6: faster than to work them out again).
    #[inline]
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
    #[inline]
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
    use crate::vector::portable::*;
    use crate::Features;
    /// Copies the saved features (Edax AVX 4.4.6: faster than to work them out again).
    #[inline]
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
    #[inline]
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

/// The features of a board, from nothing.
///
/// With 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is
/// `(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in
/// base 3 with the digits 0 and 1.
///
/// Geometry: edax.
pub mod feature_set {
    #[allow(unused_imports)]
    use crate::generated::common::feature_set::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::edax::ALL_EMPTY;
    /// The features, from each side's numbers in base 3.
    #[inline]
    fn join(mine: &Features, theirs: &Features, after: &mut Features) {
        let theirs = Features64::load(&ALL_EMPTY).add(Features64::load(theirs));
        theirs.sub(Features64::load(mine)).store(after);
    }

    /// A side's number for each feature: its bits gathered by multiplication, and a look into a table
    /// (Petric, "Bit Gather Via Multiplication", 2013). The table turns any order of bits into that of the
    /// digits, so that nearly every feature needs one multiplication only.
    #[inline]
    fn by_gathers(board: u64) -> Features {
        Features([
            DIGITS[0][((board & 0x0000000000070707).wrapping_mul(0x2004008000000000)
                >> 55) as usize],
            DIGITS[2][((board & 0x0000000000e0e0e0).wrapping_mul(0x0100200400000000)
                >> 55) as usize],
            DIGITS[4][(((board & 0x0707070000000000) >> 1)
                .wrapping_mul(0x0000000000400801) >> 55) as usize],
            DIGITS[6][(((board & 0xe0e0e00000000000) >> 6)
                .wrapping_mul(0x0000000000400801) >> 55) as usize],
            DIGITS[8][((board & 0x000000010101031f).wrapping_mul(0x0200800040000000)
                >> 54) as usize],
            DIGITS[10][((board & 0x000000808080c0f8).wrapping_mul(0x0080010002040000)
                >> 54) as usize],
            DIGITS[12][(((board & 0x1f03010101000000) >> 1)
                .wrapping_mul(0x0000002040008001) >> 54) as usize],
            DIGITS[14][((board & 0xf8c0808080000000).wrapping_mul(0x0000000002040801)
                >> 54) as usize],
            DIGITS[16][((board & 0x0000000000004063).wrapping_mul(0xa028020000000000)
                >> 55 & 0x18d
                | (board & 0x0000000000000294).wrapping_mul(0x0441000000000000) >> 54
                    & 0x252 | (board & 0x0000000000000008) << 2) as usize],
            DIGITS[16][((board & 0x0840000000000000) >> 54
                | ((board & 0x9402000000000000) >> 8).wrapping_mul(0x0000000000400441)
                    >> 54 & 0x252
                | ((board & 0x6300000000000000) >> 5).wrapping_mul(0x0000000000001405)
                    >> 55 & 0x18c) as usize],
            DIGITS[19][((board & 0x0103010101010301).wrapping_mul(0x0102004000801008)
                >> 54) as usize],
            DIGITS[21][((board & 0x80c080808080c080).wrapping_mul(0x0080080210204001)
                >> 54) as usize],
            DIGITS[16][((board & 0x0000000000003085).wrapping_mul(0x9000d00000000000)
                >> 54 & 0x319
                | (board & 0x0000000000000c30).wrapping_mul(0x00a8000000000000) >> 57
                    & 0x66 | (board & 0x0000000000000008) << 4) as usize],
            DIGITS[16][(((board & 0x9904000000000000) >> 9)
                .wrapping_mul(0x0000000000090821) >> 54 & 0x2c5
                | ((board & 0x2430000000000000) >> 5).wrapping_mul(0x0000000000001401)
                    >> 55 & 0x11a | (board & 0x0008000000000000) >> 46) as usize],
            DIGITS[25][((board & 0x0100030303030001).wrapping_mul(0x0100004002080020)
                >> 54) as usize],
            DIGITS[27][((board & 0x8000c0c0c0c00080).wrapping_mul(0x0000808008200201)
                >> 54) as usize],
            DIGITS[29][((board & 0x000000000000ff00) >> 8) as usize],
            DIGITS[29][((board & 0x00ff000000000000) >> 48) as usize],
            DIGITS[29][((board & 0x0202020202020202).wrapping_mul(0x0081020408102040)
                >> 56) as usize],
            DIGITS[29][((board & 0x4040404040404040).wrapping_mul(0x0004081020408102)
                >> 56) as usize],
            DIGITS[29][((board & 0x0000000000ff0000) >> 16) as usize],
            DIGITS[29][((board & 0x0000ff0000000000) >> 40) as usize],
            DIGITS[29][((board & 0x0404040404040404).wrapping_mul(0x0040810204081020)
                >> 56) as usize],
            DIGITS[29][((board & 0x2020202020202020).wrapping_mul(0x0008102040810204)
                >> 56) as usize],
            DIGITS[29][((board & 0x00000000ff000000) >> 24) as usize],
            DIGITS[29][((board & 0x000000ff00000000) >> 32) as usize],
            DIGITS[29][((board & 0x0808080808080808).wrapping_mul(0x0020408102040810)
                >> 56) as usize],
            DIGITS[29][((board & 0x1010101010101010).wrapping_mul(0x0010204081020408)
                >> 56) as usize],
            DIGITS[29][((board & 0x8040201008040201).wrapping_mul(0x0101010101010101)
                >> 56) as usize],
            DIGITS[30][((board & 0x0102040810204080).wrapping_mul(0x0002001041041040)
                >> 56) as usize],
            DIGITS[32][((board & 0x0080402010080402).wrapping_mul(0x0101010101010100)
                >> 57) as usize],
            DIGITS[32][((board & 0x0204081020408000).wrapping_mul(0x0000041041041040)
                >> 57) as usize],
            DIGITS[32][((board & 0x4020100804020100).wrapping_mul(0x0002020202020202)
                >> 57) as usize],
            DIGITS[32][((board & 0x0001020408102040).wrapping_mul(0x0008208208208000)
                >> 57) as usize],
            DIGITS[33][((board & 0x0000804020100804).wrapping_mul(0x0101010101010000)
                >> 58) as usize],
            DIGITS[33][((board & 0x2010080402010000).wrapping_mul(0x0000040404040404)
                >> 58) as usize],
            DIGITS[33][((board & 0x0000010204081020).wrapping_mul(0x0020820820800000)
                >> 58) as usize],
            DIGITS[33][((board & 0x0408102040800000).wrapping_mul(0x0000000820820820)
                >> 58) as usize],
            DIGITS[34][((board & 0x0000008040201008).wrapping_mul(0x0101010101000000)
                >> 59) as usize],
            DIGITS[34][((board & 0x1008040201000000).wrapping_mul(0x0000000808080808)
                >> 59) as usize],
            DIGITS[34][((board & 0x0000000102040810).wrapping_mul(0x0082082080000000)
                >> 59) as usize],
            DIGITS[34][((board & 0x0810204080000000).wrapping_mul(0x0000000010410410)
                >> 59) as usize],
            DIGITS[35][((board & 0x0000000001020408).wrapping_mul(0x0208208000000000)
                >> 60) as usize],
            DIGITS[35][((board & 0x0804020100000000).wrapping_mul(0x0000000010101010)
                >> 60) as usize],
            DIGITS[35][((board & 0x0000000080402010).wrapping_mul(0x0101010100000000)
                >> 60) as usize],
            DIGITS[35][((board & 0x1020408000000000).wrapping_mul(0x0000000000208208)
                >> 60) as usize],
            0,
            0,
        ])
    }

    /// Gathers the bits of each feature by multiplication.
    #[inline]
    pub fn gathered(player: u64, opponent: u64, after: &mut Features) {
        join(&by_gathers(player), &by_gathers(opponent), after);
    }

    /// A side's number for each feature: multiplied by powers of 3, the bits come together in base 3 at
    /// once (Petric, "Bit Gathering and base-2-to-base-3 conversion for Othello", 2014); where one
    /// multiplication does not do, the sum of several.
    #[inline]
    fn by_folds(board: u64) -> Features {
        Features([
            (((board & 0x0000000000040000) >> 18)
                + ((board & 0x0000000000020400).wrapping_mul(0x0024180000000000) >> 60)
                + ((board & 0x0000000000010204).wrapping_mul(0x0c48100000000000) >> 60)
                    * 27
                + ((board & 0x0000000000000103).wrapping_mul(0x9810000000000000) >> 60)
                    * 729) as u16,
            (((board & 0x0000000000600080).wrapping_mul(0x019a100060000000) >> 51)
                + ((board & 0x0000000000802020).wrapping_mul(0x0510906c00000000) >> 57)
                + ((board & 0x000000000000c040).wrapping_mul(0x0240600000000000) >> 60)
                    * 243) as u16,
            (((board & 0x0404040000000000).wrapping_mul(0x0000000000020636) >> 59)
                + ((board & 0x0202020000000000).wrapping_mul(0x0000000000011b51) >> 57)
                    * 9
                + ((board & 0x0101010000000000).wrapping_mul(0x00000000000236a2) >> 57)
                    * 81) as u16,
            ((((board & 0x2020200000000000) >> 2).wrapping_mul(0x000000000001031b) >> 59)
                + (((board & 0x4040400000000000) >> 5).wrapping_mul(0x0000000000011b51)
                    >> 57) * 9
                + (((board & 0x8080800000000000) >> 6).wrapping_mul(0x0000000000011b51)
                    >> 57) * 81) as u16,
            (((board & 0x0000000000000010) >> 4)
                + ((board & 0x000000000000000c).wrapping_mul(0x2600000000000000) >> 60)
                + ((board & 0x0000000000000202).wrapping_mul(0x1b51000000000000) >> 57)
                + ((board & 0x0000000101010101).wrapping_mul(0x02061236a2000000) >> 57)
                    * 243) as u16,
            (((board & 0x0000000000000018).wrapping_mul(0x0600000000000000) >> 61)
                + ((board & 0x0000000000004060).wrapping_mul(0x00c2400000000000) >> 60)
                    * 9
                + ((board & 0x0000008080808080).wrapping_mul(0x00040c246d440000) >> 57)
                    * 243) as u16,
            (((board & 0x1000000000000000) >> 60)
                + ((board & 0x0c00000000000000).wrapping_mul(0x0000000000000026) >> 60)
                + ((board & 0x0202000000000000).wrapping_mul(0x000000000000511b) >> 57)
                + ((board & 0x0101010101000000).wrapping_mul(0x000000a236120602) >> 57)
                    * 243) as u16,
            (((board & 0x1800000000000000).wrapping_mul(0x0000000000000006) >> 61)
                + (((board & 0x6040000000000000) >> 2).wrapping_mul(0x0000000000000903)
                    >> 60) * 9
                + (((board & 0x8080808080000000) >> 6).wrapping_mul(0x000000511b090301)
                    >> 57) * 243) as u16,
            (((board & 0x00000000000040c0).wrapping_mul(0x0260400000000000) >> 60)
                + ((board & 0x0000000000000030).wrapping_mul(0x0980000000000000) >> 60)
                    * 9
                + ((board & 0x0000000000000208).wrapping_mul(0x0051000000000000) >> 57)
                    * 243
                + ((board & 0x0000000000000006).wrapping_mul(0x4c00000000000000) >> 60)
                    * 243 + (board & 0x0000000000000001) * 6561) as u16,
            ((((board & 0xc040000000000000) >> 3).wrapping_mul(0x0000000000000213) >> 60)
                + ((board & 0x2000000000000000) >> 61) * 27
                + ((board & 0x1800000000000000).wrapping_mul(0x0000000000000013) >> 60)
                    * 27
                + ((board & 0x0600000000000000).wrapping_mul(0x000000000000004c) >> 60)
                    * 243
                + ((board & 0x0102000000000000).wrapping_mul(0x0000000000003020) >> 61)
                    * 6561) as u16,
            (((board & 0x0002000001000200).wrapping_mul(0x004ce301e6000001) >> 49)
                + (((board & 0x0100010000000100) >> 4).wrapping_mul(0x088b0000001b0003)
                    >> 52)
                + ((board & 0x0001000100010001).wrapping_mul(0xcd0816c802880048) >> 51))
                as u16,
            ((((board & 0x0040000080004000) >> 5).wrapping_mul(0x004ce30079800001) >> 49)
                + (((board & 0x8000800000008000) >> 11).wrapping_mul(0x088b0000001b0003)
                    >> 52)
                + (((board & 0x0080008000800080) >> 4).wrapping_mul(0x19a102d900510009)
                    >> 51)) as u16,
            (((board & 0x0000000000000080) >> 7)
                + ((board & 0x0000000000000820).wrapping_mul(0x001e600000000000) >> 56)
                + ((board & 0x0000000000003010).wrapping_mul(0x0109800000000000) >> 60)
                    * 9
                + ((board & 0x000000000000040c).wrapping_mul(0x2604000000000000) >> 60)
                    * 729 + (board & 0x0000000000000001) * 19683) as u16,
            ((board >> 63)
                + (((board & 0x2008000000000000) >> 5).wrapping_mul(0x000000000003cc03)
                    >> 56)
                + ((board & 0x1030000000000000).wrapping_mul(0x0000000000000981) >> 60)
                    * 9
                + ((board & 0x0c04000000000000).wrapping_mul(0x0000000000000426) >> 60)
                    * 729 + ((board & 0x0100000000000000) >> 56) * 19683) as u16,
            (((board & 0x0100010002000000).wrapping_mul(0x0000007980030001) >> 56)
                + ((board & 0x0000000100010001).wrapping_mul(0x99c6334200120000) >> 49)
                + ((board & 0x0000020201020000).wrapping_mul(0x00001ba203010000) >> 57)
                    * 27) as u16,
            ((((board & 0x8000008000800000) >> 12).wrapping_mul(0x0019a10009000001)
                >> 51)
                + ((board & 0x0000800080000080).wrapping_mul(0x01338c00222c000c) >> 49)
                + ((board & 0x0000404040400000).wrapping_mul(0x000001b090301000) >> 58)
                    * 27) as u16,
            (((board & 0x0000000000008000) >> 15)
                + ((board & 0x0000000000006000).wrapping_mul(0x0004c00000000000) >> 60)
                + ((board & 0x0000000000001800).wrapping_mul(0x0013000000000000) >> 60)
                    * 9
                + ((board & 0x0000000000000600).wrapping_mul(0x004c000000000000) >> 60)
                    * 81 + ((board & 0x0000000000000100) >> 8) * 2187) as u16,
            (((board & 0x0080000000000000) >> 55)
                + ((board & 0x0060000000000000).wrapping_mul(0x00000000000004c0) >> 60)
                + ((board & 0x0018000000000000).wrapping_mul(0x0000000000001300) >> 60)
                    * 9
                + ((board & 0x0006000000000000).wrapping_mul(0x0000000000004c00) >> 60)
                    * 81 + ((board & 0x0001000000000000) >> 48) * 2187) as u16,
            ((((board & 0x0200020002000200) >> 3).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0002000200020002).wrapping_mul(0x4458079800d80018) >> 52))
                as u16,
            ((((board & 0x4000400040004000) >> 8).wrapping_mul(0x02d9005100090001) >> 54)
                + (((board & 0x0040004000400040) >> 2).wrapping_mul(0x088b00f3001b0003)
                    >> 52)) as u16,
            (((board & 0x0000000000800000) >> 23)
                + ((board & 0x0000000000600000).wrapping_mul(0x000004c000000000) >> 60)
                + ((board & 0x0000000000180000).wrapping_mul(0x0000130000000000) >> 60)
                    * 9
                + ((board & 0x0000000000060000).wrapping_mul(0x00004c0000000000) >> 60)
                    * 81 + ((board & 0x0000000000010000) >> 16) * 2187) as u16,
            (((board & 0x0000800000000000) >> 47)
                + ((board & 0x0000600000000000).wrapping_mul(0x000000000004c000) >> 60)
                + ((board & 0x0000180000000000).wrapping_mul(0x0000000000130000) >> 60)
                    * 9
                + ((board & 0x0000060000000000).wrapping_mul(0x00000000004c0000) >> 60)
                    * 81 + ((board & 0x0000010000000000) >> 40) * 2187) as u16,
            ((((board & 0x0400040004000400) >> 4).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0004000400040004).wrapping_mul(0x222c03cc006c000c) >> 52))
                as u16,
            ((((board & 0x2000200020002000) >> 7).wrapping_mul(0x02d9005100090001) >> 54)
                + (((board & 0x0020002000200020) >> 1).wrapping_mul(0x088b00f3001b0003)
                    >> 52)) as u16,
            (((board & 0x0000000080000000) >> 31)
                + ((board & 0x0000000060000000).wrapping_mul(0x00000004c0000000) >> 60)
                + ((board & 0x0000000018000000).wrapping_mul(0x0000001300000000) >> 60)
                    * 9
                + ((board & 0x0000000006000000).wrapping_mul(0x0000004c00000000) >> 60)
                    * 81 + ((board & 0x0000000001000000) >> 24) * 2187) as u16,
            (((board & 0x0000008000000000) >> 39)
                + ((board & 0x0000006000000000).wrapping_mul(0x0000000004c00000) >> 60)
                + ((board & 0x0000001800000000).wrapping_mul(0x0000000013000000) >> 60)
                    * 9
                + ((board & 0x0000000600000000).wrapping_mul(0x000000004c000000) >> 60)
                    * 81 + ((board & 0x0000000100000000) >> 32) * 2187) as u16,
            ((((board & 0x0800080008000800) >> 5).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0008000800080008).wrapping_mul(0x111601e600360006) >> 52))
                as u16,
            ((((board & 0x1000100010001000) >> 6).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0010001000100010).wrapping_mul(0x088b00f3001b0003) >> 52))
                as u16,
            ((((board & 0x8040201008000000) >> 6).wrapping_mul(0x00000510d8240601) >> 57)
                + ((board & 0x0000000000040201).wrapping_mul(0x9018040000000000) >> 60)
                    * 243) as u16,
            (((board & 0x0002000800200080).wrapping_mul(0x0000801202885b20) >> 54)
                + (((board & 0x0100040010004000) >> 4).wrapping_mul(0x00000c01b03cc88b)
                    >> 52)) as u16,
            (((board & 0x0080402010080400).wrapping_mul(0x001e6510d8240601) >> 55)
                + ((board & 0x0000000000000002) >> 1) * 729) as u16,
            (((board & 0x0204081020000000).wrapping_mul(0x0000000513624181) >> 57)
                + ((board & 0x0000000000408000).wrapping_mul(0x00016cf300000000) >> 54))
                as u16,
            (((board & 0x4000000000000000) >> 62)
                + ((board & 0x0020100804020100).wrapping_mul(0x0079944360901804) >> 55)
                    * 3) as u16,
            (((board & 0x0001000008002040).wrapping_mul(0x02d9e600d8000040) >> 54)
                + ((board & 0x0000020400100000).wrapping_mul(0x00000a2004830000) >> 57))
                as u16,
            ((board & 0x0000804020100804).wrapping_mul(0x1e6510d824060100) >> 55) as u16,
            (((board & 0x2010080402010000) >> 6).wrapping_mul(0x001e6510d8240601) >> 55)
                as u16,
            (((board & 0x0000010204081000).wrapping_mul(0x000a26c483020000) >> 57)
                + ((board & 0x0000000000000020) >> 5) * 243) as u16,
            (((board & 0x0400000000000000) >> 58)
                + ((board & 0x0008102040800000).wrapping_mul(0x00000144d8906040) >> 57)
                    * 3) as u16,
            ((board & 0x0000008040201008).wrapping_mul(0x1443609018040000) >> 57) as u16,
            (((board & 0x1008040201000000) >> 3).wrapping_mul(0x00000510d8240601) >> 57)
                as u16,
            ((board & 0x0000000102040810).wrapping_mul(0x0a26c48302000000) >> 57) as u16,
            (((board & 0x0810204080000000) >> 2).wrapping_mul(0x0000000513624181) >> 57)
                as u16,
            ((board & 0x0000000001020408).wrapping_mul(0x0d89060400000000) >> 58) as u16,
            (((board & 0x0804020100000000) >> 1).wrapping_mul(0x00000000d8240601) >> 58)
                as u16,
            ((board & 0x0000000080402010).wrapping_mul(0x06c1203008000000) >> 58) as u16,
            (((board & 0x1020408000000000) >> 2).wrapping_mul(0x0000000003624181) >> 58)
                as u16,
            0,
            0,
        ])
    }

    /// Gathers the bits and converts them to base 3 at once, without a table.
    #[inline]
    pub fn folded(player: u64, opponent: u64, after: &mut Features) {
        join(&by_folds(player), &by_folds(opponent), after);
    }

    /// Adds up what each half row of each side adds to all features.
    #[inline]
    pub fn half_rows(player: u64, opponent: u64, after: &mut Features) {
        let (mut mine, mut theirs) = (Features64::zero(), Features64::load(&ALL_EMPTY));
        for (half, discs) in HALF_ROWS.iter().enumerate() {
            let of = |board: u64| (board >> (4 * half)) as usize & 15;
            mine = mine.add(Features64::load(&discs[of(player)]));
            theirs = theirs.add(Features64::load(&discs[of(opponent)]));
        }
        theirs.sub(mine).store(after);
    }

    pub use half_rows as selected;
}

/// The features of a board, from nothing.
///
/// With 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is
/// `(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in
/// base 3 with the digits 0 and 1.
///
/// Geometry: ntest.
pub mod feature_set_ntest {
    #[allow(unused_imports)]
    use crate::generated::common::feature_set_ntest::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::ntest::ALL_EMPTY;
    /// The features, from each side's numbers in base 3.
    #[inline]
    fn join(mine: &Features, theirs: &Features, after: &mut Features) {
        let theirs = Features64::load(&ALL_EMPTY).add(Features64::load(theirs));
        theirs.sub(Features64::load(mine)).store(after);
    }

    /// A side's number for each feature: its bits gathered by multiplication, and a look into a table
    /// (Petric, "Bit Gather Via Multiplication", 2013). The table turns any order of bits into that of the
    /// digits, so that nearly every feature needs one multiplication only.
    #[inline]
    fn by_gathers(board: u64) -> Features {
        Features([
            DIGITS[0][(board & 0x00000000000000ff) as usize],
            DIGITS[0][(board >> 56) as usize],
            DIGITS[0][((board & 0x0101010101010101).wrapping_mul(0x0102040810204080)
                >> 56) as usize],
            DIGITS[0][((board & 0x8080808080808080).wrapping_mul(0x0002040810204081)
                >> 56) as usize],
            DIGITS[0][((board & 0x000000000000ff00) >> 8) as usize],
            DIGITS[0][((board & 0x00ff000000000000) >> 48) as usize],
            DIGITS[0][((board & 0x0202020202020202).wrapping_mul(0x0081020408102040)
                >> 56) as usize],
            DIGITS[0][((board & 0x4040404040404040).wrapping_mul(0x0004081020408102)
                >> 56) as usize],
            DIGITS[0][((board & 0x0000000000ff0000) >> 16) as usize],
            DIGITS[0][((board & 0x0000ff0000000000) >> 40) as usize],
            DIGITS[0][((board & 0x0404040404040404).wrapping_mul(0x0040810204081020)
                >> 56) as usize],
            DIGITS[0][((board & 0x2020202020202020).wrapping_mul(0x0008102040810204)
                >> 56) as usize],
            DIGITS[0][((board & 0x00000000ff000000) >> 24) as usize],
            DIGITS[0][((board & 0x000000ff00000000) >> 32) as usize],
            DIGITS[0][((board & 0x0808080808080808).wrapping_mul(0x0020408102040810)
                >> 56) as usize],
            DIGITS[0][((board & 0x1010101010101010).wrapping_mul(0x0010204081020408)
                >> 56) as usize],
            DIGITS[0][((board & 0x8040201008040201).wrapping_mul(0x0101010101010101)
                >> 56) as usize],
            DIGITS[1][((board & 0x0102040810204080).wrapping_mul(0x0002001041041040)
                >> 56) as usize],
            DIGITS[3][((board & 0x0080402010080402).wrapping_mul(0x0101010101010100)
                >> 57) as usize],
            DIGITS[3][((board & 0x0204081020408000).wrapping_mul(0x0000041041041040)
                >> 57) as usize],
            DIGITS[3][((board & 0x4020100804020100).wrapping_mul(0x0002020202020202)
                >> 57) as usize],
            DIGITS[3][((board & 0x0001020408102040).wrapping_mul(0x0008208208208000)
                >> 57) as usize],
            DIGITS[4][((board & 0x0000804020100804).wrapping_mul(0x0101010101010000)
                >> 58) as usize],
            DIGITS[4][((board & 0x2010080402010000).wrapping_mul(0x0000040404040404)
                >> 58) as usize],
            DIGITS[4][((board & 0x0000010204081020).wrapping_mul(0x0020820820800000)
                >> 58) as usize],
            DIGITS[4][((board & 0x0408102040800000).wrapping_mul(0x0000000820820820)
                >> 58) as usize],
            DIGITS[5][((board & 0x0000008040201008).wrapping_mul(0x0101010101000000)
                >> 59) as usize],
            DIGITS[5][((board & 0x1008040201000000).wrapping_mul(0x0000000808080808)
                >> 59) as usize],
            DIGITS[5][((board & 0x0000000102040810).wrapping_mul(0x0082082080000000)
                >> 59) as usize],
            DIGITS[5][((board & 0x0810204080000000).wrapping_mul(0x0000000010410410)
                >> 59) as usize],
            DIGITS[6][((board & 0x0000000000001f1f).wrapping_mul(0x0800400000000000)
                >> 54) as usize],
            DIGITS[8][((board & 0x000000000000f8f8).wrapping_mul(0x0100080000000000)
                >> 54) as usize],
            DIGITS[7][(((board & 0x1f1f000000000000) >> 2)
                .wrapping_mul(0x0000000000002001) >> 54) as usize],
            DIGITS[9][(((board & 0xf8f8000000000000) >> 5)
                .wrapping_mul(0x0000000000002001) >> 54) as usize],
            DIGITS[10][((board & 0x0000000303030303).wrapping_mul(0x0040010410000000)
                >> 54) as usize],
            DIGITS[12][((board & 0x000000c0c0c0c0c0).wrapping_mul(0x0001000410400000)
                >> 54) as usize],
            DIGITS[14][((board & 0x0303030303000000).wrapping_mul(0x0000000040010410)
                >> 54) as usize],
            DIGITS[16][((board & 0xc0c0c0c0c0000000).wrapping_mul(0x0000000004104001)
                >> 54) as usize],
            DIGITS[18][((board & 0x000000000103070f).wrapping_mul(0x0400400200000000)
                >> 54) as usize],
            DIGITS[19][((board & 0x0000000080c0e0f0).wrapping_mul(0x0080080100000000)
                >> 54) as usize],
            DIGITS[21][(((board & 0x0f07030100000000) >> 1)
                .wrapping_mul(0x0000000000801001) >> 54) as usize],
            DIGITS[23][(((board & 0xf0e0c08000000000) >> 4)
                .wrapping_mul(0x0000000002001001) >> 54) as usize],
            0,
            0,
            0,
            0,
            0,
            0,
        ])
    }

    /// Gathers the bits of each feature by multiplication.
    #[inline]
    pub fn gathered(player: u64, opponent: u64, after: &mut Features) {
        join(&by_gathers(player), &by_gathers(opponent), after);
    }

    /// A side's number for each feature: multiplied by powers of 3, the bits come together in base 3 at
    /// once (Petric, "Bit Gathering and base-2-to-base-3 conversion for Othello", 2014); where one
    /// multiplication does not do, the sum of several.
    #[inline]
    fn by_folds(board: u64) -> Features {
        Features([
            (((board & 0x0000000000000080) >> 7)
                + ((board & 0x0000000000000060).wrapping_mul(0x04c0000000000000) >> 60)
                + ((board & 0x0000000000000018).wrapping_mul(0x1300000000000000) >> 60)
                    * 9
                + ((board & 0x0000000000000006).wrapping_mul(0x4c00000000000000) >> 60)
                    * 81 + (board & 0x0000000000000001) * 2187) as u16,
            ((board >> 63)
                + (((board & 0x6000000000000000) >> 2).wrapping_mul(0x0000000000000013)
                    >> 60)
                + ((board & 0x1800000000000000).wrapping_mul(0x0000000000000013) >> 60)
                    * 9
                + ((board & 0x0600000000000000).wrapping_mul(0x000000000000004c) >> 60)
                    * 81 + ((board & 0x0100000000000000) >> 56) * 2187) as u16,
            ((((board & 0x0100010001000100) >> 2).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0001000100010001).wrapping_mul(0x88b00f3001b00030) >> 52))
                as u16,
            ((((board & 0x8000800080008000) >> 9).wrapping_mul(0x02d9005100090001) >> 54)
                + (((board & 0x0080008000800080) >> 3).wrapping_mul(0x088b00f3001b0003)
                    >> 52)) as u16,
            (((board & 0x0000000000008000) >> 15)
                + ((board & 0x0000000000006000).wrapping_mul(0x0004c00000000000) >> 60)
                + ((board & 0x0000000000001800).wrapping_mul(0x0013000000000000) >> 60)
                    * 9
                + ((board & 0x0000000000000600).wrapping_mul(0x004c000000000000) >> 60)
                    * 81 + ((board & 0x0000000000000100) >> 8) * 2187) as u16,
            (((board & 0x0080000000000000) >> 55)
                + ((board & 0x0060000000000000).wrapping_mul(0x00000000000004c0) >> 60)
                + ((board & 0x0018000000000000).wrapping_mul(0x0000000000001300) >> 60)
                    * 9
                + ((board & 0x0006000000000000).wrapping_mul(0x0000000000004c00) >> 60)
                    * 81 + ((board & 0x0001000000000000) >> 48) * 2187) as u16,
            ((((board & 0x0200020002000200) >> 3).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0002000200020002).wrapping_mul(0x4458079800d80018) >> 52))
                as u16,
            ((((board & 0x4000400040004000) >> 8).wrapping_mul(0x02d9005100090001) >> 54)
                + (((board & 0x0040004000400040) >> 2).wrapping_mul(0x088b00f3001b0003)
                    >> 52)) as u16,
            (((board & 0x0000000000800000) >> 23)
                + ((board & 0x0000000000600000).wrapping_mul(0x000004c000000000) >> 60)
                + ((board & 0x0000000000180000).wrapping_mul(0x0000130000000000) >> 60)
                    * 9
                + ((board & 0x0000000000060000).wrapping_mul(0x00004c0000000000) >> 60)
                    * 81 + ((board & 0x0000000000010000) >> 16) * 2187) as u16,
            (((board & 0x0000800000000000) >> 47)
                + ((board & 0x0000600000000000).wrapping_mul(0x000000000004c000) >> 60)
                + ((board & 0x0000180000000000).wrapping_mul(0x0000000000130000) >> 60)
                    * 9
                + ((board & 0x0000060000000000).wrapping_mul(0x00000000004c0000) >> 60)
                    * 81 + ((board & 0x0000010000000000) >> 40) * 2187) as u16,
            ((((board & 0x0400040004000400) >> 4).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0004000400040004).wrapping_mul(0x222c03cc006c000c) >> 52))
                as u16,
            ((((board & 0x2000200020002000) >> 7).wrapping_mul(0x02d9005100090001) >> 54)
                + (((board & 0x0020002000200020) >> 1).wrapping_mul(0x088b00f3001b0003)
                    >> 52)) as u16,
            (((board & 0x0000000080000000) >> 31)
                + ((board & 0x0000000060000000).wrapping_mul(0x00000004c0000000) >> 60)
                + ((board & 0x0000000018000000).wrapping_mul(0x0000001300000000) >> 60)
                    * 9
                + ((board & 0x0000000006000000).wrapping_mul(0x0000004c00000000) >> 60)
                    * 81 + ((board & 0x0000000001000000) >> 24) * 2187) as u16,
            (((board & 0x0000008000000000) >> 39)
                + ((board & 0x0000006000000000).wrapping_mul(0x0000000004c00000) >> 60)
                + ((board & 0x0000001800000000).wrapping_mul(0x0000000013000000) >> 60)
                    * 9
                + ((board & 0x0000000600000000).wrapping_mul(0x000000004c000000) >> 60)
                    * 81 + ((board & 0x0000000100000000) >> 32) * 2187) as u16,
            ((((board & 0x0800080008000800) >> 5).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0008000800080008).wrapping_mul(0x111601e600360006) >> 52))
                as u16,
            ((((board & 0x1000100010001000) >> 6).wrapping_mul(0x02d9005100090001) >> 54)
                + ((board & 0x0010001000100010).wrapping_mul(0x088b00f3001b0003) >> 52))
                as u16,
            ((((board & 0x8040201008000000) >> 6).wrapping_mul(0x00000510d8240601) >> 57)
                + ((board & 0x0000000000040201).wrapping_mul(0x9018040000000000) >> 60)
                    * 243) as u16,
            (((board & 0x0002000800200080).wrapping_mul(0x0000801202885b20) >> 54)
                + (((board & 0x0100040010004000) >> 4).wrapping_mul(0x00000c01b03cc88b)
                    >> 52)) as u16,
            (((board & 0x0080402010080400).wrapping_mul(0x001e6510d8240601) >> 55)
                + ((board & 0x0000000000000002) >> 1) * 729) as u16,
            (((board & 0x0204081020000000).wrapping_mul(0x0000000513624181) >> 57)
                + ((board & 0x0000000000408000).wrapping_mul(0x00016cf300000000) >> 54))
                as u16,
            (((board & 0x4000000000000000) >> 62)
                + ((board & 0x0020100804020100).wrapping_mul(0x0079944360901804) >> 55)
                    * 3) as u16,
            (((board & 0x0001000008002040).wrapping_mul(0x02d9e600d8000040) >> 54)
                + ((board & 0x0000020400100000).wrapping_mul(0x00000a2004830000) >> 57))
                as u16,
            ((board & 0x0000804020100804).wrapping_mul(0x1e6510d824060100) >> 55) as u16,
            (((board & 0x2010080402010000) >> 6).wrapping_mul(0x001e6510d8240601) >> 55)
                as u16,
            (((board & 0x0000010204081000).wrapping_mul(0x000a26c483020000) >> 57)
                + ((board & 0x0000000000000020) >> 5) * 243) as u16,
            (((board & 0x0400000000000000) >> 58)
                + ((board & 0x0008102040800000).wrapping_mul(0x00000144d8906040) >> 57)
                    * 3) as u16,
            ((board & 0x0000008040201008).wrapping_mul(0x1443609018040000) >> 57) as u16,
            (((board & 0x1008040201000000) >> 3).wrapping_mul(0x00000510d8240601) >> 57)
                as u16,
            ((board & 0x0000000102040810).wrapping_mul(0x0a26c48302000000) >> 57) as u16,
            (((board & 0x0810204080000000) >> 2).wrapping_mul(0x0000000513624181) >> 57)
                as u16,
            (((board & 0x0000000000001000) >> 12)
                + ((board & 0x0000000000000c00).wrapping_mul(0x0026000000000000) >> 60)
                + ((board & 0x0000000000000204).wrapping_mul(0x2881000000000000) >> 57)
                    * 27
                + ((board & 0x0000000000000118).wrapping_mul(0x1310000000000000) >> 60)
                    * 81
                + ((board & 0x0000000000000003).wrapping_mul(0x9800000000000000) >> 60)
                    * 2187) as u16,
            (((board & 0x0000000000001808).wrapping_mul(0x1e60300000000000) >> 56)
                + ((board & 0x0000000000006020).wrapping_mul(0x07980c0000000000) >> 56)
                    * 9
                + ((board & 0x0000000000008010).wrapping_mul(0x0b64288000000000) >> 54)
                + ((board & 0x00000000000000c0).wrapping_mul(0x00c0000000000000) >> 61)
                    * 6561) as u16,
            (((board & 0x0010000000000000) >> 52)
                + ((board & 0x000c000000000000).wrapping_mul(0x0000000000002600) >> 60)
                + (((board & 0x0402000000000000) >> 1).wrapping_mul(0x0000000000000251)
                    >> 57) * 27
                + ((board & 0x1801000000000000).wrapping_mul(0x0000000000001013) >> 60)
                    * 81
                + ((board & 0x0300000000000000).wrapping_mul(0x0000000000000098) >> 60)
                    * 2187) as u16,
            ((((board & 0x1008000000000000) >> 6).wrapping_mul(0x00000000000002d9) >> 54)
                + (((board & 0x0830000000000000) >> 2).wrapping_mul(0x00000000000000d1)
                    >> 57) * 3
                + (((board & 0x20c0000000000000) >> 4).wrapping_mul(0x00000000000000d1)
                    >> 57) * 27
                + (((board & 0xc000000000000000) >> 2).wrapping_mul(0x0000000000000003)
                    >> 61) * 6561) as u16,
            (((board & 0x0000000202020202).wrapping_mul(0x511b090301000000) >> 57)
                + ((board & 0x0000000101010101).wrapping_mul(0xa236120602000000) >> 57)
                    * 243) as u16,
            (((board & 0x0000004040404040).wrapping_mul(0x0288d84818080000) >> 57)
                + ((board & 0x0000008080808080).wrapping_mul(0x01446c240c040000) >> 57)
                    * 243) as u16,
            (((board & 0x0202020202000000).wrapping_mul(0x0000000103091b51) >> 57)
                + ((board & 0x0101010101000000).wrapping_mul(0x00000002061236a2) >> 57)
                    * 243) as u16,
            ((((board & 0x4040404040000000) >> 5).wrapping_mul(0x0000000103091b51) >> 57)
                + (((board & 0x8080808080000000) >> 6).wrapping_mul(0x0000000103091b51)
                    >> 57) * 243) as u16,
            (((board & 0x0000000001010200).wrapping_mul(0x0051120200000000) >> 57)
                + ((board & 0x0000000000020400).wrapping_mul(0x00360c0000000000) >> 59)
                + ((board & 0x000000000000010c).wrapping_mul(0x2610000000000000) >> 60)
                    * 243
                + ((board & 0x0000000000000003).wrapping_mul(0x9800000000000000) >> 60)
                    * 2187) as u16,
            (((board & 0x0000000080008010).wrapping_mul(0x0b64798000800000) >> 54)
                + ((board & 0x0000000000400080).wrapping_mul(0x01338c0018000000) >> 49)
                + ((board & 0x0000000000800040).wrapping_mul(0x0334200090000000) >> 51)
                + ((board & 0x0000000000006020).wrapping_mul(0x0510180000000000) >> 57)
                    * 27) as u16,
            (((board & 0x0002010100000000).wrapping_mul(0x0000000002125100) >> 57)
                + ((board & 0x0004020000000000).wrapping_mul(0x00000000000c3600) >> 59)
                + ((board & 0x0c01000000000000).wrapping_mul(0x0000000000001026) >> 60)
                    * 243
                + ((board & 0x0300000000000000).wrapping_mul(0x0000000000000098) >> 60)
                    * 2187) as u16,
            (((board & 0x0020808000000000).wrapping_mul(0x0000000000084b60) >> 58)
                + (((board & 0x2000400000000000) >> 9).wrapping_mul(0x000000000001888b)
                    >> 52)
                + ((board & 0x10c0000000000000).wrapping_mul(0x0000000000000069) >> 60)
                    * 81
                + (((board & 0xc000000000000000) >> 2).wrapping_mul(0x0000000000000003)
                    >> 61) * 6561) as u16,
            0,
            0,
            0,
            0,
            0,
            0,
        ])
    }

    /// Gathers the bits and converts them to base 3 at once, without a table.
    #[inline]
    pub fn folded(player: u64, opponent: u64, after: &mut Features) {
        join(&by_folds(player), &by_folds(opponent), after);
    }

    /// Adds up what each half row of each side adds to all features.
    #[inline]
    pub fn half_rows(player: u64, opponent: u64, after: &mut Features) {
        let (mut mine, mut theirs) = (Features64::zero(), Features64::load(&ALL_EMPTY));
        for (half, discs) in HALF_ROWS.iter().enumerate() {
            let of = |board: u64| (board >> (4 * half)) as usize & 15;
            mine = mine.add(Features64::load(&discs[of(player)]));
            theirs = theirs.add(Features64::load(&discs[of(opponent)]));
        }
        theirs.sub(mine).store(after);
    }

    pub use half_rows as selected;
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
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::edax::{HIGHEST, POWERS};
    /// Four features in a word (Edax AVX): none ever leaves its 16 bits.
    #[inline]
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

    pub use swar as selected;
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
    use crate::vector::portable::*;
    use crate::Features;
    use crate::geometry::ntest::{HIGHEST, POWERS};
    /// Four features in a word (Edax AVX): none ever leaves its 16 bits.
    #[inline]
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

    pub use swar as selected;
}

/// The discs that turn when the mover plays on the empty `square` (0..=63), as a bitboard; 0 where
/// the move is not legal.
pub mod flip {
    #[allow(unused_imports)]
    use crate::generated::common::flip::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// The mover's square and what it reaches: Kogge and Stone's parallel prefix fill, four directions at
    /// a time by steps of 1, 2 and 2. A run turns if the mover holds the square behind it.
    #[inline]
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
    #[inline]
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
    fn line(up: u64, down: u64, player: u64, opponent: u64) -> u64 {
        let end = (up & !opponent).wrapping_neg() & up & player;
        let upwards = end.saturating_sub(1) & up;
        let end = (1 << 63 >> ((down & !opponent) | 1).leading_zeros()) & down & player;
        upwards | (end << 1).wrapping_neg() & down
    }

    /// Magic multiplications gather each line into a byte and lay its answer back (Petric, "Bit
    /// Gather Via Multiplication", 2013); two small tables know all lines.
    #[inline]
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

    /// The discs that turn towards higher squares, four directions at a time, by a carry.
    #[inline]
    fn upwards(rays: &Rays, players: U64x4, opponents: U64x4) -> U64x4 {
        let up = U64x4::new(rays.up);
        let end = up.and_not(opponents).neg().and(up.and(players));
        up.and_not(end.is_zero()).and(end.add(U64x4::splat(!0)))
    }

    /// Four directions at a time: upwards by a carry, downwards by a parallel prefix fill that covers
    /// all that lies behind the first square of the ray that is not the opponent's.
    #[inline]
    pub fn fill(square: usize, player: u64, opponent: u64) -> u64 {
        let rays = &RAYS[square & 63];
        let (players, opponents) = (U64x4::splat(player), U64x4::splat(opponent));
        let down = U64x4::new(rays.down);
        let stops = down.and_not(opponents);
        let behind = stops.shr_each([1, 7, 8, 9]).or(stops.shr_each([2, 14, 16, 18]));
        let behind = behind
            .or(behind.shr_each([2, 14, 16, 18]))
            .or(behind.shr_each([4, 28, 32, 36]));
        let run = down.and(opponents).and_not(behind);
        let end = stops.and(players).and_not(behind);
        let downwards = run.and_not(end.is_zero());
        upwards(rays, players, opponents).or(downwards).reduce_or()
    }

    #[cfg(not(feature = "record"))]
    pub use carry as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(square: usize, player: u64, opponent: u64) -> u64 {
        crate::record::note!(flip, square, player, opponent);
        carry(square, player, opponent)
    }
}

/// The squares whose line is full, for each kind of line: rows, falling diagonals (A8 to H1),
/// columns, rising diagonals (A1 to H8).
pub mod full_lines {
    #[allow(unused_imports)]
    use crate::generated::common::full_lines::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// A square counts while all that follows it is occupied or off the board: doubling steps of 1, 2
    /// and 4 in both directions, four kinds of line at a time.
    #[inline]
    pub fn prefix(player: u64, opponent: u64) -> [u64; 4] {
        let ends = |i: usize| U64x4::new(ENDS[i]);
        let starts = |i: usize| U64x4::new(STARTS[i]);
        let all = U64x4::splat(player | opponent);
        let after = all.and(all.shr_each([1, 7, 8, 9]).or(ends(0)));
        let after = after.and(after.shr_each([2, 14, 16, 18]).or(ends(1)));
        let after = after.and(after.shr_each([4, 28, 32, 36]).or(ends(2)));
        let before = all.and(all.shl_each([1, 7, 8, 9]).or(starts(0)));
        let before = before.and(before.shl_each([2, 14, 16, 18]).or(starts(1)));
        let before = before.and(before.shl_each([4, 28, 32, 36]).or(starts(2)));
        after.and(before).to_array()
    }

    /// Rows and columns by folding, diagonals by doubling steps, a word for each.
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use fold as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> [u64; 4] {
        crate::record::note!(full_lines, player, opponent);
        fold(player, opponent)
    }
}

/// The number of discs that turn when the mover plays on `square`, the only empty square of a board
/// on which all that is not the mover's is the opponent's. A bit of `player` on `square` is ignored.
pub mod last_flip_count {
    #[allow(unused_imports)]
    use crate::generated::common::last_flip_count::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::generated::common::flip::RAYS;
    /// The move itself, and its discs counted.
    #[inline]
    pub fn plain(square: usize, player: u64) -> i32 {
        super::flip::selected(square, player, !(player | 1 << (square & 63)))
            .count_ones() as i32
    }

    /// The square, and all that lies before the mover's nearest disc on each ray: upwards by a carry,
    /// downwards from the highest bit. What turns is disjoint, so one count does.
    #[inline]
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

    /// Four bit gathers by multiplication (Petric, "Bit Gather Via Multiplication", 2013), four looks into one
    /// table.
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use kindergarten as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(square: usize, player: u64) -> i32 {
        crate::record::note!(last_flip_count, square, player);
        kindergarten(square, player)
    }
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
    use crate::vector::portable::*;
    /// Counts the mover's flips, then the opponent's where they matter.
    #[inline]
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
    #[inline]
    pub fn both(square: usize, player: u64, alpha: i32) -> i32 {
        let player = player & !(1 << (square & 63));
        let mine = super::last_flip_count::selected(square, player);
        let theirs = super::last_flip_count::selected(square, !player);
        settle(player, mine, theirs, alpha)
    }

    /// The answer, given how many discs turn when either side plays.
    #[inline]
    fn settle(player: u64, mine: i32, theirs: i32, alpha: i32) -> i32 {
        let difference = 2 * player.count_ones() as i32 - 63;
        let least = difference + 3;
        let moved = if least > alpha { least } else { difference + 2 * mine + 1 };
        let game_over = difference + difference.signum();
        let answered = difference - 2 * theirs - 1;
        let passed = if game_over > alpha && theirs > 0 { answered } else { game_over };
        if mine > 0 { moved } else { passed }
    }

    #[cfg(not(feature = "record"))]
    pub use count as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(square: usize, player: u64, alpha: i32) -> i32 {
        crate::record::note!(last_move_score, square, player, alpha);
        count(square, player, alpha)
    }
}

/// The squares where the mover may play, as a bitboard.
pub mod mobility {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    use crate::generated::common::flip::INNER;
    /// Four directions at a time, each with its reverse: the mover's discs flow through the opponent's
    /// by parallel prefix (steps of 1, 2, 2), and one square further.
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use parallel as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(mobility, player, opponent);
        parallel(player, opponent)
    }
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
    use crate::vector::portable::*;
    /// Byte by byte.
    #[inline]
    pub fn table(squares: u32) -> u128 {
        let mut bytes = order(squares).to_le_bytes();
        for byte in &mut bytes {
            *byte = (squares >> (8 * u32::from(*byte & 3))) as u8;
        }
        u128::from_le_bytes(bytes)
    }

    #[cfg(not(feature = "record"))]
    pub use table as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(squares: u32) -> u128 {
        crate::record::note!(parity_sort, squares);
        table(squares)
    }
}

/// The empty squares that touch a disc of the opponent: where the mover may one day play.
pub mod potential_mobility {
    #[allow(unused_imports)]
    use crate::generated::common::potential_mobility::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// The opponent's discs grown by one square along the row, then along the column.
    #[inline]
    pub fn dilate(player: u64, opponent: u64) -> u64 {
        let row = opponent | (opponent << 1) & NOT_A | (opponent & NOT_A) >> 1;
        (row | row << 8 | row >> 8) & !(player | opponent)
    }

    /// The opponent's discs moved in four directions and their reverses at a time.
    #[inline]
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

    #[cfg(not(feature = "record"))]
    pub use dilate as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(potential_mobility, player, opponent);
        dilate(player, opponent)
    }
}

/// The discs whose row, column and diagonals are all full. They never turn again, and they never turn
/// another disc, so the rest of the game does not depend on their colour (Matsuo and Narazaki).
pub mod solid_discs {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// What is in a full line of every kind.
    #[inline]
    pub fn full_lines(player: u64, opponent: u64) -> u64 {
        let [row, falling, column, rising] = super::full_lines::selected(
            player,
            opponent,
        );
        row & falling & column & rising
    }

    #[cfg(not(feature = "record"))]
    pub use full_lines as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(solid_discs, player, opponent);
        full_lines(player, opponent)
    }
}

/// The mover's discs that are known never to turn: stable edges, solid discs, and what these protect
/// in each of its four lines, spread until nothing more follows.
pub mod stability {
    #[allow(unused_imports)]
    use crate::generated::common::stability::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// Four kinds of line at a time: a disc is safe on a line that is full, or where it lies beside a
    /// stable disc.
    #[inline]
    pub fn spread(player: u64, opponent: u64) -> u64 {
        let full = U64x4::new(super::full_lines::selected(player, opponent));
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

    #[cfg(not(feature = "record"))]
    pub use spread as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> u64 {
        crate::record::note!(stability, player, opponent);
        spread(player, opponent)
    }
}

/// The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left
/// to right, upside down, both, and the same four of the board with rows and columns exchanged.
pub mod symmetries {
    #[allow(unused_imports)]
    use crate::generated::common::symmetries::*;
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// Bit and byte swaps in words.
    #[inline]
    pub fn words(player: u64) -> [u64; 8] {
        let transposed = super::transpose::selected(player);
        let [a, b, c, d] = four(player);
        let [e, f, g, h] = four(transposed);
        [a, b, c, d, e, f, g, h]
    }

    #[cfg(not(feature = "record"))]
    pub use words as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64) -> [u64; 8] {
        crate::record::note!(symmetries, player);
        words(player)
    }
}

/// The mover's discs with rows and columns exchanged: the board mirrored at the diagonal from A1 to H8.
pub mod transpose {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// Squares exchanged a block at a time: 4 x 4 squares, 2 x 2, single ones (Warren's delta swaps).
    #[inline]
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
    fn exchange<const STEP: u32>(board: u64, mask: u64) -> u64 {
        let changed = (board ^ board >> STEP) & mask;
        board ^ changed ^ changed << STEP
    }

    #[cfg(not(feature = "record"))]
    pub use swaps as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64) -> u64 {
        crate::record::note!(transpose, player);
        swaps(player)
    }
}

/// The number of squares where the mover may play, corners counted twice: what move ordering
/// asks about the opponent's answers (Edax).
pub mod weighted_mobility {
    #[allow(unused_imports)]
    use crate::vector::portable::*;
    /// The moves, and those of them that are corners.
    #[inline]
    pub fn corners_twice(player: u64, opponent: u64) -> i32 {
        let moves = super::mobility::selected(player, opponent);
        (moves.count_ones() + (moves & 0x8100_0000_0000_0081).count_ones()) as i32
    }

    #[cfg(not(feature = "record"))]
    pub use corners_twice as selected;
    /// The algorithm used, its arguments noted.
    #[cfg(feature = "record")]
    #[inline]
    pub fn selected(player: u64, opponent: u64) -> i32 {
        crate::record::note!(weighted_mobility, player, opponent);
        corners_twice(player, opponent)
    }
}

/// The ways to compute `last_move_score` at this level, each a type.
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    reason = "a variant may need a part of its kernel only"
)]
pub mod last_move_score_variants {
    use super::*;
    /// `count` on `last_flip_count::plain`.
    pub mod count_plain {
        #[allow(unused_imports)]
        use crate::vector::portable::*;
        /// Counts the mover's flips, then the opponent's where they matter.
        #[inline]
        pub fn count(square: usize, player: u64, alpha: i32) -> i32 {
            let player = player & !(1 << (square & 63));
            let difference = 2 * player.count_ones() as i32 - 63;
            let flips = super::last_flip_count::plain(square, player);
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
            let flips = super::last_flip_count::plain(square, !player);
            if flips > 0 { difference - 2 * flips - 1 } else { game_over }
        }

        pub use count as selected;
    }

    /// `count` on `last_flip_count::carry`.
    pub mod count_carry {
        #[allow(unused_imports)]
        use crate::vector::portable::*;
        /// Counts the mover's flips, then the opponent's where they matter.
        #[inline]
        pub fn count(square: usize, player: u64, alpha: i32) -> i32 {
            let player = player & !(1 << (square & 63));
            let difference = 2 * player.count_ones() as i32 - 63;
            let flips = super::last_flip_count::carry(square, player);
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
            let flips = super::last_flip_count::carry(square, !player);
            if flips > 0 { difference - 2 * flips - 1 } else { game_over }
        }

        pub use count as selected;
    }

    /// `count` on `last_flip_count::kindergarten`.
    pub mod count_kindergarten {
        #[allow(unused_imports)]
        use crate::vector::portable::*;
        /// Counts the mover's flips, then the opponent's where they matter.
        #[inline]
        pub fn count(square: usize, player: u64, alpha: i32) -> i32 {
            let player = player & !(1 << (square & 63));
            let difference = 2 * player.count_ones() as i32 - 63;
            let flips = super::last_flip_count::kindergarten(square, player);
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
            let flips = super::last_flip_count::kindergarten(square, !player);
            if flips > 0 { difference - 2 * flips - 1 } else { game_over }
        }

        pub use count as selected;
    }

    /// `count+plain`.
    pub struct CountPlain;
    impl crate::variants::LastMoveScore<crate::tokens::Portable> for CountPlain {
        #[inline(always)]
        fn last_move_score(
            _: crate::tokens::Portable,
            square: usize,
            player: u64,
            alpha: i32,
        ) -> i32 {
            count_plain::selected(square, player, alpha)
        }
    }

    /// `count+carry`.
    pub struct CountCarry;
    impl crate::variants::LastMoveScore<crate::tokens::Portable> for CountCarry {
        #[inline(always)]
        fn last_move_score(
            _: crate::tokens::Portable,
            square: usize,
            player: u64,
            alpha: i32,
        ) -> i32 {
            count_carry::selected(square, player, alpha)
        }
    }

    /// `count+kindergarten`.
    pub struct CountKindergarten;
    impl crate::variants::LastMoveScore<crate::tokens::Portable> for CountKindergarten {
        #[inline(always)]
        fn last_move_score(
            _: crate::tokens::Portable,
            square: usize,
            player: u64,
            alpha: i32,
        ) -> i32 {
            count_kindergarten::selected(square, player, alpha)
        }
    }

    /// `both`.
    pub struct Both;
    impl crate::variants::LastMoveScore<crate::tokens::Portable> for Both {
        #[inline(always)]
        fn last_move_score(
            _: crate::tokens::Portable,
            square: usize,
            player: u64,
            alpha: i32,
        ) -> i32 {
            super::last_move_score::both(square, player, alpha)
        }
    }
}

impl Kernels for crate::tokens::Portable {
    const ISA: Isa = Isa::Portable;
    #[inline(always)]
    fn board_hash(self, player: u64, opponent: u64) -> u64 {
        board_hash::selected(player, opponent)
    }

    #[inline(always)]
    fn canonical(self, player: u64, opponent: u64) -> [u64; 2] {
        canonical::selected(player, opponent)
    }

    #[inline(always)]
    fn clear(self, memory: &mut [Block], pattern: [u64; 4]) {
        clear::selected(memory, pattern)
    }

    #[inline(always)]
    fn corner_stability(self, player: u64) -> i32 {
        corner_stability::selected(player)
    }

    #[inline(always)]
    fn edge_stability(self, player: u64, opponent: u64) -> u64 {
        edge_stability::selected(player, opponent)
    }

    #[inline(always)]
    fn eval_sum(self, weights: &Weights, features: &Features) -> i32 {
        eval_sum::selected(weights, features)
    }

    #[inline(always)]
    fn feature_pass(self, features: &Features, after: &mut Features) {
        feature_pass::selected(features, after)
    }

    #[inline(always)]
    fn feature_pass_ntest(self, features: &Features, after: &mut Features) {
        feature_pass_ntest::selected(features, after)
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
        feature_restore::selected(features, moved, square, flipped, after)
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
        feature_restore_ntest::selected(features, moved, square, flipped, after)
    }

    #[inline(always)]
    fn feature_set(self, player: u64, opponent: u64, after: &mut Features) {
        feature_set::selected(player, opponent, after)
    }

    #[inline(always)]
    fn feature_set_ntest(self, player: u64, opponent: u64, after: &mut Features) {
        feature_set_ntest::selected(player, opponent, after)
    }

    #[inline(always)]
    fn feature_update(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        feature_update::selected(features, square, flipped, after)
    }

    #[inline(always)]
    fn feature_update_ntest(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    ) {
        feature_update_ntest::selected(features, square, flipped, after)
    }

    #[inline(always)]
    fn flip(self, square: usize, player: u64, opponent: u64) -> u64 {
        flip::selected(square, player, opponent)
    }

    #[inline(always)]
    fn full_lines(self, player: u64, opponent: u64) -> [u64; 4] {
        full_lines::selected(player, opponent)
    }

    #[inline(always)]
    fn last_flip_count(self, square: usize, player: u64) -> i32 {
        last_flip_count::selected(square, player)
    }

    #[inline(always)]
    fn last_move_score(self, square: usize, player: u64, alpha: i32) -> i32 {
        last_move_score::selected(square, player, alpha)
    }

    #[inline(always)]
    fn mobility(self, player: u64, opponent: u64) -> u64 {
        mobility::selected(player, opponent)
    }

    #[inline(always)]
    fn parity_sort(self, squares: u32) -> u128 {
        parity_sort::selected(squares)
    }

    #[inline(always)]
    fn potential_mobility(self, player: u64, opponent: u64) -> u64 {
        potential_mobility::selected(player, opponent)
    }

    #[inline(always)]
    fn solid_discs(self, player: u64, opponent: u64) -> u64 {
        solid_discs::selected(player, opponent)
    }

    #[inline(always)]
    fn stability(self, player: u64, opponent: u64) -> u64 {
        stability::selected(player, opponent)
    }

    #[inline(always)]
    fn symmetries(self, player: u64) -> [u64; 8] {
        symmetries::selected(player)
    }

    #[inline(always)]
    fn transpose(self, player: u64) -> u64 {
        transpose::selected(player)
    }

    #[inline(always)]
    fn weighted_mobility(self, player: u64, opponent: u64) -> i32 {
        weighted_mobility::selected(player, opponent)
    }
}
