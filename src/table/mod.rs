//! The transposition table: whole boards and bounds of their scores, shared by all threads without locks.
//!
//! A slot has both bitboards of its board, so hash collisions cannot make an exact solve wrong. Its four words are
//! written one by one. The fourth is a checksum of the other three, so a slot that two threads write at once is a miss,
//! never a wrong result. The method is that of Hyatt and Mann ("A lock-less transposition table implementation for
//! parallel search chess engines", 2002). The two slots of a bucket share a cache line, so a probe loads one line,
//! which can be prefetched.
//!
//! The memory in use grows with the number of stored boards. Address space is reserved at once, and the system provides
//! memory on first use. An empty table has few buckets in use. Buckets are added a few at a time. Each takes over
//! the boards that now belong to it (Litwin, "Linear hashing: a new tool for file and table addressing", 1980). Every
//! entry has a generation, so clearing the table writes nothing but begins a new generation.

mod entry;
mod memory;
mod optional_square;
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
pub(crate) use entry::{SearchDepth, TableEntry};
use memory::Memory;
pub(crate) use memory::OutOfMemory;
pub(crate) use optional_square::OptionalSquare;
use slot::Slot;

/// A cache line's worth of slots.
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// The buckets of an empty table: their 128 KiB stay in the second-level cache.
const MIN_BUCKETS: usize = 1 << 11;

/// The number of buckets in use for each stored board, so that a quarter of the slots are filled. With 4 buckets, FFO
/// #20-39 take 0.3 % fewer nodes and #40-49 0.5 % fewer, but more time: less of the table stays in the caches
/// (docs/lab/speed.md).
const BUCKETS_PER_BOARD: usize = 2;

/// The maximum number of boards that a thread stores between two reports.
const MAX_REPORT_INTERVAL: usize = 256;

/// The transposition table.
pub(crate) struct Table {
    memory: Memory,
    /// The number of buckets in use. It grows with `boards` up to the size of the memory.
    active: AtomicUsize,
    /// The boards stored in this generation, as reported to [`Table::add_boards`].
    boards: AtomicUsize,
    /// `true` while a thread adds buckets.
    growing: AtomicBool,
    generation: Generation,
    /// The number of buckets that may hold entries of any generation.
    dirty: usize,
}

impl Table {
    /// Creates an empty table that never takes more than `mib` MiB, 1 or more.
    pub(crate) fn new(mib: usize) -> Result<Table, OutOfMemory> {
        Ok(Table {
            memory: memory::reserve(mib)?,
            active: AtomicUsize::new(MIN_BUCKETS),
            boards: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
            generation: Generation::FIRST,
            dirty: MIN_BUCKETS,
        })
    }

    /// Clears the table and shrinks it to the initial size. This writes nothing, except once in thousands of calls,
    /// when the generations start again.
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

    /// Empties all slots that may hold entries.
    fn wipe(&mut self, token: Token) {
        let count = size_of::<Bucket>() / size_of::<Block>() * self.dirty;
        // SAFETY: a block is plain memory of any bit pattern. The memory is aligned to a page and holds at
        // least `dirty` buckets; it lives as long as `self`, whose exclusive borrow proves that nothing
        // else reads it.
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
        &self.buckets()[bucket_index(hash, self.active.load(Relaxed))]
    }

    /// Prefetches the bucket of `hash`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(hash);
            // SAFETY: prefetching has no visible effect, and every x86-64 has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// The entry of `board`, whose hash is `hash`.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64, board: Board) -> Option<TableEntry> {
        let mut slots = self.bucket(hash).0.iter();
        let data = slots.find_map(|slot| slot.read(board, self.generation));
        data.map(TableEntry::unpack)
    }

    /// Stores an entry of `board`, joined with the board's old entry if there is one. Otherwise the entry goes to an
    /// empty slot, or replaces the entry with the lower cost. Returns `true` if the slot was empty. Callers count these
    /// boards and report them to [`Table::add_boards`].
    pub(crate) fn store(&self, hash: u64, board: Board, entry: TableEntry) -> bool {
        let generation = self.generation;
        let [first, second] = &self.bucket(hash).0;
        for slot in [first, second] {
            if let Some(old) = slot.read(board, generation) {
                let joined = entry.join(TableEntry::unpack(old));
                slot.write(board, joined.pack(generation));
                return false;
            }
        }
        let costs = [first, second].map(|slot| slot.cost(generation));
        let (slot, cost) = match costs[0] <= costs[1] {
            true => (first, costs[0]),
            false => (second, costs[1]),
        };
        slot.write(board, entry.pack(generation));
        cost.is_none()
    }

    /// The number of stored boards after which each of `threads` threads calls [`Table::add_boards`].
    ///
    /// A full table stores no board in an empty slot, so it would not grow any more. The boards that the threads have
    /// not yet reported fill an eighth of the slots at most.
    pub(crate) fn report_interval(&self, threads: usize) -> usize {
        let fraction = self.active.load(Relaxed) / 8 / threads;
        fraction.clamp(1, MAX_REPORT_INTERVAL)
    }

    /// Counts `boards` more stored boards, and adds buckets if the table needs them.
    #[cold]
    pub(crate) fn add_boards<I: Kernels>(&self, isa: I, boards: usize) {
        let boards = self.boards.fetch_add(boards, Relaxed) + boards;
        let wanted = (boards * BUCKETS_PER_BOARD).min(self.buckets().len());
        if wanted > self.active.load(Relaxed) && !self.growing.swap(true, Acquire) {
            self.grow(isa, wanted);
            self.growing.store(false, Release);
        }
    }

    /// Adds buckets, up to `wanted`, while other threads search. Each takes over its share of an older bucket's boards.
    ///
    /// An entry that another thread stores in a bucket at the moment of its division may be lost. An entry that was moved
    /// to a new bucket is a miss until all buckets are added.
    fn grow<I: Kernels>(&self, isa: I, wanted: usize) {
        let buckets = self.buckets();
        for added in self.active.load(Relaxed)..wanted {
            // The older bucket: its index is that of the added bucket without the highest bit.
            let divided = &buckets[added & (index_mask(added) >> 1)];
            for (old_slot, new_slot) in divided.0.iter().zip(&buckets[added].0) {
                if let Some((board, data)) = old_slot.contents(self.generation) {
                    let hash = isa.board_hash(board.player, board.opponent);
                    if bucket_index(hash, added + 1) == added {
                        new_slot.write(board, data);
                        old_slot.vacate();
                    }
                }
            }
        }
        self.active.store(wanted, Relaxed);
    }
}

/// The index of the bucket of `hash` among `active` buckets: the low bits of the hash, which depend on both sides'
/// discs. If that bucket is not yet added, its boards are in the bucket whose index lacks the highest bit.
#[inline(always)]
fn bucket_index(hash: u64, active: usize) -> usize {
    let mask = index_mask(active - 1);
    let index = hash as usize & mask;
    match index < active {
        true => index,
        false => index & (mask >> 1),
    }
}

/// A mask of all bits up to the highest bit of `bucket`, which is 1 or more.
#[inline(always)]
fn index_mask(bucket: usize) -> usize {
    usize::MAX >> bucket.leading_zeros()
}
