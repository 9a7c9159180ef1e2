//! Hostile books.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use outflank::search::Strength;
use outflank::{Board, Engine, Selectivity, StopHandle};
use outflank_book::check::{MAX_FAULTS, check};
use outflank_book::edax::{Date, export};
use outflank_book::learn::{Plan, Work, learn};
use outflank_book::{Book, BookError, Fault, Writer};
use outflank_testing::command::Folder;
use rusqlite::Connection;

use crate::common::{entries, random_book};

/// Creates a book of random positions.
fn book(folder: &Folder, name: &str, games: usize) -> PathBuf {
    let path = folder.path(name);
    random_book(&path, 3, games);
    path
}

/// Runs SQL statements on a book.
fn tamper(path: &Path, statements: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(statements).unwrap();
}

/// Errors of opening a file for reading and for writing.
#[track_caller]
fn open_errors(path: &Path) -> [String; 2] {
    let reading = Book::open(path).err().expect("a refusal to read");
    let writing = Writer::open(path).err().expect("a refusal to write");
    [reading.to_string(), writing.to_string()]
}

const ENDLESS: &str =
    "with recursive n(i) as (select 1 union all select i + 1 from n) select i, i from n";

/// Statement that creates a trigger without end.
fn endless_trigger() -> String {
    format!("create trigger t after insert on position begin insert into setting {ENDLESS}; end")
}

#[test]
fn foreign_schemas_are_refused_in_one_line() {
    let folder = Folder::new();
    let position = "drop table position; \
                    create table position(board blob primary key, data blob not null";
    let other_position = "unexpected definition of table \"position\"";
    let cases = [
        (
            format!("drop table position; create view position(board, data) as {ENDLESS}"),
            "unexpected view \"position\"",
        ),
        (endless_trigger(), "unexpected trigger \"t\""),
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
            "pragma writable_schema = on; insert into sqlite_schema values \
             ('table', 'words', 'words', 0, 'create virtual table words using fts5(a)')"
                .to_owned(),
            "unexpected table \"words",
        ),
        (
            format!("{position}, x as (hex(zeroblob(1e9)))) without rowid"),
            other_position,
        ),
        (
            format!("{position} check (length(hex(zeroblob(1e9))) > 0)) without rowid"),
            other_position,
        ),
        (format!("{position})"), other_position),
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
        for error in open_errors(&path) {
            assert!(error.contains(expected), "{statements}: {error}");
            assert!(error.contains(&format!("{index}.book: ")), "{error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), before, "{statements}");
    }
}

/// A trigger in the log beside a book is found as well.
#[test]
fn schema_in_the_log_is_checked() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 2);
    let connection = Connection::open(&path).unwrap();
    let log = format!("pragma journal_mode = wal; {}", endless_trigger());
    connection.execute_batch(&log).unwrap();
    let copy = folder.path("b.book");
    fs::copy(&path, &copy).unwrap();
    fs::copy(folder.path("a.book-wal"), folder.path("b.book-wal")).unwrap();
    for error in open_errors(&copy) {
        assert!(error.contains("unexpected trigger \"t\""), "{error}");
    }
}

/// The format prescribes no page size.
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

/// Long rows are refused before they take memory.
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
    let single = book.entry(Board::START).unwrap_err();
    let checked = check(&book).unwrap_err();
    for error in [every, single, checked] {
        let error = error.to_string();
        let expected = "a row is longer than any of a book";
        assert!(error.contains(expected), "{error}");
    }
}

/// Cyclic pages hold practically endless rows. Reading ends at the first repetition.
#[test]
fn reading_cyclic_pages_ends() {
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
    // The root leads through 17 levels to a copy of its former leaf.
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
        let error = error.to_string();
        assert!(error.contains("its positions are not in order"), "{error}");
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
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, expected, "{statements}");
        // Users of settings refuse invalid values.
        let is_invalid =
            |fault: &&str| fault.contains(", out of") || fault.contains("no whole number");
        let exported = export(&book, Date::default());
        let is_refused = exported.is_err();
        assert_eq!(is_refused, expected.iter().any(is_invalid), "{statements}");
    }
}

/// A scan that ends early, because of too many faults, has not seen all rows.
#[test]
fn incomplete_scan_of_settings_reports_no_missing_rows() {
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
        let fault = fault.to_string();
        assert!(!fault.contains("missing"), "{fault}");
    }
}

/// The deadline and a stop interrupt the loading of a book. Its entries stay unchanged.
#[test]
fn deadline_and_stop_interrupt_loading() {
    let folder = Folder::new();
    let path = book(&folder, "a.book", 40);
    let read = || entries(&Book::open(&path).unwrap()).unwrap();
    let before = read();
    for is_stop in [false, true] {
        let stop = StopHandle::default();
        if is_stop {
            stop.stop();
        }
        let plan = Plan {
            strength: Strength::Depth(1, Selectivity::Full),
            min_empties: 30,
            deadline: (!is_stop).then(Instant::now),
            positions: Some(1),
        };
        let engine = Engine::builder().hash_mib(1).stop_handle(stop.clone());
        let mut writer = Writer::open(&path).unwrap();
        let engines = vec![engine.build().unwrap()];
        let learnt = learn(&mut writer, engines, &stop, &plan, Work::Expand, |_| ());
        let error = learnt.unwrap_err();
        assert!(matches!(error.fault(), Some(Fault::Interrupted)), "{error}");
        assert_eq!(stop.is_stopped(), is_stop);
        // The writer stays usable.
        assert!(writer.len().unwrap() > 1000);
    }
    assert!(read() == before);
}

/// Pipes in place of a book or of its companions are refused, because opening one would block.
#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let folder = Folder::new();
    let errors = open_errors(&folder.pipe("pipe.book"));
    assert!(errors[0].ends_with("pipe.book: neither a file nor a link to one"));
    let path = book(&folder, "a.book", 2);
    for suffix in ["-journal", "-wal", "-shm"] {
        let beside = folder.pipe(&format!("a.book{suffix}"));
        for error in open_errors(&path) {
            let expected = format!("a.book: {suffix} beside it is no file: remove it");
            assert!(error.ends_with(&expected), "{error}");
        }
        fs::remove_file(beside).unwrap();
    }
    assert!(Book::open(&path).is_ok());

    // SQLite uses the companions of a link's target.
    fs::create_dir(folder.path("links")).unwrap();
    let link = folder.path("links/b.book");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    folder.pipe("links/b.book-wal");
    drop(Writer::open(&link).unwrap());
    folder.pipe("a.book-wal");
    for error in open_errors(&link) {
        let expected = "links/b.book: -wal beside it is no file: remove it";
        assert!(error.ends_with(expected), "{error}");
    }
}
