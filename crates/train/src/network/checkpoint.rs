//! Checkpoints of a training: the learning curve, the rows and the head.

use outflank_kernels::network::WIDTH;

use super::head::{Head, LINES};
use super::rows::{Line, ROWS, Rounded, Row, SIDES};
use super::{CurvePoint, Training};
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutnet\n";

impl Training {
    /// Encodes a checkpoint for [`Training::resume`].
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut state = Vec::with_capacity(self.max_state_bytes());
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
        for part in [|row: &Row| row.numbers, |row: &Row| row.squares] {
            for row in &self.rows {
                checkpoint::write(&part(row), &mut state);
            }
        }
        checkpoint::encode(MAGIC, &self.settings.to_string(), self.data.check, &state)
    }

    /// Continues from a checkpoint. The results equal those of an uninterrupted training, on any number of threads.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let description = self.settings.to_string();
        let max_bytes = self.max_state_bytes();
        let state = checkpoint::decode(MAGIC, &description, self.data.check, max_bytes, file)?;
        let mut state = state.body();
        let steps = u64::from_le_bytes(state.take()?) as usize;
        if steps > self.steps() {
            return Err(CheckpointError::Damaged);
        }
        let curve = state.vector(2 * steps)?;
        let powers = state.vector(2)?;
        let mut lines = |count: usize| -> Result<Vec<Line>, CheckpointError> {
            Ok(state.vector(count * WIDTH)?.as_chunks().0.to_vec())
        };
        let [head, means, squares] = [lines(LINES)?, lines(LINES)?, lines(LINES)?];
        let [numbers, row_squares] = [lines(ROWS + SIDES)?, lines(ROWS + SIDES)?];
        state.end()?;

        // An error leaves the training unchanged.
        let points = curve.as_chunks().0.iter();
        self.curve = points
            .map(|&[training, held_out]| CurvePoint {
                training,
                held_out: (!held_out.is_nan()).then_some(held_out),
            })
            .collect();
        self.head = Head::with(head, means, squares, [powers[0], powers[1]]);
        let rows = numbers.into_iter().zip(row_squares);
        self.rows = rows
            .map(|(numbers, squares)| Row { numbers, squares })
            .collect();
        self.rounded = Rounded::new(&self.rows);
        Ok(())
    }

    /// Size of the state after the last step.
    fn max_state_bytes(&self) -> usize {
        16 + 8 * self.steps() + 4 * WIDTH * (3 * LINES + 2 * (ROWS + SIDES))
    }
}
