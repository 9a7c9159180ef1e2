//! Table entries, packed into a word, and their depth.

use super::optional_square::OptionalSquare;

/// A search result of a board: bounds of the mover's score, their depth, the best moves and the cost of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    lower: i8,
    upper: i8,
    /// The depth of both bounds.
    pub(crate) depth: SearchDepth,
    /// The moves to try first. The second is the best move of another search.
    pub(crate) moves: [OptionalSquare; 2],
    /// The binary logarithm of the nodes that the search took.
    pub(super) cost: u8,
}

impl TableEntry {
    /// Creates the entry of a search of `nodes` nodes (1 or more). The score is in `lower..=upper`, with -64 and 64 for
    /// unknown bounds.
    pub(crate) fn new(
        (lower, upper): (i32, i32),
        depth: SearchDepth,
        best: OptionalSquare,
        nodes: u64,
    ) -> TableEntry {
        TableEntry {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            moves: [best, OptionalSquare::NONE],
            cost: nodes.ilog2() as u8,
        }
    }

    /// The lower and the upper bound of the score.
    #[inline(always)]
    pub(crate) fn bounds(self) -> (i32, i32) {
        (self.lower.into(), self.upper.into())
    }

    /// Joins `self` with the `old` entry of the same board. Bounds of equal depth are intersected; otherwise the deeper
    /// entry's bounds stay. The deeper entry's move comes first; at equal depth it is that of `self`. A missing move is
    /// taken from the other entry.
    ///
    /// `self` often has less depth than `old`. Shallow searches for selective cuts revisit boards of deep searches. So
    /// do the first iterations for the next move of a game.
    pub(super) fn join(self, old: TableEntry) -> TableEntry {
        let (first, second) = match old.depth.exceeds(self.depth) {
            true => (old, self),
            false => (self, old),
        };
        let (lower, upper) = match self.depth == old.depth {
            true => (self.lower.max(old.lower), self.upper.min(old.upper)),
            false => (first.lower, first.upper),
        };
        TableEntry {
            lower,
            upper,
            depth: first.depth,
            moves: match (first.moves[0], second.moves[0]) {
                (best, other) if best == other => old.moves,
                (OptionalSquare::NONE, _) => second.moves,
                (_, OptionalSquare::NONE) => first.moves,
                moves => moves.into(),
            },
            cost: old.cost.max(self.cost),
        }
    }

    /// Packs the entry into a word, with the table's `generation`.
    pub(super) fn pack(self, generation: Generation) -> u64 {
        let SearchDepth { plies, selectivity } = self.depth;
        let low = u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.moves[0].to_byte(),
            self.moves[1].to_byte(),
            self.cost,
            plies,
            0,
            0,
        ]);
        let high = u64::from(generation.0) << SELECTIVITY_BITS | u64::from(selectivity);
        high << 48 | low
    }

    pub(super) fn unpack(word: u64) -> TableEntry {
        let [lower, upper, first, second, cost, plies, high, _] = word.to_le_bytes();
        TableEntry {
            lower: lower as i8,
            upper: upper as i8,
            depth: SearchDepth {
                plies,
                selectivity: high & ((1 << SELECTIVITY_BITS) - 1),
            },
            moves: [first, second].map(OptionalSquare::from_byte),
            cost,
        }
    }
}

/// The number of bits for the selectivity in the upper 16 bits of a packed entry. The other bits are the generation.
const SELECTIVITY_BITS: u32 = 3;

/// The generation of an entry. Only entries of the table's present generation are valid. Generation 0 is never used, so
/// that zeroed memory is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Generation(pub(super) u16);

impl Generation {
    pub(super) const FIRST: Generation = Generation(1);
    /// The greatest generation that fits into a packed entry.
    pub(super) const LAST: Generation = Generation(u16::MAX >> SELECTIVITY_BITS);

    /// The generation of a packed entry.
    #[inline(always)]
    pub(super) fn unpack(word: u64) -> Generation {
        Generation((word >> (48 + SELECTIVITY_BITS)) as u16)
    }
}

/// Plies and selectivity of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SearchDepth {
    /// In a search to the end of the game, the number of empty squares.
    pub(crate) plies: u8,
    /// The rank of a [`Selectivity`](crate::search::Selectivity), or 0 for less confidence than any of them.
    pub(crate) selectivity: u8,
}

impl SearchDepth {
    /// Returns `true` if this depth has more plies than `other`, or as many plies and more confidence.
    fn exceeds(self, other: SearchDepth) -> bool {
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
