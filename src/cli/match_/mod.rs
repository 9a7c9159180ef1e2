//! `outflank match`: games between two engines.

mod report;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::{Timestamp, tz::TimeZone};
use outflank::tournament::statistics::Tally;
use outflank::tournament::{
    Contest, ContestError, Contestant, ContestantError, Control, Draw, Finished, Log, LogError,
    Openings, OpeningsError, Protocol, Settings, Sprt, SprtError,
};
use outflank::train::openings::MOST_PLIES;
use outflank::{Level, StopHandle, files};

use super::output::{line, remark};
use super::progress::Progress;
use super::{CommandError, INTERRUPTED, LevelArgument, input, stop_on_interrupt};
use report::Standing;

/// Play games between two engines, and tell which one is stronger
///
/// An engine is a program that speaks GTP or NBoard's protocol; its command is split into words as a
/// shell does. Each opening is played twice, with colours changed. An engine that ends, hangs, floods,
/// answers nonsense or an illegal move, or oversteps its time loses that game, is started again, and
/// the match goes on.
///
/// Without a limit the engines play as their commands tell them to. GTP has times but no depth, NBoard
/// a depth and clocks but no time for a move, and both have no number of nodes: {depth}, {nodes} and
/// {time} in a command stand for the limit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The command of the first engine
    #[arg(value_name = "A")]
    a: String,

    /// The command of the second one
    #[arg(value_name = "B")]
    b: String,

    /// What A speaks [default: what it answers to]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocols())]
    protocol_a: Option<Protocol>,

    /// What B speaks [default: what it answers to]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocols())]
    protocol_b: Option<Protocol>,

    /// Games, two for each opening; an odd number is rounded up [default: 100; with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: Option<u32>,

    #[command(flatten)]
    openings: OpeningArguments,

    #[command(flatten)]
    limits: LimitArguments,

    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    concurrency: u32,

    #[command(flatten)]
    test: TestArguments,

    /// Keep every game in FILE as it ends; where FILE exists, go on with its match
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Write the games to FILE in GGF, each as it ends; an older FILE is replaced
    #[arg(long, value_name = "FILE")]
    ggf: Option<PathBuf>,

    /// Write one JSON object instead of sentences
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    level: LevelArgument,
}

/// Where the openings come from.
#[derive(Args)]
struct OpeningArguments {
    /// Openings: games as transcripts, GGF or WTHOR, taken in their order [default: drawn by chance
    /// from all positions after --plies moves that are near even]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Moves of an opening [default: 8, with --openings all of them]
    #[arg(long, value_name = "P")]
    plies: Option<u32>,

    /// The most that a drawn opening is worth to either side, in discs, as a search of 8 plies sees it
    #[arg(long, value_name = "DISCS", default_value_t = 2, conflicts_with = "openings", value_parser = clap::value_parser!(u32).range(0..=64))]
    even: u32,

    /// Seed of the openings that are drawn
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        conflicts_with = "openings"
    )]
    seed: u64,
}

/// What limits the engines.
#[derive(Args)]
struct LimitArguments {
    /// Seconds for each move
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    move_time: Option<Duration>,

    /// Seconds for each game, each engine
    #[arg(long, value_name = "S", value_parser = seconds, group = "control")]
    game_time: Option<Duration>,

    /// Seconds that each move adds to the clock
    #[arg(long, value_name = "S", value_parser = seconds, requires = "game_time")]
    increment: Option<Duration>,

    /// Plies for each move
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60), group = "control")]
    depth: Option<u32>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), group = "control")]
    nodes: Option<u64>,

    /// Milliseconds by which a limit of time may be overstepped: answers are under way for some
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    margin: u64,

    /// Seconds that an engine may take for anything that no clock limits: to start, and to move where
    /// only its depth or nothing is limited
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    patience: Duration,
}

/// A test that ends the match.
#[derive(Args)]
struct TestArguments {
    /// End the match when it is clear whether A is stronger by ELO1 rather than by ELO0
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,

    /// The risk that --sprt says ELO1 where ELO0 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// The risk that --sprt says ELO0 where ELO1 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
}

const EXAMPLES: &str = "\
Examples:
  outflank match 'outflank gtp --depth 8' 'outflank gtp --depth 4' --games 200
  outflank match './new gtp' './old gtp' --move-time 0.1 --sprt 0 10 --concurrency 4 --log new.log
  outflank match 'outflank nboard' 'outflank gtp --depth {depth}' --depth 6 --ggf games.ggf
  outflank match 'outflank gtp' 'mEdax -gtp' --game-time 60 --increment 0.5 --openings xot.txt

The exit status is 0 where the match came to its end, whoever lost how; 1 where an engine could not be
started again or a file not be read or written, 2 where the match could not be begun as asked, 130
after Ctrl-C. What was played is reported in any case. docs/match.md says more.";

/// The plies of openings that are drawn.
const PLIES: u32 = 8;

/// Games where none are asked for, without a test and with one.
const GAMES: u32 = 100;
const GAMES_OF_TEST: u32 = 20_000;

/// The most that a file of openings can have, in MiB.
const MOST_MIB: u64 = 1024;

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name))
        .map(|name| name.parse().expect("one of the names"))
}

/// Reads a time: more than nothing, less than two weeks, to the millisecond.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|s| (0.001..=1e6).contains(s));
    let time = seconds.map(|seconds: f64| Duration::from_millis((seconds * 1000.0).round() as u64));
    time.ok_or_else(|| "expected seconds, 0.001 to 1000000".to_owned())
}

/// Why there is no match, or no more of it.
#[derive(Debug, thiserror::Error)]
pub(super) enum MatchError {
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    #[error("cannot read the openings {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("there are {MOST_PLIES} --plies at most, where openings are drawn")]
    Plies,
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Test(#[from] SprtError),
    /// It had begun.
    #[error("the match cannot go on: {0}")]
    Contest(#[from] ContestError),
    #[error("cannot write the games to {}: {error}", path.display())]
    Games { path: PathBuf, error: io::Error },
}

impl MatchError {
    /// Whether it could not be begun as asked.
    pub(super) fn is_usage(&self) -> bool {
        match self {
            MatchError::Contestant(_) | MatchError::Plies | MatchError::Test(_) => true,
            MatchError::Openings(error) => !matches!(error, OpeningsError::Read(..)),
            MatchError::Log(error) => {
                matches!(error, LogError::Settings { .. } | LogError::Other(_))
            }
            MatchError::Unreadable { .. } | MatchError::Contest(_) | MatchError::Games { .. } => {
                false
            }
        }
    }

    /// Whether Ctrl-C is all that happened.
    fn is_stop(&self) -> bool {
        matches!(
            self,
            MatchError::Contestant(ContestantError::Stopped)
                | MatchError::Openings(OpeningsError::Stopped)
        )
    }
}

/// Plays and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    stop_on_interrupt(&stop)?;
    match play(arguments, &stop) {
        Err(CommandError::Match(error)) if error.is_stop() => {}
        played => played?,
    }
    Ok(match stop.is_stopped() {
        true => INTERRUPTED,
        false => 0,
    })
}

/// Plays, until `stop` is used at the latest, and reports.
fn play(arguments: &Arguments, stop: &StopHandle) -> Result<(), CommandError> {
    let level = arguments.level.level()?;
    let test = arguments.test.test().map_err(MatchError::from)?;
    let openings = arguments.openings.read(level, stop)?;
    let control = arguments.limits.control();
    let contestant = |command, protocol| {
        Contestant::new(command, protocol, control, arguments.limits.patience, stop)
            .map_err(MatchError::from)
    };
    let a = contestant(&arguments.a, arguments.protocol_a)?;
    let b = contestant(&arguments.b, arguments.protocol_b)?;
    let games = match test {
        None => GAMES,
        Some(_) => GAMES_OF_TEST,
    };
    let date = Timestamp::now().to_zoned(TimeZone::UTC);
    let date = date.strftime("%Y.%m.%d_%H:%M:%S.UTC").to_string();
    let contest = Contest {
        contestants: [&a, &b],
        control,
        margin: Duration::from_millis(arguments.limits.margin),
        patience: arguments.limits.patience,
        concurrency: arguments.concurrency as usize,
        pairs: arguments.games.unwrap_or(games).div_ceil(2) as usize,
        date: &date,
    };
    let mut records = Records::open(arguments, &Settings::of(&contest, &openings))?;
    let played = std::mem::take(&mut records.before);
    // Of a longer match, all counts.
    let mut standing = Standing {
        contest,
        tally: Tally::default(),
        test,
    };
    played.iter().for_each(|game| standing.tally.add(game));
    if !played.is_empty() {
        remark(format_args!("goes on behind {} games", played.len()));
    }

    let done = match standing.decision() {
        Some(_) => Ok(()),
        None => carry_out(&mut standing, openings, &played, &mut records, stop),
    };
    match arguments.json {
        true => line(standing.json(stop.is_stopped()))?,
        false => line(standing.text())?,
    }
    done
}

/// Plays the games that were not played before.
fn carry_out(
    standing: &mut Standing,
    openings: Openings,
    before: &[Finished],
    records: &mut Records,
    stop: &StopHandle,
) -> Result<(), CommandError> {
    let contest = standing.contest;
    let progress = Progress::rated(2 * contest.pairs, before.len() as u64);
    let mut failure = None;
    let played = contest.play(openings, before, stop, |game| {
        if failure.is_some() || standing.decision().is_some() {
            // Games that were under way could only blur what is decided.
            return ControlFlow::Break(());
        }
        standing.tally.add(&game);
        if let Some(told) = report::forfeit(&game) {
            progress.aside(|| remark(told));
        }
        failure = records.add(&game).err();
        progress.advance_by(1, || standing.in_short());
        match failure.is_some() || standing.decision().is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(progress);
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(played.map_err(MatchError::from)?),
    }
}

impl OpeningArguments {
    fn read(&self, level: Level, stop: &StopHandle) -> Result<Openings, MatchError> {
        let Some(path) = &self.openings else {
            let plies = self.plies.unwrap_or(PLIES);
            if plies > MOST_PLIES {
                return Err(MatchError::Plies);
            }
            let draw = Draw {
                plies,
                even: self.even,
                seed: self.seed,
            };
            return Ok(Openings::drawn(draw, level, stop)?);
        };
        let file = input::read(path, MOST_MIB, "file of openings");
        let file = file.map_err(|error| MatchError::Unreadable {
            path: path.clone(),
            error,
        })?;
        Ok(Openings::read(
            &path.display().to_string(),
            &file,
            self.plies,
        )?)
    }
}

impl LimitArguments {
    fn control(&self) -> Control {
        match (self.move_time, self.game_time, self.depth, self.nodes) {
            (Some(time), ..) => Control::Move(time),
            (_, Some(main), ..) => Control::Game {
                main,
                increment: self.increment.unwrap_or_default(),
            },
            (_, _, Some(depth), _) => Control::Depth(depth),
            (.., Some(nodes)) => Control::Nodes(nodes),
            (None, None, None, None) => Control::Own,
        }
    }
}

impl TestArguments {
    fn test(&self) -> Result<Option<Sprt>, SprtError> {
        let test = self.sprt.as_deref().map(|elo| match elo {
            &[elo0, elo1] => Sprt::new(elo0, elo1, self.alpha, self.beta),
            _ => unreachable!("clap takes two"),
        });
        test.transpose()
    }
}

/// What is kept of the games.
struct Records {
    log: Option<Log>,
    /// The games that the log had.
    before: Vec<Finished>,
    ggf: Option<(PathBuf, File)>,
}

impl Records {
    fn open(arguments: &Arguments, settings: &Settings) -> Result<Records, CommandError> {
        let (log, before) = match &arguments.log {
            None => (None, Vec::new()),
            Some(path) => {
                let (log, before) = Log::open(path, settings).map_err(MatchError::from)?;
                (Some(log), before)
            }
        };
        let ggf = match &arguments.ggf {
            None => None,
            Some(path) => {
                let games: String = before.iter().map(|game| game.ggf.clone() + "\n").collect();
                files::replace(path, games.as_bytes())?;
                let file = OpenOptions::new().append(true).open(path);
                let file = file.map_err(|error| unwritten(path, error))?;
                Some((path.clone(), file))
            }
        };
        Ok(Records { log, before, ggf })
    }

    fn add(&mut self, game: &Finished) -> Result<(), MatchError> {
        if let Some(log) = &mut self.log {
            log.add(game)?;
        }
        if let Some((path, file)) = &mut self.ggf {
            let line = format!("{}\n", game.ggf);
            let written = file.write_all(line.as_bytes());
            written.map_err(|error| unwritten(path, error))?;
        }
        Ok(())
    }
}

fn unwritten(path: &Path, error: io::Error) -> MatchError {
    MatchError::Games {
        path: path.to_owned(),
        error,
    }
}
