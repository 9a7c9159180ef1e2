//! `outflank kernels list`: what there is.

use clap::Args;
use outflank::Isa;
use outflank_checker::registry::{Entry, Kernel, entries, kernels};
use serde::Serialize;

use super::select::{is_meant, unknown};
use crate::CommandError;
use crate::output::line;

/// List the kernels, their algorithms, and the levels at which each exists
///
/// The algorithm that a level uses is marked with *. Levels in brackets are those that this CPU
/// lacks.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Only this kernel, or KERNEL.ALGORITHM, with its whole specification; * and ? stand for any
    /// characters and for any one
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Write one JSON object per kernel
    ///
    /// {kernel, specification, parameters (their names), algorithms: [{algorithm, levels: [{isa,
    /// selected, available}]}]}; available says whether this CPU has the level.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels list                            all kernels, with what they do
  outflank kernels list flip                       one of them, the selected algorithms marked";

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

/// Writes the list; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let pattern = arguments.name.as_deref().unwrap_or("*");
    let listed: Vec<Row> = kernels()
        .iter()
        .map(|kernel| row(kernel, pattern))
        .filter(|row| !row.algorithms.is_empty())
        .collect();
    if listed.is_empty() {
        return Err(unknown(pattern).into());
    }
    if arguments.json {
        for row in &listed {
            line(crate::json::text(row))?;
        }
        return Ok(0);
    }
    let names = listed.iter().flat_map(|row| &row.algorithms);
    let width = names.map(|row| row.algorithm.len()).max().unwrap_or(0);
    for (i, row) in listed.iter().enumerate() {
        if i > 0 {
            line("")?;
        }
        write(row, width, arguments.name.is_some())?;
    }
    Ok(0)
}

/// A kernel and those of its algorithms that are meant.
fn row(kernel: &'static Kernel, pattern: &str) -> Row {
    let meant: Vec<&Entry> = entries()
        .filter(|entry| entry.kernel == kernel.name && is_meant(pattern, entry))
        .collect();
    let mut algorithms: Vec<AlgorithmRow> = Vec::new();
    for entry in &meant {
        let here = LevelRow {
            isa: entry.isa.name(),
            selected: entry.selected,
            available: Isa::available().contains(&entry.isa),
        };
        match algorithms
            .iter_mut()
            .find(|row| row.algorithm == entry.algorithm)
        {
            Some(row) => row.levels.push(here),
            None => algorithms.push(AlgorithmRow {
                algorithm: entry.algorithm,
                levels: vec![here],
            }),
        }
    }
    Row {
        kernel: kernel.name,
        specification: kernel.doc.trim(),
        parameters: meant.first().map_or(&[], |entry| entry.parameters),
        algorithms,
    }
}

fn write(row: &Row, width: usize, whole: bool) -> std::io::Result<()> {
    if whole {
        line(format_args!(
            "{}({})",
            row.kernel,
            row.parameters.join(", ")
        ))?;
        line("")?;
        for text in row.specification.lines() {
            line(format_args!("  {}", text.trim()).to_string().trim_end())?;
        }
        line("")?;
    } else {
        line(format_args!(
            "{}: {}",
            row.kernel,
            in_short(row.specification)
        ))?;
    }
    for algorithm in &row.algorithms {
        let levels: Vec<String> = algorithm.levels.iter().map(shown).collect();
        let name = algorithm.algorithm;
        line(format_args!("  {name:<width$}  {}", levels.join(" ")))?;
    }
    Ok(())
}

fn shown(row: &LevelRow) -> String {
    let mark = if row.selected { "*" } else { "" };
    match row.available {
        true => format!("{}{mark}", row.isa),
        false => format!("[{}{mark}]", row.isa),
    }
}

/// The first sentence of a specification.
fn in_short(specification: &str) -> String {
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
    fn a_specification_in_short_is_its_first_sentence_on_one_line() {
        for (long, short) in [
            ("One.", "One."),
            ("One\ntwo. Three.", "One two."),
            ("No end", "No end"),
            ("A set (0..=12): more. Then.", "A set (0..=12): more."),
        ] {
            assert_eq!(in_short(long), short);
        }
    }
}
