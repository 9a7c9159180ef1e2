//! Options of commands that search or run kernels.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use outflank::eval::{Evaluation, LoadError, Model};
use outflank::kernels::IsaError;
use outflank::search::{Builder, DEFAULT_HASH_MIB, MAX_THREADS, Strength};
use outflank::{Engine, Isa, Selectivity, StopHandle};
use outflank_checker::program::isa_names;
use outflank_support::threads;

use super::error::{CommandError, USAGE, exit_status};
use super::number_options::whole;

/// Instruction-set level of the kernels.
#[derive(Args, Clone)]
pub(super) struct IsaArgument {
    // Not parsed by clap: its usage message would precede the error for an unknown level.
    #[arg(long, value_name = "ISA", help = isa_help())]
    pub(super) isa: Option<String>,
}

fn isa_help() -> String {
    format!(
        "Instruction-set level of the kernels: {} [default: the environment variable OUTFLANK_ISA, \
         else the best level of this CPU]",
        isa_names()
    )
}

impl IsaArgument {
    pub(super) fn isa(&self) -> Result<Isa, IsaError> {
        Isa::choose(self.isa.as_deref().map(str::parse).transpose()?)
    }
}

/// Depth or strength of each search.
#[derive(Args)]
pub(super) struct StrengthArguments {
    /// Strength as a level of Edax, 0 to 60: a search of LEVEL plies, selective above level 10, or to the end of the
    /// game if few squares are empty [default: 16; `solve` searches to the end of the game]
    #[arg(long, value_name = "LEVEL", value_parser = whole::<u32>(0..=60))]
    #[arg(conflicts_with_all = ["depth", "selectivity"])]
    level: Option<u32>,

    /// Search depth in plies, 0 to 60
    #[arg(long, value_name = "D", value_parser = whole::<u32>(0..=60))]
    depth: Option<u32>,

    /// Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for no such cuts. A value below 100 without
    /// --depth searches to the end of the game
    #[arg(long, value_name = "S", value_parser = selectivity, default_value = "100")]
    selectivity: Selectivity,
}

/// Largest table in MiB: more than any machine has.
const MAX_HASH_MIB: i128 = 1 << 24;

impl StrengthArguments {
    /// Strength given by the options; `None` without such options.
    pub(super) fn strength(&self) -> Option<Strength> {
        match (self.level, self.depth, self.selectivity) {
            (Some(level), ..) => Some(Strength::Level(level)),
            (None, None, Selectivity::Full) => None,
            (None, depth, selectivity) => Some(Strength::Depth(depth.unwrap_or(60), selectivity)),
        }
    }
}

/// Memory, threads, weights and level of an engine.
#[derive(Args, Clone)]
pub(super) struct EngineArguments {
    /// Maximum size of the transposition table in MiB, 1 or more; the table grows with the search
    #[arg(long, value_name = "MiB", default_value_t = DEFAULT_HASH_MIB, value_parser = whole::<usize>(1..=MAX_HASH_MIB))]
    hash: usize,

    /// Threads of each search, 1 to 512. With several threads, the number of nodes differs from run to run [default: the
    /// environment variable OUTFLANK_THREADS, else one per core; one for `bench`, `book learn`, --learn and --jobs above 1]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Weights of the evaluation, in a file of Outflank or Edax [default: the built-in weights]
    #[arg(long, value_name = "FILE")]
    pub(super) weights: Option<PathBuf>,

    #[command(flatten)]
    isa: IsaArgument,
}

impl EngineArguments {
    pub(super) fn engine(&self) -> Result<Engine, CommandError> {
        self.engine_with_stop(StopHandle::default())
    }

    /// Builds an engine whose searches can be stopped through `stop`.
    pub(super) fn engine_with_stop(&self, stop: StopHandle) -> Result<Engine, CommandError> {
        let builder = self.builder(&stop, self.evaluation()?)?;
        let threads = self.threads.map_or_else(default_threads, Ok)?;
        Ok(builder.threads(threads).hash_mib(self.hash).build()?)
    }

    /// These options with one thread, unless `--threads` is given.
    pub(super) fn with_one_thread_by_default(&self) -> EngineArguments {
        EngineArguments {
            threads: self.threads.or(Some(1)),
            ..self.clone()
        }
    }

    /// Builds an engine with one thread for comparison, stopped through `stop`; `None` unless `--threads` is 2 or more.
    pub(super) fn one_thread_engine(
        &self,
        stop: StopHandle,
    ) -> Result<Option<Engine>, CommandError> {
        let one = EngineArguments {
            threads: Some(1),
            ..self.clone()
        };
        self.has_several_threads()
            .then(|| one.engine_with_stop(stop))
            .transpose()
    }

    /// Returns `true` if `--threads` gives two or more.
    fn has_several_threads(&self) -> bool {
        self.threads.is_some_and(|threads| threads > 1)
    }

    /// Builds an engine with a small table and a single thread, for secondary searches.
    pub(super) fn secondary_engine(&self, hash_mib: usize) -> Result<Engine, CommandError> {
        let builder = self.builder(&StopHandle::default(), self.evaluation()?)?;
        Ok(builder.hash_mib(hash_mib).build()?)
    }

    /// The options as words of a command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let options = [
            ("--hash", Some(self.hash.to_string().into())),
            (
                "--threads",
                self.threads.map(|threads| threads.to_string().into()),
            ),
            ("--weights", self.weights.as_ref().map(OsString::from)),
            ("--isa", self.isa.isa.as_ref().map(OsString::from)),
        ];
        let given = options
            .into_iter()
            .filter_map(|(option, value)| Some([option.into(), value?]));
        given.flatten().collect()
    }

    /// Builds `jobs` engines for concurrent searches. The engines divide the memory of `--hash` and share a stop
    /// handle. Several engines have one thread each.
    pub(super) fn engines(&self, jobs: usize) -> Result<Vec<Engine>, CommandError> {
        self.engines_with_stop(jobs, &StopHandle::default())
    }

    /// Builds engines as [`Self::engines`] does, whose searches can be stopped through `stop`.
    pub(super) fn engines_with_stop(
        &self,
        jobs: usize,
        stop: &StopHandle,
    ) -> Result<Vec<Engine>, CommandError> {
        if jobs == 1 {
            return Ok(vec![self.engine_with_stop(stop.clone())?]);
        }
        if self.has_several_threads() {
            return Err(JobsError::Threads.into());
        }
        let hash_mib = self.hash / jobs;
        if hash_mib == 0 {
            let hash = self.hash;
            return Err(JobsError::Memory { hash, jobs }.into());
        }
        let evaluation = self.evaluation()?;
        let builder = || self.builder(stop, evaluation.clone());
        // Checks that the whole memory is available: tables that fit singly may not fit together.
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

    /// The evaluation of `--weights`; `None` is the built-in one.
    fn evaluation(&self) -> Result<Option<Arc<Evaluation>>, LoadError> {
        let model = self.weights.as_deref().map(Model::load).transpose()?;
        Ok(model.map(|model| Arc::new(Evaluation::new(model))))
    }
}

/// Parses a number of threads.
fn parse_threads(text: &str) -> Result<usize, String> {
    whole::<usize>(1..=MAX_THREADS as i128)(text)
}

/// Number of threads without `--threads`.
fn default_threads() -> Result<usize, ThreadsError> {
    let Some(text) = threads::value() else {
        return Ok(threads::core_count().min(MAX_THREADS));
    };
    let text = text.to_string_lossy();
    parse_threads(&text).map_err(|reason| ThreadsError(text.into_owned(), reason))
}

/// Invalid value of the environment variable.
#[derive(Debug, thiserror::Error)]
#[error("value '{0}' of the environment variable {name}: {1}", name = threads::VARIABLE)]
struct ThreadsError(String, String);
exit_status!(USAGE; ThreadsError);

/// Contradiction between `--jobs` and other options.
#[derive(Debug, thiserror::Error)]
enum JobsError {
    #[error("--jobs searches each position on one thread: leave out --threads")]
    Threads,
    #[error("a table has at least 1 MiB, and --hash {hash} is to be divided among {jobs} --jobs")]
    Memory { hash: usize, jobs: usize },
}
exit_status!(USAGE; JobsError);

/// Parses a selectivity in percent.
pub(super) fn selectivity(text: &str) -> Result<Selectivity, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).parse().ok();
    percent
        .and_then(Selectivity::of_percent)
        .ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}
