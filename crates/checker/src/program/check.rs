//! `outflank-checker check`: compares every algorithm with its reference at every level of the CPU.
//!
//! The kernels run in a worker process: this program, started with a hidden command.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::check::{Replay, Report, describe, wrong_answer};
use crate::registry::CheckerEntry;
use crate::supervise::{self, Event, Outcome, Supervisor, WorkerError};
use clap::Args;
use outflank_support::text::plural;

use super::select::{Selection, pin};
use outflank_console::console::print_line;

use super::CommandError;
use outflank_console::number_options::{ANY_U64, grouped, seconds, seconds_limit, whole};
use outflank_console::program::Program;
use outflank_console::progress::ProgressArgument;
use outflank_console::status::FAILURE;

/// Check every algorithm of every kernel against its reference
///
/// The check runs at every level of the CPU. Exhaustive sweeps come first. Random discs, positions of random games and
/// adversarial boards follow until the time is over. Memory around the output of kernels is checked, too.
///
/// The kernels run in a separate process. A kernel that crashes, panics or hangs is reported with its input, and the
/// check continues with the others. Equal seeds give equal inputs.
///
/// The exit status is 1 after a wrong answer or a fault.
#[derive(Args)]
#[command(after_help = Program::kernel_examples(EXAMPLES))]
pub struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Duration of the check in seconds; the sweeps and one round of random inputs are always finished
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds)]
    seconds: Duration,

    /// Seed of the random inputs, a whole number [default: random]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY_U64))]
    seed: Option<u64>,

    /// Maximum time of a kernel for a batch of inputs in seconds, 0.001 or more; a slower kernel counts as hanging
    #[arg(long, value_name = "N", default_value = "20", value_parser = seconds_limit)]
    patience: Duration,

    /// Compare one algorithm on one case only, in this process. The line `replay` of a report has the COMPARISON
    #[arg(long, value_name = "COMPARISON", conflicts_with_all = ["kernel", "isa", "seconds", "seed", "patience"])]
    replay: Option<Replay>,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM check --seconds 20
  PROGRAM check --kernel 'flip.*' --isa v3 --seed 7 --cpu 1";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if let Some(comparison) = &arguments.replay {
        pin(arguments.selection.cpu)?;
        return replay(comparison);
    }
    let entries = arguments.selection.entries()?;
    pin(arguments.selection.cpu)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        // Short enough to be typed again.
        RandomState::new().build_hasher().finish() >> 32
    });
    print_line(format_args!("seed {seed}"))?;

    let program = std::env::current_exe().map_err(WorkerError)?;
    let supervisor = Supervisor {
        launch: || {
            let mut command = Command::new(&program);
            command.args(Program::running().kernel_words);
            command.arg("check-worker");
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
            progress.advance_to_now(|| grouped(compared));
            Ok(())
        }
        Event::Mismatch(failure) => Ok(progress.suspend(|| print_line(failure))?),
        Event::Fault(fault) => Ok(progress.suspend(|| print_line(fault))?),
    });
    drop(progress);
    let outcome = outcome?;
    report(&outcome, &entries, start.elapsed())?;
    Ok(match outcome.complete && outcome.failed.is_empty() {
        true => 0,
        false => FAILURE,
    })
}

/// Compares on one case and returns the exit status.
fn replay(comparison: &Replay) -> Result<u8, CommandError> {
    let Replay { entry, case } = comparison;
    let [expected, got] = comparison.answers()?;
    if expected == got {
        print_line(format_args!("{} agrees with the reference", entry.title()))?;
        print_line(describe(entry, case))?;
        return Ok(0);
    }
    print_line(wrong_answer(entry, case, &expected, &got))?;
    Ok(FAILURE)
}

/// Arguments of a worker. Its task comes by standard input.
#[derive(Args)]
pub struct WorkerArguments {
    /// Core to pin the worker to.
    #[arg(long, value_parser = whole::<usize>(ANY_U64))]
    cpu: Option<usize>,
}

/// Runs the worker, which writes its events to standard output.
pub(super) fn work(arguments: &WorkerArguments) -> Result<u8, CommandError> {
    pin(arguments.cpu)?;
    supervise::work(io::stdin().lock(), io::stdout().lock())?;
    Ok(0)
}

/// Writes the counts and failures.
fn report(outcome: &Outcome, entries: &[&CheckerEntry], time: Duration) -> io::Result<()> {
    let Outcome {
        report,
        failed,
        complete,
    } = outcome;
    table(report)?;
    let seconds = time.as_secs_f64();
    let is_right = |entry: &CheckerEntry| !failed.iter().any(|failed| std::ptr::eq(*failed, entry));
    let agreed = report
        .counts
        .iter()
        .filter(|(entry, count)| *count > 0 && is_right(entry));
    print_line(format_args!(
        "{} of {}: {} comparisons in {seconds:.1} s, {} a second",
        agreed.count(),
        plural(
            entries.len(),
            "algorithm at its level agrees with its reference",
            "algorithms at their levels agree with their references"
        ),
        grouped(report.comparisons),
        grouped((report.comparisons as f64 / seconds) as u64),
    ))?;
    if !failed.is_empty() {
        let names: Vec<String> = failed.iter().map(|entry| entry.name()).collect();
        print_line(format_args!("failed: {}", names.join(", ")))?;
    }
    if !complete {
        print_line("the check could not be completed")?;
    }
    Ok(())
}

/// Writes the number of comparisons at each level and in total.
fn table(report: &Report) -> io::Result<()> {
    let row = |name: &str, pairs: usize, comparisons: u64| {
        let count = grouped(comparisons);
        let algorithms = match pairs {
            1 => "algorithm ",
            _ => "algorithms",
        };
        print_line(format_args!(
            "{name:<8} {pairs:>4} {algorithms} {count:>15} comparisons"
        ))
    };
    for level in &report.levels {
        row(level.isa.name(), level.algorithms, level.comparisons)?;
    }
    row("all", report.algorithms, report.comparisons)
}
