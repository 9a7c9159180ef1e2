//! What is told of a search.

use std::time::Duration;

use crate::analysis::equal_by_symmetry;
use crate::book::BookMove;
use crate::notation::Note;
use crate::notation::ggf::Move;
use crate::search::{SearchResult, Selectivity};
use crate::{Board, Ply};

/// `search PV EVAL 0 DEPTH` for every move that `found` has of `board`, the best first.
pub(super) fn searches(found: &SearchResult, board: Board) -> Vec<String> {
    let depth = depth(found.depth, found.selectivity, board);
    let line = |score: i32, line: &[Ply]| format!("search {} {score} 0 {depth}", variation(line));
    if found.candidates.is_empty() {
        return vec![line(found.score, &found.line)];
    }
    let mut candidates = found.candidates.clone();
    equal_by_symmetry(board, &mut candidates);
    let lines = candidates.iter().map(|one| line(one.score, &one.line));
    lines.collect()
}

/// `book PV EVAL GAMES DEPTH` for every move that a book has of `board`; how many games it comes from is not known.
pub(super) fn book(moves: &[BookMove], board: Board) -> Vec<String> {
    let line = |one: &BookMove| {
        let depth = depth(one.depth, one.selectivity, board);
        format!("book {} {} 0 {depth}", variation(&[one.ply]), one.value)
    };
    moves.iter().map(line).collect()
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
fn depth(depth: u32, selectivity: Selectivity, board: Board) -> String {
    let to_end = depth >= board.empty_count();
    match to_end {
        true => selectivity.to_string(),
        false => depth.to_string(),
    }
}

/// Moves without blanks: `F5D6PA`.
fn variation(line: &[Ply]) -> String {
    let note = Note::default();
    let moves = line.iter().map(|&ply| Move { ply, note }.to_string());
    moves.collect()
}
