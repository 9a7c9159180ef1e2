//! Errors of record files.

use std::io;
use std::path::{Path, PathBuf};

use outflank::eval::FileKind;
use outflank_support::text::plural;

/// Error of reading or writing a record file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", file.display())]
#[non_exhaustive]
pub struct RecordError {
    /// Path of the file.
    pub file: PathBuf,
    /// Cause.
    #[source]
    pub fault: RecordFault,
}

/// Cause of a [`RecordError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// Opening or reading fails.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// Creating or opening for writing fails.
    #[error("cannot be written: {0}")]
    Make(io::Error),
    /// Appending a block fails.
    #[error(
        "cannot be written: {error}; when there is room, run the same command again: it goes on behind \
         the {} whole",
        plural(blocks, "block that is", "blocks that are")
    )]
    Write {
        /// Error of the system.
        error: io::Error,
        /// Complete blocks in the file.
        blocks: u64,
    },
    /// The file is empty.
    #[error("expected training records, but {}", FileKind::Empty)]
    Empty,
    /// The file has another format.
    #[error("expected training records, but {0}")]
    Foreign(#[source] FileKind),
    /// The file ends within its header.
    #[error("ends within its header, before any record: delete it, or run its command again")]
    HeaderCut,
    /// The checksum of the header does not match.
    #[error(
        "has a damaged header (its checksum is wrong); the blocks behind it can be read where damage is \
         skipped"
    )]
    Header,
    /// The format is of a later version.
    #[error("has version {0} of the format, which a later Outflank made: this one reads version 1")]
    Version(u32),
    /// Bytes within the file are no valid block.
    #[error(
        "is damaged from byte {from} to byte {to}: {fault}; the other blocks can be read where damage is skipped"
    )]
    Damaged {
        /// First damaged byte.
        from: u64,
        /// First byte of the next valid block, or the end of the file.
        to: u64,
        /// Fault at the first damaged byte.
        fault: &'static str,
    },
    /// A block has an unexpected number.
    #[error("has block {found} at byte {at}, where block {expected} belongs: write to a new file")]
    Order {
        /// First byte of the block.
        at: u64,
        /// Number of the block.
        found: u64,
        /// Number that should follow.
        expected: u64,
    },
    /// The file was made with other settings, whose differences are listed.
    #[error("was made with other settings: {0}; go on with those, or write to a new file")]
    Settings(String),
    /// Another process is writing the file.
    #[error("is being written to by another process: wait for it, or write to a new file")]
    Locked,
}

impl RecordFault {
    pub(super) fn of(self, file: &Path) -> RecordError {
        RecordError {
            file: file.to_owned(),
            fault: self,
        }
    }
}
