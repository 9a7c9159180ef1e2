//! The pool in which threads of one search offer each other moves, and the nodes that they share.
//! `parallel` has the search.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;

use super::ordering::MAX_MOVES;
use crate::board::Board;
use crate::table::Draft;

/// The minimum depth of a node whose moves are shared: of a search to the end of the game, and of others.
const MIN_TO_END: u8 = 14;
const MIN_DEPTH: u8 = 8;

/// Whether a node of `draft` with `empties` empties is worth being shared.
#[inline(always)]
pub(super) fn is_worth(draft: Draft, empties: u32) -> bool {
    let to_end = u32::from(draft.depth) >= empties;
    draft.depth >= if to_end { MIN_TO_END } else { MIN_DEPTH }
}

/// A move that no thread has begun: its square, and the board after it.
pub(super) type Offer = (u8, Board);

/// A node whose moves several threads search.
pub(crate) struct Split {
    /// The nearest node above it that is shared, too.
    parent: Option<Arc<Split>>,
    /// The draft of its children.
    pub(super) draft: Draft,
    /// The null window is the one above `alpha`.
    pub(super) alpha: i32,
    /// How many shallow searches for selective cuts it is inside.
    pub(super) probing: u32,
    /// Whether a move failed high.
    refuted: AtomicBool,
    state: Mutex<State>,
}

/// The progress of a split. It changes only while the pool's lock is held.
struct State {
    /// The moves that no thread has begun, in ascending order of their order scores.
    offers: ArrayVec<Offer, MAX_MOVES>,
    /// The number of threads that search one of its moves.
    busy: usize,
    best: (i32, u8),
    nodes: u64,
}

impl Split {
    /// A split inside `parent`, of which no move has been begun. `best` are the score and the square of the
    /// best move so far.
    pub(super) fn new(
        parent: Option<Arc<Split>>,
        offers: ArrayVec<Offer, MAX_MOVES>,
        draft: Draft,
        alpha: i32,
        probing: u32,
        best: (i32, u8),
    ) -> Arc<Split> {
        Arc::new(Split {
            parent,
            draft,
            alpha,
            probing,
            refuted: AtomicBool::new(false),
            state: Mutex::new(State {
                offers,
                busy: 0,
                best,
                nodes: 0,
            }),
        })
    }

    /// The best score and square, and the nodes that all threads searched.
    pub(super) fn result(&self) -> ((i32, u8), u64) {
        let state = self.state();
        (state.best, state.nodes)
    }

    /// Whether a result of it is no longer needed.
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

/// Where the threads of a search offer each other moves.
#[derive(Default)]
pub(crate) struct Pool {
    offered: Mutex<Offered>,
    changed: Condvar,
    /// The number of threads that wait.
    idle: AtomicUsize,
}

#[derive(Default)]
struct Offered {
    /// The splits with moves that no thread has begun.
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

    /// Ends the search of all threads.
    pub(super) fn close(&self) {
        self.offered().over = true;
        self.changed.notify_all();
    }

    fn offered(&self) -> MutexGuard<'_, Offered> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn offer(&self, split: &Arc<Split>) {
        self.offered().splits.push(split.clone());
        self.changed.notify_all();
    }

    /// The next move of `split`, if there is one that still has to be searched.
    pub(super) fn take(&self, split: &Arc<Split>) -> Option<Offer> {
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

    /// Returns the score of a move of `split`, or `None` where its search was ended, and the nodes it took.
    pub(super) fn give(&self, split: &Split, square: u8, score: Option<i32>, nodes: u64) {
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

    /// Waits for a split to help with. With `own`, only splits below it, until all its moves are searched;
    /// without, any split, until the search ends. `None` once there is nothing more to wait for.
    pub(super) fn wait(&self, own: Option<&Arc<Split>>) -> Option<Arc<Split>> {
        let mut offered = self.offered();
        loop {
            let ended = match own {
                Some(own) => own.state().busy == 0,
                None => offered.over,
            };
            if ended {
                return None;
            }
            // The largest subtree first.
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
