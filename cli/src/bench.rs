//! `outflank bench`: the speed of the engine, and a signature of what it searches.

pub(super) mod peer;

use std::fs;

use clap::Args;
use outflank::notation::obf::{self, Problem};
use outflank::problems::{FFO_20_39, MIDGAME};
use outflank::text::counted;
use outflank::{Engine, Limits, Selectivity, Window};
use serde::Serialize;

use super::answer::{Answer, Tally};
use super::engine::{EngineArguments, selectivity};
use super::numbers::whole;
use super::output::{clock, complain, line, speed};
use super::progress::ProgressArgument;
use super::{CommandError, FAILURE, interrupted_status, json, stop_on_interrupt, table};
use peer::PeerArguments;

/// Measure the engine on fixed positions, midgame and endgame
///
/// The midgame positions have 12 to 24 discs and are searched to a depth, the endgame positions are FFO
/// #20-39 and solved. The signature is the number of nodes in all: with one thread it is the same at every
/// instruction-set level, and changes with the search, the weights, --depth, --selectivity and --hash.
///
/// With --peer, whole runs of this program and of another one are timed in turn instead, from start to exit.
/// The ratio of a round is our time over the peer's: less than 1 where we are faster.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Plies of the midgame searches
    #[arg(
        long,
        value_name = "D",
        default_value_t = 14,
        value_parser = whole::<u32>(0..=60)
    )]
    depth: u32,

    /// Selectivity of the midgame searches: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "73")]
    selectivity: Selectivity,

    /// Write one JSON object for each set of positions, or for each round with --peer, and one for the sum
    #[arg(long)]
    json: bool,

    /// Show the result of every position
    #[arg(long, conflicts_with = "json")]
    positions: bool,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,

    #[command(flatten)]
    comparison: PeerArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank bench                     the speed of the engine, and its signature
  outflank bench --depth 20          deeper midgame searches
  outflank bench --threads 2         with more threads; the signature then differs each time
  outflank bench --isa v3 --json     at another level, for a program to read
  outflank bench --peer 'other-engine --solve {file}' --file problems/ffo-40-59.obf
  outflank bench --peer 'outflank-before solve {file}' --rounds 15
  outflank bench --peer 'edax -l 60 -n-tasks 1 -solve {file}' --peer-time 'nodes in'";

/// Positions, and how they are searched.
struct Set {
    name: &'static str,
    problems: &'static [u8],
    limits: Limits,
}

#[derive(Serialize)]
struct Row {
    set: &'static str,
    positions: usize,
    wrong: usize,
    nodes: u64,
    time_s: f64,
    nps: u64,
}

#[derive(Serialize)]
struct LastLine {
    signature: u64,
    time_s: f64,
    nps: u64,
    /// `null` where the system does not say.
    peak_memory_mib: Option<u64>,
    isa: &'static str,
}

/// Measures and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if let Some(peer) = &arguments.comparison.peer {
        let Arguments {
            comparison,
            engine,
            json,
            progress,
            ..
        } = arguments;
        return peer::run(peer, comparison, engine, *json, progress);
    }
    let sets = [
        Set {
            name: "midgame",
            problems: MIDGAME,
            limits: Limits::depth(arguments.depth, arguments.selectivity),
        },
        Set {
            name: "endgame",
            problems: FFO_20_39,
            limits: Limits::EXACT,
        },
    ];
    let mut engine = arguments.engine.engine()?;
    stop_on_interrupt(&engine.stop_handle())?;
    let mut whole = Tally::default();
    for set in &sets {
        let Some(tally) = search(arguments, set, &mut engine)? else {
            return Ok(interrupted_status());
        };
        report(arguments, set, &tally)?;
        whole.join(&tally);
    }
    let nps = speed(whole.nodes, whole.time);
    let peak_memory_mib = peak_memory_mib();
    if arguments.json {
        line(json::text(&LastLine {
            signature: whole.nodes,
            time_s: whole.time.as_secs_f64(),
            nps,
            peak_memory_mib,
            isa: engine.isa().name(),
        }))?;
    } else {
        let memory = peak_memory_mib.map_or_else(String::new, |mib| format!(", {mib} MiB at most"));
        line(format_args!(
            "signature {}; {} ({nps} N/s){memory}, level {}",
            whole.nodes,
            clock(whole.time),
            engine.isa()
        ))?;
    }
    #[cfg(feature = "branch-statistics")]
    line(outflank::search::branch_statistics())?;
    Ok(if whole.wrong > 0 { FAILURE } else { 0 })
}

/// Searches the positions of a set; `None` where Ctrl-C ended it.
fn search(
    arguments: &Arguments,
    set: &Set,
    engine: &mut Engine,
) -> Result<Option<Tally>, CommandError> {
    let problems: Vec<Problem> = obf::read(set.problems)
        .map(|problem| problem.expect("a test reads the file"))
        .collect();
    let progress = arguments.progress.steps(problems.len());
    if arguments.positions {
        line(table::header(0))?;
    }
    let mut tally = Tally::default();
    for problem in &problems {
        engine.clear();
        let found = engine.search(problem.board, &set.limits);
        let found = found.expect("no square is held twice");
        if !found.complete {
            complain("interrupted");
            return Ok(None);
        }
        let answer = Answer {
            index: tally.positions + 1,
            problem,
            window: Window::EXACT,
            found,
        };
        tally.add(&answer);
        if arguments.positions {
            progress.aside(|| line(table::row(&answer, 0)))?;
        }
        progress.advance();
    }
    Ok(Some(tally))
}

fn report(arguments: &Arguments, set: &Set, tally: &Tally) -> Result<(), CommandError> {
    let nps = speed(tally.nodes, tally.time);
    if arguments.json {
        return Ok(line(json::text(&Row {
            set: set.name,
            positions: tally.positions,
            wrong: tally.wrong,
            nodes: tally.nodes,
            time_s: tally.time.as_secs_f64(),
            nps,
        }))?);
    }
    let wrong = match tally.wrong {
        0 => String::new(),
        wrong => format!(", {wrong} WRONG"),
    };
    Ok(line(format_args!(
        "{}: {}, {} nodes in {} ({nps} N/s){wrong}",
        set.name,
        counted(tally.positions, "position", "positions"),
        tally.nodes,
        clock(tally.time),
    ))?)
}

/// The most memory that this process ever had, in MiB; `None` where the system does not say.
fn peak_memory_mib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.div_ceil(1024))
}
