//! Outflank, an Othello core: kernels for every instruction-set level, chosen at run time, and an
//! engine on top that searches to a depth, or to the end of the game.
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
//! // A game, and a move for it, found by a search of 6 plies.
//! let mut game = Game::new();
//! game.play("F5".parse()?)?;
//! let found = engine.search(game.board(), &Limits::depth(6, Selectivity::Full))?;
//! game.play(found.best().ok_or("no move")?)?;
//! assert_eq!(game.plies().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | there is |
//! |---|---|
//! | follow the rules | [`Board`] (two bitboards, the mover's first), [`Square`], [`Side`], [`Game`] |
//! | search | [`Engine`], its [`Builder`](search::Builder), [`Limits`], [`SearchResult`], [`StopHandle`], [`Monitor`] |
//! | see what the moves of a game cost | [`analysis`] |
//! | read and write files | [`notation`]: OBF, GGF, SGF, WTHOR, transcripts, PGN |
//! | draw a position | [`diagram`] |
//! | judge positions otherwise | [`eval`]: weights, ours and Edax's |
//! | call the kernels | [`kernels`], the crate `outflank-kernels`: [`with_isa!`](kernels::with_isa) |
//! | speak GTP or NBoard, with an opening book or without | [`protocol`], [`book`] |
//! | list the openings of a number of plies | [`openings`] |
//! | see a position as one of its eight images | [`symmetry`] |
//! | call kernels for arrays of boards | [`batch`] |
//! | search several positions at once, answers in order | [`queue`] |
//! | start sooner | [`LargePages`], a program's allocator |
//! | call it from C | the crate `outflank-capi` |
//!
//! # Features
//!
//! | feature | usual | |
//! |---|---|---|
//! | `embedded-weights` | yes | the bundled weights become part of the library; without them every position is judged to be even until [`Builder::evaluation`](search::Builder::evaluation) says more, and exact scores are the same, found later |
//! | `serde` | | [`Board`], [`Square`], [`Ply`] and [`Game`] can be serialized |
//! | `branch-statistics`, `record` | | for measurements |
//!
//! What is documented here keeps to semantic versioning, but for what the crates `outflank-train` and
//! `outflank-cli` share with it, which may change with every release: [`files`], [`text`], [`queue`],
//! [`protocol::lines`], [`search::Midgame`], and how a search reads weights,
//! [`eval::Evaluator`], [`eval::Patterns`] and [`eval::Blend`]. Errors and results are `#[non_exhaustive]`,
//! because they will say more; [`Limits`] says how it can grow.

pub mod analysis;
pub mod batch;
pub mod board;
pub mod book;
pub mod diagram;
pub mod eval;
pub mod files;
pub mod game;
mod large_pages;
pub mod notation;
pub mod openings;
pub mod problems;
pub mod protocol;
pub mod queue;
pub mod search;
#[cfg(feature = "serde")]
mod serial;
mod side;
pub mod square;
pub mod symmetry;
mod table;
pub mod text;
mod time;

pub use board::Board;
pub use game::{Game, IllegalMove};
pub use large_pages::LargePages;
pub use outflank_kernels as kernels;
pub use outflank_kernels::Isa;
pub use search::{
    Bound, Candidate, Engine, EngineError, Limits, Monitor, SearchError, SearchResult, Selectivity,
    StopHandle, Window,
};
pub use side::Side;
pub use square::{Ply, Square};

/// What the README shows is tried out with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The same for pages of the documentation with examples in Rust.
#[cfg(doctest)]
#[doc = include_str!("../docs/formats/notation.md")]
#[doc = include_str!("../docs/guide/library.md")]
struct Pages;
