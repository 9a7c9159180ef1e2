//! An entry of the table, and how it is packed into a word.

/// The value of [`Entry::moves`] where there is no move.
pub(crate) const NO_MOVE: u8 = 64;

/// What a fail-soft `score` of a search in the window from `alpha` to `beta` proves: a lower and an upper
/// bound, -64 and 64 where it proves none.
#[inline(always)]
pub(crate) fn proven_bounds(score: i32, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let lower = if score > alpha { score } else { -64 };
    let upper = if score < beta { score } else { 64 };
    (lower, upper)
}

/// How deep a search was, and how selective.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Draft {
    /// Plies; all empty squares where it went to the end of the game.
    pub(crate) depth: u8,
    /// The rank of a [`Selectivity`](crate::search::Selectivity), or 0 below all; more is more certain.
    pub(crate) selectivity: u8,
}

impl Draft {
    /// Whether a search with this draft is deeper than one with `other`, or as deep and more certain.
    fn is_past(self, other: Draft) -> bool {
        (self.depth, self.selectivity) > (other.depth, other.selectivity)
    }

    /// The draft of the children of a node with this one.
    #[inline(always)]
    pub(crate) fn one_ply_less(self) -> Draft {
        Draft {
            depth: self.depth - 1,
            ..self
        }
    }

    /// Whether a result with this draft is good enough for a search with `other`.
    #[inline(always)]
    pub(crate) fn covers(self, other: Draft) -> bool {
        self.depth >= other.depth && self.selectivity >= other.selectivity
    }
}

/// A search result of a board: bounds of the score for the side to move, their draft, the best moves, the
/// cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    lower: i8,
    upper: i8,
    /// The draft that both bounds hold for.
    pub(crate) draft: Draft,
    /// The best move and the one that was best before it, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
    /// The binary logarithm of the nodes that the search took.
    pub(super) cost: u8,
}

impl Entry {
    /// What a search of `nodes` nodes (1 or more) found: that the score is in `lower..=upper`, -64 and
    /// 64 where it found nothing, and that `best` is the best move, or [`NO_MOVE`].
    pub(crate) fn new(lower: i32, upper: i32, draft: Draft, best: u8, nodes: u64) -> Entry {
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            draft,
            moves: [best, NO_MOVE],
            cost: nodes.ilog2() as u8,
        }
    }

    /// The lower and the upper bound of the score.
    #[inline(always)]
    pub(crate) fn bounds(self) -> (i32, i32) {
        (self.lower.into(), self.upper.into())
    }

    /// Joins the `old` entry of a board with `self`, which was found later: the tighter bounds where both
    /// have the same draft, otherwise the bounds of the deeper draft. Its move comes first; of the same draft
    /// the later one. What has no move takes the other's.
    ///
    /// The later entry often has the lower draft: shallow searches for selective cuts, and the first searches
    /// for the next move of a game, visit boards that deep searches have visited.
    pub(super) fn join(self, old: Entry) -> Entry {
        let (first, second) = match old.draft.is_past(self.draft) {
            true => (old, self),
            false => (self, old),
        };
        let same = self.draft == old.draft;
        Entry {
            lower: if same {
                self.lower.max(old.lower)
            } else {
                first.lower
            },
            upper: if same {
                self.upper.min(old.upper)
            } else {
                first.upper
            },
            draft: first.draft,
            moves: match (first.moves[0], second.moves[0]) {
                (one, other) if one == other => old.moves,
                (NO_MOVE, _) => second.moves,
                (_, NO_MOVE) => first.moves,
                moves => moves.into(),
            },
            cost: old.cost.max(self.cost),
        }
    }

    /// The entry as a word of a table in `generation`.
    pub(super) fn pack(self, generation: Generation) -> u64 {
        let Draft { depth, selectivity } = self.draft;
        let low = u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.moves[0],
            self.moves[1],
            self.cost,
            depth,
            0,
            0,
        ]);
        let high = u64::from(generation.0) << SELECTIVITY_BITS | u64::from(selectivity);
        high << 48 | low
    }

    pub(super) fn unpack(word: u64) -> Entry {
        let [lower, upper, first, second, cost, depth, high, _] = word.to_le_bytes();
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            draft: Draft {
                depth,
                selectivity: high & ((1 << SELECTIVITY_BITS) - 1),
            },
            moves: [first, second],
            cost,
        }
    }
}

/// Bits of a packed entry that hold its selectivity. Those above them hold its generation.
const SELECTIVITY_BITS: u32 = 3;

/// Which entries are valid: those of the table's present generation. No entry has generation 0, so that
/// memory of zeros is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Generation(pub(super) u16);

impl Generation {
    pub(super) const FIRST: Generation = Generation(1);
    /// All bits that a packed entry has for it.
    pub(super) const LAST: Generation = Generation(u16::MAX >> SELECTIVITY_BITS);

    /// The generation of a packed entry.
    #[inline(always)]
    pub(super) fn of(word: u64) -> Generation {
        Generation((word >> (48 + SELECTIVITY_BITS)) as u16)
    }
}
