//! Sequential scan of the blocks of a file, with recovery after damage.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::block::{EncodedBlock, HEAD_BYTES, MAGIC, Missing};
use super::error::RecordFault;

/// Scan of the blocks of a file.
pub(super) struct Walk<R> {
    file: BufReader<R>,
    /// Offset of the next block.
    pub(super) at: u64,
}

pub(super) enum Step {
    /// Block with a valid checksum.
    Block(EncodedBlock),
    /// Bytes without a valid block.
    Damage(SkippedRange),
    /// End of file.
    End,
}

/// Byte range without a valid block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkippedRange {
    /// First byte.
    pub from: u64,
    /// Byte after the last.
    pub to: u64,
    /// `true` for an incomplete block at the end of the file, as a killed run or a full disk leaves it.
    pub is_tail: bool,
    /// Fault at the first byte.
    pub fault: &'static str,
}

impl From<SkippedRange> for RecordFault {
    fn from(
        SkippedRange {
            from, to, fault, ..
        }: SkippedRange,
    ) -> RecordFault {
        RecordFault::Damaged { from, to, fault }
    }
}

impl<R: Read + Seek> Walk<R> {
    pub(super) fn new(file: R, at: u64) -> io::Result<Walk<R>> {
        let mut file = BufReader::with_capacity(1 << 16, file);
        file.seek(SeekFrom::Start(at))?;
        Ok(Walk { file, at })
    }

    /// Reads the next block, or the whole damaged range before it.
    pub(super) fn step(&mut self) -> io::Result<Step> {
        let from = self.at;
        let (fault, is_cut) = match EncodedBlock::read(&mut self.file)? {
            Ok(block) => {
                self.at += block.bytes.len() as u64;
                return Ok(Step::Block(block));
            }
            Err(Missing::End) => return Ok(Step::End),
            Err(Missing::Cut) => ("the file ends within a block", true),
            Err(Missing::Damaged(fault)) => (fault, false),
        };
        let next = self.find(from + 1)?;
        self.at = match next {
            Some(next) => next,
            None => self.file.seek(SeekFrom::End(0))?,
        };
        self.file.seek(SeekFrom::Start(self.at))?;
        Ok(Step::Damage(SkippedRange {
            from,
            to: self.at,
            is_tail: is_cut && next.is_none(),
            fault,
        }))
    }

    /// Finds the first valid block at or after byte `at`.
    fn find(&mut self, mut at: u64) -> io::Result<Option<u64>> {
        const CHUNK: u64 = 1 << 20;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            self.file.seek(SeekFrom::Start(at))?;
            self.file.by_ref().take(CHUNK).read_to_end(&mut bytes)?;
            if bytes.len() < HEAD_BYTES {
                return Ok(None);
            }
            let windows = bytes.windows(MAGIC.len()).enumerate();
            for (index, _) in windows.filter(|(_, window)| **window == MAGIC) {
                let offset = at + index as u64;
                self.file.seek(SeekFrom::Start(offset))?;
                if EncodedBlock::read(&mut self.file)?.is_ok() {
                    return Ok(Some(offset));
                }
            }
            at += (bytes.len() - (MAGIC.len() - 1)) as u64;
        }
    }
}
