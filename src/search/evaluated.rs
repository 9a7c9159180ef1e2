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
}
