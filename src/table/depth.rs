//! The depth of a search.

/// Plies and selectivity of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SearchDepth {
    /// In a search to the end of the game, the number of empty squares.
    pub(crate) plies: u8,
    /// The rank of a [`Selectivity`](crate::search::Selectivity), or 0 below all; greater means more confidence.
    pub(crate) selectivity: u8,
}

impl SearchDepth {
    /// Returns `true` if this depth has more plies than `other`, or as many plies and more confidence.
    pub(super) fn exceeds(self, other: SearchDepth) -> bool {
        (self.plies, self.selectivity) > (other.plies, other.selectivity)
    }

    /// The depth of a node's children.
    #[inline(always)]
    pub(crate) fn one_ply_less(self) -> SearchDepth {
        SearchDepth {
            plies: self.plies - 1,
            ..self
        }
    }

    /// Returns `true` if a result of this depth can replace a search to the depth `other`.
    #[inline(always)]
    pub(crate) fn covers(self, other: SearchDepth) -> bool {
        self.plies >= other.plies && self.selectivity >= other.selectivity
    }
}
