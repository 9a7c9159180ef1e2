//! The state of a search: what all threads share, and what each thread has of its own.

use std::sync::Arc;

use outflank_kernels::Kernels;

use super::history::History;
use super::local::LocalTable;
use super::pool::{Pool, Split};
use super::selective::Margins;
use super::watch::Watch;
use crate::board::Board;
use crate::table::{Entry, NO_MOVE, Table};

/// The number of new boards after which a thread tells the table, which may then grow.
const NEW_BOARDS: usize = 256;

/// The state of one thread's search to the end of the game, without an evaluation.
pub(crate) struct Search<'a> {
    pub(crate) local: &'a mut LocalTable,
    /// Boards reached by a move.
    pub(crate) nodes: u64,
}

/// What all threads of a search share.
pub(crate) struct Shared<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) margins: &'a Margins,
    pub(crate) table: &'a Table,
    pub(crate) watch: Watch<'a>,
    /// Where threads offer each other work, if there are several threads.
    pub(crate) pool: Option<Pool>,
}

/// The state of one thread's search.
pub(crate) struct Tree<'a, E> {
    pub(crate) shared: &'a Shared<'a, E>,
    /// The search without an evaluation. It counts all nodes of this thread.
    pub(crate) exact: Search<'a>,
    /// How many shallow searches for selective cuts this one is inside.
    pub(crate) probing: u32,
    /// The innermost node that is shared with other threads.
    pub(crate) split: Option<Arc<Split>>,
    /// Whether the search is ended: scores returned since then mean nothing.
    pub(crate) stopped: bool,
    /// By depth, 1 and 2 plies, and by empty squares: the move that last made such a
    /// node fail high, or [`NO_MOVE`].
    killers: [[u8; 65]; 2],
    /// Which moves failed high in nodes that have no killer.
    pub(super) history: History,
    /// Boards stored in slots that were empty, of which the table has not been told.
    new_boards: usize,
    /// The nodes that were reported to the watch.
    reported: u64,
    /// The node count at which the watch is polled again.
    poll_at: u64,
}

impl<'a, E> Tree<'a, E> {
    pub(super) fn new(shared: &'a Shared<'a, E>, local: &'a mut LocalTable) -> Tree<'a, E> {
        Tree {
            shared,
            exact: Search { local, nodes: 0 },
            probing: 0,
            split: None,
            stopped: false,
            killers: [[NO_MOVE; 65]; 2],
            history: History::new(),
            new_boards: 0,
            reported: 0,
            poll_at: 0,
        }
    }

    /// Sets [`Tree::stopped`] where the search, or the split that this thread works for, has been ended.
    #[inline(always)]
    pub(super) fn poll_stop(&mut self) {
        if self.exact.nodes >= self.poll_at {
            self.report_nodes();
        }
        self.stopped =
            self.shared.watch.is_over() || self.split.as_ref().is_some_and(|split| split.is_over());
    }

    /// The killer of nodes with `empties` empty squares that are searched to `depth` plies, 1 or 2.
    #[inline(always)]
    pub(super) fn killer(&mut self, depth: u8, empties: u32) -> &mut u8 {
        &mut self.killers[usize::from(depth == 2)][empties.min(64) as usize]
    }

    /// From now on the search may be ended, the next time that this thread polls.
    pub(super) fn arm(&mut self) {
        self.shared.watch.arm();
        self.poll_at = 0;
    }

    /// Reports all nodes to the watch, which decides when this thread reports again.
    fn report_nodes(&mut self) {
        let nodes = self.exact.nodes;
        self.poll_at = nodes + self.shared.watch.poll(nodes - self.reported);
        self.reported = nodes;
    }

    /// Stores in the table what was found about `board`.
    #[inline(always)]
    pub(super) fn store<I: Kernels>(&mut self, isa: I, hash: u64, board: Board, found: Entry) {
        self.new_boards += usize::from(self.shared.table.store(hash, board, found));
        if self.new_boards == NEW_BOARDS {
            self.shared
                .table
                .note(isa, std::mem::take(&mut self.new_boards));
        }
    }

    /// Reports to the watch and the table what they have not been told: this thread's search has ended.
    pub(super) fn finish<I: Kernels>(&mut self, isa: I) {
        self.report_nodes();
        self.shared
            .table
            .note(isa, std::mem::take(&mut self.new_boards));
    }

    /// Nodes of all threads; those of other threads as far as they reported them.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.watch.nodes() + self.exact.nodes - self.reported
    }
}
