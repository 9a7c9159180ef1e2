//! SQLite connections to untrusted book files.
//!
//! SQLite reads malformed files safely. But views, triggers, generated columns and constraints are code of the file's
//! author, which can run for ever. Therefore a file is refused unless its schema is exactly that of a book. The check
//! has a limit of steps. SQLite features that a book does not need are off.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank::notation::FileKind;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::entry::FORMAT_VERSION;
use crate::error::BookError;

/// SQLite application id in the header of a book.
const APPLICATION: u32 = u32::from_be_bytes(*b"OfBk");

/// Timeout for a locked file. Another process may just be opening it.
const PATIENCE: Duration = Duration::from_millis(250);

/// Page cache in KiB.
const CACHE_KIB: i64 = 64 << 10;

/// Maximum length of values and rows in bytes. A position takes less than 100.
const MAX_ROW: i32 = 1 << 16;

/// Steps of SQLite's virtual machine between two calls of a progress handler.
pub(crate) const STEPS: i32 = 1000;

/// Maximum number of calls of the progress handler while a file is opened. A book's schema causes none.
const OPENING_CALLS: u32 = 100;

/// Names and SQL definitions of the tables, in all versions of the format.
///
/// The key of a position is its canonical board, mover first, in big-endian order, so that keys sort like numbers.
const TABLES: [(&str, &str); 2] = [
    (
        "position",
        "CREATE TABLE position (board blob primary key, data blob not null) without rowid",
    ),
    (
        "setting",
        "CREATE TABLE setting (name text primary key, value integer not null) without rowid",
    ),
];

/// Suffixes of the files that SQLite keeps beside a book while it is written.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates the tables in an empty file. `path` is absolute, because SQLite interprets `:memory:` and `file:` names.
pub(crate) fn create_tables(path: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT_VERSION)?;
    for (_, statement) in TABLES {
        connection.execute_batch(statement)?;
    }
    connection.close().map_err(|(_, error)| error)
}

/// Open database with the properties that identify a book.
struct Opened {
    connection: Connection,
    is_book: bool,
    /// Minimum length of the file in bytes; 0 if a log may hold pages.
    length: u64,
    /// First deviation of the schema from that of a book.
    deviation: Option<String>,
}

/// Opens the book at `path`.
///
/// Only SQLite opens the file: closing a second descriptor would release this process's POSIX locks. [`check_header`]
/// may open it after SQLite refused it.
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, BookError> {
    let io = |error| BookError::Io(path.to_owned(), error);
    let foreign = |what: String| Err(BookError::Schema(path.to_owned(), what));
    // SQLite looks for journals and logs beside the target of a link.
    let real = std::fs::canonicalize(path).map_err(io)?;
    check_kinds(&real).map_err(io)?;
    let refusal = match open(&real, flags) {
        Ok(opened) => {
            let length = std::fs::metadata(&real).map_err(io)?.len();
            match opened.deviation {
                Some(what) => return foreign(what),
                None if opened.is_book && length >= opened.length => return Ok(opened.connection),
                None => BookError::Damaged(path.to_owned(), "its header is no book's".to_owned()),
            }
        }
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted | ErrorCode::TooBig) => {
                return foreign("a schema that takes too long to read".to_owned());
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::CannotOpen) => {
                BookError::of(path, error)
            }
            _ => return Err(BookError::of(path, error)),
        },
    };
    // The connection is closed, so the file may be opened again.
    check_header(path, &real)?;
    Err(refusal)
}

/// Checks that the book and its companions are regular files. Opening a pipe would block.
fn check_kinds(path: &Path) -> io::Result<()> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("neither a file nor a link to one"));
    }
    for suffix in COMPANIONS {
        let metadata = companion(path, suffix).symlink_metadata();
        if metadata.is_ok_and(|metadata| !metadata.is_file()) {
            let what = format!("{suffix} beside it is no file: remove it");
            return Err(io::Error::other(what));
        }
    }
    Ok(())
}

/// Connects to an arbitrary file.
fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Opened> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // Settings for untrusted files (https://sqlite.org/security.html). They precede all pragmas, since many pragmas
    // read the schema.
    for (option, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(option, value)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    let mut calls = 0;
    let is_too_long = move || {
        calls += 1;
        calls > OPENING_CALLS
    };
    connection.progress_handler(STEPS, Some(is_too_long))?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;

    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let is_book = number("application_id")? == i64::from(APPLICATION)
        && number("user_version")? == FORMAT_VERSION;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    // The log of a writer may hold pages that the file lacks.
    let length = match mode == "wal" {
        true => 0,
        false => number("page_count")? * number("page_size")?,
    };
    let deviation = match is_book {
        true => deviation(&connection)?,
        false => None,
    };
    connection.progress_handler(0, None::<fn() -> bool>)?;
    Ok(Opened {
        connection,
        is_book,
        length: length as u64,
        deviation,
    })
}

/// Finds the first deviation of a schema from that of a book.
fn deviation(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut query = connection.prepare("select type, name, sql from sqlite_schema")?;
    let mut rows = query.query([])?;
    let mut missing = TABLES.to_vec();
    while let Some(row) = rows.next()? {
        let column = |index| {
            Ok::<_, rusqlite::Error>(match row.get_ref(index)? {
                ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                _ => String::new(),
            })
        };
        let (kind, name, statement) = (column(0)?, column(1)?, column(2)?);
        let known = missing.iter().position(|&(known, _)| known == name);
        match known.filter(|_| kind == "table") {
            Some(index) if missing[index].1 == statement => _ = missing.swap_remove(index),
            Some(_) => {
                return Ok(Some(format!(
                    "unexpected definition of table {}",
                    quoted(&name)
                )));
            }
            None => {
                let kind = match ["table", "view", "trigger", "index"].contains(&&kind[..]) {
                    true => &kind,
                    false => "object",
                };
                return Ok(Some(format!("unexpected {kind} {}", quoted(&name))));
            }
        }
    }
    let missing = missing.first();
    Ok(missing.map(|(name, _)| format!("missing table \"{name}\"")))
}

/// Quotes the beginning of a text from a file. Control characters are escaped.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

/// Returns an error if a file's header or length is not that of a book of this version.
///
/// The header is described in "Database File Format", section 1.3. Messages name `path`; `real` is the target of its
/// links.
fn check_header(path: &Path, real: &Path) -> Result<(), BookError> {
    const HEADER: usize = 100;
    let io = |error: io::Error| BookError::Io(path.to_owned(), error);
    let file = File::open(real).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut header = Vec::new();
    file.take(HEADER as u64)
        .read_to_end(&mut header)
        .map_err(io)?;
    let file_kind = FileKind::detect(&header);
    let cut_off = |expected| BookError::Truncated {
        path: path.to_owned(),
        expected,
        found: length,
    };
    let Ok(header) = <[u8; HEADER]>::try_from(header) else {
        return Err(match file_kind {
            FileKind::Other(kind) if kind.contains("SQLite") => cut_off(HEADER as u64),
            file_kind => BookError::Foreign(path.to_owned(), file_kind),
        });
    };
    let word = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if !header.starts_with(b"SQLite format 3\0") || word(68) != APPLICATION {
        return Err(BookError::Foreign(path.to_owned(), file_kind));
    }
    let found = i64::from(word(60));
    if found != FORMAT_VERSION {
        let path = path.to_owned();
        return Err(BookError::Version { path, found });
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    // The log of a writer may hold pages that the file lacks.
    let log = std::fs::metadata(companion(real, "-wal"));
    let has_log = log.is_ok_and(|log| log.len() > 0);
    let expected = page * u64::from(word(28));
    match length < expected && !has_log {
        true => Err(cut_off(expected)),
        false => Ok(()),
    }
}
