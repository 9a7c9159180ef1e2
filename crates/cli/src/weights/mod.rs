//! `outflank weights`: shows the weights of the evaluation and exchanges them with Edax.

mod exchange;
mod info;

use std::io;
use std::path::Path;

use outflank::eval::{LoadError, WeightsFile};

crate::subcommands! {
    /// Show the weights of the evaluation, and exchange weights with Edax
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Import(exchange::ImportArguments) => exchange::import,
        Export(exchange::ExportArguments) => exchange::export,
        Info(info::Arguments) => info::run,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank weights info                         contents of the built-in weights
  outflank weights import eval.dat my.weights   weights of Edax for Outflank
  outflank weights export my.weights eval.dat   weights of Outflank for Edax";

/// Loads the weights at `path`; `-` is standard input.
fn load(path: &Path) -> Result<WeightsFile, LoadError> {
    match path == Path::new("-") {
        true => WeightsFile::load_from(io::stdin().lock(), path),
        false => WeightsFile::load(path),
    }
}
