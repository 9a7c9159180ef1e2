//! What a fit leaves.

use super::segment::{BIAS, Sums, table};
use super::{Fit, parallel};
use outflank::eval::{DISC, Knot, Linear, Model, PACKED, Parameters};
use outflank::text::counted;

/// How far values are from their targets.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Errors {
    /// The mean of the loss, in squared discs.
    pub loss: f64,
    /// The mean amount of the error, in discs.
    pub mae: f64,
    /// The root of the mean squared error, in discs.
    pub rmse: f64,
}

impl Errors {
    pub(crate) fn of(sums: Sums) -> Errors {
        let mean = |sum| sum / sums.weight.max(f64::MIN_POSITIVE);
        Errors {
            loss: mean(sums.loss),
            mae: mean(sums.absolute),
            rmse: mean(sums.squared).sqrt(),
        }
    }
}

/// The errors at a stage of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageErrors {
    /// Empty squares.
    pub empties: u32,
    /// Different boards.
    pub positions: usize,
    /// How far the model's values are off.
    pub errors: Errors,
}

/// What a fit leaves.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The weights that did best on held-out positions.
    pub model: Model,
    /// What its weights are rounded to multiples of where they are packed, in 1/128 disc.
    pub resolution: u32,
    /// After so many iterations.
    pub iteration: usize,
    /// How many weights were too large for 16 bits, 256 discs or more, and were made smaller.
    pub clamped: usize,
    /// The model's errors on held-out positions, by stage, from the fewest empty squares up.
    pub held_out: Vec<StageErrors>,
}

impl Fit {
    /// The weights that did best so far.
    pub fn outcome(&mut self) -> Outcome {
        let mut clamped = 0;
        let mut in_units = |&discs: &f32| {
            let units = (discs * DISC as f32).round();
            clamped += usize::from(units.abs() > f32::from(i16::MAX));
            // This clamps, too.
            units as i16
        };
        let stages = self.settings.stages.empties();
        let mut knots = Vec::new();
        for (stage, &empties) in stages.iter().enumerate() {
            let of_stage = |weights: &'_ Vec<f32>| {
                let width = weights.len() / stages.len();
                stage * width..(stage + 1) * width
            };
            let classes = self.best.weights.iter();
            let weights = classes.flat_map(|weights| &weights[of_stage(weights)]);
            knots.push(Knot {
                empties,
                weights: weights.map(&mut in_units).collect(),
            });
        }
        let bias = std::array::from_fn(|empties| in_units(&self.best.bias[empties]));
        let linear = Linear::new(knots, bias).expect("stages are in order and have all weights");
        Outcome {
            held_out: self.held_out_errors(&linear),
            resolution: linear.resolution(),
            model: Model {
                parameters: Parameters::Linear(linear),
                error: None,
                about: self.about(),
            },
            iteration: self.best.iteration,
            clamped,
        }
    }

    /// Where the weights come from.
    fn about(&self) -> String {
        let counts = self.data.counts;
        format!(
            "outflank train fit: {}; {}; {}",
            counted(counts.training, "position", "positions"),
            self.what(),
            counted(self.best.iteration, "iteration", "iterations")
        )
    }

    fn held_out_errors(&mut self, model: &Linear) -> Vec<StageErrors> {
        let loss = self.settings.loss;
        let stages = &self.settings.stages;
        let in_discs = |weight: i16| f32::from(weight) / DISC as f32;
        let sums = parallel::each(self.threads, &mut self.data.held_out, |segment| {
            let mut table = table();
            let blend = stages.blend(segment.empties);
            for (knot, share) in [blend.earlier, blend.later].into_iter().zip(blend.shares()) {
                let weights = &model.knots()[knot].weights;
                for (place, &weight) in table[..PACKED].iter_mut().zip(weights) {
                    *place += share * in_discs(weight);
                }
            }
            table[BIAS] = in_discs(model.bias[segment.empties as usize]);
            segment.sums_with(&table, loss)
        });
        let with_sums: Vec<_> = self.data.held_out.iter().zip(sums).collect();
        let stages = with_sums.chunk_by(|a, b| a.0.empties == b.0.empties);
        let errors = stages.map(|stage| StageErrors {
            empties: stage[0].0.empties,
            positions: stage.iter().map(|(segment, _)| segment.len()).sum(),
            errors: Errors::of(stage.iter().fold(Sums::default(), |sum, one| sum + one.1)),
        });
        errors.collect()
    }
}
