//! Parallel search by young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger,
//! "Distributed game tree search", 1989).
//!
//! A null-window node whose first move did not fail high usually has to search all its moves. Its thread offers them to
//! idle threads and searches them, too. The first move that fails high ends the searches of the others. When no move is
//! left, a thread helps with nodes that the busy threads have split in turn. Idle threads sleep.
//!
//! Lazy SMP, where all threads search the whole tree and share only the table, searches more nodes
//! (docs/lab/speed.md).

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
        member.work(|| {
            while let Some(stolen) = member.wait(None) {
                search_stolen(isa, worker, member, stolen);
            }
        });
    }
    worker.finish(isa);
}

/// Searches the moves of a node together with idle threads, and returns the best move. `best` is the best of its moves
/// that were searched before.
pub(super) fn share<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    task: SplitTask,
    best: ScoredMove,
    unsearched: UnsearchedMoves,
) -> ScoredMove {
    let before = worker.subtree_nodes();
    let split = member.open(worker.split.clone(), task, best, unsearched);
    let outer = worker.replace_split(Some(split.clone()));
    while let Some(unsearched) = member.take_own(&split) {
        search_move(isa, worker, member, &split, unsearched);
    }
    while let Some(stolen) = member.wait(Some(&split)) {
        search_stolen(isa, worker, member, stolen);
    }
    worker.replace_split(outer);
    // A split above this one may have been refuted meanwhile. Then this result is not needed.
    worker.poll_stop();
    let (best, nodes) = split.result();
    worker.set_subtree_nodes(before.wrapping_add(nodes));
    best
}

/// Searches a move of another thread's split.
fn search_stolen<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    StolenMove { split, unsearched }: StolenMove,
) {
    let stop = &worker.shared.stop;
    if split.is_over() || stop.is_over() {
        return member.finish_move(&split, stop, None, 0);
    }
    let nodes_before = worker.subtree_nodes();
    let outer = worker.replace_split(Some(split.clone()));
    let outer_nesting = std::mem::replace(&mut worker.probcut_nesting, split.task.probcut_nesting);
    search_move(isa, worker, member, &split, unsearched);
    worker.probcut_nesting = outer_nesting;
    worker.replace_split(outer);
    // The nodes of this move count for its split, not for the node at which this thread waits.
    worker.set_subtree_nodes(nodes_before);
}

/// Searches a move taken from `split`.
fn search_move<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    member: Member<'_>,
    split: &Arc<Split>,
    (square, board): UnsearchedMove,
) {
    let before = worker.subtree_nodes();
    worker.endgame.nodes += 1;
    // Splits are searched by all moves if they fail low, as they probably do, and then their children fail high.
    worker.expects_fail_low = false;
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
    // Endgame nodes do not poll.
    member.clock.count(member.thread, worker.nodes());
    let nodes = worker.subtree_nodes().wrapping_sub(before);
    member.finish_move(split, stop, result, nodes);
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
            self.member.finish_move(self.split, self.stop, None, 0);
        }
    }
}
