//! `outflank train`: training of evaluations.

mod demo;
mod duel;
mod fit;
mod generate;
mod probcut;
mod records;
mod score;
mod stages;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::StopHandle;
use outflank::eval::Model;
use outflank_train::generate::{GenerateError, PlanError};
use outflank_train::input::{InputError, SkippedInput};
use outflank_train::record::RecordError;

use super::console::remark;
use super::engine::IsaArgument;
use super::error::{CommandError, FAILURE, NoWeights, USAGE, exit_status};
use super::input::Remarks;
use super::progress::ProgressArgument;
use super::signals::{status_unless_stopped, stop_on_interrupt_with_notice};
use crate::number_options::whole;
use outflank_support::text::plural;
use outflank_support::threads::core_count;

crate::subcommands! {
    /// Train an evaluation: label positions, fit weights, measure errors
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Generate(generate::Arguments) => generate::run,
        Records(records::Arguments) => records::run,
        Fit(fit::Arguments) => fit::run,
        Stages(stages::Arguments) => stages::run,
        Score(score::Arguments) => score::run,
        Probcut(probcut::Arguments) => probcut::run,
        Duel(duel::Arguments) => duel::run,
        Demo(demo::Arguments) => demo::run,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank train demo                                  an evaluation from scratch, in 80 seconds
  outflank train generate a.records --from WTH_*.wtb   labelled positions
  outflank train fit a.records --out my.weights        weights fitted to these positions
  outflank train duel my.weights -                     games against the built-in weights";

// Options of commands that search on several threads.
#[derive(Args)]
struct RunArguments {
    #[command(flatten)]
    threads: ThreadsArgument,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

/// Number of threads.
#[derive(Args)]
struct ThreadsArgument {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    fn count(&self) -> usize {
        match self.threads {
            Some(threads) => threads.into(),
            None => core_count(),
        }
    }
}

/// Error of a training command.
#[derive(Debug, thiserror::Error)]
enum TrainError {
    #[error("--go-on needs files of games to go on from: `--from self` has none")]
    NothingToGoOnFrom,
    #[error("there is no position to learn from: give records, or games of WTHOR databases")]
    NothingToLearn,
    #[error("no position has {} to {} empty squares: give other records, or other --empties", .0.start(), .0.end())]
    NothingInStages(RangeInclusive<usize>),
    #[error(
        "positions of {} and {} empty squares have different networks: give another --empties",
        .0.start() - 1, .0.end()
    )]
    DifferentNetworks(RangeInclusive<usize>),
    #[error(
        "{} need {}, and there are {openings} after {}",
        plural(games, "game", "games"),
        plural(games.div_ceil(2), "opening", "openings"),
        plural(plies, "ply", "plies")
    )]
    Openings {
        plies: u32,
        openings: usize,
        games: u32,
    },
    #[error(
        "{} too few for an error model: give it more records, or a larger --positions or \
         --exact",
        plural(.0, "position is", "positions are")
    )]
    TooFewPositions(usize),
    #[error("{} is not empty: name a new folder, or empty this one", .0.display())]
    NotEmpty(PathBuf),
}
exit_status!(TrainError {
    Self::NothingToLearn | Self::NothingInStages(_) | Self::TooFewPositions(_) => FAILURE,
    _ => USAGE
});
exit_status!(GenerateError { Self::Plan(_) | Self::Solver(_) => USAGE, _ => FAILURE });
exit_status!(USAGE; PlanError);
exit_status!(FAILURE; RecordError, InputError);

/// Runs `work` and returns the exit status. The first signal stops `work` by its stop handle and writes `notice`.
fn run_until_stopped<T>(
    notice: Option<&'static str>,
    work: impl FnOnce(&StopHandle) -> Result<T, CommandError>,
) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    stop_on_interrupt_with_notice(&stop, notice)?;
    work(&stop)?;
    Ok(status_unless_stopped(&stop, 0))
}

/// Loads the weights at `path`; `-` stands for those built in.
fn weights(path: &Path) -> Result<Model, CommandError> {
    match path == Path::new("-") {
        true => Ok(Model::embedded().ok_or(NoWeights)?),
        false => Ok(Model::load(path)?),
    }
}

/// Paths of weights that are files: all except `-`.
fn files_of<'a>(
    weights: impl IntoIterator<Item = &'a PathBuf>,
) -> impl Iterator<Item = &'a PathBuf> {
    weights.into_iter().filter(|path| *path != Path::new("-"))
}

/// Display name of the weights at `path`.
fn name_of(path: &Path) -> String {
    match path == Path::new("-") {
        true => "built in".to_owned(),
        false => path.display().to_string(),
    }
}

/// Reports the skipped parts of a file. Returns `true` if the file is faulty.
fn report_unused(path: &Path, unused: &SkippedInput) -> bool {
    let name = path.display().to_string();
    Remarks::list(&name, &unused.faults, ["fault", "faults"]);
    if unused.without_score > 0 {
        remark(format_args!(
            "{name}: positions without a score, left out: {}",
            unused.without_score
        ));
    }
    !unused.faults.is_empty()
}
