//! Searching a position: the solver and what it answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use outflank_kernels::{Level, LevelError, Token, with_isa};

use crate::board::Board;
use crate::square::{Ply, Square};
use crate::table::Table;

mod endgame;
mod line;
mod midgame;
mod ordering;
mod perft;
mod recursion;
mod shallow;
mod variants;

pub use midgame::{Found, Midgame};
pub use perft::{Passes, perft};
use variants::LastEmpties;
pub use variants::{Variant, variants};

/// The scores that a solve tells apart: everything at or below `alpha` is one answer, and so is
/// everything at or above `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// Every score, -64..=64.
    pub const EXACT: Window = Window {
        alpha: -64,
        beta: 64,
    };

    /// Win, loss or draw.
    pub const WLD: Window = Window { alpha: -1, beta: 1 };

    /// The window between `alpha` and `beta`, in discs; `None` unless -64 <= alpha < beta <= 64.
    pub const fn new(alpha: i32, beta: i32) -> Option<Window> {
        if -64 <= alpha && alpha < beta && beta <= 64 {
            Some(Window { alpha, beta })
        } else {
            None
        }
    }

    /// The lower end.
    pub const fn alpha(self) -> i32 {
        self.alpha
    }

    /// The upper end.
    pub const fn beta(self) -> i32 {
        self.beta
    }

    /// `score`, moved to the nearest end where it lies outside.
    pub fn clamp(self, score: i32) -> i32 {
        score.clamp(self.alpha, self.beta)
    }
}

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the true score.
    Exact,
    /// The true score is this or more: the window's `beta` was reached.
    Lower,
    /// The true score is this or less: the window's `alpha` was not passed.
    Upper,
}

/// The answer to a solve.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// Discs for the mover with best play by both, empties to the winner: -64..=64.
    pub score: i32,
    /// What `score` says about the true score.
    pub bound: Bound,
    /// Best play, the best move first; a `None` in it is a pass. To the end of the game where the
    /// score is exact. Empty only where the game is over.
    pub line: Vec<Ply>,
    /// Boards reached by a move.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// Why a solve gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The stop handle was used.
    #[error("stopped")]
    Stopped,
    /// The board has a square that both sides hold.
    #[error("both sides hold {}", Square::all_in(*.squares).map(|square| square.to_string()).collect::<Vec<_>>().join(", "))]
    Overlap {
        /// The squares held twice.
        squares: u64,
    },
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The CPU lacks the level.
    #[error(transparent)]
    Level(#[from] LevelError),
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
}

/// Stops a running solve from another thread or a signal handler.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Makes the running solve, and every later one, return [`SolveError::Stopped`].
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Solves positions exactly, one at a time, at one instruction-set level.
pub struct Solver {
    token: Token,
    last: LastEmpties,
    table: Table,
    stop: StopHandle,
}

impl Solver {
    /// A solver at `level` with a table of `hash_mib` MiB (1 or more).
    pub fn new(level: Level, hash_mib: usize) -> Result<Solver, SolverError> {
        let token = level.token()?;
        Ok(Solver {
            token,
            last: with_isa!(token, isa => LastEmpties::selected(isa)),
            table: Table::new(hash_mib)?,
            stop: StopHandle::default(),
        })
    }

    /// The level that the kernels run at.
    pub fn level(&self) -> Level {
        self.token.level()
    }

    /// Goes over to `variant` and its level: a solve finds the same by the same nodes, in another time.
    /// An error where the CPU lacks the level.
    pub fn set_variant(&mut self, variant: &Variant) -> Result<(), LevelError> {
        self.token = variant.level.token()?;
        self.last = LastEmpties::of(variant)?;
        Ok(())
    }

    /// A handle that stops this solver.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Forgets all earlier results, so that the next solve counts the same nodes as a new solver.
    pub fn clear(&mut self) {
        self.table.clear(self.token);
    }

    /// The exact score of `board`, or which side of `window` it lies on. One thread; the same board
    /// after [`Solver::clear`] takes the same nodes at every level.
    pub fn solve(&mut self, board: Board, window: Window) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SolveError::Overlap { squares });
        }
        self.table.fit(board.empty_count());
        let mut search = endgame::Search {
            table: &self.table,
            stop: &self.stop.0,
            stopped: self.stop.is_stopped(),
            nodes: 0,
            last: self.last,
        };
        let mut line = line::Line::default();
        // The ends of the scale are scores like others: let them lie inside.
        let alpha = if window.alpha == -64 {
            -65
        } else {
            window.alpha
        };
        let beta = if window.beta == 64 { 65 } else { window.beta };
        let score = with_isa!(self.token, isa => {
            endgame::solve(isa, &mut search, board, alpha, beta, &mut line)
        });
        if search.stopped {
            return Err(SolveError::Stopped);
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Ok(Solution {
            score,
            bound,
            line: line.to_vec(),
            nodes: search.nodes,
            time: start.elapsed(),
        })
    }
}
