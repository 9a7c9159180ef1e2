//! `outflank train fit`: weights from labelled positions.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::{Linear, Looks, Model, Parameters};
use outflank::{StopHandle, files};
use outflank_train::fit::{
    Counts, Data, End, Examples, Fit, FitSettings, Limits, Loss, Outcome, Sampling, Stages, Targets,
};
use outflank_train::input::Input;
use outflank_train::network::Training;

use super::{ThreadsArgument, TrainError, network, tell_unused};
use crate::numbers::{ANY, grouped, real, whole};
use crate::output::{complain, line, remark};
use crate::outputs::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::replace::{Output, replace};
use crate::{CommandError, interrupted_status, stop_on_interrupt};
use outflank::text::counted;

/// Fit the weights of an evaluation to labelled positions
///
/// Positions come from records, from games (WTHOR, GGF: those with a theoretical score, as a rule of 24
/// empty squares; with --games-weight the others of finished games, too, also of transcripts, with the
/// result of their game) and from problems (OBF). Equal boards, up to symmetry, become one. Every twentieth game is held out to see how well the weights do on
/// positions that they were not fitted to; the weights that did best there are written.
///
/// With --network a network is trained instead of linear weights, in --epochs passes over the positions.
///
/// The same files and options give the same weights, to the bit, on any machine and any number of
/// threads. Ctrl-C ends the fit with the best weights so far; the training of a network it ends with the
/// network as it is.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Train a network
    #[arg(long, conflicts_with_all = LINEAR_ONLY)]
    pub(super) network: bool,

    /// Passes of the training over all positions
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<usize>(1..=1000))]
    #[arg(requires = "network")]
    pub(super) epochs: usize,

    /// Draw the network's learning curves, errors by epoch, as an SVG picture; an older picture is replaced
    #[arg(long, value_name = "FILE", requires = "network")]
    pub(super) svg: Option<PathBuf>,

    /// Files with labelled positions
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The file for the weights; older weights are replaced
    #[arg(long, value_name = "OUT")]
    pub(super) out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,

    /// Learn nothing from files with games of later years: their positions are left out wherever they occur
    #[arg(long, value_name = "YEAR", value_parser = whole::<u16>(0..=65_535))]
    until: Option<u16>,

    /// Leave out the positions of this file, up to symmetry, as `train score` takes them from it; may be
    /// given several times
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,

    /// Weight of a position whose value comes from a search; an exact score has weight 1
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = real(0.0..=1e6_f32))]
    search_weight: f32,

    /// Weight of a position whose value is the result of its game; 0 leaves such positions out
    #[arg(long, value_name = "W", default_value_t = 0.0, value_parser = real(0.0..=1e6_f32))]
    games_weight: f32,

    /// Share of the games that is held out, from 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = real(0.0..=0.9))]
    hold_out: f64,

    /// Seed of the choice of held-out games; for a network also of its first weights and of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY))]
    pub(super) seed: u64,

    /// Numbers of empty squares that have weights of their own; weights between them are interpolated
    #[arg(
        long,
        value_name = "LIST",
        default_value = "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60"
    )]
    #[arg(value_parser = stages)]
    knots: Stages,

    /// Weight decay: a weight that occurs in so many positions is halved
    #[arg(long, value_name = "POSITIONS", default_value_t = 30.0, value_parser = real(0.0..=1e6_f32))]
    decay: f32,

    /// Smoothing: a weight that occurs in so many positions is drawn half way to that of the next knot, if the knots are
    /// one empty square apart
    #[arg(long, value_name = "POSITIONS", default_value_t = 100.0, value_parser = real(0.0..=1e6_f32))]
    smooth: f32,

    /// Lengths of the parts of a pattern that have weights, too, for patterns that are rare: LO-HI, or none
    #[arg(long, value_name = "LO-HI", default_value = "1-8", value_parser = windows)]
    windows: Windows,

    /// Huber loss: from an error of so many discs on, the loss grows linearly [default: the squared error throughout;
    /// for a network 6]
    #[arg(long, value_name = "DISCS", value_parser = real(0.01..=128.0_f32))]
    pub(super) huber: Option<f32>,

    /// Most iterations of the fit
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole::<usize>(0..=1_000_000))]
    iterations: usize,

    /// Iterations without a gain on held-out positions after which the fit ends
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = whole::<usize>(0..=1_000_000))]
    patience: usize,

    /// Keep the state in FILE, every ten iterations or 20 times an epoch of a network; an existing FILE is continued
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Begin with these weights, ours or Edax's [default: zero]
    #[arg(long, value_name = "WEIGHTS")]
    start: Option<PathBuf>,

    #[command(flatten)]
    pub(super) threads: ThreadsArgument,

    #[command(flatten)]
    pub(super) progress: ProgressArgument,
}

/// Options that a network has no use for.
const LINEAR_ONLY: [&str; 7] = [
    "knots",
    "decay",
    "smooth",
    "windows",
    "iterations",
    "patience",
    "start",
];

const EXAMPLES: &str = "\
Examples:
  outflank train fit WTH_*.wtb --until 2017 --out games.weights
      the theoretical scores of the games up to 2017; positions of later ones are left out
  outflank train fit *.records --exclude test.obf --out new.weights --checkpoint fit.state
      can be killed and run again
  outflank train fit --network *.records --out network.weights
      a network instead of linear weights";

/// The lengths of windows.
#[derive(Clone)]
struct Windows(Vec<u32>);

fn stages(text: &str) -> Result<Stages, String> {
    let numbers: Result<Vec<u8>, _> = text
        .split(',')
        .map(|number| number.trim().parse())
        .collect();
    let stages = numbers.ok().and_then(Stages::new);
    stages.ok_or_else(|| {
        "expected numbers from 0 to 60 in ascending order, such as 0,30,60".to_owned()
    })
}

fn windows(text: &str) -> Result<Windows, String> {
    if text == "none" {
        return Ok(Windows(Vec::new()));
    }
    let lengths = || {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (1 <= low && low <= high && high <= 9).then(|| Windows((low..=high).collect()))
    };
    lengths().ok_or_else(|| "expected lengths from 1 to 9, such as 1-8, or none".to_owned())
}

/// Fits and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    let prepared = prepare(arguments)?;
    stop_on_interrupt(&stop)?;
    prepared.carry_out(arguments, &stop)?;
    Ok(match stop.is_stopped() {
        true => interrupted_status(),
        false => 0,
    })
}

/// A fit, or the training of a network, that has read its positions, and the open files for its results.
pub(super) struct Prepared {
    task: Task,
    files: Outputs,
}

enum Task {
    Linear(Box<Fit>),
    Network(Box<Training>),
}

/// The files that a fit writes.
pub(super) struct Outputs {
    pub(super) weights: Output,
    /// The learning curves of a network.
    pub(super) picture: Option<Output>,
}

/// Reads what is to be learnt from, and says how much it is.
pub(super) fn prepare(arguments: &Arguments) -> Result<Prepared, CommandError> {
    // Before hours of fitting, not after them.
    let files = outputs(arguments)?;
    let task = match arguments.network {
        true => Task::Network(Box::new(network::prepare(arguments)?)),
        false => Task::Linear(Box::new(prepare_linear(arguments)?)),
    };
    Ok(Prepared { task, files })
}

/// Opens the files for the results.
fn outputs(arguments: &Arguments) -> Result<Outputs, CommandError> {
    let [weights, picture] = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--exclude", &arguments.exclude)
        .reading("--start", &arguments.start)
        .updating("--checkpoint", &arguments.checkpoint)?
        .writing(
            [
                ("--out", Some(&arguments.out), kind::WEIGHTS),
                ("--svg", arguments.svg.as_ref(), kind::SVG),
            ],
            arguments.force,
        )?;
    let weights = weights.expect("it was given");
    Ok(Outputs { weights, picture })
}

impl Prepared {
    /// Learns, until `stop` is used at the latest, writes the weights and reports; the result says which
    /// weights they are.
    pub(super) fn carry_out(
        self,
        arguments: &Arguments,
        stop: &StopHandle,
    ) -> Result<String, CommandError> {
        let Prepared { task, files } = self;
        match task {
            Task::Linear(mut fit) => carry_out_linear(arguments, &mut fit, files.weights, stop),
            Task::Network(mut training) => {
                network::carry_out(arguments, &mut training, files, stop)
            }
        }
    }
}

fn prepare_linear(arguments: &Arguments) -> Result<Fit, CommandError> {
    let start = match &arguments.start {
        Some(path) => Some(linear(path)?),
        None => None,
    };
    let start = start.as_ref();
    let threads = arguments.threads.count();
    let targets = targets(arguments)?;
    let data = Data::new(&targets, threads);
    drop(targets);
    let mut fit = Fit::new(data, settings(arguments), start, threads);
    if let Some(path) = &arguments.checkpoint {
        resume(&mut fit, path)?;
    }
    Ok(fit)
}

fn carry_out_linear(
    arguments: &Arguments,
    fit: &mut Fit,
    mut out: Output,
    stop: &StopHandle,
) -> Result<String, CommandError> {
    let end = iterate(arguments, fit, stop)?;
    let outcome = fit.outcome();
    out.write(&outcome.model.write())?;
    tell_held_out(&outcome)?;
    let told = told(arguments, &outcome, end);
    line(&told)?;
    Ok(told)
}

/// The linear evaluation at `path`.
fn linear(path: &Path) -> Result<Linear, CommandError> {
    match Model::load(path)?.parameters {
        Parameters::Linear(linear) => Ok(linear),
        Parameters::Network(_) => Err(CommandError::NotLinear(path.to_owned())),
    }
}

fn settings(arguments: &Arguments) -> FitSettings {
    FitSettings {
        stages: arguments.knots.clone(),
        decay: arguments.decay,
        smooth: arguments.smooth,
        windows: arguments.windows.0.clone(),
        loss: arguments.huber.map_or(Loss::Squared, Loss::Huber),
    }
}

/// Reads all positions, and says how many there are.
pub(super) fn targets(arguments: &Arguments) -> Result<Targets, CommandError> {
    let mut examples = Examples::new(Sampling {
        search: arguments.search_weight,
        games: arguments.games_weight,
        held_out: arguments.hold_out,
        seed: arguments.seed,
    });
    let results = arguments.games_weight > 0.0;
    let progress = arguments
        .progress
        .steps(arguments.files.len() + arguments.exclude.len());
    let files = arguments.files.iter().map(|path| (path, false));
    let excluded = arguments.exclude.iter().map(|path| (path, true));
    for (path, excluded) in files.chain(excluded) {
        let input = Input::open(path).map_err(TrainError::from)?;
        let too_late = arguments
            .until
            .zip(input.year())
            .is_some_and(|(until, year)| year > until);
        let unused = match excluded || too_late {
            true => input.each(false, |record| examples.exclude(record.board)),
            false => input.each(results, |record| examples.add(&record)),
        }
        .map_err(TrainError::from)?;
        progress.aside(|| tell_unused(path, &unused));
        progress.advance();
    }
    drop(progress);
    let targets = examples.targets();
    if targets.counts().training == 0 {
        return Err(TrainError::NothingToLearn.into());
    }
    tell_counts(&targets.counts())?;
    Ok(targets)
}

/// Goes on from the checkpoint at `path`, if there is one.
fn resume(fit: &mut Fit, path: &Path) -> Result<(), CommandError> {
    let Some(bytes) = read_checkpoint(path)? else {
        return Ok(());
    };
    let resumed = fit.resume(&bytes);
    resumed.map_err(|error| TrainError::Checkpoint(path.to_owned(), error))?;
    remark(format_args!(
        "{}: goes on after {}",
        path.display(),
        counted(fit.progress().iteration, "iteration", "iterations")
    ));
    Ok(())
}

/// The contents of the checkpoint at `path`; `None` if there is none yet, but it can be written.
pub(super) fn read_checkpoint(path: &Path) -> Result<Option<Vec<u8>>, CommandError> {
    /// Ten times what one has with the most knots and windows that there can be.
    const MAX_MIB: u64 = 16_384;
    let is_checkpoint = |bytes: &[u8]| matches!(Looks::of(bytes), Looks::Other(_));
    match files::read_if(path, MAX_MIB, "checkpoint", is_checkpoint) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Output::open(path)?;
            Ok(None)
        }
        Err(error) => Err(TrainError::Unreadable(path.to_owned(), error).into()),
    }
}

/// Fits until it is over; `None` if Ctrl-C ended it.
fn iterate(
    arguments: &Arguments,
    fit: &mut Fit,
    stop: &StopHandle,
) -> Result<Option<End>, CommandError> {
    let limits = Limits {
        iterations: arguments.iterations,
        patience: arguments.patience,
    };
    line("iteration| training loss |   MAE  | held-out loss |   MAE")?;
    line("---------+---------------+--------+---------------+--------")?;
    let mut checkpoint = arguments.checkpoint.as_deref();
    let mut state = fit.progress();
    let progress = arguments
        .progress
        .rated(arguments.iterations, state.iteration as u64);
    loop {
        if let Some(end) = state.end(limits) {
            return Ok(Some(end));
        }
        if stop.is_stopped() {
            return Ok(None);
        }
        state = fit.advance();
        let row = format!(
            "{:>9}{:>16.4}{:>9.4}",
            state.iteration, state.training.loss, state.training.mae
        );
        let held_out = state
            .held_out
            .map(|errors| format!("{:>16.4}{:>9.4}", errors.loss, errors.mae));
        progress.aside(|| line(row + &held_out.unwrap_or_default()))?;
        if let Some(path) = checkpoint
            && let Some(bytes) = fit.checkpoint()
            && let Err(error) = replace(path, &bytes)
        {
            progress.aside(|| complain(format_args!("{error}; the fit goes on without")));
            checkpoint = None;
        }
        progress.advance_by(1, || match state.held_out {
            Some(errors) => format!(
                "held-out loss {:.3}, best after {}",
                errors.loss, state.best
            ),
            None => format!("loss {:.3}", state.training.loss),
        });
    }
}

fn tell_counts(counts: &Counts) -> io::Result<()> {
    let number = |count: usize| grouped(count as u64);
    line(format_args!(
        "{}: {} to learn from, {} held out",
        counted(number(counts.given), "position", "positions"),
        counted(
            number(counts.training),
            "different board",
            "different boards"
        ),
        number(counts.held_out)
    ))?;
    let left_out = [
        (counts.excluded, "on boards that were to be left out"),
        (counts.shared, "of held-out games on boards to learn from"),
        (counts.weightless, "of a kind that counts nothing"),
        (counts.unplayable, "where nobody can move"),
    ];
    for (count, which) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        line(format_args!("  {} left out, {which}", number(count)))?;
    }
    Ok(())
}

fn tell_held_out(outcome: &Outcome) -> io::Result<()> {
    if !outcome.held_out.is_empty() {
        line("empties|  held out |  MAE  |  RMSE")?;
        line("-------+-----------+-------+-------")?;
    }
    for stage in &outcome.held_out {
        line(format_args!(
            "{:>7}{:>12}{:>8.3}{:>8.3}",
            stage.empties, stage.positions, stage.errors.mae, stage.errors.rmse
        ))?;
    }
    if outcome.clamped > 0 {
        line(format_args!(
            "{} over 255 discs clamped",
            counted(outcome.clamped, "weight", "weights")
        ))?;
    }
    Ok(())
}

/// Which weights were written, and why those.
fn told(arguments: &Arguments, outcome: &Outcome, end: Option<End>) -> String {
    let end = match end {
        Some(End::Converged) => "nothing more to gain",
        Some(End::NoBetter) => "held-out positions gained no more",
        Some(End::Iterations) => "the iterations are used up",
        None => "interrupted",
    };
    format!(
        "{}: the weights after {}, packed in steps of {}/128 disc; {end}",
        arguments.out.display(),
        counted(outcome.iteration, "iteration", "iterations"),
        outcome.resolution,
    )
}
