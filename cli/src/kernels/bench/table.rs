//! Measurements as tables, one a kernel.

use std::io::{self, IsTerminal};

use outflank::text::counted;
use outflank_checker::bench::{Cost, Row};
use outflank_checker::registry::Kind;

use super::Setting;
use crate::output::{line, styled_line};

/// Writes all tables to standard output.
pub(super) fn write(setting: &Setting) -> io::Result<()> {
    let rows = &setting.measurements.rows;
    let bold = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    line(format_args!(
        "{}, {:.2} GHz, median and interquartile range (IQR) of {}",
        setting.cpu,
        setting.measurements.clock_ghz,
        counted(setting.repeats, "sample", "samples")
    ))?;
    line("* the algorithm that the level uses   < the fastest of the level")?;
    let width = rows.iter().map(|row| row.entry.algorithm.len()).max();
    let width = width.unwrap_or(0).max("algorithm".len());
    for (kernel, group) in groups(rows) {
        let columns = "     ns   IQR   cycles   IQR";
        let (unit, columns) = match group[0].entry.kind {
            Kind::Fills => ("throughput per KiB", columns.to_owned()),
            Kind::Returns | Kind::Writes | Kind::Lists => (
                "throughput per call           latency per call",
                format!("{columns}   {columns}"),
            ),
        };
        line(format_args!(
            "\n{kernel:<indent$}{unit}",
            indent = width + 15
        ))?;
        line(format_args!(
            "  level     {:<width$}   {columns}",
            "algorithm"
        ))?;
        for row in &group {
            styled_line(text(row, &group, width, bold))?;
        }
    }
    Ok(())
}

/// The rows of each kernel, a level's together.
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
    let throughput = cell(
        Some(row.throughput),
        is_fastest(row, group, |row| Some(row.throughput)),
        bold,
    );
    let latency = cell(row.latency, is_fastest(row, group, |row| row.latency), bold);
    let text = format!(
        "  {:<9} {:<width$} {mark} {throughput}  {latency}",
        entry.isa, entry.algorithm
    );
    text.trim_end().to_owned()
}

/// Whether no other algorithm of the kernel costs less at the row's level, and there are others.
pub(super) fn is_fastest(row: &Row, group: &[&Row], cost: impl Fn(&Row) -> Option<Cost>) -> bool {
    let median = |row: &Row| cost(row).map(|cost| cost.ns.median);
    let rivals = group
        .iter()
        .filter(|other| other.entry.isa == row.entry.isa);
    let rivals: Vec<Option<f64>> = rivals.map(|other| median(other)).collect();
    rivals.len() > 1 && median(row).is_some() && rivals.iter().all(|other| median(row) <= *other)
}

fn cell(cost: Option<Cost>, fastest: bool, bold: bool) -> String {
    let Some(Cost { ns, cycles }) = cost else {
        return String::new();
    };
    let (on, off) = if fastest && bold {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    let mark = if fastest { '<' } else { ' ' };
    format!(
        "{on}{:>7.2} {:>5.2} {:>8.1} {:>5.1}{mark}{off}",
        ns.median, ns.spread, cycles.median, cycles.spread
    )
}
