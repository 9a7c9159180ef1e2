//! Measurements as JSON, one object per line. The files in `benches/record` have this form.

use outflank_checker::bench::{Cost, FILLED_MIB, Row, Summary};
use outflank_checker::trace::LENGTH;
use serde::Serialize;

use super::{BenchRun, unit};
use crate::json::{object, to_line};

/// Rounds a number to three decimals. Further decimals are noise.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Formats the header, which is the first line.
pub(super) fn header(bench_run: &BenchRun) -> String {
    let bench = object! {
        cpu: &bench_run.cpu,
        clock_ghz: rounded(bench_run.measurements.clock_ghz),
        date: &bench_run.date,
        version: env!("CARGO_PKG_VERSION"),
        repeats: bench_run.repeats,
        // Calls per pass over the trace.
        calls: LENGTH,
        filled_mib: FILLED_MIB,
        timer_ns: bench_run.measurements.timer_ns,
    };
    to_line(&object! { bench })
}

/// Formats a measurement as a line.
pub(super) fn row(row: &Row) -> String {
    to_line(&object! {
        kernel: row.entry.kernel,
        algorithm: row.entry.algorithm,
        isa: row.entry.isa.name(),
        selected: row.entry.selected,
        unit: unit(row),
        throughput: cost(row.throughput),
        latency: row.latency.map(cost),
    })
}

fn cost(Cost { ns, cycles }: Cost) -> impl Serialize {
    let summary = |Summary { median, spread }: Summary| {
        object! { median: rounded(median), spread: rounded(spread) }
    };
    object! { ns: summary(ns), cycles: summary(cycles) }
}
