//! The line of best play that an open-window search brings back.

use arrayvec::ArrayVec;

use crate::square::{Ply, Square};

/// Moves and passes from a position on, best play for both. A game has 60 moves and no two passes in
/// a row, so the room is enough for any.
#[derive(Clone, Default)]
pub(crate) struct Line(ArrayVec<Ply, 122>);

impl Line {
    /// Makes this line `first` and then `rest`.
    pub(crate) fn set(&mut self, first: Ply, rest: &Line) {
        self.0.clear();
        self.0.push(first);
        self.0.extend(rest.0.iter().copied());
    }

    /// Makes this line the one move on the square of index `square` (0..=63).
    pub(crate) fn set_move(&mut self, square: u8, rest: &Line) {
        self.set(
            Some(Square::new(square).expect("a square of a move list")),
            rest,
        );
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn to_vec(&self) -> Vec<Ply> {
        self.0.to_vec()
    }
}
