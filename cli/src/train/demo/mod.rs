//! `outflank train demo`: an evaluation from nothing, by the other commands of `outflank train`.

mod report;
mod steps;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use outflank::StopHandle;
use outflank::eval::{Knot, Model, PACKED};

use super::{ThreadsArgument, TrainError, duel, fit, generate, score};
use crate::numbers::{ANY, grouped, whole};
use crate::output::{clock, line, remark};
use crate::progress::ProgressArgument;
use crate::replace::replace;
use crate::{
    CommandError, IsaArgument, interrupted_status, make_folder, tell_and_stop_on_interrupt,
};
use outflank::text::counted;
use report::Report;
use steps::{Steps, WhyNot};

/// Train an evaluation from scratch at a small size: play, label, fit, twice, and see how good it is
///
/// No weights and no games go in: the first round plays with an evaluation that finds every position
/// even, and learns from exact solves; the second plays and searches with the weights of the first.
/// Each step is another command of `outflank train`, shown before it is carried out, to be repeated by
/// hand at a larger size. The folder gets all records and weights, pictures of the errors (with --network also
/// of the learning curves) and report.md.
///
/// The same seed gives the same records and weights, to the bit, at any number of threads. As it is it
/// takes about two minutes on two cores. Ctrl-C ends it; what was finished stays.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A new folder, or an empty one, for all that is made
    #[arg(value_name = "OUT-FOLDER", default_value = "outflank-demo")]
    folder: PathBuf,

    /// Train networks instead of linear weights, with a picture of the learning curves of each
    #[arg(long)]
    network: bool,

    /// Games of each round
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = whole::<u32>(32..=1_000_000))]
    games: u32,

    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY))]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsArgument,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train demo                      into the folder outflank-demo
  outflank train demo big --games 80000    ten times as much of everything
  outflank train demo --network            networks instead of linear weights";

/// What the weights are called that know nothing.
const NOTHING: &str = "nothing.weights";

/// Trains and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let isa = arguments.isa.isa()?;
    enter(&arguments.folder)?;
    let stop = StopHandle::default();
    let told = "ending this step; Ctrl-C again gives it up";
    tell_and_stop_on_interrupt(&stop, Some(told))?;

    let start = Instant::now();
    replace(Path::new(NOTHING), &knows_nothing().write())?;
    let mut steps = Steps::new(stop, &arguments.progress);
    let (measured, games) = match train(arguments, &mut steps) {
        Ok(results) => results,
        Err(WhyNot::Failed(error)) => return Err(error),
        Err(WhyNot::Interrupted) => {
            remark(format_args!(
                "{}: has what was finished, and no report",
                arguments.folder.display()
            ));
            return Ok(interrupted_status());
        }
    };
    let report = Report {
        about: format!(
            "{} a round, seed {}, level {isa}, {}",
            counted(grouped(arguments.games.into()), "game", "games"),
            arguments.seed,
            counted(arguments.threads.count(), "thread", "threads")
        ),
        time: start.elapsed(),
        steps: steps.done(),
        measured: &measured,
        games: &games,
    };
    replace(Path::new("report.md"), report.text().as_bytes())?;
    line("The mean amount of the error, in discs:\n")?;
    line(report.errors())?;
    line(format_args!(
        "\n{}: the records, the weights, errors.svg and report.md, after {}",
        arguments.folder.display(),
        clock(report.time)
    ))?;
    Ok(0)
}

/// Makes the folder and goes there, so that commands can name files as one would who is in it.
fn enter(folder: &Path) -> Result<(), CommandError> {
    make_folder(folder)?;
    let unusable = |error| CommandError::Folder(folder.to_owned(), error);
    if fs::read_dir(folder).map_err(unusable)?.next().is_some() {
        return Err(TrainError::NotEmpty(folder.to_owned()).into());
    }
    std::env::set_current_dir(folder).map_err(unusable)
}

/// Weights that find every position even.
fn knows_nothing() -> Model {
    let knot = Knot {
        empties: 0,
        weights: vec![0; PACKED],
    };
    let about = "knows nothing: every position is even".to_owned();
    Model::linear(vec![knot], [0; 61], about).expect("there is a knot")
}

/// Both rounds, and what they are worth: the errors, and how the games between them ended.
fn train(
    arguments: &Arguments,
    steps: &mut Steps,
) -> Result<(Vec<score::Measured>, String), WhyNot> {
    let games = arguments.games;
    let seeds = [0, 1, 2].map(|step| arguments.seed.wrapping_add(step));
    // A few positions are soon learnt by heart.
    let iterations = (games / 8).clamp(10, 40);
    let fit = |round: u32, options: &str| match arguments.network {
        true => format!("fit --network {options} --epochs 8 --svg round-{round}.svg"),
        false => format!("fit {options} --iterations {iterations}"),
    };
    // A network has learnt nothing about numbers of empty squares that no position has; linear weights have those of
    // the nearest knot there.
    let line = if arguments.network { " --line 1" } else { "" };
    let threads = arguments.threads.threads;
    let threads = threads.map_or(String::new(), |threads| format!(" --threads {threads}"));
    let isa = arguments.isa.isa.as_deref();
    let isa = isa.map_or(String::new(), |isa| format!(" --isa {isa}"));

    steps.carry_out(
        "The first round plays without knowing anything. Positions of up to 14 empty squares are \
         solved; those before get the exact result of their game",
        &format!(
            "generate round-1.records --from self --weights {NOTHING} --seed {} --games {games} \
             --play-depth 1 --random-plies 4 --strays 20 --per-game 16 --empties 10..14:6,15..44 \
             --exact 14 --above game{line}{threads}{isa}",
            seeds[0]
        ),
        generate::generate,
    )?;
    steps.carry_out(
        "Weights are fitted; the result of a game counts a tenth of a solve",
        &format!(
            "{} --out round-1.weights{threads}",
            fit(1, "round-1.records --games-weight 0.1")
        ),
        fit_whole,
    )?;
    steps.carry_out(
        "The second round plays with the weights of the first, and searches what it does not solve",
        &format!(
            "generate round-2.records --from self --weights round-1.weights --seed {} \
             --games {games} --play-depth 2 --strays 10 --per-game 16 --empties 10..14:6,15..44 \
             --exact 14 --depth 4{line}{threads}{isa}",
            seeds[1]
        ),
        generate::generate,
    )?;
    steps.carry_out(
        "Weights are fitted to both rounds, but for the results of games",
        &format!(
            "{} --out round-2.weights{threads}",
            fit(2, "round-1.records round-2.records")
        ),
        fit_whole,
    )?;

    // Without weights of its own, the program has no better judge than what it has just made.
    let (judge, too) = match Model::embedded() {
        Some(_) => ("", " --weights -"),
        None => (" --weights round-2.weights", ""),
    };
    steps.carry_out(
        "Other games are to tell how good the weights are. Up to 18 empty squares are solved; others \
         are searched, by the weights that are built in if there are any",
        &format!(
            "generate held-out.records --from self{judge} --seed {} --games {} --play-depth 4 \
             --per-game 10 --empties 10..18,20,24,28,32,36,40 --exact 18 --depth 6{threads}{isa}",
            seeds[2],
            games.div_ceil(20)
        ),
        generate::generate,
    )?;
    let mut measured = Vec::new();
    steps.carry_out(
        "How far the static values are from what those positions are worth",
        &format!(
            "score held-out.records --weights {NOTHING} --weights round-1.weights \
             --weights round-2.weights{too} --svg errors.svg{isa}"
        ),
        |arguments, _| {
            (measured, _) = score::score(arguments, |_| Ok(()))?;
            Ok("errors.svg, and the table at the end".to_owned())
        },
    )?;
    let games = steps.carry_out(
        "Which weights play better",
        &format!(
            "duel round-2.weights round-1.weights --games {} --depth 3{threads}{isa}",
            games.div_ceil(20).min(10_000)
        ),
        duel::duel,
    )?;
    Ok((measured, games))
}

fn fit_whole(arguments: &fit::Arguments, stop: &StopHandle) -> Result<String, CommandError> {
    fit::prepare(arguments)?.carry_out(arguments, stop)
}
