//! Stop control: a stop from outside, a node limit or a time limit ends a search early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, Ordering::Relaxed};

use crate::time::Instant;

/// Stops a running search from another thread or a signal handler.
///
/// ```
/// use std::{thread, time::Duration};
/// use outflank::{Board, Engine, Limits};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let stop = engine.stop_handle();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     stop.stop();
/// });
/// let found = engine.search(Board::START, &Limits::EXACT)?; // would take years
/// assert!(!found.complete && found.best().is_some());
/// engine.stop_handle().reset(); // for the next search
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the running search within milliseconds. Until [`StopHandle::reset`], every later search ends after its
    /// first result. Stopped searches return their latest result.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Lets later searches run again.
    pub fn reset(&self) {
        self.0.store(false, Relaxed);
    }

    /// Returns `true` after [`StopHandle::stop`].
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// The maximum number of nodes that a thread searches between two polls, some tenths of a millisecond.
const POLL_INTERVAL: u64 = 1 << 12;

/// A callback that ends the search by returning `true`.
pub(super) type Interrupt = Box<dyn Fn() -> bool + Send + Sync>;

/// The limits of one search, shared by its threads.
pub(crate) struct StopControl<'a> {
    pub(super) stop: &'a StopHandle,
    /// Called at every poll.
    pub(super) interrupt: Option<&'a Interrupt>,
    pub(super) deadline: Option<Instant>,
    pub(super) max_nodes: Option<u64>,
    /// Nodes that the threads have reported.
    pub(super) nodes: &'a AtomicU64,
    /// `true` once the search has a result to return and may be ended.
    pub(super) armed: AtomicBool,
    pub(super) over: AtomicBool,
    /// The number of notices that the search of some threads may no longer be needed.
    pub(super) notices: AtomicU32,
}

impl<'a> StopControl<'a> {
    /// The control of a search without limits, not yet armed. Its nodes are counted in `nodes`.
    pub(super) fn new(
        stop: &'a StopHandle,
        interrupt: Option<&'a Interrupt>,
        nodes: &'a AtomicU64,
    ) -> StopControl<'a> {
        StopControl {
            stop,
            interrupt,
            deadline: None,
            max_nodes: None,
            nodes,
            armed: false.into(),
            over: false.into(),
            notices: 0.into(),
        }
    }

    /// Allows limits to end the search from now on.
    pub(super) fn arm(&self) {
        self.armed.store(true, Relaxed);
    }

    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
        self.notify();
    }

    /// Tells all threads to check if their search is still needed.
    pub(super) fn notify(&self) {
        self.notices.fetch_add(1, Ordering::Release);
    }

    /// The number of notices so far.
    #[inline(always)]
    pub(super) fn notices(&self) -> u32 {
        self.notices.load(Ordering::Acquire)
    }

    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Nodes that the threads have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Adds `nodes` nodes of a thread, and ends the search if a limit is reached or a stop is requested.
    /// Returns the number of nodes after which that thread polls again.
    #[cold]
    pub(super) fn poll(&self, nodes: u64) -> u64 {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let left = self.max_nodes.map(|limit| limit.saturating_sub(nodes));
        let left = left.unwrap_or(POLL_INTERVAL);
        let is_late = || self.deadline.is_some_and(|end| Instant::now() >= end);
        if self.interrupt.is_some_and(|interrupt| interrupt()) {
            self.stop.stop();
        }
        if self.armed.load(Relaxed) && (left == 0 || self.stop.is_stopped() || is_late()) {
            self.end();
        }
        left.clamp(1, POLL_INTERVAL)
    }
}
