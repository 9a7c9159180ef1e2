//! Small program that proves kernels: `outflank kernels prove` without the rest of `outflank`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use outflank_checker::program::{SelectionError, at_any_level, isa_help};
use outflank_console::console::print_line;
use outflank_console::number_options::seconds_limit;
use outflank_console::program::Program;
use outflank_console::replace::{OutputFile, ReplaceError};
use outflank_console::status::{FAILURE, ResultsError, USAGE};
use outflank_prover::batch::{ProofAttempt, Settings, prove_all};
use outflank_prover::cache::Cache;
use outflank_prover::report;
use outflank_prover::solver::{SolverCommand, SolverError};

/// Prove algorithms of kernels from their machine code for every board
///
/// This needs Linux on x86-64 and an SMT solver: Bitwuzla, Z3 or cvc5. The exit status is 0 if all algorithms with a
/// specification are proved, else 1.
#[derive(Parser)]
#[command(name = "outflank-prover", version)]
struct Arguments {
    /// Kernels to prove, or KERNEL.ALGORITHM; * matches any characters, ? one [default: all]
    #[arg(value_name = "NAME", default_value = "*", hide_default_value = true)]
    names: Vec<String>,

    #[arg(long, value_name = "ISA", help = isa_help(" [default: all]"))]
    isa: Option<String>,

    /// Time limit of the solver for each question, in seconds
    #[arg(long, value_name = "N", default_value = "60", value_parser = seconds_limit)]
    timeout: Duration,

    /// Time limit for the whole proof of an algorithm, in seconds
    #[arg(long, value_name = "N", default_value = "300", value_parser = seconds_limit)]
    proof_timeout: Duration,

    /// Write a table of the results as Markdown
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Error that ends the program.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum Error {
    Selection(#[from] SelectionError),
    Solver(#[from] SolverError),
    Report(#[from] ReplaceError),
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
            Error::Results(error) => error.status(),
            _ => USAGE,
        }
    }
}

fn main() -> ExitCode {
    Program::named("outflank-prover").run(prove, Error::status)
}

/// Proves the named algorithms and returns the exit status.
fn prove(arguments: Arguments) -> Result<u8, Error> {
    let entries = at_any_level(&arguments.names, arguments.isa.as_deref())?;
    let page = arguments.report.as_deref().map(OutputFile::open);
    let page = page.transpose()?;
    let settings = Settings {
        solver: SolverCommand::find(None)?,
        limit: arguments.timeout,
        proof_limit: arguments.proof_timeout,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        cache: Arc::new(Cache::in_memory()),
    };
    let start = Instant::now();
    let mut proofs: Vec<ProofAttempt> = Vec::new();
    prove_all(&entries, &settings, |proof| -> Result<(), Error> {
        print_line(report::line(&proof))?;
        proofs.push(proof);
        Ok(())
    })?;
    print_line(report::summary(&proofs, start.elapsed()))?;
    report::sort(&mut proofs, &entries);
    if let Some(mut page) = page {
        page.write(report::markdown(&proofs, &settings.solver.name).as_bytes())?;
    }
    match proofs.iter().any(|proof| proof.outcome.is_failure()) {
        false => Ok(0),
        true => Ok(FAILURE),
    }
}
