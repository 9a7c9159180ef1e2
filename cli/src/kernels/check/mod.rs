//! `outflank kernels check`: every algorithm against its reference, at every level that the CPU has.
//!
//! The kernels run in a process of its own, the worker, which says what it is about to run. When it dies
//! or falls silent, that is what did it: a fault is named without a signal handler.

mod fault;
mod protocol;
mod supervise;
mod watch;
mod worker;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::kernels::check::grouped;
use outflank::kernels::registry::Entry;
use outflank::text::counted;

use super::select::Selection;
use crate::engine::seconds;
use crate::numbers::{ANY, real, whole};
use crate::output::line;
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE};
use protocol::entry_name;
use supervise::{Event, Outcome, Supervisor, Task};
pub(super) use worker::{WorkerArguments, work};

/// Check every algorithm of every kernel against its reference
///
/// At every level that the CPU has, on exhaustive sweeps first and then on random discs, positions of
/// random games and boards made to catch mistakes, until the time is over. The kernels run in a
/// process of their own: one that dies, panics or does not come back is named with the input that did
/// it, and the check goes on with the others. Kernels that write do so between canaries.
///
/// A wrong answer or a fault makes the exit status 1. The same seed gives the same inputs again.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// How long to go on; the sweeps and one round of random inputs are always finished
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds)]
    seconds: Duration,

    /// Seed of the random inputs, a whole number [default: another one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,

    /// How many seconds, 0.001 or more, a kernel may take for a batch of inputs before it counts as endless
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
    arguments.selection.pin()?;
    let seed = arguments.seed.unwrap_or_else(|| {
        // Short enough to be typed again.
        RandomState::new().build_hasher().finish() >> 32
    });
    line(format_args!("seed {seed}"))?;

    let program = std::env::current_exe().map_err(CommandError::Worker)?;
    let supervisor = Supervisor {
        launch: |task: &Task| command(&program, arguments, seed, task),
        seed,
        limit: arguments.seconds,
        patience: arguments.patience,
    };
    let start = Instant::now();
    let progress = arguments.progress.timed(arguments.seconds, "comparisons");
    let mut compared = 0;
    let outcome = supervisor.run(&entries, |event| match event {
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

/// The command that starts a worker: this program, with the hidden command.
fn command(program: &std::path::Path, arguments: &Arguments, seed: u64, task: &Task) -> Command {
    let mut selection = arguments.selection.clone();
    if let Some(entry) = task.one_by_one {
        selection.kernel = Some(format!("{}.{}", entry.kernel, entry.algorithm));
        selection.isa = Some(entry.level.name().to_owned());
    }
    let mut command = Command::new(program);
    // A panic is told in a line, not with a list of callers.
    command.env("RUST_BACKTRACE", "0");
    command.args(["kernels", "check-worker"]);
    command.args(selection.arguments());
    command.arg(format!("--seed={seed}"));
    command.arg(format!("--seconds={}", task.limit.as_secs_f64()));
    command.args(
        task.skip
            .iter()
            .map(|entry| format!("--skip={}", entry_name(entry))),
    );
    command.args(task.from.map(|source| format!("--from={source}")));
    if task.one_by_one.is_some() {
        command.arg("--one-by-one");
    }
    command
}

/// The counts of each level, and the sum.
fn report(outcome: &Outcome, entries: &[&Entry], time: Duration) -> io::Result<()> {
    let Outcome {
        report,
        failed,
        complete,
    } = outcome;
    line(report)?;
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
        let names: Vec<String> = failed.iter().map(|entry| entry_name(entry)).collect();
        line(format_args!("failed: {}", names.join(", ")))?;
    }
    if !complete {
        line("the check could not go on")?;
    }
    Ok(())
}
