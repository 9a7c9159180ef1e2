//! Errors of books.

use std::path::PathBuf;

use outflank::Board;
use outflank_database::{DatabaseError, Fault};

use crate::entry::EntryError;

/// Reason why a book cannot be read or written, in one line with its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] DatabaseError),
    /// The book has an invalid entry.
    #[error("{}: damaged: {}: {}", .0.display(), .1, .2)]
    Entry(PathBuf, Board, #[source] EntryError),
    /// An entry is invalid.
    #[error(transparent)]
    Position(#[from] EntryError),
}

impl BookError {
    /// Fault of the file, unless an entry is invalid.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            BookError::File(error) => Some(&error.fault),
            _ => None,
        }
    }
}
