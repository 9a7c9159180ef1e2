//! The trainer's search: the value of a position by a search of some plies with an evaluation at its leaves.
//!
//! It is not the engine's search (`tree`), because training needs other values:
//!
//! - in 1/128 disc: the engine's scores are whole discs, in its table and in its null windows;
//! - the minimax value of exactly its depth, whatever was searched before, so that labels do not depend on the
//!   order of positions or the number of threads: the engine also uses entries of deeper searches.
//!
//! So it is a plain principal variation search with a small table of its own. Nothing is selective, and a pass
//! is not a ply. Where the end of the game is in reach, it asks the engine.

mod memory;
mod node;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use outflank_kernels::{Isa, Token, with_isa};

use super::engine::Engine;
use super::error::{EngineError, SearchError};
use super::stop::StopHandle;
use crate::board::Board;
use crate::eval::{DISC, Evaluation, Evaluator, with_values};
use crate::square::{Ply, Square};
use crate::table::NO_MOVE;
use memory::Memory;
use node::{Recursion, search_node};

/// Above every value.
const INFINITE: i32 = 65 * DISC;

/// Half the width of the first window, around the value of the previous iteration. Chosen by the node counts
/// at depth 10.
const ASPIRATION: i32 = 3 * DISC;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The value in 1/128 disc from the mover's side; a multiple of 128 where it is the exact score.
    pub value: i32,
    /// The best move; `None` where the mover has to pass or the game is over.
    pub best: Ply,
    /// Boards reached by a move.
    pub nodes: u64,
}

/// Searches positions to a depth, one at a time, at one instruction-set level.
pub struct Midgame {
    token: Token,
    evaluation: Arc<Evaluation>,
    memory: Memory,
    solver: Engine,
    stop: StopHandle,
}

impl Midgame {
    /// A searcher at `isa` with a table of `hash_mib` MiB (1 or more) for the middle of the game, and
    /// another one for its end.
    pub fn new(
        isa: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
    ) -> Result<Midgame, EngineError> {
        Midgame::with_stop(isa, hash_mib, evaluation, StopHandle::default())
    }

    /// The same, stopped by a handle that may also stop others.
    pub fn with_stop(
        isa: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
        stop: StopHandle,
    ) -> Result<Midgame, EngineError> {
        let solver = Engine::builder()
            .isa(isa)
            .hash_mib(hash_mib)
            .evaluation(evaluation.clone())
            .stop_handle(stop.clone());
        Ok(Midgame {
            token: isa.token()?,
            evaluation,
            memory: Memory::new(hash_mib),
            solver: solver.build()?,
            stop,
        })
    }

    /// A handle that stops this searcher.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Forgets all earlier results: node counts, and the choice between equal moves, are then those of
    /// a new searcher. Values are the same without.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.solver.clear();
    }

    /// The value of `board` by a search of `depth` plies; the exact score where no more squares than
    /// that are empty, the static value without a best move where `depth` is 0.
    pub fn search(&mut self, board: Board, depth: u32) -> Result<Found, SearchError> {
        if board.empty_count() <= depth {
            let solution = self.solver.solve(board)?;
            return Ok(Found {
                value: solution.score * DISC,
                best: solution.best(),
                nodes: solution.nodes,
            });
        }
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SearchError::Overlap { squares });
        }
        with_values!(&self.evaluation.values, evaluator => {
            let mut search = Search {
                evaluator,
                memory: &mut self.memory,
                stop: self.stop.flag(),
                stopped: self.stop.is_stopped(),
                nodes: 0,
                best: NO_MOVE,
            };
            let value = with_isa!(self.token, isa => deepen(isa, &mut search, board, depth));
            if search.stopped {
                return Err(SearchError::Stopped);
            }
            Ok(Found {
                value,
                best: Square::new(search.best),
                nodes: search.nodes,
            })
        })
    }
}

/// The state of one search.
pub(crate) struct Search<'a, E> {
    evaluator: &'a E,
    memory: &'a mut Memory,
    stop: &'a AtomicBool,
    stopped: bool,
    nodes: u64,
    /// The best move of the node that was searched last: at the end, that of the root.
    best: u8,
}

/// Iterative deepening by two plies: the same side is to move at all leaves, so that the values of the
/// iterations resemble each other.
fn deepen<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
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
