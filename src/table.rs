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
use crate::search::EngineError;

/// The value of [`Entry::moves`] where there is no move.
pub(crate) const NO_MOVE: u8 = 64;

/// How far a search looked: its plies, and how selective it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Draft {
    /// Plies; all empty squares where it went to the end of the game.
    pub(crate) depth: u8,
    /// The index of a [`Selectivity`](crate::search::Selectivity); more is more certain.
    pub(crate) selectivity: u8,
}

impl Draft {
    /// Whether a search with this draft looked further than one with `other`.
    fn is_past(self, other: Draft) -> bool {
        (self.depth, self.selectivity) > (other.depth, other.selectivity)
    }

    /// Whether what was found with this draft serves a search with `other`.
    #[inline(always)]
    pub(crate) fn covers(self, other: Draft) -> bool {
        self.depth >= other.depth && self.selectivity >= other.selectivity
    }
}

/// What is known of a board: bounds of its score for the side to move, how far the search looked, the
/// best moves, the effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    lower: i8,
    upper: i8,
    /// The draft that both bounds hold for.
    pub(crate) draft: Draft,
    /// The best move and the one that was best before it, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
    /// The binary logarithm of the nodes that this knowledge cost.
    cost: u8,
}

impl Entry {
    /// What a search of `nodes` nodes (1 or more) found: that the score is in `lower..=upper`, -64 and
    /// 64 where it found nothing, and that `best` is the best move.
    pub(crate) fn new(lower: i32, upper: i32, draft: Draft, best: u8, nodes: u64) -> Entry {
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            draft,
            moves: [best, NO_MOVE],
            cost: nodes.ilog2() as u8,
        }
    }

    /// The least and the most that the score can be.
    #[inline(always)]
    pub(crate) fn bounds(self) -> (i32, i32) {
        (self.lower.into(), self.upper.into())
    }

    /// Joins what was known before with `self`, which was found later: of the same draft the tighter
    /// bounds, of another those that look further. Their move comes first, of the same draft the later.
    ///
    /// What looks less far often comes later: shallow searches for selective cuts, and the first
    /// searches for the next move of a game, are of boards that deep ones have been to.
    fn join(self, known: Entry) -> Entry {
        let (first, second) = match known.draft.is_past(self.draft) {
            true => (known, self),
            false => (self, known),
        };
        let same = self.draft == known.draft;
        Entry {
            lower: if same {
                self.lower.max(known.lower)
            } else {
                first.lower
            },
            upper: if same {
                self.upper.min(known.upper)
            } else {
                first.upper
            },
            draft: first.draft,
            moves: match (first.moves[0], second.moves[0]) {
                (one, other) if one == other => known.moves,
                moves => moves.into(),
            },
            cost: known.cost.max(self.cost),
        }
    }

    fn pack(self) -> u64 {
        let [first, second] = self.moves;
        let Draft { depth, selectivity } = self.draft;
        let (lower, upper) = (self.lower as u8, self.upper as u8);
        // The last byte tells an entry from an empty slot.
        u64::from_le_bytes([
            lower,
            upper,
            first,
            second,
            self.cost,
            depth,
            selectivity,
            1,
        ])
    }

    fn unpack(word: u64) -> Entry {
        let [lower, upper, first, second, cost, depth, selectivity, _] = word.to_le_bytes();
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            draft: Draft { depth, selectivity },
            moves: [first, second],
            cost,
        }
    }
}

/// A board with so many more empty squares than the logarithm of the buckets fills them.
const FEW_EMPTIES: u32 = 4;

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
    pub(crate) fn new(mib: usize) -> Result<Table, EngineError> {
        if mib == 0 {
            return Err(EngineError::NoTable);
        }
        let available = available_mib();
        let too_large = || EngineError::Memory {
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
        let few = empties.saturating_sub(FEW_EMPTIES).clamp(6, 31);
        self.active = self.buckets().len().min(1 << few);
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

    /// Keeps what a search found of `board`: joined with what was known of it, otherwise in place of
    /// what was cheaper.
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

    const EXACT: Draft = Draft {
        depth: 60,
        selectivity: 5,
    };

    fn entry(lower: i32, upper: i32, best: u8, nodes: u64) -> Entry {
        Entry::new(lower, upper, EXACT, best, nodes)
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
            (joined.bounds(), joined.moves, joined.cost),
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
    fn bounds_of_another_draft_are_not_joined() {
        let draft = |depth, selectivity| Draft { depth, selectivity };
        let known = Entry::new(2, 64, draft(10, 3), 1, 1);
        assert!(known.draft.covers(draft(10, 2)) && known.draft.covers(draft(9, 3)));
        assert!(!known.draft.covers(draft(11, 3)) && !known.draft.covers(draft(9, 4)));
        for other in [draft(11, 3), draft(10, 5), draft(11, 0)] {
            let joined = Entry::new(-64, 6, other, 7, 1).join(known);
            assert_eq!((joined.bounds(), joined.moves), ((-64, 6), [7, 1]));
            assert_eq!(joined.draft, other);
        }
        // What looks less far leaves its move.
        for other in [draft(9, 5), draft(10, 2)] {
            let joined = Entry::new(-64, 6, other, 7, 1).join(known);
            assert_eq!((joined.bounds(), joined.moves), ((2, 64), [1, 7]));
            assert_eq!(joined.draft, known.draft);
        }
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
        assert!(matches!(Table::new(0), Err(EngineError::NoTable)));
        for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert!(
                matches!(Table::new(mib), Err(EngineError::Memory { asked, .. }) if asked == mib)
            );
        }
    }
}
