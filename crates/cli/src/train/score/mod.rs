//! `outflank train score`: errors of static values.

mod picture;
mod report;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::{Evaluation, Model};
use outflank_train::input::{Input, InputError, SkippedInput};
use outflank_train::score::{ErrorTable, StaticEvaluator};

use super::{name_of, report_unused, weights};
use crate::output_files::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE, IsaArgument};

/// Measure the errors of the evaluation's static values
///
/// Positions come from records, problems with scores (OBF) and games. A game gives its position with a theoretical
/// score, usually the one with 24 empty squares. The mean absolute error and the root mean squared error are reported
/// in discs, for each number of empty squares.
///
/// If the mover has to pass, the position after the pass is evaluated. Finished games are left out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of positions: records, problems (OBF) and games; - is standard input, but not for records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Weights to measure, in a file of Outflank or Edax; - stands for the built-in weights. May be given several times
    /// [default: the built-in weights]
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,

    /// Report each file separately
    #[arg(long)]
    by_file: bool,

    /// Write one JSON object per number of empty squares
    ///
    /// {empties, positions, mae, rmse}. Several --weights add weights (their name). --by-file adds file (its name).
    #[arg(long)]
    json: bool,

    /// Draw the errors as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train score WTH_2018.wtb WTH_2019.wtb
  outflank train score deviations.obf --weights old.weights --weights new.weights --svg errors.svg
  xz -dc problems.obf.xz | outflank train score --json -";

/// Errors of one set of weights on one file or on all.
pub(super) struct MeasuredErrors {
    /// Name of the file with `--by-file`.
    file: Option<String>,
    /// Name of the weights, if there are several.
    weights: Option<String>,
    pub(super) errors: ErrorTable,
}

impl MeasuredErrors {
    /// Names of the file and the weights where they are set.
    pub(super) fn name(&self) -> String {
        let names = [&self.file, &self.weights].into_iter().flatten();
        names.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let report = |measured: &[MeasuredErrors]| report::write(measured, arguments.json);
    let (_, faulty) = score(arguments, report)?;
    Ok(if faulty { FAILURE } else { 0 })
}

/// Measures, passes the result to `report`, and draws the picture. Also returns `true` if a file is faulty.
pub(super) fn score(
    arguments: &Arguments,
    report: impl FnOnce(&[MeasuredErrors]) -> io::Result<()>,
) -> Result<(Vec<MeasuredErrors>, bool), CommandError> {
    // Opened before a long time of reading.
    let [picture] = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--weights", super::files_of(&arguments.weights))
        .writing(
            [("--svg", arguments.svg.as_ref(), kind::SVG)],
            arguments.force,
        )?;
    let evaluators = evaluators(arguments)?;
    let (measured, faulty) = measure(arguments, &evaluators);
    report(&measured)?;
    if let Some(mut picture) = picture {
        picture.write(picture::draw(&measured).as_bytes())?;
    }
    Ok((measured, faulty))
}

/// Measures the positions of all files. Also returns `true` if a file is faulty.
fn measure(arguments: &Arguments, evaluators: &[NamedEvaluator]) -> (Vec<MeasuredErrors>, bool) {
    let mut measured: Vec<MeasuredErrors> = Vec::new();
    let mut faulty = false;
    let progress = arguments.progress.steps(arguments.files.len());
    for path in &arguments.files {
        if arguments.by_file || measured.is_empty() {
            let file = arguments.by_file.then(|| path.display().to_string());
            measured.extend(evaluators.iter().map(|evaluator| MeasuredErrors {
                file: file.clone(),
                weights: evaluator.name.clone(),
                errors: ErrorTable::default(),
            }));
        }
        let first_of_file = measured.len() - evaluators.len();
        match score_file(path, evaluators, &mut measured[first_of_file..]) {
            Ok(unused) => faulty |= progress.suspend(|| report_unused(path, &unused)),
            Err(error) => {
                progress.suspend(|| crate::error::report(&error));
                faulty = true;
            }
        }
        progress.advance();
    }
    (measured, faulty)
}

/// Evaluation to measure.
struct NamedEvaluator {
    /// Name of the weights, if there are several.
    name: Option<String>,
    evaluator: StaticEvaluator,
}

fn evaluators(arguments: &Arguments) -> Result<Vec<NamedEvaluator>, CommandError> {
    let isa = arguments.isa.isa()?;
    let named = |name, model: Model| -> Result<NamedEvaluator, CommandError> {
        let evaluator = StaticEvaluator::new(Evaluation::new(model), isa)?;
        Ok(NamedEvaluator { name, evaluator })
    };
    let paths = &arguments.weights;
    if paths.is_empty() {
        return Ok(vec![named(None, weights(Path::new("-"))?)?]);
    }
    let load = |path: &PathBuf| {
        let name = (paths.len() > 1).then(|| name_of(path));
        named(name, weights(path)?)
    };
    paths.iter().map(load).collect()
}

/// Adds the positions of a file to the errors of each evaluation.
fn score_file(
    path: &Path,
    evaluators: &[NamedEvaluator],
    measured: &mut [MeasuredErrors],
) -> Result<SkippedInput, InputError> {
    Input::open(path)?.each(false, |record| {
        for (measured, named) in measured.iter_mut().zip(evaluators) {
            if let Some(value) = named.evaluator.value(record.board) {
                measured.errors.add(&record, value);
            }
        }
    })
}
