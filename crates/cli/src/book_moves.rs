//! Book scores of moves. Moves to positions that are equal up to symmetry have equal scores.

use std::collections::HashMap;

use outflank::book::BookMove;
use outflank::kernels::levels::portable::canonical;
use outflank::{Board, Ply, Square};

/// Adds the symmetric equivalents to the known moves of a book. Returns all moves, best first.
pub(super) fn with_symmetric_moves(board: Board, known: &[BookMove]) -> Vec<BookMove> {
    let known = known.iter();
    let classes: HashMap<_, _> = known
        .map(|entry| (class(board, entry.ply), *entry))
        .collect();
    let pass = board.must_pass().then_some(None);
    let plies = Square::all_in(board.mobility()).map(Some).chain(pass);
    let moves = plies.filter_map(|ply| {
        let known = *classes.get(&class(board, ply))?;
        Some(BookMove { ply, ..known })
    });
    let mut moves: Vec<BookMove> = moves.collect();
    moves.sort_by_key(|entry| -entry.score);
    moves
}

/// Canonical position after a ply.
fn class(board: Board, ply: Ply) -> [u64; 2] {
    let next = ply.map_or(Some(board.pass()), |square| board.play(square));
    let Board { player, opponent } = next.expect("a legal move");
    canonical::selected(player, opponent)
}
