//! The way through the blocks of a file, and over damage.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::block::{Encoded, HEAD_BYTES, MAGIC, Missing};

/// Goes from block to block.
pub(super) struct Walk<R> {
    file: BufReader<R>,
    /// Where the next block begins.
    at: u64,
}

/// What a file has in the next place.
pub(super) enum Step {
    /// A block whose checksum is right.
    Block(Encoded),
    /// Something else.
    Damage(LeftOut),
    /// Nothing more.
    End,
}

/// A part of a file that is no block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Its first byte, from 0.
    pub from: u64,
    /// The byte after its last.
    pub to: u64,
    /// `true` for an incomplete block at the end of the file: what a killed run or a full disk leaves.
    pub is_tail: bool,
    /// What is wrong at its first byte.
    pub what: &'static str,
}

impl<R: Read + Seek> Walk<R> {
    /// Begins at byte `at`.
    pub(super) fn new(file: R, at: u64) -> io::Result<Walk<R>> {
        let mut file = BufReader::with_capacity(1 << 16, file);
        file.seek(SeekFrom::Start(at))?;
        Ok(Walk { file, at })
    }

    /// Where the next block begins.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// The next block; after damage, what follows on it comes next.
    pub(super) fn step(&mut self) -> io::Result<Step> {
        let from = self.at;
        let (what, is_cut) = match Encoded::read(&mut self.file)? {
            Ok(block) => {
                self.at += block.bytes.len() as u64;
                return Ok(Step::Block(block));
            }
            Err(Missing::End) => return Ok(Step::End),
            Err(Missing::Cut) => ("the file ends within a block", true),
            Err(Missing::Damaged(what)) => (what, false),
        };
        let next = self.find(from + 1)?;
        self.at = match next {
            Some(next) => next,
            None => self.file.seek(SeekFrom::End(0))?,
        };
        self.file.seek(SeekFrom::Start(self.at))?;
        Ok(Step::Damage(LeftOut {
            from,
            to: self.at,
            is_tail: is_cut && next.is_none(),
            what,
        }))
    }

    /// Where the first whole block from byte `at` on begins.
    fn find(&mut self, mut at: u64) -> io::Result<Option<u64>> {
        const LOOKED_AT: u64 = 1 << 20;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            self.file.seek(SeekFrom::Start(at))?;
            self.file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes)?;
            if bytes.len() < HEAD_BYTES {
                return Ok(None);
            }
            let places = bytes.windows(MAGIC.len()).enumerate();
            for (place, _) in places.filter(|(_, window)| **window == MAGIC) {
                let place = at + place as u64;
                self.file.seek(SeekFrom::Start(place))?;
                if Encoded::read(&mut self.file)?.is_ok() {
                    return Ok(Some(place));
                }
            }
            at += (bytes.len() - (MAGIC.len() - 1)) as u64;
        }
    }
}
