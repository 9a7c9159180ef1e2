//! Outflank, an Othello core: kernels for every instruction-set level, chosen at run time, and an
//! engine on top that searches to a depth, or to the end of the game.
//!
//! ```
//! use outflank::{Board, Engine, Limits};
//!
//! let mut engine = Engine::builder().hash_mib(16).build()?;
//! // Black (the mover) to play with one empty square, A1.
//! let board = Board { player: 1 << 2, opponent: !(1 << 2 | 1) };
//! let found = engine.search(board, &Limits::EXACT)?;
//! assert_eq!(found.score, -58);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
#[cfg(feature = "capi")]
pub mod capi;
pub mod eval;
// What the readers of files and the program have in common: it promises nothing.
#[doc(hidden)]
pub mod files;
pub mod game;
pub mod notation;
#[cfg(feature = "protocol")]
pub mod protocol;
pub mod search;
#[cfg(feature = "serde")]
mod serial;
mod side;
pub mod square;
mod table;
// The program's: what it is made of may change with every release.
#[cfg(feature = "train")]
#[doc(hidden)]
pub mod train;

pub use board::Board;
pub use game::{Game, IllegalMove};
pub use outflank_kernels as kernels;
pub use outflank_kernels::Level;
pub use search::{
    Bound, Candidate, Engine, EngineError, Limits, SearchError, SearchResult, Selectivity,
    StopHandle, Window,
};
pub use side::Side;
pub use square::{Ply, Square};

/// What the README shows is tried out with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The same for what users read of notations.
#[cfg(doctest)]
#[doc = include_str!("../docs/notation.md")]
struct Notation;
