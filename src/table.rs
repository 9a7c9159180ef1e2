//! The transposition table: whole boards and what is known of their scores, shared without locks.
//!
//! A slot keeps both bitboards, so that a result found is the board's own and an exact solve stays
//! exact. Its four words are written one by one; the fourth proves that the other three belong
//! together, so a slot that two threads write at once is a miss, never a wrong answer. Two slots share
//! a cache line, which is what a probe costs; it can be prefetched.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::{MmapMut, MmapOptions};
use outflank_kernels::{Isa, Line, Token, with_isa};

use crate::board::Board;
use crate::search::SolverError;

/// The value of [`Entry::moves`] where there is no move.
pub(crate) const NO_MOVE: u8 = 64;

/// What is known of a board: its score is in `lower..=upper`, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// The best move and the one that was best before it, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
    /// The binary logarithm of the nodes that this knowledge cost.
    pub(crate) cost: u8,
}

impl Entry {
    fn pack(self) -> u64 {
        let [first, second] = self.moves;
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            first,
            second,
            self.cost,
            0,
            0,
            1,
        ])
    }

    fn unpack(word: u64) -> Entry {
        let [lower, upper, first, second, cost, ..] = word.to_le_bytes();
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            moves: [first, second],
            cost,
        }
    }
}

/// One slot: mover, opponent, packed entry, proof.
#[repr(C, align(32))]
struct Slot([AtomicU64; 4]);

impl Slot {
    /// The fourth word of a slot that holds `board` and `data`. Multiplying spreads `data`, whose few
    /// bits would otherwise meet the bits of a similar board.
    fn proof(board: Board, data: u64) -> u64 {
        board.player ^ board.opponent.rotate_left(32) ^ data.wrapping_mul(0x9E37_79B9_7F4A_7C15)
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
    memory: MmapMut,
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
            memory,
            active: 1,
            dirty: 0,
        })
    }

    /// Makes ready for a board with `empties` empty squares: a small tree gets a small part of the
    /// table, which stays in the caches and is soon cleared again.
    pub(crate) fn fit(&mut self, empties: u32) {
        self.active = self.buckets().len().min(1 << empties.clamp(10, 40));
        self.dirty = self.dirty.max(self.active);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, token: Token) {
        let used = size_of::<Bucket>() * std::mem::take(&mut self.dirty);
        // SAFETY: every bit pattern is a `Line`, which is plain memory.
        let (head, lines, tail) = unsafe { self.memory[..used].align_to_mut::<Line>() };
        assert!(head.is_empty() && tail.is_empty(), "pages are aligned");
        with_isa!(token, isa => isa.clear(lines, [0; 4]));
    }

    fn buckets(&self) -> &[Bucket] {
        // SAFETY: every bit pattern is a `Bucket`: atomics have the size and alignment of their
        // words. The map is at least 1 MiB and aligned to a page, it lives as long as `self`, and
        // while it is borrowed here nothing writes to it but through these atomics (`clear` needs
        // `&mut self`).
        let (_, buckets, _) = unsafe { self.memory.align_to::<Bucket>() };
        buckets
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
                return slot.write(board, join(known, found));
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

/// Both bounds hold; the newer move comes first.
fn join(known: Entry, found: Entry) -> Entry {
    let moves = match (found.moves[0], known.moves[0]) {
        (NO_MOVE, _) => known.moves,
        (new, old) if new == old => known.moves,
        (new, old) => [new, old],
    };
    Entry {
        lower: known.lower.max(found.lower),
        upper: known.upper.min(found.upper),
        moves,
        cost: known.cost.max(found.cost),
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

    fn entry(lower: i8, upper: i8, best: u8, cost: u8) -> Entry {
        Entry {
            lower,
            upper,
            moves: [best, NO_MOVE],
            cost,
        }
    }

    #[test]
    fn bounds_are_joined_and_moves_kept() {
        let table = Table::new(1).unwrap();
        let board = Board::START;
        assert_eq!(table.probe(7, board), None);
        table.store(7, board, entry(-64, 10, 19, 3));
        table.store(7, board, entry(4, 64, 26, 5));
        table.store(7, board, entry(2, 64, NO_MOVE, 1));
        let joined = Entry {
            lower: 4,
            upper: 10,
            moves: [26, 19],
            cost: 5,
        };
        assert_eq!(table.probe(7, board), Some(joined));
        assert_eq!(table.probe(7, board.pass()), None);
        // Two other boards in the same bucket: the costly knowledge stays.
        table.store(7, board.pass(), entry(0, 64, 1, 2));
        let third = Board {
            player: 1,
            opponent: 2,
        };
        table.store(7, third, entry(0, 64, 1, 0));
        assert_eq!(table.probe(7, board), Some(joined));
        assert_eq!(table.probe(7, board.pass()), None);
        assert_eq!(table.probe(7, third), Some(entry(0, 64, 1, 0)));
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
