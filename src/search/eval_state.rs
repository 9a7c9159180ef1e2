//! The evaluation of a node's board.

use std::cell::Cell;

use outflank_kernels::Kernels;

use crate::board::Board;
use crate::eval::Evaluator;

/// Marks a value that is not yet computed.
const UNKNOWN: i32 = i32::MIN;

/// Evaluation state of a board with a lazily cached static value. Move ordering, selective cuts, and shallow searches
/// of the same board all use the value.
pub(crate) struct EvalState<S> {
    pub(super) state: S,
    value: Cell<i32>,
}

impl<S> EvalState<S> {
    #[inline(always)]
    pub(super) fn new(state: S) -> EvalState<S> {
        EvalState {
            state,
            value: Cell::new(UNKNOWN),
        }
    }

    /// The static value of `board`, the board of this state, in 1/128 disc.
    #[inline(always)]
    pub(super) fn value<I: Kernels, E: Evaluator<I, State = S>>(
        &self,
        isa: I,
        evaluator: &E,
        board: Board,
    ) -> i32 {
        if self.value.get() == UNKNOWN {
            self.value.set(evaluator.value(isa, &self.state, board));
        }
        self.value.get()
    }

    /// The static values of two boards with equally many empty squares, in 1/128 disc. Both must be unknown.
    #[inline(always)]
    pub(super) fn values<I: Kernels, E: Evaluator<I, State = S>>(
        isa: I,
        evaluator: &E,
        both: [&EvalState<S>; 2],
        boards: [Board; 2],
    ) -> [i32; 2] {
        let states = [&both[0].state, &both[1].state];
        let values = evaluator.values(isa, states, boards);
        both[0].value.set(values[0]);
        both[1].value.set(values[1]);
        values
    }
}

/// A board and its evaluation state.
#[derive(Clone, Copy)]
pub(super) struct Position<'a, S> {
    pub(super) board: Board,
    pub(super) eval: &'a EvalState<S>,
}

impl<S> Position<'_, S> {
    /// The static value in 1/128 disc.
    #[inline(always)]
    pub(super) fn value<I: Kernels, E: Evaluator<I, State = S>>(
        &self,
        isa: I,
        evaluator: &E,
    ) -> i32 {
        self.eval.value(isa, evaluator, self.board)
    }
}
