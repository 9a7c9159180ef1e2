//! Fits of linear weights.

use std::io;
use std::path::Path;

use outflank::StopHandle;
use outflank::eval::{Linear, Model, Parameters};
use outflank_support::text::plural;
use outflank_train::fit::{Fit, FitData, FitEnd, FitLimits, FitOutcome, FitSettings, Loss};

use super::arguments::Arguments;
use super::checkpoint::{self, CheckpointWriter};
use super::positions;
use crate::CommandError;
use crate::console::{print_line, remark};
use crate::error::NotLinear;
use crate::replace::OutputFile;

/// Reads the positions, and the checkpoint if there is one.
pub(super) fn prepare(arguments: &Arguments) -> Result<Fit, CommandError> {
    let start = arguments.start.as_deref().map(load_linear).transpose()?;
    let threads = arguments.threads.count();
    let data = FitData::new(&positions::read(arguments)?, threads);
    let mut fit = Fit::new(data, settings(arguments), start.as_ref(), threads);
    if let Some(path) = &arguments.checkpoint
        && checkpoint::resume(path, |bytes| fit.resume(bytes))?
    {
        remark(format_args!(
            "{}: goes on after {}",
            path.display(),
            plural(fit.progress().iteration, "iteration", "iterations")
        ));
    }
    Ok(fit)
}

/// Fits, writes the weights and reports. Returns a summary.
pub(super) fn run(
    arguments: &Arguments,
    fit: &mut Fit,
    mut out: OutputFile,
    stop: &StopHandle,
) -> Result<String, CommandError> {
    let end = iterate(arguments, fit, stop)?;
    let outcome = fit.outcome();
    out.write(&outcome.model.write())?;
    report_held_out(&outcome)?;
    let summary = summary(arguments, &outcome, end);
    print_line(&summary)?;
    Ok(summary)
}

/// Loads linear weights.
fn load_linear(path: &Path) -> Result<Linear, CommandError> {
    match Model::load(path)?.parameters {
        Parameters::Linear(linear) => Ok(linear),
        Parameters::Networks(_) => Err(NotLinear(path.to_owned()).into()),
    }
}

fn settings(arguments: &Arguments) -> FitSettings {
    FitSettings {
        stages: arguments.knots.clone(),
        decay: arguments.decay,
        smooth: arguments.smooth,
        windows: arguments.windows.0.clone(),
        loss: arguments.huber.map_or(Loss::Squared, Loss::Huber),
    }
}

/// Iterates to the end of the fit. Returns the reason of the end, or `None` if `stop` was used.
fn iterate(
    arguments: &Arguments,
    fit: &mut Fit,
    stop: &StopHandle,
) -> Result<Option<FitEnd>, CommandError> {
    let limits = FitLimits {
        iterations: arguments.iterations,
        patience: arguments.patience,
    };
    print_line("iteration| training loss |   MAE  | held-out loss |   MAE")?;
    print_line("---------+---------------+--------+---------------+--------")?;
    let mut checkpoint = CheckpointWriter::new(arguments.checkpoint.as_deref(), "fit");
    let mut state = fit.progress();
    let progress = arguments
        .progress
        .with_eta(arguments.iterations, state.iteration as u64);
    loop {
        if let Some(end) = state.end(limits) {
            return Ok(Some(end));
        }
        if stop.is_stopped() {
            return Ok(None);
        }
        state = fit.advance();
        let row = format!(
            "{:>9}{:>16.4}{:>9.4}",
            state.iteration, state.training.loss, state.training.mae
        );
        let held_out = state
            .held_out
            .map(|errors| format!("{:>16.4}{:>9.4}", errors.loss, errors.mae));
        progress.suspend(|| print_line(row + &held_out.unwrap_or_default()))?;
        checkpoint.write(&progress, || fit.checkpoint());
        progress.advance_by(1, || match state.held_out {
            Some(errors) => format!(
                "held-out loss {:.3}, best after {}",
                errors.loss, state.best
            ),
            None => format!("loss {:.3}", state.training.loss),
        });
    }
}

fn report_held_out(outcome: &FitOutcome) -> io::Result<()> {
    if !outcome.held_out.is_empty() {
        print_line("empties|  held out |  MAE  |  RMSE")?;
        print_line("-------+-----------+-------+-------")?;
    }
    for stage in &outcome.held_out {
        print_line(format_args!(
            "{:>7}{:>12}{:>8.3}{:>8.3}",
            stage.empties, stage.positions, stage.errors.mae, stage.errors.rmse
        ))?;
    }
    if outcome.clamped > 0 {
        print_line(format_args!(
            "{} over 255 discs clamped",
            plural(outcome.clamped, "weight", "weights")
        ))?;
    }
    Ok(())
}

/// Summary of the weights written, with the reason for the end of the fit.
fn summary(arguments: &Arguments, outcome: &FitOutcome, end: Option<FitEnd>) -> String {
    let end = match end {
        Some(FitEnd::Converged) => "nothing more to gain",
        Some(FitEnd::NoBetter) => "held-out positions gained no more",
        Some(FitEnd::Iterations) => "the iterations are used up",
        None => "interrupted",
    };
    format!(
        "{}: the weights after {}, packed in steps of {}/128 disc; {end}",
        arguments.out.display(),
        plural(outcome.iteration, "iteration", "iterations"),
        outcome.resolution,
    )
}
