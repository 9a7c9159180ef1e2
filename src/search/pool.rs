//! The pool through which threads of one search share the moves of nodes. `parallel` searches them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;

use super::ordering::MAX_MOVES;
use crate::board::Board;
use crate::square::Square;
use crate::table::{OptionalSquare, SearchDepth};

/// The minimum depth of a shared node in a search to the end of the game.
const MIN_SOLVE_PLIES: u8 = 14;

/// The minimum depth of a shared node in other searches.
const MIN_PLIES: u8 = 8;

/// Returns `true` if a node of this depth with `empties` empty squares is worth sharing.
#[inline(always)]
pub(super) fn can_split(depth: SearchDepth, empties: u32) -> bool {
    let to_end = u32::from(depth.plies) >= empties;
    depth.plies >= if to_end { MIN_SOLVE_PLIES } else { MIN_PLIES }
}

/// A move whose search no thread has begun, and the board after it.
pub(super) type UnsearchedMove = (Square, Board);

/// A score and its move.
pub(super) type ScoredMove = (i32, OptionalSquare);

/// A node whose moves several threads search.
pub(crate) struct Split {
    /// The nearest shared node above this one.
    pub(super) parent: Option<Arc<Split>>,
    /// The depth of the children.
    pub(super) depth: SearchDepth,
    /// The lower end of the node's null window.
    pub(super) alpha: i32,
    /// The number of nested probcut searches that the node is in.
    pub(super) probcut_nesting: u32,
    /// `true` once a move has failed high.
    pub(super) refuted: AtomicBool,
    pub(super) state: Mutex<SplitState>,
}

/// The progress of a split. It changes only under the pool's lock.
pub(super) struct SplitState {
    /// The moves that no thread has begun, the best last.
    pub(super) unsearched: ArrayVec<UnsearchedMove, MAX_MOVES>,
    /// The number of threads that search one of the moves.
    pub(super) busy: usize,
    /// The best of all searched moves, those before the split included.
    pub(super) best: ScoredMove,
    /// Nodes that all threads searched for this split.
    pub(super) nodes: u64,
}

impl Split {
    /// The best move, and the nodes that all threads searched for this split.
    pub(super) fn result(&self) -> (ScoredMove, u64) {
        let state = self.state();
        (state.best, state.nodes)
    }

    /// This split and all splits above it.
    fn chain(&self) -> impl Iterator<Item = &Split> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Returns `true` if the result of this split is no longer needed.
    pub(super) fn is_over(&self) -> bool {
        self.chain().any(|split| split.refuted.load(Relaxed))
    }

    fn is_below(&self, other: &Arc<Split>) -> bool {
        let mut above = self.chain().skip(1);
        above.any(|split| std::ptr::eq(split, &**other))
    }

    fn state(&self) -> MutexGuard<'_, SplitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The splits that the threads of a search offer each other.
#[derive(Default)]
pub(crate) struct Pool {
    state: Mutex<PoolState>,
    changed: Condvar,
    /// The number of waiting threads.
    idle: AtomicUsize,
}

#[derive(Default)]
struct PoolState {
    /// The splits with moves that no thread has begun.
    splits: Vec<Arc<Split>>,
    /// `true` once the search has ended.
    over: bool,
}

impl Pool {
    /// Returns `true` if a thread waits for work.
    #[inline(always)]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Ends the search of all threads.
    pub(super) fn close(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn offer(&self, split: &Arc<Split>) {
        self.state().splits.push(split.clone());
        self.changed.notify_all();
    }

    /// Takes the next move of `split`; `None` if no move has to be searched any more.
    pub(super) fn take(&self, split: &Arc<Split>) -> Option<UnsearchedMove> {
        let mut pool = self.state();
        let mut state = split.state();
        if split.is_over() {
            state.unsearched.clear();
        }
        let next = state.unsearched.pop();
        state.busy += usize::from(next.is_some());
        if state.unsearched.is_empty() {
            pool.splits.retain(|other| !Arc::ptr_eq(other, split));
        }
        next
    }

    /// Finishes a move taken from `split`: adds the nodes of its search and its result, `None` if the search was
    /// stopped.
    pub(super) fn give_back(&self, split: &Split, result: Option<ScoredMove>, nodes: u64) {
        let _pool = self.state();
        let mut state = split.state();
        state.busy -= 1;
        state.nodes += nodes;
        if let Some(result) = result {
            if result.0 > state.best.0 {
                state.best = result;
            }
            if result.0 > split.alpha {
                split.refuted.store(true, Relaxed);
            }
        }
        if state.busy == 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for a split with moves to search. Returns `None` when the wait is over.
    ///
    /// With `awaited`, only splits below it are returned, and the wait is over once all moves of `awaited` are
    /// searched. Otherwise any split is returned, and the wait is over once the search has ended.
    pub(super) fn wait(&self, awaited: Option<&Arc<Split>>) -> Option<Arc<Split>> {
        let mut pool = self.state();
        loop {
            let ended = match awaited {
                Some(awaited) => awaited.state().busy == 0,
                None => pool.over,
            };
            if ended {
                return None;
            }
            // The largest subtree first.
            let helps = |split: &&Arc<Split>| awaited.is_none_or(|above| split.is_below(above));
            let splits = pool.splits.iter().filter(helps);
            if let Some(split) = splits.max_by_key(|split| split.depth.plies) {
                return Some(split.clone());
            }
            self.idle.fetch_add(1, Relaxed);
            let woken = self.changed.wait(pool);
            pool = woken.unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }
}
