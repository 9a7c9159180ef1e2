//! Appending to record files block by block. A killed run loses no more than its last block.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::EncodedBlock;
use super::error::{RecordError, RecordFault};
use super::walk::{Step, Walk};
use super::{RecordSettings, header};

/// Record file open for appending.
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Number of blocks, and the number of the next block.
    blocks: u64,
    bytes: u64,
}

/// Contents of a file when it was opened for appending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExistingBlocks {
    /// Complete blocks.
    pub blocks: u64,
    /// Records in these blocks.
    pub records: u64,
    /// Bytes of an incomplete last block that were cut off.
    pub cut: u64,
}

impl Writer {
    /// Opens or creates the file at `path`, and cuts off an incomplete last block.
    ///
    /// Fails if the file has other settings or other damage, or if another process is writing it.
    pub fn open(
        path: &Path,
        settings: &RecordSettings,
    ) -> Result<(Writer, ExistingBlocks), RecordError> {
        let unwritable = |error| RecordFault::Write { error, blocks: 0 };
        let open = || {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false);
            let mut writer = Writer {
                path: path.to_owned(),
                file: file.open(path).map_err(RecordFault::Make)?,
                blocks: 0,
                bytes: 0,
            };
            // On systems without locks, two writers are not detected.
            if let Err(TryLockError::WouldBlock) = writer.file.try_lock() {
                return Err(RecordFault::Locked);
            }
            let header = header::encode(settings);
            // A device has no blocks to find.
            let is_file = writer.file.metadata().map_err(unwritable)?.is_file();
            let existing = match is_file {
                true => writer.find(settings, &header)?,
                false => ExistingBlocks::default(),
            };
            if writer.bytes == 0 {
                writer.file.write_all(&header).map_err(unwritable)?;
                writer.bytes = header.len() as u64;
            }
            Ok((writer, existing))
        };
        open().map_err(|fault: RecordFault| fault.of(path))
    }

    /// Finds the end of the last complete block and cuts off the rest. An incomplete header is cut off as a whole.
    fn find(
        &mut self,
        settings: &RecordSettings,
        header: &[u8],
    ) -> Result<ExistingBlocks, RecordFault> {
        let mut existing = ExistingBlocks::default();
        let (file_settings, begin) = match header::read(&mut self.file) {
            Err(RecordFault::Empty) => return Ok(existing),
            Err(RecordFault::HeaderCut) if self.is_begin_of(header)? => {
                existing.cut = self.cut(0)?;
                return Ok(existing);
            }
            other => other?,
        };
        let differences = file_settings.differences(settings);
        if !differences.is_empty() {
            return Err(RecordFault::Settings(differences.join("; ")));
        }
        let mut walk = Walk::new(&self.file, begin).map_err(RecordFault::Read)?;
        let end = loop {
            let at = walk.at;
            match walk.step().map_err(RecordFault::Read)? {
                Step::End => break at,
                Step::Damage(part) if part.is_tail => break at,
                Step::Damage(part) => return Err(part.into()),
                Step::Block(block) => {
                    let (found, expected) = (block.number, existing.blocks);
                    if found != expected {
                        return Err(RecordFault::Order {
                            at,
                            found,
                            expected,
                        });
                    }
                    existing.blocks += 1;
                    existing.records += u64::from(block.records);
                }
            }
        };
        self.blocks = existing.blocks;
        self.bytes = end;
        existing.cut = self.cut(end)?;
        Ok(existing)
    }

    /// Returns `true` if the whole file is a prefix of `header`.
    fn is_begin_of(&mut self, header: &[u8]) -> Result<bool, RecordFault> {
        let mut bytes = Vec::new();
        self.file.rewind().map_err(RecordFault::Read)?;
        let mut begin = (&self.file).take(header.len() as u64);
        begin.read_to_end(&mut bytes).map_err(RecordFault::Read)?;
        Ok(header.starts_with(&bytes))
    }

    /// Truncates the file to `end` bytes and returns the number of bytes cut off.
    fn cut(&mut self, end: u64) -> Result<u64, RecordFault> {
        let mut cut = || {
            let length = self.file.seek(SeekFrom::End(0))?;
            if length > end {
                self.file.set_len(end)?;
                self.file.seek(SeekFrom::Start(end))?;
            }
            Ok(length - end)
        };
        let blocks = self.blocks;
        cut().map_err(|error| RecordFault::Write { error, blocks })
    }

    /// Number of the next block.
    pub fn next(&self) -> u64 {
        self.blocks
    }

    /// Length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends a block.
    ///
    /// # Panics
    ///
    /// Panics if the block's number is not [`Writer::next`].
    pub fn write(&mut self, block: &EncodedBlock) -> Result<(), RecordError> {
        assert_eq!(block.number, self.blocks, "blocks come in order");
        let written = self.file.write_all(&block.bytes);
        written.map_err(|error| self.unwritable(error))?;
        self.blocks += 1;
        self.bytes += block.bytes.len() as u64;
        Ok(())
    }

    /// Flushes all blocks to the disk.
    pub fn finish(self) -> Result<(), RecordError> {
        let synced = self.file.sync_all();
        // Devices and pipes cannot be synced.
        match synced {
            Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => {
                Err(self.unwritable(error))
            }
            _ => Ok(()),
        }
    }

    fn unwritable(&self, error: std::io::Error) -> RecordError {
        let blocks = self.blocks;
        RecordFault::Write { error, blocks }.of(&self.path)
    }
}
