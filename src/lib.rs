//! Outflank, an Othello core: kernels for every instruction-set level, chosen at run time, and an
//! engine that searches to a depth or to the end of the game.
//!
//! ```
//! use outflank::{Board, Engine, Game, Limits, Selectivity};
//!
//! // The exact score of a position with 14 empty squares, black (X) to move.
//! let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
//! let board: Board = text.parse()?;
//! let mut engine = Engine::builder().hash_mib(16).build()?;
//! assert_eq!(engine.search(board, &Limits::EXACT)?.score, 18);
//!
//! // Chooses a move by a search of 6 plies.
//! let mut game = Game::new();
//! game.play("F5".parse()?)?;
//! let result = engine.search(game.board(), &Limits::depth(6, Selectivity::Full))?;
//! game.play(result.best().ok_or("no move")?)?;
//! assert_eq!(game.plies().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | items |
//! |---|---|
//! | rules | [`Board`] (two bitboards, the mover's first), [`Square`], [`Ply`], [`Side`], [`Game`], [`symmetry`], [`openings`], [`opening_names`], [`drawn_openings`] |
//! | search | [`Engine`], [`Limits`], [`SearchResult`], [`StopHandle`], [`Monitor`] and the rest of [`search`] |
//! | analysis of games | [`analysis`] |
//! | files of positions and games | [`notation`]: OBF, GGF, SGF, WTHOR, transcripts, PGN |
//! | SVG pictures of boards | [`diagram`] |
//! | weaker play on purpose | [`skill`] |
//! | suites of positions that test engines | [`test_suite`] |
//! | evaluation weights | [`eval`]: bundled, trained, Edax's |
//! | GTP and NBoard servers | [`protocol`], [`book`] |
//! | kernels of one board | [`kernels`], the crate `outflank-kernels`, and [`Isa`] |
//! | kernels of many boards | [`batch`] |
//! | test positions | [`problems`] |
//!
//! The crate `outflank-capi` is the interface for C.
//!
//! # Features
//!
//! - `embedded-weights` (default): bundles the weights. Without them every static value is 0, unless
//!   [`Builder::evaluation`](search::Builder::evaluation) sets other weights. Exact scores stay equal but take longer.
//! - `serde`: serialization of [`Board`], [`Square`], [`Ply`] and [`Game`].
//! - `branch-statistics`, `record`, `virtual-time`: measurements for developers.
//!
//! All public items follow semantic versioning. Results and most error enums are `#[non_exhaustive]`, since they will
//! grow. [`Limits`] will get more fields, too; its page says how to stay compatible.

pub mod analysis;
pub mod batch;
pub mod board;
pub mod book;
pub mod diagram;
pub mod drawn_openings;
pub mod eval;
pub mod game;
#[cfg(test)]
mod layers;
pub mod notation;
pub mod opening_names;
pub mod openings;
pub mod problems;
pub mod protocol;
pub mod search;
#[cfg(feature = "serde")]
mod serial;
mod side;
pub mod skill;
pub mod square;
pub mod symmetry;
mod table;
pub mod test_suite;
mod time;

pub use board::Board;
pub use game::{Game, IllegalMove};
pub use outflank_kernels as kernels;
pub use outflank_kernels::Isa;
pub use search::{
    Bound, Candidate, Engine, EngineError, Limits, Monitor, SearchError, SearchResult, Selectivity,
    StopHandle, Window,
};
pub use side::Side;
pub use square::{Ply, Square};

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the Rust examples of documentation pages as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/formats/notation.md")]
#[doc = include_str!("../docs/guide/library.md")]
struct Pages;
