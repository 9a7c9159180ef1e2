//! The kinds of nodes, known when they are compiled, and the principal variation search of a node's moves.

use super::endgame;
use super::evaluated::Evaluated;
use super::line::{BestLine, Line};
use super::recursion::{self, Recursion};
use super::statistics::Branch::Cut;
use super::statistics::counted;
use super::thread::{Search, Tree};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::{Draft, NO_MOVE};

/// Whether a node's window is open.
pub(super) trait Node {
    /// Whether the window is wider than one score, so that the exact score and its line matter.
    const OPEN: bool;
    /// Where the line goes.
    type Line: BestLine;

    /// Searches another node of this kind, whose board has the moves `mobility`, to the end, without an
    /// evaluation. At most [`MAX_EMPTIES`](super::local::MAX_EMPTIES) empties.
    fn exact<I: Recursion>(
        isa: I,
        search: &mut Search<'_>,
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
        state: &Evaluated<E::State>,
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
        search: &mut Search<'_>,
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
        state: &Evaluated<E::State>,
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
        search: &mut Search<'_>,
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
        state: &Evaluated<E::State>,
        draft: Draft,
        window: (i32, i32),
        line: &mut Line,
    ) -> i32 {
        recursion::tree_open(isa, tree, board, state, draft, window, line)
    }
}

/// The best of a node's moves so far, and the window that is left. In a node with an open window the first
/// move is searched with that window. Each later move is first searched with a null window: most are only
/// shown to be no better (principal variation search).
pub(super) struct Best<'a, N: Node> {
    /// The best score, below every score before the first move.
    pub(super) score: i32,
    /// The best move's square, or [`NO_MOVE`].
    pub(super) square: u8,
    /// The window that is left. A better move raises `alpha`.
    pub(super) alpha: i32,
    pub(super) beta: i32,
    line: &'a mut N::Line,
    /// The line after the move that is being searched.
    pub(super) rest: N::Line,
}

impl<'a, N: Node> Best<'a, N> {
    /// Nothing yet, in the window from `alpha` to `beta`; the best line goes to `line`.
    #[inline(always)]
    pub(super) fn new((alpha, beta): (i32, i32), line: &'a mut N::Line) -> Best<'a, N> {
        Best {
            score: -65,
            square: NO_MOVE,
            alpha,
            beta,
            line,
            rest: N::Line::default(),
        }
    }

    /// Whether the `i`-th move is searched with a null window.
    #[inline(always)]
    pub(super) fn has_null_search(&self, i: usize) -> bool {
        !N::OPEN || i > 0
    }

    /// Whether the `i`-th move is searched with an open window, after `score` of the null window, if any.
    #[inline(always)]
    pub(super) fn has_open_search(&self, i: usize, score: i32) -> bool {
        N::OPEN && (i == 0 || self.alpha < score && score < self.beta)
    }

    /// The null window above `alpha`, as the opponent sees it.
    #[inline(always)]
    pub(super) fn null_window(&self) -> (i32, i32) {
        (!self.alpha, -self.alpha)
    }

    /// The window that is left, as the opponent sees it.
    #[inline(always)]
    pub(super) fn open_window(&self) -> (i32, i32) {
        (-self.beta, -self.alpha)
    }

    /// Takes the `score` of the `i`-th move, on `square`. Whether it fails high, so that no other move needs
    /// to be searched. `empties` are those of the node.
    #[inline(always)]
    pub(super) fn take(&mut self, empties: u32, i: usize, square: u8, score: i32) -> bool {
        let cut = counted(Cut, empties as usize, i, score >= self.beta.min(64));
        // Without branches: whether a move is better is hard to predict.
        let is_better = score > self.score;
        self.square = if is_better { square } else { self.square };
        self.score = self.score.max(score);
        if N::OPEN {
            if is_better {
                self.line.set_move(square, &self.rest);
            }
            self.alpha = self.alpha.max(score);
        }
        cut
    }
}
