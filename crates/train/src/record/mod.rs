//! Record files: labelled positions in compressed blocks.
//!
//! A file is a header with the settings of the run ([`RecordSettings`]) and numbered blocks of records.
//! `docs/formats/records.md` specifies every byte. Blocks are written whole. [`Writer`] replaces an incomplete last
//! block, as a killed run or a full disk leaves it.

mod block;
mod error;
mod header;
mod reader;
mod walk;
mod writer;

use outflank::Side;
use outflank::board::Board;
use outflank::eval::DISC;

pub use block::{Block, EncodedBlock, MAX_RECORDS};
pub use error::{RecordError, RecordFault};
pub use header::RecordSettings;
pub use reader::{Damage, Reader};
pub use walk::SkippedRange;
pub use writer::{ExistingBlocks, Writer};

/// Labelled position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Position, mover first.
    pub board: Board,
    /// Label in 1/128 disc ([`DISC`]) from the mover's side. The winner gets the empty squares.
    pub value: i16,
    /// Origin of the label.
    pub source: Source,
    /// Number of the game ([`game_number`]), also for deviations from it. A game has the same number in all files, so
    /// that all of its positions are held out together.
    pub game: u32,
}

/// Origin of a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// Exact solve.
    Exact,
    /// Search to a fixed depth, with the evaluation at its leaves.
    Search {
        /// Depth in plies, 0 to 60.
        depth: u8,
    },
    /// Result of the game.
    Game,
}

/// Identifies a game by a checksum of its positions.
pub fn game_number(positions: &[(Board, Side)]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for (board, _) in positions {
        hasher.update(&board.player.to_le_bytes());
        hasher.update(&board.opponent.to_le_bytes());
    }
    hasher.finalize()
}

impl Source {
    /// Encodes the source: 255 exact, 254 game result, otherwise the depth of the search.
    pub fn to_byte(self) -> u8 {
        match self {
            Source::Exact => 255,
            Source::Game => 254,
            Source::Search { depth } => depth,
        }
    }

    /// Decodes a byte of [`Source::to_byte`]. Returns `None` for an unassigned byte.
    pub fn from_byte(byte: u8) -> Option<Source> {
        match byte {
            255 => Some(Source::Exact),
            254 => Some(Source::Game),
            depth @ 0..=60 => Some(Source::Search { depth }),
            _ => None,
        }
    }
}

impl Record {
    /// Label rounded to whole discs, from the mover's side.
    pub fn discs(&self) -> i32 {
        outflank::eval::in_discs(i32::from(self.value))
    }

    /// Returns `true` if no square is held twice and the value is at most 64 discs.
    fn is_possible(&self) -> bool {
        self.board.player & self.board.opponent == 0 && i32::from(self.value).abs() <= 64 * DISC
    }
}
