//! Several threads on one tree: young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger,
//! "Distributed game tree search", 1989).
//!
//! A null-window node whose first move did not fail high usually has to search all its moves. It offers them
//! to idle threads and searches them, too. The first move that fails high ends the others. A thread that has
//! finished its share helps with the nodes that the busy ones share in turn. Idle threads sleep.
//!
//! Little is searched that one thread alone would not have searched next, which is why this was chosen
//! over threads that all search the same tree and meet in the table (docs/lab/threads.md compares them).

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::evaluated::Evaluated;
use super::node::Null;
use super::ordering::MAX_MOVES;
use super::pool::{Offer, Pool, Split};
use super::recursion::Recursion;
use super::thread::Tree;
use super::tree;
use super::watch::Watch;
use crate::eval::Evaluator;
use crate::table::{Draft, NO_MOVE};

/// Helps with every split that is offered, until the search ends.
pub(super) fn help<I: Recursion, E: Evaluator<I>>(isa: I, tree: &mut Tree<'_, E>, pool: &Pool) {
    while let Some(split) = pool.wait(None) {
        work(isa, tree, pool, &split);
    }
    tree.finish(isa);
}

/// Searches moves of `split` until none is left.
fn work<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    pool: &Pool,
    split: &Arc<Split>,
) {
    let outer = tree.split.replace(split.clone());
    let probing = std::mem::replace(&mut tree.probing, split.probing);
    while let Some((square, board)) = pool.take(split) {
        let before = tree.exact.nodes;
        tree.exact.nodes += 1;
        tree.history.enter(board.empty_count(), square);
        let state = Evaluated::new(tree.shared.evaluator.set(isa, board));
        let window = (!split.alpha, -split.alpha);
        let _unless_given = Unwinding {
            pool,
            split,
            watch: &tree.shared.watch,
        };
        let score =
            -tree::score::<I, E, Null>(isa, tree, board, &state, split.draft, window, &mut ());
        let found = (!std::mem::take(&mut tree.stopped)).then_some(score);
        pool.give(split, square, found, tree.exact.nodes - before);
    }
    tree.split = outer;
    tree.probing = probing;
}

/// Returns a move whose search panicked, and ends the whole search: other threads would wait for it for ever.
struct Unwinding<'a> {
    pool: &'a Pool,
    split: &'a Split,
    watch: &'a Watch<'a>,
}

impl Drop for Unwinding<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.watch.end();
            self.pool.give(self.split, NO_MOVE, None, 0);
        }
    }
}

/// Searches the moves `offers`, from the last on, with idle threads, against the null window above `alpha`;
/// `draft` is that of the boards after them. The best of them and of `best`, and the nodes that other threads
/// searched.
pub(super) fn share<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    pool: &Pool,
    offers: ArrayVec<Offer, MAX_MOVES>,
    draft: Draft,
    alpha: i32,
    best: (i32, u8),
) -> ((i32, u8), u64) {
    let parent = tree.split.clone();
    let split = Split::new(parent, offers, draft, alpha, tree.probing, best);
    let before = tree.exact.nodes;
    pool.offer(&split);
    work(isa, tree, pool, &split);
    while let Some(other) = pool.wait(Some(&split)) {
        work(isa, tree, pool, &other);
    }
    // What ended this split may have ended one above it, too.
    tree.poll_stop();
    let (best, nodes) = split.result();
    let own = tree.exact.nodes - before;
    (best, nodes.saturating_sub(own))
}
