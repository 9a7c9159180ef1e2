//! From limits to the task of a search, and from what its steps found to results.

use crate::board::Board;
use crate::search::deepen::{Found, Task};
use crate::search::limits::Limits;
use crate::search::result::{Bound, Candidate, SearchResult};
use crate::search::selective::Selectivity;
use crate::square::Ply;
use crate::table::Draft;
use crate::time::Instant;

/// What is to be searched of `board`.
pub(super) fn task(board: Board, limits: &Limits) -> Task {
    let empties = board.empty_count();
    // A finished game has its score, however little is searched.
    let depth = match board.is_game_over() {
        true => empties,
        false => limits.depth.min(empties),
    };
    let selectivity = limits.selectivity.of_depth(depth, depth == empties);
    // The ends of the scale are scores like others: let them lie inside.
    let (alpha, beta) = (limits.window.alpha(), limits.window.beta());
    Task {
        board,
        goal: Draft {
            depth: depth as u8,
            selectivity: selectivity.rank(),
        },
        ends: (
            if alpha == -64 { -65 } else { alpha },
            if beta == 64 { 65 } else { beta },
        ),
        lines: limits.lines.max(1) as usize,
        moves: match board.mobility() & !limits.without {
            0 => board.mobility(),
            moves => moves,
        },
    }
}

/// What one of the searches found, as it is told.
pub(super) fn result(task: &Task, found: Found, nodes: u64, start: Instant) -> SearchResult {
    let is_goal = found.draft == task.goal;
    let complete = is_goal && found.bound.is_none();
    let (alpha, beta) = if is_goal { task.ends } else { (-65, 65) };
    let bound_of = |score| match score {
        _ if score >= beta => Bound::Lower,
        _ if score <= alpha => Bound::Upper,
        _ => Bound::Exact,
    };
    let bound = found.bound.unwrap_or(bound_of(found.score));
    // Where all moves fail low, none is known to be better than another.
    let line = match bound {
        Bound::Upper => Vec::new(),
        Bound::Exact | Bound::Lower => found.line,
    };
    let candidate = |score: i32, line: Vec<Ply>| Candidate {
        ply: line[0],
        score,
        bound: bound_of(score),
        line,
    };
    // Left-out moves make a list, too, where one line is wanted.
    let moves = found.moves.into_iter().filter(|_| task.lines > 1);
    let moves = moves.filter(|one| bound_of(one.score) != Bound::Upper);
    let mut candidates: Vec<_> = moves.map(|one| candidate(one.score, one.line)).collect();
    // A pass is the only one.
    if task.lines > 1 && candidates.is_empty() && !line.is_empty() {
        candidates.push(candidate(found.score, line.clone()));
    }
    SearchResult {
        score: found.score,
        bound,
        depth: found.draft.depth.into(),
        selectivity: Selectivity::of_rank(found.draft.selectivity),
        complete,
        line,
        candidates,
        nodes,
        time: start.elapsed(),
    }
}

/// Completes `step`, a bound found by a search that has not finished, with the line and the candidates of
/// `before`, the result until then: a bound comes with one line at most.
pub(super) fn fill_from(step: &mut SearchResult, before: SearchResult, lines: usize) {
    if step.line.is_empty() {
        step.line = before.line;
    }
    if lines > 1 {
        let new = step.candidates.first().map(|one| one.ply);
        let others = before.candidates.into_iter();
        step.candidates
            .extend(others.filter(|one| Some(one.ply) != new));
        step.candidates.truncate(lines);
    }
}
