//! What is told of a search.

use std::time::Duration;

use crate::notation::Note;
use crate::notation::ggf::Move;
use crate::search::SearchResult;
use crate::{Board, Ply};

/// `search PV EVAL 0 DEPTH` for every move that `found` has of `board`, the best first.
pub(super) fn searches(found: &SearchResult, board: Board) -> Vec<String> {
    let depth = depth(found, board);
    let line = |score: i32, line: &[Ply]| format!("search {} {score} 0 {depth}", variation(line));
    match found.candidates.is_empty() {
        true => vec![line(found.score, &found.line)],
        false => found
            .candidates
            .iter()
            .map(|one| line(one.score, &one.line))
            .collect(),
    }
}

/// `nodestats NODES SECONDS`.
pub(super) fn nodes(found: &SearchResult) -> String {
    format!("nodestats {} {}", found.nodes, rounded(found.time))
}

/// Seconds, to the millisecond.
pub(super) fn rounded(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Plies; where they are all that are left, how certain the result is in percent.
fn depth(found: &SearchResult, board: Board) -> String {
    let to_end = found.depth >= board.empty_count();
    match to_end {
        true => found.selectivity.to_string(),
        false => found.depth.to_string(),
    }
}

/// Moves without blanks: `F5D6PA`.
fn variation(line: &[Ply]) -> String {
    let note = Note::default();
    let moves = line.iter().map(|&ply| Move { ply, note }.to_string());
    moves.collect()
}
