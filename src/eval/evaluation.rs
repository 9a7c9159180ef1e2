//! What a search needs to judge positions.

use std::sync::{Arc, OnceLock};

use super::error_model::ErrorModel;
use super::model::Model;
use super::patterns::Patterns;

/// An evaluation by patterns, and how far deep searches by it are from shallow ones. Made once, shared
/// by any number of searches.
pub struct Evaluation {
    /// The static values.
    pub patterns: Patterns,
    /// What selective cuts go by.
    pub errors: ErrorModel,
}

impl Evaluation {
    /// Packs a model. One without an error model gets the one that was measured for the weights that
    /// are shipped, for want of a better.
    pub fn new(model: &Model) -> Evaluation {
        Evaluation {
            patterns: Patterns::new(model),
            errors: model.error.unwrap_or(ErrorModel::SHIPPED),
        }
    }

    /// The weights that the library was built with, made ready when they are first asked for; without
    /// the feature `embedded-weights` an evaluation that finds every position even.
    pub fn embedded() -> Arc<Evaluation> {
        static EMBEDDED: OnceLock<Arc<Evaluation>> = OnceLock::new();
        let make = || Evaluation::new(&Model::embedded().unwrap_or_else(Model::even));
        EMBEDDED.get_or_init(|| Arc::new(make())).clone()
    }
}
