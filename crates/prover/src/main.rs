//! The program `outflank-prover`: proves algorithms from their machine code for all inputs.

mod show;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use outflank_checker::program::{SelectionError, at_any_level, isa_help, joined};
use outflank_checker::registry::CheckerEntry;
use outflank_console::console::print_line;
use outflank_console::number_options::{POSITIVE_U32, seconds_limit, whole};
use outflank_console::output_files::{Files, ForceArgument, Kind, OutputError};
use outflank_console::program::Program;
use outflank_console::progress::ProgressArgument;
use outflank_console::status::{FAILURE, ResultsError, USAGE};
use outflank_prover::batch::{ProofAttempt, Settings, prove_all};
use outflank_prover::cache::{Cache, CacheError};
use outflank_prover::report;
use outflank_prover::solver::{SolverCommand, SolverError};
use outflank_support::threads::core_count;

/// Kind of the file that `--report` writes, recognised by its heading.
const PROOFS: Kind = Kind::new("a table of proofs", |bytes| {
    bytes.starts_with(b"# Proved kernels\n")
});

/// Prove algorithms of kernels from their machine code for every board
///
/// The compiled function is executed symbolically. An SMT solver decides if its result can differ from the kernel's
/// specification. This needs Bitwuzla, Z3 or cvc5. Levels that this CPU lacks are proved, too.
///
/// An algorithm is proved, refuted, not modelled, out of time, or without a specification. A refutation shows the
/// input, the expected result, the result found, and that of the CPU. An algorithm is not modelled if it has an
/// unsupported instruction, or a loop without a known invariant.
///
/// The exit status is 0 if all algorithms with a specification are proved, else 1.
#[derive(Parser)]
#[command(name = "outflank-prover", version, after_help = EXAMPLES)]
struct Arguments {
    /// Kernels to prove, or KERNEL.ALGORITHM; * matches any characters, ? one [default: all]
    #[arg(value_name = "NAME", default_value = "*", hide_default_value = true)]
    names: Vec<String>,

    #[arg(long, value_name = "ISA", help = isa_help(" [default: all]"))]
    isa: Option<String>,

    /// Prove only the algorithms that levels use
    #[arg(long)]
    selected: bool,

    /// Solver: bitwuzla, z3 or cvc5, or the path of such a program [default: the first one installed]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// Time limit of the solver for each question, in seconds. An algorithm can raise hundreds of questions
    #[arg(long, value_name = "N", default_value = "60", value_parser = seconds_limit)]
    timeout: Duration,

    /// Time limit for the whole proof of an algorithm, in seconds
    #[arg(long, value_name = "N", default_value = "300", value_parser = seconds_limit)]
    proof_timeout: Duration,

    /// Number of algorithms to prove at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(POSITIVE_U32))]
    threads: Option<usize>,

    /// File with cached answers of the solver [default: outflank/proofs in the user's cache folder]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Ask the solver every question, without a cache
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
  outflank-prover mobility             one kernel at all levels
  outflank-prover 'flip.*' --isa v3    one kernel at one level
  outflank-prover --report proofs.md   all kernels, with a table of the results";

/// Error that ends the program.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Selection(#[from] SelectionError),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("{pattern} is not selected at {levels}: leave out --selected")]
    NotSelected { pattern: String, levels: String },
    #[error("proofs need machine code of Linux on x86-64")]
    Unsupported,
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Results(#[from] ResultsError),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        ResultsError::from(error).into()
    }
}

impl Error {
    fn status(&self) -> u8 {
        match self {
            Error::Output(error) => error.status(),
            Error::Results(error) => error.status(),
            _ => USAGE,
        }
    }
}

fn main() -> ExitCode {
    Program::named("outflank-prover").run(|arguments| prove(&arguments), Error::status)
}

/// Proves the named algorithms and returns the exit status.
fn prove(arguments: &Arguments) -> Result<u8, Error> {
    if cfg!(not(all(target_arch = "x86_64", target_os = "linux"))) {
        return Err(Error::Unsupported);
    }
    let entries = selected_entries(arguments)?;
    let [page] = Files::new()
        .updating("--cache", &arguments.cache)?
        .writing(
            [("--report", arguments.report.as_ref(), PROOFS)],
            arguments.force,
        )?;
    let settings = Settings {
        solver: SolverCommand::find(arguments.solver.as_deref())?,
        limit: arguments.timeout,
        proof_limit: arguments.proof_timeout,
        threads: arguments.threads.unwrap_or_else(core_count),
        cache: Arc::new(cache(arguments)?),
    };
    let start = Instant::now();
    let progress = arguments.progress.steps(entries.len());
    let mut proofs: Vec<ProofAttempt> = Vec::new();
    if !arguments.json {
        print_line(format_args!("solver {}", settings.solver.name))?;
    }
    prove_all(&entries, &settings, |proof| -> Result<(), Error> {
        progress.suspend(|| match arguments.json {
            true => show::json(&proof),
            false => show::text(&proof),
        })?;
        progress.advance();
        proofs.push(proof);
        Ok(())
    })?;
    drop(progress);
    if !arguments.json {
        print_line(report::summary(&proofs, start.elapsed()))?;
    }
    report::sort(&mut proofs, &entries);
    if let Some(mut page) = page {
        let text = report::markdown(&proofs, &settings.solver.name);
        page.write(text.as_bytes()).map_err(OutputError::from)?;
    }
    Ok(
        match proofs.iter().any(|proof| proof.outcome.is_failure()) {
            false => 0,
            true => FAILURE,
        },
    )
}

/// Selects the entries by name, level and `--selected`; at least one.
fn selected_entries(arguments: &Arguments) -> Result<Vec<&'static CheckerEntry>, Error> {
    let mut selected = at_any_level(&arguments.names, arguments.isa.as_deref())?;
    if arguments.selected {
        let levels = joined(selected.iter().map(|entry| entry.isa.name()));
        selected.retain(|entry| entry.selected);
        if selected.is_empty() {
            let pattern = arguments.names.join(" ");
            return Err(Error::NotSelected { pattern, levels });
        }
    }
    Ok(selected)
}

/// Opens the cache of the solver's answers: a file, or memory with `--fresh` or without a cache folder.
fn cache(arguments: &Arguments) -> Result<Cache, Error> {
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
