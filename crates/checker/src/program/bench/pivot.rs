//! Measurements of a kernel as a table of algorithms by levels.

use std::io;

use outflank_console::console::print_line;
use outflank_kernels::Isa;

use super::table::groups;
use super::{BenchRun, unit};
use crate::bench::{Measure, Row};

/// Measurements of one kernel by algorithms and levels.
pub(super) struct Pivot<'a> {
    pub(super) kernel: &'static str,
    /// `call` or `KiB`.
    pub(super) unit: &'static str,
    /// Columns.
    pub(super) isas: Vec<Isa>,
    /// Rows: an algorithm with its cell at each level.
    pub(super) algorithms: Vec<(&'static str, Vec<Option<Cell>>)>,
    /// Median throughput of the slow reference in cycles, also in a table of latencies; `None` for kernels that fill
    /// memory.
    pub(super) reference: Option<f64>,
    /// Least median of all cells in cycles.
    fastest: f64,
    measure: Measure,
    rows: Vec<&'a Row>,
}

/// Cost of an algorithm at a level.
pub(super) struct Cell {
    /// Median in cycles.
    pub(super) cycles: f64,
    /// Cost relative to the fastest cell of the kernel.
    pub(super) to_fastest: f64,
    /// Cost of the reference relative to this one.
    pub(super) speedup: Option<f64>,
    /// `true` if the level uses the algorithm.
    pub(super) selected: bool,
}

impl<'a> Pivot<'a> {
    /// Makes a table for each kernel that has the cost.
    pub(super) fn all(bench_run: &'a BenchRun, measure: Measure) -> Vec<Pivot<'a>> {
        let measurements = &bench_run.measurements;
        let groups = groups(&measurements.rows).into_iter();
        let mut pivots: Vec<Pivot> = groups
            .map(|(kernel, rows)| Pivot::new(kernel, rows, measure))
            .filter(|pivot| pivot.fastest.is_finite())
            .collect();
        for pivot in &mut pivots {
            let mut references = measurements.references.iter();
            let reference = references.find(|row| row.kernel == pivot.kernel);
            // Also for tables of latencies: the latency of a reference is not measured.
            pivot.reference = reference.map(|row| row.throughput.cycles.median());
            pivot.fill();
        }
        pivots
    }

    fn new(kernel: &'static str, rows: Vec<&'a Row>, measure: Measure) -> Pivot<'a> {
        let mut isas: Vec<Isa> = rows.iter().map(|row| row.entry.isa).collect();
        isas.dedup();
        let medians = rows.iter().filter_map(|row| measure.of(row));
        Pivot {
            kernel,
            unit: unit(rows[0]),
            isas,
            algorithms: Vec::new(),
            reference: None,
            fastest: medians
                .map(|cost| cost.cycles.median())
                .fold(f64::INFINITY, f64::min),
            measure,
            rows,
        }
    }

    fn fill(&mut self) {
        let mut names: Vec<&'static str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.entry.algorithm) {
                names.push(row.entry.algorithm);
            }
        }
        let cells = |name: &'static str| (name, self.isas.iter().map(|&isa| self.cell(name, isa)));
        let rows = names.into_iter().map(cells);
        self.algorithms = rows.map(|(name, cells)| (name, cells.collect())).collect();
    }

    fn cell(&self, algorithm: &str, isa: Isa) -> Option<Cell> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.entry.algorithm == algorithm && row.entry.isa == isa)?;
        let cycles = self.measure.of(row)?.cycles.median();
        Some(Cell {
            cycles,
            to_fastest: cycles / self.fastest.max(0.001),
            speedup: self
                .reference
                .map(|reference| reference / cycles.max(0.001)),
            selected: row.entry.selected,
        })
    }

    fn print(&self) -> io::Result<()> {
        let names = self.algorithms.iter().map(|(name, _)| name.len());
        let width = names.max().unwrap_or(0).max("reference".len());
        print_line(format_args!(
            "\n{}: {}, cycles per {}",
            self.kernel,
            self.measure.name(),
            self.unit
        ))?;
        let isas = self.isas.iter().map(|isa| format!("{:<21}", isa.name()));
        let head = format!("  {:<width$}   {}", "algorithm", isas.collect::<String>());
        print_line(head.trim_end())?;
        if let Some(reference) = self.reference {
            print_line(format_args!("  {:<width$} {reference:>8.1}", "reference"))?;
        }
        for (name, cells) in &self.algorithms {
            let cells = cells.iter().map(|cell| match cell {
                Some(cell) => cell.text(),
                None => format!("{:>8}{:13}", "-", ""),
            });
            let line = format!("  {name:<width$} {}", cells.collect::<String>());
            print_line(line.trim_end())?;
        }
        Ok(())
    }
}

impl Cell {
    fn text(&self) -> String {
        let mark = if self.selected { '*' } else { ' ' };
        let speedup = self.speedup.map_or_else(String::new, |speedup| {
            format!(
                "{speedup:.precision$}x",
                precision = usize::from(speedup < 9.95)
            )
        });
        format!(
            "{:>8.1}{mark}{speedup:>5} {:>5.2} ",
            self.cycles, self.to_fastest
        )
    }
}

/// Writes a table for each kernel to standard output.
pub(super) fn write(bench_run: &BenchRun, measure: Measure) -> io::Result<()> {
    super::table::write_header(bench_run)?;
    print_line(
        "A cell has the median, * if the level uses the algorithm, the speed relative to the reference (x), and the time \
         relative to the kernel's fastest cell.",
    )?;
    for pivot in Pivot::all(bench_run, measure) {
        pivot.print()?;
    }
    Ok(())
}
