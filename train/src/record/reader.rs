//! Reading a record file, a block at a time.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::block::Block;
use super::error::{Fault, RecordError};
use super::walk::{LeftOut, Step, Walk};
use super::{RecordSettings, header};

/// Treatment of a part of a file that is no block, unless it is an incomplete one at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// It is an error.
    Refuse,
    /// It is left out, and told by [`Reader::left_out`].
    Skip,
}

/// The blocks of a record file, in order. No more than one of them is in memory at a time.
///
/// An incomplete block at the end of the file is left out in any case, and told by [`Reader::left_out`]: a killed
/// run leaves one.
pub struct Reader {
    path: PathBuf,
    bytes: u64,
    settings: RecordSettings,
    walk: Walk<File>,
    damage: Damage,
    left_out: Vec<LeftOut>,
    failed: bool,
}

impl Reader {
    /// Opens the file at `path`. A damaged header is damage too; the settings are lost with it.
    pub fn open(path: &Path, damage: Damage) -> Result<Reader, RecordError> {
        let open = || {
            let mut file = File::open(path).map_err(Fault::Read)?;
            let (settings, at) = match header::read(&mut file) {
                Err(Fault::Header) if damage == Damage::Skip => (RecordSettings::default(), 0),
                other => other?,
            };
            let bytes = file.metadata().map_err(Fault::Read)?.len();
            let walk = Walk::new(file, at).map_err(Fault::Read)?;
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
        open().map_err(|fault: Fault| fault.of(path))
    }

    /// The length of the file in bytes, when it was opened.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How the records were made.
    pub fn settings(&self) -> &RecordSettings {
        &self.settings
    }

    /// The parts of the file that were left out so far.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    fn read(&mut self) -> Result<Option<Block>, Fault> {
        loop {
            let from = self.walk.at();
            let part = match self.walk.step().map_err(Fault::Read)? {
                Step::End => return Ok(None),
                Step::Damage(part) => part,
                Step::Block(block) => match block.decode() {
                    Some(block) => return Ok(Some(block)),
                    None => LeftOut {
                        from,
                        to: self.walk.at(),
                        is_tail: false,
                        what: "the block's records make no sense",
                    },
                },
            };
            if self.damage == Damage::Refuse && !part.is_tail {
                let LeftOut { from, to, what, .. } = part;
                return Err(Fault::Damaged { from, to, what });
            }
            self.left_out.push(part);
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Block, RecordError>;

    /// The next block. An error is the last item.
    fn next(&mut self) -> Option<Result<Block, RecordError>> {
        if self.failed {
            return None;
        }
        let block = self.read().map_err(|fault| fault.of(&self.path));
        self.failed = block.is_err();
        block.transpose()
    }
}
