//! `outflank train probcut`: error models of selective search.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::eval::{ErrorModel, Evaluation, Model};
use outflank::{Board, StopHandle};
use outflank_support::text::plural;
use outflank_train::probcut::{DepthDifference, ProbcutSettings, fit, measure};
use outflank_train::record::{Damage, Reader};

use super::{ThreadsArgument, TrainError};
use crate::console::print_line;
use crate::number_options::{POSITIVE_U32, whole};
use crate::output_files::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::{CommandError, IsaArgument, interrupted_status, stop_on_interrupt};

/// Fit the error model of selective search
///
/// Positions of record files are searched to all depths up to --depth. Those with at most --exact empty squares are
/// also searched to the end of the game. The model is the standard deviation of the differences between depths, as a
/// smooth function of empty squares and both depths. OUT gets the weights together with their model.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Record files
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,

    /// Weights to measure, in a file of Outflank or Edax [default: the built-in weights]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// File to write the weights with the error model to; existing weights are replaced, also those of --weights
    #[arg(long, value_name = "OUT")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,

    /// Maximum number of positions for each number of empty squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>(POSITIVE_U32))]
    positions: usize,

    /// Maximum search depth in plies, 5 or more; smaller depths do not determine the model
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = whole::<u32>(5..=60))]
    depth: u32,

    /// Maximum number of empty squares of positions that are searched to the end of the game
    #[arg(long, value_name = "E", default_value_t = 16, value_parser = whole::<u32>(0..=60))]
    exact: u32,

    #[command(flatten)]
    threads: ThreadsArgument,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train probcut held-out.records --weights new.weights --out new.weights --depth 12";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.isa.isa()?;
    // Opened before hours of searching.
    let files = Files::new().reading("RECORDS", &arguments.records);
    let mut out = files.writing_one("--out", &arguments.out, kind::WEIGHTS, arguments.force)?;
    let mut model = match &arguments.weights {
        Some(path) => Model::load(path)?,
        None => Model::embedded().ok_or(CommandError::no_weights())?,
    };
    let boards = boards(arguments)?;
    let settings = ProbcutSettings {
        depth: arguments.depth,
        exact: arguments.exact,
        threads: arguments.threads.count(),
    };

    let stop = StopHandle::default();
    stop_on_interrupt(&stop)?;
    let progress = arguments.progress.steps(boards.len());
    let evaluation = Arc::new(Evaluation::new(model.clone()));
    let measured = measure(isa, &evaluation, &boards, settings, &stop, || {
        progress.advance()
    })?;
    drop(progress);
    let Some(differences) = measured else {
        return Ok(interrupted_status());
    };
    let error = fit(&differences).ok_or(TrainError::TooFewPositions(boards.len()))?;
    report(&differences, &error)?;
    model.error = Some(error);
    out.write(&model.write())?;
    print_line(format_args!(
        "{}: error model from {}",
        arguments.out.display(),
        plural(boards.len(), "position", "positions")
    ))?;
    Ok(0)
}

/// First positions of each number of empty squares.
fn boards(arguments: &Arguments) -> Result<Vec<Board>, TrainError> {
    let mut counts = [0; 61];
    let mut boards = Vec::new();
    for path in &arguments.records {
        for block in Reader::open(path, Damage::Refuse)? {
            for record in block?.records {
                let counts = &mut counts[record.board.empty_count().min(60) as usize];
                if *counts < arguments.positions {
                    *counts += 1;
                    boards.push(record.board);
                }
            }
        }
    }
    Ok(boards)
}

/// Writes a table of measured and modelled standard deviations.
fn report(differences: &[DepthDifference], error: &ErrorModel) -> Result<(), CommandError> {
    /// Numbers of empty squares in a row of the table.
    const BAND: u32 = 6;
    print_line("empties  depth  reduced  positions   sigma   model")?;
    let mut rows: Vec<(u32, u32, u32, f64, f64)> = differences
        .iter()
        .map(|difference| {
            let exact = difference.depth >= difference.empties;
            let depth = if exact { u32::MAX } else { difference.depth };
            let model = error.sigma(difference.empties, difference.depth, difference.reduced);
            (
                difference.empties / BAND,
                depth,
                difference.reduced,
                difference.discs.powi(2),
                f64::from(model).powi(2),
            )
        })
        .collect();
    rows.sort_by_key(|row| (row.0, row.1, row.2));
    for group in rows.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
        let (band, depth, reduced, ..) = group[0];
        let count = group.len() as f64;
        let root_mean = |square: fn(&(u32, u32, u32, f64, f64)) -> f64| {
            (group.iter().map(square).sum::<f64>() / count).sqrt()
        };
        let depth = match depth {
            u32::MAX => "exact".to_owned(),
            depth => depth.to_string(),
        };
        print_line(format_args!(
            "{:>3}..{:<3} {depth:>6} {reduced:>8} {:>10} {:>7.2} {:>7.2}",
            band * BAND,
            band * BAND + BAND - 1,
            group.len(),
            root_mean(|row| row.3),
            root_mean(|row| row.4),
        ))?;
    }
    Ok(())
}
