//! An evaluation as it is trained, kept in files and exchanged.

use outflank_kernels::Network;

use super::error_model::ErrorModel;
use super::linear::{Knot, Linear, LinearError};
use super::network;
use crate::board::Board;

/// What an evaluation is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// What static values are made of.
    pub parameters: Parameters,
    /// What selective cuts go by, where it was fitted.
    pub error: Option<ErrorModel>,
    /// Where the parameters come from, for people.
    pub about: String,
}

/// What static values are made of.
#[derive(Clone, PartialEq, Debug)]
pub enum Parameters {
    /// A weight for each pattern: the value is their sum.
    Linear(Linear),
    /// A row of numbers for each pattern, and a small network on the sums of rows.
    Network(Network),
}

impl Model {
    /// A linear evaluation, without an error model.
    pub fn linear(knots: Vec<Knot>, bias: [i16; 61], about: String) -> Result<Model, LinearError> {
        Ok(Model {
            parameters: Parameters::Linear(Linear::new(knots, bias)?),
            error: None,
            about,
        })
    }

    /// A network, without an error model.
    pub fn network(network: Network, about: String) -> Model {
        Model {
            parameters: Parameters::Network(network),
            error: None,
            about,
        }
    }

    /// A model that finds every position even.
    pub(super) fn even() -> Model {
        Model {
            parameters: Parameters::Linear(Linear::even()),
            error: None,
            about: String::new(),
        }
    }

    /// The value of `board` as [`Evaluator::value`](super::Evaluator::value) has it, by the plain definition: what
    /// the fast ones are compared with.
    pub fn value(&self, board: Board) -> i32 {
        match &self.parameters {
            Parameters::Linear(linear) => linear.value(board),
            Parameters::Network(network) => network::plain_value(network, board),
        }
    }

    /// The linear evaluation, if it is one.
    pub fn as_linear(&self) -> Option<&Linear> {
        match &self.parameters {
            Parameters::Linear(linear) => Some(linear),
            Parameters::Network(_) => None,
        }
    }
}
