//! What the threads of a search have in common, and what each has for itself.

use std::sync::Arc;

use super::endgame;
use super::local::Local;
use super::parallel::{Pool, Split};
use super::recursion::Recursion;
use super::selective::Margins;
use super::variants::LastEmpties;
use super::watch::Watch;
use crate::board::Board;
use crate::table::{Entry, Table};

/// After so many new boards a thread tells the table, which may then grow.
const NEW_BOARDS: usize = 256;

/// What all threads of a search share.
pub(crate) struct Shared<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) margins: &'a Margins,
    pub(crate) table: &'a Table,
    pub(crate) last: LastEmpties,
    pub(crate) watch: Watch<'a>,
    /// Where threads offer each other work, if there are several.
    pub(crate) pool: Option<Pool>,
}

/// The state of one thread's search.
pub(crate) struct Tree<'a, E> {
    pub(crate) shared: &'a Shared<'a, E>,
    /// For the end of the game. It counts all nodes.
    pub(crate) exact: endgame::Search<'a>,
    /// How many shallow searches for selective cuts this one is inside.
    pub(crate) probing: u32,
    /// The innermost node that is shared with other threads.
    pub(crate) split: Option<Arc<Split>>,
    /// Whether what is being searched no longer matters: scores returned since then mean nothing.
    pub(crate) stopped: bool,
    /// Boards that it was the first to store, and that the table does not know of.
    new_boards: usize,
    /// The nodes that the watch knows of.
    told: u64,
    /// The nodes from which on the watch is asked again.
    ask_at: u64,
}

impl<'a, E> Tree<'a, E> {
    pub(super) fn new(shared: &'a Shared<'a, E>, local: &'a mut Local) -> Tree<'a, E> {
        Tree {
            shared,
            exact: endgame::Search {
                local,
                nodes: 0,
                last: shared.last,
            },
            probing: 0,
            split: None,
            stopped: false,
            new_boards: 0,
            told: 0,
            ask_at: 0,
        }
    }

    /// Looks whether to go on; says so in [`Tree::stopped`].
    #[inline(always)]
    pub(super) fn look_up(&mut self) {
        if self.exact.nodes >= self.ask_at {
            self.tell();
        }
        self.stopped =
            self.shared.watch.is_over() || self.split.as_ref().is_some_and(|split| split.is_over());
    }

    /// From now on the search may be ended, as soon as this thread looks up.
    pub(super) fn arm(&mut self) {
        self.shared.watch.arm();
        self.ask_at = 0;
    }

    /// Tells the watch of all nodes.
    fn tell(&mut self) {
        let nodes = self.exact.nodes;
        self.ask_at = nodes + self.shared.watch.look(nodes - self.told);
        self.told = nodes;
    }

    /// Stores in the table what was found of `board`.
    #[inline(always)]
    pub(super) fn store<I: Recursion>(&mut self, isa: I, hash: u64, board: Board, found: Entry) {
        self.new_boards += usize::from(self.shared.table.store(hash, board, found));
        if self.new_boards == NEW_BOARDS {
            self.shared
                .table
                .note(isa, std::mem::take(&mut self.new_boards));
        }
    }

    /// Tells the watch and the table of all that they do not know yet: this thread's search has ended.
    pub(super) fn finish<I: Recursion>(&mut self, isa: I) {
        self.tell();
        self.shared
            .table
            .note(isa, std::mem::take(&mut self.new_boards));
    }

    /// Nodes of all threads, those of others as far as they told.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.watch.nodes() + self.exact.nodes - self.told
    }
}
