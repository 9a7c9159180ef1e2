//! Bounds of scores that certificates prove.

use std::collections::HashMap;

use outflank::Board;
use outflank_verifier::{Claim, Position};

/// Bounds by position: the score is at least the first number and at most the second one.
#[derive(Clone, Default)]
pub(super) struct ProvenScores(HashMap<Position, (i32, i32)>);

impl ProvenScores {
    pub(super) fn add(&mut self, claim: Claim) {
        let (lower, upper) = self.0.entry(claim.position).or_insert(UNKNOWN);
        match claim.at_least {
            true => *lower = claim.score.max(*lower),
            false => *upper = claim.score.min(*upper),
        }
    }

    /// Returns `true` if a claim follows from the earlier ones.
    pub(super) fn has(&self, claim: Claim) -> bool {
        let (lower, upper) = self.0.get(&claim.position).copied().unwrap_or(UNKNOWN);
        match claim.at_least {
            true => lower >= claim.score,
            false => upper <= claim.score,
        }
    }

    /// The bounds of a position; `None` without a claim about it.
    pub(super) fn of(&self, board: Board) -> Option<(i32, i32)> {
        let position = Position::new(board.player, board.opponent);
        self.0.get(&position).copied()
    }

    /// Number of positions.
    pub(super) fn positions(&self) -> usize {
        self.0.len()
    }

    /// Number of positions whose exact score is proven.
    pub(super) fn exact(&self) -> usize {
        let bounds = self.0.values();
        bounds.filter(|(lower, upper)| lower == upper).count()
    }
}

/// Bounds of a position about which nothing is proven.
pub(super) const UNKNOWN: (i32, i32) = (-64, 64);
