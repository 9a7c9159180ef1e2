//! `outflank bench`: speed of the engine and signature of its search.

mod peer;

use std::fs;

use clap::Args;
use outflank::notation::obf::{self, Problem};
use outflank::problems::{FFO_20_39, MIDGAME};
use outflank::{Engine, Limits, Selectivity, Window};
use outflank_support::text::plural;

use super::console::{clock, print_line, speed};
use super::engine::{EngineArguments, selectivity};
use super::error::{CommandError, FAILURE};
use super::json::{is_nothing, object, to_line};
use super::number_options::whole;
use super::problem_result::{ProblemResult, Totals, json, table};
use super::progress::ProgressArgument;
use super::signals::{report_interrupted, stop_on_interrupt};
use peer::PeerArguments;

/// Measure the engine on fixed positions, midgame and endgame
///
/// Midgame positions have 12 to 24 discs and are searched to a depth. Endgame positions are FFO #20-39 and are solved.
/// The signature is the total number of nodes. With one thread it is equal at every instruction-set level. It changes
/// with the search, the weights, --depth, --selectivity and --hash.
///
/// With several threads, one thread searches the same positions for comparison. The output tells how the threads spent
/// their time, how many moves they gave each other, and how many of these were discarded because another move failed
/// high.
///
/// With --peer, this program and another one are run in turn, and whole runs are timed from start to exit. The ratio of
/// a round is the time of this program divided by that of the peer. Below 1, this program is faster.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Depth of the midgame searches in plies
    #[arg(long, value_name = "D", default_value_t = 14, value_parser = whole::<u32>(0..=60))]
    depth: u32,

    /// Selectivity of the midgame searches in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "73")]
    selectivity: Selectivity,

    /// Write JSON: one object per set of positions, or per round with --peer, then one with the totals
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
  outflank bench                   speed and signature of the engine
  outflank bench --depth 20        deeper midgame searches
  outflank bench --threads 2       two threads, compared with one; the signature varies
  outflank bench --isa v3 --json   instruction-set level v3, as JSON
  outflank bench --peer 'other-engine --solve {file}' --file data/problems/ffo-40-59.obf
  outflank bench --peer 'outflank-before solve {file}' --rounds 15
  outflank bench --peer 'edax -l 60 -n-tasks 1 -solve {file}' --peer-time 'nodes in'";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if let Some(peer) = &arguments.comparison.peer {
        return peer::run(peer, arguments);
    }
    let midgame_limits = Limits::depth(arguments.depth, arguments.selectivity);
    let sets = [
        ("midgame", MIDGAME, midgame_limits),
        ("endgame", FFO_20_39, Limits::EXACT),
    ];
    let mut engine = arguments.engine.with_one_thread_by_default().engine()?;
    let mut one_thread = arguments.engine.one_thread_engine(engine.stop_handle())?;
    stop_on_interrupt(&engine.stop_handle())?;
    let mut total = Totals::default();
    let mut one_thread_total = Totals::default();
    for (name, problems, limits) in sets {
        let rows = arguments.positions;
        let Some(totals) = search(arguments, problems, &limits, &mut engine, rows)? else {
            return Ok(report_interrupted());
        };
        report(arguments, name, &totals)?;
        total.join(&totals);
        if let Some(one_thread) = &mut one_thread {
            let Some(totals) = search(arguments, problems, &limits, one_thread, false)? else {
                return Ok(report_interrupted());
            };
            one_thread_total.join(&totals);
        }
    }
    let comparison = one_thread.map(|_| Comparison::new(&total, &one_thread_total));
    let nps = speed(total.nodes, total.time);
    let peak_memory_mib = peak_memory_mib();
    if arguments.json {
        print_line(to_line(&object! {
            signature: total.nodes,
            time_s: total.time.as_secs_f64(),
            nps,
            // `null` if the system does not report it.
            peak_memory_mib,
            isa: engine.isa().name(),
            #[serde(skip_serializing_if = "is_nothing")]
            speed_up: comparison.as_ref().map(|comparison| comparison.speed_up),
            #[serde(skip_serializing_if = "is_nothing")]
            nodes_ratio: comparison.as_ref().map(|comparison| comparison.nodes_ratio),
            #[serde(skip_serializing_if = "is_nothing")]
            thread_work: json::thread_work(&total.thread_work),
        }))?;
    } else {
        let memory = peak_memory_mib.map_or_else(String::new, |mib| format!(", {mib} MiB at most"));
        print_line(format_args!(
            "signature {}; {} ({nps} N/s){memory}, level {}",
            total.nodes,
            clock(total.time),
            engine.isa()
        ))?;
        if let Some(Comparison {
            speed_up,
            nodes_ratio,
        }) = comparison
        {
            print_line(format_args!(
                "{speed_up:.2} times as fast as one thread, with {nodes_ratio:.3} times its nodes"
            ))?;
        }
        if let Some(line) = table::thread_work(&total.thread_work) {
            print_line(line)?;
        }
    }
    #[cfg(feature = "branch-statistics")]
    print_line(outflank::search::branch_statistics())?;
    Ok(if total.wrong > 0 { FAILURE } else { 0 })
}

/// Several threads compared with one on the same positions.
struct Comparison {
    /// The time of one thread divided by that of several.
    speed_up: f64,
    /// The nodes of several threads divided by those of one.
    nodes_ratio: f64,
}

impl Comparison {
    fn new(several: &Totals, one: &Totals) -> Comparison {
        Comparison {
            speed_up: one.time.as_secs_f64() / several.time.as_secs_f64(),
            nodes_ratio: several.nodes as f64 / one.nodes as f64,
        }
    }
}

/// Searches the positions of a set, with a row for each if `rows`; `None` if Ctrl-C ended the search.
fn search(
    arguments: &Arguments,
    problems: &[u8],
    limits: &Limits,
    engine: &mut Engine,
    rows: bool,
) -> Result<Option<Totals>, CommandError> {
    let problems: Vec<Problem> = obf::read(problems)
        .map(|problem| problem.expect("a test reads the file"))
        .collect();
    let progress = arguments.progress.steps(problems.len());
    if rows {
        print_line(table::header(0))?;
    }
    let mut totals = Totals::default();
    for problem in &problems {
        engine.clear();
        let search = engine.search(problem.board, limits);
        let search = search.expect("no square is held twice");
        if !search.complete {
            return Ok(None);
        }
        let result = ProblemResult {
            number: totals.positions + 1,
            problem,
            window: Window::EXACT,
            search,
        };
        totals.add(&result);
        if rows {
            progress.suspend(|| print_line(table::row(&result, 0)))?;
        }
        progress.advance();
    }
    Ok(Some(totals))
}

fn report(arguments: &Arguments, set: &str, totals: &Totals) -> Result<(), CommandError> {
    let nps = speed(totals.nodes, totals.time);
    if arguments.json {
        return Ok(print_line(to_line(&object! {
            set,
            positions: totals.positions,
            wrong: totals.wrong,
            nodes: totals.nodes,
            time_s: totals.time.as_secs_f64(),
            nps,
        }))?);
    }
    let wrong = match totals.wrong {
        0 => String::new(),
        wrong => format!(", {wrong} WRONG"),
    };
    Ok(print_line(format_args!(
        "{set}: {}, {} nodes in {} ({nps} N/s){wrong}",
        plural(totals.positions, "position", "positions"),
        totals.nodes,
        clock(totals.time),
    ))?)
}

/// Peak memory of this process in MiB; `None` if the system does not report it.
fn peak_memory_mib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.div_ceil(1024))
}
