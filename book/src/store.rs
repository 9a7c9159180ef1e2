//! Books as files: an SQLite database in one table, a row a position.
//!
//! SQLite and not a format of our own, because a book must survive whatever happens to the program that writes
//! it. A transaction is there whole or not at all, and what was committed stays. While it is written, a book
//! has a log beside it (`-wal`), which readers follow: others can play with a book that learns.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank::Board;
use outflank::notation::Looks;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, OptionalExtension, params};

use crate::entry::{Entry, EntryError};
use crate::error::BookError;

/// The version of files that is read and written.
pub(crate) const VERSION: i64 = 1;

/// What tells a book from other databases, at its place in the file's header.
const APPLICATION: u32 = u32::from_be_bytes(*b"OfBk");

/// How long a file that is in use by another program is waited for: it may only be opening it.
const PATIENCE: Duration = Duration::from_millis(250);

/// The memory that keeps pages of a book, in KiB.
const CACHE_KIB: i64 = 64 << 10;

/// The table: the canonical board, mover first, in big-endian order, so that boards are in the order of
/// their numbers; and what is known of it.
const SCHEMA: &str = "
    create table position (board blob primary key, data blob not null) without rowid;
    create table setting (name text primary key, value integer not null) without rowid;
";

/// The book that comes with the program; docs/lab/book.md tells how it was made.
const BUILT_IN: &[u8] = include_bytes!("../built-in.book");

/// A book that is read.
pub struct Book {
    path: PathBuf,
    connection: Connection,
}

impl Book {
    /// The book that comes with the program, read where it lies in its memory.
    pub fn built_in() -> Result<Book, BookError> {
        let path = PathBuf::from("the built-in book");
        let open = || {
            let mut connection = Connection::open_in_memory()?;
            connection.deserialize_bytes(MAIN_DB, BUILT_IN)?;
            Ok(connection)
        };
        match open() {
            Ok(connection) => Ok(Book { path, connection }),
            Err(error) => Err(BookError::of(&path, error)),
        }
    }

    /// Opens the book at `path` to read it. Nothing of it is read yet, so that this takes no time however
    /// large it is.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        match Book::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
            // A writer was killed as it began or ended: the page that it was at has to be put back first.
            Err(BookError::Store(_, error))
                if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) =>
            {
                drop(Book::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?);
                Book::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
            }
            book => book,
        }
    }

    /// The file is not opened beside SQLite unless SQLite refuses it: to close it again would take away the locks that
    /// this process holds on it.
    fn connect(path: &Path, flags: OpenFlags) -> Result<Book, BookError> {
        let io = |error| BookError::Io(path.to_owned(), error);
        if std::fs::metadata(path).map_err(io)?.is_dir() {
            return Err(io(ErrorKind::IsADirectory.into()));
        }
        let connected = || {
            let connection =
                Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
            let number =
                |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let is_book = number("application_id")? == APPLICATION.into()
                && number("user_version")? == VERSION;
            let mode: String =
                connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
            // What the file lacks can be in the log of a writer.
            let length = match mode == "wal" {
                true => 0,
                false => number("page_count")? * number("page_size")?,
            };
            Ok::<_, rusqlite::Error>((connection, is_book, length as u64))
        };
        match connected() {
            Ok((connection, true, length))
                if std::fs::metadata(path).map_err(io)?.len() >= length =>
            {
                Ok(Book {
                    connection,
                    path: path.to_owned(),
                })
            }
            Ok((connection, ..)) => {
                drop(connection);
                check_header(path)?;
                let what = "its header is no book's".to_owned();
                Err(BookError::Damaged(path.to_owned(), what))
            }
            Err(error) => {
                let code = error.sqlite_error_code();
                if let Some(
                    ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::CannotOpen,
                ) = code
                {
                    check_header(path)?;
                }
                Err(BookError::of(path, error))
            }
        }
    }

    /// Reads what is there at one moment, whatever others commit meanwhile.
    pub(crate) fn at_one_moment<T>(
        &self,
        read: impl FnOnce() -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        let run = |statement| {
            let done = self.connection.execute_batch(statement);
            done.map_err(|error| self.error(error))
        };
        // Also within the transaction of a writer.
        run("savepoint moment")?;
        let result = read();
        run("release moment")?;
        result
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known of a position, as it lies on `board`; `None` where it is not in the book.
    pub fn entry(&self, board: Board) -> Result<Option<Entry>, BookError> {
        let (canonical, symmetry) = board.canonical();
        let find = || {
            let mut query = self
                .connection
                .prepare_cached("select data from position where board = ?")?;
            let read = |row: &rusqlite::Row| {
                let data = row.get_ref(0)?.as_blob()?;
                Ok(Entry::from_bytes(canonical, data))
            };
            query.query_row([key(canonical)], read).optional()
        };
        let found = find().map_err(|error| self.error(error))?;
        let entry = found
            .map(|entry| self.whole(canonical, entry))
            .transpose()?;
        Ok(entry.map(|entry| entry.seen(symmetry.inverse())))
    }

    /// Calls `take` for every position, in the order of their canonical boards; an error of its own ends that.
    pub fn for_each<E: From<BookError>>(
        &self,
        mut take: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row(|board, entry| {
            let entry = entry.and_then(|entry| self.whole(board, entry));
            take(entry?)
        })
    }

    /// The same, with what cannot be read as an error of its own.
    pub(crate) fn for_each_row<E: From<BookError>>(
        &self,
        mut take: impl FnMut(
            Board,
            Result<Option<Result<Entry, EntryError>>, BookError>,
        ) -> Result<(), E>,
    ) -> Result<(), E> {
        let error = |error| E::from(self.error(error));
        let query = "select board, data from position order by board";
        let mut query = self.connection.prepare(query).map_err(error)?;
        let mut rows = query.query([]).map_err(error)?;
        while let Some(row) = rows.next().map_err(error)? {
            let columns = || Ok((row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?));
            let (board, data) = columns().map_err(|_: rusqlite::Error| self.no_position())?;
            let board = read_key(board).ok_or_else(|| self.no_position())?;
            take(board, Ok(Entry::from_bytes(board, data)))?;
        }
        Ok(())
    }

    /// The number of positions. A large book is read for this: a second for some ten million.
    pub fn len(&self) -> Result<u64, BookError> {
        let count = self
            .connection
            .query_row("select count(*) from position", [], |row| {
                row.get::<_, i64>(0)
            });
        let count = count.map_err(|error| self.error(error))?;
        Ok(count as u64)
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> Result<bool, BookError> {
        let query = "select 1 from position limit 1";
        let any = self.connection.query_row(query, [], |_| Ok(())).optional();
        Ok(any.map_err(|error| self.error(error))?.is_none())
    }

    /// How many bytes it takes.
    pub fn size(&self) -> Result<u64, BookError> {
        let query = "select page_count * page_size from pragma_page_count, pragma_page_size";
        let size = self
            .connection
            .query_row(query, [], |row| row.get::<_, i64>(0));
        Ok(size.map_err(|error| self.error(error))? as u64)
    }

    /// A number that the book keeps under this name.
    pub fn setting(&self, name: &str) -> Result<Option<i64>, BookError> {
        let query = "select value from setting where name = ?";
        let value = self.connection.query_row(query, [name], |row| row.get(0));
        value.optional().map_err(|error| self.error(error))
    }

    /// What is wrong with the pages of the file, if anything is.
    pub(crate) fn page_faults(&self) -> Result<Vec<String>, BookError> {
        let faults = || {
            let mut query = self.connection.prepare("pragma quick_check(10)")?;
            let rows = query.query_map([], |row| row.get::<_, String>(0))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        let mut faults = faults().map_err(|error| self.error(error))?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    fn whole(
        &self,
        board: Board,
        entry: Option<Result<Entry, EntryError>>,
    ) -> Result<Entry, BookError> {
        match entry {
            None => Err(self.no_position()),
            Some(entry) => entry.map_err(|error| BookError::Entry(self.path.clone(), board, error)),
        }
    }

    fn no_position(&self) -> BookError {
        let what = "a row is no position".to_owned();
        BookError::Damaged(self.path.clone(), what)
    }

    fn error(&self, error: rusqlite::Error) -> BookError {
        BookError::of(&self.path, error)
    }
}

/// A book that is written. One program at a time can: another one is told so when it tries to open it.
///
/// What is put into it is there for others after [`Writer::commit`]. What is not committed when the
/// writer is dropped, or when the program dies, is lost, and nothing else.
pub struct Writer {
    book: Book,
}

impl Writer {
    /// Makes a book without positions. There must be no file at `path`.
    pub fn create(path: &Path) -> Result<Writer, BookError> {
        let io = |error| BookError::Io(path.to_owned(), error);
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if path.symlink_metadata().is_ok() {
            return Err(io(ErrorKind::AlreadyExists.into()));
        }
        // Under its name there is never less than a whole book.
        let draft = tempfile::Builder::new()
            .prefix(".outflank-")
            .make_in(folder, |path| File::create_new(path))
            .map_err(io)?;
        let prepare = || {
            let connection = Connection::open(draft.path())?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            connection.execute_batch(SCHEMA)?;
            connection.close().map_err(|(_, error)| error)
        };
        prepare().map_err(|error| BookError::of(path, error))?;
        draft
            .persist_noclobber(path)
            .map_err(|error| io(error.error))?;
        Writer::open(path)
    }

    /// Opens the book at `path` to write to it.
    pub fn open(path: &Path) -> Result<Writer, BookError> {
        let book = Book::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let begin = || {
            let connection = &book.connection;
            connection.pragma_update(None, "journal_mode", "wal")?;
            // A commit is on the disk when it returns.
            connection.pragma_update(None, "synchronous", "full")?;
            connection.execute_batch(BEGIN)
        };
        begin().map_err(|error| BookError::of(path, error))?;
        // Not before it has the right to write: what ends a writer is not for one that was refused.
        Ok(Writer { book })
    }

    /// Opens the book at `path` to write to it, or makes one where there is none.
    pub fn open_or_create(path: &Path) -> Result<Writer, BookError> {
        match path.try_exists() {
            Ok(false) => Writer::create(path),
            _ => Writer::open(path),
        }
    }

    /// Puts a position into the book, in place of what is known of it.
    pub fn put(&mut self, entry: &Entry) -> Result<(), BookError> {
        let entry = entry.canonical();
        let put = || {
            let statement = "insert or replace into position values (?, ?)";
            let mut statement = self.connection.prepare_cached(statement)?;
            statement.execute(params![key(entry.board()), entry.to_bytes()])
        };
        put().map_err(|error| self.error(error))?;
        Ok(())
    }

    /// Keeps a number under this name.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), BookError> {
        let statement = "insert or replace into setting values (?, ?)";
        let set = self.connection.execute(statement, params![name, value]);
        set.map_err(|error| self.error(error))?;
        Ok(())
    }

    /// Makes all that was put since the last commit part of the book, for ever.
    pub fn commit(&mut self) -> Result<(), BookError> {
        let commit = || {
            self.connection.execute_batch("commit")?;
            self.connection.execute_batch(BEGIN)
        };
        commit().map_err(|error| self.error(error))
    }
}

/// A writer holds the right to write from its beginning to its end, so that another one is refused at once and
/// not in the middle of its work.
const BEGIN: &str = "begin immediate";

impl Deref for Writer {
    type Target = Book;

    fn deref(&self) -> &Book {
        &self.book
    }
}

impl Drop for Writer {
    /// Leaves a file without a log beside it, unless others read it: a book that nobody writes is one file.
    fn drop(&mut self) {
        let _ = self.connection.execute_batch("rollback");
        // Most of the log while others still can read; all of it, and its end, if they do not.
        let _ = self
            .connection
            .execute_batch("pragma wal_checkpoint(passive)");
        let _ = self
            .connection
            .pragma_update(None, "journal_mode", "delete");
    }
}

/// The key of a canonical board.
fn key(board: Board) -> [u8; 16] {
    (u128::from(board.player) << 64 | u128::from(board.opponent)).to_be_bytes()
}

/// The board of a key; `None` where it is none.
fn read_key(key: &[u8]) -> Option<Board> {
    let key = u128::from_be_bytes(key.try_into().ok()?);
    Some(Board {
        player: (key >> 64) as u64,
        opponent: key as u64,
    })
}

/// Says why SQLite refuses a file, or why it is no book of this version: by its first bytes and its length.
///
/// The header of an SQLite file is described in "Database File Format", section 1.3.
fn check_header(path: &Path) -> Result<(), BookError> {
    const HEADER: usize = 100;
    let io = |error: io::Error| BookError::Io(path.to_owned(), error);
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut header = Vec::new();
    file.take(HEADER as u64)
        .read_to_end(&mut header)
        .map_err(io)?;
    let looks = Looks::of(&header);
    let cut_off = |expected| BookError::Truncated {
        path: path.to_owned(),
        expected,
        found: length,
    };
    let Ok(header) = <[u8; HEADER]>::try_from(header) else {
        return Err(match looks {
            Looks::Other(kind) if kind.contains("SQLite") => cut_off(HEADER as u64),
            looks => BookError::Foreign(path.to_owned(), looks),
        });
    };
    let word = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if !header.starts_with(b"SQLite format 3\0") || word(68) != APPLICATION {
        return Err(BookError::Foreign(path.to_owned(), looks));
    }
    let found = i64::from(word(60));
    if found != VERSION {
        let path = path.to_owned();
        return Err(BookError::Version { path, found });
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    // What the file lacks can be in the log of a writer.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let has_log = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
    let expected = page * u64::from(word(28));
    match length < expected && !has_log {
        true => Err(cut_off(expected)),
        false => Ok(()),
    }
}
