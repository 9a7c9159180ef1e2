//! `outflank kernels bench`: measures every algorithm at every level.

mod json;
mod picture;
mod table;

use std::io;
use std::path::PathBuf;

use clap::Args;
use outflank_checker::bench::{Measurements, Row, bench};
use outflank_checker::registry::OutputKind;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::select::{Selection, pin};
use crate::console::print_line;
use crate::error::CommandError;
use crate::number_options::whole;
use crate::output_files::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::text_format::utc_now;

/// Measure every algorithm of every kernel at every level of the CPU
///
/// Throughput is the time of a call among independent calls. Latency is the time of a call that needs the result of the
/// previous one. Both are measured over a trace of boards, in nanoseconds and core cycles. The table has the median and
/// the interquartile range (IQR) of the samples. Kernels that fill memory are measured per KiB. The algorithm that a
/// level uses is marked with *, the fastest one of a level with <.
///
/// Cycles are those of the core's clock, which rdtsc does not count. A chain of dependent one-cycle operations measures
/// the clock around each sample. The costs of reading the time and of an empty latency loop are subtracted. The
/// algorithms take turns.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Number of samples of each algorithm at each level
    #[arg(long, value_name = "R", default_value_t = 21, value_parser = whole::<u32>(1..=100_000))]
    repeats: u32,

    /// Write one JSON object per row, after a header
    ///
    /// The header is {"bench": {cpu, clock_ghz, date, version, repeats, calls (in a pass over the trace), filled_mib,
    /// timer_ns}}, the rows {kernel, algorithm, isa, selected, unit ("call" or "KiB"), throughput, latency}. Throughput
    /// and latency are {ns, cycles} of {median, spread}, where spread is the interquartile range; latency is null for
    /// kernels that fill memory.
    #[arg(long)]
    json: bool,

    /// Draw a bar chart as an SVG picture
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

/// Measurements with their CPU and date.
struct BenchRun {
    cpu: String,
    /// Date and time in UTC.
    date: String,
    repeats: u32,
    measurements: Measurements,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let entries = arguments.selection.entries()?;
    pin(arguments.selection.cpu)?;
    // Opened first, so that an error is reported before minutes of measuring.
    let svg = ("--svg", arguments.svg.as_ref(), kind::SVG);
    let [picture] = Files::new().writing([svg], arguments.force)?;
    // Drawn only between samples, so that it does not disturb the measurement.
    let progress = arguments
        .progress
        .without_ticks(entries.len() * arguments.repeats as usize);
    let measured = bench(&entries, arguments.repeats as usize, || progress.advance());
    drop(progress);
    let bench_run = BenchRun {
        cpu: cpu_name(),
        date: utc_now("%Y-%m-%dT%H:%M:%SZ"),
        repeats: arguments.repeats,
        measurements: measured?,
    };
    write(arguments.json, &bench_run)?;
    if let Some(mut picture) = picture {
        picture.write(picture::draw(&bench_run).as_bytes())?;
    }
    Ok(0)
}

fn write(json: bool, bench_run: &BenchRun) -> io::Result<()> {
    if json {
        print_line(json::header(bench_run))?;
        for row in &bench_run.measurements.rows {
            print_line(json::row(row))?;
        }
    } else {
        table::write(bench_run)?;
    }
    Ok(())
}

/// Unit of work of a kernel.
fn unit(row: &Row) -> &'static str {
    match row.entry.kind {
        OutputKind::Fills => "KiB",
        OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "call",
    }
}

/// Brand name of the CPU.
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
