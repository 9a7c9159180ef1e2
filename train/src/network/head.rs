//! What follows on the sums of the corners: the hidden numbers and the outputs, trained with Adam (Kingma
//! and Ba, 2015).
//!
//! The hidden numbers' weights and biases are the same for all stages; a stage has outputs of its own. All
//! numbers stand in lines of 32, of which lines of hidden numbers have 16, then nothing:
//!
//! | lines | |
//! |---|---|
//! | 16 | the weights of each hidden number |
//! | 1 | the hidden numbers' biases |
//! | 4 for each stage | outputs of the hidden numbers, of their squares and of the inputs; the bias and nothing |

use std::array;

use outflank_kernels::network::{HIDDEN, Network, STAGES, WIDTH};
use outflank_random::SplitMix;

use super::rows::{Line, round};

/// The line of the biases of the hidden numbers.
pub(super) const HIDDEN_BIAS: usize = HIDDEN;

/// The lines of all stages.
const SHARED_LINES: usize = HIDDEN + 1;

/// The lines of a stage.
pub(super) const STAGE_LINES: usize = 4;

/// All lines.
pub(super) const LINES: usize = SHARED_LINES + STAGES * STAGE_LINES;

/// What an output of 1 is worth in discs: numbers near 1 are what Adam's steps are meant for.
pub(super) const DISCS: f32 = 32.0;

/// Where the lines of a stage begin.
pub(super) fn stage_lines(stage: usize) -> usize {
    SHARED_LINES + stage * STAGE_LINES
}

/// The head of the network as it is trained.
pub(super) struct Head {
    /// The numbers.
    pub(super) lines: Vec<Line>,
    /// Running means of the gradients, and of their squares.
    pub(super) means: Vec<Line>,
    pub(super) squares: Vec<Line>,
    /// The decays of the means to the power of the steps so far.
    pub(super) powers: [f32; 2],
    /// The numbers as the network has them.
    pub(super) rounded: Rounded,
}

/// The head as the network has it.
pub(super) struct Rounded {
    pub(super) matrix: [[i16; WIDTH]; HIDDEN],
    pub(super) hidden_bias: [i32; HIDDEN],
    pub(super) stages: Vec<RoundedStage>,
}

/// The outputs of a stage.
#[derive(Clone, Copy)]
pub(super) struct RoundedStage {
    pub(super) hidden_output: [[i16; HIDDEN]; 2],
    pub(super) input_output: [i16; WIDTH],
    pub(super) bias: i32,
}

/// A sum of gradients over positions.
#[derive(Clone)]
pub(super) struct Gradient {
    pub(super) lines: Vec<Line>,
    /// The stages that the positions have, a bit for each; the lines of the others are not to be read.
    stages: u64,
}

impl Gradient {
    pub(super) fn new() -> Gradient {
        Gradient {
            lines: vec![[0.0; WIDTH]; LINES],
            stages: 0,
        }
    }

    /// Of no positions.
    pub(super) fn clear(&mut self) {
        self.lines[..SHARED_LINES].fill([0.0; WIDTH]);
        self.stages = 0;
    }

    /// A position of a stage is to come.
    #[inline(always)]
    pub(super) fn touch(&mut self, stage: usize) {
        if self.stages >> stage & 1 == 0 {
            self.stages |= 1 << stage;
            self.lines[stage_lines(stage)..][..STAGE_LINES].fill([0.0; WIDTH]);
        }
    }

    /// Adds that of other positions.
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
            self.touch(stage);
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
    /// Before the first step.
    pub(super) fn new(random: &mut SplitMix) -> Head {
        let mut about = |size: f32| array::from_fn(|_| (unit(random) - 0.5) * size);
        let mut lines = vec![[0.0; WIDTH]; LINES];
        for line in &mut lines[..HIDDEN] {
            *line = about(0.8);
        }
        lines[HIDDEN_BIAS][..HIDDEN].fill(0.3);
        let signs = array::from_fn(|k| if k % 2 == 0 { 0.5 } else { -0.5 });
        let of_stage = [about(0.5), about(0.5), signs, [0.0; WIDTH]];
        for stage in lines[SHARED_LINES..].chunks_mut(STAGE_LINES) {
            stage.copy_from_slice(&of_stage);
        }
        Head::with(
            lines,
            vec![[0.0; WIDTH]; LINES],
            vec![[0.0; WIDTH]; LINES],
            [1.0; 2],
        )
    }

    /// With all that it has.
    pub(super) fn with(
        lines: Vec<Line>,
        means: Vec<Line>,
        squares: Vec<Line>,
        powers: [f32; 2],
    ) -> Head {
        let rounded = Rounded {
            matrix: [[0; WIDTH]; HIDDEN],
            hidden_bias: [0; HIDDEN],
            stages: vec![
                RoundedStage {
                    hidden_output: [[0; HIDDEN]; 2],
                    input_output: [0; WIDTH],
                    bias: 0,
                };
                STAGES
            ],
        };
        let mut head = Head {
            lines,
            means,
            squares,
            powers,
            rounded,
        };
        head.round(0..STAGES);
        head
    }

    /// Takes the gradient of `positions` positions. What no position has a part in stays as it is.
    #[inline(always)]
    pub(super) fn step(&mut self, gradient: &Gradient, positions: usize, rate: f32) {
        const DECAYS: [f32; 2] = [0.9, 0.999];
        for (power, decay) in self.powers.iter_mut().zip(DECAYS) {
            *power *= decay;
        }
        let [mean_part, square_part] = self.powers.map(|power| 1.0 - power);
        let share = 1.0 / positions as f32;
        let mut step = |place: usize| {
            let gradient = &gradient.lines[place];
            let (line, mean) = (&mut self.lines[place], &mut self.means[place]);
            let square = &mut self.squares[place];
            for k in 0..WIDTH {
                let gradient = gradient[k] * share;
                mean[k] = DECAYS[0] * mean[k] + (1.0 - DECAYS[0]) * gradient;
                square[k] = DECAYS[1] * square[k] + (1.0 - DECAYS[1]) * gradient * gradient;
                let size = (square[k] / square_part).sqrt() + 1e-8;
                line[k] -= rate * (mean[k] / mean_part) / size;
            }
        };
        (0..SHARED_LINES).for_each(&mut step);
        for stage in gradient.stages() {
            let begin = stage_lines(stage);
            (begin..begin + STAGE_LINES).for_each(&mut step);
        }
        self.round(gradient.stages());
    }

    /// Rounds what all stages have, and these stages.
    #[inline(always)]
    fn round(&mut self, stages: impl Iterator<Item = usize>) {
        let rounded = &mut self.rounded;
        let clamped = |number: f32, most: f32| round(number.clamp(-most, most));
        for (weights, line) in rounded.matrix.iter_mut().zip(&self.lines) {
            *weights = line.map(|number| clamped(number * 64.0, 127.0) as i16);
        }
        let bias = |number: f32| clamped(number, 4e6);
        rounded.hidden_bias = array::from_fn(|j| bias(self.lines[HIDDEN_BIAS][j] * 8192.0));
        for stage in stages {
            let lines = &self.lines[stage_lines(stage)..];
            let of_stage = &mut rounded.stages[stage];
            let output = |number: f32| clamped(number * (64.0 * DISCS), 32767.0) as i16;
            for (outputs, line) in of_stage.hidden_output.iter_mut().zip(lines) {
                *outputs = array::from_fn(|j| output(line[j]));
            }
            of_stage.input_output = lines[2].map(output);
            of_stage.bias = bias(lines[3][0] * (8192.0 * DISCS));
        }
    }

    /// Writes it into a network.
    pub(super) fn write(&self, network: &mut Network) {
        let rounded = &self.rounded;
        for (to, from) in network.stages_mut().iter_mut().zip(&rounded.stages) {
            for (group, of_group) in to.matrix.iter_mut().enumerate() {
                for (hidden, weights) in of_group.iter_mut().enumerate() {
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

/// A number from 0 to 1.
pub(super) fn unit(random: &mut SplitMix) -> f32 {
    (random.bits() >> 40) as f32 / (1_u32 << 24) as f32
}
