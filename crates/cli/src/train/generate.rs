//! `outflank train generate`: generation of labelled positions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::eval::{ByteOrder, Evaluation, Format, LoadError, WeightsFile};
use outflank::{Selectivity, StopHandle};
use outflank_train::generate::{
    Collection, EmptiesDistribution, NamedEvaluation, Openings, Origin, Plan, RunOptions, SelfPlay,
    UnsolvedLabel, WrittenBlock,
};
use outflank_train::record::Writer;

use super::{RunArguments, TrainError, run_until_stopped};
use crate::CommandError;
use crate::console::{clock, print_error, print_line, remark};
use crate::engine::selectivity;
use crate::error::in_file;
use crate::input::{self, Remarks};
use crate::number_options::{ANY_U64, POSITIVE_U32, grouped, whole};
use crate::output_files::Files;
use outflank_support::text::plural;

/// Label positions of games by exact solves and deep searches
///
/// Games are read from files, or the program plays against itself. Self-play uses all openings of --opening-plies in
/// turn. With --go-on, it continues the games of files instead. Random moves can deviate from a game before a position
/// is taken, because a search meets positions that good players avoid.
///
/// Positions with at most --exact empty squares are solved, others are searched. Records are appended to OUT in
/// numbered blocks. The same command continues an existing OUT; other settings are refused. Interruptions and the
/// number of threads do not influence the records. Ctrl-C finishes the blocks under way. A second Ctrl-C discards them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Record file to append to
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Files of games (GGF, SGF, WTHOR, Othello Quest, transcripts), - for standard input, or `self` for self-play
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,

    /// Leave out games after this year, to keep them for tests
    #[arg(long, value_name = "YEAR", value_parser = whole::<u16>(0..=65_535))]
    until: Option<u16>,

    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY_U64))]
    seed: u64,

    /// Number of games after which the run ends, including those in OUT, rounded up to whole blocks [default: each game
    /// of the files once; for self-play no limit]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY_U64))]
    games: Option<u64>,

    /// Time in seconds after which no more blocks are started
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(ANY_U64))]
    time: Option<u64>,

    /// Number of positions per game
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = whole::<u32>(POSITIVE_U32))]
    per_game: u32,

    /// Numbers of empty squares of the positions, LO and HI included; or ranges with shares: in 10..18:3,19..50, each
    /// number from 10 to 18 is three times as likely as one from 19 to 50
    #[arg(long, value_name = "LO..HI", default_value = "10..18")]
    empties: EmptiesDistribution,

    /// Maximum number D of random moves before a position; all numbers from 0 to D are equally likely
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = whole::<u32>(0..=60))]
    deviations: u32,

    /// Maximum number of empty squares of positions that are solved exactly
    #[arg(long, value_name = "E", default_value_t = 18, value_parser = whole::<u32>(0..=60))]
    exact: u32,

    /// Add the positions on the best line of each solve, down to this number of empty squares
    #[arg(long, value_name = "EMPTIES", value_parser = whole::<u32>(0..=60))]
    line: Option<u32>,

    /// Label of positions with more empty squares than --exact
    #[arg(long, value_enum, default_value_t = AboveArgument::Search)]
    above: AboveArgument,

    /// Search depth in plies for positions with more than --exact empty squares
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = whole::<u32>(0..=60))]
    depth: u32,

    /// Selectivity of these searches in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100")]
    selectivity: Selectivity,

    /// Weights for searches and self-play, in a file of Outflank or Edax [default: the built-in weights]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Self-play: continue the games of the files from a position with LO to HI empty squares
    #[arg(long, value_name = "LO..HI")]
    go_on: Option<EmptiesDistribution>,

    /// Self-play: plies of the openings, at most 9; all openings are used in turn
    #[arg(long, value_name = "P", default_value_t = 8, value_parser = whole::<u32>(0..=60))]
    opening_plies: u32,

    /// Self-play: number of random moves after the opening [default: 2; with --go-on 0]
    #[arg(long, value_name = "P", value_parser = whole::<u32>(0..=60))]
    random_plies: Option<u32>,

    /// Self-play: search depth in plies
    #[arg(long, value_name = "D", default_value_t = 6, value_parser = whole::<u32>(1..=60))]
    play_depth: u32,

    /// Self-play: percentage of random moves, 0 to 100
    #[arg(long, value_name = "PERCENT", default_value_t = 5, value_parser = whole::<u32>(0..=100))]
    strays: u32,

    /// Number of games per block; a kill loses the blocks under way
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole::<u32>(POSITIVE_U32))]
    block: u32,

    #[command(flatten)]
    run: RunArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank train generate a.records --from WTH_*.wtb --until 2017 --empties 10..18
      all games once, 8 positions each, all solved exactly
  outflank train generate b.records --from WTH_*.wtb --until 2017 --empties 14..18 --line 8
      fewer solves, and the positions on their best lines
  outflank train generate c.records --from WTH_*.wtb --until 2017 --empties 19..40 --exact 18
      searches of 8 plies with the built-in weights
  outflank train generate e.records --from self --empties 22..26 --deviations 0 --depth 12 --selectivity 73
      positions of self-play, labelled by selective searches
  outflank train generate g.records --from WTH_*.wtb --until 2017 --go-on 28..45 --empties 20..32 \\
      --deviations 0 --depth 8 --selectivity 73
      games of people that the program continues, labelled by selective searches
  outflank train generate d.records --from self --time 3600 --empties 10..18:3,19..50
      an hour of self-play, positions with up to 18 empty squares three times as likely";

/// Values of `--above`.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AboveArgument {
    /// value of a search of --depth plies
    Search,
    /// result of the game with exact play from --exact empty squares on; --deviations does not apply to such positions
    Game,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let notice = "finishing the blocks under way; Ctrl-C again gives them up";
    run_until_stopped(Some(notice), |stop| generate(arguments, stop))
}

/// Generates records until `stop` is used and reports. Returns a summary.
pub(super) fn generate(arguments: &Arguments, stop: &StopHandle) -> Result<String, CommandError> {
    let isa = arguments.run.isa.isa()?;
    Files::new()
        .reading("--from", &arguments.from)
        .reading("--weights", &arguments.weights)
        .updating("OUT", [&arguments.out])?;
    let mut plan = plan(arguments)?;
    if plan.needs_evaluation() {
        plan.evaluation = evaluation(arguments.weights.as_deref())?;
    }
    plan.check()?;
    let wanted = match &plan.origin {
        Origin::Read(games) | Origin::SelfPlay(Openings::Games(games, _), _) => {
            arguments.games.or(Some(games.len() as u64))
        }
        Origin::SelfPlay(Openings::Plies(_), _) => arguments.games,
    };
    let block = u64::from(arguments.block);
    let blocks = wanted.map(|games| games.div_ceil(block));
    let (mut writer, existing) = Writer::open(&arguments.out, &plan.settings())?;
    let file = arguments.out.display();
    if existing.cut > 0 {
        let bytes = plural(grouped(existing.cut), "byte", "bytes");
        remark(format_args!(
            "{file}: {bytes} behind the last whole block cut off"
        ));
    }
    if existing.blocks > 0 {
        let blocks = plural(grouped(existing.blocks), "block", "blocks");
        let positions = positions(existing.records);
        print_line(format_args!(
            "{file}: goes on behind {blocks} with {positions}"
        ))?;
    }

    let start = Instant::now();
    let limit = arguments.time.map(Duration::from_secs);
    let progress_argument = &arguments.run.progress;
    let progress = match (limit, blocks) {
        (Some(limit), _) => progress_argument.timed(limit, ""),
        (None, Some(blocks)) => {
            progress_argument.with_eta((blocks * block) as usize, existing.blocks * block)
        }
        (None, None) => progress_argument.unbounded(),
    };
    let (mut new_games, mut new_records) = (0, 0);
    let mut written = |written: WrittenBlock| {
        new_games += block;
        new_records += written.records;
        let state = || {
            let speed = new_records as f64 / start.elapsed().as_secs_f64();
            let (games, positions) = (games(new_games), positions(new_records));
            let speed = grouped(speed as u64);
            format!("{games}, {positions}, {speed}/s, {}", size(written.bytes))
        };
        match limit {
            Some(_) => progress.advance_to_now(state),
            None => progress.advance_by(block, state),
        }
    };
    let run = RunOptions {
        isa,
        threads: arguments.run.threads.count(),
        blocks,
        is_over: &|| stop.is_stopped() || limit.is_some_and(|limit| start.elapsed() >= limit),
        written: &mut written,
    };
    let result = plan.run(&mut writer, run);
    drop(progress);
    let (all_games, bytes) = (writer.next() * block, writer.bytes());
    let result = result.map_err(CommandError::from);
    let result = result.and_then(|()| Ok(writer.finish()?));
    let time = start.elapsed();
    let summary = format!(
        "made {} of {} in {}, {:.1} a second",
        positions(new_records),
        games(new_games),
        clock(time),
        new_records as f64 / time.as_secs_f64().max(1e-9),
    );
    print_line(&summary)?;
    print_line(format_args!(
        "{file}: {}, {}, {}",
        games(all_games),
        positions(existing.records + new_records),
        size(bytes),
    ))?;
    result?;
    Ok(summary)
}

fn games(count: u64) -> String {
    plural(grouped(count), "game", "games")
}

fn positions(count: u64) -> String {
    plural(grouped(count), "position", "positions")
}

fn size(bytes: u64) -> String {
    match bytes {
        ..100_000 => format!("{} bytes", grouped(bytes)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn plan(arguments: &Arguments) -> Result<Plan, CommandError> {
    let play = |random_plies| SelfPlay {
        random_plies: arguments.random_plies.unwrap_or(random_plies),
        depth: arguments.play_depth,
        strays: arguments.strays,
    };
    let is_self_play = arguments.from == [Path::new("self")];
    let origin = match (&arguments.go_on, is_self_play) {
        (Some(_), true) => return Err(TrainError::NothingToGoOnFrom.into()),
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
        unsolved_label: match arguments.above {
            AboveArgument::Search => UnsolvedLabel::Search {
                depth: arguments.depth,
                selectivity: arguments.selectivity,
            },
            AboveArgument::Game => UnsolvedLabel::Game,
        },
        line: arguments.line,
        evaluation: None,
    })
}

/// Loads the evaluation at `path`, or the built-in one if there is any.
fn evaluation(path: Option<&Path>) -> Result<Option<NamedEvaluation>, LoadError> {
    let file = match path {
        Some(path) => Some(WeightsFile::load(path)?),
        None => WeightsFile::embedded(),
    };
    Ok(file.map(|file| NamedEvaluation {
        // `outflank weights info` shows the same checksum. Edax's files have none of their own.
        name: match file.format {
            Format::Outflank { checksum, .. } => format!("checksum {checksum:08x}"),
            Format::Edax { .. } => {
                let bytes = file
                    .model
                    .to_edax(ByteOrder::Little)
                    .expect("Edax's weights are linear");
                format!("Edax's, CRC-32 {:08x}", crc32fast::hash(&bytes))
            }
        },
        evaluation: Arc::new(Evaluation::new(file.model)),
    }))
}

/// Reads the games of all files and reports skipped ones.
fn collect(files: &[PathBuf], until: Option<u16>) -> Result<Collection, CommandError> {
    let mut collection = Collection::new(until);
    let mut skipped = 0;
    for file in files {
        let bytes = input::read(file).map_err(in_file(file))?;
        let name = file.display().to_string();
        let left_out = collection.add(&name, &bytes).map_err(in_file(file))?;
        Remarks::list(&name, &left_out, ["skipped game", "skipped games"]);
        skipped += left_out.len() as u64;
    }
    if skipped > 0 {
        print_error(format_args!("{} skipped", games(skipped)));
    }
    if let Some(until) = until {
        let held_out = grouped(collection.held_out() as u64);
        remark(format_args!(
            "{}, and {held_out} of later years than {until} left out",
            games(collection.len() as u64),
        ));
    }
    Ok(collection)
}
