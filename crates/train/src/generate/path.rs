//! Games as sequences of positions, and self-play.

use std::fmt;

use outflank_random::SplitMix64;

use super::Plan;
use crate::record::game_number;
use crate::search::FixedDepthSearcher;
use outflank::Side;
use outflank::board::Board;
use outflank::game::step;
use outflank::search::SearchError;
use outflank::square::Square;

/// Consecutive positions of a game.
pub(super) struct Path {
    /// Each position has one empty square fewer than its predecessor, and no side has to pass.
    positions: Vec<(Board, Side)>,
    /// Number of the game in records.
    pub(super) game: u32,
}

/// Maximum number of attempts to pick another position of a game.
const TRIES: usize = 10;

impl Path {
    pub(super) fn new(positions: Vec<(Board, Side)>) -> Path {
        let game = game_number(&positions);
        Path { positions, game }
    }

    /// Position with `empties` empty squares, if the game reached it.
    pub(super) fn at(&self, empties: u32) -> Option<(Board, Side)> {
        let first = self.positions.first()?.0.empty_count();
        let index = first.checked_sub(empties)?;
        self.positions.get(index as usize).copied()
    }

    pub(super) fn last(&self) -> Option<(Board, Side)> {
        self.positions.last().copied()
    }

    /// Picks distinct positions of the game and of deviations from it. The mover has a move in each.
    ///
    /// Positions are in ascending order of empty squares, so that later solves profit from the table.
    pub(super) fn pick(&self, plan: &Plan, random: &mut SplitMix64) -> Vec<(Board, Side)> {
        let mut picked: Vec<(Board, Side)> = Vec::new();
        for _ in 0..plan.per_game {
            let new = (0..TRIES).find_map(|_| {
                let new = self.pick_one(plan, random)?;
                let is_new = picked.iter().all(|(board, _)| *board != new.0);
                is_new.then_some(new)
            });
            picked.extend(new);
        }
        picked.sort_by_key(|(board, _)| board.empty_count());
        picked
    }

    fn pick_one(&self, plan: &Plan, random: &mut SplitMix64) -> Option<(Board, Side)> {
        let empties = plan.empties.draw(random);
        let deviations = match plan.takes_deviations(empties) {
            true => random.below(u64::from(plan.deviations) + 1) as u32,
            false => 0,
        };
        let start = self.at(empties + deviations)?;
        let picked =
            (0..deviations).try_fold(start, |position, _| random_move(position, random))?;
        (picked.0.mobility() != 0).then_some(picked)
    }
}

/// Plays a random move. Returns `None` if there is no move.
fn random_move(position: (Board, Side), random: &mut SplitMix64) -> Option<(Board, Side)> {
    let square = random.one_of(position.0.mobility()).trailing_zeros();
    step(position, Square::new(square as u8)?)
}

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
            // Without a move the game is over.
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
