//! Writing a record file, a block at a time, so that a killed run loses no more than its last block.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::Encoded;
use super::error::{Fault, RecordError};
use super::walk::{Step, Walk};
use super::{RecordSettings, header};

/// A record file that blocks are added to.
pub struct Writer {
    path: PathBuf,
    file: File,
    /// The number of blocks, which is that of the next.
    blocks: u64,
    bytes: u64,
}

/// What was in a file before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Whole blocks.
    pub blocks: u64,
    /// Their records.
    pub records: u64,
    /// Bytes behind them that were cut off.
    pub cut: u64,
}

impl Writer {
    /// Opens the file at `path`, or makes it, to write blocks made with `settings` behind those that it
    /// has. An incomplete last block is cut off. It is an error if the file has other settings, if it is damaged
    /// in any other way, or if another process writes to it.
    pub fn open(path: &Path, settings: &RecordSettings) -> Result<(Writer, Found), RecordError> {
        Writer::open_or_make(path, settings).map_err(|fault| fault.of(path))
    }

    fn open_or_make(path: &Path, settings: &RecordSettings) -> Result<(Writer, Found), Fault> {
        let unwritable = |error| Fault::Write { error, blocks: 0 };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut writer = Writer {
            path: path.to_owned(),
            file: file.open(path).map_err(Fault::Make)?,
            blocks: 0,
            bytes: 0,
        };
        // Where the system has no locks, there are none.
        if let Err(TryLockError::WouldBlock) = writer.file.try_lock() {
            return Err(Fault::Locked);
        }
        let header = header::encode(settings);
        // A device has no end to read up to.
        let is_file = writer.file.metadata().map_err(unwritable)?.is_file();
        let found = match is_file {
            true => writer.find(settings, &header)?,
            false => Found::default(),
        };
        if writer.bytes == 0 {
            writer.file.write_all(&header).map_err(unwritable)?;
            writer.bytes = header.len() as u64;
        }
        Ok((writer, found))
    }

    /// Goes over what is in the file and stands behind its last whole block, at byte 0 if not even the
    /// header is whole.
    fn find(&mut self, settings: &RecordSettings, header: &[u8]) -> Result<Found, Fault> {
        let mut found = Found::default();
        let (there, begin) = match header::read(&mut self.file) {
            Err(Fault::Empty) => return Ok(found),
            Err(Fault::HeaderCut) if self.is_begin_of(header)? => {
                found.cut = self.cut(0)?;
                return Ok(found);
            }
            other => other?,
        };
        let differences = there.differences(settings);
        if !differences.is_empty() {
            return Err(Fault::Settings(differences));
        }
        let mut walk = Walk::new(&self.file, begin).map_err(Fault::Read)?;
        let end = loop {
            let at = walk.at();
            match walk.step().map_err(Fault::Read)? {
                Step::End => break at,
                Step::Damage(part) if part.is_tail => break at,
                Step::Damage(part) => {
                    let (from, to, what) = (part.from, part.to, part.what);
                    return Err(Fault::Damaged { from, to, what });
                }
                Step::Block(block) if block.number == found.blocks => {
                    found.blocks += 1;
                    found.records += u64::from(block.records);
                }
                Step::Block(block) => {
                    return Err(Fault::Order {
                        at,
                        found: block.number,
                        expected: found.blocks,
                    });
                }
            }
        };
        self.blocks = found.blocks;
        self.bytes = end;
        found.cut = self.cut(end)?;
        Ok(found)
    }

    /// Whether the file, which is shorter, is a beginning of `header`.
    fn is_begin_of(&mut self, header: &[u8]) -> Result<bool, Fault> {
        let mut bytes = Vec::new();
        self.file.rewind().map_err(Fault::Read)?;
        let mut begin = (&self.file).take(header.len() as u64);
        begin.read_to_end(&mut bytes).map_err(Fault::Read)?;
        Ok(header.starts_with(&bytes))
    }

    /// Cuts off what follows on byte `end`, and says how much that is.
    fn cut(&mut self, end: u64) -> Result<u64, Fault> {
        let mut cut = || {
            let length = self.file.seek(SeekFrom::End(0))?;
            if length > end {
                self.file.set_len(end)?;
                self.file.seek(SeekFrom::Start(end))?;
            }
            Ok(length - end)
        };
        let blocks = self.blocks;
        cut().map_err(|error| Fault::Write { error, blocks })
    }

    /// The number of the next block.
    pub fn next(&self) -> u64 {
        self.blocks
    }

    /// The length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the next block, at once.
    ///
    /// # Panics
    ///
    /// Panics if it is not the next: see [`Writer::next`].
    pub fn write(&mut self, block: &Encoded) -> Result<(), RecordError> {
        assert_eq!(block.number, self.blocks, "blocks come in order");
        let written = self.file.write_all(&block.bytes);
        written.map_err(|error| self.unwritable(error))?;
        self.blocks += 1;
        self.bytes += block.bytes.len() as u64;
        Ok(())
    }

    /// Waits until the system has written all blocks to the disk.
    pub fn finish(self) -> Result<(), RecordError> {
        let synced = self.file.sync_all();
        // A device or a pipe has no disk to be written to.
        match synced {
            Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => {
                Err(self.unwritable(error))
            }
            _ => Ok(()),
        }
    }

    fn unwritable(&self, error: std::io::Error) -> RecordError {
        let blocks = self.blocks;
        Fault::Write { error, blocks }.of(&self.path)
    }
}
