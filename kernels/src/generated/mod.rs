//! The levels, the trait that they answer to, and the kernels.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

use crate::Isa;
use crate::Block;
use crate::Features;
use crate::Weights;
pub(crate) mod common;
pub(crate) mod geometry;
#[macro_use]
mod registry;
pub mod portable;
#[cfg(target_arch = "x86_64")]
pub mod v2;
#[cfg(target_arch = "x86_64")]
pub mod v3;
#[cfg(target_arch = "x86_64")]
pub mod v4;
#[cfg(target_arch = "x86_64")]
pub mod icl;
#[cfg(target_arch = "aarch64")]
pub mod neon;
#[cfg(target_arch = "wasm32")]
pub mod simd128;
/// The token of each level of this architecture.
pub mod tokens {
    pub use pulp::Scalar as Portable;
    #[cfg(target_arch = "x86_64")]
    pub use pulp::x86::V2 as V2;
    #[cfg(target_arch = "x86_64")]
    pub use pulp::x86::V3 as V3;
    #[cfg(target_arch = "x86_64")]
    pub use pulp::x86::V4 as V4;
    #[cfg(target_arch = "x86_64")]
    pub use crate::token::Icl as Icl;
    #[cfg(target_arch = "aarch64")]
    pub use crate::token::Neon as Neon;
    #[cfg(target_arch = "wasm32")]
    pub use crate::token::Simd128 as Simd128;
}

/// Calls `$callback!` with the extra tokens in braces and then a row for every level, lowest
/// first: `{ module Type [cfg] [features] doc }`, the features absent where there are none.
#[macro_export]
macro_rules! for_each_level {
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
        $($callback)::+ ! { { $($($extra)*)? } { portable Portable[all()] []
        "64-bit integer code, any target." } { v2 V2[target_arch = "x86_64"]
        ["sse4.2,popcnt"] "x86-64 with SSE4.2, SSSE3 and POPCNT." } { v3 V3[target_arch =
        "x86_64"] ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"]
        "x86-64 with AVX2, BMI1, BMI2, FMA and LZCNT." } { v4 V4[target_arch = "x86_64"]
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"]
        "x86-64 with AVX-512 F, BW, CD, DQ and VL." } { icl Icl[target_arch = "x86_64"]
        ["avx2,bmi1,bmi2,fma,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni"]
        "x86-64 with all of v4, VBMI, VBMI2, BITALG, VPOPCNTDQ and GFNI." } { neon
        Neon[target_arch = "aarch64"] ["neon,crc"]
        "AArch64 with Advanced SIMD and CRC32." } { simd128 Simd128[target_arch =
        "wasm32"] ["simd128"] "WebAssembly built with simd128." } }
    };
}

/// The kernels at the level of a token: the algorithm selected there for each.
///
/// Holding a token proves that the CPU has the level, so every method is safe. All are inlined
/// into callers that are compiled with the level's features.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// The level.
    const ISA: Isa;
    /// The hash of a board: CRC32C of the mover's discs in the high half, and of the mover's and then the
    /// opponent's in the low half (Edax AVX).
    fn board_hash(self, player: u64, opponent: u64) -> u64;
    /// The board among its eight images that comes first, by the mover's discs and then the opponent's, as
    /// numbers: one board stands for all that are the same but for symmetry.
    fn canonical(self, player: u64, opponent: u64) -> [u64; 2];
    /// Fills `memory` with `pattern`, again and again: how a transposition table is emptied.
    fn clear(self, memory: &mut [Block], pattern: [u64; 4]);
    /// The number of the mover's corners, and of the squares beside them on the edges that they make
    /// stable (0..=12): the cheap part of stability that move ordering uses.
    fn corner_stability(self, player: u64) -> i32;
    /// The mover's discs on the four edges that no sequence of moves can turn, each edge on its own.
    fn edge_stability(self, player: u64, opponent: u64) -> u64;
    /// The sum of the packed weights of all features: that of two neighbouring stages at once.
    ///
    /// `features` may be any, but for those that the geometry does not use, which are 0: no value leads out
    /// of the weights.
    fn eval_sum(self, weights: &Weights, features: &Features) -> i32;
    /// The features after the mover passes: the sides change and nothing else, `highest - feature`.
    ///
    /// Geometry: edax. `features` must be those of a board.
    fn feature_pass(self, features: &Features, after: &mut Features);
    /// The features after the mover passes: the sides change and nothing else, `highest - feature`.
    ///
    /// Geometry: ntest. `features` must be those of a board.
    fn feature_pass_ntest(self, features: &Features, after: &mut Features);
    /// The features before the mover played on `square` and turned `flipped`, when the move is taken back.
    ///
    /// `features` are those, saved before the move; `moved` are those after it. An algorithm uses the
    /// one or the other.
    ///
    /// Geometry: edax.
    fn feature_restore(
        self,
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    );
    /// The features before the mover played on `square` and turned `flipped`, when the move is taken back.
    ///
    /// `features` are those, saved before the move; `moved` are those after it. An algorithm uses the
    /// one or the other.
    ///
    /// Geometry: ntest.
    fn feature_restore_ntest(
        self,
        features: &Features,
        moved: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    );
    /// The features of a board, from nothing.
    ///
    /// With 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is
    /// `(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in
    /// base 3 with the digits 0 and 1.
    ///
    /// Geometry: edax.
    fn feature_set(self, player: u64, opponent: u64, after: &mut Features);
    /// The features of a board, from nothing.
    ///
    /// With 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is
    /// `(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in
    /// base 3 with the digits 0 and 1.
    ///
    /// Geometry: ntest.
    fn feature_set_ntest(self, player: u64, opponent: u64, after: &mut Features);
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
    fn feature_update(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    );
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
    fn feature_update_ntest(
        self,
        features: &Features,
        square: usize,
        flipped: u64,
        after: &mut Features,
    );
    /// The discs that turn when the mover plays on the empty `square` (0..=63), as a bitboard; 0 where
    /// the move is not legal.
    fn flip(self, square: usize, player: u64, opponent: u64) -> u64;
    /// The squares whose line is full, for each kind of line: rows, falling diagonals (A8 to H1),
    /// columns, rising diagonals (A1 to H8).
    fn full_lines(self, player: u64, opponent: u64) -> [u64; 4];
    /// The number of discs that turn when the mover plays on `square`, the only empty square of a board
    /// on which all that is not the mover's is the opponent's. A bit of `player` on `square` is ignored.
    fn last_flip_count(self, square: usize, player: u64) -> i32;
    /// The mover's score with one empty square left, cut short where `alpha` allows it: the lazy high and
    /// low cut-offs of Edax AVX.
    ///
    /// All that is not the mover's is the opponent's; a bit of `player` on `square` is ignored. Where the
    /// mover can play and the least that a move gives is over `alpha`, that least score is the answer (a
    /// lower bound); where the mover must pass and the game's end on that is not over `alpha`, that score
    /// is (an upper bound). Everything else is exact.
    fn last_move_score(self, square: usize, player: u64, alpha: i32) -> i32;
    /// The squares where the mover may play, as a bitboard.
    fn mobility(self, player: u64, opponent: u64) -> u64;
    /// The order in which to try the last four empties, by parity (Edax AVX's shuffle).
    ///
    /// `squares` holds four different squares, the first in the lowest byte, in an order of preference.
    /// The result has four groups of four bytes, lowest first: group `i` is the `i`-th square to try, and
    /// the three that are left in the order in which the answer should try them. Squares alone in their
    /// quadrant, or one of three there, come before those that share it evenly.
    fn parity_sort(self, squares: u32) -> u128;
    /// The empty squares that touch a disc of the opponent: where the mover may one day play.
    fn potential_mobility(self, player: u64, opponent: u64) -> u64;
    /// The discs whose row, column and diagonals are all full. They never turn again, and they never turn
    /// another disc, so the rest of the game does not depend on their colour (Matsuo and Narazaki).
    fn solid_discs(self, player: u64, opponent: u64) -> u64;
    /// The mover's discs that are known never to turn: stable edges, solid discs, and what these protect
    /// in each of its four lines, spread until nothing more follows.
    fn stability(self, player: u64, opponent: u64) -> u64;
    /// The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left
    /// to right, upside down, both, and the same four of the board with rows and columns exchanged.
    fn symmetries(self, player: u64) -> [u64; 8];
    /// The mover's discs with rows and columns exchanged: the board mirrored at the diagonal from A1 to H8.
    fn transpose(self, player: u64) -> u64;
    /// The number of squares where the mover may play, corners counted twice: what move ordering
    /// asks about the opponent's answers (Edax).
    fn weighted_mobility(self, player: u64, opponent: u64) -> i32;
}

/// Calls `$callback!` with the extra tokens in braces and then a row for every level, lowest
/// first: `{ module::module Type [cfg] { Variant name selected } … }`, the variants of `last_move_score`
/// being types in that module of [`levels`](crate::levels).
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_last_move_score {
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
        $($callback)::+ ! { { $($($extra)*)? } { portable::last_move_score_variants
        Portable[all()] { CountPlain "count+plain" false } { CountCarry "count+carry"
        false } { CountKindergarten "count+kindergarten" true } { Both "both" false } } {
        v2::last_move_score_variants V2[target_arch = "x86_64"] { CountPlain
        "count+plain" false } { CountCarry "count+carry" false } { CountKindergarten
        "count+kindergarten" false } { CountMovemask "count+movemask" true } { Both
        "both" false } } { v3::last_move_score_variants V3[target_arch = "x86_64"] {
        CountPlain "count+plain" false } { CountCarry "count+carry" false } {
        CountKindergarten "count+kindergarten" false } { CountMovemask "count+movemask"
        false } { CountBytemask "count+bytemask" true } { CountPextLines
        "count+pext_lines" false } { Both "both" false } { Pext "pext" false } { LazyHigh
        "lazy_high" false } } { v4::last_move_score_variants V4[target_arch = "x86_64"] {
        CountPlain "count+plain" false } { CountCarry "count+carry" false } {
        CountKindergarten "count+kindergarten" false } { CountMovemask "count+movemask"
        false } { CountBytemask "count+bytemask" false } { CountPextLines
        "count+pext_lines" false } { CountTestmask "count+testmask" true } { CountLzcnt
        "count+lzcnt" false } { Both "both" false } { Pext "pext" false } { LazyHigh
        "lazy_high" false } { Lazy256 "lazy_256" false } { Both256 "both_256" false } {
        Both512 "both_512" false } } { icl::last_move_score_variants Icl[target_arch =
        "x86_64"] { CountPlain "count+plain" false } { CountCarry "count+carry" false } {
        CountKindergarten "count+kindergarten" false } { CountMovemask "count+movemask"
        false } { CountBytemask "count+bytemask" false } { CountPextLines
        "count+pext_lines" false } { CountTestmask "count+testmask" true } { CountLzcnt
        "count+lzcnt" false } { Both "both" false } { Pext "pext" false } { LazyHigh
        "lazy_high" false } { Lazy256 "lazy_256" false } { Both256 "both_256" false } {
        Both512 "both_512" false } } { neon::last_move_score_variants Neon[target_arch =
        "aarch64"] { CountPlain "count+plain" false } { CountCarry "count+carry" false }
        { CountKindergarten "count+kindergarten" true } { CountMovemask "count+movemask"
        false } { Both "both" false } } { simd128::last_move_score_variants
        Simd128[target_arch = "wasm32"] { CountPlain "count+plain" false } { CountCarry
        "count+carry" false } { CountKindergarten "count+kindergarten" true } {
        CountMovemask "count+movemask" false } { Both "both" false } } }
    };
}

/// Kernels of which each algorithm can be compiled into the search, and compared there.
pub mod variants {
    use super::Kernels;
    /// The algorithm that each level uses.
    pub struct Selected;
    /// A way to compute [`Kernels::last_move_score`](crate::Kernels::last_move_score) at the level of the token `I`.
    pub trait LastMoveScore<I: Kernels>: 'static {
        /// As [`Kernels::last_move_score`](crate::Kernels::last_move_score).
        fn last_move_score(isa: I, square: usize, player: u64, alpha: i32) -> i32;
    }
    impl<I: Kernels> LastMoveScore<I> for Selected {
        #[inline(always)]
        fn last_move_score(isa: I, square: usize, player: u64, alpha: i32) -> i32 {
            isa.last_move_score(square, player, alpha)
        }
    }
}
