//! The options of every command that searches.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use outflank::eval::{Evaluation, Model};
use outflank::search::Strength;
use outflank::{Engine, Selectivity, StopHandle};

use super::{CommandError, LevelArgument};

/// How far every position is searched.
#[derive(Args)]
pub(super) struct StrengthArguments {
    /// Search as Edax does at this level, 0 to 60: to the end of the game where few squares are empty,
    /// selectively where more are, else LEVEL plies
    #[arg(
        long,
        value_name = "LEVEL",
        value_parser = clap::value_parser!(u32).range(..=60),
        conflicts_with_all = ["depth", "selectivity"]
    )]
    level: Option<u32>,

    /// Search so many plies instead of to the end of the game
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(..=60))]
    depth: Option<u32>,

    /// Leave out what is this unlikely to matter: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100")]
    selectivity: Selectivity,
}

impl StrengthArguments {
    /// What they ask for; `None` if that is nothing.
    pub(super) fn strength(&self) -> Option<Strength> {
        match (self.level, self.depth, self.selectivity) {
            (Some(level), ..) => Some(Strength::Level(level)),
            (None, None, Selectivity::Full) => None,
            (None, depth, selectivity) => Some(Strength::Depth(depth.unwrap_or(60), selectivity)),
        }
    }
}

/// What searches.
#[derive(Args, Clone)]
pub(super) struct EngineArguments {
    /// Most memory that the hash table may take, in MiB, 1 or more; it grows with a search
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
        self.stopped_by(StopHandle::default())
    }

    /// The same, which heeds a handle that is there already.
    pub(super) fn stopped_by(&self, stop: StopHandle) -> Result<Engine, CommandError> {
        let builder = Engine::builder()
            .stop_handle(stop)
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

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds, 0 or more".to_owned())
}
