//! Forward pass in the kernels' integers, and backward pass as if nothing were rounded (the straight-through
//! estimator: Bengio, Léonard and Courville, 2013).

use std::array;

use outflank_kernels::geometry::corner::COUNT;
use outflank_kernels::network::{CORNERS, HIDDEN, WIDTH};

use super::data::{ROWS_PER_SAMPLE, Sample};
use super::head::{DISCS, Gradient, HIDDEN_BIAS, Head, STAGE_LINES, stage_lines};
use super::rows::{Line, ROWS, Rounded};
use crate::fit::Loss;

/// Rows of a position, with the gradients of its corners.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) rows: [u32; ROWS_PER_SAMPLE],
    /// Gradient of the loss with respect to the sums of each corner.
    pub(super) corners: [Line; CORNERS],
    /// `true` for corners with a gradient other than 0.
    pub(super) has_gradient: [bool; CORNERS],
}

impl Slot {
    pub(super) const NONE: Slot = Slot {
        rows: [0; ROWS_PER_SAMPLE],
        corners: [[0.0; WIDTH]; CORNERS],
        has_gradient: [false; CORNERS],
    };
}

/// Activations of a position.
pub(super) struct Forward {
    /// Sums of the rows of each corner.
    sums: [[i16; WIDTH]; CORNERS],
    /// Inputs of the head, 0 to 126.
    inputs: [i16; WIDTH],
    /// Hidden units before clamping.
    hidden: [i32; HIDDEN],
    /// Value in 1/128 disc.
    pub(super) value: i32,
}

impl Forward {
    #[inline(always)]
    pub(super) fn new(
        rows: &[u32; ROWS_PER_SAMPLE],
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

    #[inline(always)]
    pub(super) fn discs(&self) -> f32 {
        self.value as f32 / 128.0
    }

    /// Adds the gradient of the head and sets those of the corners. `slope` is the result of
    /// [`slope`](fn@slope).
    #[inline(always)]
    pub(super) fn backward(
        &self,
        slope: f32,
        stage: usize,
        head: &Head,
        gradient: &mut Gradient,
        slot: &mut Slot,
    ) {
        gradient.activate(stage);
        let inputs = self.inputs.map(|input| f32::from(input) / 128.0);
        let begin = stage_lines(stage);
        let outputs: &[Line; STAGE_LINES] = head.lines[begin..].first_chunk().expect("a stage");
        // Gradients of hidden units before clamping.
        let mut hidden_gradient = [0.0; HIDDEN];
        let mut input_gradient = [0.0; WIDTH];
        let lines: &mut [Line; STAGE_LINES] =
            gradient.lines[begin..].first_chunk_mut().expect("a stage");
        for j in 0..HIDDEN {
            let hidden = self.hidden[j].clamp(0, 127) as f32 / 128.0;
            lines[0][j] += slope * hidden;
            lines[1][j] += slope * hidden * hidden;
            let through = slope * (outputs[0][j] + 2.0 * hidden * outputs[1][j]);
            let passes = self.hidden[j] > 0 && self.hidden[j] < 128;
            hidden_gradient[j] = if passes { through } else { 0.0 };
        }
        for k in 0..WIDTH {
            lines[2][k] += slope * inputs[k];
            input_gradient[k] = slope * outputs[2][k];
        }
        lines[3][0] += slope;
        for (j, &slope) in hidden_gradient.iter().enumerate() {
            if slope != 0.0 {
                let (weights, line) = (&head.lines[j], &mut gradient.lines[j]);
                for i in 0..WIDTH {
                    line[i] += slope * inputs[i];
                    input_gradient[i] += slope * weights[i];
                }
            }
            gradient.lines[HIDDEN_BIAS][j] += slope;
        }
        for (corner, sum) in self.sums.iter().enumerate() {
            let mut bits = 0;
            for k in 0..WIDTH {
                // A corner adds a quarter of its squared sum to an input, so the derivative is half the sum.
                let passes = sum[k] > 0 && sum[k] < 128;
                let slope = input_gradient[k] * (0.5 / 128.0) * f32::from(sum[k]);
                let slope = if passes { slope } else { 0.0 };
                slot.corners[corner][k] = slope;
                // The shift drops the sign of zeros.
                bits |= slope.to_bits() << 1;
            }
            slot.has_gradient[corner] = bits != 0;
        }
    }
}

/// Sum of the two side rows, the initial value of each corner's sums.
#[inline(always)]
fn sides(rows: &[u32; ROWS_PER_SAMPLE], rounded: &Rounded) -> [i16; WIDTH] {
    let side = |index: usize| rounded.side(rows[index] as usize - ROWS);
    let (moves, start) = (side(COUNT), side(COUNT + 1));
    array::from_fn(|k| moves[k] + start[k])
}

/// Derivative of the loss / 36 with respect to the value / [`DISCS`]. Both optimisers normalise it, so the factor 36
/// hardly matters.
#[inline(always)]
pub(super) fn slope(error: f32, sample: &Sample, loss: Loss) -> f32 {
    loss.slope(error) * sample.weight * (DISCS / 36.0)
}
