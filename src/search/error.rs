//! Why there is no engine, or no result of a search.

use outflank_kernels::IsaError;

use super::limits::MAX_THREADS;
use crate::square::Square;
use crate::table::TableError;

/// Why a search has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The stop handle was used, and an incomplete result is of no use: never from
    /// [`Engine::search`](crate::Engine::search), only from the searches of the trainer.
    #[error("stopped")]
    Stopped,
    /// The board has a square that both sides hold.
    #[error("both sides hold {}", Square::names(*.squares))]
    Overlap {
        /// The squares held twice.
        squares: u64,
    },
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The CPU lacks the level.
    #[error(transparent)]
    Isa(#[from] IsaError),
    /// The table was asked to be larger than the memory that is free, or than the system grants.
    #[error("a hash table of {asked} MiB does not fit in memory ({available} MiB available)")]
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB available.
        available: usize,
    },
    /// A table has at least 1 MiB.
    #[error("a hash table has at least 1 MiB")]
    NoTable,
    /// Too few threads, or too many.
    #[error("{0} threads: an engine has 1 to {MAX_THREADS}")]
    Threads(usize),
}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        match error {
            TableError::Empty => EngineError::NoTable,
            TableError::Memory { asked, available } => EngineError::Memory { asked, available },
        }
    }
}
