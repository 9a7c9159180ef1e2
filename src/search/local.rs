//! The table of one thread for boards with few empty squares.
//!
//! So many of them are searched that a large table would mostly be waited for: what most probes go to stays
//! in the second cache. What is stored is exact, the latest board in place of any other (after the local tables
//! of Egaroucid and Edax AVX).
//!
//! Boards that differ only in the colour of solid discs share an entry: with the solid discs given to
//! the mover, their colour no longer matters to play. Theirs are the scores of the stored board less
//! what those discs added, but for one thing: where a game ends with empty squares, they go to the
//! winner, and the discs may decide who that is. The more was added, the lower the true score comes
//! out beside the stored one, so a lower bound holds only for boards to which no more was added than to
//! the one that it was found for, and an upper bound for those to which no less was.

use outflank_kernels::Kernels;

use crate::board::Board;
use crate::table::{NO_MOVE, proven_bounds};

/// The fewest empty squares of a board in the table.
pub(super) const MIN_EMPTIES: u32 = 6;

/// The most, which are also the most with which a solve does without an evaluation.
pub(super) const MAX_EMPTIES: u32 = 12;

/// The number of empty squares with which solid discs are looked for: with more, too few boards have any,
/// with fewer, a search costs too little (docs/lab/nodes-per-second.md).
const SOLID_EMPTIES: u32 = 8;

/// Binary logarithms of the entries for each number of empty squares from [`MIN_EMPTIES`] on. The more squares
/// are empty, the more a search saves that is not made again, and the fewer probes there are.
const LOGS: [u32; (MAX_EMPTIES - MIN_EMPTIES + 1) as usize] = [10, 11, 11, 11, 12, 13, 14];

/// Where the entries for each number of empty squares begin, and where the last ones end.
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

/// A bound of the stored board's score, and what was added to that of the board it was found for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    score: i8,
    added: u8,
}

/// What is known of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    board: Board,
    lower: Bound,
    upper: Bound,
    /// The best move and the one that was best before it, or [`NO_MOVE`].
    moves: [u8; 2],
}

/// What the table says of a board: bounds of its own score, and the moves to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Probe {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) moves: [u8; 2],
    /// Whether the table has the board.
    is_hit: bool,
}

impl Probe {
    /// The table does not have the board.
    pub(super) const MISS: Probe = Probe {
        lower: -64,
        upper: 64,
        moves: [NO_MOVE; 2],
        is_hit: false,
    };
}

impl Entry {
    /// What a search found: that the score of a board is in `lower..=upper`, -64 and 64 where it found
    /// nothing, that `best` is its best move, and that solid discs added `added` to the score of the
    /// stored board.
    fn new(board: Board, lower: i32, upper: i32, added: u8, best: u8) -> Entry {
        let bound = |score: i32, unknown: i32| Bound {
            score: if score == unknown {
                score
            } else {
                (score + i32::from(added)).min(64)
            } as i8,
            added,
        };
        Entry {
            board,
            lower: bound(lower, -64),
            upper: bound(upper, 64),
            moves: [best, NO_MOVE],
        }
    }

    /// The bounds of a board to which solid discs added `added`.
    #[inline(always)]
    fn bounds(&self, added: u8) -> (i32, i32) {
        let own = |bound: Bound| i32::from(bound.score) - i32::from(added);
        let lower = if added <= self.lower.added {
            own(self.lower).max(-64)
        } else {
            -64
        };
        let upper = if added >= self.upper.added {
            own(self.upper).min(64)
        } else {
            64
        };
        (lower, upper)
    }

    /// Joins the `old` entry of the same board with `self`, which was found later. Of each bound the tighter
    /// is kept, unless it does not hold for the later board. The later move comes first.
    fn join(self, old: &Entry) -> Entry {
        let added = self.lower.added;
        let keep_lower = self.lower.score == -64
            || added <= old.lower.added && old.lower.score > self.lower.score;
        let keep_upper = self.upper.score == 64
            || added >= old.upper.added && old.upper.score < self.upper.score;
        Entry {
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

/// The table.
pub(crate) struct LocalTable(Box<[Entry]>);

impl LocalTable {
    /// Nothing: no board is full on both sides.
    const NONE: Entry = Entry {
        board: Board {
            player: u64::MAX,
            opponent: u64::MAX,
        },
        lower: Bound {
            score: -64,
            added: 0,
        },
        upper: Bound {
            score: 64,
            added: 0,
        },
        moves: [NO_MOVE; 2],
    };

    /// An empty table.
    pub(crate) fn new() -> LocalTable {
        LocalTable(vec![LocalTable::NONE; STARTS[LOGS.len()]].into())
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.0.fill(LocalTable::NONE);
    }
}

/// What a probe is made with: the board with solid discs given to the mover, and what that added to
/// its score.
#[derive(Clone, Copy)]
pub(super) struct Key {
    board: Board,
    place: usize,
    added: u8,
}

impl Key {
    /// The key of a board with `empties` empty squares, [`MIN_EMPTIES`] to [`MAX_EMPTIES`].
    #[inline(always)]
    pub(super) fn new<I: Kernels>(isa: I, board: Board, empties: u32) -> Key {
        let (mut board, mut added) = (board, 0);
        if empties == SOLID_EMPTIES {
            let solid = isa.solid_discs(board.player, board.opponent) & board.opponent;
            board.player ^= solid;
            board.opponent ^= solid;
            added = 2 * solid.count_ones() as u8;
        }
        let hash = isa.board_hash(board.player, board.opponent) as usize;
        let row = (empties - MIN_EMPTIES) as usize;
        Key {
            board,
            place: STARTS[row] + hash % (1 << LOGS[row]),
            added,
        }
    }

    /// What the table has of the board.
    #[inline(always)]
    pub(super) fn probe(&self, table: &LocalTable) -> Probe {
        let entry = &table.0[self.place];
        if entry.board != self.board {
            return Probe::MISS;
        }
        let (lower, upper) = entry.bounds(self.added);
        Probe {
            lower,
            upper,
            moves: entry.moves,
            is_hit: true,
        }
    }

    /// Stores that a search found `score`: a lower bound where it is above `alpha`, an upper bound where
    /// it is below `beta`, exact where it is both. `probe` is what the table said before that search,
    /// which went to no other board with as many empty squares: an entry that was not this board's still
    /// is not, and need not be read again.
    #[inline(always)]
    pub(super) fn store(
        &self,
        table: &mut LocalTable,
        probe: Probe,
        window: (i32, i32),
        score: i32,
        best: u8,
    ) {
        let (lower, upper) = proven_bounds(score, window);
        let found = Entry::new(self.board, lower, upper, self.added, best);
        let slot = &mut table.0[self.place];
        debug_assert_eq!(slot.board == self.board, probe.is_hit);
        *slot = match probe.is_hit {
            true => found.join(slot),
            false => found,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_serves_only_the_boards_it_holds_for() {
        let new = |lower, upper, added| Entry::new(Board::START, lower, upper, added, 1);
        // Found for boards to which solid discs added 4: their scores are in 2..=6.
        let known = new(2, 64, 4).join(&new(-64, 6, 4));
        assert_eq!(known.bounds(4), (2, 6));
        assert_eq!(known.bounds(2), (4, 64));
        assert_eq!(known.bounds(6), (-64, 4));
        // A later bound for another board gives way only to a tighter one that holds for it too.
        assert_eq!(new(0, 64, 6).join(&known).bounds(6), (0, 4));
        assert_eq!(new(0, 64, 2).join(&known).bounds(2), (4, 64));
    }
}
