//! The evaluation by a network. Features are updated move by move. The rows of their values are summed by corner, and
//! the sums are the inputs of the network.

use outflank_kernels::levels::portable;
use outflank_kernels::{Features, Kernels, Network};

use super::evaluator::{DISC, Evaluator, MAX_DISCS};
use crate::board::Board;
use crate::square::Square;

impl<I: Kernels> Evaluator<I> for Network {
    type State = Features;

    #[inline(always)]
    fn set(&self, isa: I, board: Board) -> Features {
        let mut features = Features::default();
        isa.feature_set_corner(board.player, board.opponent, &mut features);
        features
    }

    #[inline(always)]
    fn update(&self, isa: I, state: &Features, square: Square, flipped: u64) -> Features {
        let mut after = Features::default();
        isa.feature_update_corner(state, square.index(), flipped, &mut after);
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
        within_bounds(isa.network_value(self, state, board.empty_count(), moves))
    }

    #[inline(always)]
    fn values(&self, isa: I, states: [&Features; 2], boards: [Board; 2]) -> [i32; 2] {
        let [state, other_state] = states;
        let [board, other_board] = boards;
        let empties = board.empty_count();
        let moves = isa.mobility(board.player, board.opponent).count_ones();
        let other_moves = isa
            .mobility(other_board.player, other_board.opponent)
            .count_ones();
        isa.network_pair(self, state, other_state, empties, moves, other_moves)
            .map(within_bounds)
    }
}

/// The value of `board` by the portable kernels, as a reference.
pub(super) fn reference_value(network: &Network, board: Board) -> i32 {
    let mut features = Features::default();
    portable::feature_set_corner::selected(board.player, board.opponent, &mut features);
    let moves = board.mobility().count_ones();
    let value = portable::network_value::selected(network, &features, board.empty_count(), moves);
    within_bounds(value)
}

#[inline(always)]
fn within_bounds(value: i32) -> i32 {
    value.clamp(-MAX_DISCS * DISC, MAX_DISCS * DISC)
}
