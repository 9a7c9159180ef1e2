//! `outflank book learn` and `outflank book correct`: growth of books.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use outflank::drawn_openings::{OpeningChoiceError, opening_game};
use outflank::notation::Contents;
use outflank::opening_names::OpeningNameError;
use outflank::search::Strength;
use outflank::{Board, Game};
use outflank_book::learn::{Plan, Progress, Work, learn};
use outflank_book::{Book, BookError, Fault, Writer};
use outflank_support::text::plural;
use outflank_support::threads::core_count;

use super::part::{LossArguments, missing_position};
use super::writable_path;
use crate::console::{clock, print_line};
use crate::engine::EngineArguments;
use crate::error::{USAGE, exit_status};
use crate::input::Inputs;
use crate::number_options::seconds;
use crate::number_options::{POSITIVE_U32, grouped, whole};
use crate::output_files::{Files, OutputError};
use crate::progress::ProgressArgument;
use crate::signals::report_interrupted;
use crate::{CommandError, FAILURE, stop_on_interrupt};

/// Grow a book by searches of its most important leaves
///
/// The book is created if it does not exist. The leaf of a position is the best move that leads out of the book. The
/// leaf that could change the choice of moves most is expanded next (drop-out expansion). Leaves after moves with a
/// small loss, and leaves with an uncertain value, come first. --below expands only leaves below a position. With
/// --from, the positions of games are added instead, down to --empties.
///
/// Results are committed every second. Ctrl-C ends the command after a last commit. A kill or a full disk loses only
/// uncommitted results. Other programs can read the book meanwhile.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LearnArguments {
    #[command(flatten)]
    common: CommonArguments,

    /// Add the positions of games instead of expanding leaves. Files can be GGF, SGF, WTHOR, Othello Quest or
    /// transcripts; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,

    /// Expand only leaves below the position after these moves, or after an opening: a name of `outflank openings list`.
    /// The positions on the way are added first
    #[arg(long, value_name = "MOVES", conflicts_with = "from")]
    below: Option<String>,

    /// With --from: leave out games after this year
    #[arg(long, value_name = "YEAR", requires = "from", value_parser = whole::<u16>(0..=65_535))]
    until: Option<u16>,

    #[command(flatten)]
    growth: GrowthArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank book learn my.book --time 600                ten minutes, on all cores
  outflank book learn my.book --level 21 --time 86400   one day, with deeper searches
  outflank book learn my.book --below f5d6c3d3c4 --time 600
                                                        only positions after the Tiger
  outflank book learn my.book --from WTH_*.wtb --until 2017 --empties 40
  outflank book correct my.book --level 24 --time 600   doubtful positions again, more deeply";

pub(super) const CORRECT_EXAMPLES: &str = "\
Examples:
  outflank book correct my.book --level 24 --time 600";

// Options of `learn` and `correct`.
#[derive(Args)]
pub(crate) struct CommonArguments {
    /// Book file
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Time limit in seconds [default: none; Ctrl-C ends the command]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Strength of the searches as a level of Edax, 0 to 60
    #[arg(long, value_name = "LEVEL", default_value_t = 16, value_parser = whole::<u32>(0..=60))]
    level: u32,

    /// Positions to search at once, 1 to 512, each on its own thread [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=512))]
    jobs: Option<usize>,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

/// Options of `book deviate`.
#[derive(Args)]
pub(crate) struct DeviateArguments {
    #[command(flatten)]
    common: CommonArguments,

    #[command(flatten)]
    limits: LossArguments,

    /// Expand only leaves below the position after these moves, or after an opening of this name
    #[arg(long, value_name = "MOVES")]
    below: Option<String>,

    #[command(flatten)]
    growth: GrowthArguments,
}

pub(super) const DEVIATE_EXAMPLES: &str = "\
Examples:
  outflank book deviate my.book --in-sum 4 --time 600
  outflank book deviate my.book --per-move 2 --in-sum 6 --below Tiger --level 21";

/// Bounds of the positions that a book takes.
#[derive(Args)]
struct GrowthArguments {
    /// Number of added positions after which no more work begins; work under way is completed [default: no limit]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(POSITIVE_U32))]
    positions: Option<usize>,

    /// Minimum number of empty squares of added positions; those with fewer are solved quickly during play
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = whole::<u32>(1..=60))]
    empties: u32,
}

/// Runs `book learn` and returns the exit status.
pub(super) fn run_learn(arguments: &LearnArguments) -> Result<u8, CommandError> {
    arguments.common.check_files(&arguments.from)?;
    let (work, failed) = match &arguments.below {
        Some(moves) => {
            let game = position_below(moves, arguments.growth.empties)?;
            (Work::ExpandBelow(boards(&game)), false)
        }
        None if arguments.from.is_empty() => (Work::Expand, false),
        None => games(&arguments.from, arguments.until)?,
    };
    let common = &arguments.common;
    let plan = common.plan(arguments.growth.empties, arguments.growth.positions);
    let status = common.run(plan, work, Writer::open_or_create)?;
    Ok(match status {
        0 if failed => FAILURE,
        _ => status,
    })
}

/// Runs `book deviate` and returns the exit status.
pub(super) fn run_deviate(arguments: &DeviateArguments) -> Result<u8, CommandError> {
    let DeviateArguments {
        common,
        limits,
        below,
        growth,
    } = arguments;
    common.check_files(&[])?;
    let root = match below {
        Some(moves) => position_below(moves, growth.empties)?.board(),
        None => Board::START,
    };
    let book = writable_path(&common.book)?;
    if Book::open(book)?.entry(root)?.is_none() {
        let moves = below.as_deref().unwrap_or_default();
        return Err(missing_position(book, moves).into());
    }
    let plan = common.plan(growth.empties, growth.positions);
    common.run(plan, Work::Deviate(root, limits.limits()), Writer::open)
}

/// Runs `book correct` and returns the exit status.
pub(super) fn run_correct(arguments: &CommonArguments) -> Result<u8, CommandError> {
    arguments.check_files(&[])?;
    let plan = arguments.plan(1, None);
    arguments.run(plan, Work::Correct, Writer::open)
}

/// Game of `--below`. Its position must have more empty squares than `least`.
fn position_below(moves: &str, least: u32) -> Result<Game, CommandError> {
    let game = opening_game(moves)?;
    let empties = game.board().empty_count();
    match empties <= least {
        true => Err(NothingBelow { empties, least }.into()),
        false => Ok(game),
    }
}

/// The position of `--below` has no positions for the book below it.
#[derive(Debug, thiserror::Error)]
#[error(
    "the position of --below has {empties} empty squares, and the book takes those with {least} (--empties)"
)]
struct NothingBelow {
    empties: u32,
    least: u32,
}
exit_status!(USAGE; NothingBelow);
exit_status!(OpeningChoiceError { OpeningChoiceError::Name(OpeningNameError::None(_)) => FAILURE, _ => USAGE });

impl CommonArguments {
    /// Refuses a book that is also an input file.
    fn check_files(&self, games: &[PathBuf]) -> Result<(), OutputError> {
        let files = Files::new().reading("--from", games);
        let files = files.reading("--weights", &self.engine.weights);
        files.updating("BOOK", [&self.book]).map(drop)
    }

    fn plan(&self, min_empties: u32, positions: Option<usize>) -> Plan {
        Plan {
            strength: Strength::Level(self.level),
            min_empties,
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            positions,
        }
    }

    /// Expands or corrects the book, reports, and returns the exit status.
    fn run(
        &self,
        plan: Plan,
        work: Work,
        open: impl FnOnce(&Path) -> Result<Writer, BookError>,
    ) -> Result<u8, CommandError> {
        let path = writable_path(&self.book)?;
        let jobs = self.jobs.unwrap_or_else(core_count);
        let engines = self.engine.with_one_thread_by_default().engines(jobs)?;
        let stop = engines[0].stop_handle();
        let mut writer = open(path)?;
        writer.set("level", self.level.into())?;
        stop_on_interrupt(&stop)?;
        let start = Instant::now();
        let progress_bar = match self.time {
            Some(time) => self.progress.timed(time, "positions"),
            None => self.progress.unbounded(),
        };
        let show = |progress: Progress| {
            progress_bar.advance_to_now(|| {
                let left = match progress.left {
                    0 => String::new(),
                    left => format!(", {} left", grouped(left as u64)),
                };
                format!("{}{left}", grouped(progress.positions as u64))
            });
        };
        let outcome = learn(&mut writer, engines, &stop, &plan, work, show);
        drop(progress_bar);
        match outcome {
            Err(error)
                if stop.is_stopped() && matches!(error.fault(), Some(Fault::Interrupted)) => {}
            outcome => print_line(self.summary(outcome?, start.elapsed()))?,
        }
        Ok(match stop.is_stopped() {
            true => report_interrupted(),
            false => 0,
        })
    }

    fn summary(&self, done: Progress, time: Duration) -> String {
        let start = match done.start {
            Some(value) => format!("; start {value:+}"),
            None => String::new(),
        };
        format!(
            "{}: {}, {} added, {} in {}{start}",
            self.book.display(),
            plural(grouped(done.positions as u64), "position", "positions"),
            grouped(done.added as u64),
            plural(grouped(done.searches as u64), "search", "searches"),
            clock(time),
        )
    }
}

/// Reads the positions of all games. Also returns `true` if some are unreadable.
fn games(files: &[PathBuf], until: Option<u16>) -> Result<(Work, bool), CommandError> {
    let (mut games, mut failed) = (Vec::new(), false);
    let mut inputs = Inputs::new(None);
    for path in files {
        let input = inputs.open(path)?;
        let mut entries = input.entries();
        for entry in entries.by_ref() {
            let Contents::Game(record) = entry.contents else {
                continue;
            };
            let is_later = |(until, year)| year > until;
            if !until.zip(record.year()).is_some_and(is_later) {
                games.push(boards(&record.game));
            }
        }
        failed |= entries.finish()? > 0;
    }
    Ok((Work::Games(games), failed))
}

/// Positions of a game.
pub(super) fn boards(game: &Game) -> Vec<Board> {
    game.positions().iter().map(|&(board, _)| board).collect()
}
