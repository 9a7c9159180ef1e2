//! Multi-ProbCut: a shallow search whose score is far outside the null window stands for the deep one
//! (Buro, 1995 and 2000).

use super::evaluated::Evaluated;
use super::node::Null;
use super::recursion::Recursion;
use super::selective::{FULL, MIN_DEPTH, reduced};
use super::statistics::Branch::{SelectiveCut, TrySelective};
use super::statistics::counted;
use super::thread::Tree;
use super::tree::score;
use crate::board::Board;
use crate::eval::{Evaluator, in_discs};
use crate::table::Draft;

/// The maximum depth of shallow searches inside shallow searches.
const MAX_NESTING: u32 = 2;

/// A bound of the score of `board` where a shallow search cuts the null window above `alpha`.
#[inline(always)]
pub(super) fn probcut<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &Evaluated<E::State>,
    draft: Draft,
    alpha: i32,
) -> Option<i32> {
    if draft.selectivity >= FULL || draft.depth < MIN_DEPTH || tree.probing >= MAX_NESTING {
        return None;
    }
    let empties = board.empty_count();
    let row = empties as usize;
    let margins = tree.shared.margins;
    let margin = margins.of(empties, draft.depth, draft.selectivity);
    let now = in_discs(state.value(isa, tree.shared.evaluator, board));
    let (high, low) = (alpha + 1 + margin, alpha - margin);
    let less = Draft {
        depth: reduced(draft.depth),
        ..draft
    };
    if less.depth == 0 {
        if counted(SelectiveCut, row, 0, now >= high) {
            return Some(alpha + 1);
        }
        return counted(SelectiveCut, row, 1, now <= low).then_some(alpha);
    }
    let mut search = |window| {
        tree.probing += 1;
        let found = score::<I, E, Null>(isa, tree, board, state, less, window, &mut ());
        tree.probing -= 1;
        (!tree.stopped).then_some(found)
    };
    // A search below the window rarely cuts unless the static value is a margin below it, one above it unless the
    // static value is half of a margin above it (docs/lab/search.md).
    if counted(TrySelective, row, 0, now > alpha + margin / 2 && high < 64) {
        let cuts = search((high - 1, high)).is_some_and(|found| found >= high);
        if counted(SelectiveCut, row, 0, cuts) {
            return Some(alpha + 1);
        }
    }
    if counted(TrySelective, row, 1, now <= low && low > -64) {
        let cuts = search((low, low + 1)).is_some_and(|found| found <= low);
        if counted(SelectiveCut, row, 1, cuts) {
            return Some(alpha);
        }
    }
    None
}
