//! `outflank-checker shapes`: the machine code of every algorithm.

use std::slice::from_ref;

use clap::Args;
use outflank_console::console::print_line;
use outflank_console::json::{object, to_line};
use outflank_console::program::Program;
use outflank_kernels::Isa;

use super::CommandError;
use super::select::{at_any_level, isa_help};
use crate::registry::CheckerEntry;
pub(super) use crate::shapes::CodeError;
use crate::shapes::{Code, MachineCode};

/// Show the machine code of every algorithm at every level
///
/// The code is that of this program, disassembled. Levels that the CPU lacks are shown in brackets. A row has the number
/// of instructions, the bound of the template (#[shape]), the bytes of code and of stack, and the number of calls. The
/// functions that an algorithm calls count, too. A line with ! reports a difference from the template, a call that should
/// have been inlined, or an encoding from before AVX. Release builds and builds for tests can differ. For a single
/// algorithm the instructions are also counted by name.
///
/// This needs Linux on x86-64.
#[derive(Args)]
#[command(after_help = Program::kernel_examples(EXAMPLES))]
pub struct Arguments {
    /// Kernel to show, or KERNEL.ALGORITHM; * matches any characters, ? one [default: all]
    #[arg(value_name = "NAME", default_value = "*", hide_default_value = true)]
    name: String,

    #[arg(long, value_name = "ISA", help = isa_help(" [default: all]"))]
    isa: Option<String>,

    /// Show the disassembly of each algorithm
    #[arg(long)]
    code: bool,

    /// Write one JSON object per algorithm and level
    ///
    /// {kernel, algorithm, isa, selected, available, instructions, bound (null without #[shape]), bytes, stack, calls (by
    /// function), counts (by instruction), faults, code (with --code, else null)}
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM shapes flip                      size of each algorithm at each level
  PROGRAM shapes flip.carry --isa v3       number of each instruction
  PROGRAM shapes flip.carry --isa v3 --code";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let entries = at_any_level(from_ref(&arguments.name), arguments.isa.as_deref())?;
    let program = MachineCode::of_this_program()?;
    let shown = entries
        .into_iter()
        .filter_map(|entry| Some((entry, program.code_of(entry)?)));
    let shown: Vec<(&CheckerEntry, Code)> = shown.collect();
    if arguments.json {
        for (entry, code) in &shown {
            print_line(json(entry, code, arguments.code))?;
        }
        return Ok(0);
    }
    let widths = shown.iter().map(|(entry, _)| entry.algorithm.len());
    let width = widths.max().unwrap_or(0);
    let algorithm = |index: usize| (shown[index].0.kernel, shown[index].0.algorithm);
    let is_single = (1..shown.len()).all(|index| algorithm(index) == algorithm(0));
    let mut kernels: Vec<&str> = shown.iter().map(|(entry, _)| entry.kernel).collect();
    kernels.sort_unstable();
    kernels.dedup();
    for (number, kernel) in kernels.into_iter().enumerate() {
        let gap = if number > 0 { "\n" } else { "" };
        let indent = width + 13;
        print_line(format_args!(
            "{gap}{kernel:<indent$} instructions  bound  bytes  stack  calls"
        ))?;
        for (entry, code) in shown.iter().filter(|(entry, _)| entry.kernel == kernel) {
            print_line(row(entry, code, width))?;
            for fault in code.faults(entry) {
                print_line(format_args!("    ! {fault}"))?;
            }
            if is_single && !arguments.code {
                print_line(counts(code))?;
            }
            if arguments.code {
                print_line(code.listing().join("\n"))?;
            }
        }
    }
    Ok(0)
}

/// Formats the sizes of an algorithm at a level.
fn row(entry: &CheckerEntry, code: &Code, width: usize) -> String {
    let mark = if entry.selected { '*' } else { ' ' };
    let isa = match is_available(entry) {
        true => entry.isa.to_string(),
        false => format!("[{}]", entry.isa),
    };
    let bound = entry.shape.map(|shape| shape.bound.to_string());
    format!(
        "  {isa:<9} {:<width$} {mark} {:>12} {:>6} {:>6} {:>6} {:>6}",
        entry.algorithm,
        code.instructions().count(),
        bound.unwrap_or_default(),
        code.bytes(),
        code.stack(),
        code.calls().values().sum::<usize>()
    )
}

/// Formats the number of each instruction, in lines of at most 100 characters.
fn counts(code: &Code) -> String {
    let mut lines = vec![String::from("   ")];
    for (mnemonic, count) in code.mnemonics() {
        let word = format!(" {mnemonic} {count}");
        match lines.last_mut() {
            Some(line) if line.len() + word.len() <= 100 => line.push_str(&word),
            _ => lines.push(format!("   {word}")),
        }
    }
    lines.join("\n")
}

fn json(entry: &CheckerEntry, code: &Code, with_code: bool) -> String {
    to_line(&object! {
        kernel: entry.kernel,
        algorithm: entry.algorithm,
        isa: entry.isa.name(),
        selected: entry.selected,
        available: is_available(entry),
        instructions: code.instructions().count(),
        bound: entry.shape.map(|shape| shape.bound),
        bytes: code.bytes(),
        stack: code.stack(),
        calls: code.calls(),
        counts: code.mnemonics(),
        faults: code.faults(entry),
        code: with_code.then(|| code.listing()),
    })
}

fn is_available(entry: &CheckerEntry) -> bool {
    Isa::available().contains(&entry.isa)
}
