//! Blocks of compressed records with a checksum.

use std::io::{self, Read};

use super::{Record, Source};
use outflank::board::Board;

/// First bytes of a block. The search for the next block after damage confirms a match by the checksum.
pub(super) const MAGIC: [u8; 4] = *b"\xbablk";

pub(super) const HEAD_BYTES: usize = 24;

/// Uncompressed bytes of a record.
const RECORD_BYTES: usize = 23;

/// Maximum number of records in a block.
pub const MAX_RECORDS: usize = 1 << 20;

/// Maximum compressed size of the records. Incompressible data becomes a little longer.
const MAX_BYTES: usize = MAX_RECORDS * (RECORD_BYTES + 1);

/// Zstandard level. Level 15 takes 6 microseconds a record, level 9 takes 2, level 19 takes 15 to 19.
///
/// On blocks of 32 games a record has 12.1 bytes at level 15 (6.9 with best lines), 12.2 (7.6) at level 9,
/// and 12.1 (6.9) at level 19.
const LEVEL: i32 = 15;

/// Block of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Index in the file: 0, 1, 2 …
    pub number: u64,
    /// Records in file order.
    pub records: Vec<Record>,
}

/// Compressed block with its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedBlock {
    pub(super) number: u64,
    pub(super) records: u32,
    pub(super) bytes: Vec<u8>,
}

/// Reason why no block could be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    /// End of file.
    End,
    /// Incomplete block at the end of the file, valid as far as it goes.
    Cut,
    /// Other bytes, with a description of the fault.
    Damaged(&'static str),
}

impl Block {
    /// Compresses the block.
    ///
    /// # Panics
    ///
    /// Panics if there are more than [`MAX_RECORDS`] records, or if a record is invalid: a square held by both
    /// sides, or a value above 64 discs.
    pub fn encode(&self) -> EncodedBlock {
        assert!(self.records.len() <= MAX_RECORDS, "too many for a block");
        assert!(self.records.iter().all(Record::is_possible));
        let records = self.records.len() as u32;
        let packed = zstd::bulk::compress(&columns(&self.records), LEVEL)
            .expect("compressing in memory does not fail");
        let mut bytes = Vec::with_capacity(HEAD_BYTES + packed.len());
        bytes.extend(MAGIC);
        bytes.extend([0; 4]);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(records.to_le_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        bytes.extend(packed);
        let checksum = crc32fast::hash(&bytes[8..]);
        bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
        EncodedBlock {
            number: self.number,
            records,
            bytes,
        }
    }
}

impl EncodedBlock {
    /// Number of records.
    pub fn records(&self) -> u64 {
        self.records.into()
    }

    /// Reads the block at the current position of `file` and verifies its checksum. The records are not decoded.
    pub(super) fn read(file: &mut impl Read) -> io::Result<Result<EncodedBlock, Missing>> {
        let mut bytes = Vec::new();
        fill(file, &mut bytes, HEAD_BYTES)?;
        if bytes.is_empty() {
            return Ok(Err(Missing::End));
        }
        let magic = MAGIC.len().min(bytes.len());
        if bytes[..magic] != MAGIC[..magic] {
            return Ok(Err(Missing::Damaged("there is no block")));
        }
        let Some((head, _)) = bytes.split_first_chunk::<HEAD_BYTES>() else {
            return Ok(Err(Missing::Cut));
        };
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| head[at + i]));
        let (checksum, records, length) = (word(4), word(16), word(20) as usize);
        let number = u64::from(word(8)) | u64::from(word(12)) << 32;
        if records as usize > MAX_RECORDS || length > MAX_BYTES {
            return Ok(Err(Missing::Damaged("the block's size is impossible")));
        }
        fill(file, &mut bytes, length)?;
        if bytes.len() < HEAD_BYTES + length {
            let packed = zstd::zstd_safe::find_frame_compressed_size(&bytes[HEAD_BYTES..]);
            return Ok(Err(match packed {
                // The compressed data ends before the end of the file, so the stated size is wrong.
                Ok(_) => Missing::Damaged("the block's size is wrong"),
                Err(_) => Missing::Cut,
            }));
        }
        if crc32fast::hash(&bytes[8..]) != checksum {
            return Ok(Err(Missing::Damaged("the block's checksum is wrong")));
        }
        Ok(Ok(EncodedBlock {
            number,
            records,
            bytes,
        }))
    }

    /// Decodes the records. Returns `None` if they are invalid, which is then a fault of the writer.
    pub(super) fn decode(&self) -> Option<Block> {
        let count = self.records as usize;
        let packed = &self.bytes[HEAD_BYTES..];
        let columns = zstd::bulk::decompress(packed, count * RECORD_BYTES).ok()?;
        Some(Block {
            number: self.number,
            records: from_columns(&columns, count)?,
        })
    }
}

/// Appends the next `count` bytes of `file` to `bytes`, or as many as there are.
pub(super) fn fill(file: &mut impl Read, bytes: &mut Vec<u8>, count: usize) -> io::Result<usize> {
    file.by_ref().take(count as u64).read_to_end(bytes)
}

/// Board before the first record.
const NO_BOARD: Board = Board {
    player: 0,
    opponent: u64::MAX,
};

/// Encodes a record relative to the board of the record before. Numbers are little-endian.
///
/// The board is stored as its difference from that board with sides swapped: consecutive positions of a line differ in
/// few bits. Empty squares replace the opponent's discs, because fewer of them change.
fn to_bytes(record: &Record, before: Board) -> [u8; RECORD_BYTES] {
    let board = record.board;
    let mut bytes = [0; RECORD_BYTES];
    bytes[..8].copy_from_slice(&(board.player ^ before.opponent).to_le_bytes());
    bytes[8..16].copy_from_slice(&(board.empties() ^ before.empties()).to_le_bytes());
    bytes[16..18].copy_from_slice(&record.value.to_le_bytes());
    bytes[18] = record.source.to_byte();
    bytes[19..].copy_from_slice(&record.game.to_le_bytes());
    bytes
}

fn from_bytes(bytes: [u8; RECORD_BYTES], before: Board) -> Option<Record> {
    let bits = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let player = bits(0) ^ before.opponent;
    let empties = bits(8) ^ before.empties();
    let record = Record {
        board: Board {
            player,
            opponent: !(player | empties),
        },
        value: i16::from_le_bytes([bytes[16], bytes[17]]),
        source: Source::from_byte(bytes[18])?,
        game: u32::from_le_bytes(std::array::from_fn(|i| bytes[19 + i])),
    };
    (player & empties == 0 && record.is_possible()).then_some(record)
}

fn columns(records: &[Record]) -> Vec<u8> {
    let count = records.len();
    let mut columns = vec![0; count * RECORD_BYTES];
    let mut before = NO_BOARD;
    for (i, record) in records.iter().enumerate() {
        for (column, byte) in to_bytes(record, before).into_iter().enumerate() {
            columns[column * count + i] = byte;
        }
        before = record.board;
    }
    columns
}

fn from_columns(columns: &[u8], count: usize) -> Option<Vec<Record>> {
    if columns.len() != count * RECORD_BYTES {
        return None;
    }
    let mut before = NO_BOARD;
    let records = (0..count).map(|i| {
        let bytes = std::array::from_fn(|column| columns[column * count + i]);
        let record = from_bytes(bytes, before)?;
        before = record.board;
        Some(record)
    });
    records.collect()
}
