//! Measurements in a new process, which places its memory elsewhere.

use std::env;
use std::io;
use std::process::{Command, Stdio};

use clap::Args;
use outflank_console::console::print_line;
use outflank_console::number_options::{ANY_U64, whole};
use outflank_console::program::Program;

use super::super::CommandError;
use super::super::select::pin;
use crate::bench::{Cost, Measure, Row, Samples, bench};
use crate::registry::{CheckerEntry, entry_named};
use crate::supervise::WorkerError;

/// Arguments of a worker.
#[derive(Args)]
pub struct WorkerArguments {
    /// Names of the entries.
    #[arg(required = true, value_parser = entry)]
    entries: Vec<&'static CheckerEntry>,

    /// Number of samples of each entry.
    #[arg(long)]
    repeats: usize,

    /// Core to pin the worker to.
    #[arg(long, value_parser = whole::<usize>(ANY_U64))]
    cpu: Option<usize>,
}

/// Finds an entry by its name.
fn entry(name: &str) -> Result<&'static CheckerEntry, String> {
    entry_named(name).ok_or_else(|| "no such entry".to_owned())
}

/// Runs the worker. It writes one sample per line: entry, cost, nanoseconds and cycles.
pub(in super::super) fn work(arguments: &WorkerArguments) -> Result<u8, CommandError> {
    pin(arguments.cpu)?;
    for row in bench(&arguments.entries, arguments.repeats, || ())?.rows {
        for measure in Measure::ALL {
            let Some(Cost { ns, cycles }) = measure.of(&row) else {
                continue;
            };
            for (ns, cycles) in ns.sorted().iter().zip(cycles.sorted()) {
                let (entry, measure) = (row.entry.name(), measure.name());
                print_line(format_args!("{entry} {measure} {ns} {cycles}"))?;
            }
        }
    }
    Ok(0)
}

/// Measures entries in a new process, with a number of samples on a core of the CPU.
pub(super) fn measure(
    entries: &[&'static CheckerEntry],
    samples: u32,
    cpu: Option<usize>,
) -> Result<Vec<Row>, CommandError> {
    let output = env::current_exe().and_then(|program| {
        Command::new(program)
            .args(Program::running().kernel_words)
            .arg("bench-worker")
            .arg(format!("--repeats={samples}"))
            .args(cpu.map(|cpu| format!("--cpu={cpu}")))
            .args(entries.iter().map(|entry| entry.name()))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
    });
    let output = output.map_err(WorkerError)?;
    if !output.status.success() {
        let message = format!("it ended with {}", output.status);
        return Err(WorkerError(io::Error::other(message)).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = entries.iter().map(|entry| row(&text, entry));
    let rows: Option<Vec<Row>> = rows.collect();
    let unreadable = || WorkerError(io::Error::other("its samples cannot be read")).into();
    rows.ok_or_else(unreadable)
}

/// Parses the samples of an entry; `None` if they are missing or broken.
fn row(text: &str, entry: &'static CheckerEntry) -> Option<Row> {
    let cost = |measure: Measure| {
        let head = format!("{} {} ", entry.name(), measure.name());
        let samples = text.lines().filter_map(|line| {
            let (ns, cycles) = line.strip_prefix(&head)?.split_once(' ')?;
            Some((ns.parse::<f64>().ok()?, cycles.parse::<f64>().ok()?))
        });
        let (ns, cycles): (Vec<f64>, Vec<f64>) = samples.unzip();
        (!ns.is_empty()).then(|| Cost {
            ns: Samples::new(ns),
            cycles: Samples::new(cycles),
        })
    };
    Some(Row {
        entry,
        throughput: cost(Measure::Throughput)?,
        latency: cost(Measure::Latency),
    })
}
