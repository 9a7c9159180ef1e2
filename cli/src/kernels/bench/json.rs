//! Measurements as JSON, one object a line: the form in which records are kept.

use outflank::kernels::registry::Kind;
use outflank::kernels::trace::LENGTH;
use serde::Serialize;

use super::Setting;
use super::measure::{Cost, FILLED_MIB, Row, rounded};

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
    level: &'static str,
    selected: bool,
    /// What the costs are of.
    unit: &'static str,
    throughput: Cost,
    latency: Option<Cost>,
}

/// The first line.
pub(super) fn header(setting: &Setting) -> String {
    text(&Header {
        bench: Bench {
            cpu: &setting.cpu,
            clock_ghz: setting.clock,
            date: &setting.date,
            version: env!("CARGO_PKG_VERSION"),
            repeats: setting.repeats,
            calls: LENGTH,
            filled_mib: FILLED_MIB,
            timer_ns: setting.timer,
        },
    })
}

/// The line of an entry.
pub(super) fn row(row: &Row) -> String {
    text(&Object {
        kernel: row.entry.kernel,
        algorithm: row.entry.algorithm,
        level: row.entry.level.name(),
        selected: row.entry.selected,
        unit: match row.entry.kind {
            Kind::Fills => "KiB",
            Kind::Returns | Kind::Writes => "call",
        },
        throughput: row.throughput,
        latency: row.latency,
    })
}

fn text(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("keys are strings")
}
