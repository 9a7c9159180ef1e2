//! Searching a position.
//!
//! - [`Engine`]: searches to a depth or to the end of the game, selectively or not.
//! - `deepen`: the searches that it makes of a position, one after another.
//! - `tree`: the search that an evaluation guides; `selective`: what it cuts; `parallel`: how threads
//!   share it; `watch`: what ends it before its time.
//! - `endgame`: the last twelve empties, `shallow` the last five, `variants` the last four.
//! - [`Monitor`]: what a running search knows so far.
//! - `midgame`: a plain search of fixed depth, for training.
//! - [`perft`]: the leaves of the game tree.

mod deepen;
mod endgame;
mod engine;
mod limits;
mod line;
mod local;
mod midgame;
mod monitor;
mod node;
mod ordering;
mod parallel;
mod perft;
mod recursion;
mod result;
mod selective;
mod shallow;
mod statistics;
mod thread;
mod tree;
mod variants;
mod watch;

pub use engine::{Builder, Engine, EngineError, MAX_THREADS, SearchError, StopHandle};
pub use limits::{Limits, Strength, Window};
pub use midgame::{Found, Midgame};
pub use monitor::Monitor;
pub use perft::{Passes, perft};
pub use result::{Bound, Candidate, SearchResult};
pub use selective::Selectivity;
#[cfg(feature = "branch-statistics")]
pub use statistics::branch_statistics;
pub use variants::{Variant, variants};
