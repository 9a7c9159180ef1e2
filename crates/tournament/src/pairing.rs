//! Engines of a match, and which of them has black.

use outflank::{Game, Side};
use serde::{Deserialize, Serialize};

/// One of the two engines of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EngineId {
    /// First engine: results are from its side.
    A,
    /// Second engine.
    B,
}

impl EngineId {
    /// Both engines, in the order of arrays with a value for each.
    pub const ALL: [EngineId; 2] = [EngineId::A, EngineId::B];

    /// The opponent.
    pub const fn other(self) -> EngineId {
        match self {
            EngineId::A => EngineId::B,
            EngineId::B => EngineId::A,
        }
    }
}

/// Game that is to be played.
pub(crate) struct ScheduledGame {
    /// Number of the pair, from 0.
    pub(crate) pair: usize,
    pub(crate) black: EngineId,
    pub(crate) opening: Game,
}

impl ScheduledGame {
    /// Number of the game in the match, from 0.
    pub(crate) fn number(&self) -> u64 {
        2 * self.pair as u64 + u64::from(self.black == EngineId::B)
    }

    pub(crate) fn side(&self, engine: EngineId) -> Side {
        match engine == self.black {
            true => Side::Black,
            false => Side::White,
        }
    }

    pub(crate) fn engine(&self, side: Side) -> EngineId {
        match side {
            Side::Black => self.black,
            Side::White => self.black.other(),
        }
    }
}
