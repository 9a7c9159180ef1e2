//! The clock of a search, and the waits of its threads. Unit tests, and builds with the feature
//! `virtual-time`, have `virtual_clock.rs` instead.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::time::Instant;

/// The clock of a search. Costs that virtual time models are real here, so their functions do nothing.
pub(super) struct Clock {
    start: Instant,
    sleepers: Box<[Sleeper]>,
    max_attempts: u32,
}

/// The number of attempts to find work, with a pause after each, that take some tenths of a millisecond. A wake-up takes
/// tens of microseconds, so sleep pays only after longer waits.
const MAX_ATTEMPTS: u32 = 400;

/// The number of attempts if there are more threads than cores. Attempts would then take time from threads that search.
const MAX_ATTEMPTS_BEYOND_CORES: u32 = 4;

/// The number of spin hints in a pause.
const SPINS: u32 = 16;

/// The place where a thread sleeps.
#[derive(Default)]
struct Sleeper {
    is_woken: Mutex<bool>,
    changed: Condvar,
}

impl Sleeper {
    fn is_woken(&self) -> MutexGuard<'_, bool> {
        self.is_woken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock {
    /// The clock of a search that began at `start`, with `threads` threads on `cores` cores.
    pub(super) fn new(start: Instant, threads: usize, cores: usize) -> Clock {
        Clock {
            start,
            sleepers: (0..threads).map(|_| Sleeper::default()).collect(),
            max_attempts: match threads <= cores {
                true => MAX_ATTEMPTS,
                false => MAX_ATTEMPTS_BEYOND_CORES,
            },
        }
    }

    /// The number of attempts to find work before a thread sleeps.
    pub(super) fn max_attempts(&self) -> u32 {
        self.max_attempts
    }

    /// The time since the search began, as `thread` sees it.
    pub(super) fn elapsed(&self, _thread: usize) -> Duration {
        self.start.elapsed()
    }

    /// Lets thread 0 start the others by `start`.
    pub(super) fn start_helpers(&self, start: &dyn Fn()) {
        start();
    }

    /// Begins the work of `thread`.
    pub(super) fn begin(&self, _thread: usize) {}

    /// Ends the work of `thread`.
    pub(super) fn end(&self, _thread: usize) {}

    /// Counts the new nodes of `thread`, which has reached `nodes` nodes in all.
    #[inline(always)]
    pub(super) fn count(&self, _thread: usize, _nodes: u64) {}

    /// Counts the additional time of a midgame node of `thread`.
    #[inline(always)]
    pub(super) fn count_midgame(&self, _thread: usize) {}

    /// Counts a lock that `thread` is about to take.
    #[inline(always)]
    pub(super) fn lock(&self, _thread: usize) {}

    /// Lets `thread` pause for a fraction of a microsecond between two attempts to find work.
    pub(super) fn pause(&self, _thread: usize) {
        (0..SPINS).for_each(|_| std::hint::spin_loop());
    }

    /// Lets `thread` sleep until the next [`Clock::wake`], or not at all if that has come already.
    pub(super) fn sleep(&self, thread: usize) {
        let sleeper = &self.sleepers[thread];
        let mut is_woken = sleeper.is_woken();
        while !*is_woken {
            let woken = sleeper.changed.wait(is_woken);
            is_woken = woken.unwrap_or_else(PoisonError::into_inner);
        }
        *is_woken = false;
    }

    /// Lets `thread` wake another one.
    pub(super) fn wake(&self, _thread: usize, sleeping: usize) {
        let sleeper = &self.sleepers[sleeping];
        *sleeper.is_woken() = true;
        sleeper.changed.notify_one();
    }
}
