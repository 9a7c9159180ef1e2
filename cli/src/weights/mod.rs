//! `outflank weights`: the weights of the evaluation, shown and exchanged.

mod exchange;
mod info;

use std::io;
use std::path::Path;

use clap::{Args, Subcommand};
use outflank::eval::{LoadError, WeightsFile};

use super::CommandError;

/// Show the weights of the evaluation, and exchange them with Edax
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank weights info                            the weights that are built in
  outflank weights import eval.dat my.weights      from Edax
  outflank weights export my.weights eval.dat      for Edax";

#[derive(Subcommand)]
enum Command {
    Import(exchange::ImportArguments),
    Export(exchange::ExportArguments),
    Info(info::Arguments),
}

/// The weights in the file at `path`, `-` being standard input.
fn load(path: &Path) -> Result<WeightsFile, LoadError> {
    match path == Path::new("-") {
        true => WeightsFile::load_from(io::stdin().lock(), path),
        false => WeightsFile::load(path),
    }
}

/// Carries out the command; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::Import(arguments) => exchange::import(arguments),
        Command::Export(arguments) => exchange::export(arguments),
        Command::Info(arguments) => info::run(arguments),
    }
}
