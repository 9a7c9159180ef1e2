//! `outflank train score`: how far static values are from what positions are worth.

mod picture;
mod report;

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::{Model, Patterns};
use outflank::train::input::{Input, InputError};
use outflank::train::score::{Scores, Valuer};

use super::tell_unused;
use crate::cli::output::complain;
use crate::cli::progress::Progress;
use crate::cli::{CommandError, FAILURE, LevelArgument};

/// Measure how far the evaluation's static values are from the best scores of positions
///
/// A FILE has problems (OBF), the games of a WTHOR database, of which the positions with a theoretical
/// score are taken (24 empty squares), or records. The mean amount of the error and the root of the mean
/// squared error, in discs, are told for each number of empty squares.
///
/// A position whose mover has to pass is valued after the pass; where the game is over it is left out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files with positions; - is standard input, for all but records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Weights to measure, ours or Edax's; may be given several times [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,

    /// Write one JSON object for each number of empty squares
    ///
    /// {empties, positions, mae, rmse}; before them file and weights where there are several
    #[arg(long)]
    json: bool,

    /// Draw a picture too, as an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    level: LevelArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train score WTH_2018.wtb WTH_2019.wtb
  outflank train score deviations.obf --weights old.weights --weights new.weights --svg errors.svg
  xz -dc problems.obf.xz | outflank train score --json -";

/// The errors of some weights on the positions of a file.
struct Measured {
    /// The file, where there are several.
    file: Option<String>,
    /// The weights, where there are several.
    weights: Option<String>,
    scores: Scores,
}

impl Measured {
    /// What tells it from the others.
    fn name(&self) -> String {
        let names = [&self.file, &self.weights].into_iter().flatten();
        names.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Measures and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let valuers = valuers(arguments)?;
    // Before all the reading, not after it.
    let picture = arguments.svg.as_ref();
    let mut picture = picture
        .map(|path| File::create(path).map_err(|error| unwritable(path, error)))
        .transpose()?;
    let mut measured = Vec::new();
    let mut faulty = false;
    let progress = Progress::new(arguments.files.len());
    for path in &arguments.files {
        let file = (arguments.files.len() > 1).then(|| path.display().to_string());
        match score(path, &valuers) {
            Ok((scores, is_faulty)) => {
                faulty |= is_faulty;
                measured.extend(scores.into_iter().zip(&valuers).map(|(scores, valuer)| {
                    Measured {
                        file: file.clone(),
                        weights: valuer.name.clone(),
                        scores,
                    }
                }));
            }
            Err(error) => {
                complain(error);
                faulty = true;
            }
        }
        progress.advance();
    }
    drop(progress);
    report::write(&measured, arguments.json)?;
    if let (Some(file), Some(path)) = (&mut picture, &arguments.svg) {
        let svg = picture::draw(&measured);
        let written = file.write_all(svg.as_bytes());
        written.map_err(|error| unwritable(path, error))?;
    }
    Ok(if faulty { FAILURE } else { 0 })
}

fn unwritable(path: &Path, error: io::Error) -> CommandError {
    let file = path.to_owned();
    CommandError::Picture { file, error }
}

/// Weights to measure.
struct Named {
    /// Their file, where there are several.
    name: Option<String>,
    valuer: Valuer,
}

fn valuers(arguments: &Arguments) -> Result<Vec<Named>, CommandError> {
    let level = arguments.level.level()?;
    let named = |name, model: Model| -> Result<Named, CommandError> {
        let valuer = Valuer::new(Patterns::new(&model), level)?;
        Ok(Named { name, valuer })
    };
    let paths = &arguments.weights;
    if paths.is_empty() {
        let model = Model::embedded().ok_or(CommandError::NoWeights)?;
        return Ok(vec![named(None, model)?]);
    }
    let of_path = |path: &PathBuf| {
        let name = (paths.len() > 1).then(|| path.display().to_string());
        named(name, Model::load(path)?)
    };
    paths.iter().map(of_path).collect()
}

/// The errors of all weights on the positions of a file, and whether something is wrong with it.
fn score(path: &Path, valuers: &[Named]) -> Result<(Vec<Scores>, bool), InputError> {
    let mut scores = vec![Scores::default(); valuers.len()];
    let unused = Input::open(path)?.each(false, |record| {
        for (scores, named) in scores.iter_mut().zip(valuers) {
            if let Some(value) = named.valuer.value(record.board) {
                scores.add(&record, value);
            }
        }
    })?;
    Ok((scores, tell_unused(path, &unused)))
}
