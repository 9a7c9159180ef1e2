//! How a network is to be trained.

use std::fmt;

use crate::fit::Loss;

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How often all positions are learnt from.
    pub epochs: usize,
    /// Of what the network begins with, and of the order of the positions.
    pub seed: u64,
    /// How long the first steps of rows are (AdaGrad).
    pub row_rate: f32,
    /// How long the first steps of what follows on the sums are (Adam).
    pub head_rate: f32,
    /// What is made small.
    pub loss: Loss,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 3,
            seed: 1,
            row_rate: 0.02,
            head_rate: 0.002,
            loss: Loss::Huber(6.0),
        }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "corner network; epochs {}; seed {}; rates {} and {}; {}",
            self.epochs, self.seed, self.row_rate, self.head_rate, self.loss,
        )
    }
}
