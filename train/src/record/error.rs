//! What can be wrong with a record file.

use std::io;
use std::path::{Path, PathBuf};

use super::settings::Difference;
use outflank::eval::Looks;
use outflank::text::counted;

/// A record file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", file.display())]
pub struct RecordError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a record file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be opened or read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// It cannot be made or opened.
    #[error("cannot be written: {0}")]
    Make(io::Error),
    /// No more can be written to it.
    #[error(
        "cannot be written: {error}; when there is room, run the same command again: it goes on behind \
         the {} whole",
        counted(blocks, "block that is", "blocks that are")
    )]
    Write {
        /// Why not.
        error: io::Error,
        /// What is there.
        blocks: u64,
    },
    /// It has no bytes.
    #[error("expected training records, but {}", Looks::Empty)]
    Empty,
    /// It is of another kind.
    #[error("expected training records, but {0}")]
    Foreign(Looks),
    /// It ends within its header.
    #[error("ends within its header, before any record: delete it, or run its command again")]
    HeaderCut,
    /// Its header's checksum is wrong.
    #[error(
        "has a damaged header (its checksum is wrong); the blocks behind it can be read where damage is \
         skipped"
    )]
    Header,
    /// It is of a later version of the format.
    #[error("has version {0} of the format, which a later Outflank made: this one reads version 1")]
    Version(u32),
    /// A part of it is no block, and no incomplete one at the end.
    #[error(
        "is damaged from byte {from} to byte {to}: {what}; the other blocks can be read where damage is skipped"
    )]
    Damaged {
        /// Where the damage begins.
        from: u64,
        /// The byte at which the next whole block begins, or the file ends.
        to: u64,
        /// What is wrong at the first of them.
        what: &'static str,
    },
    /// A block is not the one that belongs there.
    #[error("has block {found} at byte {at}, where block {expected} belongs: write to a new file")]
    Order {
        /// Where.
        at: u64,
        /// Which is there.
        found: u64,
        /// Which should be.
        expected: u64,
    },
    /// It was made with other settings.
    #[error(
        "was made with other settings: {}; go on with those, or write to a new file",
        listed(.0)
    )]
    Settings(Vec<Difference>),
    /// Somebody else writes to it.
    #[error("is being written to by another process: wait for it, or write to a new file")]
    Locked,
}

impl Fault {
    pub(super) fn of(self, file: &Path) -> RecordError {
        RecordError {
            file: file.to_owned(),
            fault: self,
        }
    }
}

fn listed(differences: &[Difference]) -> String {
    let all: Vec<String> = differences.iter().map(Difference::to_string).collect();
    all.join("; ")
}
