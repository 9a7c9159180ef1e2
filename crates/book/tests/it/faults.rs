//! Foreign and damaged files.

use std::fs;
use std::path::Path;

use outflank::{Board, Selectivity};
use outflank_book::check::check;
use outflank_book::{Book, BookEntry, BookError, Fault, SearchEffort, Writer};
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;

use crate::common::{entries, entry, random_book, write_book};

/// Contents of a book of random positions.
fn book(path: &Path) -> Vec<u8> {
    random_book(path, 3, 10);
    fs::read(path).unwrap()
}

/// Readers and writers refuse foreign files in one line and keep them unchanged.
#[test]
fn foreign_files_are_refused() {
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
            &with(60, &[0, 0, 0, 3]),
            "a book of version 3; this outflank reads versions 1 to 2: update outflank",
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
            let error = error.to_string();
            assert!(error.contains(expected), "{error}");
            assert!(
                error.contains("other.book") && !error.contains('\n'),
                "{error}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), file);
    }
    let error = Book::open(&folder.path("none.book")).err().unwrap();
    assert!(matches!(error.fault(), Some(Fault::Io(_))), "{error}");
    let error = Writer::create(&folder.path("none/a.book")).err().unwrap();
    assert!(matches!(error.fault(), Some(Fault::Io(_))), "{error}");
}

/// Reading and checking an overwritten book ends. Without a reported fault its positions are unchanged, except for the
/// few changes that a checksum of one byte misses.
#[test]
fn damage_is_detected_or_harmless() {
    let folder = Folder::new();
    let whole = book(&folder.path("whole.book"));
    let positions = |path: &Path| {
        let book = Book::open(path)?;
        Ok::<_, BookError>((entries(&book)?, check(&book)?))
    };
    let (expected, _) = positions(&folder.path("whole.book")).unwrap();
    let mut rng = SplitMix64::new(11);
    let (mut detected, mut missed) = (0, 0);
    for _ in 0..300 {
        let mut file = whole.clone();
        for _ in 0..1 + rng.index(3) {
            let at = rng.index(file.len());
            let length = (1 + rng.index(64)).min(file.len() - at);
            file[at..at + length].fill(rng.index(256) as u8);
        }
        let path = folder.file("damaged.book", &file);
        match positions(&path) {
            Ok((found, report)) if report.fault_count == 0 => {
                let is_new = |entry: &&BookEntry| !expected.contains(entry);
                missed += found.iter().filter(is_new).count();
            }
            _ => detected += 1,
        }
    }
    assert!(detected > 200, "{detected} of 300");
    assert!(missed <= 3, "{missed} changed positions");
}

/// Every flipped bit of an entry is detected, also by a lookup.
#[test]
fn flipped_bits_of_an_entry_are_detected() {
    let folder = Folder::new();
    let path = folder.path("one.book");
    let searched = SearchEffort::new(16, Selectivity::P73);
    let start = entry(Board::START, searched, Some(("F5", 3)), &[]);
    write_book(&path, &[start]);
    let whole = fs::read(&path).unwrap();
    let start = Board::START.canonical().0.player.to_be_bytes();
    let matches = whole.windows(8).enumerate();
    let matches: Vec<_> = matches.filter(|(_, bytes)| *bytes == start).collect();
    let &[(at, _)] = &matches[..] else {
        panic!("not a single match: {matches:?}");
    };
    // Bits of the board and of the five bytes of its entry.
    for bit in 0..8 * (16 + 5) {
        let mut file = whole.clone();
        file[at + bit / 8] ^= 1 << (bit % 8);
        let path = folder.file("changed.book", &file);
        let book = Book::open(&path).unwrap();
        let faults = check(&book).map_or(1, |report| report.fault_count);
        assert!(faults > 0, "bit {bit}");
        if bit >= 8 * 16 {
            let error = book.entry(Board::START).unwrap_err().to_string();
            let expected = "its checksum is not that of its data";
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
