//! Sequential reading of record files.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::block::Block;
use super::error::{RecordError, RecordFault};
use super::walk::{SkippedRange, Step, Walk};
use super::{RecordSettings, header};

/// Treatment of damage, other than an incomplete last block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// Damage is an error.
    Refuse,
    /// Damage is skipped and listed by [`Reader::left_out`].
    Skip,
}

/// Iterator over the blocks of a record file, with one block in memory at a time.
///
/// An incomplete last block, as a killed run leaves it, is always skipped and listed by [`Reader::left_out`].
pub struct Reader {
    path: PathBuf,
    bytes: u64,
    settings: RecordSettings,
    walk: Walk<File>,
    damage: Damage,
    left_out: Vec<SkippedRange>,
    failed: bool,
}

impl Reader {
    /// Opens the file at `path`. With [`Damage::Skip`] a damaged header only loses the settings.
    pub fn open(path: &Path, damage: Damage) -> Result<Reader, RecordError> {
        let open = || {
            let mut file = File::open(path).map_err(RecordFault::Read)?;
            let (settings, at) = match header::read(&mut file) {
                Err(RecordFault::Header) if damage == Damage::Skip => {
                    (RecordSettings::default(), 0)
                }
                other => other?,
            };
            let bytes = file.metadata().map_err(RecordFault::Read)?.len();
            let walk = Walk::new(file, at).map_err(RecordFault::Read)?;
            Ok(Reader {
                path: path.to_owned(),
                bytes,
                settings,
                walk,
                damage,
                left_out: Vec::new(),
                failed: false,
            })
        };
        open().map_err(|fault: RecordFault| fault.of(path))
    }

    /// Length of the file in bytes when it was opened.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Settings that the records were made with.
    pub fn settings(&self) -> &RecordSettings {
        &self.settings
    }

    /// Byte ranges skipped so far.
    pub fn left_out(&self) -> &[SkippedRange] {
        &self.left_out
    }

    fn read(&mut self) -> Result<Option<Block>, RecordFault> {
        loop {
            let from = self.walk.at;
            let part = match self.walk.step().map_err(RecordFault::Read)? {
                Step::End => return Ok(None),
                Step::Damage(part) => part,
                Step::Block(block) => match block.decode() {
                    Some(block) => return Ok(Some(block)),
                    None => SkippedRange {
                        from,
                        to: self.walk.at,
                        is_tail: false,
                        fault: "the block's records make no sense",
                    },
                },
            };
            if self.damage == Damage::Refuse && !part.is_tail {
                return Err(part.into());
            }
            self.left_out.push(part);
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Block, RecordError>;

    /// Returns the next block. An error ends the iteration.
    fn next(&mut self) -> Option<Result<Block, RecordError>> {
        if self.failed {
            return None;
        }
        let block = self.read().map_err(|fault| fault.of(&self.path));
        self.failed = block.is_err();
        block.transpose()
    }
}
