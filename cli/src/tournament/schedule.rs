//! Which games of a match are still to be played.

use std::collections::{HashMap, HashSet};

use super::finished::{Finished, Seat};
use super::openings::{Openings, OpeningsError};
use outflank::notation::transcript;
use outflank::{Game, Side};

/// A game to play.
pub(super) struct Task {
    pub(super) pair: usize,
    /// Who has black.
    pub(super) black: Seat,
    pub(super) opening: Game,
}

impl Task {
    /// What an engine has.
    pub(super) fn side(&self, seat: Seat) -> Side {
        match seat == self.black {
            true => Side::Black,
            false => Side::White,
        }
    }

    /// Who has this side.
    pub(super) fn seat(&self, side: Side) -> Seat {
        match side {
            Side::Black => self.black,
            Side::White => self.black.other(),
        }
    }
}

/// The games that are to be played.
pub(super) struct Schedule {
    openings: Openings,
    pairs: usize,
    /// The next game: twice the number of its pair, and 1 more where B has black.
    next: usize,
    done: HashSet<(usize, Seat)>,
    /// The openings of pairs that were begun before: the second game has that of the first.
    begun: HashMap<usize, String>,
}

impl Schedule {
    /// All games of so many pairs but those that were played `before`.
    pub(super) fn new(openings: Openings, before: &[Finished], pairs: usize) -> Schedule {
        let begun = before.iter().map(|game| (game.pair, game.opening.clone()));
        Schedule {
            openings,
            pairs,
            next: 0,
            done: before.iter().map(|game| (game.pair, game.black)).collect(),
            begun: begun.collect(),
        }
    }

    /// The next game; `None` when there are no more.
    pub(super) fn next(&mut self) -> Option<Result<Task, OpeningsError>> {
        loop {
            let (pair, black) = (self.next / 2, Seat::ALL[self.next % 2]);
            if pair >= self.pairs {
                return None;
            }
            self.next += 1;
            if self.done.contains(&(pair, black)) {
                continue;
            }
            let begun = self.begun.get(&pair).and_then(|line| of_line(line));
            let opening = match begun {
                Some(opening) => Ok(opening),
                None => self.openings.of_pair(pair, self.pairs),
            };
            return Some(opening.map(|opening| Task {
                pair,
                black,
                opening,
            }));
        }
    }
}

/// The opening of the line that a finished game has of it.
fn of_line(line: &str) -> Option<Game> {
    Some(transcript::read(line.as_bytes()).next()?.ok()?.record.game)
}
