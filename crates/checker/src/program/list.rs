//! `outflank-checker list`: the registry of kernels.

use crate::registry::{CheckerEntry, Kernel, entries, kernels};
use clap::Args;
use outflank_kernels::Isa;
use serde::Serialize;

use super::CommandError;
use super::select::{matches_entry, no_match};
use outflank_console::console::print_line;
use outflank_console::json::to_line;
use outflank_console::program::Program;

/// List the kernels, their algorithms, and the levels of each
///
/// The algorithm that a level uses is marked with *. Levels in brackets are missing on this CPU.
#[derive(Args)]
#[command(after_help = Program::kernel_examples(EXAMPLES))]
pub struct Arguments {
    /// Kernel, or KERNEL.ALGORITHM, to show with its whole specification; * matches any characters, ? one [default: all
    /// kernels, each with the first sentence of its specification]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Write one JSON object per kernel
    ///
    /// {kernel, specification, parameters (their names), algorithms: [{algorithm, levels: [{isa, selected, available}]}]};
    /// available is true if this CPU has the level.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM list        all kernels, each with one sentence
  PROGRAM list flip   one kernel with its whole specification";

#[derive(Serialize)]
struct Row {
    kernel: &'static str,
    specification: &'static str,
    parameters: &'static [&'static str],
    algorithms: Vec<AlgorithmRow>,
}

#[derive(Serialize)]
struct AlgorithmRow {
    algorithm: &'static str,
    levels: Vec<LevelRow>,
}

#[derive(Serialize)]
struct LevelRow {
    isa: &'static str,
    selected: bool,
    available: bool,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let pattern = arguments.name.as_deref().unwrap_or("*");
    let listed: Vec<Row> = kernels()
        .iter()
        .map(|kernel| row(kernel, pattern))
        .filter(|row| !row.algorithms.is_empty())
        .collect();
    if listed.is_empty() {
        return Err(no_match(pattern).into());
    }
    if arguments.json {
        for row in &listed {
            print_line(to_line(row))?;
        }
        return Ok(0);
    }
    let names = listed.iter().flat_map(|row| &row.algorithms);
    let width = names.map(|row| row.algorithm.len()).max().unwrap_or(0);
    let is_whole = arguments.name.is_some();
    let texts: Vec<String> = listed
        .iter()
        .map(|row| text(row, width, is_whole))
        .collect();
    print_line(texts.join("\n\n"))?;
    Ok(0)
}

/// Builds the row of a kernel with its matching algorithms.
fn row(kernel: &'static Kernel, pattern: &str) -> Row {
    let matching: Vec<&CheckerEntry> = entries()
        .filter(|entry| entry.kernel == kernel.name && matches_entry(pattern, entry))
        .collect();
    let mut algorithms: Vec<AlgorithmRow> = Vec::new();
    for entry in &matching {
        let level = LevelRow {
            isa: entry.isa.name(),
            selected: entry.selected,
            available: Isa::available().contains(&entry.isa),
        };
        match algorithms
            .iter_mut()
            .find(|row| row.algorithm == entry.algorithm)
        {
            Some(row) => row.levels.push(level),
            None => algorithms.push(AlgorithmRow {
                algorithm: entry.algorithm,
                levels: vec![level],
            }),
        }
    }
    Row {
        kernel: kernel.name,
        specification: kernel.doc.trim(),
        parameters: matching.first().map_or(&[], |entry| entry.parameters),
        algorithms,
    }
}

fn text(row: &Row, width: usize, is_whole: bool) -> String {
    let mut lines = Vec::new();
    if is_whole {
        lines.push(format!("{}({})\n", row.kernel, row.parameters.join(", ")));
        let specification = row.specification.lines();
        lines.extend(specification.map(|line| format!("  {}", line.trim()).trim_end().to_owned()));
        lines.push(String::new());
    } else {
        let sentence = first_sentence(row.specification);
        lines.push(format!("{}: {sentence}", row.kernel));
    }
    for algorithm in &row.algorithms {
        let levels: Vec<String> = algorithm.levels.iter().map(level_text).collect();
        let name = algorithm.algorithm;
        lines.push(format!("  {name:<width$}  {}", levels.join(" ")));
    }
    lines.join("\n")
}

fn level_text(row: &LevelRow) -> String {
    let mark = if row.selected { "*" } else { "" };
    match row.available {
        true => format!("{}{mark}", row.isa),
        false => format!("[{}{mark}]", row.isa),
    }
}

/// First sentence of a specification.
fn first_sentence(specification: &str) -> String {
    let text: Vec<&str> = specification.split_whitespace().collect();
    let text = text.join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentences_are_one_line() {
        for (long, short) in [
            ("One.", "One."),
            ("One\ntwo. Three.", "One two."),
            ("No end", "No end"),
            ("A set (0..=12): more. Then.", "A set (0..=12): more."),
        ] {
            assert_eq!(first_sentence(long), short);
        }
    }
}
