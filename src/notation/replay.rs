//! The positions of a game, from its moves.

use super::Side;
use crate::{Board, Square};

/// A move of a game that its position does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {ply}, {square}, is not legal")]
pub struct IllegalMove {
    /// The move, from 1.
    pub ply: usize,
    /// Where it was played.
    pub square: Square,
}

/// The starting position and the position after every move, with the side that is to move: where a
/// side has to pass, the pass is made. Item `n` has `60 - n` empty squares.
pub fn replay(moves: &[Square]) -> Result<Vec<(Board, Side)>, IllegalMove> {
    let mut position = (Board::START, Side::Black);
    let mut positions = vec![position];
    for (index, &square) in moves.iter().enumerate() {
        let ply = index + 1;
        position = step(position, square).ok_or(IllegalMove { ply, square })?;
        positions.push(position);
    }
    Ok(positions)
}

/// The position after a move on `square`, with the side that is to move: where the other side has to
/// pass, the pass is made. `None` if the move is not legal.
pub fn step((board, side): (Board, Side), square: Square) -> Option<(Board, Side)> {
    let next = board.play(square)?;
    Some(match next.must_pass() {
        true => (next.pass(), side),
        false => (next, side.other()),
    })
}
