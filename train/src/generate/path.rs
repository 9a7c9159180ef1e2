//! Games as positions, and the positions that are taken from them.

use outflank_random::SplitMix;

use super::Plan;
use crate::record::game_number;
use outflank::Side;
use outflank::board::Board;
use outflank::game::step;
use outflank::square::Square;

/// The positions of a game, from some point on.
pub(super) struct Path {
    /// Each has one empty square less than the one before; no side has to pass.
    positions: Vec<(Board, Side)>,
    /// The game's number in records.
    pub(super) game: u32,
}

/// A position that was taken.
pub(super) struct Picked {
    pub(super) board: Board,
    /// The side that is to move.
    pub(super) side: Side,
}

/// How often a position is looked for, where games are too short for it or have it already.
const TRIES: usize = 10;

impl Path {
    /// The game of these positions: each with one empty square less than the one before.
    pub(super) fn new(positions: Vec<(Board, Side)>) -> Path {
        let game = game_number(&positions);
        Path { positions, game }
    }

    /// The position with `empties` empty squares, if the game came to one.
    pub(super) fn at(&self, empties: u32) -> Option<(Board, Side)> {
        let first = self.positions.first()?.0.empty_count();
        let place = first.checked_sub(empties)?;
        self.positions.get(place as usize).copied()
    }

    /// The position that the game ended with.
    pub(super) fn last(&self) -> Option<(Board, Side)> {
        self.positions.last().copied()
    }

    /// Positions of the game and of deviations from it, all different, in none of which the mover has
    /// to pass or the game is over. The fewest empty squares come first: what their solves leave in a
    /// table serves the others.
    pub(super) fn pick(&self, plan: &Plan, random: &mut SplitMix) -> Vec<Picked> {
        let mut picked: Vec<Picked> = Vec::new();
        for _ in 0..plan.per_game {
            let new = (0..TRIES).find_map(|_| {
                let one = self.pick_one(plan, random)?;
                let is_new = picked.iter().all(|other| other.board != one.board);
                is_new.then_some(one)
            });
            picked.extend(new);
        }
        picked.sort_by_key(|one| one.board.empty_count());
        picked
    }

    fn pick_one(&self, plan: &Plan, random: &mut SplitMix) -> Option<Picked> {
        let empties = plan.empties.draw(random);
        let deviations = match plan.takes_deviations(empties) {
            true => random.below(u64::from(plan.deviations) + 1) as u32,
            false => 0,
        };
        let start = self.at(empties + deviations)?;
        let (board, side) = (0..deviations).try_fold(start, |one, _| random_move(one, random))?;
        (board.mobility() != 0).then_some(Picked { board, side })
    }
}

/// The position after a random move; `None` if there is no move.
pub(super) fn random_move(position: (Board, Side), random: &mut SplitMix) -> Option<(Board, Side)> {
    let square = random.one_of(position.0.mobility()).trailing_zeros();
    step(position, Square::new(square as u8)?)
}
