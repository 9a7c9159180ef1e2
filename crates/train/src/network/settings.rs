//! Settings of a network's training.

use std::fmt;

use crate::fit::Loss;

/// Settings of a network's training.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkSettings {
    /// Passes over all training positions.
    pub epochs: usize,
    /// Seed of the initial parameters and the order of positions.
    pub seed: u64,
    /// Initial learning rate of the rows (AdaGrad).
    pub row_rate: f32,
    /// Initial learning rate of the head (Adam).
    pub head_rate: f32,
    /// Loss of an error.
    pub loss: Loss,
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        NetworkSettings {
            epochs: 3,
            seed: 1,
            row_rate: 0.02,
            head_rate: 0.002,
            loss: Loss::Huber(6.0),
        }
    }
}

impl fmt::Display for NetworkSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "corner network; epochs {}; seed {}; rates {} and {}; {}",
            self.epochs, self.seed, self.row_rate, self.head_rate, self.loss,
        )
    }
}
