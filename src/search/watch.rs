//! Stop control: a stop from outside, a node limit or a time limit ends a search early.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::time::Instant;

/// The maximum number of nodes that a thread searches between two polls: some tenths of a millisecond.
const MAX_NODES: u64 = 1 << 12;

/// One for all threads of a search.
pub(crate) struct Watch<'a> {
    /// Set from outside to stop.
    stop: &'a AtomicBool,
    /// Asked at every poll; true stops.
    interrupt: Option<&'a (dyn Fn() -> bool + Send + Sync)>,
    deadline: Option<Instant>,
    max_nodes: Option<u64>,
    /// Nodes of all threads, as far as they reported them.
    nodes: &'a AtomicU64,
    /// Whether the search may be ended: it has a result to return.
    armed: AtomicBool,
    /// Whether it was.
    over: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        stop: &'a AtomicBool,
        interrupt: Option<&'a (dyn Fn() -> bool + Send + Sync)>,
        deadline: Option<Instant>,
        max_nodes: Option<u64>,
        nodes: &'a AtomicU64,
    ) -> Watch<'a> {
        Watch {
            stop,
            interrupt,
            deadline,
            max_nodes,
            nodes,
            armed: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    /// From now on the search may be ended.
    pub(super) fn arm(&self) {
        self.armed.store(true, Relaxed);
    }

    /// Ends the search.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// Whether the search was ended.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Nodes of all threads, as far as they reported them.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Adds `nodes` nodes of a thread, and ends the search where a limit is reached or a stop was asked for.
    /// Returns after how many further nodes that thread is to poll again.
    #[cold]
    pub(super) fn poll(&self, nodes: u64) -> u64 {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let left = self
            .max_nodes
            .map_or(MAX_NODES, |most| most.saturating_sub(nodes));
        let late = || {
            self.deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        if self.interrupt.is_some_and(|interrupt| interrupt()) {
            self.stop.store(true, Relaxed);
        }
        if self.armed.load(Relaxed) && (left == 0 || self.stop.load(Relaxed) || late()) {
            self.end();
        }
        left.clamp(1, MAX_NODES)
    }
}
