//! Static evaluation: the value of a position before it is searched.
//!
//! There are two kinds. The linear evaluation is a sum of one weight for each pattern on the board (Buro's Logistello,
//! 1997, with the geometry of Edax). A network is small; its inputs are sums of one row of numbers for each pattern.
//!
//! Engines take an [`Evaluation`], which any number of searches share. A [`Model`] is an evaluation as it is trained,
//! stored and exchanged. A [`WeightsFile`] is a model read from a file, in Outflank's format or Edax's. An
//! [`Evaluator`] updates the evaluation move by move, for your own searches.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//! use outflank::Engine;
//! use outflank::eval::{Evaluation, Model};
//!
//! // An engine with the weights of a file, in Outflank's format or Edax's.
//! let model = Model::load(Path::new("eval.dat"))?;
//! let engine = Engine::builder().evaluation(Arc::new(Evaluation::new(model))).build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error_model;
mod evaluation;
mod evaluator;
mod file;
mod knots;
mod linear;
mod model;
mod networks;
mod packed;
#[cfg(test)]
mod tests;
mod weight_layout;

#[doc(inline)]
pub use crate::__with_evaluator as with_evaluator;
pub use error_model::ErrorModel;
pub use evaluation::Evaluation;
pub use evaluator::{DISC, Evaluator, MAX_DISCS, in_discs};
pub use file::{ByteOrder, FileKind, Format, LoadError, WeightsError, WeightsFile};
pub use knots::{Blend, Knot};
pub use linear::{Linear, LinearError};
pub use model::{Model, Parameters};
pub use networks::Networks;
pub use weight_layout::{KNOT_WEIGHTS, WeightLayout};
