//! Training the corner network ([`outflank_kernels::network`]) on labelled positions: stochastic gradient
//! descent in small batches.
//!
//! The forward pass is the integer arithmetic of the kernels, on numbers that are rounded after each step; the
//! steps change floating-point masters of them (`pass`). So what is trained is what the engine computes, to
//! the bit. Rows take their steps position by position (`rows`), the layers behind them batch by batch
//! (`head`). Each epoch takes all positions in a new order, and steps become shorter with the cosine.
//!
//! No sum depends on the number of threads or the CPU (`batch`): the same positions and settings give the
//! same network, to the bit.

mod batch;
mod checkpoint;
mod data;
mod head;
mod pass;
mod rows;
mod settings;
mod stages;

use outflank_kernels::geometry::corner::CLASSES;
use outflank_kernels::network::{MAX_MOVES, Network, SideRow};
use outflank_random::SplitMix;

use self::batch::{BATCH, Steps, sums_of};
use self::head::Head;
use self::pass::Forward;
use self::rows::{Rounded, Row};
use crate::fit::{Sums, parallel};
use outflank::eval::MAX_DISCS;

pub use crate::checkpoint::CheckpointError;
pub use crate::fit::{Errors, Loss};
pub use data::Data;
pub use settings::Settings;
pub use stages::{Deviation, FittedStage, fit_stages};

/// A training under way.
pub struct Training {
    settings: Settings,
    data: Data,
    /// The numbers of rows that each thread has to itself.
    shares: Vec<usize>,
    rows: Vec<Row>,
    rounded: Rounded,
    head: Head,
    /// A point for each step done.
    curve: Vec<Point>,
    /// The epoch and the order in which it takes the positions.
    order: Option<(usize, Vec<u32>)>,
}

/// How a training is going.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Steps done.
    pub step: usize,
    /// Steps of the whole training.
    pub steps: usize,
    /// Over the positions of the last step, each as it was before it was learnt from.
    pub training: Errors,
    /// Over those that are held out, at the end of an epoch; `None` in between and if there are none.
    pub held_out: Option<Errors>,
}

/// A point of the learning curve: mean absolute errors in discs, as in [`Progress`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// On the positions of the step, before they were learnt from.
    pub training: f32,
    /// On the positions that are held out, after the last step of an epoch.
    pub held_out: Option<f32>,
}

impl Training {
    /// The steps of an epoch, if there are as many batches.
    const STEPS: usize = 20;

    /// The shortest steps, in parts of the longest.
    const FLOOR: f64 = 0.01;

    /// A training that begins anew, on `threads` threads.
    ///
    /// # Panics
    ///
    /// If there are no positions to train on.
    pub fn new(data: Data, settings: Settings, threads: usize) -> Training {
        assert!(!data.training.is_empty(), "positions to train on");
        let mut random = SplitMix::new(settings.seed);
        let rows = rows::begin(&mut random);
        Training {
            shares: rows::divide(&data.uses(), threads.max(1)),
            rounded: Rounded::new(&rows),
            rows,
            head: Head::new(&mut random),
            settings,
            data,
            curve: Vec::new(),
            order: None,
        }
    }

    /// The positions.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Steps done.
    pub fn step(&self) -> usize {
        self.curve.len()
    }

    /// The learning curve: a point for each step done.
    pub fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// Steps of the whole training.
    pub fn steps(&self) -> usize {
        self.steps_of_epoch() * self.settings.epochs
    }

    fn batches_of_epoch(&self) -> usize {
        self.data.training.len().div_ceil(BATCH)
    }

    fn steps_of_epoch(&self) -> usize {
        self.batches_of_epoch().min(Training::STEPS)
    }

    /// Goes a step on: a twentieth of an epoch. Does nothing after the last one.
    pub fn advance(&mut self) -> Progress {
        let steps = self.steps_of_epoch();
        let (epoch, step) = (self.step() / steps, self.step() % steps);
        let mut training = Errors::default();
        let mut held_out = None;
        if self.step() < self.steps() {
            let batches = self.batches_of_epoch();
            let [begin, end] = [step, step + 1].map(|step| batches * step / steps);
            training = Errors::of(self.take_batches(epoch, begin, end));
            if step + 1 == steps {
                held_out = self.held_out();
            }
            self.curve.push(Point {
                training: training.mae as f32,
                held_out: held_out.map(|errors| errors.mae as f32),
            });
        }
        Progress {
            step: self.step(),
            steps: self.steps(),
            training,
            held_out,
        }
    }

    /// Learns from these batches of an epoch.
    fn take_batches(&mut self, epoch: usize, begin: usize, end: usize) -> Sums {
        let positions = self.data.training.len();
        let order = match self.order.take() {
            Some((of_epoch, order)) if of_epoch == epoch => order,
            _ => order(positions, self.settings.seed, epoch),
        };
        let (settings, epochs) = (&self.settings, self.settings.epochs);
        let rates = |batch: usize| {
            let done = epoch * positions + (begin + batch) * BATCH;
            let turn = std::f64::consts::PI * done as f64 / (epochs * positions) as f64;
            let part = (0.5 + 0.5 * turn.cos()).max(Training::FLOOR) as f32;
            [settings.row_rate * part, settings.head_rate * part]
        };
        let steps = Steps {
            samples: &self.data.training,
            order: &order[begin * BATCH..(end * BATCH).min(positions)],
            loss: settings.loss,
            rates: &rates,
            rounded: &self.rounded,
        };
        let shares = rows::shares(&mut self.rows, &self.shares);
        let sums = steps.take(shares, &mut self.head);
        self.order = Some((epoch, order));
        sums
    }

    /// How far the network is from positions that are held out, used as a search does; `None` if there are
    /// none.
    pub fn held_out(&self) -> Option<Errors> {
        let samples = &self.data.held_out;
        if samples.is_empty() {
            return None;
        }
        let most = MAX_DISCS as f32;
        let mut parts: Vec<_> = samples.chunks(4096).collect();
        let sums = parallel::each(self.shares.len(), &mut parts, |part| {
            let mut sums = Sums::default();
            for sample in *part {
                let rows = sample.rows();
                let forward = Forward::new(&rows, sample.stage(), &self.rounded, &self.head);
                let error = forward.discs().clamp(-most, most) - sample.target;
                sums = sums + sums_of(error, sample, self.settings.loss);
            }
            sums
        });
        let sum = sums.into_iter().fold(Sums::default(), |sum, one| sum + one);
        Some(Errors::of(sum))
    }

    /// The network as it is now.
    pub fn network(&self) -> Network {
        let mut network = Network::zero();
        for (class, shared) in CLASSES.iter().zip(&*data::SHARED) {
            let rows = network.class_mut(class.name).expect("it is a class");
            for (value, row) in rows.iter_mut().enumerate() {
                row.0 = self.rounded.row(class.offset + usize::from(shared[value]));
            }
        }
        let side = |place: usize| SideRow(self.rounded.side(place));
        for (moves, row) in network.moves_mut().iter_mut().enumerate() {
            *row = side(moves);
        }
        for (stage, of_stage) in network.stages_mut().iter_mut().enumerate() {
            of_stage.start = side(MAX_MOVES + 1 + stage);
        }
        self.head.write(&mut network);
        network
    }
}

/// In which order an epoch takes the positions.
fn order(positions: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..positions as u32).collect();
    // Far from the seed of what a training begins with.
    let seed = SplitMix::new(!seed).bits() ^ epoch as u64;
    SplitMix::new(seed).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests;
