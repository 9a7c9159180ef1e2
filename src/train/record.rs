//! Labelled positions.

use crate::board::Board;

/// A position and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position, mover first.
    pub board: Board,
    /// What it is worth to the mover, in 1/128 disc, empties to the winner.
    pub value: i16,
    /// Where the value comes from.
    pub source: Source,
    /// The game that the position comes from.
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
