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
use super::pool::{Member, StolenMove};
use super::recursion::SearchRecursion;
use super::split::{ScoredMove, Split, SplitTask, UnsearchedMove, UnsearchedMoves};
use super::stop::StopControl;
use super::window::Window;
use super::worker::Worker;
use crate::eval::Evaluator;

/// Searches moves of other threads until the search ends.
pub(super) fn help<I: SearchRecursion, E: Evaluator<I>>(isa: I, worker: &mut Worker<'_, E>) {
    if let Some(member) = worker.member() {
        while let Some(stolen) = member.wait(None) {
            search_stolen(isa, worker, member, stolen);
        }
    }
    worker.finish(isa);
}

/// Searches the moves of a node together with idle threads. `best` is the best of its moves that were searched before.
/// Returns the best move and the number of nodes that other
/// threads searched.
pub(super) fn share<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    task: SplitTask,
    best: ScoredMove,
    unsearched: UnsearchedMoves,
) -> (ScoredMove, u64) {
    let before = worker.nodes();
    let split = member.open(worker.split.clone(), task, best, unsearched);
    let outer = worker.enter_split(Some(split.clone()));
    while let Some(unsearched) = member.take_own(&split) {
        search_move(isa, worker, member, &split, unsearched);
    }
    while let Some(stolen) = member.wait(Some(&split)) {
        search_stolen(isa, worker, member, stolen);
    }
    // A split above this one may have ended, too.
    worker.enter_split(outer);
    worker.poll_stop();
    let (best, nodes) = split.result();
    let own_nodes = worker.nodes() - before;
    (best, nodes.saturating_sub(own_nodes))
}

/// Searches a move of another thread's split.
fn search_stolen<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    StolenMove { split, unsearched }: StolenMove,
) {
    let outer = worker.enter_split(Some(split.clone()));
    let outer_nesting = std::mem::replace(&mut worker.probcut_nesting, split.task.probcut_nesting);
    search_move(isa, worker, member, &split, unsearched);
    worker.probcut_nesting = outer_nesting;
    worker.enter_split(outer);
}

/// Searches a move taken from `split`.
fn search_move<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    split: &Arc<Split>,
    (square, board): UnsearchedMove,
) {
    let before = worker.nodes();
    worker.endgame.nodes += 1;
    worker.history.enter(board.empty_count(), square);
    let eval = &EvalState::new(worker.shared.evaluator.set(isa, board));
    let stop = &worker.shared.stop;
    let _guard = PanicGuard {
        member,
        split,
        stop,
    };
    let score = -midgame::score(
        isa,
        worker,
        Position { board, eval },
        split.task.depth,
        Window::null(split.task.alpha).for_opponent(),
        &mut (),
    );
    let is_stopped = worker.take_stopped();
    let result = (!is_stopped).then_some((score, square.into()));
    member.give_back(split, stop, result, worker.nodes() - before);
}

/// Finishes a move whose search panicked, and ends the whole search. Otherwise other threads would wait for the move
/// for ever.
struct PanicGuard<'a> {
    member: Member<'a>,
    split: &'a Split,
    stop: &'a StopControl<'a>,
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.end();
            self.member.give_back(self.split, self.stop, None, 0);
        }
    }
}
