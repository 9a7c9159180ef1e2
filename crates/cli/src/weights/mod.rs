//! `outflank weights`: shows the weights of the evaluation, joins networks, and exchanges weights with Edax.

mod exchange;
mod info;
mod join;

use std::io;
use std::path::Path;

use outflank::eval::{LoadError, WeightsFile};

use crate::CommandError;
use crate::console::remark;
use crate::replace::OutputFile;

crate::subcommands! {
    /// Show the weights of the evaluation, join networks, and exchange weights with Edax
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Import(exchange::ImportArguments) => exchange::import,
        Export(exchange::ExportArguments) => exchange::export,
        Info(info::Arguments) => info::run,
        Join(join::Arguments) => join::join,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank weights info                         contents of the built-in weights
  outflank weights import eval.dat my.weights   weights of Edax for Outflank
  outflank weights export my.weights eval.dat   weights of Outflank for Edax
  outflank weights join late.network early.network both.network
                                                a network for each phase of the game";

/// Loads the weights at `path`; `-` is standard input.
fn load(path: &Path) -> Result<WeightsFile, LoadError> {
    match path == Path::new("-") {
        true => WeightsFile::load_from(io::stdin().lock(), path),
        false => WeightsFile::load(path),
    }
}

/// Writes `bytes`, reports their number, and returns the exit status.
fn write(mut out: OutputFile, path: &Path, bytes: &[u8]) -> Result<u8, CommandError> {
    out.write(bytes)?;
    // Standard output may be the written file.
    remark(format_args!("{}: {} bytes", path.display(), bytes.len()));
    Ok(0)
}
