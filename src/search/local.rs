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

use super::recursion::Recursion;
use crate::board::Board;
use crate::table::NO_MOVE;

/// The numbers of empty squares that the table is for.
pub(super) const MIN: u32 = 6;
pub(super) const MAX: u32 = 12;

/// The number of empty squares with which solid discs are looked for: with more, too few boards have any,
/// with fewer, a search costs too little (docs/lab/nodes-per-second.md).
const SOLID_EMPTIES: u32 = 8;

/// Binary logarithms of the entries for each number of empty squares from [`MIN`] on. The more squares
/// are empty, the more a search saves that is not made again, and the fewer probes there are.
const LOGS: [u32; (MAX - MIN + 1) as usize] = [10, 11, 11, 11, 12, 13, 14];

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
pub(super) struct Known {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) moves: [u8; 2],
    /// Whether the table has the board.
    is_there: bool,
}

impl Known {
    /// Nothing.
    pub(super) const NOTHING: Known = Known {
        lower: -64,
        upper: 64,
        moves: [NO_MOVE; 2],
        is_there: false,
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

    /// Joins what was known before of the same board with `self`, which was found later: of each bound
    /// the tighter, but one that does not hold for the later board gives way. The later move comes
    /// first.
    fn join(self, known: &Entry) -> Entry {
        let added = self.lower.added;
        let keep_lower = self.lower.score == -64
            || added <= known.lower.added && known.lower.score > self.lower.score;
        let keep_upper = self.upper.score == 64
            || added >= known.upper.added && known.upper.score < self.upper.score;
        Entry {
            board: self.board,
            lower: if keep_lower { known.lower } else { self.lower },
            upper: if keep_upper { known.upper } else { self.upper },
            moves: match (self.moves[0], known.moves[0]) {
                (new, old) if new == old => known.moves,
                moves => moves.into(),
            },
        }
    }
}

/// The table.
pub(crate) struct Local(Box<[Entry]>);

impl Local {
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
    pub(crate) fn new() -> Local {
        Local(vec![Local::NONE; STARTS[LOGS.len()]].into())
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.0.fill(Local::NONE);
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
    /// The key of a board with `empties` empty squares, [`MIN`] to [`MAX`].
    #[inline(always)]
    pub(super) fn new<I: Recursion>(isa: I, board: Board, empties: u32) -> Key {
        let (mut board, mut added) = (board, 0);
        if empties == SOLID_EMPTIES {
            let solid = isa.solid_discs(board.player, board.opponent) & board.opponent;
            board.player ^= solid;
            board.opponent ^= solid;
            added = 2 * solid.count_ones() as u8;
        }
        let hash = isa.board_hash(board.player, board.opponent) as usize;
        let row = (empties - MIN) as usize;
        Key {
            board,
            place: STARTS[row] + hash % (1 << LOGS[row]),
            added,
        }
    }

    /// What the table knows.
    #[inline(always)]
    pub(super) fn probe(&self, table: &Local) -> Known {
        let entry = &table.0[self.place];
        if entry.board != self.board {
            return Known::NOTHING;
        }
        let (lower, upper) = entry.bounds(self.added);
        Known {
            lower,
            upper,
            moves: entry.moves,
            is_there: true,
        }
    }

    /// Stores that a search found `score`: a lower bound where it is over `alpha`, an upper bound where
    /// it is under `beta`, exact where it is both. `known` is what the table said before that search,
    /// which went to no other board with as many empty squares: an entry that was not this board's still
    /// is not, and need not be read again.
    #[inline(always)]
    pub(super) fn store(
        &self,
        table: &mut Local,
        known: Known,
        (alpha, beta): (i32, i32),
        score: i32,
        best: u8,
    ) {
        let lower = if score > alpha { score } else { -64 };
        let upper = if score < beta { score } else { 64 };
        let found = Entry::new(self.board, lower, upper, self.added, best);
        let slot = &mut table.0[self.place];
        debug_assert_eq!(slot.board == self.board, known.is_there);
        *slot = match known.is_there {
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
