//! Self-play.

use std::fmt;

use outflank_random::SplitMix64;

use super::path::{Path, random_move};
use crate::search::FixedDepthSearcher;
use outflank::Side;
use outflank::board::Board;
use outflank::game::step;
use outflank::search::SearchError;

/// Settings of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// Random moves after the opening.
    pub random_plies: u32,
    /// Search depth of the other moves, in plies.
    pub depth: u32,
    /// Percentage of random moves after `random_plies`.
    pub strays: u32,
}

impl SelfPlay {
    /// Plays a game from `opening` down to `least` empty squares.
    pub(super) fn play(
        &self,
        opening: (Board, Side),
        least: u32,
        searcher: &mut FixedDepthSearcher,
        random: &mut SplitMix64,
    ) -> Result<Path, SearchError> {
        // The table decides between equal moves, so it must not depend on earlier games.
        searcher.clear();
        let mut positions = vec![opening];
        loop {
            let position = positions[positions.len() - 1];
            let (board, _) = position;
            if board.empty_count() <= least {
                break;
            }
            let is_random = positions.len() <= self.random_plies as usize
                || random.below(100) < u64::from(self.strays);
            let next = match is_random {
                true => random_move(position, random),
                false => {
                    let best = searcher.search(board, self.depth)?.best;
                    best.and_then(|square| step(position, square))
                }
            };
            // The game is over without a move.
            let Some(next) = next else { break };
            positions.push(next);
        }
        Ok(Path::new(positions))
    }
}

impl fmt::Display for SelfPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} random plies, searches of {}, {} random moves in 100",
            self.random_plies, self.depth, self.strays
        )
    }
}
