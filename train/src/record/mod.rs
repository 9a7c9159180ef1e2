//! Labelled positions, and the files that they are kept in.
//!
//! A file is a header, which says how the records were made ([`RecordSettings`]), and numbered blocks of
//! records: `docs/formats/records.md` has them byte by byte. A block is written at once. What a killed run or a
//! full disk leaves of the last one is no block, and [`Writer`] goes on in its place.

mod block;
mod error;
mod header;
mod reader;
mod settings;
mod walk;
mod writer;

use outflank::Side;
use outflank::board::Board;
use outflank::eval::DISC;

pub use block::{Block, Encoded, MAX_RECORDS};
pub use error::{Fault, RecordError};
pub use reader::{Damage, Reader};
pub use settings::{Difference, RecordSettings};
pub use walk::LeftOut;
pub use writer::{Found, Writer};

/// A position and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position, mover first.
    pub board: Board,
    /// What it is worth to the mover, in 1/128 disc ([`DISC`]), empties to the winner.
    pub value: i16,
    /// Where the value comes from.
    pub source: Source,
    /// The game that the position comes from, or from which other moves led to it: the same number
    /// for the same game in every file, so that what is held out by game is held out everywhere.
    pub game: u32,
}

/// Where the value of a position comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// An exact solve.
    Exact,
    /// A search of `depth` plies (0..=60), with an evaluation at its leaves.
    Search {
        /// Plies.
        depth: u8,
    },
    /// The result of a game that was played on from there.
    Game,
}

/// The number of the game of these positions ([`Record::game`]): a checksum of them all.
pub fn game_number(positions: &[(Board, Side)]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for (board, _) in positions {
        hasher.update(&board.player.to_le_bytes());
        hasher.update(&board.opponent.to_le_bytes());
    }
    hasher.finalize()
}

impl Source {
    /// How a file has it: 255 exact, 254 the result of a game, else the plies of a search.
    pub fn to_byte(self) -> u8 {
        match self {
            Source::Exact => 255,
            Source::Game => 254,
            Source::Search { depth } => depth,
        }
    }

    /// The source that a file has so; `None` where there is none.
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
    /// The value in whole discs, rounded, from the mover's side.
    pub fn discs(&self) -> i32 {
        outflank::eval::in_discs(i32::from(self.value))
    }

    /// Whether it can have been written: no square is held twice, and nobody is worth more than 64
    /// discs.
    fn is_possible(&self) -> bool {
        self.board.player & self.board.opponent == 0 && i32::from(self.value).abs() <= 64 * DISC
    }
}
