//! Results of a fit.

use super::loss::LossSums;
use super::segment::{BIAS, table};
use super::{Fit, in_discs};
use crate::parallel;
use outflank::eval::{DISC, KNOT_WEIGHTS, Knot, Linear, Model, Parameters};
use outflank_support::text::plural;

/// Mean errors over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeanErrors {
    /// Mean loss in squared discs.
    pub loss: f64,
    /// Mean absolute error in discs.
    pub mae: f64,
    /// Root mean squared error in discs.
    pub rmse: f64,
}

impl MeanErrors {
    pub(crate) fn of(LossSums([weight, sums @ ..]): LossSums) -> MeanErrors {
        let [loss, mae, squared] = sums.map(|sum| sum / weight.max(f64::MIN_POSITIVE));
        let rmse = squared.sqrt();
        MeanErrors { loss, mae, rmse }
    }
}

/// Errors at one number of empty squares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageErrors {
    /// Empty squares.
    pub empties: u32,
    /// Number of distinct boards.
    pub positions: usize,
    /// Errors of the model.
    pub errors: MeanErrors,
}

/// Result of a fit.
#[derive(Clone, Debug)]
pub struct FitOutcome {
    /// Model with the best weights on hold-out positions.
    pub model: Model,
    /// Quantisation step of the weights in packed form, in 1/128 disc.
    pub resolution: u32,
    /// Iteration of the best weights.
    pub iteration: usize,
    /// Number of weights clamped to 16 bits (256 discs or more).
    pub clamped: usize,
    /// Hold-out errors of the model by number of empty squares, ascending.
    pub held_out: Vec<StageErrors>,
}

impl Fit {
    /// Best weights so far.
    pub fn outcome(&mut self) -> FitOutcome {
        let mut clamped = 0;
        let mut in_units = |&discs: &f32| {
            let units = (discs * DISC as f32).round();
            clamped += usize::from(units.abs() > f32::from(i16::MAX));
            // The cast clamps.
            units as i16
        };
        let stages = self.settings.stages.empties();
        let mut knots = Vec::new();
        for (stage, &empties) in stages.iter().enumerate() {
            let stage_range = |weights: &'_ Vec<f32>| {
                let width = weights.len() / stages.len();
                stage * width..(stage + 1) * width
            };
            let classes = self.best.weights.iter();
            let weights = classes.flat_map(|weights| &weights[stage_range(weights)]);
            knots.push(Knot {
                empties,
                weights: weights.map(&mut in_units).collect(),
            });
        }
        let bias = std::array::from_fn(|empties| in_units(&self.best.bias[empties]));
        let linear = Linear::new(knots, bias).expect("stages are valid knots");
        FitOutcome {
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

    /// Description of the weights' origin.
    fn about(&self) -> String {
        let counts = self.data.counts();
        format!(
            "outflank train fit: {}; {}; {}",
            plural(counts.training, "position", "positions"),
            self.description(),
            plural(self.best.iteration, "iteration", "iterations")
        )
    }

    fn held_out_errors(&mut self, model: &Linear) -> Vec<StageErrors> {
        let loss = self.settings.loss;
        let stages = &self.settings.stages;
        let sums = parallel::each(self.threads, &mut self.data.held_out, |segment| {
            let mut table = table();
            let blend = stages.blend(segment.empties);
            for (knot, share) in [blend.earlier, blend.later].into_iter().zip(blend.shares()) {
                let weights = &model.knots()[knot].weights;
                for (entry, &weight) in table[..KNOT_WEIGHTS].iter_mut().zip(weights) {
                    *entry += share * in_discs(weight);
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
            errors: MeanErrors::of(stage.iter().map(|(_, sums)| *sums).sum()),
        });
        errors.collect()
    }
}
