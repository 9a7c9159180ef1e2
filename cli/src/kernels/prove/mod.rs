//! `outflank kernels prove`: algorithms proved from their machine code, for all inputs.

mod report;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::Isa;
use outflank_checker::registry::{Entry, entries};
use outflank_prover::batch::{Proof, Settings, prove_all};
use outflank_prover::cache::{Cache, CacheError};
use outflank_prover::prove::Outcome;
use outflank_prover::solver::{Choice, SolverError};

use super::select::{SelectionError, isa_names, joined, meant};
use crate::numbers::{SOME, real, whole};
use crate::output::line;
use crate::outputs::{Files, ForceArgument, kind};
use crate::progress::ProgressArgument;
use crate::{CommandError, FAILURE};

/// Prove algorithms of kernels from their machine code, for every board
///
/// The compiled function is followed from its first instruction to its return with unknown values, and an SMT
/// solver is asked whether its answer can differ from the kernel's specification. Needs Bitwuzla, Z3 or cvc5. Levels
/// that this CPU lacks are proved, too.
///
/// Each comes out as proved, refuted (with the input and both answers, and what the CPU says of it), not modelled (an
/// instruction or a loop that cannot be followed), out of time, or without a specification. Unless all are
/// proved, but for those without a specification, the exit status is 1.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Only these kernels, or KERNEL.ALGORITHM; * and ? stand for any characters and for any one
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[arg(long, value_name = "ISA", help = isa_help())]
    isa: Option<String>,

    /// Only the algorithms that their levels use
    #[arg(long)]
    selected: bool,

    /// The solver: bitwuzla, z3 or cvc5, or a program of such a name [default: the first of them that is installed]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// How many seconds the solver may take for one question; there are up to some hundreds for one algorithm
    #[arg(long, value_name = "N", default_value = "60", value_parser = timeout)]
    timeout: Duration,

    /// How many algorithms to prove at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(SOME))]
    threads: Option<usize>,

    /// Where to keep what the solver has shown, so that it is not asked again [default: outflank/proofs in the
    /// user's folder for caches]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Ask the solver everything, and keep nothing
    #[arg(long, conflicts_with = "cache")]
    fresh: bool,

    /// Write a table of the results as Markdown
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,

    /// Write one JSON object per algorithm and level
    ///
    /// {kernel, algorithm, isa, selected, outcome, why, paths, by_rewriting (claims that needed no solver),
    /// questions, cached, solver_s, time_s, refutation: {case, values, path, replay, input, expected, got}}
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels prove mobility                  a kernel, at all levels
  outflank kernels prove 'flip.*' --isa v3         one level
  outflank kernels prove --report proofs.md        all, with a table";

fn isa_help() -> String {
    format!("Only this instruction-set level: {}", isa_names())
}

/// Reads the longest time for a question in seconds.
fn timeout(text: &str) -> Result<Duration, String> {
    real(0.001..=1e9)(text).map(Duration::from_secs_f64)
}

/// Why nothing can be proved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProveError {
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("proofs follow code of Linux on x86-64, which this is not")]
    Elsewhere,
}

/// Proves and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if cfg!(not(all(target_arch = "x86_64", target_os = "linux"))) {
        return Err(ProveError::Elsewhere.into());
    }
    let entries = wanted(arguments)?;
    let [report] = Files::new()
        .updating("--cache", &arguments.cache)?
        .writing(
            [("--report", arguments.report.as_ref(), kind::PROOFS)],
            arguments.force,
        )?;
    let settings = Settings {
        choice: Choice::find(arguments.solver.as_deref()).map_err(ProveError::from)?,
        limit: arguments.timeout,
        threads: arguments.threads.unwrap_or_else(cores),
        cache: Arc::new(cache(arguments)?),
    };
    let start = Instant::now();
    let progress = arguments.progress.steps(entries.len());
    let mut proofs: Vec<Proof> = Vec::new();
    if !arguments.json {
        line(format_args!("solver {}", settings.choice.name))?;
    }
    prove_all(&entries, &settings, |proof| -> Result<(), CommandError> {
        progress.aside(|| match arguments.json {
            true => show::json(&proof),
            false => show::text(&proof),
        })?;
        progress.advance();
        proofs.push(proof);
        Ok(())
    })?;
    drop(progress);
    // They came as they were done.
    let place = |proof: &Proof| {
        entries
            .iter()
            .position(|one| std::ptr::eq(*one, proof.entry))
    };
    proofs.sort_by_key(place);
    if !arguments.json {
        show::summary(&proofs, start.elapsed())?;
    }
    if let Some(mut report) = report {
        let text = report::markdown(&proofs, &settings.choice.name);
        report.write(text.as_bytes())?;
    }
    let is_well =
        |proof: &Proof| matches!(proof.outcome, Outcome::Proved | Outcome::NoSpecification);
    Ok(match proofs.iter().all(is_well) {
        true => 0,
        false => FAILURE,
    })
}

/// The cores of this machine.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// What is to be proved; at least one.
fn wanted(arguments: &Arguments) -> Result<Vec<&'static Entry>, CommandError> {
    let all = ["*".to_owned()];
    let patterns = match arguments.names.is_empty() {
        true => &all[..],
        false => &arguments.names[..],
    };
    let mut named = Vec::new();
    for pattern in patterns {
        named.extend(meant(pattern, Isa::ALL)?);
    }
    let isa: Option<Isa> = match &arguments.isa {
        Some(isa) => Some(isa.parse()?),
        None => None,
    };
    let is_wanted = |entry: &Entry| {
        isa.is_none_or(|isa| entry.isa == isa) && (entry.selected || !arguments.selected)
    };
    let is_named = |entry: &Entry| named.iter().any(|one: &&Entry| std::ptr::eq(*one, entry));
    let found: Vec<_> = entries()
        .filter(|entry| is_named(entry) && is_wanted(entry))
        .collect();
    if let (true, Some(isa)) = (found.is_empty(), isa) {
        return Err(SelectionError::NotAtLevel {
            pattern: patterns.join(" "),
            isa,
            possible: joined(named.iter().map(|entry| entry.isa.name())),
        }
        .into());
    }
    Ok(found)
}

/// What was shown already.
fn cache(arguments: &Arguments) -> Result<Cache, ProveError> {
    let path = match &arguments.cache {
        _ if arguments.fresh => None,
        Some(path) => Some(path.clone()),
        None => dirs::cache_dir().map(|folder| folder.join("outflank").join("proofs")),
    };
    Ok(match path {
        Some(path) => Cache::open(&path)?,
        None => Cache::in_memory(),
    })
}

impl From<SolverError> for CommandError {
    fn from(error: SolverError) -> CommandError {
        ProveError::from(error).into()
    }
}
