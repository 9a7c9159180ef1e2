//! Growth of books by searches on several threads, with a commit every second.
//!
//! [`learn`] runs the whole process. [`Learner`] only plans searches and accepts results, for searches elsewhere.

mod agenda;
mod learner;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use outflank::eval::ErrorModel;
use outflank::search::Strength;
use outflank::{Board, Engine, StopHandle};

use crate::{BookError, Fault, LossLimits, Writer};
pub use learner::{Learner, SearchAnswer, SearchRequest};

/// Time between commits, and so the maximum loss at a power failure.
const COMMIT: Duration = Duration::from_secs(1);

/// Time between checks of deadline and stop handle.
const TICK: Duration = Duration::from_millis(20);

/// Settings of the growth.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Strength of the searches.
    pub strength: Strength,
    /// Minimum number of empty squares of positions in the book.
    pub min_empties: u32,
    /// Deadline of [`learn`]; `None` for no limit.
    pub deadline: Option<Instant>,
    /// Number of added positions after which no job is started. Started jobs are finished; a job can be a whole game.
    pub positions: Option<usize>,
}

/// Kind of growth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Expand the most important leaves, from the start of the game on.
    Expand,
    /// Expand the most important leaves below a position: the last of these, which are the positions of a game. They are
    /// added first.
    ExpandBelow(Vec<Board>),
    /// Expand all leaves below a position that moves within these limits reach. A leaf's own move counts, too. The
    /// position is added if the book lacks it.
    Deviate(Board, LossLimits),
    /// Add the positions of these games.
    Games(Vec<Vec<Board>>),
    /// Repeat searches that are weaker than those of the plan, the most doubtful positions first.
    Correct,
}

/// Progress of the growth.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions in the book.
    pub positions: usize,
    /// Added positions.
    pub added: usize,
    /// Completed searches.
    pub searches: usize,
    /// Remaining games, or positions to correct.
    pub left: usize,
    /// Value of the starting position; `None` if the book lacks it.
    pub start: Option<i32>,
}

/// Grows a book until the plan, the end of the work, or the stop handle ends it. Each engine has its own thread.
///
/// The stop handle is stopped afterwards only if the caller stopped it. After an error of the file, everything
/// committed before is kept. Games with invalid positions are refused. Returns [`Fault::Interrupted`] if the
/// deadline or a stop comes before the book is loaded.
pub fn learn(
    writer: &mut Writer,
    engines: Vec<Engine>,
    stop: &StopHandle,
    plan: &Plan,
    work: Work,
    mut report: impl FnMut(Progress),
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
    let mut guard = StopGuard {
        stop,
        changed: &shared.changed,
        is_stopped: false,
    };
    thread::scope(|scope| {
        let guard = &mut guard;
        let work = |engine| thread::Builder::new().spawn_scoped(scope, || shared.work(engine));
        let (mut workers, mut written) = (Vec::new(), Ok(()));
        for engine in engines {
            match work(engine) {
                Ok(worker) => workers.push(worker),
                Err(error) => written = Err(Fault::Io(error).at(writer.path()).into()),
            }
        }
        let mut committed = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(TICK);
            if written.is_err() || plan.deadline.is_some_and(is_past) {
                guard.stop();
            } else if committed.elapsed() >= COMMIT {
                written = shared.commit(writer);
                committed = Instant::now();
                report(progress());
            }
        }
        written
    })?;
    drop(guard);
    let learner = shared.learner.into_inner();
    let learner = learner.unwrap_or_else(PoisonError::into_inner);
    let done = learner.finish(writer)?;
    report(done);
    Ok(done)
}

fn is_past(deadline: Instant) -> bool {
    Instant::now() >= deadline
}

/// Stops the searches, and resets the stop handle afterwards unless somebody else stopped it.
struct StopGuard<'a> {
    stop: &'a StopHandle,
    changed: &'a Condvar,
    is_stopped: bool,
}

impl StopGuard<'_> {
    fn stop(&mut self) {
        if !self.stop.is_stopped() {
            self.is_stopped = true;
            self.stop.stop();
        }
        self.changed.notify_all();
    }
}

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        if self.is_stopped {
            self.stop.reset();
        }
    }
}

struct Shared<'a> {
    stop: &'a StopHandle,
    learner: Mutex<Learner>,
    changed: Condvar,
}

/// Guard of a search. A panic stops the other threads, which would wait for its result.
struct SearchGuard<'a>(&'a Shared<'a>);

impl Drop for SearchGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop.stop();
        }
        self.0.changed.notify_all();
    }
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, Learner> {
        // The panic of another thread is propagated later.
        self.learner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes all changes while the searches continue.
    fn commit(&self, writer: &mut Writer) -> Result<(), BookError> {
        let changed = self.lock().take_changed();
        learner::write(writer, changed)
    }

    /// Runs searches until there are no more. A stopped search changes nothing.
    fn work(&self, mut engine: Engine) {
        while let Some(search) = self.next() {
            let guard = SearchGuard(self);
            let result = engine.search(search.board, &search.limits);
            let result = result.expect("boards of the book are valid");
            if result.complete && !self.stop.is_stopped() {
                let best = *result.line.first().expect("a search finds a ply");
                let answer = SearchAnswer {
                    ply: best,
                    score: result.score,
                    depth: result.depth,
                    selectivity: result.selectivity,
                };
                let accepted = self.lock().answer(search, answer);
                accepted.expect("a search finds a legal move");
            }
            drop(guard);
        }
    }

    fn next(&self) -> Option<SearchRequest> {
        let mut learner = self.lock();
        while !self.stop.is_stopped() {
            let search = learner.next();
            if search.is_some() || learner.is_exhausted() {
                self.changed.notify_all();
                return search;
            }
            // Running searches may yield more.
            let waited = self.changed.wait_timeout(learner, TICK);
            learner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panicking_thread_stops_the_others() {
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
            let _guard = SearchGuard(&shared);
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
