//! `outflank train demo`: training from scratch, by the other commands of `outflank train`.

mod report;
mod steps;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use outflank::eval::{KNOT_WEIGHTS, Knot, Model};
use outflank::{Isa, StopHandle};

use super::{RunArguments, TrainError, duel, fit, generate, run_until_stopped, score};
use crate::console::{clock, print_line, remark};
use crate::error::FolderError;
use crate::number_options::{ANY_U64, grouped, whole};
use crate::replace::replace;
use crate::{CommandError, make_folder};
use outflank_support::text::plural;
use report::Report;
use steps::{Interrupted, Steps};

/// Train an evaluation from scratch at a small size: two rounds of self-play, labels and fits
///
/// The demo needs no weights and no games. In the first round all weights are zero, and positions are labelled by exact
/// solves and results of games. The second round plays and searches with the weights of the first. Each step is another
/// command of `outflank train`. The command is shown before it runs, so that it can be repeated at a larger size.
///
/// The folder gets all records and weights, a report (report.md) and a picture of the errors. With --network it also
/// gets pictures of the learning curves.
///
/// Equal seeds give equal records and weights, to the bit, with any number of threads. By default the demo takes about
/// 80 seconds on two cores. Ctrl-C ends it and keeps the finished files.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// New or empty folder for all results
    #[arg(value_name = "OUT-FOLDER", default_value = "outflank-demo")]
    folder: PathBuf,

    /// Train networks instead of linear weights, and draw their learning curves
    #[arg(long)]
    network: bool,

    /// Number of games per round, 32 to 1,000,000
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = whole::<u32>(32..=1_000_000))]
    games: u32,

    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY_U64))]
    seed: u64,

    #[command(flatten)]
    run: RunArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank train demo                      results in the folder outflank-demo
  outflank train demo big --games 80000    ten times as many games
  outflank train demo --network            networks instead of linear weights";

/// File of weights that are all zero.
const ZERO_WEIGHTS: &str = "nothing.weights";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.run.isa.isa()?;
    enter(&arguments.folder)?;
    let notice = "ending this step; Ctrl-C again gives it up";
    run_until_stopped(Some(notice), |stop| match demo(arguments, isa, stop) {
        Err(error) if error.downcast_ref::<Interrupted>().is_some() => {
            let folder = arguments.folder.display();
            remark(format_args!(
                "{folder}: has the finished files, and no report"
            ));
            Ok(())
        }
        result => result,
    })
}

/// Trains in the current folder and writes the report.
fn demo(arguments: &Arguments, isa: Isa, stop: &StopHandle) -> Result<(), CommandError> {
    let start = Instant::now();
    replace(Path::new(ZERO_WEIGHTS), &zero_model().write())?;
    let mut steps = Steps::new(stop, &arguments.run.progress);
    let (measured, games) = train(arguments, &mut steps)?;
    let report = Report {
        about: format!(
            "{} a round, seed {}, level {isa}, {}",
            plural(grouped(arguments.games.into()), "game", "games"),
            arguments.seed,
            plural(arguments.run.threads.count(), "thread", "threads")
        ),
        time: start.elapsed(),
        steps: &steps.done,
        measured: &measured,
        games: &games,
    };
    replace(Path::new("report.md"), report.text().as_bytes())?;
    print_line("Mean absolute error, in discs:\n")?;
    print_line(report.errors())?;
    Ok(print_line(format_args!(
        "\n{}: the records, the weights, errors.svg and report.md, after {}",
        arguments.folder.display(),
        clock(report.time)
    ))?)
}

/// Creates the folder and makes it the current one, so that commands name its files without a path.
fn enter(folder: &Path) -> Result<(), CommandError> {
    make_folder(folder)?;
    let unusable = |error| FolderError(folder.to_owned(), error);
    if fs::read_dir(folder).map_err(unusable)?.next().is_some() {
        return Err(TrainError::NotEmpty(folder.to_owned()).into());
    }
    Ok(std::env::set_current_dir(folder).map_err(unusable)?)
}

/// Linear weights of zero.
fn zero_model() -> Model {
    let knot = Knot {
        empties: 0,
        weights: vec![0; KNOT_WEIGHTS],
    };
    let about = "knows nothing: every position is even".to_owned();
    Model::linear(vec![knot], [0; 61], about).expect("one knot is valid")
}

/// Runs both rounds and measures them. Returns the errors and the result of the duel.
fn train(
    arguments: &Arguments,
    steps: &mut Steps,
) -> Result<(Vec<score::MeasuredErrors>, String), CommandError> {
    let games = arguments.games;
    let seeds = [0, 1, 2].map(|step| arguments.seed.wrapping_add(step));
    // More iterations would overfit few positions.
    let iterations = (games / 8).clamp(10, 40);
    let fit = |round: u32, options: &str| match arguments.network {
        true => format!("fit --network {options} --epochs 8 --svg round-{round}.svg"),
        false => format!("fit {options} --iterations {iterations}"),
    };
    // A network generalises badly to numbers of empty squares without positions. Linear weights take the nearest knot.
    let line = if arguments.network { " --line 1" } else { "" };
    let threads = arguments.run.threads.threads;
    let threads = threads.map_or(String::new(), |threads| format!(" --threads {threads}"));
    let isa = arguments.run.isa.isa.as_deref();
    let isa = isa.map_or(String::new(), |isa| format!(" --isa {isa}"));

    steps.run(
"The first round plays with weights of zero. Positions of up to 14 empty squares are \
solved; earlier ones get the exact result of their game",
        &format!(
"generate round-1.records --from self --weights {ZERO_WEIGHTS} --seed {} --games {games} \
             --play-depth 1 --random-plies 4 --strays 20 --per-game 16 --empties 10..14:6,15..44 \
             --exact 14 --above game{line}{threads}{isa}",
            seeds[0]
        ),
        generate::generate,
    )?;
    steps.run(
        "Weights are fitted; the result of a game has a tenth of the weight of a solve",
        &format!(
            "{} --out round-1.weights{threads}",
            fit(1, "round-1.records --games-weight 0.1")
        ),
        fit::fit,
    )?;
    steps.run(
"The second round plays with the weights of the first, and searches positions that are not solved",
        &format!(
            "generate round-2.records --from self --weights round-1.weights --seed {} \
             --games {games} --play-depth 2 --strays 10 --per-game 16 --empties 10..14:6,15..44 \
             --exact 14 --depth 4{line}{threads}{isa}",
            seeds[1]
        ),
        generate::generate,
    )?;
    steps.run(
        "Weights are fitted to both rounds, without the results of games",
        &format!(
            "{} --out round-2.weights{threads}",
            fit(2, "round-1.records round-2.records")
        ),
        fit::fit,
    )?;

    // A build without weights labels the held-out positions by the weights of the second round.
    let (label_weights, built_in) = match Model::embedded() {
        Some(_) => ("", " --weights -"),
        None => (" --weights round-2.weights", ""),
    };
    steps.run(
        "Other games measure the weights. Positions of up to 18 empty squares are solved; others \
are searched with the built-in weights if there are any",
        &format!(
            "generate held-out.records --from self{label_weights} --seed {} --games {} --play-depth 4 \
             --per-game 10 --empties 10..18,20,24,28,32,36,40 --exact 18 --depth 6{threads}{isa}",
            seeds[2],
            games.div_ceil(20)
        ),
        generate::generate,
    )?;
    let mut measured = Vec::new();
    steps.run(
        "Errors of the static values on those positions",
        &format!(
            "score held-out.records --weights {ZERO_WEIGHTS} --weights round-1.weights \
             --weights round-2.weights{built_in} --svg errors.svg{isa}"
        ),
        |arguments, _| {
            (measured, _) = score::score(arguments, |_| Ok(()))?;
            Ok("errors.svg, and the table at the end".to_owned())
        },
    )?;
    let games = steps.run(
        "Games between the rounds",
        &format!(
            "duel round-2.weights round-1.weights --games {} --depth 3{threads}{isa}",
            games.div_ceil(20).min(10_000)
        ),
        duel::duel,
    )?;
    Ok((measured, games))
}
