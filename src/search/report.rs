//! Reports of results from the root of a search to its caller and its monitor.

use super::limits::Limits;
use super::monitor::Monitor;
use super::result::{Bound, Candidate, SearchResult};
use super::selectivity::Selectivity;
use super::thread_work::ThreadWork;
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
    /// A finished preparatory search. It counts as an unfinished iteration of the depth before, with an exact score.
    Preparatory,
    /// The iteration is unfinished; its score is this bound so far.
    Bounded(Bound),
}

/// A result at the root, of a finished or an unfinished iteration.
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
    pub(super) task: &'a RootTask,
    pub(super) start: Instant,
    pub(super) monitor: &'a Monitor,
    pub(super) on_result: &'a mut dyn FnMut(&SearchResult),
    pub(super) latest: Option<SearchResult>,
}

impl Reporter<'_> {
    /// Passes a result to the monitor, and to the caller if it is finished. `nodes` is the count of all threads.
    pub(super) fn report(&mut self, result: RootResult, nodes: u64) {
        let is_finished = result.progress == Progress::Finished;
        let mut result = self.search_result(result, nodes);
        if !is_finished && let Some(previous) = self.latest.take() {
            self.fill_missing(&mut result, previous);
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
        // Searches before the last have no window, so their scores are exact.
        let is_goal = result.depth == self.task.goal;
        let window = if is_goal {
            self.task.window
        } else {
            Window::ALL
        };
        let bound = match result.progress {
            Progress::Finished => bound_in(window, result.score),
            Progress::Preparatory => Bound::Exact,
            Progress::Bounded(bound) => bound,
        };
        // If all moves fail low, none is known to be the best.
        let line = match bound {
            Bound::Upper => Vec::new(),
            Bound::Exact | Bound::Lower => result.line,
        };
        // Candidates are wanted only with several lines. Root moves are also searched separately if some are left out.
        let mut candidates = Vec::new();
        if self.task.lines > 1 {
            let candidate = |score: i32, line: Vec<Ply>| Candidate {
                ply: line[0],
                score,
                bound: bound_in(window, score),
                line,
            };
            let moves = result.moves.into_iter();
            candidates.extend(moves.map(|best| candidate(best.score, best.line)));
            candidates.retain(|candidate| candidate.bound != Bound::Upper);
            // A pass and an unfinished iteration have a line, but no root moves.
            if candidates.is_empty() && !line.is_empty() {
                candidates.push(candidate(result.score, line.clone()));
            }
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
            thread_work: ThreadWork::default(),
        }
    }

    /// Adds the missing line and candidates of an unfinished `result` from the `previous` one. A bound comes with at
    /// most one line.
    fn fill_missing(&self, result: &mut SearchResult, previous: SearchResult) {
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

/// Classifies the `score` of a search in `window`: exact, or a bound at the end of the window.
fn bound_in(window: Window, score: i32) -> Bound {
    match score {
        _ if score >= window.beta => Bound::Lower,
        _ if score <= window.alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}
