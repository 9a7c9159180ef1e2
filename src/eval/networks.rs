//! The evaluation by networks. Features are updated move by move. The rows of their values are summed by corner, and
//! the sums are the inputs of a network.

use std::ops::RangeInclusive;

use outflank_kernels::levels::portable;
use outflank_kernels::{Features, Kernels, Network};

use super::evaluator::{Evaluator, feature_state, within_bounds};
use super::knots::MAX_GAME_EMPTIES;
use crate::board::Board;
use crate::square::Square;

/// One network for all positions, or one for each of two phases of the game.
///
/// In a single network, the middle of the game and its end share the rows. Two networks have rows of their own, but use
/// the same features. Each board is evaluated by one network only.
#[derive(Clone, PartialEq, Debug)]
pub struct Networks {
    late: Network,
    early: Option<EarlyNetwork>,
}

/// The network for more than `above` empty squares.
#[derive(Clone, PartialEq, Debug)]
struct EarlyNetwork {
    /// The maximum number of empty squares for the other network.
    above: u32,
    network: Network,
}

impl Networks {
    /// Creates an evaluation by two networks: `late` for up to `above` empty squares, `early` for more.
    ///
    /// # Panics
    ///
    /// Panics if `above` is 60 or more: no position would be left for `early`.
    pub fn of_phases(late: Network, above: u32, early: Network) -> Networks {
        assert!(above < MAX_GAME_EMPTIES, "{above} empty squares");
        Networks {
            late,
            early: Some(EarlyNetwork {
                above,
                network: early,
            }),
        }
    }

    /// The network for positions of `empties` empty squares.
    #[inline(always)]
    pub fn at(&self, empties: u32) -> &Network {
        match &self.early {
            Some(early) if empties > early.above => &early.network,
            _ => &self.late,
        }
    }

    /// Mutable version of [`at`](Self::at).
    pub fn at_mut(&mut self, empties: u32) -> &mut Network {
        match &mut self.early {
            Some(early) if empties > early.above => &mut early.network,
            _ => &mut self.late,
        }
    }

    /// Each network with its numbers of empty squares, in ascending order.
    pub fn phases(&self) -> impl Iterator<Item = (RangeInclusive<u32>, &Network)> {
        let last = self
            .early
            .as_ref()
            .map_or(MAX_GAME_EMPTIES, |early| early.above);
        let early = self.early.iter();
        let early = early.map(|early| (early.above + 1..=MAX_GAME_EMPTIES, &early.network));
        [(0..=last, &self.late)].into_iter().chain(early)
    }

    /// Returns `true` if every number is so small that no sum overflows.
    pub fn are_within_limits(&self) -> bool {
        let mut phases = self.phases();
        phases.all(|(_, network)| network.is_within_limits())
    }

    /// The bytes in memory. Borrowed rows count as well.
    pub fn resident_bytes(&self) -> usize {
        self.phases()
            .map(|(_, network)| network.resident_bytes())
            .sum()
    }

    /// The value of `board` by the portable kernels, as a reference.
    pub(super) fn reference_value(&self, board: Board) -> i32 {
        let mut features = Features::default();
        portable::feature_set_corner::selected(board.player, board.opponent, &mut features);
        let (empties, moves) = (board.empty_count(), board.mobility().count_ones());
        let network = self.at(empties);
        within_bounds(portable::network_value::selected(
            network, &features, empties, moves,
        ))
    }
}

impl From<Network> for Networks {
    /// The evaluation of all positions by one network.
    fn from(network: Network) -> Networks {
        Networks {
            late: network,
            early: None,
        }
    }
}

impl<I: Kernels> Evaluator<I> for Networks {
    feature_state!(
        feature_set_corner,
        feature_update_corner,
        feature_pass_corner
    );

    #[inline(always)]
    fn value(&self, isa: I, state: &Features, board: Board) -> i32 {
        let empties = board.empty_count();
        let moves = isa.mobility(board.player, board.opponent).count_ones();
        within_bounds(isa.network_value(self.at(empties), state, empties, moves))
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
        let network = self.at(empties);
        isa.network_pair(network, state, other_state, empties, moves, other_moves)
            .map(within_bounds)
    }
}
