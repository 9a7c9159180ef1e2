//! What a position is worth before it is searched: a sum of weights of the patterns on the board
//! (Buro's Logistello, 1997; the geometry is that of Edax), or a small network on sums of rows of numbers.
//!
//! - [`Evaluation`]: what an engine is given. Its [`Values`] are what a search reads: `Patterns`, weights packed for
//!   the kernel `eval_sum`, or a network; `Evaluator` is what a search asks of either.
//! - [`Model`]: the same as it is trained, kept in files and exchanged.
//! - [`WeightsFile`]: a model as a file has it, ours or Edax's.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//! use outflank::Engine;
//! use outflank::eval::{Evaluation, Model};
//!
//! // An engine with weights of a file: ours, or an eval.dat of Edax's.
//! let model = Model::load(Path::new("eval.dat"))?;
//! let engine = Engine::builder().evaluation(Arc::new(Evaluation::new(model))).build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod embedded;
mod error_model;
mod evaluation;
mod file;
mod linear;
mod model;
mod network;
mod packing;
mod patterns;

use crate::board::Board;
use outflank_kernels::Kernels;

pub use error_model::ErrorModel;
pub(crate) use evaluation::with_values;
pub use evaluation::{Evaluation, Values};
pub use file::{ByteOrder, Format, LoadError, Looks, WeightsError, WeightsFile};
pub use linear::{Blend, Knot, Linear, LinearError};
pub use model::{Model, Parameters};
pub use packing::{PACKED, Packing};
pub use patterns::Patterns;

/// What one disc is worth in values and weights: values are in 1/128 disc, from the mover's side.
pub const DISC: i32 = 128;

/// The most that a value can be, in discs either way: only the end of a game is worth 64.
pub const MAX_DISCS: i32 = 63;

/// A static evaluation whose state goes along with the board, at one instruction-set level.
///
/// States are small and copied: a move taken back is the state that was kept. All methods are made to be
/// inlined into code that is compiled for the level.
pub trait Evaluator<I: Kernels>: Sync {
    /// What is kept for a board.
    type State: Copy;

    /// Whether a rough search to the end, less certain than any that can be asked for, prepares a solve best.
    const IS_ROUGH: bool;

    /// The state of `board`, from nothing.
    fn set(&self, isa: I, board: Board) -> Self::State;

    /// The state after the mover plays on the square of index `square` (0..=63, empty before), turning
    /// `flipped`, and the sides change.
    fn update(&self, isa: I, state: &Self::State, square: usize, flipped: u64) -> Self::State;

    /// The state after the mover passes.
    fn pass(&self, isa: I, state: &Self::State) -> Self::State;

    /// The value of `board`, the state of which is `state`, in units of 1 / [`DISC`] from the mover's side,
    /// within [`MAX_DISCS`] discs.
    fn value(&self, isa: I, state: &Self::State, board: Board) -> i32;

    /// The values of two boards with the same number of empty squares.
    #[inline(always)]
    fn values(&self, isa: I, states: [&Self::State; 2], boards: [Board; 2]) -> [i32; 2] {
        [
            self.value(isa, states[0], boards[0]),
            self.value(isa, states[1], boards[1]),
        ]
    }
}

/// A value in whole discs, rounded half away from zero.
#[inline(always)]
pub const fn in_discs(value: i32) -> i32 {
    (value + value.signum() * (DISC / 2)) / DISC
}
