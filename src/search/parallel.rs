//! Several threads on one tree: young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger,
//! "Distributed game tree search", 1989).
//!
//! A node that asks a null window, and whose first move did not refute it, mostly has to search all its
//! moves: it offers them to threads that have nothing to do, and takes part itself. The first of them
//! that refutes the window ends the others. A thread that is through with its part helps with what
//! those still at work offer in their turn. Threads without work sleep.
//!
//! Little is searched that one thread alone would not have searched next, which is why this was chosen
//! over threads that all search the same tree and meet in the table (docs/lab/threads.md has both).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;

use super::node::Null;
use super::ordering::MAX_MOVES;
use super::recursion::Recursion;
use super::thread::Tree;
use super::tree;
use super::watch::Watch;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::{Draft, NO_MOVE};

/// The fewest plies that are worth being shared, to the end of the game or not.
const MIN_TO_END: u8 = 14;
const MIN_DEPTH: u8 = 8;

/// Whether a node of `draft` with `empties` empties is worth being shared.
#[inline(always)]
pub(super) fn is_worth(draft: Draft, empties: u32) -> bool {
    let to_end = u32::from(draft.depth) >= empties;
    draft.depth >= if to_end { MIN_TO_END } else { MIN_DEPTH }
}

/// A move that nobody has begun yet: its square, and the board after it.
pub(super) type Offer = (u8, Board);

/// A node whose moves several threads search.
pub(crate) struct Split {
    /// The node above it that was shared, too.
    parent: Option<Arc<Split>>,
    /// That of its children.
    draft: Draft,
    alpha: i32,
    probing: u32,
    /// Whether a move refuted its window.
    refuted: AtomicBool,
    state: Mutex<State>,
}

/// How far a split is. Only changed by who holds the pool's lock.
struct State {
    /// The most promising last.
    offers: ArrayVec<Offer, MAX_MOVES>,
    /// Threads that search one of its moves.
    busy: usize,
    best: (i32, u8),
    nodes: u64,
}

impl Split {
    /// Whether nothing that is found below it matters any more.
    pub(super) fn is_over(&self) -> bool {
        let mut split = Some(self);
        while let Some(one) = split {
            if one.refuted.load(Relaxed) {
                return true;
            }
            split = one.parent.as_deref();
        }
        false
    }

    fn is_below(&self, other: &Arc<Split>) -> bool {
        let mut split = self.parent.as_ref();
        while let Some(one) = split {
            if Arc::ptr_eq(one, other) {
                return true;
            }
            split = one.parent.as_ref();
        }
        false
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The threads of a search, and what they offer each other.
#[derive(Default)]
pub(crate) struct Pool {
    offered: Mutex<Offered>,
    changed: Condvar,
    /// Threads that wait.
    idle: AtomicUsize,
}

#[derive(Default)]
struct Offered {
    /// Those with moves that nobody has begun.
    splits: Vec<Arc<Split>>,
    /// Whether the search has ended.
    over: bool,
}

impl Pool {
    /// Whether a thread waits for work.
    #[inline(always)]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Sends all threads home.
    pub(super) fn close(&self) {
        self.offered().over = true;
        self.changed.notify_all();
    }

    fn offered(&self) -> MutexGuard<'_, Offered> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offer(&self, split: &Arc<Split>) {
        self.offered().splits.push(split.clone());
        self.changed.notify_all();
    }

    /// The next move of `split`, if there is one that still matters.
    fn take(&self, split: &Arc<Split>) -> Option<Offer> {
        let mut offered = self.offered();
        let mut state = split.state();
        if split.is_over() {
            state.offers.clear();
        }
        let offer = state.offers.pop();
        state.busy += usize::from(offer.is_some());
        if state.offers.is_empty() {
            offered.splits.retain(|other| !Arc::ptr_eq(other, split));
        }
        offer
    }

    /// Gives back what `nodes` nodes found of a move of `split`: its score, or that it no longer matters.
    fn give(&self, split: &Split, square: u8, score: Option<i32>, nodes: u64) {
        let _offered = self.offered();
        let mut state = split.state();
        state.busy -= 1;
        state.nodes += nodes;
        if let Some(score) = score {
            if score > state.best.0 {
                state.best = (score, square);
            }
            if score > split.alpha {
                split.refuted.store(true, Relaxed);
            }
        }
        if state.busy == 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for a split to take part in: any, or one below `own`, as long as moves of that one are
    /// searched. `None` where there is nothing more to wait for.
    fn wait(&self, own: Option<&Arc<Split>>) -> Option<Arc<Split>> {
        let mut offered = self.offered();
        loop {
            let ended = match own {
                Some(own) => own.state().busy == 0,
                None => offered.over,
            };
            if ended {
                return None;
            }
            // The largest part of the tree first.
            let split = offered
                .splits
                .iter()
                .filter(|split| own.is_none_or(|own| split.is_below(own)))
                .max_by_key(|split| split.draft.depth);
            if let Some(split) = split {
                return Some(split.clone());
            }
            self.idle.fetch_add(1, Relaxed);
            offered = self
                .changed
                .wait(offered)
                .unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }
}

/// Takes part in whatever is offered, until the search has ended.
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
        let state = tree.shared.evaluator.set(isa, board);
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

/// Gives back a move whose search panicked, and ends the whole search: others would wait for it for ever.
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

/// The best of `best` and the moves `offers` (the most promising last), against the null window above
/// `alpha`, with `draft` for the boards after them; and the nodes that other threads searched.
pub(super) fn share<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    pool: &Pool,
    offers: ArrayVec<Offer, MAX_MOVES>,
    draft: Draft,
    alpha: i32,
    best: (i32, u8),
) -> ((i32, u8), u64) {
    let split = Arc::new(Split {
        parent: tree.split.clone(),
        draft,
        alpha,
        probing: tree.probing,
        refuted: AtomicBool::new(false),
        state: Mutex::new(State {
            offers,
            busy: 0,
            best,
            nodes: 0,
        }),
    });
    let before = tree.exact.nodes;
    pool.offer(&split);
    work(isa, tree, pool, &split);
    while let Some(other) = pool.wait(Some(&split)) {
        work(isa, tree, pool, &other);
    }
    // What ended this split may have ended a node above it, too.
    tree.look_up();
    let state = split.state();
    let own = tree.exact.nodes - before;
    (state.best, state.nodes.saturating_sub(own))
}
