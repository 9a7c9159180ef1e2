//! `outflank kernels check`: every algorithm against its reference, at every level that the CPU has.
//!
//! The kernels run in a process of their own, the worker: this program, started again with a hidden command.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::text::counted;
use outflank_checker::check::Report;
use outflank_checker::registry::Entry;
use outflank_checker::supervise::{self, Event, Outcome, Supervisor, WorkerError};

use super::select::{Selection, pin};
use crate::engine::seconds;
use crate::numbers::{ANY, grouped, real, whole};
use crate::output::line;
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE};

/// Check every algorithm of every kernel against its reference
///
/// The check runs at every level that the CPU has: exhaustive sweeps first, then random discs, positions of random
/// games and boards made to catch mistakes, until the time is over. The kernels run in a process of their own. One that
/// dies, panics or does not return is named with its input, and the check goes on with the others. Memory
/// around what kernels write is checked, too.
///
/// A wrong answer or a fault makes the exit status 1. The same seed gives the same inputs again.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Seconds to go on; the sweeps and one round of random inputs are always finished
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds)]
    seconds: Duration,

    /// Seed of the random inputs, a whole number [default: another one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,

    /// Seconds, 0.001 or more, after which a kernel that works on one batch of inputs counts as endless
    #[arg(long, value_name = "N", default_value = "20", value_parser = patience)]
    patience: Duration,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels check --seconds 20
  outflank kernels check --kernel 'flip.*' --isa v3 --seed 7 --cpu 1";

/// Reads a time in seconds to wait, at least a millisecond: without any, every kernel would count as endless.
fn patience(text: &str) -> Result<Duration, String> {
    real(0.001..=1e9)(text).map(Duration::from_secs_f64)
}

/// Checks and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let entries = arguments.selection.entries()?;
    pin(arguments.selection.cpu)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        // Short enough to be typed again.
        RandomState::new().build_hasher().finish() >> 32
    });
    line(format_args!("seed {seed}"))?;

    let program = std::env::current_exe().map_err(WorkerError)?;
    let supervisor = Supervisor {
        launch: || {
            let mut command = Command::new(&program);
            command.args(["kernels", "check-worker"]);
            command.args(arguments.selection.cpu.map(|cpu| format!("--cpu={cpu}")));
            command
        },
        seed,
        limit: arguments.seconds,
        patience: arguments.patience,
    };
    let start = Instant::now();
    let progress = arguments.progress.timed(arguments.seconds, "comparisons");
    let mut compared = 0;
    let outcome: Result<Outcome, CommandError> = supervisor.run(&entries, |event| match event {
        Event::Compared(count) => {
            compared += count;
            progress.show(|| grouped(compared));
            Ok(())
        }
        Event::Wrong(failure) => Ok(progress.aside(|| line(failure))?),
        Event::Fault(fault) => Ok(progress.aside(|| line(fault))?),
    });
    drop(progress);
    let outcome = outcome?;
    report(&outcome, &entries, start.elapsed())?;
    Ok(match outcome.complete && outcome.failed.is_empty() {
        true => 0,
        false => FAILURE,
    })
}

/// What a worker is told by its command line; its task comes by standard input.
#[derive(Args)]
pub(super) struct WorkerArguments {
    /// The core to stay on.
    #[arg(long, value_parser = whole::<usize>(ANY))]
    cpu: Option<usize>,
}

/// Runs the kernels, and writes what it does to standard output.
pub(super) fn work(arguments: &WorkerArguments) -> Result<u8, CommandError> {
    pin(arguments.cpu)?;
    supervise::work(io::stdin().lock(), io::stdout().lock())?;
    Ok(0)
}

/// The counts of each level, and the sum.
fn report(outcome: &Outcome, entries: &[&Entry], time: Duration) -> io::Result<()> {
    let Outcome {
        report,
        failed,
        complete,
    } = outcome;
    table(report)?;
    let seconds = time.as_secs_f64();
    let is_right = |entry: &Entry| !failed.iter().any(|one| std::ptr::eq(*one, entry));
    let agreed = report
        .counts
        .iter()
        .filter(|(entry, count)| *count > 0 && is_right(entry));
    line(format_args!(
        "{} of {}: {} comparisons in {seconds:.1} s, {} a second",
        agreed.count(),
        counted(
            entries.len(),
            "algorithm at its level agrees with its reference",
            "algorithms at their levels agree with their references"
        ),
        grouped(report.comparisons),
        grouped((report.comparisons as f64 / seconds) as u64),
    ))?;
    if !failed.is_empty() {
        let names: Vec<String> = failed.iter().map(|entry| entry.name()).collect();
        line(format_args!("failed: {}", names.join(", ")))?;
    }
    if !complete {
        line("the check could not go on")?;
    }
    Ok(())
}

/// The comparisons of each level, and of all.
fn table(report: &Report) -> io::Result<()> {
    let row = |name: &str, pairs: usize, comparisons: u64| {
        let count = grouped(comparisons);
        let algorithms = match pairs {
            1 => "algorithm ",
            _ => "algorithms",
        };
        line(format_args!(
            "{name:<8} {pairs:>4} {algorithms} {count:>15} comparisons"
        ))
    };
    for here in &report.levels {
        row(here.isa.name(), here.pairs, here.comparisons)?;
    }
    row("all", report.pairs, report.comparisons)
}
