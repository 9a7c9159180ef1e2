//! Measurements as JSON, one object per line. The files in `benches/record` have this form.

use outflank_console::json::{object, to_line};
use outflank_kernels::Isa;
use serde::Serialize;

use super::record::{FORMAT, QUANTILES};
use super::{BenchRun, unit};
use crate::bench::{Cost, FILLED_MIB, Measure, ReferenceRow, Row, Samples};
use crate::trace::LENGTH;

/// Rounds a number to three decimals. Further decimals are noise.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Formats the header and all rows.
pub(super) fn lines(bench_run: &BenchRun) -> Vec<String> {
    let measurements = &bench_run.measurements;
    let references = measurements.references.iter().map(reference);
    let rows = measurements.rows.iter().map(|each| row(bench_run, each));
    let lines = [header(bench_run)].into_iter();
    lines.chain(references).chain(rows).collect()
}

/// Formats the header, which is the first line.
fn header(bench_run: &BenchRun) -> String {
    let clock = bench_run.measurements.clock;
    let bench = object! {
        format: FORMAT,
        cpu: &bench_run.cpu,
        core: &bench_run.core,
        best_isa: Isa::detect().name(),
        clock_ghz: rounded(clock.ghz),
        clock_before_ghz: rounded(clock.before_ghz),
        clock_after_ghz: rounded(clock.after_ghz),
        clock_spread: rounded(clock.spread),
        cycles: if clock.is_counted { "counter" } else { "calibrated" },
        warning: &bench_run.warning,
        date: &bench_run.date,
        version: env!("CARGO_PKG_VERSION"),
        repeats: bench_run.repeats,
        processes: bench_run.processes,
        // Calls per pass over the trace.
        calls: LENGTH,
        filled_mib: FILLED_MIB,
        timer_ns: bench_run.measurements.timer_ns,
    };
    to_line(&object! { bench })
}

/// Formats the measurement of an algorithm as a line.
fn row(bench_run: &BenchRun, row: &Row) -> String {
    let cost = |measure: Measure| {
        let code = bench_run.timed_code.digest(row.entry, measure);
        measure.of(row).map(|each| cost(each, code))
    };
    to_line(&object! {
        kernel: row.entry.kernel,
        algorithm: row.entry.algorithm,
        isa: row.entry.isa.name(),
        selected: row.entry.selected,
        unit: unit(row),
        throughput: cost(Measure::Throughput),
        latency: cost(Measure::Latency),
    })
}

/// Formats the measurement of a reference as a line.
fn reference(row: &ReferenceRow) -> String {
    to_line(&object! {
        kernel: row.kernel,
        algorithm: "reference",
        isa: None::<&str>,
        selected: false,
        unit: "call",
        throughput: cost(&row.throughput, None),
        latency: None::<()>,
    })
}

fn cost<'a>(Cost { ns, cycles }: &Cost, code: Option<&'a str>) -> impl Serialize + use<'a> {
    let quartiles = |samples: &Samples| {
        object! {
            min: rounded(samples.min()),
            q1: rounded(samples.q1()),
            median: rounded(samples.median()),
            q3: rounded(samples.q3()),
        }
    };
    let thinned = cycles.thinned(QUANTILES);
    let quantiles: Vec<f64> = thinned.sorted().iter().copied().map(rounded).collect();
    object! {
        samples: ns.count(),
        ns: quartiles(ns),
        cycles: quartiles(cycles),
        quantiles,
        code,
    }
}
