//! `outflank-checker bench`: measures every algorithm at every level.

mod code;
mod compare;
mod cpu;
mod csv;
mod in_search;
mod json;
mod load;
mod picture;
mod pivot;
pub(super) mod record;
mod table;
mod worker;

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use outflank_console::console::{print_error, print_line, remark};
use outflank_console::number_options::whole;
use outflank_console::output_files::{Files, ForceArgument, SVG};
use outflank_console::program::Program;
use outflank_console::progress::ProgressArgument;
use outflank_console::status::FAILURE;

use super::CommandError;
use super::select::{Selection, pin};
use crate::bench::{Measure, Measurements, Row, bench};
use crate::registry::{CheckerEntry, OutputKind};
use code::TimedCode;
pub use compare::BaselineError;
use compare::{Comparison, report};
pub use in_search::InSearchError;
use load::Load;
pub use record::RecordError;
pub(super) use worker::{WorkerArguments, work};

/// Measure every algorithm of every kernel at every level of the CPU
///
/// Throughput is the time of a call among independent calls. Latency is the time of a call that needs the result of the
/// previous one. Both are measured over a trace of boards, in nanoseconds and core cycles. The table has the median and
/// the interquartile range (IQR) of the samples. Kernels that fill memory are measured per KiB. The algorithm that a
/// level uses is marked with *, the fastest one of a level with <. A row without a level is the slow reference.
///
/// Cycles are those of the core's clock, which rdtsc does not count. On Linux a hardware counter counts them, if the
/// system grants one. Otherwise a chain of dependent one-cycle operations measures the clock around each sample. A
/// warning tells if other work ran on the machine or if the clock varied. The costs of reading the time and of an empty
/// latency loop are subtracted. The algorithms take turns.
///
/// With --baseline, today's samples are compared with those of a record by the rank test of Mann and Whitney. A line has
/// the ratio of the costs with its interval. The intervals hold together: in one run of a hundred, one of them is wrong
/// by chance. Costs that may be slower are measured again, in two new processes with three times the samples. The exit
/// status is 1 if both show a slowdown, and an interval lies above --fail-over. Unchanged algorithms are measured along
/// with them. While most of those are slower, too, the measurement does not count and is repeated, up to 20 times. An
/// algorithm that a level selects now is also measured in turn with the one that it selected in the record. Kernels that
/// fill memory are left out, because all programs share the memory.
///
/// Another build places the same code at other addresses, which changes some costs by 14 %. So a record has a digest of
/// the machine code that was timed for each cost. It stands for the kernel in its loop, all functions that these call, and
/// the constants and tables that they read, without addresses. A cost with the recorded code is never slower or faster. At
/// worst it has drifted, which leaves the exit status alone. Digests need Linux on x86-64. Without them, all costs count.
#[derive(Args)]
#[command(after_help = Program::kernel_examples(EXAMPLES))]
pub struct Arguments {
    #[command(flatten)]
    selection: Selection,

    /// Number of samples of each algorithm at each level
    #[arg(long, value_name = "R", default_value_t = 21, value_parser = whole::<u32>(1..=100_000))]
    repeats: u32,

    /// Number of processes that measure one after the other. Each places its memory elsewhere, which changes the costs of
    /// some kernels by 5 %
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=100))]
    processes: u32,

    /// One table per kernel: algorithms by levels, with the ratios to the reference and to the fastest
    #[arg(long, value_name = "COST", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "throughput", value_parser = measure, conflicts_with_all = ["json", "csv"])]
    pivot: Option<Measure>,

    /// Write comma-separated values: one line per algorithm, level and cost
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Write one JSON object per row, after a header
    ///
    /// The first line is {"bench"}: format, version, date, cpu, core, best_isa, warning, repeats and processes.
    /// Then come calls (in a pass over the trace), filled_mib and timer_ns. The clock has clock_ghz, clock_before_ghz,
    /// clock_after_ghz, clock_spread (interquartile range as a fraction) and cycles ("counter" or "calibrated").
    ///
    /// The rows are {kernel, algorithm, isa, selected, unit ("call" or "KiB"), throughput, latency}. Throughput and
    /// latency are {samples, ns, cycles, quantiles, code}; ns and cycles are {min, q1, median, q3}. At most 21 quantiles
    /// from the minimum to the maximum represent the samples in cycles. Code is a digest of the timed machine code, or
    /// null. Latency is null for kernels that fill memory and for references, whose isa is null.
    ///
    /// With --baseline, rows {change} follow: kernel, algorithm, isa, measure, compared_with ("record", or the algorithm
    /// that the level selected in it), before, now (medians in cycles), ratio, low, high, rounds, verdict and same_code. The verdict is
    /// "slower", "faster", "drifted" or "similar". Same_code is null if the code is unknown.
    #[arg(long)]
    json: bool,

    /// Draw an SVG picture: a bar chart, or with --pivot a heat map
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Compare with a record, which --json wrote on this CPU
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pivot", "csv"])]
    baseline: Option<PathBuf>,

    /// Slowdown in percent above which the exit status is 1
    #[arg(long, value_name = "PERCENT", requires = "baseline", default_value = "3%", value_parser = slowdown)]
    fail_over: f64,

    /// Measure whole solves of FFO #20-39 with each algorithm that the level does not use, in a checkout of Outflank
    ///
    /// For each algorithm, the program is built in target/in-search with that algorithm selected. Its signature must
    /// equal that of the unchanged program. Then both solve in turn. A build takes some minutes.
    #[arg(long, requires_all = ["isa", "kernel"])]
    #[arg(conflicts_with_all = ["pivot", "csv", "svg", "baseline", "cpu", "repeats", "processes"])]
    in_search: bool,

    /// Number of solves of each program with --in-search
    #[arg(long, value_name = "N", requires = "in_search", default_value_t = 7, value_parser = whole::<usize>(4..=1000))]
    rounds: usize,

    #[command(flatten)]
    force: ForceArgument,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM bench --kernel flip             latency and throughput, in cycles and nanoseconds
  PROGRAM bench --kernel flip --pivot     algorithms by levels; --pivot=latency: the other cost
  PROGRAM bench --pivot --svg heat.svg
  PROGRAM bench --processes 3 --json > before.jsonl
  PROGRAM bench --baseline before.jsonl --fail-over 3%
  PROGRAM bench --in-search --isa v3 --kernel 'flip.*'";

/// Parses the name of a cost.
fn measure(text: &str) -> Result<Measure, String> {
    let mut all = Measure::ALL.into_iter();
    all.find(|measure| measure.name() == text)
        .ok_or_else(|| "possible: throughput, latency".to_owned())
}

/// Parses a slowdown, such as `3%`, as a ratio, such as 1.03.
fn slowdown(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').trim().parse().ok();
    let percent = number.filter(|percent| (0.1..=1000.0).contains(percent));
    let percent = percent.ok_or_else(|| "expected a percentage, 0.1% to 1000%".to_owned())?;
    Ok(1.0 + percent / 100.0)
}

/// Measurements with their CPU and date.
struct BenchRun {
    cpu: String,
    /// Microarchitecture.
    core: String,
    /// Date and time in UTC.
    date: String,
    repeats: u32,
    processes: u32,
    /// Warning about a busy machine.
    warning: Option<String>,
    timed_code: TimedCode,
    measurements: Measurements,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut entries = arguments.selection.entries()?;
    if arguments.in_search {
        return Ok(in_search::run(&entries, arguments.rounds, arguments.json)?);
    }
    let (cpu, core) = (cpu::name(), cpu::core());
    let repeats = arguments.repeats as usize;
    let comparison = match &arguments.baseline {
        Some(path) => Some(Comparison::read(path, &cpu, &core, repeats)?),
        None => None,
    };
    let timed_code = match arguments.json || comparison.is_some() {
        true => TimedCode::of(&entries),
        false => TimedCode::default(),
    };
    let baselines = match &comparison {
        Some(comparison) => comparison.baselines(&entries, &timed_code)?,
        None => Vec::new(),
    };
    for entry in baselines.iter().flat_map(|baseline| baseline.entries()) {
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    pin(arguments.selection.cpu)?;
    // Opened first, so that an error is reported before minutes of measuring.
    let svg = ("--svg", arguments.svg.as_ref(), SVG);
    let [picture] = Files::new().writing([svg], arguments.force)?;
    let mut load = Load::default();
    let measurements = measured(arguments, &entries, &mut load)?;
    let bench_run = BenchRun {
        cpu,
        core,
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        repeats: arguments.repeats,
        processes: arguments.processes,
        warning: load.warning(&measurements.clock),
        timed_code,
        measurements,
    };
    if let Some(warning) = &bench_run.warning {
        print_error(format_args!("warning: {warning}"));
    }
    if comparison.is_none() || arguments.json {
        write(arguments, &bench_run)?;
    }
    if let Some(mut picture) = picture {
        let svg = match arguments.pivot {
            Some(measure) => picture::draw_heat_map(&bench_run, measure),
            None => picture::draw_bars(&bench_run),
        };
        picture.write(svg.as_bytes())?;
    }
    let is_fast = match &comparison {
        Some(comparison) => report(&bench_run, comparison, &baselines, arguments)?,
        None => true,
    };
    Ok(if is_fast { 0 } else { FAILURE })
}

fn measured(
    arguments: &Arguments,
    entries: &[&'static CheckerEntry],
    load: &mut Load,
) -> Result<Measurements, CommandError> {
    let repeats = arguments.repeats as usize;
    // Drawn only between samples, so that it does not disturb the measurement.
    let progress = arguments.progress.without_ticks(entries.len() * repeats);
    let mut measurements = bench(entries, repeats, || {
        load.observe();
        progress.advance();
    })?;
    drop(progress);
    for process in 2..=arguments.processes {
        remark(format_args!("process {process} of {}", arguments.processes));
        let again = worker::measure(entries, arguments.repeats, arguments.selection.cpu)?;
        for (row, again) in measurements.rows.iter_mut().zip(again) {
            row.join(again);
        }
    }
    Ok(measurements)
}

fn write(arguments: &Arguments, bench_run: &BenchRun) -> io::Result<()> {
    if let Some(measure) = arguments.pivot {
        return pivot::write(bench_run, measure);
    }
    let lines = match (arguments.json, arguments.csv) {
        (true, _) => json::lines(bench_run),
        (_, true) => csv::lines(&bench_run.measurements),
        _ => return table::write(bench_run),
    };
    lines.into_iter().try_for_each(print_line)
}

/// Unit of work of a kernel.
fn unit(row: &Row) -> &'static str {
    match row.entry.kind {
        OutputKind::Fills => "KiB",
        OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "call",
    }
}
