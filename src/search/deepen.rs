//! Iterative deepening: a series of searches, each deeper or of more confidence than the one before. Each leaves its
//! best moves in the table, and its score is the next one's guess.

use arrayvec::ArrayVec;

use super::recursion::SearchRecursion;
use super::report::{Progress, RootMove, RootResult, RootTask};
use super::root::{Iteration, RootSearcher};
use super::selectivity::{PREPARATORY, Selectivity};
use super::window::Window;
use crate::eval::Evaluator;
use crate::square::Square;
use crate::table::SearchDepth;

/// Before a solve, the deepest depth-limited search stops this number of plies short of the end.
const PLIES_SHORT_OF_END: u32 = 12;

/// The selective searches to the end before a solve, each with its minimum number of empties.
const SELECTIVE_SOLVES: [(u32, Selectivity); 2] = [(18, Selectivity::P73), (24, Selectivity::P95)];

/// The depths of all iterations for a board with `empties` empties; the last is `goal`. With `with_preparatory` the
/// first selective search to the end is [`PREPARATORY`].
fn depths(empties: u32, goal: SearchDepth, with_preparatory: bool) -> ArrayVec<SearchDepth, 64> {
    let to_end = u32::from(goal.plies) >= empties;
    let deepest = match to_end {
        true => empties.saturating_sub(PLIES_SHORT_OF_END),
        false => u32::from(goal.plies),
    };
    let depth = |plies: u32, selectivity: Selectivity| SearchDepth {
        plies: plies as u8,
        selectivity: selectivity.of_depth(plies, plies >= empties).rank(),
    };
    // Steps of two plies keep the same side to move at the leaves, so that the scores resemble each other.
    let first = if deepest.is_multiple_of(2) { 2 } else { 1 };
    let short = (first..=deepest).step_by(2);
    let mut depths: ArrayVec<_, 64> = short.map(|plies| depth(plies, Selectivity::P73)).collect();
    for (min_empties, selectivity) in SELECTIVE_SOLVES {
        let mut selective = depth(empties, selectivity);
        if to_end && empties >= min_empties && selective.selectivity < goal.selectivity {
            if with_preparatory && selectivity == Selectivity::P73 {
                selective.selectivity = PREPARATORY;
            }
            depths.push(selective);
        }
    }
    if depths.last() != Some(&goal) {
        depths.push(goal);
    }
    depths
}

/// Searches up to the goal of the task, or until the search is stopped. Each iteration reports its result, and a long
/// one also its bounds. With `with_preparatory` the first selective search to the end is [`PREPARATORY`].
pub(super) fn deepen<I: SearchRecursion, E: Evaluator<I>>(
    searcher: &mut RootSearcher<'_, '_, '_, I, E>,
    task: &RootTask,
    with_preparatory: bool,
) {
    let RootTask { board, goal, .. } = *task;
    let is_separate = task.lines > 1 || task.moves != board.mobility();
    let mut moves = match is_separate && goal.plies > 0 {
        true => root_moves(task),
        false => Vec::new(),
    };
    let mut guess = 0;
    let mut reported = SearchDepth::default();
    for depth in depths(board.empty_count(), goal, with_preparatory) {
        let is_last = depth == goal;
        let iteration = Iteration {
            depth,
            window: if is_last { task.window } else { Window::ALL },
            is_last,
        };
        let (score, line) = match moves.is_empty() {
            true => searcher.search_root(board, &iteration, guess),
            false => searcher.search_root_moves_separately(&mut moves, &iteration, task.lines),
        };
        if searcher.worker.stopped {
            return;
        }
        guess = score;
        searcher.worker.arm();
        // The public enum has no level as low as a preparatory search, so its result is reported with the depth before.
        let progress = match depth.selectivity {
            PREPARATORY => Progress::Preparatory,
            _ => Progress::Finished,
        };
        if progress == Progress::Finished {
            reported = depth;
        }
        let best = moves.iter().filter(|root_move| !root_move.is_worse);
        searcher.report(RootResult {
            depth: reported,
            score,
            progress,
            line,
            moves: best.cloned().collect(),
        });
    }
}

/// The root moves to choose from, not yet searched.
fn root_moves(task: &RootTask) -> Vec<RootMove> {
    let root_move = |square| RootMove {
        square,
        next: task.board.play(square).expect("a legal move"),
        score: 0,
        line: Vec::new(),
        is_worse: false,
    };
    Square::all_in(task.moves).map(root_move).collect()
}
