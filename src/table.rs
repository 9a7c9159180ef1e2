//! The transposition table: whole boards and what is known of their scores, shared without locks.
//!
//! A slot keeps both bitboards, so that a result found is the board's own and an exact solve stays
//! exact. Its four words are written one by one; the fourth proves that the other three belong
//! together, so a slot that two threads write at once is a miss, never a wrong answer. Two slots share
//! a cache line, which is what a probe costs; it can be prefetched.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::{MmapOptions, MmapRaw};
use outflank_kernels::{Block, Isa, Token, with_isa};

use crate::board::Board;
use crate::search::SolverError;

/// The value of [`Entry::moves`] where there is no move.
pub(crate) const NO_MOVE: u8 = 64;

/// What is known of a board: bounds of its score for the side to move, the best move, the effort.
///
/// Boards that differ only in the colour of solid discs share an entry. Theirs are the scores of the
/// stored board less what those discs added, but for one thing: where a game ends with empty squares,
/// they go to the winner, and the discs may decide who that is. The more was added, the lower the true
/// score comes out beside the stored one, so a lower bound holds only for boards to which no more was
/// added than to the one that it was found for, and an upper bound for those to which no less was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    lower: Bound,
    upper: Bound,
    /// The best move and the one that was best before it, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
    /// The binary logarithm of the nodes that this knowledge cost.
    cost: u8,
}

/// A bound of the stored board's score, and what was added to that of the board it was found for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    score: i8,
    added: u8,
}

impl Entry {
    /// What a search of `nodes` nodes (1 or more) found: that the score of a board is in
    /// `lower..=upper`, -64 and 64 where it found nothing, that `best` is its best move, and that solid
    /// discs added `added` to the score of the stored board.
    pub(crate) fn new(lower: i32, upper: i32, added: u8, best: u8, nodes: u64) -> Entry {
        let bound = |score: i32, unknown: i32| Bound {
            score: if score == unknown {
                score
            } else {
                (score + i32::from(added)).min(64)
            } as i8,
            added,
        };
        Entry {
            lower: bound(lower, -64),
            upper: bound(upper, 64),
            moves: [best, NO_MOVE],
            cost: nodes.ilog2() as u8,
        }
    }

    /// The bounds of a board to which solid discs added `added`.
    #[inline(always)]
    pub(crate) fn bounds(self, added: u8) -> (i32, i32) {
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

    /// Joins what was known before with `self`, which was found later: of each bound the tighter, but
    /// one that does not hold for the later board gives way. The later move comes first.
    fn join(self, known: Entry) -> Entry {
        let added = self.lower.added;
        let keep_lower = self.lower.score == -64
            || added <= known.lower.added && known.lower.score > self.lower.score;
        let keep_upper = self.upper.score == 64
            || added >= known.upper.added && known.upper.score < self.upper.score;
        Entry {
            lower: if keep_lower { known.lower } else { self.lower },
            upper: if keep_upper { known.upper } else { self.upper },
            moves: match (self.moves[0], known.moves[0]) {
                (new, old) if new == old => known.moves,
                moves => moves.into(),
            },
            cost: known.cost.max(self.cost),
        }
    }

    fn pack(self) -> u64 {
        let [first, second] = self.moves;
        let (lower, upper) = (self.lower, self.upper);
        // The last byte tells an entry from an empty slot.
        u64::from_le_bytes([
            lower.score as u8,
            upper.score as u8,
            first,
            second,
            self.cost,
            lower.added,
            upper.added,
            1,
        ])
    }

    fn unpack(word: u64) -> Entry {
        let [
            lower,
            upper,
            first,
            second,
            cost,
            lower_added,
            upper_added,
            _,
        ] = word.to_le_bytes();
        Entry {
            lower: Bound {
                score: lower as i8,
                added: lower_added,
            },
            upper: Bound {
                score: upper as i8,
                added: upper_added,
            },
            moves: [first, second],
            cost,
        }
    }
}

/// One slot: mover, opponent, packed entry, proof.
#[repr(C, align(32))]
struct Slot([AtomicU64; 4]);

impl Slot {
    /// The fourth word of a slot that holds `board` and `data`. The multiplications spread bits that
    /// would otherwise meet those of a similar board or entry.
    fn proof(board: Board, data: u64) -> u64 {
        board.player
            ^ board.opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ data.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn read(&self, board: Board) -> Option<Entry> {
        let [player, opponent, data, proof] = &self.0;
        if player.load(Relaxed) != board.player || opponent.load(Relaxed) != board.opponent {
            return None;
        }
        let data = data.load(Relaxed);
        (proof.load(Relaxed) == Slot::proof(board, data) && data != 0).then(|| Entry::unpack(data))
    }

    fn write(&self, board: Board, entry: Entry) {
        let data = entry.pack();
        let words = [board.player, board.opponent, data, Slot::proof(board, data)];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Relaxed);
        }
    }

    fn cost(&self) -> u8 {
        Entry::unpack(self.0[2].load(Relaxed)).cost
    }
}

/// A cache line's worth of slots.
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// The table.
pub(crate) struct Table {
    memory: MmapRaw,
    /// The buckets that probes go to, from the first on.
    active: usize,
    /// The buckets that may hold something, from the first on.
    dirty: usize,
}

impl Table {
    /// An empty table of `mib` MiB.
    pub(crate) fn new(mib: usize) -> Result<Table, SolverError> {
        if mib == 0 {
            return Err(SolverError::NoTable);
        }
        let available = available_mib();
        let too_large = || SolverError::Memory {
            asked: mib,
            available,
        };
        let bytes = mib.checked_mul(1 << 20).ok_or_else(too_large)?;
        if mib > available {
            return Err(too_large());
        }
        let memory = MmapOptions::new()
            .len(bytes)
            .map_anon()
            .map_err(|_| too_large())?;
        // Probes are spread over all of the table: with small pages each would also miss the TLB.
        // Where the system cannot do better, small pages it is.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Table {
            memory: memory.into(),
            active: 1,
            dirty: 1,
        })
    }

    /// Makes ready for a board with `empties` empty squares: a small tree gets a small part of the
    /// table, which stays in the caches and is soon cleared again.
    pub(crate) fn fit(&mut self, empties: u32) {
        self.active = self.buckets().len().min(1 << empties.clamp(10, 31));
        self.dirty = self.dirty.max(self.active);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, token: Token) {
        let count = size_of::<Bucket>() / size_of::<Block>() * self.dirty;
        // SAFETY: a block is plain memory of any bit pattern. The map is aligned to a page and holds at
        // least `dirty` buckets; it lives as long as `self`, whose exclusive borrow says that nothing
        // else looks at it.
        let blocks = unsafe {
            std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast::<Block>(), count)
        };
        with_isa!(token, isa => isa.clear(blocks, [0; 4]));
        self.dirty = self.active;
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        let count = self.memory.len() / size_of::<Bucket>();
        // SAFETY: every bit pattern is a `Bucket`: atomics have the size and alignment of their words.
        // The map is aligned to a page and lives as long as `self`. Its pointer is raw, so writing
        // through these atomics is writing to memory that no plain reference covers: `clear` alone
        // makes one, and needs `&mut self`.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast::<Bucket>(), count) }
    }

    /// The bucket of a hash: its low half, in which both boards are, times the number of active buckets.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> &Bucket {
        let place = u128::from(hash.rotate_left(32)) * self.active as u128;
        &self.buckets()[(place >> 64) as usize]
    }

    /// Asks for the memory of `hash` before it is needed.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(hash);
            // SAFETY: prefetching reads nothing that a program can see; every x86-64 has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// What is known of `board`, whose hash is `hash`.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64, board: Board) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|slot| slot.read(board))
    }

    /// Keeps what a search found: that the score of `board` is at least (`lower`) or at most (`upper`)
    /// something, with its best move and its cost. Joined with what was known of the board; otherwise
    /// in place of what was cheaper.
    pub(crate) fn store(&self, hash: u64, board: Board, found: Entry) {
        let [first, second] = &self.bucket(hash).0;
        for slot in [first, second] {
            if let Some(known) = slot.read(board) {
                return slot.write(board, found.join(known));
            }
        }
        let slot = if first.cost() <= second.cost() {
            first
        } else {
            second
        };
        slot.write(board, found);
    }
}

/// MiB that the system can still give to this process; no limit where the system does not say.
fn available_mib() -> usize {
    let Ok(mut system) = sysinfo::System::new() else {
        return usize::MAX;
    };
    system.refresh_memory();
    let free = system.available_memory();
    let granted = system
        .cgroup_limits()
        .map_or(free, |limits| limits.free_memory);
    (free.min(granted) >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::Level;

    fn entry(lower: i32, upper: i32, best: u8, nodes: u64) -> Entry {
        Entry::new(lower, upper, 0, best, nodes)
    }

    #[test]
    fn bounds_are_joined_and_moves_kept() {
        let table = Table::new(1).unwrap();
        let board = Board::START;
        assert_eq!(table.probe(7, board), None);
        table.store(7, board, entry(-64, 10, 19, 8));
        table.store(7, board, entry(4, 64, 26, 32));
        table.store(7, board, entry(2, 64, 26, 2));
        let joined = table.probe(7, board).unwrap();
        assert_eq!(
            (joined.bounds(0), joined.moves, joined.cost),
            ((4, 10), [26, 19], 5)
        );
        assert_eq!(table.probe(7, board.pass()), None);
        // Two other boards in the same bucket: the costly knowledge stays.
        table.store(7, board.pass(), entry(0, 64, 1, 4));
        let third = Board {
            player: 1,
            opponent: 2,
        };
        table.store(7, third, entry(0, 64, 1, 1));
        assert_eq!(table.probe(7, board), Some(joined));
        assert_eq!(table.probe(7, board.pass()), None);
        assert_eq!(table.probe(7, third), Some(entry(0, 64, 1, 1)));
    }

    #[test]
    fn a_bound_serves_only_the_boards_it_holds_for() {
        // Found for boards to which solid discs added 4: their scores are in 2..=6.
        let known = Entry::new(2, 64, 4, 1, 1).join(Entry::new(-64, 6, 4, 1, 1));
        assert_eq!(known.bounds(4), (2, 6));
        assert_eq!(known.bounds(2), (4, 64));
        assert_eq!(known.bounds(6), (-64, 4));
        // A later bound for another board gives way only to a tighter one that holds for it too.
        assert_eq!(Entry::new(0, 64, 6, 1, 1).join(known).bounds(6), (0, 4));
        assert_eq!(Entry::new(0, 64, 2, 1, 1).join(known).bounds(2), (4, 64));
    }

    #[test]
    fn clearing_forgets_at_every_level() {
        for &level in Level::available() {
            let mut table = Table::new(2).unwrap();
            table.fit(60);
            let hashes = (0..64).map(|i| (i as u64) << 26);
            hashes
                .clone()
                .for_each(|hash| table.store(hash, Board::START, entry(0, 0, 19, 1)));
            table.clear(level.token().unwrap());
            assert!(
                hashes
                    .into_iter()
                    .all(|hash| table.probe(hash, Board::START).is_none())
            );
        }
    }

    #[test]
    fn a_torn_slot_is_a_miss() {
        let table = Table::new(1).unwrap();
        table.store(0, Board::START, entry(-2, 2, 19, 9));
        let slot = &table.bucket(0).0[0];
        slot.0[2].store(entry(-1, 1, 19, 9).pack(), Relaxed);
        assert_eq!(table.probe(0, Board::START), None);
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(matches!(Table::new(0), Err(SolverError::NoTable)));
        for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert!(
                matches!(Table::new(mib), Err(SolverError::Memory { asked, .. }) if asked == mib)
            );
        }
    }
}
