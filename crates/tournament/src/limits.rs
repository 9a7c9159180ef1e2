//! Limits of an engine's moves, and the clock that the referee keeps.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limit of each move or each game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// No limit from the match: engines limit themselves.
    #[serde(rename = "own")]
    EngineDefault,
    /// Time for each move.
    Move(Duration),
    /// Time for each game.
    Game {
        /// Time at the start of the game.
        main: Duration,
        /// Time added after each own move.
        increment: Duration,
    },
    /// Search depth in plies.
    Depth(u32),
    /// Nodes for each move.
    Nodes(u64),
}

impl Limit {
    /// Returns `true` if time is limited.
    pub fn is_timed(&self) -> bool {
        matches!(self, Limit::Move(_) | Limit::Game { .. })
    }

    /// Limit of the same kind for a trial move, with a clock of at most one second.
    pub(crate) fn for_trial(self) -> Limit {
        let (main, increment) = (Duration::from_secs(1), Duration::ZERO);
        match self {
            Limit::Game { main: time, .. } if time > main => Limit::Game { main, increment },
            Limit::Move(time) => Limit::Move(time.min(main)),
            other => other,
        }
    }

    /// Clock in GGF, such as `05:00/00:10`; `None` without a clock, or with fractions of a second.
    pub(crate) fn ggf_clock(&self) -> Option<String> {
        let Limit::Game { main, increment } = self else {
            return None;
        };
        if main.subsec_nanos() + increment.subsec_nanos() > 0 {
            return None;
        }
        let text =
            |time: &Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        Some(match increment.is_zero() {
            true => text(main),
            false => format!("{}/{}", text(main), text(increment)),
        })
    }
}

/// Limits of an engine in every game of a match.
#[derive(Clone, Copy, Debug)]
pub struct GameLimits {
    /// Limit that the engines are given.
    pub limit: Limit,
    /// Time by which an engine may exceed its limit without losing.
    pub margin: Duration,
    /// Maximum wait for an answer where no clock runs.
    pub patience: Duration,
}

/// Time allowed for the next move.
pub(crate) struct Allowance {
    /// Time left on the clock; `None` if time is not limited.
    pub(crate) left: Option<Duration>,
    /// `true` if `left` is for this move only.
    pub(crate) is_per_move: bool,
    /// Maximum wait for the answer.
    pub(crate) wait: Duration,
}

/// Clock of one engine in one game.
pub(crate) struct Clock {
    limits: GameLimits,
    left: Duration,
    /// Largest time by which a move exceeded the clock.
    pub(crate) overstep: Duration,
}

/// Additional wait after the clock has run out, to distinguish a late answer from a missing one.
const GRACE: Duration = Duration::from_secs(5);

impl Clock {
    pub(crate) fn new(limits: GameLimits) -> Clock {
        Clock {
            limits,
            left: match limits.limit {
                Limit::Move(time) => time,
                Limit::Game { main, .. } => main,
                Limit::EngineDefault | Limit::Depth(_) | Limit::Nodes(_) => Duration::ZERO,
            },
            overstep: Duration::ZERO,
        }
    }

    pub(crate) fn allowance(&self) -> Allowance {
        let limits = &self.limits;
        let is_timed = limits.limit.is_timed();
        Allowance {
            left: is_timed.then_some(self.left),
            is_per_move: matches!(limits.limit, Limit::Move(_)),
            wait: match is_timed {
                true => self.left + limits.margin + GRACE.min(limits.patience),
                false => limits.patience,
            },
        }
    }

    /// Subtracts the time of a move. If it exceeds the clock by more than the margin, returns the excess as an error.
    pub(crate) fn spend(&mut self, time: Duration) -> Result<(), Duration> {
        let left = self.allowance().left;
        let over = left.map_or(Duration::ZERO, |left| time.saturating_sub(left));
        self.overstep = self.overstep.max(over);
        if let Limit::Game { increment, .. } = self.limits.limit {
            self.left = self.left.saturating_sub(time) + increment;
        }
        match over > self.limits.margin {
            true => Err(over),
            false => Ok(()),
        }
    }
}

/// Converts a time into seconds, rounded up to a millisecond. An engine that adds up such times never overestimates its
/// remaining time.
pub(crate) fn seconds_rounded_up(time: Duration) -> f64 {
    time.as_micros().div_ceil(1000) as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_subtract_moves_and_report_excess() {
        let ms = Duration::from_millis;
        let (main, increment) = (ms(1000), ms(100));
        let game = Limit::Game { main, increment };
        // For each move: its time, the time left, and the largest excess so far. Then the excess of the last move,
        // which loses, and the wait for another one.
        for (limit, moves, excess, wait) in [
            (
                game,
                [(600, 500, 0), (515, 100, 15), (121, 100, 21)],
                21,
                5120,
            ),
            (
                Limit::Move(increment),
                [(90, 100, 0), (120, 100, 20), (130, 100, 30)],
                30,
                5120,
            ),
            (Limit::Depth(8), [(1_000_000, 0, 0); 3], 0, 60_000),
        ] {
            let mut clock = Clock::new(GameLimits {
                limit,
                margin: ms(20),
                patience: ms(60_000),
            });
            let is_timed = limit.is_timed();
            for (index, (time, left, overstep)) in moves.into_iter().enumerate() {
                let loses = index == 2 && is_timed;
                let expected = if loses { Err(ms(excess)) } else { Ok(()) };
                assert_eq!(clock.spend(ms(time)), expected, "{limit:?}");
                assert_eq!(clock.allowance().left, is_timed.then_some(ms(left)));
                assert_eq!(clock.overstep, ms(overstep));
            }
            assert_eq!(clock.allowance().wait, ms(wait));
        }
    }
}
