//! SQLite connections to untrusted files.
//!
//! SQLite reads malformed files safely. But views, triggers, generated columns and constraints are code of the file's
//! author, which can run for ever. Therefore a file is refused unless its schema is exactly that of its kind. The check
//! has a limit of steps. SQLite features that no file needs are off.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank::notation::FileKind;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::{DatabaseError, Fault};

/// Files of one purpose: their schema, and their names in messages.
#[derive(Debug)]
pub struct Kind {
    /// Name with its article: `an opening book`.
    pub name: &'static str,
    /// Short name: `book`.
    pub noun: &'static str,
    /// SQLite's application id, in the header of each file.
    pub application: [u8; 4],
    /// Versions of the format that are read. A new file has the first; its owner raises the number in the header before
    /// it writes what older programs cannot read.
    pub versions: RangeInclusive<i64>,
    /// Names and SQL definitions of the tables, as SQLite stores them.
    pub tables: &'static [(&'static str, &'static str)],
    /// Maximum length of values and rows in bytes.
    pub longest_row: i32,
}

/// Timeout for a locked file. Another process may just be opening it.
const PATIENCE: Duration = Duration::from_millis(250);

/// Page cache in KiB.
const CACHE_KIB: i64 = 64 << 10;

/// Steps of SQLite's virtual machine between two calls of a progress handler.
pub const STEPS: i32 = 1000;

/// Maximum number of calls of the progress handler while a file is opened. The schema of no kind causes one.
const OPENING_CALLS: u32 = 100;

/// Suffixes of the files that SQLite keeps beside a file while it is written.
const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];

fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Open file with the properties that identify its kind.
struct Opened {
    connection: Connection,
    is_of_kind: bool,
    /// Minimum length of the file in bytes; 0 if a log may hold pages.
    length: u64,
    /// First deviation of the schema from that of the kind.
    deviation: Option<String>,
}

impl Kind {
    /// Creates an empty file. Fails if there is one.
    pub fn create(&'static self, path: &Path) -> Result<(), DatabaseError> {
        let io = |error| Fault::Io(error).at(path);
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if path.symlink_metadata().is_ok() {
            return Err(io(ErrorKind::AlreadyExists.into()));
        }
        let folder = folder.canonicalize().map_err(io)?;
        // A temporary file is renamed, so the name never refers to an incomplete file.
        let temporary = tempfile::Builder::new()
            .prefix(".outflank-")
            .make_in(&folder, |path| File::create_new(path))
            .map_err(io)?;
        let created = self.create_tables(temporary.path());
        created.map_err(|error| self.fault(error).at(path))?;
        let renamed = temporary.persist_noclobber(path);
        renamed.map_err(|error| io(error.error))?;
        Ok(())
    }

    /// Creates the tables in an empty file. `path` is absolute, because SQLite interprets `:memory:` and `file:` names.
    fn create_tables(&self, path: &Path) -> rusqlite::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        let application = u32::from_be_bytes(self.application);
        connection.pragma_update(None, "application_id", application)?;
        connection.pragma_update(None, "user_version", self.versions.start())?;
        for (_, statement) in self.tables {
            connection.execute_batch(statement)?;
        }
        connection.close().map_err(|(_, error)| error)
    }

    /// Opens the file at `path` for reading.
    pub fn open(&'static self, path: &Path) -> Result<Connection, DatabaseError> {
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY;
        match self.connect(path, read_only) {
            // A writer was killed. Recovery needs write access.
            Err(DatabaseError {
                fault: Fault::Sqlite(error),
                ..
            }) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
                drop(self.open_to_write(path)?);
                self.connect(path, read_only)
            }
            connection => connection,
        }
    }

    /// Opens the file at `path` for reading and writing.
    pub fn open_to_write(&'static self, path: &Path) -> Result<Connection, DatabaseError> {
        self.connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens the file at `path`.
    ///
    /// Only SQLite opens the file: closing a second descriptor would release this process's POSIX locks. `check_header` may
    /// open it after SQLite refused it.
    fn connect(&'static self, path: &Path, flags: OpenFlags) -> Result<Connection, DatabaseError> {
        let io = |error| Fault::Io(error).at(path);
        let foreign = |what: String| Err(Fault::Schema(self, what).at(path));
        // SQLite looks for journals and logs beside the target of a link.
        let real = std::fs::canonicalize(path).map_err(io)?;
        check_kinds(&real).map_err(io)?;
        let refusal = match self.open_any(&real, flags) {
            Ok(opened) => {
                let length = std::fs::metadata(&real).map_err(io)?.len();
                match opened.deviation {
                    Some(what) => return foreign(what),
                    None if opened.is_of_kind && length >= opened.length => {
                        return Ok(opened.connection);
                    }
                    None => Fault::Damaged("its header is invalid".to_owned()).at(path),
                }
            }
            Err(error) => match error.sqlite_error_code() {
                Some(ErrorCode::OperationInterrupted | ErrorCode::TooBig) => {
                    return foreign("a schema that takes too long to read".to_owned());
                }
                Some(
                    ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::CannotOpen,
                ) => self.fault(error).at(path),
                _ => return Err(self.fault(error).at(path)),
            },
        };
        // The connection is closed, so the file may be opened again.
        self.check_header(&real).map_err(|fault| fault.at(path))?;
        Err(refusal)
    }

    /// Connects to an arbitrary file.
    fn open_any(&self, path: &Path, flags: OpenFlags) -> rusqlite::Result<Opened> {
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
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, self.longest_row)?;
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
        let application = i64::from(u32::from_be_bytes(self.application));
        let is_of_kind = number("application_id")? == application
            && self.versions.contains(&number("user_version")?);
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        // The log of a writer may hold pages that the file lacks.
        let length = match mode == "wal" {
            true => 0,
            false => number("page_count")? * number("page_size")?,
        };
        let deviation = match is_of_kind {
            true => self.deviation(&connection)?,
            false => None,
        };
        connection.progress_handler(0, None::<fn() -> bool>)?;
        Ok(Opened {
            connection,
            is_of_kind,
            length: length as u64,
            deviation,
        })
    }

    /// Finds the first deviation of a schema from that of this kind.
    fn deviation(&self, connection: &Connection) -> rusqlite::Result<Option<String>> {
        let mut query = connection.prepare("select type, name, sql from sqlite_schema")?;
        let mut rows = query.query([])?;
        let mut missing = self.tables.to_vec();
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

    /// Returns an error if a file's header or length is not that of this kind and version.
    ///
    /// The header is described in "Database File Format", section 1.3.
    fn check_header(&'static self, path: &Path) -> Result<(), Fault> {
        const HEADER: usize = 100;
        let file = File::open(path).map_err(Fault::Io)?;
        let length = file.metadata().map_err(Fault::Io)?.len();
        let mut header = Vec::new();
        file.take(HEADER as u64)
            .read_to_end(&mut header)
            .map_err(Fault::Io)?;
        let file_kind = FileKind::detect(&header);
        let cut_off = |expected| Fault::Truncated {
            expected,
            found: length,
        };
        let Ok(header) = <[u8; HEADER]>::try_from(header) else {
            return Err(match file_kind {
                FileKind::Other(kind) if kind.contains("SQLite") => cut_off(HEADER as u64),
                file_kind => Fault::Foreign(self, file_kind),
            });
        };
        let word =
            |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
        if !header.starts_with(b"SQLite format 3\0")
            || word(68) != u32::from_be_bytes(self.application)
        {
            return Err(Fault::Foreign(self, file_kind));
        }
        let found = i64::from(word(60));
        if !self.versions.contains(&found) {
            return Err(Fault::Version(self, found));
        }
        let page = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 1 << 16,
            bytes => u64::from(bytes),
        };
        // The log of a writer may hold pages that the file lacks.
        let log = std::fs::metadata(companion(path, "-wal"));
        let has_log = log.is_ok_and(|log| log.len() > 0);
        let expected = page * u64::from(word(28));
        match length < expected && !has_log {
            true => Err(cut_off(expected)),
            false => Ok(()),
        }
    }
}

/// Checks that the file and its companions are regular files. Opening a pipe would block.
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

/// Quotes the beginning of a text from a file. Control characters are escaped.
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}
