//! Models: evaluations as they are trained, stored and exchanged.

use std::fmt::Write;

use outflank_kernels::geometry::{Geometry, corner, edax};

use super::error_model::ErrorModel;
use super::knots::Knot;
use super::linear::{Linear, LinearError};
use super::networks::Networks;
use crate::board::Board;
use crate::square::Square;

/// The parameters of an evaluation, its error model and a text about both.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The source of static values.
    pub parameters: Parameters,
    /// The basis of selective cuts; `None` if no error model was fitted.
    pub error: Option<ErrorModel>,
    /// A text about the origin of the parameters, for people.
    pub about: String,
}

/// The source of static values. A search reads it directly.
#[allow(
    clippy::large_enum_variant,
    reason = "each evaluation has only one of them"
)]
#[derive(Clone, PartialEq, Debug)]
pub enum Parameters {
    /// One weight for each pattern. The value is the sum of weights.
    Linear(Linear),
    /// Small networks whose inputs are sums of rows, one row of numbers for each pattern.
    Networks(Networks),
}

impl Parameters {
    /// The bytes in memory once a search has used all parameters.
    pub fn resident_bytes(&self) -> usize {
        match self {
            Parameters::Linear(linear) => linear.resident_bytes(),
            Parameters::Networks(networks) => networks.resident_bytes(),
        }
    }
}

impl Model {
    /// Creates a linear evaluation without an error model.
    pub fn linear(knots: Vec<Knot>, bias: [i16; 61], about: String) -> Result<Model, LinearError> {
        let linear = Linear::new(knots, bias)?;
        Ok(Model::new(Parameters::Linear(linear), about))
    }

    /// Creates an evaluation by networks without an error model.
    pub fn networks(networks: impl Into<Networks>, about: String) -> Model {
        Model::new(Parameters::Networks(networks.into()), about)
    }

    /// The model whose value is 0 for every position.
    pub(super) fn even() -> Model {
        Model::new(Parameters::Linear(Linear::even()), String::new())
    }

    fn new(parameters: Parameters, about: String) -> Model {
        Model {
            parameters,
            error: None,
            about,
        }
    }

    /// The value of `board`, computed slowly as a reference for [`Evaluator::value`](super::Evaluator::value).
    pub fn value(&self, board: Board) -> i32 {
        match &self.parameters {
            Parameters::Linear(linear) => linear.reference_value(board),
            Parameters::Networks(networks) => networks.reference_value(board),
        }
    }

    /// The linear evaluation; `None` for networks.
    pub fn as_linear(&self) -> Option<&Linear> {
        match &self.parameters {
            Parameters::Linear(linear) => Some(linear),
            Parameters::Networks(_) => None,
        }
    }

    /// The geometry of the model's features.
    pub fn geometry(&self) -> &'static Geometry {
        match self.parameters {
            Parameters::Linear(_) => &edax::GEOMETRY,
            Parameters::Networks(_) => &corner::GEOMETRY,
        }
    }

    /// The CRC-32 of the geometry, by which weights files identify it.
    pub fn geometry_checksum(&self) -> u32 {
        geometry_checksum(self.geometry())
    }
}

/// The CRC-32 of a geometry's text: one line for each class as in `kernels/geometries`, with one space
/// between words and a line feed after each line.
pub(super) fn geometry_checksum(geometry: &Geometry) -> u32 {
    let mut text = String::new();
    for features in geometry.features.chunk_by(|a, b| a.class == b.class) {
        text.push_str(features[0].class);
        for feature in features {
            text.push(' ');
            for &square in &feature.squares {
                let square = Square::new(square as u8).expect("a square of the board");
                write!(text, "{square}").expect("writing to a string cannot fail");
            }
        }
        text.push('\n');
    }
    crc32fast::hash(text.as_bytes())
}
