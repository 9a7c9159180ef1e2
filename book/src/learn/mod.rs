//! Books that grow: positions are searched by several threads, and committed every second.
//!
//! [`learn`] does all of it. A [`Learner`] says what is to be searched and takes the answers: for searches elsewhere.

mod agenda;
mod learner;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Engine, StopHandle};

use crate::{BookError, Writer};
pub use learner::{Found, Learner, Search};

/// The time between two commits: what is lost where the machine loses its power.
const COMMIT: Duration = Duration::from_secs(1);

/// How often the time and the stop handle are looked at.
const TICK: Duration = Duration::from_millis(20);

/// How a book is to grow.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How far positions are searched.
    pub strength: Strength,
    /// The fewest empty squares of positions of the book.
    pub min_empties: u32,
    /// When [`learn`] ends; `None` where nothing but the end of the work, or a stop, ends it.
    pub deadline: Option<Instant>,
    /// How many positions to add; what threads are at, a whole game of each perhaps, is still added.
    pub positions: Option<usize>,
}

/// What a book is to grow by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Where it matters, from the start of the game on.
    Expand,
    /// The positions of these games, each from its start on.
    Games(Vec<Vec<Board>>),
    /// No new positions: those that were searched less than the plan says are searched again, the doubtful first.
    Correct,
}

/// How it goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions of the book.
    pub positions: usize,
    /// Those that were added.
    pub added: usize,
    /// Searches.
    pub searches: usize,
    /// Pieces of work that are left, where that is known: games, or positions to correct.
    pub left: usize,
    /// What the start of the game is worth.
    pub start: Option<i32>,
}

/// Lets a book grow until the plan, the end of the work, or the stop handle of the engines ends it; each engine
/// works on a thread of its own. The stop handle is stopped afterwards only if somebody else did it. An error of the store
/// ends it, with all that was committed before still there. Games with positions that cannot be are refused before.
/// Returns [`BookError::Interrupted`] if the deadline or a stop comes before the book has been read.
pub fn learn(
    writer: &mut Writer,
    engines: Vec<Engine>,
    stop: &StopHandle,
    plan: &Plan,
    work: Work,
    mut tell: impl FnMut(Progress),
) -> Result<Progress, BookError> {
    let errors = engines.first().map(|engine| engine.evaluation().errors);
    let errors = errors.unwrap_or(ErrorModel::NETWORK);
    let (handle, deadline) = (stop.clone(), plan.deadline);
    let is_over = move || handle.is_stopped() || deadline.is_some_and(is_past);
    writer.interrupt_when(Some(is_over))?;
    let learner = Learner::new(writer, plan, work, errors);
    writer.interrupt_when(None::<fn() -> bool>)?;
    let shared = Shared {
        stop,
        learner: Mutex::new(learner?),
        changed: Condvar::new(),
    };
    let progress = || shared.lock().progress();
    let mut ended = Ended {
        stop,
        changed: &shared.changed,
        is_stopped: false,
    };
    thread::scope(|scope| {
        let ended = &mut ended;
        let work = |engine| thread::Builder::new().spawn_scoped(scope, || shared.work(engine));
        let (mut workers, mut written) = (Vec::new(), Ok(()));
        for engine in engines {
            match work(engine) {
                Ok(worker) => workers.push(worker),
                Err(error) => written = Err(BookError::Io(writer.path().to_owned(), error)),
            }
        }
        let mut committed = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(TICK);
            if written.is_err() || plan.deadline.is_some_and(is_past) {
                ended.stop();
            } else if committed.elapsed() >= COMMIT {
                written = shared.commit(writer);
                committed = Instant::now();
                tell(progress());
            }
        }
        written
    })?;
    drop(ended);
    shared.commit(writer)?;
    tell(progress());
    Ok(progress())
}

/// Returns `true` if the deadline is over.
fn is_past(deadline: Instant) -> bool {
    Instant::now() >= deadline
}

/// Ends the searches before somebody else stops them. Their handle is then as it was.
struct Ended<'a> {
    stop: &'a StopHandle,
    changed: &'a Condvar,
    is_stopped: bool,
}

impl Ended<'_> {
    fn stop(&mut self) {
        if !self.stop.is_stopped() {
            self.is_stopped = true;
            self.stop.stop();
        }
        self.changed.notify_all();
    }
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        if self.is_stopped {
            self.stop.reset();
        }
    }
}

/// What the threads share.
struct Shared<'a> {
    stop: &'a StopHandle,
    learner: Mutex<Learner>,
    changed: Condvar,
}

/// A thread that searches. Where it panics, the others end, too, instead of waiting for what it was to find.
struct Working<'a>(&'a Shared<'a>);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop.stop();
        }
        self.0.changed.notify_all();
    }
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, Learner> {
        // A thread that panicked ends the program in the end.
        self.learner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has changed, while others go on.
    fn commit(&self, writer: &mut Writer) -> Result<(), BookError> {
        let changed = self.lock().take_changed();
        learner::write(writer, changed)
    }

    /// Carries out one search after another. One that is stopped changes nothing.
    fn work(&self, mut engine: Engine) {
        while let Some(search) = self.next() {
            let working = Working(self);
            let found = engine.search(search.board, &search.limits);
            let found = found.expect("no square of it is held twice");
            if found.complete && !self.stop.is_stopped() {
                let best = *found.line.first().expect("a search finds a ply");
                let found = Found {
                    ply: best,
                    score: found.score,
                    depth: found.depth,
                    selectivity: found.selectivity,
                };
                let taken = self.lock().found(search, found);
                taken.expect("a search finds a legal move");
            }
            drop(working);
        }
    }

    /// The next search; `None` where there is none any more.
    fn next(&self) -> Option<Search> {
        let mut learner = self.lock();
        while !self.stop.is_stopped() {
            let search = learner.next();
            if search.is_some() || learner.has_no_more() {
                self.changed.notify_all();
                return search;
            }
            // Others may find something to do.
            let waited = self.changed.wait_timeout(learner, TICK);
            learner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that panics ends the others.
    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let stop = StopHandle::default();
        let plan = Plan {
            strength: Strength::Level(1),
            min_empties: 30,
            deadline: None,
            positions: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::create(&folder.path().join("new.book")).unwrap();
        let learner = Learner::new(&writer, &plan, Work::Expand, ErrorModel::NETWORK).unwrap();
        let shared = Shared {
            stop: &stop,
            learner: Mutex::new(learner),
            changed: Condvar::new(),
        };
        assert!(shared.next().is_some(), "the start of the game");
        let panics = || {
            let _working = Working(&shared);
            panic!("this panic is part of the test");
        };
        thread::scope(|scope| {
            let other = scope.spawn(|| shared.next().is_none());
            assert!(scope.spawn(panics).join().is_err());
            assert!(other.join().unwrap(), "there is nothing to wait for");
        });
        assert!(stop.is_stopped());
    }
}
