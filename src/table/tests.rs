//! The table's tests.

use super::*;
use outflank_kernels::Isa;
use outflank_random::SplitMix;

const EXACT: Draft = Draft {
    depth: 60,
    selectivity: 6,
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

/// A search without a move, deeper or not, earlier or later, leaves the moves that are known.
#[test]
fn what_has_no_move_keeps_the_others() {
    let draft = |depth| Draft {
        depth,
        selectivity: 3,
    };
    let new = |depth, best| Entry::new(-64, 6, draft(depth), best, 1);
    let known = new(10, 1).join(new(9, 5));
    assert_eq!(known.moves, [1, 5]);
    for depth in [3, 10, 12] {
        let none = new(depth, NO_MOVE);
        assert_eq!(none.join(known).moves, [1, 5], "{depth} plies later");
        assert_eq!(known.join(none).moves, [1, 5], "{depth} plies earlier");
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

/// Stores `boards` at `isa`, as threads do that tell of every board.
fn fill(table: &Table, isa: Isa, boards: impl Iterator<Item = Board>) {
    with_isa!(isa.token().unwrap(), isa => {
        for board in boards {
            let hash = isa.board_hash(board.player, board.opponent);
            let is_new = table.store(hash, board, entry(0, 0, 19, 1));
            table.note(isa, usize::from(is_new));
        }
    });
}

/// How many of `boards` the table knows.
fn known(table: &Table, boards: impl Iterator<Item = Board>) -> usize {
    with_isa!(Isa::Portable.token().unwrap(), isa => {
        let hash = |board: &Board| isa.board_hash(board.player, board.opponent);
        boards.filter(|board| table.probe(hash(board), *board).is_some()).count()
    })
}

/// The first `count` of [`boards`] were stored. With up to one board per bucket, some buckets are given a third one,
/// which replaces another: a tenth of all boards where no bucket is divided since.
fn assert_most_are_known(table: &Table, count: u64) {
    let known = known(table, boards(count));
    let active = table.active.load(Relaxed);
    assert!(
        known * 100 >= count as usize * 85,
        "{known} of {count} boards in {active} buckets"
    );
}

fn the_table_grows_with_its_boards_and_carries_them_over(isa: Isa) {
    let table = Table::new(64).unwrap();
    let mut stored = 0;
    for count in [1_000, 10_000, 100_000] {
        fill(&table, isa, boards(count).skip(stored));
        stored = count as usize;
        let active = table.active.load(Relaxed);
        assert!(active <= MIN_BUCKETS.max(BUCKETS_PER_BOARD * stored));
        assert_most_are_known(&table, count);
    }
}

outflank_kernels::level_tests!(the_table_grows_with_its_boards_and_carries_them_over);

#[test]
fn a_table_never_outgrows_its_memory() {
    let table = Table::new(1).unwrap();
    let slots = (1 << 20) / size_of::<Slot>();
    fill(&table, Isa::detect(), boards(4 * slots as u64));
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
            scope.spawn(|| fill(&table, Isa::detect(), boards(count)));
        }
        with_isa!(Isa::detect().token().unwrap(), isa => {
            for board in boards(count) {
                let hash = isa.board_hash(board.player, board.opponent);
                let found = table.probe(hash, board);
                assert!(found.is_none_or(|found| found.bounds() == (0, 0)));
            }
        });
    });
    // Besides, boards that were stored in a bucket that was just divided may be lost.
    assert_most_are_known(&table, count);
}

#[test]
fn clearing_forgets_without_writing() {
    let mut table = Table::new(16).unwrap();
    let token = Isa::detect().token().unwrap();
    for _ in 0..3 {
        fill(&table, Isa::detect(), boards(20_000));
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
fn generations_begin_again_with_an_empty_table(isa: Isa) {
    let token = isa.token().unwrap();
    let mut table = Table::new(2).unwrap();
    fill(&table, isa, boards(5_000));
    for generation in 1..=u32::from(Generation::LAST.0) {
        assert_eq!(table.generation.0, generation as u16);
        assert!(generation == 1 || known(&table, boards(9)) == 0);
        table.clear(token);
    }
    assert_eq!(table.generation, Generation::FIRST);
    assert_eq!(known(&table, boards(5_000)), 0);
    let is_empty = |bucket: &Bucket| bucket.0.iter().all(|slot| slot.board() == EMPTY);
    assert!(table.buckets().iter().all(is_empty));
}

outflank_kernels::level_tests!(generations_begin_again_with_an_empty_table);

#[test]
fn an_entry_is_what_it_was_packed_from() {
    for generation in [Generation::FIRST, Generation(77), Generation::LAST] {
        for (lower, upper, depth, selectivity) in [(-64, 64, 0, 0), (-3, 5, 60, 6)] {
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
    assert!(matches!(Table::new(0), Err(TableError::Empty)));
    for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
        assert!(matches!(Table::new(mib), Err(TableError::Memory { asked, .. }) if asked == mib));
    }
}
