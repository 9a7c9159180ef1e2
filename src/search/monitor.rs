//! What a running search knows so far, for another thread to read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::result::SearchResult;
use crate::time::Instant;

/// Reads what the running search of an engine knows so far, from another thread, at any time and
/// without slowing it down: [`Engine::monitor`](crate::Engine::monitor).
///
/// ```
/// use std::{thread, time::Duration};
/// use outflank::{Board, Engine, Limits};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let monitor = engine.monitor();
/// let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::EXACT };
/// let watching = monitor.clone();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(50));
///     if let Some(so_far) = watching.so_far() {
///         println!("{} plies: {:+}, {} nodes", so_far.depth, so_far.score, so_far.nodes);
///     }
/// });
/// engine.search(Board::START, &limits)?;
/// assert_eq!(monitor.so_far(), None, "nothing runs any more");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Monitor(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Nodes of all threads of the running search, as far as they reported.
    nodes: AtomicU64,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    start: Instant,
    so_far: SearchResult,
}

impl Monitor {
    /// What the running search knows so far; `None` where no search runs, or nothing is known yet.
    ///
    /// While a search of some depth runs, this is the result of the one before, until a null window shows
    /// a bound of the score at the new depth: then depth, selectivity, score and bound are of the new one,
    /// and [`SearchResult::complete`] is false. With linear weights the search before a solve can be followed by a less
    /// certain one to the end, whose score and line replace its own. Beside an upper bound, which has no line of its own, the line
    /// is the last one found. A search that is stopped returns what this returned last. Nodes and time are
    /// those of this moment, the nodes of each thread to within some thousands.
    pub fn so_far(&self) -> Option<SearchResult> {
        let running = self.running();
        let Running { start, so_far } = running.as_ref()?;
        Some(SearchResult {
            nodes: self.nodes().load(Relaxed).max(so_far.nodes),
            time: start.elapsed(),
            ..so_far.clone()
        })
    }

    /// Where the search that runs counts its nodes.
    pub(super) fn nodes(&self) -> &AtomicU64 {
        &self.0.nodes
    }

    /// A search begins.
    pub(super) fn begin(&self) {
        self.nodes().store(0, Relaxed);
    }

    /// The search that began at `start` knows this now.
    pub(super) fn tell(&self, start: Instant, found: &SearchResult) {
        let nobody_reads = Arc::strong_count(&self.0) == 1;
        if nobody_reads {
            return;
        }
        let so_far = found.clone();
        *self.running() = Some(Running { start, so_far });
    }

    /// The search is over.
    pub(super) fn end(&self) {
        *self.running() = None;
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        // Whole values are written: a panic elsewhere leaves nothing half done.
        let running = self.0.running.lock();
        running.unwrap_or_else(PoisonError::into_inner)
    }
}
