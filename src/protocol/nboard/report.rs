//! Lines that report search results and book moves.

use std::time::{Duration, Instant};

use crate::analysis::equalize_symmetric_scores;
use crate::book::BookMove;
use crate::notation::Note;
use crate::notation::ggf::GgfMove;
use crate::search::{SearchResult, Selectivity};
use crate::{Board, Ply};

/// Lines `search PV EVAL 0 DEPTH`, the best move first.
pub(super) fn searches(result: &SearchResult, board: Board) -> Vec<String> {
    let depth = depth(result.depth, result.selectivity, board);
    let line = |score: i32, line: &[Ply]| format!("search {} {score} 0 {depth}", variation(line));
    if result.candidates.is_empty() {
        return vec![line(result.score, &result.line)];
    }
    let mut candidates = result.candidates.clone();
    equalize_symmetric_scores(board, &mut candidates);
    let lines = candidates
        .iter()
        .map(|candidate| line(candidate.score, &candidate.line));
    lines.collect()
}

/// Lines `book PV EVAL GAMES DEPTH`. The number of games is unknown and written as 0.
pub(super) fn book(moves: &[BookMove], board: Board) -> Vec<String> {
    let line = |known: &BookMove| {
        let depth = depth(known.depth, known.selectivity, board);
        format!("book {} {} 0 {depth}", variation(&[known.ply]), known.score)
    };
    moves.iter().map(line).collect()
}

/// Line `nodestats NODES SECONDS`.
pub(super) fn nodes(result: &SearchResult) -> String {
    format!("nodestats {} {}", result.nodes, rounded(result.time))
}

/// Note of a move that was requested at `start` and is chosen now.
pub(super) fn note(score: i32, start: Instant) -> Note {
    Note {
        eval: Some(score.into()),
        seconds: Some(rounded(start.elapsed())),
    }
}

/// Seconds, truncated to milliseconds.
fn rounded(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Depth in plies. A search to the end has its selectivity in percent instead.
fn depth(depth: u32, selectivity: Selectivity, board: Board) -> String {
    let to_end = depth >= board.empty_count();
    match to_end {
        true => selectivity.to_string(),
        false => depth.to_string(),
    }
}

/// Plies without blanks: `F5D6PA`.
fn variation(line: &[Ply]) -> String {
    let note = Note::default();
    let moves = line.iter().map(|&ply| GgfMove { ply, note }.to_string());
    moves.collect()
}
