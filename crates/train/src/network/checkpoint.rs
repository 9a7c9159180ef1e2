//! Checkpoints of a training: the learning curve, the rows and the head.

use outflank_kernels::network::{STAGES, WIDTH};

use super::head::LINES;
use super::rows::{ROWS, Rounded, SIDES};
use super::{CurvePoint, Training};
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutnet\n";

impl Training {
    /// Encodes a checkpoint for [`Training::resume`].
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut state = Vec::with_capacity(state_bytes(self.step()));
        state.extend((self.step() as u64).to_le_bytes());
        for point in &self.curve {
            // NaN stands for a step without a hold-out error.
            let held_out = point.held_out.unwrap_or(f32::NAN);
            checkpoint::write(&[point.training, held_out], &mut state);
        }
        checkpoint::write(&self.head.powers, &mut state);
        for lines in [&self.head.lines, &self.head.means, &self.head.squares] {
            checkpoint::write(lines.as_flattened(), &mut state);
        }
        // Numbers come before squares: most squares keep their initial value.
        let numbers = self.rows.iter().map(|row| &row.numbers);
        for line in numbers.chain(self.rows.iter().map(|row| &row.squares)) {
            checkpoint::write(line, &mut state);
        }
        checkpoint::encode(MAGIC, &self.settings.to_string(), self.data.check, &state)
    }

    /// Continues from a checkpoint. The results equal those of an uninterrupted training, on any number of threads.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let (description, check) = (self.settings.to_string(), self.data.check);
        let max_bytes = state_bytes(self.steps());
        checkpoint::decode(MAGIC, &description, check, max_bytes, file, |state| {
            let steps = u64::from_le_bytes(state.take()?) as usize;
            if steps > self.steps() {
                return Err(CheckpointError::Damaged);
            }
            // No later read can fail, so an error leaves the training unchanged.
            state.expect_bytes(state_bytes(steps) - 8)?;
            let mut curve = vec![[0.0; 2]; steps];
            state.fill(curve.as_flattened_mut())?;
            let point = |[training, held_out]: [f32; 2]| CurvePoint {
                training,
                held_out: (!held_out.is_nan()).then_some(held_out),
            };
            self.curve = curve.into_iter().map(point).collect();
            let head = &mut self.head;
            state.fill(&mut head.powers)?;
            for lines in [&mut head.lines, &mut head.means, &mut head.squares] {
                state.fill(lines.as_flattened_mut())?;
            }
            head.round(0..STAGES);
            for row in &mut self.rows {
                state.fill(&mut row.numbers)?;
            }
            for row in &mut self.rows {
                state.fill(&mut row.squares)?;
            }
            self.rounded = Rounded::new(&self.rows);
            Ok(())
        })
    }
}

fn state_bytes(steps: usize) -> usize {
    8 + 8 * steps + 4 * (2 + WIDTH * (3 * LINES + 2 * (ROWS + SIDES)))
}
