//! `outflank train probcut`: error models of selective search.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::Board;
use outflank::eval::{ErrorModel, Evaluation, Model};
use outflank_support::text::plural;
use outflank_train::probcut::{DepthDifference, ProbcutSettings, fit, measure};
use outflank_train::record::{Damage, Reader};

use super::{RunArguments, TrainError, run_until_stopped};
use crate::CommandError;
use crate::console::print_line;
use crate::error::NoWeights;
use crate::number_options::{POSITIVE_U32, whole};
use crate::output_files::{Files, ForceArgument, kind};

/// Fit the error model of selective search
///
/// Positions of record files are searched to all depths up to --depth. Those with at most --exact empty squares are
/// also searched to the end of the game. The model is the standard deviation of the differences between depths, as a
/// smooth function of empty squares and both depths. OUT gets the weights together with their model.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
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
    run: RunArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank train probcut held-out.records --weights new.weights --out new.weights --depth 12";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.run.isa.isa()?;
    // Opened before hours of searching.
    let files = Files::new().reading("RECORDS", &arguments.records);
    let mut out = files.writing_one("--out", &arguments.out, kind::WEIGHTS, arguments.force)?;
    let mut model = match &arguments.weights {
        Some(path) => Model::load(path)?,
        None => Model::embedded().ok_or(NoWeights)?,
    };
    let boards = boards(arguments)?;
    let settings = ProbcutSettings {
        depth: arguments.depth,
        exact: arguments.exact,
        threads: arguments.run.threads.count(),
    };

    run_until_stopped(None, |stop| {
        let progress = arguments.run.progress.steps(boards.len());
        let evaluation = Arc::new(Evaluation::new(model.clone()));
        let advance = || progress.advance();
        let measured = measure(isa, &evaluation, &boards, settings, stop, advance)?;
        drop(progress);
        let Some(differences) = measured else {
            return Ok(());
        };
        let error = fit(&differences).ok_or(TrainError::TooFewPositions(boards.len()))?;
        report(&differences, &error)?;
        model.error = Some(error);
        out.write(&model.write())?;
        Ok(print_line(format_args!(
            "{}: error model from {}",
            arguments.out.display(),
            plural(boards.len(), "position", "positions")
        ))?)
    })
}

/// Reads the first positions with each number of empty squares.
fn boards(arguments: &Arguments) -> Result<Vec<Board>, CommandError> {
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
    // Squared standard deviations in discs, measured and modelled.
    let mut rows: BTreeMap<(u32, u32, u32), Vec<[f64; 2]>> = BTreeMap::new();
    for difference in differences {
        let &DepthDifference {
            empties,
            depth,
            reduced,
            discs,
        } = difference;
        let model = f64::from(error.sigma(empties, depth, reduced));
        let depth = if depth >= empties { u32::MAX } else { depth };
        let row = rows.entry((empties / BAND, depth, reduced)).or_default();
        row.push([discs.powi(2), model.powi(2)]);
    }
    for ((band, depth, reduced), squares) in rows {
        let count = squares.len();
        let root_mean = |column: usize| {
            let sum: f64 = squares.iter().map(|row| row[column]).sum();
            (sum / count as f64).sqrt()
        };
        let depth = match depth {
            u32::MAX => "exact".to_owned(),
            depth => depth.to_string(),
        };
        print_line(format_args!(
            "{:>3}..{:<3} {depth:>6} {reduced:>8} {count:>10} {:>7.2} {:>7.2}",
            band * BAND,
            band * BAND + BAND - 1,
            root_mean(0),
            root_mean(1),
        ))?;
    }
    Ok(())
}
