//! The transposition table: whole boards and bounds of their scores, shared by all threads without locks.
//!
//! A slot keeps both bitboards, so that a result found is the board's own and an exact solve stays
//! exact. Its four words are written one by one; the fourth is a checksum of the other three, so a slot
//! that two threads write at once is a miss, never a wrong answer (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search chess engines", 2002). Two slots share a
//! cache line, which is what a probe costs; it can be prefetched.
//!
//! The table costs what it serves. Its address space is reserved at once, but a search begins with a few
//! buckets, and the more boards it stores, the more buckets are in use: they are added a few at a time, and
//! each takes over the boards that now belong to it (linear hashing: Litwin, "Linear hashing: a new tool
//! for file and table addressing", 1980). The system provides memory as it is first used. A generation in
//! every entry makes all of them invalid at once, so that forgetting a game writes nothing.

mod entry;
mod memory;
mod slot;
#[cfg(test)]
mod tests;

use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use outflank_kernels::{Block, Kernels, Token, with_isa};

use crate::board::Board;
use entry::Generation;
pub(crate) use entry::{Draft, Entry, NO_MOVE, proven_bounds};
use memory::Memory;
use slot::Slot;

/// A cache line's worth of slots.
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// The buckets of a table that has nothing: with their 128 KiB they stay in the second cache.
const MIN_BUCKETS: usize = 1 << 11;

/// Buckets in use for each board that is stored: a quarter of the slots are filled. With 4 buckets FFO #20-39 take
/// 0.3 % fewer nodes, #40-49 0.5 %, but more time, because less of the table stays in the caches (docs/lab/table.md).
const BUCKETS_PER_BOARD: usize = 2;

/// Why there is no table.
#[derive(Debug)]
pub(crate) enum TableError {
    /// It was to have no memory at all.
    Empty,
    /// It was to take more memory than is free, or than the system grants.
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB available.
        available: usize,
    },
}

/// The table.
pub(crate) struct Table {
    memory: Memory,
    /// The buckets that probes go to, from the first on. It grows with `boards` as far as the memory goes.
    active: AtomicUsize,
    /// The boards that were stored in this generation, as far as threads have told: [`Table::note`].
    boards: AtomicUsize,
    /// Whether a thread is adding buckets.
    growing: AtomicBool,
    generation: Generation,
    /// The buckets that may hold something of any generation, from the first on.
    dirty: usize,
}

impl Table {
    /// An empty table that never takes more than `mib` MiB.
    pub(crate) fn new(mib: usize) -> Result<Table, TableError> {
        if mib == 0 {
            return Err(TableError::Empty);
        }
        Ok(Table {
            memory: Memory::new(mib)?,
            active: AtomicUsize::new(MIN_BUCKETS),
            boards: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
            generation: Generation::FIRST,
            dirty: MIN_BUCKETS,
        })
    }

    /// Forgets everything and becomes small again. Nothing is written, but for one time in thousands
    /// when the generations begin again.
    pub(crate) fn clear(&mut self, token: Token) {
        self.dirty = self.dirty.max(*self.active.get_mut());
        *self.active.get_mut() = MIN_BUCKETS;
        *self.boards.get_mut() = 0;
        if self.generation == Generation::LAST {
            self.wipe(token);
            self.generation = Generation::FIRST;
        } else {
            self.generation.0 += 1;
        }
    }

    /// Empties all slots that may hold something.
    fn wipe(&mut self, token: Token) {
        let count = size_of::<Bucket>() / size_of::<Block>() * self.dirty;
        // SAFETY: a block is plain memory of any bit pattern. The memory is aligned to a page and holds at
        // least `dirty` buckets; it lives as long as `self`, whose exclusive borrow says that nothing
        // else looks at it.
        let blocks = unsafe {
            std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast::<Block>(), count)
        };
        with_isa!(token, isa => isa.clear(blocks, [0; 4]));
        self.dirty = MIN_BUCKETS;
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        let count = self.memory.len() / size_of::<Bucket>();
        // SAFETY: every bit pattern is a `Bucket`: atomics have the size and alignment of their words.
        // The memory is aligned to a page and lives as long as `self`. Its pointer is raw, so writing
        // through these atomics is writing to memory that no plain reference covers: `wipe` alone
        // makes one, and needs `&mut self`.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast::<Bucket>(), count) }
    }

    /// The bucket of a hash.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets()[place(hash, self.active.load(Relaxed))]
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

    /// The entry of `board`, whose hash is `hash`.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64, board: Board) -> Option<Entry> {
        let slots = &self.bucket(hash).0;
        let data = slots
            .iter()
            .find_map(|slot| slot.read(board, self.generation));
        data.map(Entry::unpack)
    }

    /// Stores an entry of `board`, joined with the old entry of it. Without one it goes to an empty slot, or
    /// replaces the entry that took the fewest nodes. Returns whether the slot was empty: the table is told
    /// the number of those by [`Table::note`].
    pub(crate) fn store(&self, hash: u64, board: Board, found: Entry) -> bool {
        let generation = self.generation;
        let [first, second] = &self.bucket(hash).0;
        for slot in [first, second] {
            if let Some(old) = slot.read(board, generation) {
                let joined = found.join(Entry::unpack(old));
                slot.write(board, joined.pack(generation));
                return false;
            }
        }
        let costs = [first, second].map(|slot| slot.cost(generation));
        let (slot, cost) = match costs[0] <= costs[1] {
            true => (first, costs[0]),
            false => (second, costs[1]),
        };
        slot.write(board, found.pack(generation));
        cost.is_none()
    }

    /// Notes that `boards` boards more were stored, and adds buckets where these are many.
    #[cold]
    pub(crate) fn note<I: Kernels>(&self, isa: I, boards: usize) {
        let boards = self.boards.fetch_add(boards, Relaxed) + boards;
        let wanted = (boards * BUCKETS_PER_BOARD).min(self.buckets().len());
        if wanted > self.active.load(Relaxed) && !self.growing.swap(true, Acquire) {
            self.grow(isa, wanted);
            self.growing.store(false, Release);
        }
    }

    /// Goes over to `wanted` buckets. Others may search meanwhile: what they store in a bucket that is just
    /// divided may be lost, and what was moved already is found again when this is done.
    fn grow<I: Kernels>(&self, isa: I, wanted: usize) {
        let buckets = self.buckets();
        for added in self.active.load(Relaxed)..wanted {
            // The bucket that had the boards of this one until now.
            let divided = &buckets[added & (added_mask(added) >> 1)];
            for (slot, free) in divided.0.iter().zip(&buckets[added].0) {
                let Some((board, data)) = slot.held(self.generation) else {
                    continue;
                };
                let hash = isa.board_hash(board.player, board.opponent);
                if place(hash, added + 1) == added {
                    free.write(board, data);
                    slot.vacate();
                }
            }
        }
        self.active.store(wanted, Relaxed);
    }
}

/// The bucket of `hash` among `active` buckets. They are numbered by the low bits of a hash, in which both
/// sides' discs are; a bucket that is not there yet is still part of the one without the highest bit.
#[inline(always)]
fn place(hash: u64, active: usize) -> usize {
    let mask = added_mask(active - 1);
    let place = hash as usize & mask;
    match place < active {
        true => place,
        false => place & (mask >> 1),
    }
}

/// All bits up to the highest of `bucket`, which is 1 or more.
#[inline(always)]
fn added_mask(bucket: usize) -> usize {
    usize::MAX >> bucket.leading_zeros()
}
