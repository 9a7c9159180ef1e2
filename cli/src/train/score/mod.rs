//! `outflank train score`: how far static values are from what positions are worth.

mod picture;
mod report;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::{Evaluation, Model};
use outflank_train::input::{Input, InputError, Unused};
use outflank_train::score::{Scores, Valuer};

use super::{name_of, tell_unused, weights};
use crate::output::complain;
use crate::outputs::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE, IsaArgument};

/// Measure how far the evaluation's static values are from the best scores of positions
///
/// A FILE has problems (OBF), games (WTHOR, GGF), of which the positions with a theoretical score are taken
/// (as a rule those of 24 empty squares), or records. The mean amount of the error and the root of the mean
/// squared error, in discs, are told for each number of empty squares.
///
/// A position whose mover has to pass is valued after the pass; where the game is over it is left out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files with positions; - is standard input, for all but records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Weights to measure, ours or Edax's, or - for those built in; may be given several times
    /// [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,

    /// Tell the files apart instead of taking all positions together
    #[arg(long)]
    by_file: bool,

    /// Write one JSON object for each number of empty squares
    ///
    /// {empties, positions, mae, rmse}; before them weights where there are several, and file with
    /// --by-file
    #[arg(long)]
    json: bool,

    /// Draw a picture too, as an SVG file
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

/// The errors of some weights on the positions of a file or of all.
pub(super) struct Measured {
    /// The file, where they are told apart.
    file: Option<String>,
    /// The weights, where there are several.
    weights: Option<String>,
    pub(super) scores: Scores,
}

impl Measured {
    /// What tells it from the others.
    pub(super) fn name(&self) -> String {
        let names = [&self.file, &self.weights].into_iter().flatten();
        names.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Measures and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let told = |measured: &[Measured]| report::write(measured, arguments.json);
    let (_, faulty) = score(arguments, told)?;
    Ok(if faulty { FAILURE } else { 0 })
}

/// Measures, lets `tell` tell it, and draws where that is asked for; also whether something was wrong
/// with a file.
pub(super) fn score(
    arguments: &Arguments,
    tell: impl FnOnce(&[Measured]) -> io::Result<()>,
) -> Result<(Vec<Measured>, bool), CommandError> {
    // Before all the reading, not after it.
    let [picture] = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--weights", super::files_of(&arguments.weights))
        .writing(
            [("--svg", arguments.svg.as_ref(), kind::SVG)],
            arguments.force,
        )?;
    let valuers = valuers(arguments)?;
    let (measured, faulty) = measure(arguments, &valuers);
    tell(&measured)?;
    if let Some(mut picture) = picture {
        picture.write(picture::draw(&measured).as_bytes())?;
    }
    Ok((measured, faulty))
}

/// Scores the positions of all files; also whether something was wrong with one.
fn measure(arguments: &Arguments, valuers: &[Named]) -> (Vec<Measured>, bool) {
    let mut measured: Vec<Measured> = Vec::new();
    let mut faulty = false;
    let progress = arguments.progress.steps(arguments.files.len());
    for path in &arguments.files {
        if arguments.by_file || measured.is_empty() {
            let file = arguments.by_file.then(|| path.display().to_string());
            measured.extend(valuers.iter().map(|valuer| Measured {
                file: file.clone(),
                weights: valuer.name.clone(),
                scores: Scores::default(),
            }));
        }
        let of_file = measured.len() - valuers.len();
        match score_file(path, valuers, &mut measured[of_file..]) {
            Ok(unused) => faulty |= progress.aside(|| tell_unused(path, &unused)),
            Err(error) => {
                progress.aside(|| complain(error));
                faulty = true;
            }
        }
        progress.advance();
    }
    (measured, faulty)
}

/// Weights to measure.
struct Named {
    /// Their file, where there are several.
    name: Option<String>,
    valuer: Valuer,
}

fn valuers(arguments: &Arguments) -> Result<Vec<Named>, CommandError> {
    let isa = arguments.isa.isa()?;
    let named = |name, model: Model| -> Result<Named, CommandError> {
        let valuer = Valuer::new(Evaluation::new(model), isa)?;
        Ok(Named { name, valuer })
    };
    let paths = &arguments.weights;
    if paths.is_empty() {
        let model = Model::embedded().ok_or(CommandError::NoWeights)?;
        return Ok(vec![named(None, model)?]);
    }
    let of_path = |path: &PathBuf| {
        let name = (paths.len() > 1).then(|| name_of(path));
        named(name, weights(path)?)
    };
    paths.iter().map(of_path).collect()
}

/// Adds the positions of a file to what was measured of each weights.
fn score_file(
    path: &Path,
    valuers: &[Named],
    measured: &mut [Measured],
) -> Result<Unused, InputError> {
    Input::open(path)?.each(false, |record| {
        for (one, named) in measured.iter_mut().zip(valuers) {
            if let Some(value) = named.valuer.value(record.board) {
                one.scores.add(&record, value);
            }
        }
    })
}
