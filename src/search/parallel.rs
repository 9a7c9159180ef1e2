//! Parallel search by young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger,
//! "Distributed game tree search", 1989).
//!
//! A null-window node whose first move did not fail high usually has to search all its moves. Its thread offers them to
//! idle threads and searches them, too. The first move that fails high ends the searches of the others. When no move is
//! left, a thread helps with nodes that the busy threads have split in turn. Idle threads sleep.
//!
//! The threads search few nodes that a single thread would not search. Lazy SMP, where all threads search the whole
//! tree and share only the table, searches more nodes (docs/lab/speed.md).

use std::sync::Arc;

use super::eval_state::{EvalState, Position};
use super::midgame;
use super::pool::{Pool, ScoredMove, Split};
use super::recursion::SearchRecursion;
use super::stop::StopControl;
use super::window::Window;
use super::worker::Worker;
use crate::eval::Evaluator;

/// Helps with every offered split until the search ends.
pub(super) fn help<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    pool: &Pool,
) {
    while let Some(split) = pool.wait(None) {
        search_split(isa, worker, pool, &split);
    }
    worker.finish(isa);
}

/// Searches moves of `split` until none is left.
fn search_split<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    pool: &Pool,
    split: &Arc<Split>,
) {
    let outer = worker.split.replace(split.clone());
    let probcut_nesting = std::mem::replace(&mut worker.probcut_nesting, split.probcut_nesting);
    while let Some((square, board)) = pool.take(split) {
        let before = worker.nodes();
        worker.endgame.nodes += 1;
        worker.history.enter(board.empty_count(), square);
        let eval = &EvalState::new(worker.shared.evaluator.set(isa, board));
        let _guard = PanicGuard {
            pool,
            split,
            stop: &worker.shared.stop,
        };
        let score = -midgame::score(
            isa,
            worker,
            Position { board, eval },
            split.depth,
            Window::null(split.alpha).for_opponent(),
            &mut (),
        );
        let result = (!std::mem::take(&mut worker.stopped)).then_some((score, square.into()));
        pool.give_back(split, result, worker.nodes() - before);
    }
    worker.split = outer;
    worker.probcut_nesting = probcut_nesting;
}

/// Finishes a move whose search panicked, and ends the whole search. Otherwise other threads would wait for the move
/// for ever.
struct PanicGuard<'a> {
    pool: &'a Pool,
    split: &'a Split,
    stop: &'a StopControl<'a>,
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.end();
            self.pool.give_back(self.split, None, 0);
        }
    }
}

/// Searches the moves of `split` together with idle threads. Returns the best move and the number of nodes that other
/// threads searched.
pub(super) fn share<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    pool: &Pool,
    split: &Arc<Split>,
) -> (ScoredMove, u64) {
    let before = worker.nodes();
    pool.offer(split);
    search_split(isa, worker, pool, split);
    while let Some(other) = pool.wait(Some(split)) {
        search_split(isa, worker, pool, &other);
    }
    // A split above this one may have ended, too.
    worker.poll_stop();
    let (best, nodes) = split.result();
    let own_nodes = worker.nodes() - before;
    (best, nodes.saturating_sub(own_nodes))
}
