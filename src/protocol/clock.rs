//! A player's clock and the time budget of a move.
//!
//! In the main time, a budget is computed in four steps:
//!
//! 1. A reserve of [`LAG`] for each move to come covers the transit of the moves. The rest is usable.
//!
//! 2. The target is the usable time, divided by the moves to come, plus the time that only this move can use. That time
//!    is the increment, or the move's share of a period. The moves to come are the side's moves until [`SOLVED`]
//!    squares are empty. The rest of the game, which takes negligible time, counts as [`ENDGAME_MOVES`].
//!
//! 3. The soft limit is half of the target, because the next iteration takes longer than all previous ones together.
//!
//! 4. The hard limit is [`HARD_PER_TARGET`] times the target, but at most half of the usable time, plus the time that
//!    only this move can use.
//!
//! In a period, each move may use an equal share of the rest. Time that it saves goes to the next moves.

use std::time::{Duration, Instant};

use super::session::SearchRequest;

/// Reserve for the transit of a move and for a search that ends late.
const LAG: Duration = Duration::from_millis(15);

/// Divisor of a time limit that gives the reserve for a busy machine: 2 %.
const LOAD_DIVISOR: u32 = 50;

/// Number of empty squares from which the game is solved in negligible time.
const SOLVED: u32 = 14;

/// Number of moves that the solved endgame counts for.
const ENDGAME_MOVES: u32 = 3;

/// Hard limit as a multiple of the target time.
const HARD_PER_TARGET: u32 = 3;

/// Longest time that a clock holds, 34 years.
const MAX_TIME: Duration = Duration::from_secs(1 << 30);

/// Clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    remaining: Remaining,
    /// Time that each move adds.
    increment: Duration,
    /// Byo-yomi period after the main time.
    period: Option<Period>,
}

/// Time for `moves` moves (1 or more), after which a new period begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Period {
    time: Duration,
    moves: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Remaining {
    /// Time for all moves to come.
    Main(Duration),
    /// Rest of the current period.
    Period(Period),
}

/// Time budget of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// Time after which no deeper iteration begins.
    soft: Duration,
    /// Time at which the search must end.
    hard: Duration,
}

impl Clock {
    /// Creates a clock with `main` time for the game, and `increment` for each move.
    pub(super) fn new(main: Duration, increment: Duration) -> Clock {
        Clock {
            remaining: Remaining::Main(main),
            increment,
            period: None,
        }
    }

    /// Creates a clock with Canadian byo-yomi, as GTP's `time_settings`: `main` time, then `time` for every `moves`
    /// moves.
    ///
    /// Returns `None` for unlimited time: a period for no moves, or no time at all.
    pub(super) fn canadian(main: Duration, time: Duration, moves: u32) -> Option<Clock> {
        if moves == 0 && !time.is_zero() {
            return None;
        }
        let period = (!time.is_zero()).then_some(Period { time, moves });
        let remaining = match main.is_zero() {
            true => Remaining::Period(period?),
            false => Remaining::Main(main),
        };
        let increment = Duration::ZERO;
        Some(Clock {
            remaining,
            increment,
            period,
        })
    }

    /// Parses the clock of GGF's `TI`: `main/increment/grace`. Times are `h:mm:ss`, `mm:ss` or minutes.
    ///
    /// The grace time is ignored, since a side that uses it cannot win any more. Returns `None` for any other text and
    /// for a clock without time.
    pub(super) fn ggf(text: &str) -> Option<Clock> {
        let mut parts = text.split('/').map(ggf_time);
        let main = parts.next()??;
        let increment = parts.next().unwrap_or(Some(Duration::ZERO))?;
        (main + increment > Duration::ZERO).then(|| Clock::new(main, increment))
    }

    /// Sets the remaining time as a referee reports it. `time` is for the next `moves` moves, or for all if `moves` is 0.
    pub(super) fn set_left(&mut self, time: Duration, moves: u32) {
        self.remaining = match moves {
            0 => Remaining::Main(time),
            moves => Remaining::Period(Period { time, moves }),
        };
    }

    /// Subtracts the time that a move took.
    pub(super) fn spend(&mut self, taken: Duration) {
        let (period, taken_of_period) = match (self.remaining, self.period) {
            (Remaining::Period(period), _) => (period, taken),
            // The main time ends with this move.
            (Remaining::Main(main), Some(period)) if taken >= main => (period, taken - main),
            (Remaining::Main(main), _) => {
                let rest = main.saturating_sub(taken);
                self.remaining = Remaining::Main(rest.saturating_add(self.increment));
                return;
            }
        };
        self.remaining = Remaining::Period(match period.moves {
            // After its last move, a new period begins.
            ..=1 => self.period.unwrap_or(period),
            moves => Period {
                time: period.time.saturating_sub(taken_of_period),
                moves: moves - 1,
            },
        });
    }

    /// Computes the budget of the next move, on a board with `empties` empty squares.
    pub(super) fn budget(&self, empties: u32) -> Budget {
        let budget = match self.remaining {
            Remaining::Main(left) => self.main_budget(left, empties),
            Remaining::Period(Period { time, moves }) => {
                let hard = time / moves.max(1);
                Budget { soft: hard, hard }
            }
        };
        let hard = without_lag(budget.hard);
        Budget {
            soft: budget.soft.min(hard),
            hard,
        }
    }

    fn main_budget(&self, left: Duration, empties: u32) -> Budget {
        let moves = empties.div_ceil(2);
        let divisor = empties.saturating_sub(SOLVED).div_ceil(2) + ENDGAME_MOVES;
        // At least an eighth of the remaining time is for thinking.
        let usable = left.saturating_sub(LAG * moves).max(left / 8);
        // Time that only this move can use.
        let extra = match self.period {
            Some(Period { time, moves }) => time / moves,
            None => self.increment.min(left / 2),
        };
        let target = (usable / divisor).saturating_add(extra);
        let hard = target * HARD_PER_TARGET;
        Budget {
            soft: target / 2,
            hard: hard.min((usable / 2).saturating_add(extra)),
        }
    }
}

impl Budget {
    /// Limits a search that was requested at `start`.
    pub(super) fn limit(self, start: Instant, search: SearchRequest) -> SearchRequest {
        SearchRequest {
            hard_deadline: start.checked_add(self.hard),
            soft_deadline: start.checked_add(self.soft),
            ..search
        }
    }
}

/// Time limit minus the reserves for lag and load, but at least half of it.
fn without_lag(time: Duration) -> Duration {
    time.saturating_sub(LAG + time / LOAD_DIVISOR).max(time / 2)
}

/// Parses a time of GGF: `1:15:00`, `15:00`, or `15` for minutes; 0 for an empty text. Text behind a comma is ignored.
fn ggf_time(text: &str) -> Option<Duration> {
    let text = text.split(',').next()?.trim();
    if text.is_empty() {
        return Some(Duration::ZERO);
    }
    let mut seconds: u64 = 0;
    let mut parts = 0;
    for part in text.split(':') {
        parts += 1;
        let number: u32 = part.trim().parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(number.into())?;
    }
    match parts {
        1 => Some(Duration::from_secs(60 * seconds)),
        2 | 3 => Some(Duration::from_secs(seconds)),
        _ => None,
    }
    .filter(|time| *time < MAX_TIME)
}

/// Parses a finite number of seconds, 0 or more, limited to [`MAX_TIME`]; `None` for any other text.
pub(super) fn parse_seconds(text: &str) -> Option<Duration> {
    duration_from_seconds(text.parse().ok()?)
}

/// Converts seconds, limited to [`MAX_TIME`]. `None` for negative, infinite and NaN numbers.
pub(super) fn duration_from_seconds(seconds: f64) -> Option<Duration> {
    (seconds >= 0.0 && seconds.is_finite()).then(|| {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(MAX_TIME);
        time.min(MAX_TIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Plays a game in which every move takes its hard limit and `late` more.
    fn play(mut clock: Clock, late: Duration, mut over: impl FnMut(Duration) -> bool) {
        for empties in (1..=60).rev().step_by(2) {
            let taken = clock.budget(empties).hard + late;
            assert!(!over(taken), "{empties} empties: {clock:?}");
            clock.spend(taken);
        }
    }

    proptest! {
        #[test]
        fn main_time_lasts_for_the_game_despite_lag(
            main in 600u64..4_000_000,
            increment in 0u64..20_000,
            late in 0u64..15,
        ) {
            let mut left = ms(main);
            play(Clock::new(left, ms(increment)), ms(late), |taken| {
                let over = taken >= left;
                left = left.saturating_sub(taken) + ms(increment);
                over
            });
        }

        #[test]
        fn periods_are_not_exceeded(
            main in 0u64..100_000,
            time in 100u64..100_000,
            moves in 1u32..30,
            late in 0u64..15,
        ) {
            prop_assume!(time / u64::from(moves) >= 40);
            let mut main = ms(main);
            let (mut left, mut to_come) = (ms(time), moves);
            let clock = Clock::canadian(main, ms(time), moves).expect("it is limited");
            play(clock, ms(late), |taken| {
                let rest = taken.saturating_sub(main);
                main = main.saturating_sub(taken);
                if !main.is_zero() {
                    return false;
                }
                let over = rest >= left;
                (left, to_come) = (left.saturating_sub(rest), to_come - 1);
                if to_come == 0 {
                    (left, to_come) = (ms(time), moves);
                }
                over
            });
        }

        #[test]
        fn extreme_clocks_do_not_overflow(
            main in any::<f64>(),
            time in any::<f64>(),
            moves in any::<u32>(),
            empties in 0u32..=64,
            text in "[0-9:/, ]{0,20}",
        ) {
            let limited = duration_from_seconds(main).zip(duration_from_seconds(time));
            let clock = limited.and_then(|(main, time)| Clock::canadian(main, time, moves));
            for mut clock in clock.into_iter().chain(Clock::ggf(&text)) {
                clock.budget(empties);
                clock.spend(ms(1));
                clock.set_left(MAX_TIME, moves);
                clock.budget(empties);
            }
        }
    }

    #[test]
    fn budgets_follow_the_clock() {
        let hard = |clock: Clock, empties| clock.budget(empties).hard;
        let limited = |main, time, moves| Clock::canadian(ms(main), ms(time), moves).unwrap();
        // A period for one move, less lag.
        assert_eq!(hard(limited(0, 1000, 1), 40), ms(965));
        assert_eq!(hard(limited(0, 100, 1), 40), ms(83));
        assert_eq!(hard(limited(0, 10, 1), 40), ms(5));
        assert_eq!(hard(limited(0, 10_000, 10), 40), ms(965));
        // A game of fifteen minutes: about half a minute a move.
        let game = Clock::new(ms(900_000), Duration::ZERO);
        for empties in [58, 40, 30] {
            let Budget { soft, hard } = game.budget(empties);
            assert!(ms(15_000) < soft && soft < ms(45_000), "{soft:?}");
            assert!(5 * soft < hard && hard < ms(900_000) / 3, "{hard:?}");
        }
        assert!(hard(Clock::new(ms(50), Duration::ZERO), 40) < ms(4));
        assert_eq!(hard(Clock::new(ms(0), Duration::ZERO), 40), ms(0));
    }

    #[test]
    fn clock_settings_are_parsed() {
        assert_eq!(Clock::canadian(ms(1), ms(1), 0), None);
        assert_eq!(Clock::canadian(ms(0), ms(0), 0), None);
        let without_period = Some(Clock::new(ms(9), ms(0)));
        assert_eq!(Clock::canadian(ms(9), ms(0), 5), without_period);
        for (text, minutes, increment) in [
            ("15:00", 15, 0),
            ("05:00//02:00", 5, 0),
            ("1:05:00/00:10/2", 65, 10_000),
            (" 15 ", 15, 0),
            ("05:00,1:2", 5, 0),
        ] {
            let clock = Clock::new(ms(60_000 * minutes), ms(increment));
            assert_eq!(Clock::ggf(text), Some(clock), "{text}");
        }
        let wrong = "?;a:b;1:2:3:4;-1;99999999999;5:00/x;;0;//2";
        for wrong in wrong.split(';') {
            assert_eq!(Clock::ggf(wrong), None, "{wrong}");
        }
        assert_eq!(parse_seconds("0.5"), Some(ms(500)));
        assert_eq!(parse_seconds("1e300"), Some(MAX_TIME));
        for wrong in ["", "-1", "-0.001", "nan", "inf", "infinity", "1e999", "x"] {
            assert_eq!(parse_seconds(wrong), None, "{wrong}");
        }
    }
}
