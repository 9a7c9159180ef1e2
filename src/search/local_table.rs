//! The local table: one thread's results for boards with few empty squares.
//!
//! A search visits so many of these boards that a large table would stall on memory. The most frequent probes of this
//! table stay in the second-level cache. All results are of exact searches. A new board always replaces the old one, as
//! in the local tables of Egaroucid and Edax AVX.
//!
//! Boards that differ only in the colour of solid discs share an entry. The key gives all solid discs to the mover,
//! since their colour no longer influences the moves. Except in the case below, a board's score is the stored score
//! minus the contribution of the added discs.
//!
//! The exception: if a game ends with empty squares, they go to the winner, and the added discs may change the winner.
//! A board with more added discs may then score less than this difference, and a board with fewer may score more. So a
//! lower bound holds only for boards with as many added discs as the searched board, or fewer. An upper bound holds
//! only for boards with as many or more.

use outflank_kernels::Kernels;

use super::window::Window;
use crate::board::Board;
use crate::table::OptionalSquare;

/// The minimum number of empty squares of boards in the table.
pub(super) const MIN_LOCAL_EMPTIES: u32 = 6;

/// The maximum number of empty squares of boards in the table, and of searches without an evaluation.
pub(super) const MAX_LOCAL_EMPTIES: u32 = 12;

/// The number of empty squares at which solid discs are computed. With more empty squares too few boards have any;
/// with fewer a search costs too little (docs/lab/speed.md).
const SOLID_EMPTIES: u32 = 8;

/// Binary logarithms of the entries for each number of empty squares from [`MIN_LOCAL_EMPTIES`] on. With more empty
/// squares a hit saves more nodes, and there are fewer probes.
const LOGS: [u32; (MAX_LOCAL_EMPTIES - MIN_LOCAL_EMPTIES + 1) as usize] =
    [10, 11, 11, 11, 12, 13, 14];

/// The index of the first entry for each number of empty squares, then the number of all entries.
const STARTS: [usize; LOGS.len() + 1] = starts();

const fn starts() -> [usize; LOGS.len() + 1] {
    let mut all = [0; LOGS.len() + 1];
    let mut row = 0;
    while row < LOGS.len() {
        all[row + 1] = all[row] + (1 << LOGS[row]);
        row += 1;
    }
    all
}

/// A bound of the stored board's score, and the contribution of the added discs in the search that found the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LocalBound {
    score: i8,
    added: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LocalEntry {
    board: Board,
    lower: LocalBound,
    upper: LocalBound,
    /// The latest best move, and the best move before that one.
    moves: [OptionalSquare; 2],
}

/// The result of a probe: bounds of the board's own score, and the moves to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LocalProbe {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) moves: [OptionalSquare; 2],
    is_hit: bool,
}

impl LocalProbe {
    pub(super) const MISS: LocalProbe = LocalProbe {
        lower: -64,
        upper: 64,
        moves: [OptionalSquare::NONE; 2],
        is_hit: false,
    };
}

impl LocalEntry {
    /// Creates the entry of a search that found a score in `lower..=upper`, with -64 and 64 for unknown bounds. `board`
    /// is the stored board; its added discs contribute `added` to its score.
    fn new(
        board: Board,
        (lower, upper): (i32, i32),
        added: u8,
        best: OptionalSquare,
    ) -> LocalEntry {
        let bound = |score: i32, unknown: i32| {
            let stored_score = match score == unknown {
                true => unknown,
                false => (score + i32::from(added)).min(64),
            };
            let score = stored_score as i8;
            LocalBound { score, added }
        };
        LocalEntry {
            board,
            lower: bound(lower, -64),
            upper: bound(upper, 64),
            moves: [best, OptionalSquare::NONE],
        }
    }

    /// An empty slot. Its board, with every square held by both sides, matches no other.
    fn none() -> LocalEntry {
        let board = Board {
            player: u64::MAX,
            opponent: u64::MAX,
        };
        LocalEntry::new(board, (-64, 64), 0, OptionalSquare::NONE)
    }

    /// The bounds of the score of a board whose added discs contribute `added`. A stored bound that does not hold for
    /// this board counts as unknown, -64 or 64.
    #[inline(always)]
    fn bounds(&self, added: u8) -> (i32, i32) {
        let own_score = |bound: LocalBound| i32::from(bound.score) - i32::from(added);
        let (mut lower, mut upper) = (-64, 64);
        if added <= self.lower.added {
            lower = own_score(self.lower).max(-64);
        }
        if added >= self.upper.added {
            upper = own_score(self.upper).min(64);
        }
        (lower, upper)
    }

    /// Joins `self` with the `old` entry of the same stored board. An old bound is kept if it is tighter and holds for
    /// the board of `self`, or if `self` has no such bound. The move of `self` comes first.
    fn join(self, old: &LocalEntry) -> LocalEntry {
        let added = self.lower.added;
        let keep_lower = self.lower.score == -64
            || added <= old.lower.added && old.lower.score > self.lower.score;
        let keep_upper = self.upper.score == 64
            || added >= old.upper.added && old.upper.score < self.upper.score;
        LocalEntry {
            board: self.board,
            lower: if keep_lower { old.lower } else { self.lower },
            upper: if keep_upper { old.upper } else { self.upper },
            moves: match (self.moves[0], old.moves[0]) {
                (new, before) if new == before => old.moves,
                moves => moves.into(),
            },
        }
    }
}

pub(crate) struct LocalTable(Box<[LocalEntry]>);

impl LocalTable {
    pub(crate) fn new() -> LocalTable {
        LocalTable(vec![LocalEntry::none(); STARTS[LOGS.len()]].into())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(LocalEntry::none());
    }
}

/// The key of a board: the board with its solid discs given to the mover, its slot, and the contribution of the added
/// discs to the score.
#[derive(Clone, Copy)]
pub(super) struct LocalKey {
    board: Board,
    slot: usize,
    added: u8,
}

impl LocalKey {
    /// The key of a board with `empties` empty squares, [`MIN_LOCAL_EMPTIES`] to [`MAX_LOCAL_EMPTIES`].
    #[inline(always)]
    pub(super) fn new<I: Kernels>(isa: I, board: Board, empties: u32) -> LocalKey {
        let (mut board, mut added) = (board, 0);
        if empties == SOLID_EMPTIES {
            let solid = isa.solid_discs(board.player, board.opponent) & board.opponent;
            board.player ^= solid;
            board.opponent ^= solid;
            added = 2 * solid.count_ones() as u8;
        }
        let hash = isa.board_hash(board.player, board.opponent) as usize;
        let row = (empties - MIN_LOCAL_EMPTIES) as usize;
        LocalKey {
            board,
            slot: STARTS[row] + hash % (1 << LOGS[row]),
            added,
        }
    }

    #[inline(always)]
    pub(super) fn probe(&self, table: &LocalTable) -> LocalProbe {
        let entry = &table.0[self.slot];
        if entry.board != self.board {
            return LocalProbe::MISS;
        }
        let (lower, upper) = entry.bounds(self.added);
        LocalProbe {
            lower,
            upper,
            moves: entry.moves,
            is_hit: true,
        }
    }

    /// Stores the `score` of a search in `window`. `probe` is the result of the probe before that search. The search
    /// stored no board with this number of empty squares, so the slot has not changed since the probe.
    #[inline(always)]
    pub(super) fn store(
        &self,
        table: &mut LocalTable,
        probe: LocalProbe,
        window: Window,
        score: i32,
        best: OptionalSquare,
    ) {
        let entry = LocalEntry::new(self.board, window.proven_bounds(score), self.added, best);
        let slot = &mut table.0[self.slot];
        debug_assert_eq!(slot.board == self.board, probe.is_hit);
        *slot = match probe.is_hit {
            true => entry.join(slot),
            false => entry,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_serve_only_the_boards_they_hold_for() {
        let new = |lower, upper, added| {
            LocalEntry::new(Board::START, (lower, upper), added, OptionalSquare::NONE)
        };
        // The added discs contribute 4 in the searched boards, whose scores are in 2..=6.
        let known = new(2, 64, 4).join(&new(-64, 6, 4));
        assert_eq!(known.bounds(4), (2, 6));
        assert_eq!(known.bounds(2), (4, 64));
        assert_eq!(known.bounds(6), (-64, 4));
        // A later bound is replaced only by a tighter one that also holds for its board.
        assert_eq!(new(0, 64, 6).join(&known).bounds(6), (0, 4));
        assert_eq!(new(0, 64, 2).join(&known).bounds(2), (4, 64));
    }
}
