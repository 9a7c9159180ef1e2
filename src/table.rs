//! The transposition table: whole boards and what is known of their scores, shared without locks.
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

use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

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

    /// The entry as a word of a table in `generation`.
    fn pack(self, generation: Generation) -> u64 {
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

    fn unpack(word: u64) -> Entry {
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
struct Generation(u16);

impl Generation {
    const FIRST: Generation = Generation(1);
    /// All bits that a packed entry has for it.
    const LAST: Generation = Generation(u16::MAX >> SELECTIVITY_BITS);

    /// The generation of a packed entry.
    #[inline(always)]
    fn of(word: u64) -> Generation {
        Generation((word >> (48 + SELECTIVITY_BITS)) as u16)
    }
}

/// One slot: mover, opponent, packed entry, checksum.
#[repr(C, align(32))]
struct Slot([AtomicU64; 4]);

impl Slot {
    /// The fourth word of a slot that holds `board` and `data`. The multiplications spread bits that
    /// would otherwise meet those of a similar board or entry.
    fn checksum(board: Board, data: u64) -> u64 {
        board.player
            ^ board.opponent.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ data.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The board of the slot, whatever its generation.
    #[inline(always)]
    fn board(&self) -> Board {
        Board {
            player: self.0[0].load(Relaxed),
            opponent: self.0[1].load(Relaxed),
        }
    }

    /// The packed entry of `board`, where the slot holds that board in `generation`.
    #[inline(always)]
    fn read(&self, board: Board, generation: Generation) -> Option<u64> {
        if self.board() != board {
            return None;
        }
        let data = self.0[2].load(Relaxed);
        let is_whole = self.0[3].load(Relaxed) == Slot::checksum(board, data);
        (is_whole && Generation::of(data) == generation).then_some(data)
    }

    fn write(&self, board: Board, data: u64) {
        let checksum = Slot::checksum(board, data);
        let words = [board.player, board.opponent, data, checksum];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Relaxed);
        }
    }

    fn vacate(&self) {
        self.0[2].store(0, Relaxed);
    }

    /// The cost of what the slot holds; `None` where that is nothing of `generation`.
    fn cost(&self, generation: Generation) -> Option<u8> {
        let data = self.0[2].load(Relaxed);
        (Generation::of(data) == generation).then(|| Entry::unpack(data).cost)
    }
}

/// A cache line's worth of slots.
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// The buckets of a table that has nothing: with their 128 KiB they stay in the second cache.
const MIN_BUCKETS: usize = 1 << 11;

/// Buckets in use for each board that is stored. With an eighth of the slots filled, buckets that would
/// have to hold a third board are rare: FFO #20-39 take 0.1 % more nodes than with a table of any size,
/// with 2 buckets 0.3 %, with 1 bucket 0.6 %.
const BUCKETS_PER_BOARD: usize = 4;

/// The table.
pub(crate) struct Table {
    memory: MmapRaw,
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
        // SAFETY: a block is plain memory of any bit pattern. The map is aligned to a page and holds at
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
        // The map is aligned to a page and lives as long as `self`. Its pointer is raw, so writing
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

    /// What is known of `board`, whose hash is `hash`.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64, board: Board) -> Option<Entry> {
        let slots = &self.bucket(hash).0;
        let data = slots
            .iter()
            .find_map(|slot| slot.read(board, self.generation));
        data.map(Entry::unpack)
    }

    /// Keeps what a search found of `board`: joined with what was known of it, otherwise in place of
    /// nothing, or of what was cheaper. Whether it took a slot that held nothing, of which the table is
    /// to be told by [`Table::note`].
    pub(crate) fn store(&self, hash: u64, board: Board, found: Entry) -> bool {
        let generation = self.generation;
        let [first, second] = &self.bucket(hash).0;
        for slot in [first, second] {
            if let Some(known) = slot.read(board, generation) {
                let joined = found.join(Entry::unpack(known));
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
    pub(crate) fn note<I: Isa>(&self, isa: I, boards: usize) {
        let boards = self.boards.fetch_add(boards, Relaxed) + boards;
        let wanted = (boards * BUCKETS_PER_BOARD).min(self.buckets().len());
        if wanted > self.active.load(Relaxed) && !self.growing.swap(true, Acquire) {
            self.grow(isa, wanted);
            self.growing.store(false, Release);
        }
    }

    /// Goes over to `wanted` buckets. Others may search meanwhile: what they store in a bucket that is just
    /// divided may be lost, and what was moved already is found again when this is done.
    fn grow<I: Isa>(&self, isa: I, wanted: usize) {
        let buckets = self.buckets();
        for added in self.active.load(Relaxed)..wanted {
            // The bucket that had the boards of this one until now.
            let divided = &buckets[added & (added_mask(added) >> 1)];
            for (slot, free) in divided.0.iter().zip(&buckets[added].0) {
                let board = slot.board();
                let Some(data) = slot.read(board, self.generation) else {
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
    use outflank_kernels::cases::SplitMix;

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

    /// Boards of random discs.
    fn boards(count: u64) -> impl Iterator<Item = Board> {
        let mut random = SplitMix::new(16);
        (0..count).map(move |_| {
            let player = random.bits();
            Board {
                player,
                opponent: random.bits() & !player,
            }
        })
    }

    /// Stores `boards` at `level`, as threads do that tell of every board.
    fn fill(table: &Table, level: Level, boards: impl Iterator<Item = Board>) {
        with_isa!(level.token().unwrap(), isa => {
            for board in boards {
                let hash = isa.board_hash(board.player, board.opponent);
                let is_new = table.store(hash, board, entry(0, 0, 19, 1));
                table.note(isa, usize::from(is_new));
            }
        });
    }

    /// How many of `boards` the table knows.
    fn known(table: &Table, boards: impl Iterator<Item = Board>) -> usize {
        with_isa!(Level::Portable.token().unwrap(), isa => {
            let hash = |board: &Board| isa.board_hash(board.player, board.opponent);
            boards.filter(|board| table.probe(hash(board), *board).is_some()).count()
        })
    }

    #[test]
    fn the_table_grows_with_its_boards_and_carries_them_over() {
        for &level in Level::available() {
            let table = Table::new(64).unwrap();
            let mut stored = 0;
            for count in [1_000, 10_000, 100_000] {
                fill(&table, level, boards(count).skip(stored));
                stored = count as usize;
                let active = table.active.load(Relaxed);
                assert!(active <= MIN_BUCKETS.max(BUCKETS_PER_BOARD * stored));
                let known = known(&table, boards(count));
                assert!(
                    known * 100 >= stored * 95,
                    "{level}: {known} of {stored} boards in {active} buckets"
                );
            }
        }
    }

    #[test]
    fn a_table_never_outgrows_its_memory() {
        let table = Table::new(1).unwrap();
        let slots = (1 << 20) / size_of::<Slot>();
        fill(&table, Level::detect(), boards(4 * slots as u64));
        assert_eq!(table.active.load(Relaxed), slots / 2);
        let known = known(&table, boards(4 * slots as u64));
        assert!(
            known <= slots && known > slots * 9 / 10,
            "{known} of {slots}"
        );
    }

    /// While one thread adds buckets, another finds what it finds whole.
    #[test]
    fn threads_search_while_the_table_grows() {
        let table = Table::new(64).unwrap();
        let count = 50_000;
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| fill(&table, Level::detect(), boards(count)));
            }
            with_isa!(Level::detect().token().unwrap(), isa => {
                for board in boards(count) {
                    let hash = isa.board_hash(board.player, board.opponent);
                    let found = table.probe(hash, board);
                    assert!(found.is_none_or(|found| found.bounds() == (0, 0)));
                }
            });
        });
        // Boards that were stored in a bucket that was just divided may be lost.
        let known = known(&table, boards(count));
        assert!(
            known * 10 >= count as usize * 9,
            "{known} of {count} boards"
        );
    }

    #[test]
    fn clearing_forgets_without_writing() {
        let mut table = Table::new(16).unwrap();
        let token = Level::detect().token().unwrap();
        for _ in 0..3 {
            fill(&table, Level::detect(), boards(20_000));
            table.clear(token);
            assert_eq!(known(&table, boards(20_000)), 0);
            assert_eq!(*table.active.get_mut(), MIN_BUCKETS);
        }
        let is_written = |bucket: &Bucket| bucket.0.iter().any(|slot| slot.board() != EMPTY);
        assert!(table.buckets()[..table.dirty].iter().any(is_written));
        assert!(!table.buckets()[table.dirty..].iter().any(is_written));
    }

    const EMPTY: Board = Board {
        player: 0,
        opponent: 0,
    };

    /// When all generations were used, what the first ones stored must not be taken for the present.
    #[test]
    fn generations_begin_again_with_an_empty_table_at_every_level() {
        for &level in Level::available() {
            let token = level.token().unwrap();
            let mut table = Table::new(2).unwrap();
            fill(&table, level, boards(5_000));
            for generation in 1..=u32::from(Generation::LAST.0) {
                assert_eq!(table.generation.0, generation as u16);
                assert!(generation == 1 || known(&table, boards(9)) == 0);
                table.clear(token);
            }
            assert_eq!(table.generation, Generation::FIRST);
            assert_eq!(known(&table, boards(5_000)), 0);
            let is_empty = |bucket: &Bucket| bucket.0.iter().all(|slot| slot.board() == EMPTY);
            assert!(table.buckets().iter().all(is_empty), "{level}");
        }
    }

    #[test]
    fn an_entry_is_what_it_was_packed_from() {
        for generation in [Generation::FIRST, Generation(77), Generation::LAST] {
            for (lower, upper, depth, selectivity) in [(-64, 64, 0, 0), (-3, 5, 60, 5)] {
                let draft = Draft { depth, selectivity };
                let entry = Entry::new(lower, upper, draft, 63, u64::MAX);
                let word = entry.pack(generation);
                assert_eq!(
                    (Entry::unpack(word), Generation::of(word)),
                    (entry, generation)
                );
            }
        }
    }

    #[test]
    fn a_torn_slot_is_a_miss() {
        let table = Table::new(1).unwrap();
        table.store(0, Board::START, entry(-2, 2, 19, 9));
        let slot = &table.bucket(0).0[0];
        let other = entry(-1, 1, 19, 9).pack(table.generation);
        slot.0[2].store(other, Relaxed);
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
