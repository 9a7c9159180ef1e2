//! Training of networks.

use outflank::StopHandle;
use outflank::eval::Model;
use outflank_support::text::plural;
use outflank_train::network::{Loss, MeanErrors, NetworkData, NetworkSettings, Training};

use super::arguments::Arguments;
use super::checkpoint::{self, CheckpointWriter};
use super::{curves, positions};
use crate::CommandError;
use crate::console::{print_line, remark};
use crate::number_options::grouped;
use crate::replace::OutputFile;

/// Reads the positions, and the checkpoint if there is one.
pub(super) fn prepare(arguments: &Arguments) -> Result<Training, CommandError> {
    let threads = arguments.threads.count();
    let data = NetworkData::new(&positions::read(arguments)?, threads);
    let mut training = Training::new(data, settings(arguments), threads);
    if let Some(path) = &arguments.checkpoint
        && checkpoint::resume(path, |bytes| training.resume(bytes))?
    {
        remark(format_args!(
            "{}: goes on after {} of {} steps",
            path.display(),
            training.step(),
            training.steps()
        ));
    }
    Ok(training)
}

fn settings(arguments: &Arguments) -> NetworkSettings {
    let defaults = NetworkSettings::default();
    NetworkSettings {
        epochs: arguments.epochs,
        seed: arguments.seed,
        loss: arguments.huber.map_or(defaults.loss, Loss::Huber),
        ..defaults
    }
}

/// Trains, writes the network and its learning curves, and reports. Returns a summary.
pub(super) fn run(
    arguments: &Arguments,
    training: &mut Training,
    mut out: OutputFile,
    mut picture: Option<OutputFile>,
    stop: &StopHandle,
) -> Result<String, CommandError> {
    print_line("epoch| training loss |   MAE  | held-out loss |   MAE")?;
    print_line("-----+---------------+--------+---------------+--------")?;
    let (step, steps) = (training.step(), training.steps());
    let progress = arguments.progress.with_eta(steps, step as u64);
    let mut checkpoint = CheckpointWriter::new(arguments.checkpoint.as_deref(), "training");
    while training.step() < steps && !stop.is_stopped() {
        let state = training.advance();
        let epoch = state.step as f64 * arguments.epochs as f64 / steps as f64;
        if let Some(held_out) = state.held_out {
            let columns = [state.training, held_out].map(columns);
            progress.suspend(|| print_line(format!("{epoch:>5.2}{}", columns.concat())))?;
        }
        checkpoint.write(&progress, || Some(training.checkpoint()));
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
    let model = Model::networks(training.network(), about);
    out.write(&model.write())?;
    if let Some(picture) = &mut picture {
        let curves = curves::draw(training.curve(), arguments.epochs, steps);
        picture.write(curves.as_bytes())?;
    }
    let summary = format!(
        "{}: the network after {} of {}{}",
        arguments.out.display(),
        training.step(),
        plural(steps, "step", "steps"),
        match stop.is_stopped() {
            true => "; interrupted",
            false => "",
        }
    );
    print_line(&summary)?;
    Ok(summary)
}

fn columns(errors: MeanErrors) -> String {
    format!("{:>16.4}{:>9.4}", errors.loss, errors.mae)
}
