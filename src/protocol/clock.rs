//! A player's clock, and how much of it a move gets.
//!
//! The rule. Of the time that is left, a reserve is taken off first: [`LAG`] for every move to come, the
//! time that a move is under way without anybody thinking. The rest is divided by the moves that still
//! matter: a side's moves until [`SOLVED`] squares are empty, and [`LATE`] more, since the end of the game
//! is solved in no time. That is what a move should take. No further search is begun when half of it is
//! over, because the next one takes longer than all before; and a search is ended at three times as much,
//! or at half of what there is. An increment is added to what a move should take, though never more than
//! the clock shows. A period for several moves is divided by them, and what one move leaves over is the
//! next one's; a period for a single move is used up.

use std::time::{Duration, Instant};

use super::session::Search;

/// The time that a move is under way, and that a search may be late.
const LAG: Duration = Duration::from_millis(15);

/// Of a time limit, what a busy machine may take: 2 %.
const BUSY: u32 = 50;

/// Empty squares from which on the rest is solved in no time.
const SOLVED: u32 = 14;

/// Moves that the time is divided by on top of those until then.
const LATE: u32 = 3;

/// How often what a move should take fits into what it may take.
const STRETCH: u32 = 3;

/// What is not limited: some thirty years.
const ENDLESS: Duration = Duration::from_secs(1 << 30);

/// The time of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    left: Left,
    /// What each move adds.
    increment: Duration,
    /// What follows on the time for all moves.
    period: Option<Period>,
}

/// A time for a number of moves, 1 or more, after which it begins anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Period {
    time: Duration,
    moves: u32,
}

/// What is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Left {
    /// For all moves to come.
    Main(Duration),
    /// For the next moves.
    Period(Period),
}

/// What a move gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    /// After this no further search is begun.
    enough: Duration,
    /// After this it has to be over.
    most: Duration,
}

impl Clock {
    /// `main` for the whole game, and `increment` more for each move.
    pub(super) fn new(main: Duration, increment: Duration) -> Clock {
        Clock {
            left: Left::Main(main),
            increment,
            period: None,
        }
    }

    /// The clock of GTP's `time_settings`, Canadian byo-yomi: `main`, and when that is used up, `time`
    /// for every `moves` moves. `None` where the time is not limited: a period for no moves, or nothing
    /// at all.
    pub(super) fn canadian(main: Duration, time: Duration, moves: u32) -> Option<Clock> {
        let clock = Clock::new(main, Duration::ZERO);
        match (time.is_zero(), moves) {
            (false, 0) => None,
            (true, _) => (!main.is_zero()).then_some(clock),
            (false, moves) => {
                let period = Period { time, moves };
                let left = match main.is_zero() {
                    true => Left::Period(period),
                    false => Left::Main(main),
                };
                Some(Clock {
                    left,
                    period: Some(period),
                    ..clock
                })
            }
        }
    }

    /// The clock of GGF's `TI`: the time for the game, and, behind slashes, what each move adds, and a
    /// time of grace in which nobody can win any more and which is not used. Times are hours, minutes
    /// and seconds with colons between, or minutes alone. `None` for anything else, and for no time.
    pub(super) fn ggf(text: &str) -> Option<Clock> {
        let mut parts = text.split('/').map(ggf_time);
        let main = parts.next()??;
        let increment = parts.next().unwrap_or(Some(Duration::ZERO))?;
        (main + increment > Duration::ZERO).then(|| Clock::new(main, increment))
    }

    /// Takes over what a referee says: `time` left, for the next `moves` moves where that is not 0.
    pub(super) fn set_left(&mut self, time: Duration, moves: u32) {
        self.left = match moves {
            0 => Left::Main(time),
            moves => Left::Period(Period { time, moves }),
        };
    }

    /// Takes off what a move took.
    pub(super) fn spend(&mut self, taken: Duration) {
        let (left, increment) = (self.left, self.increment);
        let into = |period: Period, taken: Duration| match period.moves {
            ..=1 => Left::Period(self.period.unwrap_or(period)),
            moves => Left::Period(Period {
                time: period.time.saturating_sub(taken),
                moves: moves - 1,
            }),
        };
        self.left = match (left, self.period) {
            (Left::Period(period), _) => into(period, taken),
            (Left::Main(time), Some(period)) if taken >= time => into(period, taken - time),
            (Left::Main(time), _) => {
                Left::Main(time.saturating_sub(taken).saturating_add(increment))
            }
        };
    }

    /// What the next move gets, on a board with `empties` empty squares.
    pub(super) fn share(&self, empties: u32) -> Share {
        let share = match self.left {
            Left::Main(left) => self.of_main(left, empties),
            Left::Period(Period { time, moves }) => {
                let most = time / moves.max(1);
                Share { enough: most, most }
            }
        };
        let most = without_lag(share.most);
        Share {
            enough: share.enough.min(most),
            most,
        }
    }

    /// Of the time for all moves.
    fn of_main(&self, left: Duration, empties: u32) -> Share {
        let moves = empties.div_ceil(2);
        let matter = empties.saturating_sub(SOLVED).div_ceil(2) + LATE;
        // However little there is, some of it is to be thought in.
        let usable = left.saturating_sub(LAG * moves).max(left / 8);
        // What is there for this move alone.
        let extra = match self.period {
            Some(Period { time, moves }) => time / moves,
            None => self.increment.min(left / 2),
        };
        let aim = (usable / matter).saturating_add(extra);
        let most = aim * STRETCH;
        Share {
            enough: aim / 2,
            most: most.min((usable / 2).saturating_add(extra)),
        }
    }
}

impl Share {
    /// The search of a move that was asked for at `start`, within this.
    pub(super) fn limit(self, start: Instant, search: Search) -> Search {
        Search {
            deadline: start.checked_add(self.most),
            enough: start.checked_add(self.enough),
            ..search
        }
    }
}

/// A time limit without what is lost under way; half of it where it is very short.
fn without_lag(time: Duration) -> Duration {
    time.saturating_sub(LAG + time / BUSY).max(time / 2)
}

/// A time of GGF: `1:15:00`, `15:00`, or `15`, which are minutes; nothing is none. What stands behind a
/// comma is passed over.
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
    .filter(|time| *time < ENDLESS)
}

/// A number of seconds from a protocol: finite and 0 or more. What is over thirty years is taken as thirty
/// years. `None` for anything else.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    of_seconds(seconds)
}

/// The same for a number that was read; `None` where it is negative, infinite or not a number.
pub(super) fn of_seconds(seconds: f64) -> Option<Duration> {
    (seconds >= 0.0 && seconds.is_finite()).then(|| {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(ENDLESS);
        time.min(ENDLESS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A player who takes all that a move may take, and is late by some, for a whole game.
    fn play(mut clock: Clock, late: Duration, mut over: impl FnMut(Duration) -> bool) {
        for empties in (1..=60).rev().step_by(2) {
            let taken = clock.share(empties).most + late;
            assert!(!over(taken), "{empties} empties: {clock:?}");
            clock.spend(taken);
        }
    }

    proptest! {
        /// Whoever uses up every share, and is late with each move by what the reserve is for, has time
        /// left after the last one.
        #[test]
        fn the_time_for_a_game_is_never_used_up(
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
        fn periods_are_kept(
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
        fn nothing_overflows(
            main in any::<f64>(),
            time in any::<f64>(),
            moves in any::<u32>(),
            empties in 0u32..=64,
            text in "[0-9:/, ]{0,20}",
        ) {
            let limited = of_seconds(main).zip(of_seconds(time));
            let clock = limited.and_then(|(main, time)| Clock::canadian(main, time, moves));
            for mut clock in clock.into_iter().chain(Clock::ggf(&text)) {
                clock.share(empties);
                clock.spend(ms(1));
                clock.set_left(ENDLESS, moves);
                clock.share(empties);
            }
        }
    }

    #[test]
    fn shares_are_sensible() {
        let share = |clock: Clock, empties| clock.share(empties).most;
        let limited = |main, time, moves| Clock::canadian(ms(main), ms(time), moves).unwrap();
        // All of a period for one move, but for what gets lost.
        assert_eq!(share(limited(0, 1000, 1), 40), ms(965));
        assert_eq!(share(limited(0, 100, 1), 40), ms(83));
        assert_eq!(share(limited(0, 10, 1), 40), ms(5));
        assert_eq!(share(limited(0, 10_000, 10), 40), ms(965));
        // A game of fifteen minutes: half a minute a move, some more where it pays.
        let game = Clock::new(ms(900_000), Duration::ZERO);
        for empties in [58, 40, 30] {
            let Share { enough, most } = game.share(empties);
            assert!(ms(15_000) < enough && enough < ms(45_000), "{enough:?}");
            assert!(5 * enough < most && most < ms(900_000) / 3, "{most:?}");
        }
        // Where hardly any is left, hardly any is taken.
        assert!(share(Clock::new(ms(50), Duration::ZERO), 40) < ms(4));
        assert_eq!(share(Clock::new(ms(0), Duration::ZERO), 40), ms(0));
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(Clock::canadian(ms(1), ms(1), 0), None);
        assert_eq!(Clock::canadian(ms(0), ms(0), 0), None);
        assert_eq!(
            Clock::canadian(ms(9), ms(0), 5),
            Some(Clock::new(ms(9), ms(0)))
        );
        let minutes =
            |minutes: u64, increment| Some(Clock::new(ms(60_000 * minutes), ms(increment)));
        assert_eq!(Clock::ggf("15:00"), minutes(15, 0));
        assert_eq!(Clock::ggf("05:00//02:00"), minutes(5, 0));
        assert_eq!(Clock::ggf("1:05:00/00:10/2"), minutes(65, 10_000));
        assert_eq!(Clock::ggf(" 15 "), minutes(15, 0));
        assert_eq!(Clock::ggf("05:00,1:2"), minutes(5, 0));
        for wrong in [
            "?",
            "a:b",
            "1:2:3:4",
            "-1",
            "99999999999",
            "5:00/x",
            "",
            "0",
            "//2",
        ] {
            assert_eq!(Clock::ggf(wrong), None, "{wrong}");
        }
        assert_eq!(seconds("0.5"), Some(ms(500)));
        assert_eq!(seconds("1e300"), Some(ENDLESS));
        for wrong in ["", "-1", "-0.001", "nan", "inf", "infinity", "1e999", "x"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
