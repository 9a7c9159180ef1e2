//! Outflank, an Othello core: kernels for every instruction-set level, chosen at run time, and an
//! exact endgame solver on top.
//!
//! ```
//! use outflank::{Board, Level, Solver, Window};
//!
//! let mut solver = Solver::new(Level::detect(), 16)?;
//! // Black (the mover) to play with one empty square, A1.
//! let board = Board { player: 1 << 2, opponent: !(1 << 2 | 1) };
//! let solution = solver.solve(board, Window::EXACT)?;
//! assert_eq!(solution.score, -58);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod eval;
pub mod files;
pub mod notation;
pub mod search;
pub mod square;
mod table;
pub mod train;

pub use board::Board;
pub use outflank_kernels as kernels;
pub use outflank_kernels::Level;
pub use search::{
    Bound, Found, Midgame, Solution, SolveError, Solver, SolverError, StopHandle, Window,
};
pub use square::{Ply, Square};
