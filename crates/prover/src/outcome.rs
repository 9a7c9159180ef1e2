//! Results of proofs.

use std::collections::BTreeMap;

use crate::term::Wide;

/// Result of a proof.
#[derive(Debug)]
pub enum Outcome {
    /// The answer is right for all inputs.
    Proved,
    /// The answer is wrong for some input.
    Refuted(Refutation),
    /// The code does something for which there is no model, or has a loop without a known invariant.
    NotModelled(String),
    /// The solver reached a time limit.
    OutOfTime(String),
    /// The kernel has no specification.
    NoSpecification,
}

impl Outcome {
    /// Names of all outcomes, in the order of the variants.
    pub const NAMES: [&str; 5] = [
        "proved",
        "refuted",
        "not modelled",
        "out of time",
        "no specification",
    ];

    /// Name for reports.
    pub fn name(&self) -> &'static str {
        Outcome::NAMES[match self {
            Outcome::Proved => 0,
            Outcome::Refuted(_) => 1,
            Outcome::NotModelled(_) => 2,
            Outcome::OutOfTime(_) => 3,
            Outcome::NoSpecification => 4,
        }]
    }

    /// Returns `true` if a specification exists and is not proved.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Outcome::Proved | Outcome::NoSpecification)
    }

    /// Reason why an algorithm is not proved.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::NotModelled(reason) | Outcome::OutOfTime(reason) => Some(reason),
            Outcome::Refuted(refutation) => Some(&refutation.case),
            Outcome::Proved | Outcome::NoSpecification => None,
        }
    }
}

/// Counterexample: an input with a wrong answer.
#[derive(Debug)]
pub struct Refutation {
    /// Name of the obligation.
    pub case: String,
    /// Number of the obligation.
    pub number: usize,
    /// Values of the input variables.
    pub values: BTreeMap<String, Wide>,
    /// Jumps on the path, by their offsets from the start of the code, each with `true` if it is taken.
    pub path: Vec<(u64, bool)>,
}
