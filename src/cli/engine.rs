//! The options of every command that searches.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::eval::{Evaluation, Model};
use outflank::{Engine, Selectivity};

use super::{CommandError, LevelArgument};

#[derive(Args)]
pub(super) struct EngineArguments {
    /// Size of the hash table in MiB, 1 or more
    #[arg(long, value_name = "MiB", default_value_t = 256)]
    hash: usize,

    /// Threads that search, 1 to 512; with several, the nodes differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Weights of the evaluation, ours or Edax's [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    isa: LevelArgument,
}

impl EngineArguments {
    /// The engine that they ask for.
    pub(super) fn engine(&self) -> Result<Engine, CommandError> {
        let builder = Engine::builder()
            .isa(self.isa.level()?)
            .threads(self.threads)
            .hash_mib(self.hash);
        let builder = match &self.weights {
            Some(path) => builder.evaluation(Arc::new(Evaluation::new(&Model::load(path)?))),
            None => builder,
        };
        Ok(builder.build()?)
    }
}

/// Reads a selectivity in percent.
pub(super) fn selectivity(text: &str) -> Result<Selectivity, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).parse().ok();
    percent
        .and_then(Selectivity::of_percent)
        .ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}
