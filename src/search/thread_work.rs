//! The work of the threads of a search: an instrument to see how well they share it.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The work of the threads of a search, or of several searches.
///
/// The three times add up to the number of threads times the wall-clock time. The time of splitting is an estimate from
/// a sample.
///
/// ```
/// use outflank::{Board, Engine, Limits};
///
/// let mut engine = Engine::builder().threads(2).hash_mib(16).build()?;
/// // FFO #1.
/// let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
/// let work = engine.search(text.parse()?, &Limits::EXACT)?.thread_work;
/// println!("{} of {} moves were given away", work.moves_given, work.moves);
/// assert!(work.moves_given <= work.moves);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ThreadWork {
    /// The other time of all threads, in which they searched.
    pub searching: Duration,
    /// Time in which threads looked for moves of others or slept, and the time before their start and after their end.
    pub waiting: Duration,
    /// Time in which threads opened splits, took moves of their own splits, and finished moves.
    pub splitting: Duration,
    /// Nodes whose moves were offered to other threads.
    pub splits: u64,
    /// Moves of these nodes that were searched.
    pub moves: u64,
    /// Moves of these nodes that another thread than their own searched.
    pub moves_given: u64,
    /// Moves whose search was ended early: another move failed high, or the search was stopped.
    pub moves_discarded: u64,
}

impl ThreadWork {
    /// The work of threads with these counters, in a search that took `wall`.
    pub(super) fn sum<'a>(
        threads: impl Iterator<Item = &'a Counters>,
        wall: Duration,
    ) -> ThreadWork {
        let mut sum = ThreadWork::default();
        for counters in threads {
            let [working, waiting, splitting] = [
                &counters.working_ns,
                &counters.waiting_ns,
                &counters.splitting_ns,
            ]
            .map(|counter| Duration::from_nanos(counter.get()));
            let busy = working.saturating_sub(waiting);
            let splitting = splitting.min(busy);
            sum += ThreadWork {
                searching: busy - splitting,
                waiting: wall.saturating_sub(busy),
                splitting,
                splits: counters.splits.get(),
                moves: counters.moves.get(),
                moves_given: counters.moves_given.get(),
                moves_discarded: counters.moves_discarded.get(),
            };
        }
        sum
    }

    /// Returns the three times as fractions of their sum: searching, waiting and splitting.
    pub fn shares(&self) -> [f64; 3] {
        let times = [self.searching, self.waiting, self.splitting];
        let all: Duration = times.iter().sum();
        times.map(|time| time.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE))
    }
}

impl AddAssign for ThreadWork {
    fn add_assign(&mut self, other: ThreadWork) {
        self.searching += other.searching;
        self.waiting += other.waiting;
        self.splitting += other.splitting;
        self.splits += other.splits;
        self.moves += other.moves;
        self.moves_given += other.moves_given;
        self.moves_discarded += other.moves_discarded;
    }
}

/// A counter that only one thread changes.
#[derive(Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self, number: u64) {
        self.0.store(self.get() + number, Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// The counters of one thread.
#[derive(Default)]
pub(super) struct Counters {
    /// From the start of the thread to its end.
    pub(super) working_ns: Counter,
    pub(super) waiting_ns: Counter,
    pub(super) splitting_ns: Counter,
    /// Short pieces of splitting.
    pub(super) pieces: Counter,
    pub(super) splits: Counter,
    pub(super) moves: Counter,
    pub(super) moves_given: Counter,
    pub(super) moves_discarded: Counter,
}
