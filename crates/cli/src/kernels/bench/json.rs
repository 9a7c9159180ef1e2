//! Measurements as JSON, one object per line. The files in `benches/record` have this form.

use outflank_checker::bench::{self, FILLED_MIB, Row};
use outflank_checker::registry::OutputKind;
use outflank_checker::trace::LENGTH;
use serde::Serialize;

use super::BenchRun;
use crate::json::{to_line, under_key};

#[derive(Serialize)]
struct Header<'a> {
    cpu: &'a str,
    #[serde(serialize_with = "rounded")]
    clock_ghz: f64,
    date: &'a str,
    version: &'static str,
    repeats: u32,
    /// Calls per pass over the trace.
    calls: usize,
    filled_mib: usize,
    timer_ns: f64,
}

#[derive(Serialize)]
struct RowObject {
    kernel: &'static str,
    algorithm: &'static str,
    isa: &'static str,
    selected: bool,
    unit: &'static str,
    throughput: Cost,
    latency: Option<Cost>,
}

#[derive(Serialize)]
struct Cost {
    ns: Summary,
    cycles: Summary,
}

#[derive(Serialize)]
struct Summary {
    #[serde(serialize_with = "rounded")]
    median: f64,
    #[serde(serialize_with = "rounded")]
    spread: f64,
}

impl From<bench::Cost> for Cost {
    fn from(bench::Cost { ns, cycles }: bench::Cost) -> Cost {
        let [ns, cycles] =
            [ns, cycles].map(|bench::Summary { median, spread }| Summary { median, spread });
        Cost { ns, cycles }
    }
}

/// Serializes a number rounded to three decimals. Further decimals are noise.
fn rounded<S: serde::Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 1000.0).round() / 1000.0)
}

/// Formats the header, which is the first line.
pub(super) fn header(bench_run: &BenchRun) -> String {
    let header = Header {
        cpu: &bench_run.cpu,
        clock_ghz: bench_run.measurements.clock_ghz,
        date: &bench_run.date,
        version: env!("CARGO_PKG_VERSION"),
        repeats: bench_run.repeats,
        calls: LENGTH,
        filled_mib: FILLED_MIB,
        timer_ns: bench_run.measurements.timer_ns,
    };
    under_key("bench", header)
}

/// Formats a measurement as a line.
pub(super) fn row(row: &Row) -> String {
    to_line(&RowObject {
        kernel: row.entry.kernel,
        algorithm: row.entry.algorithm,
        isa: row.entry.isa.name(),
        selected: row.entry.selected,
        unit: match row.entry.kind {
            OutputKind::Fills => "KiB",
            OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "call",
        },
        throughput: row.throughput.into(),
        latency: row.latency.map(Cost::from),
    })
}
