//! Commands of the program `outflank-checker`. The program `outflank` has them as `outflank kernels`.
//!
//! All commands iterate over the registry, so a new kernel needs no change here. The design follows dav1d's checkasm.

mod bench;
mod check;
mod list;
mod records;
mod select;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_os = "linux")),
    path = "no_shapes.rs"
)]
mod shapes;

use std::io;

use clap::Subcommand;
use outflank_console::output_files::OutputError;
use outflank_console::program::Program;
use outflank_console::replace::ReplaceError;
use outflank_console::status::{FAILURE, ResultsError, USAGE};
use outflank_kernels::IsaError;

use crate::supervise::WorkerError;
pub use bench::{BaselineError, InSearchError, RecordError};
pub use records::RecordsError;
pub use select::{SelectionError, at_any_level, isa_help, isa_names, joined};

/// A command with its options.
#[derive(Subcommand)]
#[allow(
    missing_docs,
    reason = "clap would show the comments in place of those of the options"
)]
pub enum Command {
    List(list::Arguments),
    Check(check::Arguments),
    /// Process of `check` in which the kernels run.
    #[command(hide = true)]
    CheckWorker(check::WorkerArguments),
    Bench(bench::Arguments),
    Shapes(shapes::Arguments),
    /// Further process of `bench`.
    #[command(hide = true)]
    BenchWorker(bench::WorkerArguments),
    Records(records::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  PROGRAM list flip             specification, algorithms and levels of a kernel
  PROGRAM check --seconds 20    every algorithm against its reference
  PROGRAM bench --kernel flip   latency and throughput of each algorithm
  PROGRAM shapes flip           machine code of each algorithm";

impl Command {
    /// Examples for the help of all commands.
    pub fn examples() -> String {
        Program::kernel_examples(EXAMPLES)
    }

    /// Runs the command and returns the exit status.
    pub fn run(&self) -> Result<u8, CommandError> {
        match self {
            Command::List(arguments) => list::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::CheckWorker(arguments) => check::work(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Shapes(arguments) => shapes::run(arguments),
            Command::BenchWorker(arguments) => bench::work(arguments),
            Command::Records(arguments) => records::run(arguments),
        }
    }
}

/// Error that ends a command.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum CommandError {
    /// No kernel, level or core matches.
    Selection(#[from] SelectionError),
    /// The CPU lacks a level.
    Isa(#[from] IsaError),
    /// The process that runs the kernels failed.
    Worker(#[from] WorkerError),
    /// A file cannot be opened for writing.
    Output(#[from] OutputError),
    /// A file cannot be written.
    Replace(#[from] ReplaceError),
    /// No machine code can be read.
    Code(#[from] shapes::CodeError),
    /// A record cannot be compared with.
    Baseline(#[from] BaselineError),
    /// A folder of records cannot be read.
    Records(#[from] RecordsError),
    /// Whole solves cannot be measured.
    InSearch(#[from] InSearchError),
    /// Standard output cannot be written.
    Results(#[from] ResultsError),
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        ResultsError::from(error).into()
    }
}

impl CommandError {
    /// Exit status of the command.
    pub fn status(&self) -> u8 {
        match self {
            CommandError::Selection(_)
            | CommandError::Isa(_)
            | CommandError::Baseline(_)
            | CommandError::Records(_)
            | CommandError::Code(_) => USAGE,
            CommandError::Worker(_) | CommandError::Replace(_) => FAILURE,
            CommandError::InSearch(error) => error.status(),
            CommandError::Output(error) => error.status(),
            CommandError::Results(error) => error.status(),
        }
    }
}
