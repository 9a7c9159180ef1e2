//! The line of best play that an open-window search brings back.

use arrayvec::ArrayVec;

use crate::square::{Ply, Square};

/// Where a node's best line goes: a node with a null window keeps none.
pub(crate) trait BestLine: Default {
    /// Makes this line the move on the square of index `square` (0..=63), then `rest`.
    fn set_move(&mut self, square: u8, rest: &Self);
    /// Makes this line a pass, then `rest`.
    fn set_pass(&mut self, rest: &Self);
    /// Makes this line empty.
    fn clear(&mut self);
}

impl BestLine for () {
    fn set_move(&mut self, _: u8, (): &()) {}
    fn set_pass(&mut self, (): &()) {}
    fn clear(&mut self) {}
}

/// Moves and passes from a position on. A game has at most 64 moves and no two passes in a row, so
/// the room is enough for any.
#[derive(Clone, Default)]
pub(crate) struct Line(ArrayVec<Ply, 128>);

impl Line {
    fn set(&mut self, first: Ply, rest: &Line) {
        self.0.clear();
        self.0.push(first);
        self.0.extend(rest.0.iter().copied());
    }

    pub(crate) fn to_vec(&self) -> Vec<Ply> {
        self.0.to_vec()
    }
}

impl BestLine for Line {
    fn set_move(&mut self, square: u8, rest: &Line) {
        self.set(
            Some(Square::new(square).expect("a square of a move list")),
            rest,
        );
    }

    fn set_pass(&mut self, rest: &Line) {
        self.set(None, rest);
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
