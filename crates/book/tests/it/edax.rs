//! Exchange with Edax.

use outflank::Board;
use outflank_book::edax::{Date, EdaxError, Import, export, import};
use outflank_book::{Book, BookEntry, Writer};
use outflank_testing::command::Folder;
use proptest::prelude::*;

use crate::common::random_book;

const DATE: Date = Date {
    year: 2026,
    rest: [11, 23, 12, 0, 0],
};

/// Exports a book of random positions. Returns the file and the entries.
fn exported(seed: u64) -> (Vec<u8>, Vec<BookEntry>) {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let graph = random_book(&path, seed, 8);
    let export = export(&Book::open(&path).unwrap(), DATE).unwrap();
    assert_eq!(export.positions, graph.len());
    (export.bytes, graph.entries().collect())
}

/// Checks that an import used all positions with their values.
#[track_caller]
fn assert_unchanged(import: &Import) {
    let changes = (import.fault_count, import.repeated, import.changed_values);
    assert_eq!(changes, (0, 0, 0));
}

/// Import restores positions, moves and values. A second export has the same length.
#[test]
fn exported_books_import_unchanged() {
    for seed in 0..4 {
        let (bytes, entries) = exported(seed);
        let mut read = import(&bytes).unwrap();
        assert_unchanged(&read);
        for entry in &entries {
            let number = read.graph.find(entry.board()).unwrap();
            let found = read.graph.entry(number).unwrap();
            assert_eq!((found.leaf(), found.value()), (entry.leaf(), entry.value()));
            let [found_links, links] = [&found, entry].map(|entry| {
                let mut links = entry.links().to_vec();
                links.sort_by_key(|link| link.ply);
                links
            });
            assert_eq!(found_links, links);
            assert!(!entry.searched().is_weaker_than(found.searched()));
        }
        let folder = Folder::new();
        let path = folder.path("b.book");
        let mut writer = Writer::create(&path).unwrap();
        read.save(&mut writer).unwrap();
        writer.commit().unwrap();
        drop(writer);
        let book = Book::open(&path).unwrap();
        let mut again = export(&book, DATE).unwrap().bytes;
        assert_eq!(again.len(), bytes.len());
        let second = import(&again).unwrap();
        assert_unchanged(&second);
        assert_eq!(second.graph.len(), entries.len());
        again.truncate(100);
        let cut = import(&again).map(drop);
        assert!(matches!(cut, Err(EdaxError::Truncated { .. })), "{cut:?}");
    }
}

/// A file as Edax writes it: the starting position with the leaf E6.
#[test]
fn files_of_edax_are_read_in_both_byte_orders() {
    let mut file = b"XADEKOOB\x04\x05".to_vec();
    file.extend([0xea, 7, 11, 23, 17, 26, 56, 0]);
    for number in [6_i32, 49, 2, 1, 0, 1] {
        file.extend(number.to_le_bytes());
    }
    file.extend(Board::START.canonical().0.player.to_le_bytes());
    file.extend(Board::START.canonical().0.opponent.to_le_bytes());
    for count in [0_u32, 0, 0, 1] {
        file.extend(count.to_le_bytes());
    }
    for value in [1_i16, -1, 3] {
        file.extend(value.to_le_bytes());
    }
    file.extend([0, 6, 1, 26]);
    let read = import(&file).unwrap();
    let entry = read.graph.entries().next().unwrap();
    assert_eq!((read.level, read.empties, entry.value()), (6, 49, 1));
    assert_eq!((entry.searched().depth, entry.links().len()), (6, 0));
    // Big-endian numbers.
    let mut big = file.clone();
    for (from, length) in [(0, 4), (4, 4), (10, 2)]
        .into_iter()
        .chain((18..42).step_by(4).map(|at| (at, 4)))
        .chain([(42, 8), (50, 8)])
        .chain((58..74).step_by(4).map(|at| (at, 4)))
        .chain([(74, 2), (76, 2), (78, 2)])
    {
        big[from..from + length].reverse();
    }
    assert!(big.starts_with(b"EDAXBOOK"));
    assert!(import(&big).unwrap().graph.entries().eq([entry]));

    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        import(&file)
            .map(|import| import.faults[0].to_string())
            .unwrap_or_else(|error| error.to_string())
    };
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    let set = |at: usize, byte: u8| -> Change { Box::new(move |file| file[at] = byte) };
    let cases: [(Change, &str); 9] = [
        (
            set(8, 3),
            "a book of Edax's of version 3.5; expected version 4",
        ),
        (
            set(0, b'Y'),
            "expected a book of Edax's, but it begins with the bytes",
        ),
        (
            Box::new(|file| file.truncate(60)),
            "cut off after 0 of 1 positions",
        ),
        (
            Box::new(|file| file.push(0)),
            "1 bytes more than its 1 positions take",
        ),
        (set(38, 2), "cut off after 1 of 2 positions"),
        (set(81, 61), "position 1: level 61; there are 0 to 60"),
        (set(83, 70), "position 1: a move of number 70"),
        (set(83, 0), "position 1: the move A1 is not legal"),
        (set(42 + 3, 0), "position 1: an empty square in the centre"),
    ];
    for (change, expected) in cases {
        let error = error(&*change);
        assert!(error.starts_with(expected), "{error}");
    }
}

proptest! {
    /// No input panics.
    #[test]
    fn any_bytes_are_read_or_refused(
        changes in proptest::collection::vec((0_usize..4000, any::<u8>()), 0..20),
        length in 0_usize..4000,
    ) {
        let (mut bytes, _) = exported(1);
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let _ = import(&bytes);
        bytes.truncate(length);
        let _ = import(&bytes);
    }
}

/// Reads a book that Edax wrote, after `book negamax` and `book save`:
/// `OUTFLANK_EDAX_BOOK=book.dat cargo test -p outflank-book --test it edax_itself -- --ignored --nocapture`.
#[test]
#[ignore = "needs a book that Edax wrote"]
fn values_are_those_of_edax_itself() {
    let path = std::env::var_os("OUTFLANK_EDAX_BOOK").expect("OUTFLANK_EDAX_BOOK names a book");
    let read = import(&std::fs::read(path).unwrap()).unwrap();
    println!("{} positions", read.graph.len());
    assert_eq!(read.graph.len(), read.positions);
    assert_unchanged(&read);
}
