//! The state of a search: one part shared by its threads, one part for each thread.

use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Kernels;

use super::clock::Clock;
use super::history::History;
use super::local_table::LocalTable;
use super::pool::{Member, Pool};
use super::selectivity::Margins;
use super::split::Split;
use super::stop::StopControl;
use crate::board::Board;
use crate::table::{OptionalSquare, Table, TableEntry};

/// A number of notices that never occurs. It forces a check at the next poll.
const UNCHECKED: u32 = u32::MAX;

/// The part of a thread's state that nodes without an evaluation use.
pub(crate) struct EndgameWorker<'a> {
    pub(crate) local: &'a mut LocalTable,
    /// Boards reached by a move.
    pub(crate) nodes: u64,
}

/// The state that all threads of a search share.
pub(crate) struct Shared<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) margins: &'a Margins,
    pub(crate) table: &'a Table,
    pub(crate) stop: StopControl<'a>,
    pub(crate) clock: Clock,
    /// `None` in a search of one thread.
    pub(crate) pool: Option<Pool>,
}

/// The state of one thread of a search.
pub(crate) struct Worker<'a, E> {
    pub(crate) shared: &'a Shared<'a, E>,
    /// The number of this thread, 0 for the one that began the search.
    pub(crate) thread: usize,
    /// The function that starts the helpers; `None` once it was called, and in helpers.
    pub(super) start_helpers: Option<&'a dyn Fn()>,
    /// The state for endgame nodes. Its counter has all nodes of this thread.
    pub(crate) endgame: EndgameWorker<'a>,
    /// The number of nested probcut searches that the present node is in.
    pub(crate) probcut_nesting: u32,
    /// The nodes of other threads in the subtree of the present node, less this thread's nodes outside it (modulo 2^64).
    foreign_nodes: u64,
    /// The innermost split that contains the present node.
    pub(crate) split: Option<Arc<Split>>,
    /// `true` once the search, or the split that this thread works for, has ended. Later scores are meaningless.
    pub(crate) stopped: bool,
    /// `true` if the node that is searched next probably fails low, so that all its moves have to be searched.
    pub(super) expects_fail_low: bool,
    /// The number of notices of the stop control at this thread's last check.
    notices: u32,
    /// The move that last made a node fail high, by its plies (1 and 2) and empty squares.
    killers: [[OptionalSquare; 65]; 2],
    /// The history, updated at nodes too deep for killers.
    pub(super) history: History,
    /// Boards that were stored in empty slots, but not yet reported to the table.
    new_boards: usize,
    /// The number of new boards at which this thread reports them.
    report_at: usize,
    /// Nodes reported to the stop control.
    reported: u64,
    /// The number of nodes at which this thread polls next.
    poll_at: u64,
}

/// The time that a search must take, for each helper, before helpers start. A thread starts and ends in about as much time,
/// so a search that ends right after the start takes at most twice as long as with one thread.
const DELAY_PER_HELPER: Duration = Duration::from_micros(10);

impl<E> Shared<'_, E> {
    /// The number of threads of the search.
    fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, Pool::threads)
    }
}

impl<'a, E> Worker<'a, E> {
    pub(super) fn new(
        shared: &'a Shared<'a, E>,
        thread: usize,
        local: &'a mut LocalTable,
    ) -> Worker<'a, E> {
        Worker {
            shared,
            thread,
            start_helpers: None,
            endgame: EndgameWorker { local, nodes: 0 },
            probcut_nesting: 0,
            foreign_nodes: 0,
            split: None,
            stopped: false,
            expects_fail_low: false,
            notices: UNCHECKED,
            killers: [[OptionalSquare::NONE; 65]; 2],
            history: History::new(),
            new_boards: 0,
            report_at: shared.table.report_interval(shared.threads()),
            reported: 0,
            poll_at: 0,
        }
    }

    /// Nodes of this thread.
    #[inline(always)]
    pub(super) fn nodes(&self) -> u64 {
        self.endgame.nodes
    }

    /// A count that grows by the nodes of the present node's subtree, those of other threads included. Only differences
    /// have a meaning.
    #[inline(always)]
    pub(super) fn subtree_nodes(&self) -> u64 {
        self.nodes().wrapping_add(self.foreign_nodes)
    }

    /// Sets [`Worker::subtree_nodes`].
    pub(super) fn set_subtree_nodes(&mut self, nodes: u64) {
        self.foreign_nodes = nodes.wrapping_sub(self.nodes());
    }

    /// The pool with this thread as its member; `None` in a search of one thread.
    #[inline(always)]
    pub(super) fn member(&self) -> Option<Member<'a>> {
        let Shared { pool, clock, .. } = self.shared;
        let thread = self.thread;
        pool.as_ref().map(|pool| Member {
            pool,
            clock,
            thread,
        })
    }

    /// The pool with this thread as its member, once helpers have started. Starts them if the search has taken long enough.
    pub(super) fn member_with_helpers(&mut self) -> Option<Member<'a>> {
        let member = self.member()?;
        if let Some(start) = self.start_helpers {
            let helpers = member.pool.threads() as u32 - 1;
            if member.clock.elapsed(self.thread) < DELAY_PER_HELPER * helpers {
                return None;
            }
            self.start_helpers = None;
            member.clock.start_helpers(start);
        }
        Some(member)
    }

    /// Sets the innermost split and returns the one before. The next poll checks if its result is still needed.
    pub(super) fn replace_split(&mut self, split: Option<Arc<Split>>) -> Option<Arc<Split>> {
        self.notices = UNCHECKED;
        std::mem::replace(&mut self.split, split)
    }

    /// Sets [`Worker::stopped`] if the search, or the split that this thread works for, has been ended.
    #[inline(always)]
    pub(super) fn poll_stop(&mut self) {
        let nodes = self.nodes();
        self.shared.clock.count(self.thread, nodes);
        self.shared.clock.count_midgame(self.thread);
        if nodes >= self.poll_at {
            self.report_nodes();
        }
        let notices = self.shared.stop.notices();
        if notices != self.notices {
            self.notices = notices;
            self.check_over();
        }
    }

    /// Resets [`Worker::stopped`] after a move of a split and returns its value. The next poll checks again.
    pub(super) fn take_stopped(&mut self) -> bool {
        self.notices = UNCHECKED;
        std::mem::take(&mut self.stopped)
    }

    #[cold]
    fn check_over(&mut self) {
        let is_over = |split: &Arc<Split>| split.is_over();
        self.stopped |= self.shared.stop.is_over() || self.split.as_ref().is_some_and(is_over);
    }

    /// The killer of nodes of `plies` plies, 1 or 2, with `empties` empty squares.
    #[inline(always)]
    pub(super) fn killer(&mut self, plies: u8, empties: u32) -> &mut OptionalSquare {
        &mut self.killers[usize::from(plies == 2)][empties.min(64) as usize]
    }

    /// Allows limits to end the search from this thread's next poll on.
    pub(super) fn arm(&mut self) {
        self.shared.stop.arm();
        self.poll_at = 0;
    }

    /// Reports all nodes to the stop control, which sets the next poll.
    fn report_nodes(&mut self) {
        let nodes = self.nodes();
        self.poll_at = nodes + self.shared.stop.poll(nodes - self.reported);
        self.reported = nodes;
    }

    /// Stores an entry of `board` in the table.
    #[inline(always)]
    pub(super) fn store<I: Kernels>(&mut self, isa: I, hash: u64, board: Board, entry: TableEntry) {
        self.new_boards += usize::from(self.shared.table.store(hash, board, entry));
        if self.new_boards >= self.report_at {
            self.report_boards(isa);
        }
    }

    #[inline(always)]
    fn report_boards<I: Kernels>(&mut self, isa: I) {
        let boards = std::mem::take(&mut self.new_boards);
        self.shared.table.add_boards(isa, boards);
        self.report_at = self.shared.table.report_interval(self.shared.threads());
    }

    /// Reports the remaining nodes and boards at the end of this thread's search.
    pub(super) fn finish<I: Kernels>(&mut self, isa: I) {
        self.report_nodes();
        self.report_boards(isa);
    }

    /// Nodes of all threads. Of other threads, only reported nodes count.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.stop.nodes() + self.nodes() - self.reported
    }
}
