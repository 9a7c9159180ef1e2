//! `outflank train`: training of evaluations.

mod demo;
mod duel;
mod fit;
mod generate;
mod probcut;
mod records;
mod score;
mod stages;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use outflank::eval::{LoadError, Model};
use outflank_train::fit::CheckpointError;
use outflank_train::generate::{CollectionError, GenerateError, PlanError};
use outflank_train::input::{InputError, SkippedInput};
use outflank_train::record::RecordError;

use super::CommandError;
use super::console::remark;
use super::engine::core_count;
use super::input::Remarks;
use crate::number_options::whole;
use outflank_support::text::plural;

/// Train an evaluation: label positions, fit weights, measure errors
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank train demo                                  an evaluation from scratch, in two minutes
  outflank train generate a.records --from WTH_*.wtb   labelled positions
  outflank train fit a.records --out my.weights        weights fitted to these positions
  outflank train duel my.weights -                     games against the built-in weights";

#[derive(Subcommand)]
enum Command {
    Generate(generate::Arguments),
    Records(records::Arguments),
    Fit(fit::Arguments),
    Stages(stages::Arguments),
    Score(score::Arguments),
    Probcut(probcut::Arguments),
    Duel(duel::Arguments),
    Demo(demo::Arguments),
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
pub(super) enum TrainError {
    #[error("{}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Games(PathBuf, #[source] CollectionError),
    #[error(transparent)]
    Weights(#[from] LoadError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: {}", .0.display(), .1)]
    Checkpoint(PathBuf, #[source] CheckpointError),
    #[error("--go-on needs files of games to go on from: `--from self` has none")]
    NothingToGoOnFrom,
    #[error("there is no position to learn from: give records, or games of WTHOR databases")]
    NothingToLearn,
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
    #[error("{}: linear weights have no stages, a network is needed", name_of(.0))]
    NotNetwork(PathBuf),
    #[error("{} is not empty: name a new folder, or empty this one", .0.display())]
    NotEmpty(PathBuf),
}

impl TrainError {
    /// Returns `true` if the command line is at fault.
    pub(super) fn is_usage(&self) -> bool {
        matches!(
            self,
            TrainError::Plan(_)
                | TrainError::NothingToGoOnFrom
                | TrainError::NotNetwork(_)
                | TrainError::Openings { .. }
                | TrainError::NotEmpty(_)
                | TrainError::Generate(GenerateError::Plan(_) | GenerateError::Solver(_))
        )
    }
}

/// Loads the weights at `path`; `-` stands for those built in.
fn weights(path: &Path) -> Result<Model, CommandError> {
    match path == Path::new("-") {
        true => Model::embedded().ok_or(CommandError::no_weights()),
        false => Ok(Model::load(path)?),
    }
}

/// Paths of weights without `-`.
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
    let mut faults = Remarks::of(&name);
    unused.faults.iter().for_each(|fault| faults.add(fault));
    faults.end("fault", "faults");
    if unused.without_score > 0 {
        remark(format_args!(
            "{name}: positions without a score, left out: {}",
            unused.without_score
        ));
    }
    !unused.faults.is_empty()
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Records(arguments) => records::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Stages(arguments) => stages::run(arguments),
        Command::Score(arguments) => score::run(arguments),
        Command::Probcut(arguments) => probcut::run(arguments),
        Command::Duel(arguments) => duel::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
    }
}
