//! The options of every command that searches.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use outflank::eval::{Evaluation, LoadError, Model};
use outflank::search::{Builder, DEFAULT_HASH_MIB, Strength};
use outflank::{Engine, Selectivity, StopHandle};

use super::numbers::{real, whole};
use super::{CommandError, IsaArgument};

/// How far every position is searched.
#[derive(Args)]
pub(super) struct StrengthArguments {
    /// Search as Edax does at this level, 0 to 60: to the end of the game where few squares are empty, selectively
    /// where more are, else LEVEL plies [default: `solve` searches to the end of the game, other
    /// commands at level 16]
    #[arg(
        long,
        value_name = "LEVEL",
        value_parser = whole::<u32>(0..=60),
        conflicts_with_all = ["depth", "selectivity"]
    )]
    level: Option<u32>,

    /// Search D plies, 0 to 60
    #[arg(long, value_name = "D", value_parser = whole::<u32>(0..=60))]
    depth: Option<u32>,

    /// Skip branches that are irrelevant with this confidence, in percent: 73, 87, 95, 98, 99 or 100, which skips none;
    /// without --depth the search is to the end of the game
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100")]
    selectivity: Selectivity,
}

/// The largest table, in MiB: more than any machine has.
const MAX_HASH_MIB: i128 = 1 << 24;

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
    /// Limit of the transposition table in MiB, 1 or more; the table grows with the search
    #[arg(long, value_name = "MiB", default_value_t = DEFAULT_HASH_MIB, value_parser = whole::<usize>(1..=MAX_HASH_MIB))]
    hash: usize,

    /// Threads of a search, 1 to 512; with several, the number of nodes differs from run to run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<usize>(1..=512))]
    threads: usize,

    /// Weights of the evaluation, ours or Edax's [default: those built in]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    isa: IsaArgument,
}

impl EngineArguments {
    /// The engine that they ask for.
    pub(super) fn engine(&self) -> Result<Engine, CommandError> {
        self.stopped_by(StopHandle::default())
    }

    /// The same, which heeds a handle that is there already.
    pub(super) fn stopped_by(&self, stop: StopHandle) -> Result<Engine, CommandError> {
        let builder = self.builder(&stop, self.evaluation()?)?;
        Ok(builder.threads(self.threads).hash_mib(self.hash).build()?)
    }

    /// One with a small table and a single thread, for what is searched on the side.
    pub(super) fn small(&self, hash_mib: usize) -> Result<Engine, CommandError> {
        let builder = self.builder(&StopHandle::default(), self.evaluation()?)?;
        Ok(builder.hash_mib(hash_mib).build()?)
    }

    /// The file of weights that they name.
    pub(super) fn weights(&self) -> &Option<PathBuf> {
        &self.weights
    }

    /// The same options as words of a command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let mut words = vec![
            "--hash".into(),
            self.hash.to_string().into(),
            "--threads".into(),
            self.threads.to_string().into(),
        ];
        if let Some(weights) = &self.weights {
            words.extend(["--weights".into(), weights.into()]);
        }
        if let Some(isa) = &self.isa.isa {
            words.extend(["--isa".into(), isa.into()]);
        }
        words
    }

    /// Engines for so many positions at once, which share the memory and are stopped by one handle. Several
    /// have one thread each.
    pub(super) fn engines(&self, jobs: usize) -> Result<Vec<Engine>, CommandError> {
        if jobs == 1 {
            return Ok(vec![self.engine()?]);
        }
        if self.threads > 1 {
            return Err(CommandError::JobThreads);
        }
        let hash_mib = self.hash / jobs;
        if hash_mib == 0 {
            let hash = self.hash;
            return Err(CommandError::JobMemory { hash, jobs });
        }
        let (stop, evaluation) = (StopHandle::default(), self.evaluation()?);
        let builder = || self.builder(&stop, evaluation.clone());
        // Every table may fit in memory where all of them do not.
        builder()?.hash_mib(self.hash).build()?;
        (0..jobs)
            .map(|_| Ok(builder()?.hash_mib(hash_mib).build()?))
            .collect()
    }

    fn builder(
        &self,
        stop: &StopHandle,
        evaluation: Option<Arc<Evaluation>>,
    ) -> Result<Builder, CommandError> {
        let builder = Engine::builder()
            .stop_handle(stop.clone())
            .isa(self.isa.isa()?);
        Ok(match evaluation {
            Some(evaluation) => builder.evaluation(evaluation),
            None => builder,
        })
    }

    /// The evaluation that is named; `None` is the one built in.
    fn evaluation(&self) -> Result<Option<Arc<Evaluation>>, LoadError> {
        let model = self.weights.as_deref().map(Model::load).transpose()?;
        Ok(model.map(|model| Arc::new(Evaluation::new(model))))
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
    real(0.0..=1e9)(text).map(Duration::from_secs_f64)
}
