//! The table's tests.

use super::*;
use crate::square::Square;
use outflank_kernels::Isa;
use outflank_random::SplitMix64;

const EXACT: SearchDepth = SearchDepth {
    plies: 60,
    selectivity: 6,
};

fn square(index: u8) -> OptionalSquare {
    Square::new(index).unwrap().into()
}

fn entry(lower: i32, upper: i32, best: u8, nodes: u64) -> TableEntry {
    TableEntry::new((lower, upper), EXACT, square(best), nodes)
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
    assert_eq!((joined.bounds(), joined.cost), ((4, 10), 5));
    assert_eq!(joined.moves, [26, 19].map(square));
    assert_eq!(table.probe(7, board.pass()), None);
    // Of three boards in one bucket, the entries of the two costlier ones stay.
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
fn bounds_of_different_depths_are_not_joined() {
    let depth = |plies, selectivity| SearchDepth { plies, selectivity };
    let known = TableEntry::new((2, 64), depth(10, 3), square(1), 1);
    assert!(known.depth.covers(depth(10, 2)) && known.depth.covers(depth(9, 3)));
    assert!(!known.depth.covers(depth(11, 3)) && !known.depth.covers(depth(9, 4)));
    // A deeper entry replaces the bounds. A shallower one adds its move, but no bounds.
    for (other, is_deeper) in [
        (depth(11, 3), true),
        (depth(10, 5), true),
        (depth(11, 0), true),
        (depth(9, 5), false),
        (depth(10, 2), false),
    ] {
        let joined = TableEntry::new((-64, 6), other, square(7), 1).join(known);
        let expected = match is_deeper {
            true => ((-64, 6), other, [7, 1]),
            false => ((2, 64), known.depth, [1, 7]),
        };
        assert_eq!((joined.bounds(), joined.depth), (expected.0, expected.1));
        assert_eq!(joined.moves, expected.2.map(square));
    }
}

#[test]
fn entries_without_a_move_keep_known_moves() {
    let new = |plies, best| {
        let depth = SearchDepth {
            plies,
            selectivity: 3,
        };
        TableEntry::new((-64, 6), depth, best, 1)
    };
    let known = new(10, square(1)).join(new(9, square(5)));
    let expected = [1, 5].map(square);
    assert_eq!(known.moves, expected);
    for plies in [3, 10, 12] {
        let none = new(plies, OptionalSquare::NONE);
        assert_eq!(none.join(known).moves, expected, "{plies} plies later");
        assert_eq!(known.join(none).moves, expected, "{plies} plies earlier");
    }
}

/// Boards of random discs.
fn boards(count: u64) -> impl Iterator<Item = Board> {
    let mut random = SplitMix64::new(16);
    (0..count).map(move |_| {
        let player = random.bits();
        Board {
            player,
            opponent: random.bits() & !player,
        }
    })
}

/// Stores `boards` at `isa` and reports each to the table.
fn fill(table: &Table, isa: Isa, boards: impl Iterator<Item = Board>) {
    with_isa!(isa.token().unwrap(), isa => {
        for board in boards {
            let hash = isa.board_hash(board.player, board.opponent);
            let is_new = table.store(hash, board, entry(0, 0, 19, 1));
            table.add_boards(isa, usize::from(is_new));
        }
    });
}

/// The number of `boards` in the table.
fn count_known(table: &Table, boards: impl Iterator<Item = Board>) -> usize {
    with_isa!(Isa::Portable.token().unwrap(), isa => {
        let hash = |board: &Board| isa.board_hash(board.player, board.opponent);
        boards.filter(|board| table.probe(hash(board), *board).is_some()).count()
    })
}

/// Checks that most of the first `count` of [`boards`], which were stored, are in the table. Some buckets get a third
/// board, which replaces another. With up to one board per bucket this loses at most a tenth of all boards.
fn assert_most_are_known(table: &Table, count: u64) {
    let known = count_known(table, boards(count));
    let active = table.active.load(Relaxed);
    let are_most = known * 100 >= count as usize * 85;
    assert!(are_most, "{known} of {count} boards in {active} buckets");
}

fn growing_tables_keep_their_boards(isa: Isa) {
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

outflank_kernels::level_tests!(growing_tables_keep_their_boards);

#[test]
fn full_tables_stop_growing() {
    let table = Table::new(1).unwrap();
    let slots = (1 << 20) / size_of::<Slot>();
    fill(&table, Isa::detect(), boards(4 * slots as u64));
    assert_eq!(table.active.load(Relaxed), slots / 2);
    let known = count_known(&table, boards(4 * slots as u64));
    let is_filled = known <= slots && known > slots * 9 / 10;
    assert!(is_filled, "{known} of {slots}");
}

#[test]
fn threads_read_whole_entries_while_the_table_grows() {
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
    // Boards stored in a bucket while it was divided may be lost, too.
    assert_most_are_known(&table, count);
}

#[test]
fn clearing_empties_the_table_without_writing() {
    let mut table = Table::new(16).unwrap();
    let token = Isa::detect().token().unwrap();
    for _ in 0..3 {
        fill(&table, Isa::detect(), boards(20_000));
        table.clear(token);
        assert_eq!(count_known(&table, boards(20_000)), 0);
        assert_eq!(*table.active.get_mut(), MIN_BUCKETS);
    }
    let is_written = |bucket: &Bucket| bucket.0.iter().any(|slot| slot.board() != Board::EMPTY);
    assert!(table.buckets()[..table.dirty].iter().any(is_written));
    assert!(!table.buckets()[table.dirty..].iter().any(is_written));
}

/// Entries of the first generation must not become valid again after the last generation.
fn generations_wrap_around_with_an_empty_table(isa: Isa) {
    let token = isa.token().unwrap();
    let mut table = Table::new(2).unwrap();
    fill(&table, isa, boards(5_000));
    for generation in 1..=u32::from(Generation::LAST.0) {
        assert_eq!(table.generation.0, generation as u16);
        assert!(generation == 1 || count_known(&table, boards(9)) == 0);
        table.clear(token);
    }
    assert_eq!(table.generation, Generation::FIRST);
    assert_eq!(count_known(&table, boards(5_000)), 0);
    let is_empty = |bucket: &Bucket| bucket.0.iter().all(|slot| slot.board() == Board::EMPTY);
    assert!(table.buckets().iter().all(is_empty));
}

outflank_kernels::level_tests!(generations_wrap_around_with_an_empty_table);

#[test]
fn packed_entries_unpack_unchanged() {
    for generation in [Generation::FIRST, Generation(77), Generation::LAST] {
        for (bounds, plies, selectivity) in [((-64, 64), 0, 0), ((-3, 5), 60, 6)] {
            let depth = SearchDepth { plies, selectivity };
            let entry = TableEntry::new(bounds, depth, square(63), u64::MAX);
            let word = entry.pack(generation);
            assert_eq!(TableEntry::unpack(word), entry);
            assert_eq!(Generation::unpack(word), generation);
        }
    }
}

#[test]
fn torn_slots_are_misses() {
    let table = Table::new(1).unwrap();
    table.store(0, Board::START, entry(-2, 2, 19, 9));
    let slot = &table.bucket(0).0[0];
    let other = entry(-1, 1, 19, 9).pack(table.generation);
    slot.0[2].store(other, Relaxed);
    assert_eq!(table.probe(0, Board::START), None);
}

#[test]
fn impossible_sizes_are_errors() {
    for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
        assert!(Table::new(mib).is_err());
    }
}

/// Threads that report too rarely would fill the small table first. Then no slot is empty, so no board is counted.
#[test]
fn the_table_grows_with_any_number_of_threads() {
    const BOARDS: usize = 100_000;
    let isa = Isa::Portable.token().unwrap();
    for threads in [1, 2, 16, 64, 512] {
        let table = Table::new(64).unwrap();
        let mut rng = SplitMix64::new(threads as u64);
        let mut unreported = vec![(0, table.report_interval(threads)); threads];
        for i in 0..BOARDS {
            let (player, other) = (rng.bits(), rng.bits());
            let board = Board {
                player,
                opponent: other & !player,
            };
            let (boards, report_at) = &mut unreported[i % threads];
            with_isa!(isa, isa => {
                let hash = isa.board_hash(board.player, board.opponent);
                *boards += usize::from(table.store(hash, board, entry(0, 64, 1, 1)));
                if *boards >= *report_at {
                    table.add_boards(isa, *boards);
                    (*boards, *report_at) = (0, table.report_interval(threads));
                }
            });
        }
        let active = table.active.load(Relaxed);
        assert!(active >= BOARDS, "{threads} threads: {active} buckets");
    }
}
