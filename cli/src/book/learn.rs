//! `outflank book learn` and `outflank book correct`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use outflank::Board;
use outflank::notation::{Contents, GameRecord};
use outflank::search::Strength;
use outflank::text::counted;
use outflank_book::learn::{Plan, Progress, Work, learn};
use outflank_book::{BookError, Writer};

use super::to_be_written;
use crate::engine::{EngineArguments, seconds};
use crate::input::Inputs;
use crate::numbers::{SOME, grouped, whole};
use crate::output::{clock, complain, line};
use crate::outputs::{Files, OutputError};
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE, interrupted_status, stop_on_interrupt};

/// Let a book grow: search positions and add them, where it matters most
///
/// The book is made where there is none. From the start of the game on, the next position is always the one whose
/// value could best change what is played (drop-out expansion): moves that lose little against the best ones, and
/// whose value is uncertain, come first. With --from, the positions of games are added instead, down to --empties.
///
/// What is found is committed every second. Ctrl-C ends the command and commits the rest; after a kill, or with
/// a full disk, all that was committed is there. Others can read the book meanwhile.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LearnArguments {
    #[command(flatten)]
    common: Common,

    /// Add the positions of games instead: WTHOR databases, GGF, transcripts
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,

    /// With --from, leave out games that were played after this year
    #[arg(long, value_name = "YEAR", requires = "from", value_parser = whole::<u16>(0..=65_535))]
    until: Option<u16>,

    /// Positions to add at most
    #[arg(long, value_name = "N", value_parser = whole::<usize>(SOME))]
    positions: Option<usize>,

    /// Add no positions with fewer empty squares: at the usual levels those are solved when they come up
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = whole::<u32>(1..=60))]
    empties: u32,
}

const EXAMPLES: &str = "\
Examples:
  outflank book learn my.book --time 600               ten minutes, on all cores
  outflank book learn my.book --level 21 --time 86400  a day, more deeply
  outflank book learn my.book --from WTH_*.wtb --until 2017 --empties 40
  outflank book correct my.book --level 24 --time 600  the doubtful positions again, more deeply";

/// Search positions of a book again that were searched less than the level asks for, the doubtful first
///
/// No positions are added. The best moves that lead out of the book are searched again, those first whose value
/// could best change what is played.
#[derive(Args)]
#[command(after_help = CORRECT_EXAMPLES)]
pub(super) struct CorrectArguments {
    #[command(flatten)]
    common: Common,
}

const CORRECT_EXAMPLES: &str = "\
Examples:
  outflank book correct my.book --level 24 --time 600";

#[derive(Args)]
struct Common {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Seconds after which to end [default: until Ctrl-C, or nothing is left]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Search as Edax does at this level, 0 to 60
    #[arg(long, value_name = "LEVEL", default_value_t = 16, value_parser = whole::<u32>(0..=60))]
    level: u32,

    /// Positions to search at once, each on a thread of its own [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=512))]
    jobs: Option<usize>,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

/// Adds positions; the result is the exit status.
pub(super) fn run_learn(arguments: &LearnArguments) -> Result<u8, CommandError> {
    arguments.common.refuse_own(&arguments.from)?;
    let (work, failed) = match arguments.from.is_empty() {
        true => (Work::Expand, false),
        false => games(&arguments.from, arguments.until)?,
    };
    let plan = arguments
        .common
        .plan(arguments.empties, arguments.positions);
    let status = arguments.common.run(plan, work, Writer::open_or_create)?;
    Ok(if failed && status == 0 {
        FAILURE
    } else {
        status
    })
}

/// Searches positions again; the result is the exit status.
pub(super) fn run_correct(arguments: &CorrectArguments) -> Result<u8, CommandError> {
    arguments.common.refuse_own(&[])?;
    let plan = arguments.common.plan(1, None);
    arguments.common.run(plan, Work::Correct, Writer::open)
}

impl Common {
    /// Refuses a book that is one of the files that are read, too.
    fn refuse_own(&self, games: &[PathBuf]) -> Result<(), OutputError> {
        let files = Files::new()
            .reading("--from", games)
            .reading("--weights", self.engine.weights());
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

    /// Carries the work out and tells how it went.
    fn run(
        &self,
        plan: Plan,
        work: Work,
        open: impl FnOnce(&Path) -> Result<Writer, BookError>,
    ) -> Result<u8, CommandError> {
        let path = to_be_written(&self.book)?;
        let jobs = self
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()));
        let engines = self.engine.engines(jobs)?;
        let stop = engines[0].stop_handle();
        let mut writer = open(path)?;
        writer.set("level", self.level.into())?;
        stop_on_interrupt(&stop)?;
        let start = Instant::now();
        let shown = match self.time {
            Some(time) => self.progress.timed(time, "positions"),
            None => self.progress.endless(),
        };
        let told = |progress: Progress| {
            shown.show(|| {
                let left = match progress.left {
                    0 => String::new(),
                    left => format!(", {} left", grouped(left as u64)),
                };
                format!("{}{left}", grouped(progress.positions as u64))
            });
        };
        let done = learn(&mut writer, engines, &stop, &plan, work, told);
        drop(shown);
        let done = match done {
            Err(BookError::Interrupted(_)) if stop.is_stopped() => {
                complain("interrupted");
                return Ok(interrupted_status());
            }
            done => done?,
        };
        line(self.summary(done, start.elapsed()))?;
        Ok(match stop.is_stopped() {
            true => {
                complain("interrupted");
                interrupted_status()
            }
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
            counted(grouped(done.positions as u64), "position", "positions"),
            grouped(done.added as u64),
            counted(grouped(done.searches as u64), "search", "searches"),
            clock(time),
        )
    }
}

/// The positions of all games, and whether some could not be read.
fn games(files: &[PathBuf], until: Option<u16>) -> Result<(Work, bool), CommandError> {
    let (mut games, mut failed) = (Vec::new(), false);
    let mut inputs = Inputs::new(None);
    for path in files {
        let input = inputs.open(path)?;
        let mut entries = input.entries();
        for item in entries.by_ref() {
            if let Contents::Game(record) = item.contents
                && !is_later(&record, until)
            {
                games.push(boards(&record));
            }
        }
        failed |= entries.finish()? > 0;
    }
    Ok((Work::Games(games), failed))
}

/// Whether a game was played after this year.
fn is_later(record: &GameRecord, until: Option<u16>) -> bool {
    let year = record.year();
    until.zip(year).is_some_and(|(until, year)| year > until)
}

/// The positions of a game.
fn boards(record: &GameRecord) -> Vec<Board> {
    let positions = record.game.positions().iter();
    positions.map(|&(board, _)| board).collect()
}
