//! The principal variation search of a node's moves.

use super::line::BestLine;
use super::split::ScoredMove;
use super::statistics::Branch::Cut;
use super::statistics::count_branch;
use super::window::Window;
use crate::square::Square;
use crate::table::OptionalSquare;

/// The best of a node's moves so far, and the remaining window.
///
/// In a node with an open window the first move is searched with that window. Each later move is first searched with a
/// null window, since most later moves only have to be proven no better (principal variation search).
pub(super) struct BestMove<'a, L> {
    /// The node's empty squares.
    empties: u32,
    /// The best score; before the first move, -65.
    pub(super) score: i32,
    pub(super) square: OptionalSquare,
    /// The remaining window. A better move raises `alpha`.
    pub(super) window: Window,
    line: &'a mut L,
    /// The line after the move that is being searched.
    pub(super) rest: L,
}

impl<'a, L: BestLine> BestMove<'a, L> {
    /// Starts without a move. The best line goes to `line`.
    #[inline(always)]
    pub(super) fn new(empties: u32, window: Window, line: &'a mut L) -> BestMove<'a, L> {
        BestMove {
            empties,
            score: -65,
            square: OptionalSquare::NONE,
            window,
            line,
            rest: L::default(),
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
        !L::OPEN || i > 0
    }

    /// Returns `true` if the `i`-th move is searched with an open window. `score` is that of the null-window search
    /// before it, if there was one.
    #[inline(always)]
    pub(super) fn has_open_search(&self, i: usize, score: i32) -> bool {
        L::OPEN && (i == 0 || self.window.alpha < score && score < self.window.beta)
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
        // This is computed without branches, since a better move is hard to predict.
        let is_better = score > self.score;
        self.square = if is_better {
            square.into()
        } else {
            self.square
        };
        self.score = self.score.max(score);
        if L::OPEN {
            if is_better {
                self.line.set(Some(square), &self.rest);
            }
            self.window.alpha = self.window.alpha.max(score);
        }
        cut
    }
}
