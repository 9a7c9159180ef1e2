//! Checkpoints of a fit: the iteration, the best iteration with its loss, two slopes, and the vectors.

use super::Fit;
use super::terms::Terms;
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutfit\n";

/// Bytes of the numbers before the vectors.
const NUMBER_BYTES: usize = 5 * 8;

impl Fit {
    /// Encodes a checkpoint; `None` except after every [`Fit::CHECKPOINT_INTERVAL`] iterations.
    pub fn checkpoint(&self) -> Option<Vec<u8>> {
        if self.iteration == 0 || !self.iteration.is_multiple_of(Fit::CHECKPOINT_INTERVAL) {
            return None;
        }
        let mut state = Vec::new();
        for number in [self.iteration, self.best.iteration] {
            state.extend((number as u64).to_le_bytes());
        }
        for number in [self.best.loss, self.slope[0], self.slope[1]] {
            state.extend(number.to_le_bytes());
        }
        for vector in self.vectors() {
            checkpoint::write(vector, &mut state);
        }
        let (description, check) = (self.description(), self.data.check);
        Some(checkpoint::encode(MAGIC, &description, check, &state))
    }

    /// Continues from a checkpoint. The results equal those of an uninterrupted fit.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let (description, check) = (self.description(), self.data.check);
        let length = NUMBER_BYTES + 4 * self.vectors().map(Vec::len).sum::<usize>();
        checkpoint::decode(MAGIC, &description, check, length, file, |state| {
            // No later read can fail, so an error leaves the fit unchanged.
            state.expect_bytes(length)?;
            for number in [&mut self.iteration, &mut self.best.iteration] {
                *number = u64::from_le_bytes(state.take()?) as usize;
            }
            let [slope, first_slope] = &mut self.slope;
            for number in [&mut self.best.loss, slope, first_slope] {
                *number = f64::from_le_bytes(state.take()?);
            }
            self.vectors_mut().try_for_each(|vector| state.fill(vector))
        })?;
        self.recompute_errors();
        self.take_sums();
        Ok(())
    }

    /// Vectors of a checkpoint in file order.
    fn vectors(&self) -> impl Iterator<Item = &Vec<f32>> {
        let best = self.best.weights.iter().chain([&self.best.bias]);
        self.all_terms().flat_map(Terms::vectors).chain(best)
    }

    /// Mutable [`Fit::vectors`].
    fn vectors_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let classes = self.classes.iter_mut().map(|class| &mut class.terms);
        let vectors = classes.chain([&mut self.bias]).flat_map(Terms::vectors_mut);
        vectors
            .chain(&mut self.best.weights)
            .chain([&mut self.best.bias])
    }
}
