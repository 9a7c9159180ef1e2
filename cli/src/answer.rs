//! What the engine said of a problem, and whether the problem's file agrees.

use std::time::Duration;

use outflank::notation::obf::Problem;
use outflank::{Bound, Ply, SearchResult, Selectivity, Window};

/// The answer to one problem, clipped to the window that it was searched for.
pub(super) struct Answer<'a> {
    /// The position's number among all those of the command, from 1.
    pub(super) index: usize,
    pub(super) problem: &'a Problem,
    /// The window that was asked for.
    pub(super) window: Window,
    pub(super) found: SearchResult,
}

impl Answer<'_> {
    /// Whether the position is solved: searched to the end of the game with nothing left out, as far as the
    /// window asks for.
    pub(super) fn is_solved(&self) -> bool {
        let found = &self.found;
        let to_end = found.depth >= self.problem.board.empty_count();
        found.complete && to_end && found.selectivity == Selectivity::Full
    }

    /// The window that the scores are clipped to: only a solved position has an outcome, others have an
    /// estimate of the score.
    pub(super) fn window(&self) -> Window {
        match self.window == Window::WLD && !self.is_solved() {
            true => Window::EXACT,
            false => self.window,
        }
    }

    /// The score in discs for the mover, clipped.
    pub(super) fn score(&self) -> i32 {
        self.window().clamp(self.found.score)
    }

    /// What the clipped score says about the true one.
    pub(super) fn bound(&self) -> Bound {
        self.bound_of(self.found.score, self.found.bound)
    }

    /// What a score that said `bound` says once it is clipped.
    pub(super) fn bound_of(&self, score: i32, bound: Bound) -> Bound {
        match score {
            score if score > self.window().beta() => Bound::Lower,
            score if score < self.window().alpha() => Bound::Upper,
            _ => bound,
        }
    }

    /// The best ply; `None` where the game is over, or a complete search found an upper bound.
    pub(super) fn best(&self) -> Option<Ply> {
        self.found.line.first().copied()
    }

    /// The best score of the file, clipped; `None` if it has none.
    pub(super) fn expected(&self) -> Option<i32> {
        let score = self.problem.best_score();
        score.map(|score| self.window().clamp(score))
    }

    /// The moves that reach the expected score according to the file.
    pub(super) fn expected_moves(&self) -> impl Iterator<Item = Ply> {
        let expected = self.expected();
        let moves = self.problem.moves.iter();
        moves
            .filter(move |&&(_, score)| Some(self.window().clamp(score)) == expected)
            .map(|&(ply, _)| ply)
    }

    /// Whether the answer is what the file expects; `None` if it expects nothing, or the position is not
    /// solved.
    pub(super) fn is_right(&self) -> Option<bool> {
        if !self.is_solved() {
            return None;
        }
        let expected = self.expected()?;
        let is_listed = |ply| self.problem.moves.iter().any(|&(listed, _)| listed == ply);
        // A file may list only some moves: one that it does not know cannot be judged.
        let best_is_right = self
            .best()
            .is_none_or(|best| !is_listed(best) || self.expected_moves().any(|ply| ply == best));
        Some(self.score() == expected && best_is_right)
    }
}

/// The sum over the answers.
#[derive(Default)]
pub(super) struct Tally {
    /// Positions answered.
    pub(super) positions: usize,
    /// Those of them that are solved: [`Answer::is_solved`].
    pub(super) solved: usize,
    /// Answers that differ from the file's.
    pub(super) wrong: usize,
    /// Lines that could not be read.
    pub(super) malformed: usize,
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl Tally {
    /// Counts the answers of another one, too.
    pub(super) fn join(&mut self, other: &Tally) {
        self.positions += other.positions;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.malformed += other.malformed;
        self.nodes += other.nodes;
        self.time += other.time;
    }

    /// Counts an answer.
    pub(super) fn add(&mut self, answer: &Answer) {
        self.positions += 1;
        self.solved += usize::from(answer.is_solved());
        self.wrong += usize::from(answer.is_right() == Some(false));
        self.nodes += answer.found.nodes;
        self.time += answer.found.time;
    }
}
