//! The value of a position, in the integers of the kernels, and its gradient, as if nothing had been rounded
//! (the straight-through estimator: Bengio, Léonard and Courville, 2013).

use std::array;

use outflank_kernels::geometry::corner::COUNT;
use outflank_kernels::network::{CORNERS, HIDDEN, WIDTH};

use super::data::{ROWS_OF_ONE, Sample};
use super::head::{DISCS, Gradient, HIDDEN_BIAS, Head, STAGE_LINES, stage_lines};
use super::rows::{Line, ROWS, Rounded};
use crate::fit::Loss;

/// A position's rows, and the gradient of each corner.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) rows: [u32; ROWS_OF_ONE],
    /// What a change of each number of the corner's sums changes.
    pub(super) corners: [Line; CORNERS],
    /// Which corners have any gradient.
    pub(super) live: [bool; CORNERS],
}

impl Slot {
    pub(super) const NONE: Slot = Slot {
        rows: [0; ROWS_OF_ONE],
        corners: [[0.0; WIDTH]; CORNERS],
        live: [false; CORNERS],
    };
}

/// The numbers on the way to a position's value.
pub(super) struct Forward {
    /// The sums of the corners.
    sums: [[i16; WIDTH]; CORNERS],
    /// What the head makes of them: 0 to 126.
    inputs: [i16; WIDTH],
    /// The hidden numbers before they are clamped.
    hidden: [i32; HIDDEN],
    /// In 1/128 disc.
    pub(super) value: i32,
}

impl Forward {
    #[inline(always)]
    pub(super) fn new(
        rows: &[u32; ROWS_OF_ONE],
        stage: usize,
        rounded: &Rounded,
        head: &Head,
    ) -> Forward {
        let sides = sides(rows, rounded);
        let sums = array::from_fn(|corner| {
            let sum = rounded.sum(array::from_fn(|i| rows[CORNERS * i + corner]));
            array::from_fn(|k| sum[k] + sides[k])
        });
        let mut squares = [0_u16; WIDTH];
        for sum in &sums {
            for k in 0..WIDTH {
                let clamped = sum[k].clamp(0, 127) as u16;
                squares[k] += clamped * clamped;
            }
        }
        let inputs = squares.map(|squares| (squares >> 9) as i16);
        let head = &head.rounded;
        let mut hidden = head.hidden_bias;
        for (hidden, weights) in hidden.iter_mut().zip(&head.matrix) {
            for k in 0..WIDTH {
                *hidden += i32::from(weights[k]) * i32::from(inputs[k]);
            }
            *hidden >>= 6;
        }
        let stage = &head.stages[stage];
        let mut value = stage.bias;
        for (&weight, &input) in stage.input_output.iter().zip(&inputs) {
            value += i32::from(weight) * i32::from(input);
        }
        for j in 0..HIDDEN {
            let hidden = hidden[j].clamp(0, 127);
            value += i32::from(stage.hidden_output[0][j]) * hidden
                + i32::from(stage.hidden_output[1][j]) * ((hidden * hidden) >> 7);
        }
        Forward {
            sums,
            inputs,
            hidden,
            value: value >> 6,
        }
    }

    /// In discs.
    #[inline(always)]
    pub(super) fn discs(&self) -> f32 {
        self.value as f32 / 128.0
    }

    /// Adds the gradient of the head, and sets those of the corners. `slope` is what a change of the value
    /// by `DISCS` changes.
    #[inline(always)]
    pub(super) fn backward(
        &self,
        slope: f32,
        stage: usize,
        head: &Head,
        gradient: &mut Gradient,
        slot: &mut Slot,
    ) {
        gradient.touch(stage);
        let inputs = self.inputs.map(|input| f32::from(input) / 128.0);
        let begin = stage_lines(stage);
        let outputs: &[Line; STAGE_LINES] = head.lines[begin..].first_chunk().expect("a stage");
        // What a change of each hidden number before it is clamped changes.
        let mut of_hidden = [0.0; HIDDEN];
        let mut of_inputs = [0.0; WIDTH];
        let lines: &mut [Line; STAGE_LINES] =
            gradient.lines[begin..].first_chunk_mut().expect("a stage");
        for j in 0..HIDDEN {
            let hidden = self.hidden[j].clamp(0, 127) as f32 / 128.0;
            lines[0][j] += slope * hidden;
            lines[1][j] += slope * hidden * hidden;
            let onward = slope * (outputs[0][j] + 2.0 * hidden * outputs[1][j]);
            let passes = self.hidden[j] > 0 && self.hidden[j] < 128;
            of_hidden[j] = if passes { onward } else { 0.0 };
        }
        for k in 0..WIDTH {
            lines[2][k] += slope * inputs[k];
            of_inputs[k] = slope * outputs[2][k];
        }
        lines[3][0] += slope;
        for (j, &of_one) in of_hidden.iter().enumerate() {
            if of_one != 0.0 {
                let (weights, line) = (&head.lines[j], &mut gradient.lines[j]);
                for i in 0..WIDTH {
                    line[i] += of_one * inputs[i];
                    of_inputs[i] += of_one * weights[i];
                }
            }
            gradient.lines[HIDDEN_BIAS][j] += of_one;
        }
        for (corner, sum) in self.sums.iter().enumerate() {
            let mut any = 0;
            for k in 0..WIDTH {
                // An input is a fourth of the square of what is clamped: the slope of that is half of it.
                let passes = sum[k] > 0 && sum[k] < 128;
                let slope = of_inputs[k] * (0.5 / 128.0) * f32::from(sum[k]);
                let slope = if passes { slope } else { 0.0 };
                slot.corners[corner][k] = slope;
                any |= slope.to_bits() << 1;
            }
            slot.live[corner] = any != 0;
        }
    }
}

/// What the sum of every corner begins with.
#[inline(always)]
fn sides(rows: &[u32; ROWS_OF_ONE], rounded: &Rounded) -> [i16; WIDTH] {
    let side = |place: usize| rounded.side(rows[place] as usize - ROWS);
    let (moves, start) = (side(COUNT), side(COUNT + 1));
    array::from_fn(|k| moves[k] + start[k])
}

/// What a change of the value by [`DISCS`] changes: the loss in units of 36 squared discs.
#[inline(always)]
pub(super) fn slope(error: f32, sample: &Sample, loss: Loss) -> f32 {
    loss.slope(error) * sample.weight * (DISCS / 36.0)
}
