//! A training under way in a file: the learning curve, the rows, and the head.

use outflank_kernels::network::WIDTH;

use super::head::{Head, LINES};
use super::rows::{Line, ROWS, Rounded, Row, SIDES};
use super::{Point, Training};
use crate::checkpoint::{self, CheckpointError};

const MAGIC: &[u8; 8] = b"\xbaoutnet\n";

impl Training {
    /// A checkpoint, good for [`Training::resume`].
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut state = Vec::with_capacity(self.longest());
        state.extend((self.step() as u64).to_le_bytes());
        for point in &self.curve {
            // Of a step without, no number.
            let held_out = point.held_out.unwrap_or(f32::NAN);
            checkpoint::write(&[point.training, held_out], &mut state);
        }
        checkpoint::write(&self.head.powers, &mut state);
        for lines in [&self.head.lines, &self.head.means, &self.head.squares] {
            checkpoint::write(lines.as_flattened(), &mut state);
        }
        // All numbers before all squares: most of the latter stay as they began.
        for part in [|row: &Row| row.numbers, |row: &Row| row.squares] {
            for row in &self.rows {
                checkpoint::write(&part(row), &mut state);
            }
        }
        checkpoint::seal(MAGIC, &self.settings.to_string(), self.data.check, &state)
    }

    /// Goes on from a checkpoint, as if nothing had come between. The number of threads may be another.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let what = self.settings.to_string();
        let state = checkpoint::open(MAGIC, &what, self.data.check, self.longest(), file)?;
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

        // Nothing is changed before all is there.
        let points = curve.as_chunks().0.iter();
        self.curve = points
            .map(|&[training, held_out]| Point {
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

    /// The bytes of a state, after the last step.
    fn longest(&self) -> usize {
        16 + 8 * self.steps() + 4 * WIDTH * (3 * LINES + 2 * (ROWS + SIDES))
    }
}
