//! The evaluation by a network as a search uses it: features kept up to date move by move, their rows
//! summed by corner, and the network on the sums.

use outflank_kernels::{Features, Kernels, Network};

use super::{DISC, Evaluator, MAX_DISCS};
use crate::board::Board;

impl<I: Kernels> Evaluator<I> for Network {
    type State = Features;

    #[inline(always)]
    fn set(&self, isa: I, board: Board) -> Features {
        let mut features = Features::default();
        isa.feature_set_corner(board.player, board.opponent, &mut features);
        features
    }

    #[inline(always)]
    fn update(&self, isa: I, state: &Features, square: usize, flipped: u64) -> Features {
        let mut after = Features::default();
        isa.feature_update_corner(state, square, flipped, &mut after);
        after
    }

    #[inline(always)]
    fn pass(&self, isa: I, state: &Features) -> Features {
        let mut after = Features::default();
        isa.feature_pass_corner(state, &mut after);
        after
    }

    #[inline(always)]
    fn value(&self, isa: I, state: &Features, board: Board) -> i32 {
        let moves = isa.mobility(board.player, board.opponent).count_ones();
        let sums = isa.corner_sums(self, state);
        let value = isa.network_value(self, &sums, board.empty_count(), moves);
        value.clamp(-MAX_DISCS * DISC, MAX_DISCS * DISC)
    }
}
