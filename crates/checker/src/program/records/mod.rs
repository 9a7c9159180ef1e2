//! `outflank-checker records`: the page of kernels by CPU, from records of measurements.

mod reasons;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;
use outflank_console::console::print_line;
use outflank_console::output_files::{Files, ForceArgument, Kind};
use outflank_console::program::Program;
use outflank_kernels::Isa;

use super::CommandError;
use super::bench::RecordError;
use super::bench::record::{Record, RecordCost, RecordRow};
use reasons::reason;

/// Compare the CPUs of records: which algorithm wins at each level
///
/// A record is a file NAME.jsonl that `bench --json` wrote. The page has a table per kernel with a column per record.
#[derive(Args)]
#[command(after_help = Program::kernel_examples(EXAMPLES))]
pub struct Arguments {
    /// Folder of the records
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Write the page into a file [default: standard output]
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM records benches/record
  PROGRAM records benches/record --write docs/kernels-by-cpu.md";

const TITLE: &str = "# Kernels by CPU";

/// A page that this command wrote.
const PAGE: Kind = Kind::new("a page of kernels by CPU", |bytes| {
    bytes.starts_with(TITLE.as_bytes())
});

/// Error of a folder of records.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum RecordsError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{}: {error}", folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{}: the folder has no record NAME.jsonl", .0.display())]
    Empty(PathBuf),
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let page = page(&read(&arguments.folder)?);
    let write = ("--write", arguments.write.as_ref(), PAGE);
    match Files::new().writing([write], arguments.force)? {
        [Some(mut file)] => file.write(page.as_bytes())?,
        [None] => print_line(page.trim_end())?,
    }
    Ok(0)
}

/// A record with the name of its file.
struct Named {
    name: String,
    record: Record,
}

impl Named {
    /// Name of the microarchitecture, without family and model.
    fn core(&self) -> &str {
        let core = &self.record.header.core;
        core.split_once(" (").map_or(core, |(name, _)| name)
    }
}

/// Reads all records of a folder, sorted by their names.
fn read(folder: &PathBuf) -> Result<Vec<Named>, RecordsError> {
    let error = |error| RecordsError::Folder {
        folder: folder.clone(),
        error,
    };
    let mut records = Vec::new();
    for file in fs::read_dir(folder).map_err(error)? {
        let path = file.map_err(error)?.path();
        if path.extension() == Some(OsStr::new("jsonl")) {
            let name = path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            records.push(Named {
                name,
                record: Record::read(&path)?,
            });
        }
    }
    if records.is_empty() {
        return Err(RecordsError::Empty(folder.clone()));
    }
    records.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(records)
}

/// Formats the page.
fn page(records: &[Named]) -> String {
    let mut lines = vec![
        TITLE.to_owned(),
        String::new(),
        "`outflank kernels records benches/record --write docs/kernels-by-cpu.md` writes this page from".to_owned(),
        "[records](../benches/record/README.md). Change a record or the command, not the page.".to_owned(),
        String::new(),
        "A cell begins with the fastest algorithm of a level and its median throughput in core cycles per call. The".to_owned(),
        "second fastest follows, with its time relative to the fastest. The algorithm that the level selects is marked".to_owned(),
        "with `*`, and always listed. If another algorithm has the least latency, the cell ends with it and its cycles.".to_owned(),
        "`clear` is measured per KiB.".to_owned(),
        String::new(),
        "| column | CPU | measured | version |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    for named in records {
        let header = &named.record.header;
        let date = header.date.split('T').next().unwrap_or_default();
        let core = header.core.split_once(" (").map_or("", |(_, core)| core);
        lines.push(format!(
            "| {} | {}, {} | {date} | {} |",
            named.core(),
            header.cpu,
            core.trim_end_matches(')'),
            header.version
        ));
    }
    let rows = records.iter().flat_map(|named| &named.record.rows);
    let kernels: BTreeSet<&str> = rows.map(|row| &*row.kernel).collect();
    for kernel in kernels {
        lines.push(format!("\n## {kernel}\n"));
        if let Some(reason) = reason(kernel) {
            lines.push(format!("{reason}\n"));
        }
        let columns: Vec<&str> = records.iter().map(Named::core).collect();
        lines.push(format!("| level | {} |", columns.join(" | ")));
        lines.push(format!("|---|{}", "---|".repeat(records.len())));
        for isa in Isa::ALL.iter().map(|isa| isa.name()) {
            let cells: Vec<String> = records
                .iter()
                .map(|named| cell(&named.record, kernel, isa))
                .collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                lines.push(format!("| {isa} | {} |", cells.join(" | ")));
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Formats the cell of a kernel at a level; empty if the record does not have it.
fn cell(record: &Record, kernel: &str, isa: &str) -> String {
    let rows = record.rows.iter();
    let mut rows: Vec<&RecordRow> = rows
        .filter(|row| row.kernel == kernel && row.isa.as_deref() == Some(isa))
        .collect();
    let median = |cost: &RecordCost| cost.cycles.median;
    rows.sort_by(|a, b| median(&a.throughput).total_cmp(&median(&b.throughput)));
    let Some((&first, others)) = rows.split_first() else {
        return String::new();
    };
    let name = |row: &RecordRow| match row.selected {
        true => format!("{}*", row.algorithm),
        false => row.algorithm.clone(),
    };
    let fastest = median(&first.throughput);
    let mut parts = vec![format!("{} {fastest:.1}", name(first))];
    for (index, row) in others.iter().enumerate() {
        if index == 0 || row.selected {
            let ratio = median(&row.throughput) / fastest.max(0.001);
            parts.push(format!("{} {ratio:.2}", name(row)));
        }
    }
    let latency = |row: &RecordRow| row.latency.as_ref().map(median);
    let waiting = rows.iter().filter_map(|&row| Some((row, latency(row)?)));
    let shortest = waiting.min_by(|a, b| a.1.total_cmp(&b.1));
    match shortest {
        Some((row, cycles)) if row.algorithm != first.algorithm => {
            format!("{}; latency: {} {cycles:.1}", parts.join(", "), name(row))
        }
        _ => parts.join(", "),
    }
}
