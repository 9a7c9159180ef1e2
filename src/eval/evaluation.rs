//! What a search needs to judge positions.

use std::sync::{Arc, OnceLock};

use super::Evaluator;
use super::error_model::ErrorModel;
use super::model::Model;
use super::patterns::Patterns;
use crate::board::Board;
use outflank_kernels::{Kernels, Network, Token, with_isa};

/// What gives static values.
pub enum Values {
    /// A sum of weights.
    Patterns(Patterns),
    /// A network.
    Network(Network),
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

/// An evaluation by patterns, and how far deep searches by it are from shallow ones. Made once, shared
/// by any number of searches.
pub struct Evaluation {
    /// The static values.
    pub values: Values,
    /// What selective cuts go by.
    pub errors: ErrorModel,
}

impl Evaluation {
    /// Packs a model. One without an error model gets the one that was measured for the weights that
    /// are shipped, for want of a better.
    pub fn new(model: &Model) -> Evaluation {
        Evaluation {
            values: Values::Patterns(Patterns::new(model)),
            errors: model.error.unwrap_or(ErrorModel::SHIPPED),
        }
    }

    /// TEMPORARY
    pub fn raw(path: &str) -> Evaluation {
        let bytes = std::fs::read(path).expect("raw");
        let mut at = 0;
        let mut take = |n: usize| {
            at += n;
            &bytes[at - n..at]
        };
        let mut network = Network::zero();
        for class in outflank_kernels::geometry::corner::CLASSES {
            for row in network.class_mut(class.name).expect("class") {
                *row = std::array::from_fn(|_| take(1)[0] as i8);
            }
        }
        let i16s = |b: &[u8]| i16::from_le_bytes([b[0], b[1]]);
        let i32s = |b: &[u8]| i32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        for row in network.moves_mut() {
            for x in &mut row.0 {
                *x = i16s(take(2));
            }
        }
        for stage in network.stages_mut() {
            for x in &mut stage.start.0 {
                *x = i16s(take(2));
            }
            for j in 0..16 {
                for k in 0..16 {
                    stage.matrix[k / 4][j][k % 4] = take(1)[0] as i8;
                }
            }
            for x in &mut stage.hidden_bias {
                *x = i32s(take(4));
            }
            for x in stage.output.as_flattened_mut() {
                *x = i16s(take(2));
            }
            stage.bias = i32s(take(4));
        }
        assert_eq!(at, bytes.len());
        Evaluation {
            values: Values::Network(network),
            errors: ErrorModel::SHIPPED,
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
        let make = || {
            if let Ok(path) = std::env::var("OUTFLANK_RAW") {
                Evaluation::raw(&path)
            } else {
                Evaluation::new(&Model::embedded().unwrap_or_else(Model::even))
            }
        };
        EMBEDDED.get_or_init(|| Arc::new(make())).clone()
    }
}
