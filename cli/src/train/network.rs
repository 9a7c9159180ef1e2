//! `outflank train fit --network`: a network from labelled positions.

use outflank::StopHandle;
use outflank::eval::Model;
use outflank::text::counted;
use outflank_train::network::{Data, Errors, Loss, Settings, Training};

use super::fit::{Arguments, Outputs, read_checkpoint, targets};
use super::{TrainError, curves};
use crate::CommandError;
use crate::numbers::grouped;
use crate::output::{complain, line, remark};
use crate::replace::replace;

/// Reads the positions, and the checkpoint if there is one.
pub(super) fn prepare(arguments: &Arguments) -> Result<Training, CommandError> {
    let threads = arguments.threads.count();
    let targets = targets(arguments)?;
    let data = Data::new(&targets, threads);
    drop(targets);
    let mut training = Training::new(data, settings(arguments), threads);
    if let Some(path) = &arguments.checkpoint
        && let Some(bytes) = read_checkpoint(path)?
    {
        let resumed = training.resume(&bytes);
        resumed.map_err(|error| TrainError::Checkpoint(path.to_owned(), error))?;
        remark(format_args!(
            "{}: goes on after {} of {} steps",
            path.display(),
            training.step(),
            training.steps()
        ));
    }
    Ok(training)
}

fn settings(arguments: &Arguments) -> Settings {
    let defaults = Settings::default();
    Settings {
        epochs: arguments.epochs,
        seed: arguments.seed,
        loss: arguments.huber.map_or(defaults.loss, Loss::Huber),
        ..defaults
    }
}

/// Trains, writes the network and the picture of its learning curves, and reports.
pub(super) fn carry_out(
    arguments: &Arguments,
    training: &mut Training,
    mut files: Outputs,
    stop: &StopHandle,
) -> Result<String, CommandError> {
    line("epoch| training loss |   MAE  | held-out loss |   MAE")?;
    line("-----+---------------+--------+---------------+--------")?;
    let (step, steps) = (training.step(), training.steps());
    let progress = arguments.progress.rated(steps, step as u64);
    let mut checkpoint = arguments.checkpoint.as_deref();
    while training.step() < steps && !stop.is_stopped() {
        let state = training.advance();
        let epoch = state.step as f64 * arguments.epochs as f64 / steps as f64;
        if let Some(held_out) = state.held_out {
            let columns = [state.training, held_out].map(columns);
            progress.aside(|| line(format!("{epoch:>5.2}{}", columns.concat())))?;
        }
        if let Some(path) = checkpoint
            && let Err(error) = replace(path, &training.checkpoint())
        {
            progress.aside(|| complain(format_args!("{error}; the training goes on without")));
            checkpoint = None;
        }
        progress.advance_by(1, || {
            format!("epoch {epoch:.2}, training MAE {:.3}", state.training.mae)
        });
    }
    drop(progress);
    let counts = training.data().counts();
    let about = format!(
        "outflank train fit --network: {} positions; {}; {} of {} steps",
        grouped(counts.training as u64),
        settings(arguments),
        training.step(),
        steps
    );
    let model = Model::network(training.network(), about);
    files.weights.write(&model.write())?;
    if let Some(picture) = &mut files.picture {
        let curves = curves::draw(training.curve(), arguments.epochs, steps);
        picture.write(curves.as_bytes())?;
    }
    let told = format!(
        "{}: the network after {} of {}{}",
        arguments.out.display(),
        training.step(),
        counted(steps, "step", "steps"),
        if stop.is_stopped() {
            "; interrupted"
        } else {
            ""
        }
    );
    line(&told)?;
    Ok(told)
}

fn columns(errors: Errors) -> String {
    format!("{:>16.4}{:>9.4}", errors.loss, errors.mae)
}
