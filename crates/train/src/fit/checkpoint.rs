//! Checkpoints of a fit: the iteration, the best iteration with its loss, two slopes, and the vectors.

use super::{Best, Fit};
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutfit\n";

impl Fit {
    /// Encodes a checkpoint after every [`Fit::CHECKPOINT_INTERVAL`] iterations.
    pub fn checkpoint(&self) -> Option<Vec<u8>> {
        if self.iteration == 0 || !self.iteration.is_multiple_of(Fit::CHECKPOINT_INTERVAL) {
            return None;
        }
        let mut state = Vec::new();
        state.extend((self.iteration as u64).to_le_bytes());
        state.extend((self.best.iteration as u64).to_le_bytes());
        for number in [self.best.loss, self.slope[0], self.slope[1]] {
            state.extend(number.to_le_bytes());
        }
        for terms in self.all_terms() {
            for vector in [&terms.values, &terms.direction, &terms.gradient] {
                checkpoint::write(vector, &mut state);
            }
        }
        for weights in self.best.weights.iter().chain([&self.best.bias]) {
            checkpoint::write(weights, &mut state);
        }
        Some(checkpoint::encode(
            MAGIC,
            &self.description(),
            self.data.check,
            &state,
        ))
    }

    /// Continues from a checkpoint. The results equal those of an uninterrupted fit.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let terms = self.all_terms().map(|terms| terms.values.len());
        let max_bytes = 64 + 4 * 4 * terms.sum::<usize>();
        let state =
            checkpoint::decode(MAGIC, &self.description(), self.data.check, max_bytes, file)?;
        let mut state = state.body();
        let iteration = u64::from_le_bytes(state.take()?) as usize;
        let best = u64::from_le_bytes(state.take()?) as usize;
        let [loss, slope, first_slope] =
            [state.take()?, state.take()?, state.take()?].map(f64::from_le_bytes);
        // An error leaves the fit unchanged.
        let mut vectors = Vec::new();
        for terms in self.all_terms() {
            for _ in 0..3 {
                vectors.push(state.vector(terms.values.len())?);
            }
        }
        let classes = self.classes.iter();
        let weights = classes.map(|class| state.vector(class.weights.len()));
        let weights = weights.collect::<Result<_, _>>()?;
        let bias = state.vector(self.bias.values.len())?;
        state.end()?;

        let mut vectors = vectors.into_iter();
        for terms in self.all_terms_mut() {
            for vector in [&mut terms.values, &mut terms.direction, &mut terms.gradient] {
                *vector = vectors.next().expect("three vectors per class");
            }
        }
        self.iteration = iteration;
        self.slope = [slope, first_slope];
        self.best = Best {
            iteration: best,
            loss,
            weights,
            bias,
        };
        self.recompute_errors();
        self.take_sums();
        Ok(())
    }
}
