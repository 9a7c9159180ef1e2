//! Time in nanoseconds and in core cycles.
//!
//! A hardware counter counts core cycles where the system grants one. The counter of `rdtsc` runs at a constant
//! speed, so it does not count them. Without a hardware counter, a dependent chain of one-cycle operations is timed.
//! Its time gives the current speed of the core.

use std::hint::black_box;
#[cfg(not(feature = "browser"))]
use std::time::{Duration, Instant};

use seq_macro::seq;
#[cfg(feature = "browser")]
use web_time::{Duration, Instant};

use super::counter::Counter;

/// Factor on all measured times: the clocks of browsers tick every 5 to 1000 microseconds.
pub(super) const STRETCH: u32 = if cfg!(target_family = "wasm") { 100 } else { 1 };

/// Clock of the system, with a counter of cycles if the system grants one.
pub(super) struct Timer {
    counter: Option<Counter>,
    /// Cycles that the counter counts between two readings around empty work.
    counter_cost: f64,
    /// Nanoseconds between two readings with nothing in between.
    pub(super) cost: f64,
}

impl Timer {
    /// Measures the cost as the minimum of many tries: longer ones were disturbed.
    pub(super) fn new() -> Timer {
        let tries = (0..10_000).map(|_| Instant::now().elapsed());
        let least = tries.min().unwrap_or(Duration::ZERO);
        let mut timer = Timer {
            counter: Counter::start(),
            counter_cost: 0.0,
            cost: least.as_nanos() as f64,
        };
        let empty = (0..1000).filter_map(|_| timer.count(|| ()).1);
        timer.counter_cost = empty.min_by(f64::total_cmp).unwrap_or(0.0);
        timer
    }

    /// Returns `true` if cycles are counted, `false` if they follow from the calibrated clock.
    pub(super) fn counts(&self) -> bool {
        self.cycles().is_some()
    }

    fn cycles(&self) -> Option<u64> {
        self.counter.as_ref()?.cycles()
    }

    /// Returns the nanoseconds that `work` takes, and the cycles if there is a counter.
    pub(super) fn count<T>(&self, work: impl FnOnce() -> T) -> (f64, Option<f64>) {
        let before = self.cycles();
        let ns = self.time(work);
        let after = self.cycles();
        let cycles = before.zip(after).map(|(before, after)| {
            let counted = after.saturating_sub(before) as f64;
            (counted - self.counter_cost).max(0.0)
        });
        (ns, cycles)
    }

    /// Returns the nanoseconds that `work` takes.
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> f64 {
        let start = Instant::now();
        black_box(work());
        let time = start.elapsed().as_nanos() as f64;
        (time - self.cost).max(0.0)
    }

    /// Returns the core's speed in cycles per nanosecond, measured over about ten microseconds, in a browser
    /// over a millisecond.
    pub(super) fn gigahertz(&self) -> f64 {
        const ROUNDS: u32 = 512 * STRETCH;
        const CYCLES_A_ROUND: u32 = 2 * 32;
        // Hidden values, so that the compiler cannot shorten the chain. An exclusive or and an addition take one
        // cycle each on every core of the last twenty years, and no core fuses the two.
        let (one, other) = (black_box(0x9E37_79B9_u64), black_box(0x7F4A_7C15_u64));
        let time = self.time(|| {
            let mut carried = one;
            for _ in 0..ROUNDS {
                seq!(_ in 0..32 {
                    carried = (carried ^ one).wrapping_add(other);
                });
            }
            carried
        });
        f64::from(ROUNDS * CYCLES_A_ROUND) / time.max(1.0)
    }
}
