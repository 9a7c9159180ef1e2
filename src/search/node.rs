//! Node types, known at compile time, and the principal variation search of a node's moves.

use super::endgame;
use super::eval_state::Position;
use super::line::{BestLine, Line};
use super::pool::ScoredMove;
use super::recursion::{self, SearchRecursion};
use super::statistics::Branch::Cut;
use super::statistics::count_branch;
use super::window::Window;
use super::worker::{EndgameWorker, Worker};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::square::Square;
use crate::table::{OptionalSquare, SearchDepth};

/// A type of node: with a null window or with an open window.
pub(super) trait Node {
    /// `true` for an open window, in which the exact score and its line matter.
    const OPEN: bool;
    /// The storage of the line.
    type Line: BestLine;

    /// Solves another node of this type without an evaluation. Its legal moves are `mobility`, and it has at most
    /// [`MAX_LOCAL_EMPTIES`](super::local_table::MAX_LOCAL_EMPTIES) empties.
    fn endgame<I: SearchRecursion>(
        isa: I,
        worker: &mut EndgameWorker<'_>,
        board: Board,
        mobility: u64,
        window: Window,
        line: &mut Self::Line,
    ) -> i32;

    /// Searches another node of this type with an evaluation, 1 or more plies.
    fn midgame<I: SearchRecursion, E: Evaluator<I>>(
        isa: I,
        worker: &mut Worker<'_, E>,
        position: Position<'_, E::State>,
        depth: SearchDepth,
        window: Window,
        line: &mut Self::Line,
    ) -> i32;
}

/// A node with a null window.
pub(super) struct Null;

impl Node for Null {
    const OPEN: bool = false;
    type Line = ();

    #[inline(always)]
    fn endgame<I: SearchRecursion>(
        isa: I,
        worker: &mut EndgameWorker<'_>,
        board: Board,
        mobility: u64,
        window: Window,
        (): &mut (),
    ) -> i32 {
        endgame::null_window_score(isa, worker, board, mobility, window.alpha)
    }

    #[inline(always)]
    fn midgame<I: SearchRecursion, E: Evaluator<I>>(
        isa: I,
        worker: &mut Worker<'_, E>,
        position: Position<'_, E::State>,
        depth: SearchDepth,
        window: Window,
        (): &mut (),
    ) -> i32 {
        let Position { board, eval } = position;
        recursion::midgame_null(isa, worker, board, eval, depth, window.alpha)
    }
}

/// A node with an open window.
pub(super) struct Open;

impl Node for Open {
    const OPEN: bool = true;
    type Line = Line;

    #[inline(always)]
    fn endgame<I: SearchRecursion>(
        isa: I,
        worker: &mut EndgameWorker<'_>,
        board: Board,
        mobility: u64,
        window: Window,
        line: &mut Line,
    ) -> i32 {
        recursion::endgame_open(isa, worker, board, mobility, window, line)
    }

    #[inline(always)]
    fn midgame<I: SearchRecursion, E: Evaluator<I>>(
        isa: I,
        worker: &mut Worker<'_, E>,
        position: Position<'_, E::State>,
        depth: SearchDepth,
        window: Window,
        line: &mut Line,
    ) -> i32 {
        let Position { board, eval } = position;
        recursion::midgame_open(isa, worker, board, eval, depth, window, line)
    }
}

/// The best of a node's moves so far, and the remaining window.
///
/// In a node with an open window the first move is searched with that window. Each later move is first searched with a
/// null window, since most later moves only have to be proven no better (principal variation search).
pub(super) struct BestMove<'a, N: Node> {
    /// The node's empty squares.
    empties: u32,
    /// The best score; before the first move, -65.
    pub(super) score: i32,
    pub(super) square: OptionalSquare,
    /// The remaining window. A better move raises `alpha`.
    pub(super) window: Window,
    line: &'a mut N::Line,
    /// The line after the move that is being searched.
    pub(super) rest: N::Line,
}

impl<'a, N: Node> BestMove<'a, N> {
    /// Starts without a move. The best line goes to `line`.
    #[inline(always)]
    pub(super) fn new(empties: u32, window: Window, line: &'a mut N::Line) -> BestMove<'a, N> {
        BestMove {
            empties,
            score: -65,
            square: OptionalSquare::NONE,
            window,
            line,
            rest: N::Line::default(),
        }
    }

    /// The best score and its move.
    #[inline(always)]
    pub(super) fn scored(&self) -> ScoredMove {
        (self.score, self.square)
    }

    /// Returns `true` if the `i`-th move is searched with a null window.
    #[inline(always)]
    pub(super) fn has_null_search(&self, i: usize) -> bool {
        !N::OPEN || i > 0
    }

    /// Returns `true` if the `i`-th move is searched with an open window. `score` is that of the null-window search
    /// before it, if there was one.
    #[inline(always)]
    pub(super) fn has_open_search(&self, i: usize, score: i32) -> bool {
        N::OPEN && (i == 0 || self.window.alpha < score && score < self.window.beta)
    }

    /// The null window above `alpha`, from the opponent's side.
    #[inline(always)]
    pub(super) fn null_window(&self) -> Window {
        Window::null(self.window.alpha).for_opponent()
    }

    /// The remaining window, from the opponent's side.
    #[inline(always)]
    pub(super) fn open_window(&self) -> Window {
        self.window.for_opponent()
    }

    /// Records the `score` of the `i`-th move, on `square`. Returns `true` if it fails high and no other move has
    /// to be searched.
    #[inline(always)]
    pub(super) fn update(&mut self, i: usize, square: Square, score: i32) -> bool {
        let fails_high = score >= self.window.beta.min(64);
        let cut = count_branch(Cut, self.empties as usize, i, fails_high);
        // Without branches, since a better move is hard to predict.
        let is_better = score > self.score;
        self.square = if is_better {
            square.into()
        } else {
            self.square
        };
        self.score = self.score.max(score);
        if N::OPEN {
            if is_better {
                self.line.set_move(square, &self.rest);
            }
            self.window.alpha = self.window.alpha.max(score);
        }
        cut
    }
}
