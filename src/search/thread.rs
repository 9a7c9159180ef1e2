//! What the threads of a search have in common, and what each has for itself.

use std::sync::Arc;

use super::endgame;
use super::local::Local;
use super::parallel::{Pool, Split};
use super::selective::Margins;
use super::variants::LastEmpties;
use super::watch::Watch;
use crate::table::Table;

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
    pub(super) fn tell(&mut self) {
        let nodes = self.exact.nodes;
        self.ask_at = nodes + self.shared.watch.look(nodes - self.told);
        self.told = nodes;
    }

    /// Nodes of all threads, those of others as far as they told.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.watch.nodes() + self.exact.nodes - self.told
    }
}
