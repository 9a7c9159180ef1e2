//! Errors of books.

use std::io;
use std::path::{Path, PathBuf};

use outflank::Board;
use outflank::notation::FileKind;

use crate::entry::{EntryError, FORMAT_VERSION};

/// Reason why a book cannot be read or written, in one line with its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be opened, read or created.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// The file has another format.
    #[error("{}: expected an opening book, but {}", .0.display(), .1)]
    Foreign(PathBuf, #[source] FileKind),
    /// The version of the format is unknown.
    #[error(
"{}: a book of version {found}; this outflank reads version {FORMAT_VERSION}{}", path.display(),
if *found > FORMAT_VERSION { ": update outflank" } else { "" }
    )]
    Version {
        /// Path of the book.
        path: PathBuf,
        /// Version of the book.
        found: i64,
    },
    /// The file is too short.
    #[error(
        "{}: cut off: {found} of {expected} bytes are there; take it from a backup", path.display()
    )]
    Truncated {
        /// Path of the book.
        path: PathBuf,
        /// Length according to the header, in bytes.
        expected: u64,
        /// Length in bytes.
        found: u64,
    },
    /// Another process writes the book, or reads it while this one wants to write.
    #[error("{}: another program uses this book: wait until it has finished", .0.display())]
    Busy(PathBuf),
    /// Writing fails.
    #[error(
        "{}: no room on the disk, or a fault of it; all that was committed is there", .0.display()
    )]
    Full(PathBuf),
    /// The file's pages are damaged.
    #[error("{}: damaged: {}; take it from a backup", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The database schema is not that of a book.
    #[error("{}: not an Outflank book: {}", .0.display(), .1)]
    Schema(PathBuf, String),
    /// The time limit or a stop interrupted reading.
    #[error("{}: reading was interrupted by the time limit or a stop", .0.display())]
    Interrupted(PathBuf),
    /// The book has an invalid entry.
    #[error("{}: damaged: {}: {}", .0.display(), .1, .2)]
    Entry(PathBuf, Board, #[source] EntryError),
    /// An entry is invalid.
    #[error(transparent)]
    Position(#[from] EntryError),
    /// SQLite reports another error.
    #[error("{}: {}", .0.display(), .1)]
    Store(PathBuf, #[source] rusqlite::Error),
}

impl BookError {
    /// Translates an error of SQLite for the book at `path`.
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> BookError {
        use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        let code = error.sqlite_error_code();
        // A file-size limit appears as a failed write.
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
