//! `outflank train probcut`: how far deep searches are from shallow ones.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::eval::{ErrorModel, Evaluation, Model};
use outflank::text::counted;
use outflank::{Board, StopHandle};
use outflank_train::probcut::{Difference, ProbcutSettings, fit, measure};
use outflank_train::record::{Damage, Reader};

use super::{ThreadsArgument, TrainError};
use crate::numbers::{SOME, whole};
use crate::output::line;
use crate::outputs::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::{CommandError, IsaArgument, interrupted_status, stop_on_interrupt};

/// Fit the error model that selective searches go by
///
/// Positions of record files are searched to every depth, and those with few empty squares to the end.
/// The standard deviation of the differences, by empty squares and both depths, is fitted by a smooth
/// function, which OUT gets besides the weights.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Record files to take positions from
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,

    /// The weights to measure: ours or Edax's [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// The file for the weights with the error model; older weights are replaced, also those of --weights,
    /// which only gain by it
    #[arg(long, value_name = "OUT")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,

    /// Positions to take of each number of empty squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>(SOME))]
    positions: usize,

    /// The deepest search, in plies; fewer than 5 cannot tell the model's coefficients apart
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = whole::<u32>(5..=60))]
    depth: u32,

    /// The most empty squares that are searched to the end
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

/// Measures, fits and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.isa.isa()?;
    // Before hours of searching, not after them.
    let files = Files::new().reading("RECORDS", &arguments.records);
    let mut out = files.writing_one("--out", &arguments.out, kind::WEIGHTS, arguments.force)?;
    let mut model = match &arguments.weights {
        Some(path) => Model::load(path)?,
        None => Model::embedded().ok_or(CommandError::NoWeights)?,
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
    let found = measure(isa, &evaluation, &boards, settings, &stop, || {
        progress.advance()
    })?;
    drop(progress);
    let Some(differences) = found else {
        return Ok(interrupted_status());
    };
    let error = fit(&differences).ok_or(TrainError::TooFewPositions(boards.len()))?;
    report(&differences, &error)?;
    model.error = Some(error);
    out.write(&model.write())?;
    line(format_args!(
        "{}: error model from {}",
        arguments.out.display(),
        counted(boards.len(), "position", "positions")
    ))?;
    Ok(0)
}

/// The first positions of each number of empty squares.
fn boards(arguments: &Arguments) -> Result<Vec<Board>, TrainError> {
    let mut taken = [0; 61];
    let mut boards = Vec::new();
    for path in &arguments.records {
        for block in Reader::open(path, Damage::Refuse)? {
            for record in block?.records {
                let taken = &mut taken[record.board.empty_count().min(60) as usize];
                if *taken < arguments.positions {
                    *taken += 1;
                    boards.push(record.board);
                }
            }
        }
    }
    Ok(boards)
}

/// A table of what was measured and what the model says.
fn report(differences: &[Difference], error: &ErrorModel) -> Result<(), CommandError> {
    /// Numbers of empty squares that are shown together.
    const BAND: u32 = 6;
    line("empties  depth  reduced  positions   sigma   model")?;
    let mut rows: Vec<(u32, u32, u32, f64, f64)> = differences
        .iter()
        .map(|one| {
            let exact = one.depth >= one.empties;
            let depth = if exact { u32::MAX } else { one.depth };
            let model = f64::from(error.sigma(one.empties, one.depth, one.reduced));
            let square = |discs: f64| discs * discs;
            (
                one.empties / BAND,
                depth,
                one.reduced,
                square(one.discs),
                square(model),
            )
        })
        .collect();
    rows.sort_by_key(|row| (row.0, row.1, row.2));
    for group in rows.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
        let (band, depth, reduced, ..) = group[0];
        let count = group.len() as f64;
        let mean = |of: fn(&(u32, u32, u32, f64, f64)) -> f64| {
            (group.iter().map(of).sum::<f64>() / count).sqrt()
        };
        let depth = match depth {
            u32::MAX => "exact".to_owned(),
            depth => depth.to_string(),
        };
        line(format_args!(
            "{:>3}..{:<3} {depth:>6} {reduced:>8} {:>10} {:>7.2} {:>7.2}",
            band * BAND,
            band * BAND + BAND - 1,
            group.len(),
            mean(|row| row.3),
            mean(|row| row.4),
        ))?;
    }
    Ok(())
}
