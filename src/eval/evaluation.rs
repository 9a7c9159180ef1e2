//! The evaluation of an engine.

use std::sync::{Arc, OnceLock};

use outflank_kernels::{Kernels, Token, with_isa};

use super::error_model::ErrorModel;
use super::evaluator::Evaluator;
use super::model::{Model, Parameters};
use crate::board::Board;

/// The source of static values and their error model. Any number of searches can share one.
pub struct Evaluation {
    /// The source of static values.
    pub parameters: Parameters,
    /// The basis of selective cuts.
    pub errors: ErrorModel,
}

/// Evaluates an expression with the [`Evaluator`] of an [`Evaluation`]. The expression is compiled for both kinds of
/// evaluator. [`Evaluator`] has an example.
#[doc(hidden)]
#[macro_export]
macro_rules! __with_evaluator {
    ($evaluation:expr, $evaluator:ident => $body:expr) => {
        match &$evaluation.parameters {
            $crate::eval::Parameters::Linear($evaluator) => $body,
            $crate::eval::Parameters::Networks($evaluator) => $body,
        }
    };
}
use crate::__with_evaluator as with_evaluator;

impl Evaluation {
    /// Creates the evaluation of a model. A model without an error model gets the default of its kind.
    pub fn new(model: Model) -> Evaluation {
        let default = match model.parameters {
            Parameters::Linear(_) => ErrorModel::LINEAR,
            Parameters::Networks(_) => ErrorModel::NETWORK,
        };
        Evaluation {
            errors: model.error.unwrap_or(default),
            parameters: model.parameters,
        }
    }

    /// The static value of `board`, in 1/128 disc from the mover's side, at the level of `token`.
    pub fn value(&self, token: Token, board: Board) -> i32 {
        fn value<I: Kernels, E: Evaluator<I>>(isa: I, evaluator: &E, board: Board) -> i32 {
            evaluator.value(isa, &evaluator.set(isa, board), board)
        }
        with_evaluator!(self, evaluator => with_isa!(token, isa => value(isa, evaluator, board)))
    }

    /// The evaluation with the bundled weights, created on first use. Without the feature `embedded-weights` the value
    /// of every position is 0.
    pub fn embedded() -> Arc<Evaluation> {
        static EMBEDDED: OnceLock<Arc<Evaluation>> = OnceLock::new();
        let create = || Evaluation::new(Model::embedded().unwrap_or_else(Model::even));
        EMBEDDED.get_or_init(|| Arc::new(create())).clone()
    }
}
