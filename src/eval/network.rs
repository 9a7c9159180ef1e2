//! The evaluation by a network as a search uses it: features kept up to date move by move, their rows
//! summed by corner, and the network on the sums.

use outflank_kernels::levels::portable;
use outflank_kernels::{Features, Kernels, Network};

use super::{DISC, Evaluator, MAX_DISCS};
use crate::board::Board;

impl<I: Kernels> Evaluator<I> for Network {
    const IS_ROUGH: bool = false;
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

/// The value of `board` from nothing, by the portable kernels.
pub(super) fn plain_value(network: &Network, board: Board) -> i32 {
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

#[cfg(test)]
mod tests {
    use outflank_kernels::{Isa, with_isa};
    use outflank_testing::models::random_network;
    use outflank_testing::rng::Rng;

    use super::*;

    /// The value of every position of random games is that of the plain definition, at every level, whether its
    /// state is kept move by move or made from nothing; and no symmetry of the board changes it.
    #[test]
    fn values_are_those_of_the_definition() {
        let network = random_network(1);
        let mut rng = Rng::new(2);
        let mut different = std::collections::BTreeSet::new();
        for _ in 0..10 {
            let mut board = Board::START;
            let set = |&isa: &Isa| with_isa!(isa.token().unwrap(), isa => network.set(isa, board));
            let mut states: Vec<Features> = Isa::available().iter().map(set).collect();
            while !board.is_game_over() {
                let moves: Vec<_> = crate::Square::all_in(board.mobility()).collect();
                let played = (!moves.is_empty()).then(|| moves[rng.below(moves.len())]);
                let next = match played {
                    Some(square) => board.play(square).unwrap(),
                    None => board.pass(),
                };
                let expected = plain_value(&network, next);
                different.insert(expected);
                for (one, state) in Isa::available().iter().zip(&mut states) {
                    with_isa!(one.token().unwrap(), isa => {
                        *state = match played {
                            Some(square) => {
                                let flipped = next.player ^ board.opponent;
                                network.update(isa, state, square.index(), flipped)
                            }
                            None => network.pass(isa, state),
                        };
                        assert_eq!(network.value(isa, state, next), expected, "{one}: {next}");
                        let anew = network.set(isa, next);
                        assert_eq!(network.value(isa, &anew, next), expected, "{one}: {next}");
                    });
                }
                let images = portable::symmetries::selected(next.player)
                    .into_iter()
                    .zip(portable::symmetries::selected(next.opponent));
                for (player, opponent) in images {
                    let image = Board { player, opponent };
                    assert_eq!(plain_value(&network, image), expected, "{next}");
                }
                board = next;
            }
        }
        assert!(different.len() > 400, "{} values", different.len());
    }
}
