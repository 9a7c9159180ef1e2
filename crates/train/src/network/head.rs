//! Head of the network: the hidden layer and the outputs, trained with Adam (Kingma and Ba, 2015).
//!
//! All stages share the hidden layer. Each stage has its own outputs. All numbers are in lines of 32. A line with a
//! number for each hidden unit uses only the first 16:
//!
//! | lines | contents |
//! |---|---|
//! | 16 | weights of each hidden unit |
//! | 1 | biases of the hidden units |
//! | 4 for each stage | outputs of the hidden units, of their squares, of the inputs; bias |

use std::array;

use outflank_kernels::network::{HIDDEN, Network, STAGES, WIDTH};
use outflank_random::SplitMix64;

use super::rows::{Line, round, unit};

/// Index of the line of hidden biases.
pub(super) const HIDDEN_BIAS: usize = HIDDEN;

/// Lines shared by all stages.
const SHARED_LINES: usize = HIDDEN + 1;

pub(super) const STAGE_LINES: usize = 4;

/// Total number of lines.
pub(super) const LINES: usize = SHARED_LINES + STAGES * STAGE_LINES;

/// Discs per output of 1. This unit keeps parameters near 1, which suits Adam's steps.
pub(super) const DISCS: f32 = 32.0;

/// First line of a stage.
pub(super) fn stage_lines(stage: usize) -> usize {
    SHARED_LINES + stage * STAGE_LINES
}

/// Head with floating-point parameters and optimiser state.
pub(super) struct Head {
    /// Parameters.
    pub(super) lines: Vec<Line>,
    /// Adam's first moments.
    pub(super) means: Vec<Line>,
    /// Adam's second moments.
    pub(super) squares: Vec<Line>,
    /// Decay of each moment to the power of the number of steps, for bias correction.
    pub(super) powers: [f32; 2],
    /// Quantised parameters.
    pub(super) rounded: Rounded,
}

#[derive(Default)]
pub(super) struct Rounded {
    pub(super) matrix: [[i16; WIDTH]; HIDDEN],
    pub(super) hidden_bias: [i32; HIDDEN],
    pub(super) stages: Vec<RoundedStage>,
}

/// Quantised outputs of a stage.
#[derive(Clone, Copy, Default)]
pub(super) struct RoundedStage {
    pub(super) hidden_output: [[i16; HIDDEN]; 2],
    pub(super) input_output: [i16; WIDTH],
    pub(super) bias: i32,
}

/// Sum of gradients over positions.
#[derive(Clone)]
pub(super) struct Gradient {
    pub(super) lines: Vec<Line>,
    /// Bit set of stages with positions. Lines of other stages are invalid.
    stages: u64,
}

impl Gradient {
    pub(super) fn new() -> Gradient {
        Gradient {
            lines: vec![[0.0; WIDTH]; LINES],
            stages: 0,
        }
    }

    /// Resets to the gradient of no positions.
    pub(super) fn clear(&mut self) {
        self.lines[..SHARED_LINES].fill([0.0; WIDTH]);
        self.stages = 0;
    }

    /// Clears the lines of a stage before its first position.
    #[inline(always)]
    pub(super) fn activate(&mut self, stage: usize) {
        if self.stages >> stage & 1 == 0 {
            self.stages |= 1 << stage;
            self.lines[stage_lines(stage)..][..STAGE_LINES].fill([0.0; WIDTH]);
        }
    }

    pub(super) fn add(&mut self, other: &Gradient) {
        let add = |lines: &mut [Line], others: &[Line]| {
            for (line, other) in lines.iter_mut().zip(others) {
                for k in 0..WIDTH {
                    line[k] += other[k];
                }
            }
        };
        add(&mut self.lines[..SHARED_LINES], &other.lines);
        for stage in other.stages() {
            self.activate(stage);
            let begin = stage_lines(stage);
            let lines = &mut self.lines[begin..begin + STAGE_LINES];
            add(lines, &other.lines[begin..]);
        }
    }

    fn stages(&self) -> impl Iterator<Item = usize> + use<> {
        let stages = self.stages;
        (0..STAGES).filter(move |stage| stages >> stage & 1 == 1)
    }
}

impl Head {
    /// Creates a randomly initialised head.
    pub(super) fn new(random: &mut SplitMix64) -> Head {
        let mut uniform = |width: f32| array::from_fn(|_| (unit(random) - 0.5) * width);
        let mut lines = vec![[0.0; WIDTH]; LINES];
        for line in &mut lines[..HIDDEN] {
            *line = uniform(0.8);
        }
        lines[HIDDEN_BIAS][..HIDDEN].fill(0.3);
        let signs = array::from_fn(|k| if k % 2 == 0 { 0.5 } else { -0.5 });
        let outputs = [uniform(0.5), uniform(0.5), signs, [0.0; WIDTH]];
        for stage in lines[SHARED_LINES..].chunks_mut(STAGE_LINES) {
            stage.copy_from_slice(&outputs);
        }
        let rounded = Rounded {
            stages: vec![RoundedStage::default(); STAGES],
            ..Rounded::default()
        };
        let mut head = Head {
            lines,
            means: vec![[0.0; WIDTH]; LINES],
            squares: vec![[0.0; WIDTH]; LINES],
            powers: [1.0; 2],
            rounded,
        };
        head.round(0..STAGES);
        head
    }

    /// Performs an Adam step with the gradient of a batch. Stages without positions stay unchanged.
    #[inline(always)]
    pub(super) fn step(&mut self, gradient: &Gradient, positions: usize, rate: f32) {
        const DECAYS: [f32; 2] = [0.9, 0.999];
        for (power, decay) in self.powers.iter_mut().zip(DECAYS) {
            *power *= decay;
        }
        let [mean_correction, square_correction] = self.powers.map(|power| 1.0 - power);
        let scale = 1.0 / positions as f32;
        let mut step = |index: usize| {
            let gradient = &gradient.lines[index];
            let (line, mean) = (&mut self.lines[index], &mut self.means[index]);
            let square = &mut self.squares[index];
            for k in 0..WIDTH {
                let gradient = gradient[k] * scale;
                mean[k] = DECAYS[0] * mean[k] + (1.0 - DECAYS[0]) * gradient;
                square[k] = DECAYS[1] * square[k] + (1.0 - DECAYS[1]) * gradient * gradient;
                let size = (square[k] / square_correction).sqrt() + 1e-8;
                line[k] -= rate * (mean[k] / mean_correction) / size;
            }
        };
        (0..SHARED_LINES).for_each(&mut step);
        for stage in gradient.stages() {
            let begin = stage_lines(stage);
            (begin..begin + STAGE_LINES).for_each(&mut step);
        }
        self.round(gradient.stages());
    }

    /// Quantises the shared lines and those of the given stages.
    #[inline(always)]
    pub(super) fn round(&mut self, stages: impl Iterator<Item = usize>) {
        let rounded = &mut self.rounded;
        let clamped = |number: f32, most: f32| round(number.clamp(-most, most));
        for (weights, line) in rounded.matrix.iter_mut().zip(&self.lines) {
            *weights = line.map(|number| clamped(number * 64.0, 127.0) as i16);
        }
        let bias = |number: f32| clamped(number, 4e6);
        rounded.hidden_bias = array::from_fn(|j| bias(self.lines[HIDDEN_BIAS][j] * 8192.0));
        for stage in stages {
            let lines = &self.lines[stage_lines(stage)..];
            let quantised = &mut rounded.stages[stage];
            let output = |number: f32| clamped(number * (64.0 * DISCS), 32767.0) as i16;
            for (outputs, line) in quantised.hidden_output.iter_mut().zip(lines) {
                *outputs = array::from_fn(|j| output(line[j]));
            }
            quantised.input_output = lines[2].map(output);
            quantised.bias = bias(lines[3][0] * (8192.0 * DISCS));
        }
    }

    /// Copies the quantised head into a network.
    pub(super) fn write(&self, network: &mut Network) {
        let rounded = &self.rounded;
        for (to, from) in network.stages_mut().iter_mut().zip(&rounded.stages) {
            for (group, weights_of_group) in to.matrix.iter_mut().enumerate() {
                for (hidden, weights) in weights_of_group.iter_mut().enumerate() {
                    let input = |i: usize| rounded.matrix[hidden][4 * group + i];
                    *weights = array::from_fn(|i| input(i) as i8);
                }
            }
            to.hidden_bias = rounded.hidden_bias;
            to.hidden_output = from.hidden_output;
            to.input_output = from.input_output;
            to.bias = from.bias;
        }
    }
}
