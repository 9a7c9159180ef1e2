//! `outflank train duel`: games between two evaluations.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::StopHandle;
use outflank::eval::Evaluation;
use outflank::openings::openings;
use outflank_train::duel::{DuelOutcome, DuelSettings, outcome, play};

use super::{RunArguments, TrainError, run_until_stopped, weights};
use crate::CommandError;
use crate::console::print_line;
use crate::json::{object, to_line};
use crate::number_options::{POSITIVE_U32, whole};
use outflank_tournament::share_error;

/// Play games between two evaluations at equal depth
///
/// Every opening is played twice, with colours exchanged. The openings are spread evenly over all positions after
/// --plies plies. A win counts one point, a draw half a point. The standard error is computed from pairs of games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// First evaluation: weights of Outflank or Edax, or - for the built-in weights
    #[arg(value_name = "A")]
    first: PathBuf,

    /// Second evaluation, like A
    #[arg(value_name = "B")]
    second: PathBuf,

    /// Number of games, two for each opening; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u32>(POSITIVE_U32))]
    games: u32,

    /// Search depth D in plies; the last D squares are played perfectly
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = whole::<u32>(1..=60))]
    depth: u32,

    /// Plies of the openings, at most 9
    #[arg(long, value_name = "P", default_value_t = 8, value_parser = whole::<u32>(0..=9))]
    plies: u32,

    /// Write the result as one JSON object instead of a sentence
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    run: RunArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank train duel new.weights -               new weights against those built in
  outflank train duel - eval.dat --games 5000 --depth 6";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    run_until_stopped(None, |stop| duel(arguments, stop))
}

/// Plays until `stop` is used and reports. Returns a summary, empty without a finished pair.
pub(super) fn duel(arguments: &Arguments, stop: &StopHandle) -> Result<String, CommandError> {
    let isa = arguments.run.isa.isa()?;
    let player = |path: &PathBuf| weights(path).map(|model| Arc::new(Evaluation::new(model)));
    let players = [player(&arguments.first)?, player(&arguments.second)?];
    let all = openings(arguments.plies);
    let wanted = arguments.games.div_ceil(2) as usize;
    if wanted > all.len() {
        return Err(TrainError::Openings {
            plies: arguments.plies,
            openings: all.len(),
            games: arguments.games,
        }
        .into());
    }
    let chosen: Vec<_> = (0..wanted).map(|i| all[i * all.len() / wanted]).collect();
    let settings = DuelSettings {
        depth: arguments.depth,
        threads: arguments.run.threads.count(),
    };

    let progress = arguments.run.progress.steps(wanted);
    let pairs = play(isa, &players, &chosen, settings, stop, || {
        progress.advance()
    })?;
    drop(progress);
    let summary = match outcome(&pairs) {
        None => return Ok(String::new()),
        Some(outcome) if arguments.json => json(&outcome),
        Some(outcome) => sentence(&outcome),
    };
    print_line(&summary)?;
    Ok(summary)
}

fn sentence(outcome: &DuelOutcome) -> String {
    let [wins, draws, losses] = outcome.games;
    format!(
        "A against B: {wins} won, {draws} drawn, {losses} lost: {:.1} % (standard error {:.1}), \
         {:+.2} discs a game (standard error {:.2})",
        100.0 * outcome.points,
        100.0 * share_error(&outcome.pairs),
        outcome.discs,
        outcome.discs_error,
    )
}

fn json(outcome: &DuelOutcome) -> String {
    let [wins, draws, losses] = outcome.games;
    to_line(&object! {
        wins,
        draws,
        losses,
        points: outcome.points,
        points_error: share_error(&outcome.pairs),
        discs: outcome.discs,
        discs_error: outcome.discs_error,
    })
}
