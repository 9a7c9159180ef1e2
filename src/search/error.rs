//! Errors of engines and searches.

use outflank_kernels::IsaError;

use super::limits::MAX_THREADS;
use crate::square::Square;

/// The reason why a search has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A search that must be complete was stopped, as in [`Engine::solve`](crate::Engine::solve).
    /// [`Engine::search`](crate::Engine::search) never returns this error.
    #[error("stopped")]
    Stopped,
    /// The board has a square that both sides hold.
    #[error("both sides hold {}", Square::names(*.squares))]
    Overlap {
        /// The squares held twice.
        squares: u64,
    },
    /// A helper thread panicked, for example in a function given to
    /// [`Builder::interrupt`](crate::search::Builder::interrupt). The engine can search again.
    #[error("a thread of the search failed: {message}")]
    Panicked {
        /// The message of the panic.
        message: String,
    },
}

/// The reason why an engine cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The CPU lacks the level.
    #[error(transparent)]
    Isa(#[from] IsaError),
    /// The table exceeds the free memory, or the memory that the system grants.
    #[error("a hash table of {asked} MiB does not fit in memory ({available} MiB available)")]
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB available.
        available: usize,
    },
    /// A table of 0 MiB.
    #[error("a hash table has at least 1 MiB")]
    NoTable,
    /// A number of threads out of range.
    #[error("{0} threads: an engine has 1 to {MAX_THREADS}")]
    Threads(usize),
}
