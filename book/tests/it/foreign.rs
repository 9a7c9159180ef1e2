//! Books from strangers, made to harm who opens them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use outflank::search::Strength;
use outflank::{Board, Engine, Selectivity, StopHandle};
use outflank_book::check::{MAX_FAULTS, check};
use outflank_book::learn::{Plan, Work, learn};
use outflank_book::{Book, BookError, Writer};
use outflank_testing::command::Folder;
use rusqlite::Connection;

use crate::common::random_graph;

/// A book of random positions.
fn book(folder: &Folder, name: &str, games: usize) -> PathBuf {
    let path = folder.path(name);
    let mut writer = Writer::create(&path).unwrap();
    random_graph(3, games).save(&mut writer).unwrap();
    writer.commit().unwrap();
    path
}

/// Carries out statements on a book, as a stranger may.
fn tamper(path: &Path, statements: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(statements).unwrap();
}

/// The reasons why a file cannot be read, and written.
#[track_caller]
fn refused(path: &Path) -> [String; 2] {
    let reading = Book::open(path).err().expect("it is refused to read");
    let writing = Writer::open(path).err().expect("it is refused to write");
    [reading.to_string(), writing.to_string()]
}

/// Numbers without end, for a query that never ends.
const ENDLESS: &str =
    "with recursive n(i) as (select 1 union all select i + 1 from n) select i, i from n";

#[test]
fn a_schema_that_is_not_a_books_is_refused_in_one_line() {
    let folder = Folder::new();
    let position = "drop table position; create table position";
    let cases = [
        (
            format!("drop table position; create view position(board, data) as {ENDLESS}"),
            "unexpected view \"position\"",
        ),
        (
            format!(
                "create trigger t after insert on position begin insert into setting {ENDLESS}; end"
            ),
            "unexpected trigger \"t\"",
        ),
        (
            format!("create view more as {ENDLESS}"),
            "unexpected view \"more\"",
        ),
        (
            "create index i on position(abs(data))".to_owned(),
            "unexpected index \"i\"",
        ),
        (
            "create table other(a)".to_owned(),
            "unexpected table \"other\"",
        ),
        ("analyze".to_owned(), "unexpected table \"sqlite_stat"),
        (
            "create virtual table words using fts5(a)".to_owned(),
            "unexpected table \"words",
        ),
        (
            format!(
                "{position}(board blob primary key, data blob not null, x as (hex(zeroblob(1e9)))) without rowid"
            ),
            "unexpected definition of table \"position\"",
        ),
        (
            format!(
                "{position}(board blob primary key, data blob not null check (length(hex(zeroblob(1e9))) > 0)) without rowid"
            ),
            "unexpected definition of table \"position\"",
        ),
        (
            format!("{position}(board blob primary key, data blob not null)"),
            "unexpected definition of table \"position\"",
        ),
        ("drop table setting".to_owned(), "missing table \"setting\""),
        (
            "create table \"a\n\u{202e}b\"(c)".to_owned(),
            r#"unexpected table "a\n\u{202e}b""#,
        ),
        (
            format!(
                "pragma writable_schema = on; insert into sqlite_schema select 'view', 'v' || i, 'v' || i, 0, \
                 'create view v' || i || ' as select 1' from ({} limit 30000)",
                ENDLESS.replace("i, i", "i")
            ),
            "not an Outflank book: a schema that takes too long to read",
        ),
    ];
    for (index, (statements, expected)) in cases.iter().enumerate() {
        let path = book(&folder, &format!("{index}.book"), 2);
        tamper(&path, statements);
        let before = fs::read(&path).unwrap();
        for told in refused(&path) {
            assert!(told.contains(expected), "{statements}: {told}");
            assert!(told.contains(&format!("{index}.book: ")), "{told}");
            assert!(!told.contains(char::is_control), "{told:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), before, "{statements}");
    }
}

/// A trigger that only the log beside a book has is found as well.
#[test]
fn a_log_beside_a_book_is_no_way_around() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 2);
    let connection = Connection::open(&path).unwrap();
    let trigger = format!(
        "create trigger t after insert on position begin insert into setting {ENDLESS}; end"
    );
    connection
        .execute_batch(&format!("pragma journal_mode = wal; {trigger}"))
        .unwrap();
    let copy = folder.path("b.book");
    fs::copy(&path, &copy).unwrap();
    fs::copy(folder.path("a.book-wal"), folder.path("b.book-wal")).unwrap();
    for told in refused(&copy) {
        assert!(told.contains("unexpected trigger \"t\""), "{told}");
    }
}

/// Books with the smallest, the largest and another page size are read: the format does not prescribe a size.
#[test]
fn books_of_any_page_size_are_read() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 2);
    let expected = Book::open(&path).unwrap().len().unwrap();
    for size in [512, 1024, 65_536] {
        tamper(&path, &format!("pragma page_size = {size}; vacuum"));
        let book = Book::open(&path).unwrap();
        assert_eq!(book.len().unwrap(), expected);
        assert_eq!(check(&book).unwrap().fault_count, 0);
    }
}

/// A row that is longer than any position is refused before it takes memory.
#[test]
fn long_rows_are_refused() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 2);
    let board = Board::START.canonical().0;
    let key = format!("x'{:016x}{:016x}'", board.player, board.opponent);
    tamper(
        &path,
        &format!("insert or replace into position values ({key}, zeroblob(100000))"),
    );
    let book = Book::open(&path).unwrap();
    let every = book.for_each(|_| Ok::<(), BookError>(())).unwrap_err();
    let one = book.entry(Board::START).unwrap_err();
    let checked = check(&book).unwrap_err();
    for error in [every, one, checked] {
        let told = error.to_string();
        assert!(told.contains("a row is longer than any position"), "{told}");
    }
}

/// Pages that lead to each other over and over hold more rows than anyone can read. Reading ends at the first repetition.
#[test]
fn pages_that_lead_back_to_each_other_are_no_endless_book() {
    const PAGE: usize = 4096;
    let folder = Folder::new();
    let path = book(&folder, "a.book", 1);
    let root = {
        let query = "select rootpage from sqlite_schema where name = 'position'";
        let connection = Connection::open(&path).unwrap();
        let root = connection.query_row(query, [], |row| row.get::<_, u32>(0));
        root.unwrap() as usize
    };
    let mut file = fs::read(&path).unwrap();
    let pages = file.len() / PAGE;
    // "Database File Format", section 1.6: the root is a leaf, whose last cell is a row, its length first.
    let leaf = file[(root - 1) * PAGE..][..PAGE].to_vec();
    let word = |at: usize| usize::from(u16::from_be_bytes([leaf[at], leaf[at + 1]]));
    let last = word(8 + 2 * (word(3) - 1));
    let row = &leaf[last..=last + usize::from(leaf[last])];
    // An interior page, whose cells and last pointer all lead to `child`.
    let interior = |child: usize| {
        const CELLS: usize = 20;
        let child = u32::try_from(child).unwrap().to_be_bytes();
        let cell = [&child[..], row].concat();
        let mut page = vec![0; PAGE];
        page[0] = 2;
        page[3..5].copy_from_slice(&(CELLS as u16).to_be_bytes());
        let start = PAGE - CELLS * cell.len();
        page[5..7].copy_from_slice(&(start as u16).to_be_bytes());
        page[8..12].copy_from_slice(&child);
        for index in 0..CELLS {
            let at = start + index * cell.len();
            page[12 + 2 * index..][..2].copy_from_slice(&(at as u16).to_be_bytes());
            page[at..at + cell.len()].copy_from_slice(&cell);
        }
        page
    };
    // The root leads to 17 levels, and those to a copy of the leaf that the root was.
    const LEVELS: usize = 17;
    for level in 0..LEVELS {
        file.extend(interior(pages + level + 2));
    }
    file.extend(&leaf);
    file[(root - 1) * PAGE..][..PAGE].copy_from_slice(&interior(pages + 1));
    let count = u32::try_from(file.len() / PAGE).unwrap();
    file[28..32].copy_from_slice(&count.to_be_bytes());
    let path = folder.file("endless.book", &file);

    let book = Book::open(&path).unwrap();
    let each = book.for_each(|_| Ok::<(), BookError>(())).unwrap_err();
    for error in [each, book.len().unwrap_err()] {
        let told = error.to_string();
        assert!(told.contains("its positions are not in order"), "{told}");
    }
    assert!(check(&book).unwrap().fault_count > 0);
}

#[test]
fn settings_are_checked() {
    let folder = Folder::new();
    let of_edax = "insert into setting values ('level', 21), ('empties', 24), ('midgame error', 2), ('endgame error', 1);";
    let cases = [
        ("", &[][..]),
        ("insert into setting values ('level', 16)", &[]),
        (of_edax, &[]),
        (
            "insert into setting values ('level', 61)",
            &["the setting \"level\" is 61, out of 0 to 60"],
        ),
        (
            "insert into setting values ('level', 'high')",
            &["the setting \"level\" is no whole number"],
        ),
        (
            "insert into setting values ('midgame error', 9223372036854775807)",
            &[
                "the setting \"midgame error\" is 9223372036854775807, out of 0 to 64",
                "the setting \"level\" is missing",
                "the setting \"empties\" is missing",
                "the setting \"endgame error\" is missing",
            ],
        ),
        (
            "insert into setting values ('Level\u{202e}', 1)",
            &["the setting \"Level\\u{202e}\" is unknown"],
        ),
        (
            "insert into setting values (x'00', 1)",
            &["a setting without a name"],
        ),
    ];
    for (index, (statements, expected)) in cases.into_iter().enumerate() {
        let path = book(&folder, &format!("{index}.book"), 2);
        tamper(&path, statements);
        let book = Book::open(&path).unwrap();
        let faults = check(&book).unwrap().faults;
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(told, expected, "{statements}");
        // What uses a setting takes no value that cannot be.
        let is_out = expected
            .iter()
            .any(|fault| fault.contains(", out of") || fault.contains("no whole number"));
        let exported = outflank_book::edax::export(&book, outflank_book::edax::Date::default());
        assert_eq!(exported.is_err(), is_out, "{statements}");
    }
}

/// A scan of the settings that ends early knows nothing of the rows behind: none of them is told to be missing.
#[test]
fn too_many_settings_are_told_once_each() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 2);
    tamper(
        &path,
        &format!(
            "insert into setting values ('empties', 65), ('level', 21), ('midgame error', 2), ('endgame error', 1); \
             insert into setting select 'g' || i, 1 from ({} limit 1500)",
            ENDLESS.replace("i, i", "i")
        ),
    );
    let report = check(&Book::open(&path).unwrap()).unwrap();
    assert_eq!(report.fault_count, MAX_FAULTS as u64);
    for fault in report.faults {
        let told = fault.to_string();
        assert!(!told.contains("missing"), "{told}");
    }
}

/// Reading a book before it grows ends with the time, or with a signal, and changes nothing.
#[test]
fn the_time_and_signals_end_reading() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 40);
    let before = fs::read(&path).unwrap();
    for is_signal in [false, true] {
        let stop = StopHandle::default();
        if is_signal {
            stop.stop();
        }
        let plan = Plan {
            strength: Strength::Depth(1, Selectivity::Full),
            min_empties: 30,
            deadline: (!is_signal).then(Instant::now),
            positions: Some(1),
        };
        let engine = Engine::builder().hash_mib(1).stop_handle(stop.clone());
        let mut writer = Writer::open(&path).unwrap();
        let engines = vec![engine.build().unwrap()];
        let learnt = learn(&mut writer, engines, &stop, &plan, Work::Expand, |_| ());
        let error = learnt.unwrap_err();
        assert!(matches!(error, BookError::Interrupted(_)), "{error}");
        assert_eq!(stop.is_stopped(), is_signal);
        // The writer can go on.
        assert!(writer.len().unwrap() > 1000);
    }
    assert_eq!(fs::read(&path).unwrap().len(), before.len());
}

/// Pipes in place of a book, or of a file beside it, are refused: to open one would wait for ever.
#[cfg(unix)]
#[test]
fn pipes_are_no_books() {
    let folder = Folder::new();
    let pipe = |name: &str| {
        let path = folder.path(name);
        let mut mkfifo = std::process::Command::new("mkfifo");
        assert!(mkfifo.arg(&path).status().unwrap().success());
        path
    };
    let told = refused(&pipe("pipe.book"));
    assert!(told[0].ends_with("pipe.book: neither a file nor a link to one"));
    let path = book(&folder, "a.book", 2);
    for suffix in ["-journal", "-wal", "-shm"] {
        let beside = pipe(&format!("a.book{suffix}"));
        for told in refused(&path) {
            let expected = format!("a.book: {suffix} beside it is no file: remove it");
            assert!(told.ends_with(&expected), "{told}");
        }
        fs::remove_file(beside).unwrap();
    }
    assert!(Book::open(&path).is_ok());

    // SQLite uses the files beside the book, not those beside a link to it.
    fs::create_dir(folder.path("links")).unwrap();
    let link = folder.path("links/b.book");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    pipe("links/b.book-wal");
    drop(Writer::open(&link).unwrap());
    pipe("a.book-wal");
    for told in refused(&link) {
        assert!(
            told.ends_with("links/b.book: -wal beside it is no file: remove it"),
            "{told}"
        );
    }
}
