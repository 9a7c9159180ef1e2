//! Files that are no books, or damaged ones.

use std::fs;
use std::path::Path;

use outflank::{Board, Selectivity};
use outflank_book::check::check;
use outflank_book::{Book, BookError, Entry, Move, Searched, Writer};
use outflank_testing::command::Folder;
use outflank_testing::rng::Rng;

use crate::common::random_graph;

fn book(path: &Path) -> Vec<u8> {
    let mut writer = Writer::create(path).unwrap();
    random_graph(3, 10).save(&mut writer).unwrap();
    writer.commit().unwrap();
    drop(writer);
    fs::read(path).unwrap()
}

/// What is no book of this version is refused, to read and to write, by one line that says why; and the file stays
/// as it is.
#[test]
fn what_is_no_book_is_refused() {
    let folder = Folder::new();
    let whole = book(&folder.path("whole.book"));
    let with = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let files: [(&[u8], &str); 10] = [
        (b"", "expected an opening book, but it is empty"),
        (
            b"f5d6c3",
            "expected an opening book, but it looks like text, \"f5d6c3\"",
        ),
        (b"XADEKOOB\x04\x05", "but it is an opening book of Edax's"),
        (&with(68, b"else"), "but it is an SQLite database"),
        (
            &with(60, &[0, 0, 0, 2]),
            "a book of version 2; this outflank reads version 1: update outflank",
        ),
        (&with(60, &[0, 0, 0, 0]), "a book of version 0"),
        (&whole[..50], "cut off: 50 of 100 bytes"),
        (&whole[..4096], "cut off: 4096 of "),
        (&whole[..whole.len() - 1], "cut off: "),
        (&vec![7; 5000], "it begins with the bytes"),
    ];
    for (file, expected) in files {
        let path = folder.file("other.book", file);
        for error in [
            Book::open(&path).err().unwrap(),
            Writer::open(&path).err().unwrap(),
        ] {
            let told = error.to_string();
            assert!(
                told.contains(expected) && told.contains("other.book"),
                "{told}"
            );
            assert!(!told.contains('\n'));
        }
        assert_eq!(fs::read(&path).unwrap(), file);
    }
    let error = Book::open(&folder.path("none.book")).err().unwrap();
    assert!(matches!(error, BookError::Io(..)), "{error}");
    let error = Writer::create(&folder.path("none/a.book")).err().unwrap();
    assert!(matches!(error, BookError::Io(..)), "{error}");
}

/// Whatever is written over a book, reading and checking it ends, and what a check finds no fault with are positions of the
/// book as they were, but for the few changes that a checksum of a byte cannot see.
#[test]
fn damage_is_noticed_or_harmless() {
    let folder = Folder::new();
    let whole = book(&folder.path("whole.book"));
    let positions = |path: &Path| {
        let mut all = Vec::new();
        let book = Book::open(path)?;
        book.for_each(|entry| {
            all.push(entry);
            Ok::<(), BookError>(())
        })?;
        let report = check(&book)?;
        Ok::<_, BookError>((all, report))
    };
    let (expected, _) = positions(&folder.path("whole.book")).unwrap();
    let mut rng = Rng::new(11);
    let (mut noticed, mut unseen) = (0, 0);
    for _ in 0..300 {
        let mut file = whole.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(file.len());
            let length = (1 + rng.below(64)).min(file.len() - at);
            file[at..at + length].fill(rng.below(256) as u8);
        }
        let path = folder.file("damaged.book", &file);
        match positions(&path) {
            Ok((found, report)) if report.fault_count == 0 => {
                let is_new = |entry: &&Entry| !expected.contains(entry);
                unseen += found.iter().filter(is_new).count();
            }
            _ => noticed += 1,
        }
    }
    assert!(noticed > 200, "{noticed} of 300 were noticed");
    assert!(unseen <= 3, "{unseen} positions were changed");
}

/// A bit that changes in what a book has of a position is found, whichever it is, also by who only looks the position up.
#[test]
fn a_changed_bit_of_a_position_is_found() {
    let folder = Folder::new();
    let path = folder.path("one.book");
    let leaf = Move {
        ply: "F5".parse().ok(),
        value: 3,
    };
    let searched = Searched {
        depth: 16,
        selectivity: Selectivity::P73,
    };
    let mut writer = Writer::create(&path).unwrap();
    let entry = Entry::new(Board::START, searched, Some(leaf), vec![]).unwrap();
    writer.put(&entry).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let whole = fs::read(&path).unwrap();
    let start = Board::START.canonical().0.player.to_be_bytes();
    let places = whole.windows(8).enumerate();
    let places: Vec<_> = places.filter(|(_, bytes)| *bytes == start).collect();
    let &[(at, _)] = &places[..] else {
        panic!("the position is there once: {places:?}");
    };
    // The board, and five bytes behind it.
    for bit in 0..8 * (16 + 5) {
        let mut file = whole.clone();
        file[at + bit / 8] ^= 1 << (bit % 8);
        let path = folder.file("changed.book", &file);
        let book = Book::open(&path).unwrap();
        let faults = check(&book).map_or(1, |report| report.fault_count);
        assert!(faults > 0, "bit {bit}");
        if bit >= 8 * 16 {
            let told = book.entry(Board::START).unwrap_err().to_string();
            assert!(
                told.ends_with("its checksum is not that of its data"),
                "{told}"
            );
        }
    }
}
