//! Measurements as JSON, one object a line: the form in which records are kept.

use outflank_checker::bench::{self, FILLED_MIB, Row};
use outflank_checker::registry::Kind;
use outflank_checker::trace::LENGTH;
use serde::Serialize;

use super::Setting;
use crate::json::text;

#[derive(Serialize)]
struct Header<'a> {
    bench: Bench<'a>,
}

#[derive(Serialize)]
struct Bench<'a> {
    cpu: &'a str,
    #[serde(serialize_with = "rounded")]
    clock_ghz: f64,
    date: &'a str,
    version: &'static str,
    repeats: u32,
    /// Calls in a pass over the trace.
    calls: usize,
    filled_mib: usize,
    timer_ns: f64,
}

#[derive(Serialize)]
struct Object {
    kernel: &'static str,
    algorithm: &'static str,
    isa: &'static str,
    selected: bool,
    /// What the costs are of.
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

/// Three digits after the point: what follows is noise.
fn rounded<S: serde::Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 1000.0).round() / 1000.0)
}

/// The first line.
pub(super) fn header(setting: &Setting) -> String {
    text(&Header {
        bench: Bench {
            cpu: &setting.cpu,
            clock_ghz: setting.measurements.clock_ghz,
            date: &setting.date,
            version: env!("CARGO_PKG_VERSION"),
            repeats: setting.repeats,
            calls: LENGTH,
            filled_mib: FILLED_MIB,
            timer_ns: setting.measurements.timer_ns,
        },
    })
}

/// The line of an entry.
pub(super) fn row(row: &Row) -> String {
    text(&Object {
        kernel: row.entry.kernel,
        algorithm: row.entry.algorithm,
        isa: row.entry.isa.name(),
        selected: row.entry.selected,
        unit: match row.entry.kind {
            Kind::Fills => "KiB",
            Kind::Returns | Kind::Writes | Kind::Lists => "call",
        },
        throughput: row.throughput.into(),
        latency: row.latency.map(Cost::from),
    })
}
