//! Games that are still to be played.

use std::collections::{HashMap, HashSet};

use outflank::notation::transcript;

use crate::openings::{Openings, OpeningsError};
use crate::pairing::{EngineId, ScheduledGame};
use crate::result::GameResult;

/// Games of a match in their order, without those that were played before.
pub(crate) struct Schedule {
    openings: Openings,
    pairs: usize,
    /// Number of the next game.
    next: usize,
    played: HashSet<(usize, EngineId)>,
    /// Openings of pairs with a game in the log: the second game has the opening of the first.
    begun: HashMap<usize, String>,
}

impl Schedule {
    pub(crate) fn new(openings: Openings, played: &[GameResult], pairs: usize) -> Schedule {
        let begun = played.iter().map(|game| (game.pair, game.opening.clone()));
        Schedule {
            openings,
            pairs,
            next: 0,
            begun: begun.collect(),
            played: played.iter().map(|game| (game.pair, game.black)).collect(),
        }
    }

    /// Next game; `None` after the last one.
    pub(crate) fn next(&mut self) -> Option<Result<ScheduledGame, OpeningsError>> {
        loop {
            let (pair, black) = (self.next / 2, EngineId::ALL[self.next % 2]);
            if pair >= self.pairs {
                return None;
            }
            self.next += 1;
            if self.played.contains(&(pair, black)) {
                continue;
            }
            let read = |line: &String| transcript::read(line.as_bytes()).next()?.ok();
            let opening = match self.begun.get(&pair).and_then(read) {
                Some(entry) => Ok(entry.record.game),
                None => self.openings.of_pair(pair, self.pairs),
            };
            return Some(opening.map(|opening| ScheduledGame {
                pair,
                black,
                opening,
            }));
        }
    }
}
