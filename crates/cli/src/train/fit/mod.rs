//! `outflank train fit`: weights from labelled positions.

mod arguments;
mod checkpoint;
mod curves;
mod linear;
mod network;
mod positions;

use outflank::StopHandle;

pub(super) use self::arguments::Arguments;
use crate::output_files::{Files, kind};
use crate::signals::{SignalError, status_unless_stopped};
use crate::{CommandError, stop_on_interrupt};

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    // Until the positions are read, Ctrl-C ends the program at once.
    fit_with_hook(arguments, &stop, || stop_on_interrupt(&stop))?;
    Ok(status_unless_stopped(&stop, 0))
}

/// Reads the positions, fits until `stop` is used, writes the weights and reports. Returns a summary.
pub(super) fn fit(arguments: &Arguments, stop: &StopHandle) -> Result<String, CommandError> {
    fit_with_hook(arguments, stop, || Ok(()))
}

/// Fits as [`fit`] does, and calls `on_read` once the positions are read.
fn fit_with_hook(
    arguments: &Arguments,
    stop: &StopHandle,
    on_read: impl FnOnce() -> Result<(), SignalError>,
) -> Result<String, CommandError> {
    // Opened before hours of fitting.
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
    if arguments.network {
        let mut training = network::prepare(arguments)?;
        on_read()?;
        network::run(arguments, &mut training, weights, picture, stop)
    } else {
        let mut fit = linear::prepare(arguments)?;
        on_read()?;
        linear::run(arguments, &mut fit, weights, stop)
    }
}
