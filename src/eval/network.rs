//! The evaluation by a network. Features are updated move by move. The rows of their values are summed by corner, and
//! the sums are the inputs of the network.

use outflank_kernels::levels::portable;
use outflank_kernels::{Features, Kernels, Network};

use super::evaluator::{Evaluator, feature_state, within_bounds};
use crate::board::Board;
use crate::square::Square;

impl<I: Kernels> Evaluator<I> for Network {
    feature_state!(
        feature_set_corner,
        feature_update_corner,
        feature_pass_corner
    );

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
