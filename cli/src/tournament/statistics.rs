//! What the games of a match say about who is stronger.
//!
//! Each opening is played twice, with sides changed, and what it is worth cancels out within the pair. The two
//! games of a pair depend on each other, so pairs are what is counted: 0 to 4 half points for the first
//! engine, five outcomes, whence the name pentanomial. The idea is that of the chess testing framework
//! fishtest (M. Van den Bergh, "Comments on Normalized Elo", 2020, and the framework's documentation).

use std::collections::{BTreeMap, HashMap, HashSet};

use outflank::Board;

use super::fault::Kind;
use super::finished::{Finished, Seat};

/// Pairs by the half points, 0 to 4, that A won in both games.
pub(crate) type Pairs = [u64; 5];

/// The moves after which games that are still the same count as one.
pub(crate) const OPENING_PLIES: usize = 12;

/// The games of a match so far, from A's side.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Tally {
    /// Games that A won, drew and lost.
    pub(crate) games: [u64; 3],
    /// Pairs of which both games were played.
    pub(crate) pairs: Pairs,
    /// Discs a game, over pairs of which both games were played to the end.
    pub(crate) discs: Mean,
    /// Games that A and B lost before their end, by the kind of fault.
    pub(crate) forfeits: [BTreeMap<Kind, u64>; 2],
    /// By how many milliseconds A and B overstepped their limits at most.
    pub(crate) overstep_ms: [f64; 2],
    /// The positions of the games after [`OPENING_PLIES`] moves, or at their ends where those come before, one of each that are
    /// equal up to symmetry.
    openings: HashSet<Board>,
    /// The first games of pairs of which the second is not played: half points, and discs where the game
    /// was played to its end.
    open: HashMap<usize, (usize, Option<i32>)>,
}

impl Tally {
    /// Counts a game.
    pub(crate) fn add(&mut self, game: &Finished) {
        let half_points = (game.score.signum() + 1) as usize;
        self.games[2 - half_points] += 1;
        for seat in Seat::ALL {
            let over = &mut self.overstep_ms[seat as usize];
            *over = over.max(game.overstep_ms[seat as usize]);
        }
        if let Some(forfeit) = &game.forfeit {
            let forfeits = &mut self.forfeits[forfeit.by as usize];
            *forfeits.entry(forfeit.fault.kind).or_default() += 1;
        }
        self.openings.extend(game.board_after(OPENING_PLIES));
        let discs = game.forfeit.is_none().then_some(game.score);
        match self.open.remove(&game.pair) {
            None => {
                self.open.insert(game.pair, (half_points, discs));
            }
            Some((other, others)) => {
                self.pairs[half_points + other] += 1;
                if let (Some(one), Some(other)) = (discs, others) {
                    self.discs.add(f64::from(one + other) / 2.0);
                }
            }
        }
    }

    /// How many games differ after [`OPENING_PLIES`] moves, up to symmetry.
    pub(crate) fn different(&self) -> usize {
        self.openings.len()
    }

    /// The share of all points that A won, 0 to 1; a draw is half a point. `None` without a game.
    pub(crate) fn share(&self) -> Option<f64> {
        let [wins, draws, losses] = self.games.map(|count| count as f64);
        let all = wins + draws + losses;
        (all > 0.0).then(|| (wins + draws / 2.0) / all)
    }
}

/// A mean and its error.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.add_times(value, 1);
    }

    fn add_times(&mut self, value: f64, times: u64) {
        self.count += times;
        self.sum += value * times as f64;
        self.squares += value * value * times as f64;
    }

    /// The mean; `None` of nothing.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Its standard error; `None` of less than two values.
    pub(crate) fn error(&self) -> Option<f64> {
        let (count, mean) = (self.count as f64, self.mean()?);
        let variance = (self.squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        (self.count > 1).then(|| (variance / count).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(pair: usize, black: Seat, score: i32) -> Finished {
        Finished {
            pair,
            black,
            opening: String::new(),
            score,
            forfeit: None,
            overstep_ms: [0.0, 1.5],
            ggf: String::new(),
        }
    }

    #[test]
    fn games_are_counted_by_pairs_in_whatever_order_they_end() {
        let mut forfeited = game(2, Seat::B, -64);
        forfeited.forfeit = Some(super::super::Forfeit {
            by: Seat::A,
            fault: super::super::fault::Fault {
                kind: Kind::Crash,
                told: "ended".into(),
            },
        });
        let games = [
            game(1, Seat::B, 0),
            game(0, Seat::A, 10),
            forfeited,
            game(1, Seat::A, 6),
            game(0, Seat::B, -4),
            game(2, Seat::A, 2),
            game(3, Seat::A, 2),
        ];
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.add(game));
        assert_eq!((tally.games, tally.pairs), ([4, 1, 2], [0, 0, 2, 1, 0]));
        // Those of pairs that were played to their ends: 3 and 3.
        assert_eq!(tally.discs.mean(), Some(3.0));
        assert_eq!(tally.discs.error(), Some(0.0));
        assert_eq!(tally.forfeits[0], BTreeMap::from([(Kind::Crash, 1)]));
        assert!(tally.forfeits[1].is_empty());
        assert_eq!(tally.overstep_ms, [0.0, 1.5]);
        assert_eq!(tally.share(), Some(4.5 / 7.0));
    }
}
