//! The principal variation that an open-window search returns.

use arrayvec::ArrayVec;

use crate::square::Ply;

/// Storage of a node's best line. Its type is that of the node: `()` for a null window, which needs no line, and
/// [`Line`] for an open window. So both types of node are known at compile time.
pub(crate) trait BestLine: Default {
    /// `true` for an open window, in which the exact score and its line matter.
    const OPEN: bool;

    /// The line of an open window.
    fn as_open(&mut self) -> Option<&mut Line>;

    /// Sets this line to a ply followed by `rest`.
    fn set(&mut self, first: Ply, rest: &Self);

    fn clear(&mut self);
}

impl BestLine for () {
    const OPEN: bool = false;

    #[inline(always)]
    fn as_open(&mut self) -> Option<&mut Line> {
        None
    }

    fn set(&mut self, _: Ply, (): &()) {}

    fn clear(&mut self) {}
}

/// Moves and passes from a position on. A game has at most 64 moves and no two passes in a row, so
/// every line fits.
#[derive(Clone, Default)]
pub(crate) struct Line(ArrayVec<Ply, 128>);

impl Line {
    pub(crate) fn to_vec(&self) -> Vec<Ply> {
        self.0.to_vec()
    }
}

impl BestLine for Line {
    const OPEN: bool = true;

    #[inline(always)]
    fn as_open(&mut self) -> Option<&mut Line> {
        Some(self)
    }

    fn set(&mut self, first: Ply, rest: &Line) {
        self.0.clear();
        self.0.push(first);
        self.0.extend(rest.0.iter().copied());
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
