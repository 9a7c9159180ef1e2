//! Training of the corner network ([`outflank_kernels::network`]) by stochastic gradient descent.
//!
//! The forward pass is the kernels' integer arithmetic on parameters that are quantised after each step (`pass`). The
//! steps update floating-point originals of these parameters. So the trained network is the engine's network, to the
//! bit. Rows are updated position by position (`rows`), the head batch by batch (`head`). Each epoch shuffles the
//! positions, and a cosine schedule lowers the learning rates.
//!
//! No sum depends on the CPU or the number of threads (`batch`). Equal positions and settings give an equal network,
//! to the bit.

mod batch;
mod checkpoint;
mod data;
mod head;
mod pass;
mod rows;
mod stages;

use std::fmt;

use outflank_kernels::geometry::corner::CLASSES;
use outflank_kernels::network::{MAX_MOVES, Network, SideRow};
use outflank_random::SplitMix64;

use self::batch::{BATCH, Steps};
use self::data::Sample;
use self::head::Head;
use self::pass::Forward;
use self::rows::{Rounded, Row};
use crate::fit::LossSums;
use crate::parallel;
use outflank::eval::MAX_DISCS;

pub use crate::checkpoint::CheckpointError;
pub use crate::fit::{Loss, MeanErrors};
pub use data::NetworkData;
pub use stages::{Deviation, FittedStage, fit_stages};

/// Settings of a network's training.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkSettings {
    /// Passes over all training positions.
    pub epochs: usize,
    /// Seed of the initial parameters and the order of positions.
    pub seed: u64,
    /// Initial learning rate of the rows (AdaGrad).
    pub row_rate: f32,
    /// Initial learning rate of the head (Adam).
    pub head_rate: f32,
    /// Loss of an error.
    pub loss: Loss,
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        NetworkSettings {
            epochs: 3,
            seed: 1,
            row_rate: 0.02,
            head_rate: 0.002,
            loss: Loss::Huber(6.0),
        }
    }
}

impl fmt::Display for NetworkSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "corner network; epochs {}; seed {}; rates {} and {}; {}",
            self.epochs, self.seed, self.row_rate, self.head_rate, self.loss,
        )
    }
}

/// Training in progress.
pub struct Training {
    settings: NetworkSettings,
    data: NetworkData,
    /// Number of rows that each thread updates.
    share_lengths: Vec<usize>,
    rows: Vec<Row>,
    rounded: Rounded,
    head: Head,
    curve: Vec<CurvePoint>,
    /// Current epoch, and the order of its samples.
    order: Option<(usize, Vec<u32>)>,
}

/// Progress of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingProgress {
    /// Completed steps, each a twentieth of an epoch.
    pub step: usize,
    /// Steps of the whole training.
    pub steps: usize,
    /// Errors on the positions of the last step, each before its update.
    pub training: MeanErrors,
    /// Hold-out errors after the last step of an epoch; `None` in between or without hold-out positions.
    pub held_out: Option<MeanErrors>,
}

/// Point of the learning curve: mean absolute errors in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    /// Error on the positions of the step, before their updates.
    pub training: f32,
    /// Hold-out error, after the last step of an epoch.
    pub held_out: Option<f32>,
}

impl Training {
    /// Steps per epoch, or fewer if an epoch has fewer batches.
    const STEPS: usize = 20;

    /// Minimum learning rate, relative to the initial one.
    const FLOOR: f64 = 0.01;

    /// Starts a training on `threads` threads.
    ///
    /// # Panics
    ///
    /// Panics if there are no training positions.
    pub fn new(data: NetworkData, settings: NetworkSettings, threads: usize) -> Training {
        assert!(!data.training.is_empty(), "positions to train on");
        let mut random = SplitMix64::new(settings.seed);
        let rows = rows::initial(&mut random);
        Training {
            share_lengths: rows::divide(&data.row_uses(), threads.max(1)),
            rounded: Rounded::new(&rows),
            rows,
            head: Head::new(&mut random),
            settings,
            data,
            curve: Vec::new(),
            order: None,
        }
    }

    /// Positions of the training.
    pub fn data(&self) -> &NetworkData {
        &self.data
    }

    /// Number of completed steps.
    pub fn step(&self) -> usize {
        self.curve.len()
    }

    /// Learning curve, with a point for each completed step.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Steps of the whole training.
    pub fn steps(&self) -> usize {
        self.steps_per_epoch() * self.settings.epochs
    }

    fn batches_per_epoch(&self) -> usize {
        self.data.training.len().div_ceil(BATCH)
    }

    fn steps_per_epoch(&self) -> usize {
        self.batches_per_epoch().min(Training::STEPS)
    }

    /// Performs a step: the batches of the next twentieth of an epoch. Does nothing after the last step.
    pub fn advance(&mut self) -> TrainingProgress {
        let steps = self.steps_per_epoch();
        let (epoch, step) = (self.step() / steps, self.step() % steps);
        let mut training = MeanErrors::default();
        let mut held_out = None;
        if self.step() < self.steps() {
            let batches = self.batches_per_epoch();
            let [begin, end] = [step, step + 1].map(|step| batches * step / steps);
            training = MeanErrors::of(self.take_batches(epoch, begin, end));
            if step + 1 == steps {
                held_out = self.held_out();
            }
            self.curve.push(CurvePoint {
                training: training.mae as f32,
                held_out: held_out.map(|errors| errors.mae as f32),
            });
        }
        TrainingProgress {
            step: self.step(),
            steps: self.steps(),
            training,
            held_out,
        }
    }

    /// Trains on batches `begin..end` of an epoch. Returns the sums of the errors before the updates.
    fn take_batches(&mut self, epoch: usize, begin: usize, end: usize) -> LossSums {
        let positions = self.data.training.len();
        let order = match self.order.take() {
            Some((of_epoch, order)) if of_epoch == epoch => order,
            _ => order(positions, self.settings.seed, epoch),
        };
        let (settings, epochs) = (&self.settings, self.settings.epochs);
        let rates = |batch: usize| {
            let done = epoch * positions + (begin + batch) * BATCH;
            let angle = std::f64::consts::PI * done as f64 / (epochs * positions) as f64;
            let scale = (0.5 + 0.5 * angle.cos()).max(Training::FLOOR) as f32;
            [settings.row_rate * scale, settings.head_rate * scale]
        };
        let steps = Steps {
            samples: &self.data.training,
            order: &order[begin * BATCH..(end * BATCH).min(positions)],
            loss: settings.loss,
            rates: &rates,
            rounded: &self.rounded,
        };
        let shares = rows::shares(&mut self.rows, &self.share_lengths);
        let sums = steps.take(shares, &mut self.head);
        self.order = Some((epoch, order));
        sums
    }

    /// Hold-out errors, clamped as in a search; `None` without hold-out positions.
    pub fn held_out(&self) -> Option<MeanErrors> {
        let samples = &self.data.held_out;
        if samples.is_empty() {
            return None;
        }
        let most = MAX_DISCS as f32;
        let mut parts: Vec<_> = samples.chunks(4096).collect();
        let sums_of_sample = |sample: &Sample| {
            let rows = sample.rows();
            let forward = Forward::new(&rows, sample.stage(), &self.rounded, &self.head);
            let error = forward.discs().clamp(-most, most) - sample.target;
            LossSums::of(error, sample.weight, self.settings.loss)
        };
        let sums = parallel::each(self.share_lengths.len(), &mut parts, |part| {
            part.iter().map(sums_of_sample).sum()
        });
        Some(MeanErrors::of(sums.into_iter().sum()))
    }

    /// Network with the current parameters.
    pub fn network(&self) -> Network {
        let mut network = Network::zero();
        for (class, shared) in CLASSES.iter().zip(&*data::SHARED) {
            let rows = network
                .class_mut(class.name)
                .expect("a class of the geometry");
            for (value, row) in rows.iter_mut().enumerate() {
                row.0 = self.rounded.row(class.offset + usize::from(shared[value]));
            }
        }
        let side = |index: usize| SideRow(self.rounded.side(index));
        for (moves, row) in network.moves_mut().iter_mut().enumerate() {
            *row = side(moves);
        }
        for (index, stage) in network.stages_mut().iter_mut().enumerate() {
            stage.start = side(MAX_MOVES + 1 + index);
        }
        self.head.write(&mut network);
        network
    }
}

fn order(positions: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..positions as u32).collect();
    // The complement makes this seed differ from that of the initial parameters.
    let seed = SplitMix64::new(!seed).bits() ^ epoch as u64;
    SplitMix64::new(seed).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests;
