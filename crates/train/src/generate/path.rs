//! Games as sequences of positions.

use outflank_random::SplitMix64;

use super::Plan;
use crate::record::game_number;
use outflank::Side;
use outflank::board::Board;
use outflank::game::step;
use outflank::square::Square;

/// Consecutive positions of a game.
pub(super) struct Path {
    /// Each position has one empty square fewer than its predecessor, and no side has to pass.
    positions: Vec<(Board, Side)>,
    /// Identity of the game in records.
    pub(super) game: u32,
}

/// Position taken for labelling.
pub(super) struct PickedPosition {
    pub(super) board: Board,
    /// Side to move.
    pub(super) side: Side,
}

/// Maximum number of attempts to find a new position of a game.
const TRIES: usize = 10;

impl Path {
    /// Creates the path of consecutive positions.
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

    /// Last position.
    pub(super) fn last(&self) -> Option<(Board, Side)> {
        self.positions.last().copied()
    }

    /// Picks distinct positions of the game and of deviations from it. The mover has a move in each.
    ///
    /// Positions are in ascending order of empty squares, so that later solves profit from the table.
    pub(super) fn pick(&self, plan: &Plan, random: &mut SplitMix64) -> Vec<PickedPosition> {
        let mut picked: Vec<PickedPosition> = Vec::new();
        for _ in 0..plan.per_game {
            let new = (0..TRIES).find_map(|_| {
                let new = self.pick_one(plan, random)?;
                let is_new = picked.iter().all(|other| other.board != new.board);
                is_new.then_some(new)
            });
            picked.extend(new);
        }
        picked.sort_by_key(|position| position.board.empty_count());
        picked
    }

    fn pick_one(&self, plan: &Plan, random: &mut SplitMix64) -> Option<PickedPosition> {
        let empties = plan.empties.draw(random);
        let deviations = match plan.takes_deviations(empties) {
            true => random.below(u64::from(plan.deviations) + 1) as u32,
            false => 0,
        };
        let start = self.at(empties + deviations)?;
        let (board, side) =
            (0..deviations).try_fold(start, |position, _| random_move(position, random))?;
        (board.mobility() != 0).then_some(PickedPosition { board, side })
    }
}

/// Plays a random move. Returns `None` if there is no move.
pub(super) fn random_move(
    position: (Board, Side),
    random: &mut SplitMix64,
) -> Option<(Board, Side)> {
    let square = random.one_of(position.0.mobility()).trailing_zeros();
    step(position, Square::new(square as u8)?)
}
