//! `outflank kernels bench`: what every algorithm costs at every level.

mod json;
mod picture;
mod table;

use std::io;
use std::path::PathBuf;

use clap::Args;
use outflank_checker::bench::{Measurements, bench};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::select::{Selection, pin};
use crate::CommandError;
use crate::numbers::whole;
use crate::output::line;
use crate::outputs::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;

/// Measure every algorithm of every kernel, at every level that the CPU has
///
/// Throughput is the time of a call among independent ones. Latency is the time of a call that waits for the
/// result of the one before. Both are measured over a trace of boards, in nanoseconds and in cycles of the core, as the
/// median and the interquartile range (IQR) of the samples. Kernels that fill memory are measured per KiB. The
/// algorithm that a level uses is marked with *, the fastest of a level with <.
///
/// The clock of the core is measured around each sample, by a chain of dependent operations of one cycle each: the
/// counter that rdtsc reads does not count the core's cycles. The cost of reading the time is subtracted, and so is
/// that of the loop for latency without a kernel. Samples of the algorithms take turns.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Samples of each algorithm at each level
    #[arg(long, value_name = "R", default_value_t = 21,
          value_parser = whole::<u32>(1..=100_000))]
    repeats: u32,

    /// Write one JSON object per row, after one that says what was measured on what
    ///
    /// The first is {"bench": {cpu, clock_ghz, date, version, repeats, calls (in a pass over the
    /// trace), filled_mib, timer_ns}}, the others {kernel, algorithm, isa, selected, unit ("call" or
    /// "KiB"), throughput, latency}. Throughput and latency are {ns, cycles} of {median, spread}, where spread is the
    /// interquartile range; latency is null where memory is filled.
    #[arg(long)]
    json: bool,

    /// Draw the table as bars, too, in an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels bench --kernel flip             latency and throughput, in cycles and nanoseconds
  outflank kernels bench --svg bench.svg --json > bench.json";

/// What was measured on what, and how.
struct Setting {
    cpu: String,
    /// The time of the measurement, in UTC.
    date: String,
    repeats: u32,
    measurements: Measurements,
}

/// Measures and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let entries = arguments.selection.entries()?;
    pin(arguments.selection.cpu)?;
    // Before minutes of measuring, not after them.
    let svg = ("--svg", arguments.svg.as_ref(), kind::SVG);
    let [picture] = Files::new().writing([svg], arguments.force)?;
    // It moves only between samples, or it would disturb them.
    let progress = arguments
        .progress
        .still(entries.len() * arguments.repeats as usize);
    let measured = bench(&entries, arguments.repeats as usize, || progress.advance());
    drop(progress);
    let setting = Setting {
        cpu: cpu_name(),
        date: now(),
        repeats: arguments.repeats,
        measurements: measured?,
    };
    write(arguments.json, &setting)?;
    if let Some(mut picture) = picture {
        picture.write(picture::draw(&setting).as_bytes())?;
    }
    Ok(0)
}

fn write(json: bool, setting: &Setting) -> io::Result<()> {
    if json {
        line(json::header(setting))?;
        for row in &setting.measurements.rows {
            line(json::row(row))?;
        }
    } else {
        table::write(setting)?;
    }
    Ok(())
}

/// The time, in UTC.
fn now() -> String {
    let now = jiff::Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// What the CPU calls itself.
fn cpu_name() -> String {
    let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(cpus);
    let name = system.ok().and_then(|system| {
        let cpu = system.cpus().first()?;
        Some(cpu.brand().trim().to_owned())
    });
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| "unknown CPU".to_owned())
}
