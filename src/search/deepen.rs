//! The searches of a position one after another, each deeper or more certain than the one before,
//! which leaves its best moves in the table and a guess of the score.

use arrayvec::ArrayVec;

use super::line::Line;
use super::node::{Null, Open};
use super::recursion::Recursion;
use super::selective::{FULL, Selectivity};
use super::tree::{self, Tree};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::Draft;

/// Plies by which the searches to a depth that come before a solve stay short of the end.
const SHORT: u32 = 12;

/// The fewest empties from which a selective search to the end comes before a solve.
const SELECTIVE_EMPTIES: u32 = 18;

const SELECTIVE: u8 = Selectivity::P73 as u8;

/// The drafts that lead up to `goal` from a board with `empties` empties, and `goal`.
fn steps(empties: u32, goal: Draft) -> ArrayVec<Draft, 64> {
    let to_end = u32::from(goal.depth) >= empties;
    let deepest = match to_end {
        true => empties.saturating_sub(SHORT),
        false => u32::from(goal.depth),
    };
    // By two plies: one side is to move at all leaves, so that the scores resemble each other.
    let first = if deepest.is_multiple_of(2) { 2 } else { 1 };
    let mut steps: ArrayVec<Draft, 64> = (first..=deepest)
        .step_by(2)
        .map(|depth| Draft {
            depth: depth as u8,
            selectivity: SELECTIVE,
        })
        .collect();
    if to_end && empties >= SELECTIVE_EMPTIES {
        steps.push(Draft {
            depth: goal.depth,
            selectivity: SELECTIVE,
        });
    }
    if steps.last() != Some(&goal) {
        steps.push(goal);
    }
    steps
}

/// The score of `board` in the window from `alpha` to `beta` by a search of draft `goal`, and its best
/// line.
pub(super) fn deepen<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    goal: Draft,
    (alpha, beta): (i32, i32),
    line: &mut Line,
) -> i32 {
    let state = tree.evaluator.set(isa, board);
    let empties = board.empty_count();
    let mut guess = 0;
    for draft in steps(empties, goal) {
        let ends = match draft == goal {
            true => (alpha, beta),
            false => (-65, 65),
        };
        let even = u32::from(draft.depth) >= empties && draft.selectivity == FULL;
        let (low, high) = close_in(isa, tree, board, &state, draft, ends, guess, even);
        if draft == goal {
            return tree::score::<I, E, Open>(isa, tree, board, &state, draft, (low, high), line);
        }
        guess = (low + high) / 2;
        if tree.exact.stopped {
            break;
        }
    }
    guess
}

/// The window that is left between `alpha` and `beta` by null windows that begin with the one at
/// `guess`, each a step from what the last one showed. They are cheap, and they leave the table full.
///
/// Where all scores are even, the odd windows between them are enough.
#[expect(
    clippy::too_many_arguments,
    reason = "the search, and what is searched for"
)]
fn close_in<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &E::State,
    draft: Draft,
    (alpha, beta): (i32, i32),
    guess: i32,
    even: bool,
) -> (i32, i32) {
    let (mut low, mut high) = (alpha, beta);
    let step = if even { 2 } else { 1 };
    let mut below = if even { (guess & !1) - 1 } else { guess - 1 };
    // Only the scores between the ends are left.
    while high - low > 2 && !tree.exact.stopped {
        below = below.clamp(low, high - 1);
        let window = (below, below + 1);
        let score = tree::score::<I, E, Null>(isa, tree, board, state, draft, window, &mut ());
        if score > below {
            low = low.max(score - 1);
            below = score + step - 1;
        } else {
            high = high.min(score + 1);
            below = score - 1;
        }
    }
    // A score outside leaves nothing between the ends: ask at the end that it passed.
    let low = low.clamp(alpha, beta - 1);
    (low, high.clamp(low + 1, beta))
}
