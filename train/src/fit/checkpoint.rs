//! A fit under way in a file, so that it can be taken up again: the iterations, the best iteration, its
//! loss, two slopes, and the vectors.

use super::{Best, Fit};
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutfit\n";

impl Fit {
    /// A checkpoint, if this is an iteration that has one: every [`Fit::RENEWED`].
    pub fn checkpoint(&self) -> Option<Vec<u8>> {
        if self.iteration == 0 || !self.iteration.is_multiple_of(Fit::RENEWED) {
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
        Some(checkpoint::seal(
            MAGIC,
            &self.what(),
            self.data.check,
            &state,
        ))
    }

    /// Goes on from a checkpoint, as if nothing had come between.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let terms = self.all_terms().map(|terms| terms.values.len());
        let longest = 64 + 4 * 4 * terms.sum::<usize>();
        let state = checkpoint::open(MAGIC, &self.what(), self.data.check, longest, file)?;
        let mut state = state.body();
        let iteration = u64::from_le_bytes(state.take()?) as usize;
        let best = u64::from_le_bytes(state.take()?) as usize;
        let [loss, slope, first_slope] =
            [state.take()?, state.take()?, state.take()?].map(f64::from_le_bytes);
        // Nothing is changed before all is there.
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
                *vector = vectors.next().expect("there are three for each");
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
        self.renew();
        self.take_sums();
        Ok(())
    }
}
