//! Fitting a model's weights to labelled positions: regression, all stages of the game at once.
//!
//! A position's value is linear in the weights: those of its 46 patterns, each between two stages of the
//! game, and a bias for its number of empty squares. The weights are sums of terms (`windows`), and
//! what is made small is the loss over all positions and a cost of the terms that holds them together
//! where positions say little (`chain`). Because everything is linear, a step of conjugate gradients
//! takes two passes over the positions, one for the values of its direction, one for the gradient, and
//! how long it should be is found between them without looking at a pattern again.
//!
//! All sums are taken in an order that depends on nothing but the positions, so the same positions and
//! settings give the same weights, to the bit, on any CPU and any number of threads.

mod chain;
mod checkpoint;
mod class;
mod data;
mod line_search;
mod loss;
mod outcome;
pub(crate) mod parallel;
mod segment;
mod settings;
mod terms;
mod vector;
mod windows;

use outflank_kernels::geometry::edax::CLASSES;

use self::chain::Chain;
use self::class::{Class, Of};
use self::segment::{BIAS, Segment, Table};
use self::terms::{Products, Terms};
use outflank::eval::{DISC, Linear};

pub use crate::checkpoint::CheckpointError;
pub(crate) use data::Target;
pub use data::{Counts, Data, Examples, Sampling, Targets};
pub use loss::Loss;
pub use outcome::{Errors, Outcome, StageErrors};
pub(crate) use segment::Sums;
pub use settings::{FitSettings, Stages};

/// The numbers of empty squares that have a bias.
const BIASES: u8 = 61;

/// A fit under way.
pub struct Fit {
    settings: FitSettings,
    /// A checksum of the weights that it began with, if there were any.
    begun_with: Option<u32>,
    data: Data,
    threads: usize,
    classes: Vec<Class>,
    /// A stage for every number of empty squares.
    bias: Terms,
    /// Iterations done.
    iteration: usize,
    /// The gradient by itself, preconditioned: as it is, and as it was at first.
    slope: [f64; 2],
    /// Over the positions of the training, and over those that are held out.
    sums: [Sums; 2],
    best: Best,
}

/// The weights that did best.
struct Best {
    iteration: usize,
    /// The mean loss on held-out positions, or where there are none on those of the training.
    loss: f64,
    /// For each class, the weights of each stage.
    weights: Vec<Vec<f32>>,
    bias: Vec<f32>,
}

/// How a fit is going.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Iterations done.
    pub iteration: usize,
    /// Over the positions of the training.
    pub training: Errors,
    /// Over those that are held out; `None` if there are none.
    pub held_out: Option<Errors>,
    /// The iteration after which the weights did best on held-out positions.
    pub best: usize,
    /// Whether no step leads any further.
    pub converged: bool,
}

/// When a fit is over at the latest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// After so many iterations.
    pub iterations: usize,
    /// After so many that led to nothing better on held-out positions, where there are some.
    pub patience: usize,
}

/// Why a fit is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// No step leads any further.
    Converged,
    /// Held-out positions have not gained for long.
    NoBetter,
    /// The iterations are used up.
    Iterations,
}

impl Progress {
    /// Why it is over, if it is.
    pub fn end(&self, limits: Limits) -> Option<End> {
        let better = self.held_out.is_none() || self.iteration < self.best + limits.patience;
        match () {
            _ if self.converged => Some(End::Converged),
            _ if !better => Some(End::NoBetter),
            _ if self.iteration >= limits.iterations => Some(End::Iterations),
            _ => None,
        }
    }
}

impl Fit {
    /// After so many iterations the values are made anew from the terms, and only then is there a
    /// checkpoint: a fit that is taken up again has the same values, to the bit.
    pub const RENEWED: usize = 10;

    /// A slope so small, compared with that at first, is that of rounding.
    const FLAT: f64 = 1e-11;

    /// A fit to `data` that begins with the weights of `start`, or with nothing, on `threads` threads.
    pub fn new(
        mut data: Data,
        settings: FitSettings,
        start: Option<&Linear>,
        threads: usize,
    ) -> Fit {
        parallel::each(threads, &mut data.training, Segment::count);
        let mut numbers: Vec<usize> = (0..CLASSES.len()).collect();
        let classes = parallel::each(threads, &mut numbers, |&mut class| {
            Class::new(class, &settings, &data.training)
        });
        let mut used = vec![0.0; usize::from(BIASES)];
        for segment in &data.training {
            used[segment.empties as usize] += segment.gradient(BIAS..BIAS + 1)[0];
        }
        let every: Vec<u8> = (0..BIASES).collect();
        let chain = Chain::new(&every, 1, settings.decay, settings.smooth);
        let mut fit = Fit {
            settings,
            begun_with: start.map(checksum),
            data,
            threads,
            classes,
            bias: Terms::new(chain, used, vec![0.0; every.len() - 1]),
            iteration: 0,
            slope: [0.0; 2],
            sums: [Sums::default(); 2],
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
        fit.renew();
        let products = fit.set_gradients();
        fit.slope = [products.gradient; 2];
        fit.turn(0.0);
        fit.measure();
        fit
    }

    /// Begins with the weights of a model.
    fn start(&mut self, model: &Linear) {
        let in_discs = |weight: i16| f32::from(weight) / DISC as f32;
        let stages = self.settings.stages.empties().iter();
        let weights: Vec<Vec<i16>> = stages
            .map(|&empties| model.weights(empties.into()))
            .collect();
        for class in &mut self.classes {
            class.start(|stage, place| in_discs(weights[stage][place]));
        }
        self.bias.values = model.bias.map(in_discs).to_vec();
    }

    /// Goes a step on.
    pub fn advance(&mut self) -> Progress {
        parallel::each(self.threads, &mut self.classes, |class| {
            class.fold(Of::Steps)
        });
        self.each_segment(Of::Steps, Segment::set_steps);
        let length = self.step_length();
        parallel::each(self.threads, &mut self.classes, |class| {
            class.advance(length)
        });
        self.bias.advance(length);
        for segments in [&mut self.data.training, &mut self.data.held_out] {
            parallel::each(self.threads, segments, |segment| segment.advance(length));
        }

        let before = self.slope[0];
        let products = self.set_gradients();
        self.slope[0] = products.gradient;
        let onward = (products.gradient - products.before) / before;
        // Steepest descent where the direction would lead up.
        let leads_down = onward * products.direction < products.gradient;
        let goes_on = onward.is_finite() && onward > 0.0 && leads_down;
        self.turn(if goes_on { onward as f32 } else { 0.0 });
        self.iteration += 1;
        if self.iteration.is_multiple_of(Fit::RENEWED) {
            self.renew();
        }
        self.measure();
        self.progress()
    }

    /// How it is going.
    pub fn progress(&self) -> Progress {
        let [training, held_out] = self.sums.map(Errors::of);
        Progress {
            iteration: self.iteration,
            training,
            held_out: self.holds_out().then_some(held_out),
            best: self.best.iteration,
            converged: self.slope[0] <= Fit::FLAT * self.slope[1],
        }
    }

    /// What is fitted, without the positions.
    fn what(&self) -> String {
        match self.begun_with {
            None => self.settings.to_string(),
            Some(sum) => format!("{}; from weights of CRC-32 {sum:08x}", self.settings),
        }
    }

    /// Makes the errors anew from the terms.
    fn renew(&mut self) {
        parallel::each(self.threads, &mut self.classes, |class| {
            class.fold(Of::Weights)
        });
        self.each_segment(Of::Weights, Segment::set_errors);
    }

    /// Does `work` on every segment with its stage's table.
    fn each_segment(&mut self, of: Of, work: impl Fn(&mut Segment, &Table) + Sync) {
        let bias = match of {
            Of::Weights => &self.bias.values,
            Of::Steps => &self.bias.direction,
        };
        let (classes, stages) = (&self.classes, &self.settings.stages);
        for segments in [&mut self.data.training, &mut self.data.held_out] {
            parallel::each(self.threads, segments, |segment| {
                let mut table = segment::table();
                for class in classes {
                    class.write(of, stages.blend(segment.empties), &mut table);
                }
                table[BIAS] = bias[segment.empties as usize];
                work(segment, &table);
            });
        }
    }

    /// How far to go along the direction.
    fn step_length(&mut self) -> f32 {
        let mut cost = self.bias.cost_along();
        for of_class in parallel::each(self.threads, &mut self.classes, |class| {
            class.terms.cost_along()
        }) {
            cost.slope += of_class.slope;
            cost.curvature += of_class.curvature;
        }
        let loss = self.settings.loss;
        line_search::minimum(|length| {
            let slopes = parallel::each(self.threads, &mut self.data.training, |segment| {
                segment.slopes(length, loss)
            });
            let at = [
                cost.slope + f64::from(length) * cost.curvature,
                cost.curvature,
            ];
            slopes.iter().fold(at, |sums, slopes| {
                [sums[0] + slopes[0], sums[1] + slopes[1]]
            })
        })
    }

    /// Takes the gradient of everything.
    fn set_gradients(&mut self) -> Products {
        let loss = self.settings.loss;
        parallel::each(self.threads, &mut self.data.training, |segment| {
            segment.set_gradient(loss);
        });
        let mut of_bias = vec![0.0; usize::from(BIASES)];
        for segment in &self.data.training {
            of_bias[segment.empties as usize] += segment.gradient(BIAS..BIAS + 1)[0];
        }
        let mut products = self.bias.set_gradient(of_bias);
        let (segments, stages) = (&self.data.training, &self.settings.stages);
        for of_class in parallel::each(self.threads, &mut self.classes, |class| {
            class.set_gradient(segments, stages)
        }) {
            products = products + of_class;
        }
        products
    }

    /// Turns down the gradient, going on along the direction so far by a share of `onward`.
    fn turn(&mut self, onward: f32) {
        parallel::each(self.threads, &mut self.classes, |class| {
            class.terms.turn(onward);
        });
        self.bias.turn(onward);
    }

    /// The terms of the classes, and the biases.
    fn all_terms(&self) -> impl Iterator<Item = &Terms> {
        let classes = self.classes.iter().map(|class| &class.terms);
        classes.chain([&self.bias])
    }

    /// The same, to be changed.
    fn all_terms_mut(&mut self) -> impl Iterator<Item = &mut Terms> {
        let classes = self.classes.iter_mut().map(|class| &mut class.terms);
        classes.chain([&mut self.bias])
    }

    fn holds_out(&self) -> bool {
        !self.data.held_out.is_empty()
    }

    /// Takes the sums over the positions, and keeps the weights if they do better than those before.
    fn measure(&mut self) {
        self.take_sums();
        let loss = Errors::of(self.sums[usize::from(self.holds_out())]).loss;
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
            sums.into_iter().fold(Sums::default(), |sum, one| sum + one)
        });
    }
}

/// A checksum of the weights that a fit begins with.
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
