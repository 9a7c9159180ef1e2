//! Book files.

use outflank::Board;
use outflank::symmetry::Symmetry;
use outflank_book::check::check;
use outflank_book::{Book, Fault, Graph, Writer};
use outflank_testing::command::Folder;

use crate::common::random_graph;

/// Commits are kept and found in every orientation. Uncommitted changes leave no trace.
#[test]
fn only_commits_are_kept() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let mut graph = random_graph(3, 10);
    let mut writer = Writer::create(&path).unwrap();
    graph.save(&mut writer).unwrap();
    writer.set("level", 7).unwrap();
    writer.commit().unwrap();

    let outside = random_graph(4, 3);
    let new = outside
        .entries()
        .find(|entry| graph.find(entry.board()).is_none())
        .unwrap();
    writer.put(&new).unwrap();
    writer.set("level", 8).unwrap();
    drop(writer);

    let book = Book::open(&path).unwrap();
    assert_eq!(book.len().unwrap(), graph.len() as u64);
    assert_eq!(book.setting("level").unwrap(), Some(7));
    assert_eq!(book.setting("none").unwrap(), None);
    assert_eq!(book.entry(new.board()).unwrap(), None);
    for entry in graph.entries() {
        for symmetry in Symmetry::all() {
            let seen = entry.transformed(symmetry);
            let found = book.entry(seen.board()).unwrap().unwrap();
            let sorted = |mut moves: Vec<outflank_book::ValuedMove>| {
                moves.sort_by_key(|found| found.ply);
                moves
            };
            assert_eq!(found.board(), seen.board());
            // Moves of a symmetric board have several orientations.
            let values = |entry: &outflank_book::BookEntry| {
                let mut values: Vec<_> = entry.moves().map(|found| found.value).collect();
                values.sort();
                values
            };
            assert_eq!(values(&found), values(&seen));
            let keeps = |symmetry: &Symmetry| symmetry.board(seen.board()) == seen.board();
            if Symmetry::all().filter(keeps).count() == 1 {
                let [found_moves, moves] =
                    [&found, &seen].map(|entry| sorted(entry.moves().collect()));
                assert_eq!(found_moves, moves);
                assert_eq!(found.leaf(), seen.leaf());
            }
        }
    }
    let report = check(&book).unwrap();
    assert_eq!((report.fault_count, report.unlinked), (0, 0), "{report:?}");
    assert!(Graph::read(&book).unwrap().entries().count() == graph.len());
    // No log is left.
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1);
}

/// Reading a book in the writing process keeps its lock and its log.
#[test]
fn reading_beside_a_writer_keeps_its_lock() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let entries: Vec<_> = random_graph(5, 4).entries().collect();
    let mut writer = Writer::create(&path).unwrap();
    for (index, entry) in entries.iter().enumerate() {
        writer.put(entry).unwrap();
        writer.commit().unwrap();
        drop(Book::open(&path).unwrap());
        if index % 50 == 0 {
            assert!(
                matches!(Writer::open(&path), Err(error) if matches!(error.fault(), Some(Fault::Busy(_))))
            );
        }
    }
    let log = path.with_extension("book-wal");
    assert!(
        std::fs::metadata(&log).unwrap().len() > 0,
        "what was committed is in the log"
    );
    // Copies the file with its log, as after a kill.
    let copy = folder.path("b.book");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::copy(&log, copy.with_extension("book-wal")).unwrap();
    let copied = Book::open(&copy).unwrap();
    assert_eq!(copied.len().unwrap(), entries.len() as u64);
    assert_eq!(check(&copied).unwrap().fault_count, 0);
}

/// Readers see commits at once. A second writer and a new book in its place are refused.
#[test]
fn readers_see_commits_of_a_single_writer() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let mut writer = Writer::create(&path).unwrap();
    let entries: Vec<_> = random_graph(5, 4).entries().collect();
    let reader = Book::open(&path).unwrap();
    for (index, entry) in entries.iter().enumerate() {
        writer.put(entry).unwrap();
        assert_eq!(reader.entry(entry.board()).unwrap(), None);
        writer.commit().unwrap();
        assert!(reader.entry(entry.board()).unwrap().is_some());
        if index == 5 {
            let second = Writer::open(&path).err().unwrap();
            assert!(matches!(second.fault(), Some(Fault::Busy(_))), "{second}");
            let second = second.to_string();
            assert!(
                second.contains("another program uses this book"),
                "{second}"
            );
            let twice = Writer::create(&path).err().unwrap();
            assert!(matches!(twice.fault(), Some(Fault::Io(_))), "{twice}");
        }
    }
    drop(writer);
    drop(Writer::open(&path).unwrap());
    assert_eq!(reader.len().unwrap(), entries.len() as u64);
    assert!(reader.entry(Board::START).unwrap().is_some());
}
