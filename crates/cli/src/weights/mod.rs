//! `outflank weights`: shows the weights of the evaluation and exchanges them with Edax.

mod exchange;
mod info;

use std::io;
use std::path::Path;

use clap::{Args, Subcommand};
use outflank::eval::{LoadError, WeightsFile};

use super::CommandError;

/// Show the weights of the evaluation, and exchange weights with Edax
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank weights info                         contents of the built-in weights
  outflank weights import eval.dat my.weights   weights of Edax for Outflank
  outflank weights export my.weights eval.dat   weights of Outflank for Edax";

#[derive(Subcommand)]
enum Command {
    Import(exchange::ImportArguments),
    Export(exchange::ExportArguments),
    Info(info::Arguments),
}

/// Loads the weights at `path`; `-` is standard input.
fn load(path: &Path) -> Result<WeightsFile, LoadError> {
    match path == Path::new("-") {
        true => WeightsFile::load_from(io::stdin().lock(), path),
        false => WeightsFile::load(path),
    }
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::Import(arguments) => exchange::import(arguments),
        Command::Export(arguments) => exchange::export(arguments),
        Command::Info(arguments) => info::run(arguments),
    }
}
