//! What a search needs to judge positions.

use std::sync::{Arc, OnceLock};

use super::Evaluator;
use super::error_model::ErrorModel;
use super::model::{Model, Parameters};
use super::patterns::Patterns;
use crate::board::Board;
use outflank_kernels::{Kernels, Network, Token, with_isa};

/// What gives static values.
#[allow(clippy::large_enum_variant, reason = "an evaluation has one of them")]
pub enum Values {
    /// A sum of weights.
    Patterns(Patterns),
    /// A network.
    Network(Network),
}

impl Values {
    fn new(parameters: Parameters) -> Values {
        match parameters {
            Parameters::Linear(linear) => Values::Patterns(Patterns::new(linear)),
            Parameters::Network(network) => Values::Network(network),
        }
    }

    /// The bytes that the parameters take in memory once all were read.
    pub fn resident_bytes(&self) -> usize {
        match self {
            Values::Patterns(patterns) => patterns.resident_bytes(),
            Values::Network(network) => network.resident_bytes(),
        }
    }
}

/// An expression with the evaluator of `Values` as `$evaluator`, compiled for either kind.
macro_rules! with_values {
    ($values:expr, $evaluator:ident => $body:expr) => {
        match $values {
            $crate::eval::Values::Patterns($evaluator) => $body,
            $crate::eval::Values::Network($evaluator) => $body,
        }
    };
}
pub(crate) use with_values;

/// Static values, and how far deep searches by them are from shallow ones. Made once, shared
/// by any number of searches.
pub struct Evaluation {
    /// The static values.
    pub values: Values,
    /// What selective cuts go by.
    pub errors: ErrorModel,
}

impl Evaluation {
    /// Packs a model. One without an error model gets one that was measured for another model of its kind,
    /// for want of a better.
    pub fn new(model: Model) -> Evaluation {
        let of_kind = match model.parameters {
            Parameters::Linear(_) => ErrorModel::LINEAR,
            Parameters::Network(_) => ErrorModel::NETWORK,
        };
        Evaluation {
            values: Values::new(model.parameters),
            errors: model.error.unwrap_or(of_kind),
        }
    }

    /// The static value of `board`, in 1/128 disc from the mover's side, at the level of `token`.
    pub fn value(&self, token: Token, board: Board) -> i32 {
        fn value<I: Kernels, E: Evaluator<I>>(isa: I, evaluator: &E, board: Board) -> i32 {
            evaluator.value(isa, &evaluator.set(isa, board), board)
        }
        with_values!(&self.values, evaluator => with_isa!(token, isa => value(isa, evaluator, board)))
    }

    /// The weights that the library was built with, made ready when they are first asked for; without
    /// the feature `embedded-weights` an evaluation that finds every position even.
    pub fn embedded() -> Arc<Evaluation> {
        static EMBEDDED: OnceLock<Arc<Evaluation>> = OnceLock::new();
        let make = || Evaluation::new(Model::embedded().unwrap_or_else(Model::even));
        EMBEDDED.get_or_init(|| Arc::new(make())).clone()
    }
}
