//! Splits: nodes whose moves several threads may search. `pool` passes the moves to threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;

use super::local_table::MAX_LOCAL_EMPTIES;
use super::ordering::MAX_MOVES;
use crate::board::Board;
use crate::square::Square;
use crate::table::{OptionalSquare, SearchDepth};

/// The nodes that are shared.
///
/// Splits cost a few per cent of the time at 13 plies to the end, and half as much with each ply more. Few threads on a
/// large search find enough work in fewer and larger subtrees.
#[derive(Clone, Copy)]
pub(super) struct SplitPolicy {
    /// The minimum depth in searches to the end of the game.
    to_end: u8,
    /// `true` if selective searches share nodes that probably fail low before their first move is searched. This searches
    /// more nodes, which only pays if many threads would wait.
    pub(super) before_first: bool,
}

impl SplitPolicy {
    /// The minimum depth in searches that do not go to the end.
    const NOT_TO_END: u8 = 6;

    /// The minimum depth in searches to the end with many threads. Shallower nodes have no evaluation and do not poll.
    const TO_END: u32 = MAX_LOCAL_EMPTIES + 1;

    /// The plies added to [`Self::TO_END`] for one thread; one less for each doubling of the threads.
    const ADDED_WITH_ONE_THREAD: u32 = 4;

    /// The plies below the root of a small board in which nodes are shared with any number of threads, if they are deep
    /// enough for many threads.
    const ROOT_PLIES: u32 = 7;

    /// The policy for `threads` threads that search a board with `empties` empty squares.
    pub(super) fn new(threads: usize, empties: u32) -> SplitPolicy {
        let added = Self::ADDED_WITH_ONE_THREAD.saturating_sub(threads.ilog2());
        let for_board = empties.saturating_sub(Self::ROOT_PLIES);
        SplitPolicy {
            before_first: threads > 4,
            to_end: (Self::TO_END + added).min(for_board).max(Self::TO_END) as u8,
        }
    }

    /// Returns `true` if a node of this depth with `empties` empty squares is worth sharing.
    #[inline(always)]
    pub(super) fn allow(self, depth: SearchDepth, empties: u32) -> bool {
        let is_to_end = u32::from(depth.plies) >= empties;
        depth.plies
            >= match is_to_end {
                true => self.to_end,
                false => Self::NOT_TO_END,
            }
    }
}

/// A move whose search no thread has begun, and the board after it.
pub(super) type UnsearchedMove = (Square, Board);

/// The moves that no thread has begun, the best last.
pub(super) type UnsearchedMoves = ArrayVec<UnsearchedMove, MAX_MOVES>;

/// A score and its move.
pub(super) type ScoredMove = (i32, OptionalSquare);

/// A node whose moves several threads may search.
pub(crate) struct Split {
    /// The nearest split above this one.
    parent: Option<Arc<Split>>,
    /// The thread that opened the split.
    pub(super) owner: usize,
    pub(super) task: SplitTask,
    /// `true` once a move has failed high.
    refuted: AtomicBool,
    /// The number of threads that search one of the moves.
    busy: AtomicUsize,
    progress: Mutex<SplitProgress>,
}

/// The search of a split's moves.
#[derive(Clone, Copy)]
pub(super) struct SplitTask {
    /// The depth of the children.
    pub(super) depth: SearchDepth,
    /// The lower end of the node's null window.
    pub(super) alpha: i32,
    /// The number of nested probcut searches that the node is in.
    pub(super) probcut_nesting: u32,
}

/// The results of a split's moves.
struct SplitProgress {
    /// The best of all searched moves, those before the split included.
    best: ScoredMove,
    /// The nodes of all moves, searched by any thread.
    nodes: u64,
}

impl Split {
    /// A split that `owner` opens below `parent`. `best` is the best of the moves that were searched before.
    pub(super) fn new(
        parent: Option<Arc<Split>>,
        owner: usize,
        task: SplitTask,
        best: ScoredMove,
    ) -> Split {
        Split {
            parent,
            owner,
            task,
            refuted: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
            progress: Mutex::new(SplitProgress { best, nodes: 0 }),
        }
    }

    /// The depth of the node in plies.
    pub(super) fn depth(&self) -> u8 {
        self.task.depth.plies + 1
    }

    /// The best move, and the nodes of all moves, searched by any thread.
    pub(super) fn result(&self) -> (ScoredMove, u64) {
        let progress = self.progress();
        (progress.best, progress.nodes)
    }

    /// This split and all splits above it.
    fn chain(&self) -> impl Iterator<Item = &Split> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Returns `true` if this split or one above it is refuted, so that no more of its moves have to be searched.
    pub(super) fn is_over(&self) -> bool {
        let mut chain = self.chain();
        chain.any(|split| split.refuted.load(Ordering::Relaxed))
    }

    /// Adds the result of a move, `None` if its search was stopped. Returns `true` if it is the first to fail high.
    pub(super) fn add_result(&self, result: Option<ScoredMove>, nodes: u64) -> bool {
        let mut progress = self.progress();
        progress.nodes += nodes;
        let Some(result) = result else {
            return false;
        };
        if result.0 > progress.best.0 {
            progress.best = result;
        }
        result.0 > self.task.alpha && !self.refuted.swap(true, Ordering::Relaxed)
    }

    /// Returns `true` if this split is in the subtree of `other`.
    pub(super) fn is_below(&self, other: &Arc<Split>) -> bool {
        let mut above = self.chain().skip(1);
        above.any(|split| std::ptr::eq(split, &**other))
    }

    /// Counts a thread that begins to search a move.
    pub(super) fn begin_move(&self) {
        self.busy.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a thread that has ended the search of a move. Returns `true` if no other thread still searches one.
    pub(super) fn end_move(&self) -> bool {
        // An owner that loads 0 sees all results. In the single order of these operations, either the owner loads 0
        // after it has listed itself as a sleeper, or this thread then sees a sleeper.
        self.busy.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// The number of threads that search one of the moves.
    pub(super) fn busy(&self) -> usize {
        self.busy.load(Ordering::SeqCst)
    }

    fn progress(&self) -> MutexGuard<'_, SplitProgress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
