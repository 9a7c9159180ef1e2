//! Errors of database files.

use std::io;
use std::path::{Path, PathBuf};

use outflank::notation::FileKind;

use crate::Kind;

/// Reason why a file cannot be read or written, in one line with its path.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct DatabaseError {
    /// Path of the file.
    pub path: PathBuf,
    /// Fault of the file or of the access.
    #[source]
    pub fault: Fault,
}

/// Fault of a file, or of the access to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be opened, read or created.
    #[error(transparent)]
    Io(io::Error),
    /// The file has another format.
    #[error("expected {}, but {}", .0.name, .1)]
    Foreign(&'static Kind, #[source] FileKind),
    /// The version of the format is unknown. Holds that of the file.
    #[error(
        "a {} of version {}; this outflank reads {}{}", .0.noun, .1, versions(.0),
        if .1 > .0.versions.end() { ": update outflank" } else { "" }
    )]
    Version(&'static Kind, i64),
    /// The file is too short.
    #[error("cut off: {found} of {expected} bytes are there; take it from a backup")]
    Truncated {
        /// Length according to the header, in bytes.
        expected: u64,
        /// Length in bytes.
        found: u64,
    },
    /// Another process writes the file, or reads it while this one wants to write.
    #[error("another program uses this {}: wait until it has finished", .0.noun)]
    Busy(&'static Kind),
    /// Writing fails.
    #[error("no room on the disk, or a fault of it; all that was committed is there")]
    Full,
    /// The contents are damaged.
    #[error("damaged: {0}; take it from a backup")]
    Damaged(String),
    /// The schema is not that of the kind.
    #[error("not an Outflank {}: {}", .0.noun, .1)]
    Schema(&'static Kind, String),
    /// The file has as many rows as its format allows. Holds the number with its noun.
    #[error("it is full: {0} is the most that fits")]
    TooMany(String),
    /// The time limit or a stop interrupted reading.
    #[error("reading was interrupted by the time limit or a stop")]
    Interrupted,
    /// SQLite reports another error.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
}

/// Versions of a kind in words.
fn versions(kind: &Kind) -> String {
    match (kind.versions.start(), kind.versions.end()) {
        (first, last) if first == last => format!("version {first}"),
        (first, last) => format!("versions {first} to {last}"),
    }
}

impl Fault {
    /// Adds the path of the file.
    pub fn at(self, path: &Path) -> DatabaseError {
        let path = path.to_owned();
        DatabaseError { path, fault: self }
    }
}

impl Kind {
    /// Translates an error of SQLite.
    pub fn fault(&'static self, error: rusqlite::Error) -> Fault {
        use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
        use rusqlite::ErrorCode;
        // A file-size limit appears as a failed write.
        let is_full_file = error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE);
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy(self),
            Some(ErrorCode::DiskFull) => Fault::Full,
            _ if is_full_file => Fault::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Fault::Damaged(format!("its pages are not those of a whole {}", self.noun))
            }
            Some(ErrorCode::OperationInterrupted) => Fault::Interrupted,
            Some(ErrorCode::TooBig) => {
                Fault::Damaged(format!("a row is longer than any of a {}", self.noun))
            }
            _ if matches!(error, InvalidColumnType(..) | FromSqlConversionFailure(..)) => {
                Fault::Damaged("a value has the wrong type".to_owned())
            }
            _ if matches!(error, rusqlite::Error::Utf8Error(..)) => {
                Fault::Damaged("a text is not UTF-8".to_owned())
            }
            _ => Fault::Sqlite(error),
        }
    }
}
