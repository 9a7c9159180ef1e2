//! Book files: SQLite databases with one row for each position.
//!
//! SQLite guarantees that a transaction is stored whole or not at all, whatever happens to the writing process. While a
//! book is being written, a log lies beside it (`-wal`). Readers follow the log, so other programs can play by
//! a book while it grows.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use outflank::Board;
use outflank_database::{Fault, Kind, STEPS, Transactions};
use rusqlite::{Connection, MAIN_DB, OptionalExtension, params};

use crate::entry::{BookEntry, EntryError};
use crate::error::BookError;
use crate::setting::{self, range_fault};

/// Version of the format that has values set by hand. A book that never had one keeps version 1, so that older programs
/// read it.
const MANUAL_VALUES: i64 = 2;

/// Kind of the files. The tables are those of all versions of the format.
///
/// The key of a position is its canonical board, mover first, in big-endian order, so that keys sort like numbers.
static BOOK: Kind = Kind {
    name: "an opening book",
    noun: "book",
    application: *b"OfBk",
    versions: 1..=MANUAL_VALUES,
    tables: &[
        (
            "position",
            "CREATE TABLE position (board blob primary key, data blob not null) without rowid",
        ),
        (
            "setting",
            "CREATE TABLE setting (name text primary key, value integer not null) without rowid",
        ),
    ],
    // A position takes less than 100, and a reason at most 1000.
    longest_row: 1 << 16,
};

/// Book that is part of the program. docs/lab/book.md describes its origin.
const BUILT_IN: &[u8] = include_bytes!("../built-in.book");

/// Book open for reading.
pub struct Book {
    path: PathBuf,
    connection: Connection,
}

impl Book {
    /// Opens the built-in book in memory.
    pub fn built_in() -> Result<Book, BookError> {
        let path = PathBuf::from("the built-in book");
        let error = |error| sqlite_error(&path, error);
        let mut connection = Connection::open_in_memory().map_err(error)?;
        let read = connection.deserialize_bytes(MAIN_DB, BUILT_IN);
        read.map_err(error)?;
        Ok(Book { path, connection })
    }

    /// Opens the book at `path`. The time does not depend on its size.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Ok(Book {
            connection: BOOK.open(path)?,
            path: path.to_owned(),
        })
    }

    /// Accesses the database, and translates its errors.
    fn access<T>(
        &self,
        access: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, BookError> {
        access(&self.connection).map_err(|error| sqlite_error(&self.path, error))
    }

    /// Runs `read` on a consistent snapshot of the book.
    pub(crate) fn with_snapshot<T>(
        &self,
        read: impl FnOnce() -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        // Savepoints also work within the transaction of a writer.
        self.access(|connection| connection.execute_batch("savepoint snapshot"))?;
        let result = read();
        self.access(|connection| connection.execute_batch("release snapshot"))?;
        result
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Entry of `board`, in its orientation. `None` if the book lacks the position.
    pub fn entry(&self, board: Board) -> Result<Option<BookEntry>, BookError> {
        let (canonical, symmetry) = board.canonical();
        let found = self.access(|connection| {
            let query = "select data from position where board = ?";
            let mut query = connection.prepare_cached(query)?;
            let read = |row: &rusqlite::Row| {
                let data = row.get_ref(0)?.as_blob()?;
                Ok(BookEntry::from_bytes(canonical, data))
            };
            query.query_row([key(canonical)], read).optional()
        })?;
        let entry = found.transpose();
        let entry = entry.map_err(|error| self.invalid_entry(canonical, error))?;
        Ok(entry.map(|entry| entry.transformed(symmetry.inverse())))
    }

    /// Passes every entry to `take` in the order of the canonical boards. An error ends the scan.
    pub fn for_each<E: From<BookError>>(
        &self,
        mut take: impl FnMut(BookEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row(|board, entry| {
            take(entry.map_err(|error| self.invalid_entry(board, error))?)
        })
    }

    /// Like [`Book::for_each`], but passes invalid entries as errors.
    pub(crate) fn for_each_row<E: From<BookError>>(
        &self,
        mut take: impl FnMut(Board, Result<BookEntry, EntryError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let query = "select board, data from position order by board";
        self.scan(query, |board, row| {
            let data = row.get_ref(1).and_then(|data| Ok(data.as_blob()?));
            let data = data.map_err(|_| self.no_position())?;
            take(board, BookEntry::from_bytes(board, data))
        })
    }

    /// Calls `take` for every row of `query`. The first column must be a board, and the boards must ascend.
    ///
    /// In a hostile file, page pointers can repeat, so that a scan never ends in practice. Repeated boards are not
    /// ascending, so the scan stops at the first one.
    fn scan<E: From<BookError>>(
        &self,
        query: &str,
        mut take: impl FnMut(Board, &rusqlite::Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let error = |error| sqlite_error(&self.path, error);
        let mut query = self.connection.prepare(query).map_err(error)?;
        let mut rows = query.query([]).map_err(error)?;
        let mut last = None;
        while let Some(row) = rows.next().map_err(error)? {
            let board = row.get_ref(0).and_then(|board| Ok(board.as_blob()?));
            let board = board.ok().and_then(read_key);
            let board = board.ok_or_else(|| self.no_position())?;
            let before = last.replace(key(board));
            if before.is_some_and(|before| before >= key(board)) {
                return Err(self.damaged("its positions are not in order").into());
            }
            take(board, row)?;
        }
        Ok(())
    }

    /// Number of positions. Counting scans the book, which takes some seconds for ten million positions.
    pub fn len(&self) -> Result<u64, BookError> {
        let mut count = 0;
        self.scan("select board from position order by board", |_, _| {
            count += 1;
            Ok::<(), BookError>(())
        })?;
        Ok(count)
    }

    /// Returns `true` if the book has no positions.
    pub fn is_empty(&self) -> Result<bool, BookError> {
        let query = "select 1 from position limit 1";
        let any = self.access(|it| it.query_row(query, [], |_| Ok(())).optional());
        Ok(any?.is_none())
    }

    /// Size in bytes.
    pub fn size(&self) -> Result<u64, BookError> {
        let query = "select page_count * page_size from pragma_page_count, pragma_page_size";
        let size = self.access(|it| it.query_row(query, [], |row| row.get::<_, i64>(0)));
        Ok(size? as u64)
    }

    /// Value of a [setting](crate::check::SETTINGS); `None` if the book lacks it. A value out of range is an error.
    pub fn setting(&self, name: &str) -> Result<Option<i64>, BookError> {
        let query = "select value from setting where name = ?";
        let read = |row: &rusqlite::Row| row.get(0);
        let value = self.access(|it| it.query_row(query, [name], read).optional())?;
        match value.and_then(|value| range_fault(name, value)) {
            Some(fault) => Err(self.damaged(&fault)),
            None => Ok(value),
        }
    }

    pub(crate) fn setting_faults(&self, most: usize) -> Result<Vec<String>, BookError> {
        self.access(|connection| {
            let mut query = connection.prepare("select name, value from setting")?;
            setting::faults(query.query([])?, most)
        })
    }

    pub(crate) fn page_faults(&self) -> Result<Vec<String>, BookError> {
        let mut faults = self.access(|connection| {
            let mut query = connection.prepare("pragma quick_check(10)")?;
            let rows = query.query_map([], |row| row.get::<_, String>(0))?;
            rows.collect::<Result<Vec<_>, _>>()
        })?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    fn invalid_entry(&self, board: Board, error: EntryError) -> BookError {
        match error {
            EntryError::Layout => self.no_position(),
            error => BookError::Entry(self.path.clone(), board, error),
        }
    }

    fn no_position(&self) -> BookError {
        self.damaged("a row is no position")
    }

    fn damaged(&self, what: &str) -> BookError {
        Fault::Damaged(what.to_owned()).at(&self.path).into()
    }
}

/// Book open for writing, by one process at a time.
///
/// [`Writer::commit`] publishes changes. Uncommitted changes are lost when the writer is dropped or the process dies.
pub struct Writer {
    book: Book,
    transactions: Transactions,
}

impl Writer {
    /// Creates an empty book. Fails if the file exists.
    pub fn create(path: &Path) -> Result<Writer, BookError> {
        BOOK.create(path)?;
        Writer::open(path)
    }

    /// Opens the book at `path` for writing.
    pub fn open(path: &Path) -> Result<Writer, BookError> {
        let book = Book {
            connection: BOOK.open_to_write(path)?,
            path: path.to_owned(),
        };
        let transactions = Transactions::begin(&BOOK, &book.connection);
        let transactions = transactions.map_err(|fault| fault.at(path))?;
        // Created last, because a refused writer must not run the clean-up of `Drop`.
        Ok(Writer { book, transactions })
    }

    /// Interrupts reading with [`Fault::Interrupted`] once `is_over` returns `true`. `None` removes the check.
    pub(crate) fn interrupt_when(
        &mut self,
        is_over: Option<impl FnMut() -> bool + Send + 'static>,
    ) -> Result<(), BookError> {
        let set = self.book.connection.progress_handler(STEPS, is_over);
        set.map_err(|error| sqlite_error(self.path(), error))
    }

    /// Opens the book at `path` for writing, or creates it.
    pub fn open_or_create(path: &Path) -> Result<Writer, BookError> {
        match path.try_exists() {
            Ok(false) => Writer::create(path),
            _ => Writer::open(path),
        }
    }

    /// Inserts or replaces an entry.
    pub fn put(&mut self, entry: &BookEntry) -> Result<(), BookError> {
        let entry = entry.canonical();
        self.access(|connection| {
            if entry.manual_value().is_some() {
                connection.pragma_update(None, "user_version", MANUAL_VALUES)?;
            }
            let statement = "insert or replace into position values (?, ?)";
            let mut statement = connection.prepare_cached(statement)?;
            statement.execute(params![key(entry.board()), entry.to_bytes()])
        })?;
        Ok(())
    }

    /// Sets a [setting](crate::check::SETTINGS).
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), BookError> {
        let statement = "insert or replace into setting values (?, ?)";
        self.access(|connection| connection.execute(statement, params![name, value]))?;
        Ok(())
    }

    /// Commits all changes since the last commit.
    pub fn commit(&mut self) -> Result<(), BookError> {
        let commit = self.transactions.commit(&self.connection);
        Ok(commit.map_err(|fault| fault.at(self.path()))?)
    }
}

impl Deref for Writer {
    type Target = Book;

    fn deref(&self) -> &Book {
        &self.book
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        Transactions::end(&self.connection);
    }
}

/// Translates an error of SQLite for the book at `path`.
fn sqlite_error(path: &Path, error: rusqlite::Error) -> BookError {
    BOOK.fault(error).at(path).into()
}

/// Database key of a canonical board.
fn key(board: Board) -> [u8; 16] {
    (u128::from(board.player) << 64 | u128::from(board.opponent)).to_be_bytes()
}

/// Board of a database key. `None` for a wrong length.
fn read_key(key: &[u8]) -> Option<Board> {
    let key = u128::from_be_bytes(key.try_into().ok()?);
    Some(Board {
        player: (key >> 64) as u64,
        opponent: key as u64,
    })
}
