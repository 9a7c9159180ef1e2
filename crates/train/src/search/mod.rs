//! Search of the trainer: minimax values at a fixed depth, with an evaluation at the leaves.
//!
//! Values are in 1/128 disc, finer than the whole discs of [`Engine`]. They must not depend on the order of positions
//! or the number of threads. Therefore a node uses only table entries of exactly its depth, while the engine also uses
//! deeper ones.
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

/// Size in MiB at which the tables of a searcher fit the caches.
pub(crate) const CACHED_MIB: usize = 2;

/// Bound above all values.
const INFINITE: i32 = 65 * DISC;

/// Half the width of the aspiration window around the value of the previous iteration. Tuned by node counts
/// at depth 10.
const ASPIRATION: i32 = 3 * DISC;

/// Result of [`FixedDepthSearcher::search`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedDepthResult {
    /// Value in 1/128 disc from the mover's side. An exact score is a multiple of 128.
    pub value: i32,
    /// Best move; `None` if the mover has to pass or the game is over.
    pub best: Ply,
    /// Number of boards reached by moves.
    pub nodes: u64,
}

/// Fixed-depth searcher for one thread, at one instruction-set level.
pub struct FixedDepthSearcher {
    token: Token,
    evaluation: Arc<Evaluation>,
    table: FixedDepthTable,
    solver: Engine,
    stop: StopHandle,
}

impl FixedDepthSearcher {
    /// Creates a searcher with two tables of `hash_mib` MiB (1 or more): one for the middle of the game, one for
    /// its end. `stop` ends its searches.
    pub fn new(
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

pub(crate) struct SearchState<'a, E> {
    evaluator: &'a E,
    table: &'a mut FixedDepthTable,
    stop: &'a StopHandle,
    stopped: bool,
    nodes: u64,
    /// Best move of the node searched last, which is the root at the end.
    best: Ply,
}

/// Searches by iterative deepening in steps of two plies. The same side is then to move at the leaves of all
/// iterations, so their values are close.
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
