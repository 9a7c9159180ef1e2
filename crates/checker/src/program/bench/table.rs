//! Measurements as tables, one per kernel.

use std::io::{self, IsTerminal};

use outflank_console::console::{print_line, print_styled_line};
use outflank_kernels::Isa;
use outflank_support::text::plural;

use super::{BenchRun, unit};
use crate::bench::{Cost, Measure, Row};

/// Writes the CPU and the number of samples.
pub(super) fn write_header(bench_run: &BenchRun) -> io::Result<()> {
    let clock = bench_run.measurements.clock;
    print_line(format_args!(
        "{}, {}, best level {}, {:.2} GHz ({:.2} before, {:.2} after; {}), {}",
        bench_run.cpu,
        bench_run.core,
        Isa::detect(),
        clock.ghz,
        clock.before_ghz,
        clock.after_ghz,
        match clock.is_counted {
            true => "cycles by a hardware counter",
            false => "cycles by calibration",
        },
        plural(bench_run.repeats, "sample", "samples")
    ))
}

/// Writes all tables to standard output.
pub(super) fn write(bench_run: &BenchRun) -> io::Result<()> {
    let rows = &bench_run.measurements.rows;
    let bold = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    write_header(bench_run)?;
    print_line("median and interquartile range (IQR)")?;
    print_line("* the algorithm that the level uses   < the fastest of the level")?;
    let width = rows.iter().map(|row| row.entry.algorithm.len()).max();
    let width = width.unwrap_or(0).max("algorithm".len());
    for (kernel, group) in groups(rows) {
        let columns = "     ns   IQR   cycles   IQR";
        let (unit, columns) = match unit(group[0]) {
            "call" => (
                "throughput per call           latency per call",
                format!("{columns}   {columns}"),
            ),
            _ => ("throughput per KiB", columns.to_owned()),
        };
        print_line(format_args!(
            "\n{kernel:<indent$}{unit}",
            indent = width + 15
        ))?;
        print_line(format_args!(
            "  level     {:<width$}   {columns}",
            "algorithm"
        ))?;
        let mut references = bench_run.measurements.references.iter();
        if let Some(reference) = references.find(|row| row.kernel == kernel) {
            let cost = cell(Some(&reference.throughput), false, bold);
            let line = format!("  {:<9} {:<width$}   {cost}", "", "reference");
            print_line(line.trim_end())?;
        }
        for row in &group {
            print_styled_line(text(row, &group, width, bold))?;
        }
    }
    Ok(())
}

/// Groups the rows by kernel, sorted by level.
pub(super) fn groups(rows: &[Row]) -> Vec<(&'static str, Vec<&Row>)> {
    let mut groups: Vec<(&'static str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let kernel = row.entry.kernel;
        match groups.iter_mut().find(|(name, _)| *name == kernel) {
            Some((_, group)) => group.push(row),
            None => groups.push((kernel, vec![row])),
        }
    }
    for (_, group) in &mut groups {
        group.sort_by_key(|row| row.entry.isa);
    }
    groups
}

fn text(row: &Row, group: &[&Row], width: usize, bold: bool) -> String {
    let entry = row.entry;
    let mark = if entry.selected { '*' } else { ' ' };
    let cell = |measure: Measure| {
        let fastest = is_fastest(row, group, measure);
        cell(measure.of(row), fastest, bold)
    };
    let [throughput, latency] = Measure::ALL.map(cell);
    let text = format!(
        "  {:<9} {:<width$} {mark} {throughput}  {latency}",
        entry.isa, entry.algorithm
    );
    text.trim_end().to_owned()
}

/// Returns `true` if the kernel has other algorithms at the level of the row, and none of them is faster.
fn is_fastest(row: &Row, group: &[&Row], measure: Measure) -> bool {
    let median = |row: &Row| measure.of(row).map(|cost| cost.ns.median());
    let rivals = group
        .iter()
        .filter(|other| other.entry.isa == row.entry.isa);
    let rivals: Vec<Option<f64>> = rivals.map(|other| median(other)).collect();
    rivals.len() > 1 && median(row).is_some() && rivals.iter().all(|other| median(row) <= *other)
}

fn cell(cost: Option<&Cost>, fastest: bool, bold: bool) -> String {
    let Some(Cost { ns, cycles }) = cost else {
        return String::new();
    };
    let (on, off) = match fastest && bold {
        true => ("\x1b[1m", "\x1b[0m"),
        false => ("", ""),
    };
    let mark = if fastest { '<' } else { ' ' };
    format!(
        "{on}{:>7.2} {:>5.2} {:>8.1} {:>5.1}{mark}{off}",
        ns.median(),
        ns.spread(),
        cycles.median(),
        cycles.spread()
    )
}
