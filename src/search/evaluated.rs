//! What the evaluation knows of a board.

use std::cell::Cell;

use outflank_kernels::Kernels;

use crate::board::Board;
use crate::eval::Evaluator;

/// A value that was not asked for.
const UNKNOWN: i32 = i32::MIN;

/// The evaluation's state of a board, and the static value once it was asked for: the order of moves, the
/// selective cuts of the board, and those of shallow searches of it all want the same one.
pub(crate) struct Evaluated<S> {
    pub(super) state: S,
    value: Cell<i32>,
}

impl<S> Evaluated<S> {
    #[inline(always)]
    pub(super) fn new(state: S) -> Evaluated<S> {
        Evaluated {
            state,
            value: Cell::new(UNKNOWN),
        }
    }

    /// The static value of `board`, which this is the state of, in 1/128 disc.
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

    /// The static values of two boards with the same number of empty squares, in 1/128 disc: neither was asked for
    /// before.
    #[inline(always)]
    pub(super) fn values<I: Kernels, E: Evaluator<I, State = S>>(
        isa: I,
        evaluator: &E,
        both: [&Evaluated<S>; 2],
        boards: [Board; 2],
    ) -> [i32; 2] {
        let states = [&both[0].state, &both[1].state];
        let values = evaluator.values(isa, states, boards);
        both[0].value.set(values[0]);
        both[1].value.set(values[1]);
        values
    }
}
