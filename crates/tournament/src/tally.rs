//! Counts of the games of a match.
//!
//! Each opening is played twice with colours exchanged, so that its advantage cancels out. The games of a pair depend
//! on each other. Therefore pairs are counted, by the half points of A, 0 to 4. The model with five outcomes is called
//! pentanomial. It comes from the chess testing framework fishtest (M. Van den Bergh, "Comments on Normalized Elo",
//! 2020, and the framework's documentation).

use std::collections::{BTreeMap, HashMap, HashSet};

use outflank::Board;

use crate::elo::PairCounts;
use crate::fault::FaultKind;
use crate::result::GameResult;

/// Number of moves after which positions are compared to count distinct games.
pub const OPENING_PLIES: usize = 12;

/// Counts of the games so far, from A's side.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MatchTally {
    /// Games that A won, drew and lost.
    pub games: [u64; 3],
    /// Complete pairs.
    pub pairs: PairCounts,
    /// Mean score of A in discs, over complete pairs without forfeits.
    pub discs: Mean,
    /// Forfeits of A and B.
    pub forfeits: [BTreeMap<FaultKind, u64>; 2],
    /// Largest excess over the limit by A and by B, in milliseconds.
    pub overstep_ms: [f64; 2],
    /// Canonical positions of the games after [`OPENING_PLIES`] moves, or at their ends.
    positions: HashSet<Board>,
    /// Half points of the first game of each incomplete pair, and its discs unless it was forfeited.
    incomplete: HashMap<usize, (usize, Option<i32>)>,
}

impl MatchTally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameResult) {
        let half_points = (game.score.signum() + 1) as usize;
        self.games[2 - half_points] += 1;
        for (most, &overstep) in self.overstep_ms.iter_mut().zip(&game.overstep_ms) {
            *most = most.max(overstep);
        }
        if let Some(forfeit) = &game.forfeit {
            let forfeits = &mut self.forfeits[forfeit.by as usize];
            *forfeits.entry(forfeit.fault.kind).or_default() += 1;
        }
        self.positions.extend(game.board_after(OPENING_PLIES));
        let discs = game.forfeit.is_none().then_some(game.score);
        let Some((other_points, other_discs)) = self.incomplete.remove(&game.pair) else {
            self.incomplete.insert(game.pair, (half_points, discs));
            return;
        };
        self.pairs[half_points + other_points] += 1;
        if let (Some(discs), Some(other)) = (discs, other_discs) {
            self.discs.add(f64::from(discs + other) / 2.0);
        }
    }

    /// Number of games that differ after [`OPENING_PLIES`] moves, up to symmetry.
    pub fn distinct_games(&self) -> usize {
        self.positions.len()
    }

    /// Share of the points that A won, 0 to 1; `None` without a game.
    pub fn share(&self) -> Option<f64> {
        let [wins, draws, losses] = self.games.map(|count| count as f64);
        let all = wins + draws + losses;
        (all > 0.0).then(|| (wins + draws / 2.0) / all)
    }
}

/// Mean of a sample and its standard error.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Standard error of the mean; `None` with fewer than two values.
    pub fn error(&self) -> Option<f64> {
        let (count, mean) = (self.count as f64, self.mean()?);
        let variance = (self.squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        (self.count > 1).then(|| (variance / count).sqrt())
    }
}
