//! Regression of linear weights on labelled positions, over all stages at once.
//!
//! The value of a position is linear in the weights: those of its 46 patterns, interpolated between two stages, and a
//! bias for its number of empty squares. Weights are sums of terms (`windows`). The objective is the loss over all
//! positions plus a quadratic penalty of the terms (`penalty`). It is minimised by conjugate gradients. An iteration
//! takes two passes over the patterns, one for the change of each value along the search direction and one for the
//! gradient. The line search between them uses only values.
//!
//! The order of all sums depends on the positions only. Equal positions and settings give equal weights, to the bit,
//! on any CPU and with any number of threads.

mod checkpoint;
mod class;
mod data;
mod line_search;
mod loss;
mod outcome;
mod penalty;
mod segment;
mod settings;
mod terms;
mod vector;
mod windows;

use outflank_kernels::geometry::edax::CLASSES;

use self::class::{Class, TableKind};
use self::penalty::Penalty;
use self::segment::{BIAS, Segment, Table};
use self::terms::{Products, Terms};
use crate::parallel;
use outflank::eval::{DISC, Linear};

pub use crate::checkpoint::CheckpointError;
pub use data::{Examples, FitData, PositionCounts, Sampling, SplitPositions, Targets};
pub use loss::Loss;
pub(crate) use loss::LossSums;
pub use outcome::{FitOutcome, MeanErrors, StageErrors};
pub(crate) use segment::Target;
pub use settings::{FitSettings, Stages};

/// Number of biases, one for each number of empty squares.
const BIASES: u8 = 61;

/// Fit in progress.
pub struct Fit {
    settings: FitSettings,
    /// Checksum of the initial weights, if any.
    start_checksum: Option<u32>,
    data: FitData,
    threads: usize,
    classes: Vec<Class>,
    /// Biases, with one stage for every number of empty squares.
    bias: Terms,
    /// Completed iterations.
    iteration: usize,
    /// Squared norm of the preconditioned gradient, now and initially.
    slope: [f64; 2],
    /// Error sums over training and hold-out positions.
    sums: [LossSums; 2],
    best: Best,
}

struct Best {
    iteration: usize,
    /// Mean loss on hold-out positions, or on training positions if none are held out.
    loss: f64,
    /// Weights of each class, stage after stage.
    weights: Vec<Vec<f32>>,
    bias: Vec<f32>,
}

/// Progress of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitProgress {
    /// Completed iterations.
    pub iteration: usize,
    /// Errors on training positions.
    pub training: MeanErrors,
    /// Errors on hold-out positions; `None` without any.
    pub held_out: Option<MeanErrors>,
    /// Iteration with the best weights so far.
    pub best: usize,
    /// `true` if the gradient vanishes.
    pub converged: bool,
}

/// Limits of a fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FitLimits {
    /// Maximum number of iterations.
    pub iterations: usize,
    /// Maximum number of iterations without a better hold-out loss, for early stopping.
    pub patience: usize,
}

/// Reason why a fit is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FitEnd {
    /// The gradient vanishes.
    Converged,
    /// The hold-out loss has stopped improving.
    NoBetter,
    /// All iterations are used up.
    Iterations,
}

impl FitProgress {
    /// Reason why the fit is over under these limits; `None` while it is not.
    pub fn end(&self, limits: FitLimits) -> Option<FitEnd> {
        let better = self.held_out.is_none() || self.iteration < self.best + limits.patience;
        match () {
            _ if self.converged => Some(FitEnd::Converged),
            _ if !better => Some(FitEnd::NoBetter),
            _ if self.iteration >= limits.iterations => Some(FitEnd::Iterations),
            _ => None,
        }
    }
}

impl Fit {
    /// Iterations between checkpoints. At each checkpoint the errors are recomputed from the terms, so that a resumed
    /// fit has the same rounding.
    pub const CHECKPOINT_INTERVAL: usize = 10;

    /// Squared norm of the gradient, relative to the initial one, at which rounding dominates.
    const FLAT: f64 = 1e-11;

    /// Starts a fit from the weights of `start`, or from zero.
    pub fn new(
        mut data: FitData,
        settings: FitSettings,
        start: Option<&Linear>,
        threads: usize,
    ) -> Fit {
        parallel::each(threads, &mut data.training, Segment::count);
        let mut indices: Vec<usize> = (0..CLASSES.len()).collect();
        let classes = parallel::each(threads, &mut indices, |&mut class| {
            Class::new(class, &settings, &data.training)
        });
        let occurrences = bias_gradient(&data.training);
        let all_empties: Vec<u8> = (0..BIASES).collect();
        let penalty = Penalty::new(&all_empties, 1, settings.decay, settings.smooth);
        let mut fit = Fit {
            settings,
            start_checksum: start.map(checksum),
            data,
            threads,
            classes,
            bias: Terms::new(penalty, occurrences, vec![0.0; all_empties.len() - 1]),
            iteration: 0,
            slope: [0.0; 2],
            sums: [LossSums::default(); 2],
            best: Best {
                iteration: 0,
                loss: f64::INFINITY,
                weights: Vec::new(),
                bias: Vec::new(),
            },
        };
        if let Some(model) = start {
            fit.start(model);
        }
        fit.recompute_errors();
        let products = fit.set_gradients();
        fit.slope = [products.gradient; 2];
        fit.update_direction(0.0);
        fit.measure();
        fit
    }

    fn start(&mut self, model: &Linear) {
        let stages = self.settings.stages.empties().iter();
        let weights = stages.map(|&empties| model.weights(empties.into()));
        let weights: Vec<Vec<i16>> = weights.collect();
        for class in &mut self.classes {
            class.start(|stage, index| in_discs(weights[stage][index]));
        }
        self.bias.values = model.bias.map(in_discs).to_vec();
    }

    /// Performs an iteration.
    pub fn advance(&mut self) -> FitProgress {
        self.each_class(|class| class.fold(TableKind::Steps));
        self.each_segment(TableKind::Steps, Segment::set_steps);
        let length = self.step_length();
        self.each_class(|class| class.advance(length));
        self.bias.advance(length);
        for segments in [&mut self.data.training, &mut self.data.held_out] {
            parallel::each(self.threads, segments, |segment| segment.advance(length));
        }

        let before = self.slope[0];
        let products = self.set_gradients();
        self.slope[0] = products.gradient;
        // Polak-Ribière, with a restart by steepest descent if the new direction would ascend.
        let beta = (products.gradient - products.before) / before;
        let descends = beta * products.direction < products.gradient;
        let keeps_direction = beta.is_finite() && beta > 0.0 && descends;
        self.update_direction(if keeps_direction { beta as f32 } else { 0.0 });
        self.iteration += 1;
        if self.iteration.is_multiple_of(Fit::CHECKPOINT_INTERVAL) {
            self.recompute_errors();
        }
        self.measure();
        self.progress()
    }

    /// Progress after the last iteration.
    pub fn progress(&self) -> FitProgress {
        let [training, held_out] = self.sums.map(MeanErrors::of);
        FitProgress {
            iteration: self.iteration,
            training,
            held_out: self.holds_out().then_some(held_out),
            best: self.best.iteration,
            converged: self.slope[0] <= Fit::FLAT * self.slope[1],
        }
    }

    /// Settings and initial weights as text.
    fn description(&self) -> String {
        match self.start_checksum {
            None => self.settings.to_string(),
            Some(sum) => format!("{}; from weights of CRC-32 {sum:08x}", self.settings),
        }
    }

    /// Recomputes weights and errors from the terms.
    fn recompute_errors(&mut self) {
        self.each_class(|class| class.fold(TableKind::Weights));
        self.each_segment(TableKind::Weights, Segment::set_errors);
    }

    fn each_class<R: Send>(&mut self, work: impl Fn(&mut Class) -> R + Sync) -> Vec<R> {
        parallel::each(self.threads, &mut self.classes, work)
    }

    /// Runs `work` on every segment with the interpolated table of its stage.
    fn each_segment(&mut self, kind: TableKind, work: impl Fn(&mut Segment, &Table) + Sync) {
        let bias = match kind {
            TableKind::Weights => &self.bias.values,
            TableKind::Steps => &self.bias.direction,
        };
        let (classes, stages) = (&self.classes, &self.settings.stages);
        for segments in [&mut self.data.training, &mut self.data.held_out] {
            parallel::each(self.threads, segments, |segment| {
                let mut table = segment::table();
                for class in classes {
                    class.write(kind, stages.blend(segment.empties), &mut table);
                }
                table[BIAS] = bias[segment.empties as usize];
                work(segment, &table);
            });
        }
    }

    /// Finds the length of the step that minimises the objective along the search direction.
    fn step_length(&mut self) -> f32 {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let mut cost = self.bias.cost_along();
        for class in self.each_class(|class| class.terms.cost_along()) {
            cost = add(cost, class);
        }
        let [slope, curvature] = cost;
        let loss = self.settings.loss;
        line_search::minimum(|length| {
            let slopes = parallel::each(self.threads, &mut self.data.training, |segment| {
                segment.slopes(length, loss)
            });
            let of_penalty = [slope + f64::from(length) * curvature, curvature];
            slopes.into_iter().fold(of_penalty, add)
        })
    }

    fn set_gradients(&mut self) -> Products {
        let loss = self.settings.loss;
        parallel::each(self.threads, &mut self.data.training, |segment| {
            segment.set_gradient(loss);
        });
        let mut products = self.bias.set_gradient(bias_gradient(&self.data.training));
        let (segments, stages) = (&self.data.training, &self.settings.stages);
        for of_class in parallel::each(self.threads, &mut self.classes, |class| {
            class.set_gradient(segments, stages)
        }) {
            products = products + of_class;
        }
        products
    }

    /// Calls [`Terms::update_direction`] for all terms.
    fn update_direction(&mut self, beta: f32) {
        self.each_class(|class| class.terms.update_direction(beta));
        self.bias.update_direction(beta);
    }

    /// Terms of the classes and of the biases.
    fn all_terms(&self) -> impl Iterator<Item = &Terms> {
        let classes = self.classes.iter().map(|class| &class.terms);
        classes.chain([&self.bias])
    }

    fn holds_out(&self) -> bool {
        !self.data.held_out.is_empty()
    }

    /// Updates the error sums and the best weights.
    fn measure(&mut self) {
        self.take_sums();
        let loss = MeanErrors::of(self.sums[usize::from(self.holds_out())]).loss;
        if loss < self.best.loss {
            let weights = self.classes.iter().map(|class| class.weights.clone());
            self.best = Best {
                iteration: self.iteration,
                loss,
                weights: weights.collect(),
                bias: self.bias.values.clone(),
            };
        }
    }

    fn take_sums(&mut self) {
        let loss = self.settings.loss;
        let both = [&mut self.data.training, &mut self.data.held_out];
        self.sums = both.map(|segments| {
            let sums = parallel::each(self.threads, segments, |segment| segment.sums(loss));
            sums.into_iter().sum()
        });
    }
}

/// Gradients of the biases, by number of empty squares.
fn bias_gradient(segments: &[Segment]) -> Vec<f32> {
    let mut gradient = vec![0.0; usize::from(BIASES)];
    for segment in segments {
        gradient[segment.empties as usize] += segment.gradient(BIAS..BIAS + 1)[0];
    }
    gradient
}

/// Converts a weight in 1/128 disc.
fn in_discs(weight: i16) -> f32 {
    f32::from(weight) / DISC as f32
}

fn checksum(linear: &Linear) -> u32 {
    let mut check = crc32fast::Hasher::new();
    let mut add = |numbers: &[i16]| {
        for number in numbers {
            check.update(&number.to_le_bytes());
        }
    };
    add(&linear.bias);
    for knot in linear.knots() {
        add(&[knot.empties.into()]);
        add(&knot.weights);
    }
    check.finalize()
}

#[cfg(test)]
pub(crate) mod tests;
