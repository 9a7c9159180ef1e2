//! The trainer's search: the value of a position at a fixed depth, with an evaluation at the leaves.
//!
//! Training needs other values than [`Engine`] returns. They are in 1/128 disc, while the engine has whole discs in its
//! table and its null windows. They are minimax values of exactly one depth, while the engine also uses entries of
//! deeper searches. So labels depend neither on the order of positions nor on the number of threads.
//!
//! The search is a plain principal variation search with a small table. There are no selective cuts, and a
//! pass is not a ply. Positions with no more empty squares than the depth are solved by the engine.

mod node;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use outflank::eval::{DISC, Evaluation, Evaluator, with_evaluator};
use outflank::search::{EngineError, SearchError, StopHandle};
use outflank::{Board, Engine, Ply};
use outflank_kernels::{Isa, Token, with_isa};

use node::{ValueRecursion, search_node};
use table::FixedDepthTable;

/// Above every value.
const INFINITE: i32 = 65 * DISC;

/// Half the width of the aspiration window around the value of the previous iteration. Tuned by node counts
/// at depth 10.
const ASPIRATION: i32 = 3 * DISC;

/// The result of [`FixedDepthSearcher::search`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedDepthResult {
    /// The value in 1/128 disc from the mover's side. An exact score is a multiple of 128.
    pub value: i32,
    /// The best move; `None` if the mover has to pass or the game is over.
    pub best: Ply,
    /// Boards reached by a move.
    pub nodes: u64,
}

/// A fixed-depth searcher for one thread, at one instruction-set level.
pub struct FixedDepthSearcher {
    token: Token,
    evaluation: Arc<Evaluation>,
    table: FixedDepthTable,
    solver: Engine,
    stop: StopHandle,
}

impl FixedDepthSearcher {
    /// Creates a searcher with two tables of `hash_mib` MiB (1 or more): one for the middle of the game, one for
    /// its end.
    pub fn new(
        isa: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
    ) -> Result<FixedDepthSearcher, EngineError> {
        FixedDepthSearcher::with_stop(isa, hash_mib, evaluation, StopHandle::default())
    }

    /// Creates a searcher that shares its stop handle with others.
    pub fn with_stop(
        isa: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
        stop: StopHandle,
    ) -> Result<FixedDepthSearcher, EngineError> {
        let solver = Engine::builder()
            .isa(isa)
            .hash_mib(hash_mib)
            .evaluation(evaluation.clone())
            .stop_handle(stop.clone());
        Ok(FixedDepthSearcher {
            token: isa.token()?,
            evaluation,
            table: FixedDepthTable::new(hash_mib),
            solver: solver.build()?,
            stop,
        })
    }

    /// A handle that stops this searcher.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Clears both tables. Node counts and the choice between equal moves are then those of a new searcher.
    /// Values never depend on earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// Searches `board` to `depth` plies. With `depth` or fewer empty squares the value is the exact score. At depth
    /// 0 it is the static value, without a best move.
    pub fn search(&mut self, board: Board, depth: u32) -> Result<FixedDepthResult, SearchError> {
        if board.empty_count() <= depth {
            let solution = self.solver.solve(board)?;
            return Ok(FixedDepthResult {
                value: solution.score * DISC,
                best: solution.best(),
                nodes: solution.nodes,
            });
        }
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SearchError::Overlap { squares });
        }
        with_evaluator!(&self.evaluation, evaluator => {
            let mut search = SearchState {
                evaluator,
                table: &mut self.table,
                stop: &self.stop,
                stopped: self.stop.is_stopped(),
                nodes: 0,
                best: None,
            };
            let value = with_isa!(self.token, isa => deepen(isa, &mut search, board, depth));
            if search.stopped {
                return Err(SearchError::Stopped);
            }
            Ok(FixedDepthResult {
                value,
                best: search.best,
                nodes: search.nodes,
            })
        })
    }
}

/// The state of one search.
pub(crate) struct SearchState<'a, E> {
    evaluator: &'a E,
    table: &'a mut FixedDepthTable,
    stop: &'a StopHandle,
    stopped: bool,
    nodes: u64,
    /// The best move of the node that was searched last. At the end this is the root.
    best: Ply,
}

/// Searches by iterative deepening in steps of two plies. The same side is then to move at all leaves, so that the
/// values of successive iterations resemble each other.
fn deepen<I: ValueRecursion, E: Evaluator<I>>(
    isa: I,
    search: &mut SearchState<'_, E>,
    board: Board,
    depth: u32,
) -> i32 {
    let state = search.evaluator.set(isa, board);
    if depth == 0 {
        return search.evaluator.value(isa, &state, board);
    }
    let first = 2 - depth % 2;
    let mut value = search_node(isa, search, board, &state, first, -INFINITE, INFINITE);
    for depth in (first + 2..=depth).step_by(2) {
        let (mut alpha, mut beta) = (value - ASPIRATION, value + ASPIRATION);
        loop {
            value = search_node(isa, search, board, &state, depth, alpha, beta);
            if search.stopped {
                return value;
            }
            if value <= alpha && alpha > -INFINITE {
                alpha = -INFINITE;
            } else if value >= beta && beta < INFINITE {
                beta = INFINITE;
            } else {
                break;
            }
        }
    }
    value
}
