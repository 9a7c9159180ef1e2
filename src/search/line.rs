//! The principal variation that an open-window search returns.

use arrayvec::ArrayVec;

use crate::square::{Ply, Square};

/// Storage of a node's best line. A node with a null window stores none.
pub(crate) trait BestLine: Default {
    /// Sets this line to a move followed by `rest`.
    fn set_move(&mut self, square: Square, rest: &Self);
    /// Sets this line to a pass followed by `rest`.
    fn set_pass(&mut self, rest: &Self);
    fn clear(&mut self);
}

impl BestLine for () {
    fn set_move(&mut self, _: Square, (): &()) {}
    fn set_pass(&mut self, (): &()) {}
    fn clear(&mut self) {}
}

/// Moves and passes from a position on. A game has at most 64 moves and no two passes in a row, so
/// every line fits.
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
    fn set_move(&mut self, square: Square, rest: &Line) {
        self.set(Some(square), rest);
    }

    fn set_pass(&mut self, rest: &Line) {
        self.set(None, rest);
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
