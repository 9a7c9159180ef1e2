//! Files that are no books, or damaged ones.

use std::fs;
use std::path::Path;

use outflank_book::check::check;
use outflank_book::{Book, BookError, Writer};
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

/// Whatever is written over a book, reading and checking it ends, and a check that says nothing read the same
/// positions as before.
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
    let mut noticed = 0;
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
                // Values of leaves can be anything; what belongs together is tested.
                assert!(found.len() <= expected.len());
            }
            _ => noticed += 1,
        }
    }
    assert!(noticed > 150, "{noticed} of 300 were noticed");
}
