//! Reports of results from the root of a search to its caller and its monitor.

use super::limits::Limits;
use super::monitor::Monitor;
use super::result::{Bound, Candidate, SearchResult};
use super::selectivity::Selectivity;
use super::window::Window;
use crate::board::Board;
use crate::square::{Ply, Square};
use crate::table::SearchDepth;
use crate::time::Instant;

/// The limits of a search, applied to its position.
pub(super) struct RootTask {
    pub(super) board: Board,
    pub(super) goal: SearchDepth,
    pub(super) window: Window,
    /// The number of best moves to find, 1 or more.
    pub(super) lines: usize,
    /// The moves to choose from, as a bitboard.
    pub(super) moves: u64,
}

impl RootTask {
    pub(super) fn new(board: Board, limits: &Limits) -> RootTask {
        let empties = board.empty_count();
        // A finished game has its exact score at any depth.
        let plies = match board.is_game_over() {
            true => empties,
            false => limits.depth.min(empties),
        };
        let selectivity = limits.selectivity.of_depth(plies, plies == empties);
        // A score is exact only inside the window, so -64 and 64 have to lie inside, too.
        let Window { alpha, beta } = limits.window;
        RootTask {
            board,
            goal: SearchDepth {
                plies: plies as u8,
                selectivity: selectivity.rank(),
            },
            window: Window {
                alpha: if alpha == -64 { -65 } else { alpha },
                beta: if beta == 64 { 65 } else { beta },
            },
            lines: limits.lines.max(1) as usize,
            moves: match board.mobility() & !limits.without {
                0 => board.mobility(),
                moves => moves,
            },
        }
    }
}

/// A move of the root with the result of its latest search.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) square: Square,
    pub(super) next: Board,
    pub(super) score: i32,
    pub(super) line: Vec<Ply>,
    /// `true` if it was proven no better than the best moves.
    pub(super) is_worse: bool,
}

/// The progress of the iteration that a [`RootResult`] comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The iteration is finished; its window decides which bound the score is.
    Finished,
    /// A finished preparatory search, which counts as an unfinished search of the depth before. Its score is exact.
    Preparatory,
    /// The iteration is unfinished; its score is this bound so far.
    Bounded(Bound),
}

/// The latest result of the searches of a root, finished or not.
pub(super) struct RootResult {
    pub(super) depth: SearchDepth,
    pub(super) score: i32,
    pub(super) progress: Progress,
    pub(super) line: Vec<Ply>,
    /// The best moves, the best first, if the root moves are searched separately.
    pub(super) moves: Vec<RootMove>,
}

/// Passes results to the monitor and to the caller's function.
pub(super) struct Reporter<'a> {
    task: &'a RootTask,
    start: Instant,
    monitor: &'a Monitor,
    on_result: &'a mut dyn FnMut(&SearchResult),
    latest: Option<SearchResult>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        task: &'a RootTask,
        start: Instant,
        monitor: &'a Monitor,
        on_result: &'a mut dyn FnMut(&SearchResult),
    ) -> Reporter<'a> {
        Reporter {
            task,
            start,
            monitor,
            on_result,
            latest: None,
        }
    }

    /// Passes a result to the monitor, and to the caller if it is finished. `nodes` is the count of all threads.
    pub(super) fn report(&mut self, result: RootResult, nodes: u64) {
        let is_finished = result.progress == Progress::Finished;
        let mut result = self.search_result(result, nodes);
        if !is_finished && let Some(previous) = self.latest.take() {
            self.complete(&mut result, previous);
        }
        self.monitor.publish(self.start, &result);
        if is_finished {
            (self.on_result)(&result);
        }
        self.latest = Some(result);
    }

    /// The latest result.
    pub(super) fn into_latest(self) -> SearchResult {
        self.latest.expect("the first search is never ended")
    }

    /// Converts a result into the public form.
    fn search_result(&self, result: RootResult, nodes: u64) -> SearchResult {
        let task = self.task;
        let is_goal = result.depth == task.goal;
        let window = if is_goal { task.window } else { Window::ALL };
        let bound_of = |score| match score {
            _ if score >= window.beta => Bound::Lower,
            _ if score <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let bound = match result.progress {
            Progress::Finished => bound_of(result.score),
            Progress::Preparatory => Bound::Exact,
            Progress::Bounded(bound) => bound,
        };
        // If all moves fail low, none is known to be the best.
        let line = match bound {
            Bound::Upper => Vec::new(),
            Bound::Exact | Bound::Lower => result.line,
        };
        let candidate = |score: i32, line: Vec<Ply>| Candidate {
            ply: line[0],
            score,
            bound: bound_of(score),
            line,
        };
        // Left-out moves lead to separate root moves even if only one line was requested.
        let moves = result.moves.into_iter().filter(|_| task.lines > 1);
        let moves = moves.filter(|candidate| bound_of(candidate.score) != Bound::Upper);
        let mut candidates: Vec<_> = moves.map(|best| candidate(best.score, best.line)).collect();
        // A pass and a bound have a line, but no list of moves.
        if task.lines > 1 && candidates.is_empty() && !line.is_empty() {
            candidates.push(candidate(result.score, line.clone()));
        }
        SearchResult {
            score: result.score,
            bound,
            depth: result.depth.plies.into(),
            selectivity: Selectivity::of_rank(result.depth.selectivity),
            complete: is_goal && result.progress == Progress::Finished,
            line,
            candidates,
            nodes,
            time: self.start.elapsed(),
        }
    }

    /// Adds the missing line and candidates of an unfinished `result` from the `previous` one. A bound comes with at
    /// most one line.
    fn complete(&self, result: &mut SearchResult, previous: SearchResult) {
        if result.line.is_empty() {
            result.line = previous.line;
        }
        if self.task.lines > 1 {
            let first = result.candidates.first().map(|candidate| candidate.ply);
            let others = previous.candidates.into_iter();
            result
                .candidates
                .extend(others.filter(|candidate| Some(candidate.ply) != first));
            result.candidates.truncate(self.task.lines);
        }
    }
}
