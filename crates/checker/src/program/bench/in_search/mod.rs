//! `bench --in-search`: whole solves with each algorithm of a kernel.
//!
//! A kernel timed alone has the branch predictor and the caches to itself, so its own timing is not enough. The program is
//! built from a copy of the checkout, in which a level selects another algorithm.

mod checkout;
mod solves;

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use outflank_console::console::{print_line, remark};
use outflank_console::status::{FAILURE, USAGE};

use crate::registry::CheckerEntry;
use checkout::Checkout;
use solves::{Build, Times};

/// Error that ends the measurement of whole solves.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum InSearchError {
    #[error("--in-search needs a checkout of Outflank: {} is in none", .0.display())]
    NoCheckout(PathBuf),
    #[error("--in-search: the level uses {0} already; name another algorithm by --kernel")]
    OnlySelected(String),
    #[error("{0} has no template that selects an algorithm")]
    NoTemplate(String),
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error("{program} ended with {status}: {last_line}")]
    Failed {
        program: String,
        status: ExitStatus,
        last_line: String,
    },
    #[error("{} wrote no result of `bench --json`", .0.display())]
    Output(PathBuf),
    #[error("{name}: signature {found}; the unchanged program has {expected}")]
    Signature {
        name: String,
        found: u64,
        expected: u64,
    },
    #[error("cannot copy the checkout: {0}")]
    Copy(#[from] io::Error),
    #[error("cannot write the results: {0}")]
    Results(io::Error),
}

impl InSearchError {
    /// Exit status of the command.
    pub(in super::super) fn status(&self) -> u8 {
        match self {
            InSearchError::NoCheckout(_)
            | InSearchError::OnlySelected(_)
            | InSearchError::NoTemplate(_) => USAGE,
            _ => FAILURE,
        }
    }
}

/// Measures the entries of one level that it does not use, and returns the exit status.
pub(super) fn run(
    entries: &[&'static CheckerEntry],
    rounds: usize,
    json: bool,
) -> Result<u8, InSearchError> {
    let checkout = Checkout::of_this_folder()?;
    let others: Vec<_> = entries.iter().filter(|entry| !entry.selected).collect();
    if others.is_empty() {
        return Err(InSearchError::OnlySelected(entries[0].title()));
    }
    let templates = others.iter().map(|entry| checkout.template(entry.kernel));
    let templates: Vec<PathBuf> = templates.collect::<Result<_, _>>()?;
    checkout.copy_sources()?;
    remark("building the unchanged program");
    let isa = others[0].isa.name();
    let base = Build::new(checkout.build_unchanged()?, isa)?;
    for (entry, template) in others.into_iter().zip(templates) {
        remark(format_args!("building with {}", entry.title()));
        let Some(program) = checkout.build_with(entry, &template)? else {
            continue;
        };
        let changed = Build::new(program, isa)?;
        if changed.signature != base.signature {
            return Err(InSearchError::Signature {
                name: entry.title(),
                found: changed.signature,
                expected: base.signature,
            });
        }
        let times = Times::measure(&base, &changed, rounds)?;
        print_line(times.text(entry, json)).map_err(InSearchError::Results)?;
    }
    Ok(0)
}

/// Runs a program and returns its standard output.
fn output(command: &mut Command) -> Result<String, InSearchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let result = command.stdin(Stdio::null()).output();
    let output = result.map_err(|error| InSearchError::Start {
        program: program.clone(),
        error,
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    Err(InSearchError::Failed {
        program,
        status: output.status,
        last_line: lines.next_back().unwrap_or("it said nothing").to_owned(),
    })
}
