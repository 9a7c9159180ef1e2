//! What can be wrong with a book.

use std::io;
use std::path::{Path, PathBuf};

use outflank::Board;
use outflank::notation::Looks;

use crate::connection::VERSION;
use crate::entry::EntryError;

/// Why a book cannot be read or written: the file, and what is wrong with it, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be opened, read or made.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// It is no book.
    #[error("{}: expected an opening book, but {}", .0.display(), .1)]
    Foreign(PathBuf, Looks),
    /// It is of a version that is not known.
    #[error(
        "{}: a book of version {found}; this outflank reads version {VERSION}{}", path.display(),
        if *found > VERSION { ": update outflank" } else { "" }
    )]
    Version {
        /// The book.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// The end is missing.
    #[error(
        "{}: cut off: {found} of {expected} bytes are there; take it from a backup", path.display()
    )]
    Truncated {
        /// The book.
        path: PathBuf,
        /// The bytes that there should be.
        expected: u64,
        /// Those that there are.
        found: u64,
    },
    /// Another program writes to it, or reads it while this one wants to write.
    #[error("{}: another program uses this book: wait until it has finished", .0.display())]
    Busy(PathBuf),
    /// It cannot be written to.
    #[error(
        "{}: no room on the disk, or a fault of it; all that was committed is there", .0.display()
    )]
    Full(PathBuf),
    /// Its pages are not those of a whole file.
    #[error("{}: damaged: {}; take it from a backup", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// Its tables are not those of a book, or it has more than tables.
    #[error("{}: not an Outflank book: {}", .0.display(), .1)]
    Schema(PathBuf, String),
    /// The time limit or a stop interrupted reading it.
    #[error("{}: reading was interrupted by the time limit or a stop", .0.display())]
    Interrupted(PathBuf),
    /// It has a position that cannot be.
    #[error("{}: damaged: {}: {}", .0.display(), .1, .2)]
    Entry(PathBuf, Board, #[source] EntryError),
    /// Something of a position cannot be.
    #[error(transparent)]
    Position(#[from] EntryError),
    /// The store failed in another way.
    #[error("{}: {}", .0.display(), .1)]
    Store(PathBuf, #[source] rusqlite::Error),
}

impl BookError {
    /// What an error of the store means for the book at `path`.
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> BookError {
        use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        let code = error.sqlite_error_code();
        // A limit of a file's size is met as a write that fails.
        let is_full_file = error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE);
        match code {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BookError::Busy(path),
            Some(ErrorCode::DiskFull) => BookError::Full(path),
            _ if is_full_file => BookError::Full(path),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                BookError::Damaged(path, "its pages are not those of a whole book".to_owned())
            }
            Some(ErrorCode::OperationInterrupted) => BookError::Interrupted(path),
            Some(ErrorCode::TooBig) => {
                BookError::Damaged(path, "a row is longer than any position".to_owned())
            }
            _ if matches!(error, InvalidColumnType(..) | FromSqlConversionFailure(..)) => {
                BookError::Damaged(path, "a value is of another type than a book's".to_owned())
            }
            _ => BookError::Store(path, error),
        }
    }
}
