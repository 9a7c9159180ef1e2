//! The kinds of nodes, known when they are compiled.

use super::endgame;
use super::line::{BestLine, Line};
use super::recursion::{self, Recursion};
use super::thread::Tree;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::Draft;

/// Whether a node's window is open.
pub(super) trait Node {
    /// Whether the window is wider than one score, so that the exact score and its line matter.
    const OPEN: bool;
    /// Where the line goes.
    type Line: BestLine;

    /// Searches another node of this kind, whose board has the moves `mobility`, to the end, without an
    /// evaluation. At most [`endgame::MAX_EMPTIES`] empties.
    fn exact<I: Recursion>(
        isa: I,
        search: &mut endgame::Search<'_>,
        board: Board,
        mobility: u64,
        window: (i32, i32),
        line: &mut Self::Line,
    ) -> i32;

    /// Searches another node of this kind with an evaluation, 1 or more plies.
    fn tree<I: Recursion, E: Evaluator<I>>(
        isa: I,
        tree: &mut Tree<'_, E>,
        board: Board,
        state: &E::State,
        draft: Draft,
        window: (i32, i32),
        line: &mut Self::Line,
    ) -> i32;
}

/// A node with a null window, `beta` one over `alpha`.
pub(super) struct Null;

impl Node for Null {
    const OPEN: bool = false;
    type Line = ();

    #[inline(always)]
    fn exact<I: Recursion>(
        isa: I,
        search: &mut endgame::Search<'_>,
        board: Board,
        mobility: u64,
        (alpha, _): (i32, i32),
        (): &mut (),
    ) -> i32 {
        endgame::null_window_of(isa, search, board, mobility, alpha)
    }

    #[inline(always)]
    fn tree<I: Recursion, E: Evaluator<I>>(
        isa: I,
        tree: &mut Tree<'_, E>,
        board: Board,
        state: &E::State,
        draft: Draft,
        (alpha, _): (i32, i32),
        (): &mut (),
    ) -> i32 {
        recursion::tree_null(isa, tree, board, state, draft, alpha)
    }
}

/// A node with an open window.
pub(super) struct Open;

impl Node for Open {
    const OPEN: bool = true;
    type Line = Line;

    #[inline(always)]
    fn exact<I: Recursion>(
        isa: I,
        search: &mut endgame::Search<'_>,
        board: Board,
        mobility: u64,
        window: (i32, i32),
        line: &mut Line,
    ) -> i32 {
        recursion::open_window(isa, search, board, mobility, window, line)
    }

    #[inline(always)]
    fn tree<I: Recursion, E: Evaluator<I>>(
        isa: I,
        tree: &mut Tree<'_, E>,
        board: Board,
        state: &E::State,
        draft: Draft,
        window: (i32, i32),
        line: &mut Line,
    ) -> i32 {
        recursion::tree_open(isa, tree, board, state, draft, window, line)
    }
}
