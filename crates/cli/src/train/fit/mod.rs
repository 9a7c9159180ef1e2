//! `outflank train fit`: weights from labelled positions.

mod arguments;
mod checkpoint;
mod curves;
mod linear;
mod network;
mod positions;

use outflank::StopHandle;
use outflank_train::fit::Fit;
use outflank_train::network::Training;

pub(super) use self::arguments::Arguments;
use crate::output_files::{Files, kind};
use crate::replace::OutputFile;
use crate::{CommandError, interrupted_status, stop_on_interrupt};

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    let prepared = prepare(arguments)?;
    stop_on_interrupt(&stop)?;
    prepared.run(arguments, &stop)?;
    Ok(match stop.is_stopped() {
        true => interrupted_status(),
        false => 0,
    })
}

/// Fit with its positions and its open output files.
pub(super) struct PreparedFit {
    task: Task,
    weights: OutputFile,
    /// Learning curves of a network.
    picture: Option<OutputFile>,
}

enum Task {
    Linear(Box<Fit>),
    Network(Box<Training>),
}

/// Opens the output files, before hours of fitting, and reads the positions.
pub(super) fn prepare(arguments: &Arguments) -> Result<PreparedFit, CommandError> {
    let [weights, picture] = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--exclude", &arguments.exclude)
        .reading("--start", &arguments.start)
        .updating("--checkpoint", &arguments.checkpoint)?
        .writing(
            [
                ("--out", Some(&arguments.out), kind::WEIGHTS),
                ("--svg", arguments.svg.as_ref(), kind::SVG),
            ],
            arguments.force,
        )?;
    let weights = weights.expect("--out is required");
    let task = match arguments.network {
        true => Task::Network(Box::new(network::prepare(arguments)?)),
        false => Task::Linear(Box::new(linear::prepare(arguments)?)),
    };
    Ok(PreparedFit {
        task,
        weights,
        picture,
    })
}

impl PreparedFit {
    /// Fits until `stop` is used, writes the weights and reports. Returns a summary.
    pub(super) fn run(
        self,
        arguments: &Arguments,
        stop: &StopHandle,
    ) -> Result<String, CommandError> {
        match self.task {
            Task::Linear(mut fit) => linear::run(arguments, &mut fit, self.weights, stop),
            Task::Network(mut training) => {
                network::run(arguments, &mut training, self.weights, self.picture, stop)
            }
        }
    }
}
