//! Search results of problems, compared with the scores in their file.

pub(crate) mod json;
pub(crate) mod table;

use std::time::Duration;

use outflank::notation::obf::Problem;
use outflank::search::ThreadWork;
use outflank::{Bound, Ply, SearchResult, Selectivity, Window};

/// Result of a problem, clipped to the window of the search.
pub(crate) struct ProblemResult<'a> {
    /// Number of the position, counted from 1 through all files.
    pub(crate) number: usize,
    pub(crate) problem: &'a Problem,
    /// Window of the search.
    pub(crate) window: Window,
    pub(crate) search: SearchResult,
}

impl ProblemResult<'_> {
    /// Returns `true` if the position was searched to the end of the game without selectivity. A score outside the
    /// window may still be a bound.
    pub(crate) fn is_solved(&self) -> bool {
        let search = &self.search;
        let to_end = search.depth >= self.problem.board.empty_count();
        search.complete && to_end && search.selectivity == Selectivity::Full
    }

    /// Window that clips the scores. It is the full window if a win-loss-draw search did not solve the position: the
    /// score is then an estimate in discs.
    pub(crate) fn clip_window(&self) -> Window {
        match self.window == Window::WLD && !self.is_solved() {
            true => Window::EXACT,
            false => self.window,
        }
    }

    /// Clipped score in discs for the mover.
    pub(crate) fn clipped_score(&self) -> i32 {
        self.clip_window().clamp(self.search.score)
    }

    /// Bound type of the clipped score: exact, or a bound on the true score.
    pub(crate) fn clipped_bound(&self) -> Bound {
        self.clipped_bound_of(self.search.score, self.search.bound)
    }

    /// Bound type of any score of the search after clipping.
    pub(crate) fn clipped_bound_of(&self, score: i32, bound: Bound) -> Bound {
        match score {
            score if score > self.clip_window().beta() => Bound::Lower,
            score if score < self.clip_window().alpha() => Bound::Upper,
            _ => bound,
        }
    }

    /// The best ply; `None` if the game is over or a complete search failed low.
    pub(crate) fn best(&self) -> Option<Ply> {
        self.search.line.first().copied()
    }

    /// Clipped best score that the file lists, if any.
    pub(crate) fn expected(&self) -> Option<i32> {
        let score = self.problem.best_score();
        score.map(|score| self.clip_window().clamp(score))
    }

    /// The moves that reach the expected score in the file.
    pub(crate) fn expected_moves(&self) -> impl Iterator<Item = Ply> {
        let expected = self.expected();
        let moves = self.problem.moves.iter();
        moves
            .filter(move |&&(_, score)| Some(self.clip_window().clamp(score)) == expected)
            .map(|&(ply, _)| ply)
    }

    /// `true` if the result agrees with the file; `None` if the file has no scores or the position is not solved.
    pub(crate) fn is_right(&self) -> Option<bool> {
        if !self.is_solved() {
            return None;
        }
        let expected = self.expected()?;
        let is_listed = |ply| self.problem.moves.iter().any(|&(listed, _)| listed == ply);
        // A file may list only some moves. Others cannot be judged.
        let best_is_right = self
            .best()
            .is_none_or(|best| !is_listed(best) || self.expected_moves().any(|ply| ply == best));
        Some(self.clipped_score() == expected && best_is_right)
    }
}

/// Sums over results.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) positions: usize,
    /// Positions that [`ProblemResult::is_solved`] accepts.
    pub(crate) solved: usize,
    /// Results that differ from the file.
    pub(crate) wrong: usize,
    /// Unreadable lines or games.
    pub(crate) malformed: usize,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    /// The work of the threads of each search.
    pub(crate) thread_work: ThreadWork,
}

impl Totals {
    pub(crate) fn join(&mut self, other: &Totals) {
        self.positions += other.positions;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.malformed += other.malformed;
        self.nodes += other.nodes;
        self.time += other.time;
        self.thread_work += other.thread_work;
    }

    pub(crate) fn add(&mut self, result: &ProblemResult) {
        self.positions += 1;
        self.solved += usize::from(result.is_solved());
        self.wrong += usize::from(result.is_right() == Some(false));
        self.nodes += result.search.nodes;
        self.time += result.search.time;
        self.thread_work += result.search.thread_work;
    }
}
