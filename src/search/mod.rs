//! The search: [`Engine`] searches a position to a depth or to the end of the game, selectively or not.
//!
//! | module | nodes |
//! |---|---|
//! | `midgame` | nodes with an evaluation; `last_ply` has those of depth 1 |
//! | `endgame` | nodes with 12 or fewer empties, without an evaluation |
//! | `shallow` | null-window nodes with 5 or fewer empties |
//! | `perft` | nodes whose leaves are counted |
//!
//! `probcut` cuts midgame nodes, and `parallel` shares them among threads.
//! `recursion` lists the functions that are compiled for every instruction-set level. `deepen` is iterative deepening,
//! `root` is one of its iterations, and `report` passes results to the caller. `proving` finds moves that prove a bound.
//!
//! `src/layers.rs` lists all modules in the order of their dependencies, and tests it.

mod builder;
mod children;
// Unit tests use virtual time, too.
#[cfg_attr(any(test, feature = "virtual-time"), path = "virtual_clock.rs")]
mod clock;
mod deepen;
mod endgame;
mod engine;
mod error;
mod eval_state;
mod history;
mod isolated;
mod last_ply;
mod limits;
mod line;
mod local_table;
mod midgame;
mod monitor;
mod node;
mod ordering;
mod parallel;
mod perft;
mod pool;
mod probcut;
mod proving;
mod ranking;
mod recursion;
mod report;
mod result;
mod root;
mod selectivity;
mod shallow;
mod split;
mod stability;
mod statistics;
mod stop;
mod thread_pool;
mod thread_work;
mod window;
mod worker;

pub use builder::{Builder, DEFAULT_HASH_MIB};
pub use engine::Engine;
pub use error::{EngineError, SearchError};
pub use limits::{Limits, MAX_THREADS, Strength};
pub use monitor::Monitor;
pub(crate) use perft::perft_at;
pub use perft::{Passes, perft};
pub use proving::MoveProver;
pub use result::{Bound, Candidate, SearchResult};
pub use selectivity::Selectivity;
#[cfg(feature = "branch-statistics")]
pub use statistics::branch_statistics;
pub use stop::StopHandle;
pub use thread_pool::{STACK_BYTES, ThreadPool};
pub use thread_work::ThreadWork;
pub use window::Window;
