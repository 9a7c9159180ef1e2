//! Searching a position.
//!
//! The modules are layers; each uses only modules of the layers above it in this list.
//!
//! 1. `limits`, `selective`, `result`: what is asked for and what is answered; `local`: the table of one
//!    thread for few empties; `watch`, `stop`: stop control; `error`; `evaluated`: what the
//!    evaluation knows of a board; `ranking`: which move is next; `history`: which moves failed high lately; `line`,
//!    `squares`, `stability`, `statistics`.
//! 2. `ordering`: the order of moves without an evaluation; `pool`: the moves that threads share.
//! 3. `thread`: the state of a search; `children`: the moves of a node with an evaluation and their order.
//! 4. The nodes, the only cycle, which is recursion: `recursion` lists the functions that are compiled for every
//!    level; `node` the kinds of nodes; `tree` is the node with an evaluation, with `probcut` and `parallel`;
//!    `endgame` has the last twelve empties, `shallow` the last five; [`fn@perft`] counts leaves.
//! 5. `deepen`: the searches of a position, one after another; [`Monitor`]: what a running search knows so far.
//! 6. [`Engine`]: searches to a depth or to the end of the game, selectively or not.
//! 7. `midgame`: the trainer's plain search, with a recursion point of its own.

mod children;
mod deepen;
mod endgame;
mod engine;
mod error;
mod evaluated;
mod history;
#[cfg(test)]
mod layers;
mod limits;
mod line;
mod local;
mod midgame;
mod monitor;
mod node;
mod ordering;
mod parallel;
mod perft;
mod pool;
mod probcut;
mod ranking;
mod recursion;
mod result;
mod selective;
mod shallow;
mod squares;
mod stability;
mod statistics;
mod stop;
mod thread;
mod tree;
mod watch;

pub use engine::{Builder, DEFAULT_HASH_MIB, Engine, ThreadPool};
pub use error::{EngineError, SearchError};
pub use limits::{Limits, MAX_THREADS, Strength, Window};
pub use midgame::{Found, Midgame};
pub use monitor::Monitor;
pub(crate) use perft::perft_at;
pub use perft::{Passes, perft};
pub use result::{Bound, Candidate, SearchResult};
pub use selective::Selectivity;
#[cfg(feature = "branch-statistics")]
pub use statistics::branch_statistics;
pub use stop::StopHandle;
