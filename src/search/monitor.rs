//! The latest result of a running search, for other threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::result::SearchResult;
use crate::time::Instant;

/// Reads the latest result of an engine's running search from another thread, at any time and
/// without slowing it down. [`Engine::monitor`](crate::Engine::monitor) creates one.
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
/// assert_eq!(monitor.so_far(), None, "no search runs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Monitor(Arc<MonitorState>);

#[derive(Debug, Default)]
struct MonitorState {
    /// Nodes that the threads of the running search have reported.
    nodes: AtomicU64,
    running: Mutex<Option<RunningSearch>>,
}

#[derive(Debug)]
struct RunningSearch {
    start: Instant,
    so_far: SearchResult,
}

impl Monitor {
    /// The latest result of the running search; `None` if no search runs or nothing is known yet.
    ///
    /// At first this is the result of the last finished depth. Once the search of the next depth has proven a bound,
    /// the result has the depth, selectivity, score and bound of that search. [`SearchResult::complete`] is then
    /// `false`. An upper bound has no line of its own and comes with the last line found.
    ///
    /// With linear weights, the first search to the end may have less than 73 % confidence. No
    /// [`Selectivity`](crate::Selectivity) is that low. So its score and line replace the earlier ones, but depth and
    /// selectivity stay.
    ///
    /// A stopped search returns this result. Nodes and time are those at the moment of the call; each thread may have
    /// searched some thousand nodes more.
    pub fn so_far(&self) -> Option<SearchResult> {
        let running = self.running();
        let RunningSearch { start, so_far } = running.as_ref()?;
        Some(SearchResult {
            nodes: self.nodes().load(Relaxed).max(so_far.nodes),
            time: start.elapsed(),
            ..so_far.clone()
        })
    }

    /// The counter to which a running search reports its nodes.
    pub(super) fn nodes(&self) -> &AtomicU64 {
        &self.0.nodes
    }

    /// Resets the node counter for a new search.
    pub(super) fn begin(&self) {
        self.nodes().store(0, Relaxed);
    }

    /// Publishes the latest result of the search that began at `start`.
    pub(super) fn publish(&self, start: Instant, result: &SearchResult) {
        let has_readers = Arc::strong_count(&self.0) > 1;
        if has_readers {
            let so_far = result.clone();
            *self.running() = Some(RunningSearch { start, so_far });
        }
    }

    /// Ends the search.
    pub(super) fn end(&self) {
        *self.running() = None;
    }

    fn running(&self) -> MutexGuard<'_, Option<RunningSearch>> {
        // The value is replaced as a whole, so it is valid even after a panic.
        let running = self.0.running.lock();
        running.unwrap_or_else(PoisonError::into_inner)
    }
}
