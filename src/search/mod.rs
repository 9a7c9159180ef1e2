//! Searching a position.
//!
//! - [`Engine`]: searches to a depth or to the end of the game, selectively or not.
//! - `deepen`: the searches that it makes of a position, one after another.
//! - `tree`: the search that an evaluation guides; `selective`: what it cuts.
//! - `endgame`: the last twelve empties, `shallow` the last seven, `variants` the last four.
//! - [`Midgame`]: a plain search of fixed depth, for training.

mod deepen;
mod endgame;
mod engine;
mod line;
mod local;
mod midgame;
mod node;
mod ordering;
mod perft;
mod recursion;
mod selective;
mod shallow;
mod tree;
mod variants;

pub use engine::{
    Bound, Builder, Engine, EngineError, Limits, SearchError, SearchResult, StopHandle, Window,
};
pub use midgame::{Found, Midgame};
pub use perft::{Passes, perft};
pub use selective::Selectivity;
pub use variants::{Variant, variants};
