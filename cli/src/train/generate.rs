//! `outflank train generate`: labelled positions for training.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::eval::{ByteOrder, Evaluation, Format, WeightsFile};
use outflank::{Selectivity, StopHandle, files};
use outflank_train::generate::{
    Above, Collection, NamedEvaluation, Openings, Origin, Plan, Run, SelfPlay, Shares, Written,
};
use outflank_train::record::{Found, Writer};

use super::{ThreadsArgument, TrainError};
use crate::engine::selectivity;
use crate::input::Remarks;
use crate::numbers::{ANY, SOME, grouped, whole};
use crate::output::{clock, complain, line, remark};
use crate::outputs::Files;
use crate::progress::ProgressArgument;
use crate::{CommandError, IsaArgument, interrupted_status, tell_and_stop_on_interrupt};
use outflank::text::counted;

/// Label positions for training: what they are worth by exact solves and deep searches
///
/// Positions are taken from games, after 0 to 3 random moves that lead away from them, because a
/// search meets positions that good players never leave. The games are read from files (WTHOR
/// databases, GGF, or transcripts: moves such as f5d6c3, a game a line), or the program plays them against
/// itself, from all openings of some plies in turn or, with --go-on, from positions of the files' games.
///
/// Positions with few empty squares are solved exactly, the others are searched. The records go to OUT
/// in numbered blocks. Where OUT exists, the same command goes on where it ended: with the same
/// settings any number of runs, threads, kills and full disks makes the same bytes as one run. Other
/// settings are refused. Ctrl-C finishes the blocks under way; Ctrl-C again gives them up.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The file that the records are added to
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Where the games come from: WTHOR databases, GGF and transcripts, or `self` for self-play
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,

    /// Leave out games that were played after this year, to test on them later
    #[arg(long, value_name = "YEAR", value_parser = whole::<u16>(0..=65_535))]
    until: Option<u16>,

    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY))]
    seed: u64,

    /// Number of games at which to end, those already in OUT included, rounded up to whole blocks [default: each game of
    /// the files once; with self-play until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    games: Option<u64>,

    /// Seconds after which no more blocks are begun
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(ANY))]
    time: Option<u64>,

    /// Positions to take from each game
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = whole::<u32>(SOME))]
    per_game: u32,

    /// Empty squares of the positions, both ends included: LO..HI, or with shares LO..HI:SHARE,…
    #[arg(long, value_name = "LO..HI", default_value = "10..18")]
    empties: Shares,

    /// Most random moves before a position; the numbers from 0 to D are equally likely
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = whole::<u32>(0..=60))]
    deviations: u32,

    /// Most empty squares of a position that is solved exactly
    #[arg(long, value_name = "E", default_value_t = 18, value_parser = whole::<u32>(0..=60))]
    exact: u32,

    /// Take the positions on the best lines of exact solves, too, down to this number of empty squares
    #[arg(long, value_name = "EMPTIES", value_parser = whole::<u32>(0..=60))]
    line: Option<u32>,

    /// Value of positions with more empty squares than --exact
    #[arg(long, value_enum, default_value_t = AboveArgument::Search)]
    above: AboveArgument,

    /// Plies of the search for positions with more empty squares
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = whole::<u32>(0..=60))]
    depth: u32,

    /// Skip branches of that search that are irrelevant with this confidence: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100")]
    selectivity: Selectivity,

    /// Weights for searches and self-play, ours or Edax's [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Leave the games of the files at LO to HI empty squares; from there the program plays on, as in self-play
    #[arg(long, value_name = "LO..HI")]
    go_on: Option<Shares>,

    /// Self-play: every position after so many plies is an opening
    #[arg(long, value_name = "P", default_value_t = 8, value_parser = whole::<u32>(0..=60))]
    opening_plies: u32,

    /// Self-play: random moves after the opening [default: 2; after positions of games 0]
    #[arg(long, value_name = "P", value_parser = whole::<u32>(0..=60))]
    random_plies: Option<u32>,

    /// Self-play: plies searched for a move
    #[arg(long, value_name = "D", default_value_t = 6, value_parser = whole::<u32>(1..=60))]
    play_depth: u32,

    /// Self-play: percentage of moves that are random
    #[arg(long, value_name = "PERCENT", default_value_t = 5, value_parser = whole::<u32>(0..=100))]
    strays: u32,

    /// Games in a block; a kill loses at most one block
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole::<u32>(SOME))]
    block: u32,

    #[command(flatten)]
    threads: ThreadsArgument,

    #[command(flatten)]
    isa: IsaArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train generate a.records --from WTH_*.wtb --until 2017 --empties 10..18
      a pass over the games, 8 positions of each, all solved exactly
  outflank train generate b.records --from WTH_*.wtb --until 2017 --empties 14..18 --line 8
      fewer solves, and the best line of each
  outflank train generate c.records --from WTH_*.wtb --until 2017 --empties 19..40 --exact 18
      searches of 8 plies with the built-in weights
  outflank train generate e.records --from self --empties 22..26 --deviations 0 --depth 12 --selectivity 73
      positions as games have them, by searches that leave out what hardly matters
  outflank train generate g.records --from WTH_*.wtb --until 2017 --go-on 28..45 --empties 20..32 \
      --deviations 0 --depth 8 --selectivity 73
      the same after games that the program took over from people
  outflank train generate d.records --from self --time 3600 --empties 10..18:3,19..50
      an hour of self-play, positions with up to 18 empty squares three times as likely";

/// What `--above` can be.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AboveArgument {
    /// what a search of --depth plies finds
    Search,
    /// the exact result of their game from where solving begins; no random moves before them
    Game,
}

/// Makes records and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    let told = "finishing the blocks under way; Ctrl-C again gives them up";
    tell_and_stop_on_interrupt(&stop, Some(told))?;
    generate(arguments, &stop)?;
    Ok(match stop.is_stopped() {
        true => interrupted_status(),
        false => 0,
    })
}

/// Makes records, until `stop` is used at the latest, and reports; the result says what was made.
pub(super) fn generate(arguments: &Arguments, stop: &StopHandle) -> Result<String, CommandError> {
    let isa = arguments.isa.isa()?;
    Files::new()
        .reading("--from", &arguments.from)
        .reading("--weights", &arguments.weights)
        .updating("OUT", [&arguments.out])?;
    let mut plan = plan(arguments)?;
    if plan.needs_evaluation() {
        plan.evaluation = evaluation(arguments.weights.as_deref())?;
    }
    plan.check().map_err(TrainError::from)?;
    let games = match &plan.origin {
        Origin::Read(games) | Origin::SelfPlay(Openings::Games(games, _), _) => {
            arguments.games.or(Some(games.len() as u64))
        }
        Origin::SelfPlay(Openings::Plies(_), _) => arguments.games,
    };
    let block = u64::from(arguments.block);
    let blocks = games.map(|games| games.div_ceil(block));
    let (mut writer, found) =
        Writer::open(&arguments.out, &plan.settings()).map_err(TrainError::from)?;
    tell_found(arguments, found)?;

    let start = Instant::now();
    let limit = arguments.time.map(Duration::from_secs);
    let shown = &arguments.progress;
    let progress = match (limit, blocks) {
        (Some(limit), _) => shown.timed(limit, ""),
        (None, Some(blocks)) => shown.rated((blocks * block) as usize, found.blocks * block),
        (None, None) => shown.endless(),
    };
    let mut made = Made::default();
    let mut written = |written: Written| {
        made.games += block;
        made.positions += written.records;
        let told = || made.so_far(written.bytes, start.elapsed());
        match limit {
            Some(_) => progress.show(told),
            None => progress.advance_by(block, told),
        }
    };
    let run = Run {
        isa,
        threads: arguments.threads.count(),
        blocks,
        is_over: &|| stop.is_stopped() || limit.is_some_and(|limit| start.elapsed() >= limit),
        written: &mut written,
    };
    let done = plan.run(&mut writer, run);
    drop(progress);
    let total = Found {
        blocks: writer.next(),
        records: found.records + made.positions,
        cut: 0,
    };
    let bytes = writer.bytes();
    let done = done.map_err(TrainError::from);
    let done = done.and_then(|()| Ok(writer.finish()?));
    let in_all = made.in_all(start.elapsed());
    line(&in_all)?;
    line(format_args!(
        "{}: {}, {}, {}",
        arguments.out.display(),
        counted(grouped(total.blocks * block), "game", "games"),
        counted(grouped(total.records), "position", "positions"),
        size(bytes),
    ))?;
    done?;
    Ok(in_all)
}

/// Says what the file had before.
fn tell_found(arguments: &Arguments, found: Found) -> io::Result<()> {
    let file = arguments.out.display();
    if found.cut > 0 {
        remark(format_args!(
            "{file}: {} behind the last whole block cut off",
            counted(grouped(found.cut), "byte", "bytes")
        ));
    }
    if found.blocks > 0 {
        line(format_args!(
            "{file}: goes on behind {} with {}",
            counted(grouped(found.blocks), "block", "blocks"),
            counted(grouped(found.records), "position", "positions")
        ))?;
    }
    Ok(())
}

/// What a run has made.
#[derive(Default)]
struct Made {
    games: u64,
    positions: u64,
}

impl Made {
    fn so_far(&self, bytes: u64, time: Duration) -> String {
        format!(
            "{}, {}, {}/s, {}",
            counted(grouped(self.games), "game", "games"),
            counted(grouped(self.positions), "position", "positions"),
            grouped((self.positions as f64 / time.as_secs_f64()) as u64),
            size(bytes),
        )
    }

    fn in_all(&self, time: Duration) -> String {
        format!(
            "made {} of {} in {}, {:.1} a second",
            counted(grouped(self.positions), "position", "positions"),
            counted(grouped(self.games), "game", "games"),
            clock(time),
            self.positions as f64 / time.as_secs_f64().max(1e-9),
        )
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        ..100_000 => format!("{} bytes", grouped(bytes)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn plan(arguments: &Arguments) -> Result<Plan, TrainError> {
    let play = |random_plies| SelfPlay {
        random_plies: arguments.random_plies.unwrap_or(random_plies),
        depth: arguments.play_depth,
        strays: arguments.strays,
    };
    let from_itself = arguments.from == [Path::new("self")];
    let origin = match (&arguments.go_on, from_itself) {
        (Some(_), true) => return Err(TrainError::NothingToGoOnFrom),
        (None, true) => Origin::SelfPlay(Openings::Plies(arguments.opening_plies), play(2)),
        (Some(empties), false) => {
            let games = collect(&arguments.from, arguments.until)?;
            Origin::SelfPlay(Openings::Games(games, empties.clone()), play(0))
        }
        (None, false) => Origin::Read(collect(&arguments.from, arguments.until)?),
    };
    Ok(Plan {
        seed: arguments.seed,
        origin,
        block_games: arguments.block,
        per_game: arguments.per_game,
        empties: arguments.empties.clone(),
        deviations: arguments.deviations,
        exact: arguments.exact,
        above: match arguments.above {
            AboveArgument::Search => Above::Search {
                depth: arguments.depth,
                selectivity: arguments.selectivity,
            },
            AboveArgument::Game => Above::Game,
        },
        line: arguments.line,
        evaluation: None,
    })
}

/// The evaluation by the weights at `path`, or by those built in, if there are any.
fn evaluation(path: Option<&Path>) -> Result<Option<NamedEvaluation>, TrainError> {
    let file = match path {
        Some(path) => Some(WeightsFile::load(path)?),
        None => WeightsFile::embedded(),
    };
    Ok(file.map(|file| NamedEvaluation {
        // What `outflank weights info` shows, too; a file of Edax's has no checksum of its own.
        name: match file.format {
            Format::Outflank { checksum, .. } => format!("checksum {checksum:08x}"),
            Format::Edax { .. } => {
                let bytes = file
                    .model
                    .to_edax(ByteOrder::Little)
                    .expect("Edax's are linear");
                format!("Edax's, CRC-32 {:08x}", crc32fast::hash(&bytes))
            }
        },
        evaluation: Arc::new(Evaluation::new(file.model)),
    }))
}

/// Reads the games of all files, and says which were skipped.
fn collect(files: &[PathBuf], until: Option<u16>) -> Result<Collection, TrainError> {
    let mut games = Collection::new(until);
    let mut skipped = 0;
    for file in files {
        let bytes =
            files::read_games(file).map_err(|error| TrainError::Unreadable(file.clone(), error))?;
        let name = file.display().to_string();
        let left_out = games
            .add(&name, &bytes)
            .map_err(|error| TrainError::Games(file.clone(), error))?;
        let mut remarks = Remarks::of(&name);
        left_out.iter().for_each(|game| remarks.add(game));
        remarks.end("skipped game", "skipped games");
        skipped += left_out.len();
    }
    if skipped > 0 {
        complain(format_args!(
            "{} skipped",
            counted(grouped(skipped as u64), "game", "games")
        ));
    }
    if let Some(until) = until {
        remark(format_args!(
            "{}, and {} of later years than {until} left out",
            counted(grouped(games.len() as u64), "game", "games"),
            grouped(games.held_out() as u64)
        ));
    }
    Ok(games)
}
