//! What limits the engines of a match, and the clock that the referee holds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What limits every move, or every game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Control {
    /// What the engines limit themselves.
    Own,
    /// A time for each move.
    Move(Duration),
    /// A time for each game, and what every move adds to it.
    Game {
        /// For the game.
        main: Duration,
        /// For each move that was made.
        increment: Duration,
    },
    /// Plies that each move is searched.
    Depth(u32),
    /// Nodes that each move is searched.
    Nodes(u64),
}

impl Control {
    /// Whether there is a limit of time.
    pub(super) fn is_timed(&self) -> bool {
        matches!(self, Control::Move(_) | Control::Game { .. })
    }

    /// The limit of a move that does not count: as of a move of the game, but with a short clock.
    pub(super) fn of_trial(self) -> Control {
        /// The clock at most: nobody thinks about a game of this length for long.
        const TRIAL: Duration = Duration::from_secs(1);
        match self {
            Control::Game { main, .. } if main > TRIAL => Control::Game {
                main: TRIAL,
                increment: Duration::ZERO,
            },
            Control::Move(time) => Control::Move(time.min(TRIAL)),
            other => other,
        }
    }
}

/// What is allowed for one move.
pub(super) struct Allowance {
    /// The time that is left, where there is a limit.
    pub(super) left: Option<Duration>,
    /// Whether that is for this move alone.
    pub(super) one_move: bool,
    /// After this time without an answer none is awaited.
    pub(super) wait: Duration,
}

/// What holds for every move.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) control: Control,
    /// By how much a limit of time may be overstepped.
    pub(super) margin: Duration,
    /// How long an answer is awaited that no clock limits.
    pub(super) patience: Duration,
}

/// The clock of one engine in one game.
pub(super) struct Clock {
    rules: Rules,
    left: Duration,
    /// By how much it was overstepped at most.
    pub(super) overstep: Duration,
}

/// How much longer than allowed an answer is awaited, so that what is late can be told from what never
/// comes.
const GRACE: Duration = Duration::from_secs(5);

impl Clock {
    pub(super) fn new(rules: Rules) -> Clock {
        Clock {
            rules,
            left: match rules.control {
                Control::Move(time) => time,
                Control::Game { main, .. } => main,
                Control::Own | Control::Depth(_) | Control::Nodes(_) => Duration::ZERO,
            },
            overstep: Duration::ZERO,
        }
    }

    /// What the next move is allowed.
    pub(super) fn allowance(&self) -> Allowance {
        let is_timed = self.rules.control.is_timed();
        Allowance {
            left: is_timed.then_some(self.left),
            one_move: matches!(self.rules.control, Control::Move(_)),
            wait: match is_timed {
                true => self.left + self.rules.margin + GRACE.min(self.rules.patience),
                false => self.rules.patience,
            },
        }
    }

    /// Takes off what a move took; by how much that is too late to be passed over.
    pub(super) fn spend(&mut self, taken: Duration) -> Result<(), Duration> {
        let left = self.allowance().left;
        let over = left.map_or(Duration::ZERO, |left| taken.saturating_sub(left));
        self.overstep = self.overstep.max(over);
        if let Control::Game { increment, .. } = self.rules.control {
            self.left = self.left.saturating_sub(taken) + increment;
        }
        match over > self.rules.margin {
            true => Err(over),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn clocks_are_kept() {
        let clock = |control| {
            Clock::new(Rules {
                control,
                margin: ms(20),
                patience: ms(60_000),
            })
        };
        let mut game = clock(Control::Game {
            main: ms(1000),
            increment: ms(100),
        });
        assert_eq!(game.spend(ms(600)), Ok(()));
        assert_eq!(game.allowance().left, Some(ms(500)));
        // Within the margin it goes on, with nothing left but the increment.
        assert_eq!(game.spend(ms(515)), Ok(()));
        assert_eq!(
            (game.overstep, game.allowance().left),
            (ms(15), Some(ms(100)))
        );
        assert_eq!(game.spend(ms(121)), Err(ms(21)));
        assert_eq!(game.overstep, ms(21));

        let mut each = clock(Control::Move(ms(100)));
        assert_eq!(
            [ms(90), ms(120)].map(|taken| each.spend(taken)),
            [Ok(()); 2]
        );
        assert_eq!(each.spend(ms(130)), Err(ms(30)));
        assert_eq!(each.allowance().left, Some(ms(100)));
        assert_eq!(each.allowance().wait, ms(5120));

        let mut own = clock(Control::Depth(8));
        assert_eq!(own.spend(ms(1_000_000)), Ok(()));
        assert_eq!((own.allowance().left, own.overstep), (None, ms(0)));
        assert_eq!(own.allowance().wait, ms(60_000));
    }
}
