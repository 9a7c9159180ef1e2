//! Multi-ProbCut: a shallow search whose score is far outside the null window replaces the deep one
//! (Buro, 1995 and 2000).

use super::eval_state::Position;
use super::midgame::score;
use super::recursion::SearchRecursion;
use super::selectivity::{FULL, MIN_DEPTH, reduced};
use super::statistics::Branch::{SelectiveCut, TrySelective};
use super::statistics::count_branch;
use super::window::Window;
use super::worker::Worker;
use crate::eval::{Evaluator, in_discs};
use crate::table::SearchDepth;

/// The maximum nesting of shallow searches.
const MAX_NESTING: u32 = 2;

/// The bound of a position's score by a selective cut of the null window above `alpha`; `None` without a cut. The legal
/// moves are `mobility`.
#[inline(always)]
pub(super) fn probcut<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    position: Position<'_, E::State>,
    mobility: u64,
    depth: SearchDepth,
    alpha: i32,
) -> Option<i32> {
    if depth.selectivity >= FULL || depth.plies < MIN_DEPTH || worker.probcut_nesting >= MAX_NESTING
    {
        return None;
    }
    let row = position.board.empty_count() as usize;
    let margins = worker.shared.margins;
    let [above, below] = margins.of_node(isa, position.board, mobility, depth);
    let static_score = in_discs(position.value(isa, worker.shared.evaluator));
    let (high, low) = (alpha + 1 + above, alpha - below);
    let shallow = SearchDepth {
        plies: reduced(depth.plies),
        ..depth
    };
    if shallow.plies == 0 {
        if count_branch(SelectiveCut, row, 0, static_score >= high) {
            return Some(alpha + 1);
        }
        return count_branch(SelectiveCut, row, 1, static_score <= low).then_some(alpha);
    }
    let mut search = |alpha, expects_fail_low| {
        worker.expects_fail_low = expects_fail_low;
        worker.probcut_nesting += 1;
        let window = Window::null(alpha);
        let score = score(isa, worker, position, shallow, window, &mut ());
        worker.probcut_nesting -= 1;
        (!worker.stopped).then_some(score)
    };
    // Shallow searches are tried only where they often cut (docs/lab/search.md). For a cut above the window, the static
    // value must exceed it by half a margin. For a cut below, it must be a whole margin below.
    let is_high = static_score > alpha + above / 2 && high < 64;
    if count_branch(TrySelective, row, 0, is_high) {
        let cuts = search(high - 1, false).is_some_and(|score| score >= high);
        if count_branch(SelectiveCut, row, 0, cuts) {
            return Some(alpha + 1);
        }
    }
    if count_branch(TrySelective, row, 1, static_score <= low && low > -64) {
        let cuts = search(low, true).is_some_and(|score| score <= low);
        if count_branch(SelectiveCut, row, 1, cuts) {
            return Some(alpha);
        }
    }
    None
}
