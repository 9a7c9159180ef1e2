//! Moves of a position with their values by a book. Moves to positions that are equal up to symmetry have equal values.

use std::collections::HashMap;

use outflank::book::BookMove;
use outflank::kernels::levels::portable::canonical;
use outflank::{Board, Ply, Square};

/// The moves that a book knows, and those to positions that are equal to theirs up to symmetry, the best first.
pub(super) fn with_symmetric_moves(board: Board, known: &[BookMove]) -> Vec<BookMove> {
    let classes = known.iter().map(|one| (class(board, one.ply), *one));
    let classes: HashMap<_, _> = classes.collect();
    let pass = board.must_pass().then_some(None);
    let plies = Square::all_in(board.mobility()).map(Some).chain(pass);
    let moves = plies.filter_map(|ply| {
        let known = *classes.get(&class(board, ply))?;
        Some(BookMove { ply, ..known })
    });
    let mut moves: Vec<BookMove> = moves.collect();
    moves.sort_by_key(|one| -one.value);
    moves
}

/// Canonical position after a ply.
fn class(board: Board, ply: Ply) -> [u64; 2] {
    let next = ply.map_or(Some(board.pass()), |square| board.play(square));
    let Board { player, opponent } = next.expect("a legal move");
    canonical::selected(player, opponent)
}
