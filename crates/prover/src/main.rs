//! Small program that proves kernels: `outflank kernels prove` without the rest of `outflank`.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outflank_checker::registry::{CheckerEntry, entries};
use outflank_kernels::Isa;
use outflank_prover::batch::{ProofAttempt, Settings, prove_all};
use outflank_prover::cache::Cache;
use outflank_prover::report;
use outflank_prover::solver::{SolverCommand, SolverError};

const USAGE: &str = "\
usage: outflank-prover [--isa ISA] [--timeout S] [--proof-timeout S] [--report FILE] [NAME...]

Proves algorithms from their machine code. NAME is KERNEL or KERNEL.ALGORITHM; without names all are proved.
  --isa ISA            only at this level
  --timeout S          time limit of the solver for a question, in seconds [default: 60]
  --proof-timeout S    time limit for a whole proof, in seconds [default: 300]
  --report FILE        write a table of the results as Markdown
The exit status is 0 if all algorithms with a specification are proved, else 1.";

/// Error of the command line or of a file; each message is one line.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{0}; see --help")]
    Usage(String),
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// Values of the options.
struct Options {
    names: Vec<String>,
    isa: Option<Isa>,
    timeout: Duration,
    proof_timeout: Duration,
    report: Option<String>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match options(words).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("outflank-prover: {error}");
            ExitCode::from(2)
        }
    }
}

fn options(words: Vec<String>) -> Result<Options, Error> {
    let mut options = Options {
        names: Vec::new(),
        isa: None,
        timeout: Duration::from_secs(60),
        proof_timeout: Duration::from_secs(300),
        report: None,
    };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            options.names.push(word);
            continue;
        }
        let value = words.next();
        let value = value.ok_or_else(|| Error::Usage(format!("{word} needs a value")))?;
        let seconds = || {
            let seconds = value.parse().ok().map(Duration::try_from_secs_f64);
            let refused = || Error::Usage(format!("{word} takes seconds, not '{value}'"));
            seconds.and_then(Result::ok).ok_or_else(refused)
        };
        match word.as_str() {
            "--isa" => {
                let isa = value.parse();
                options.isa = Some(isa.map_err(|error| Error::Usage(format!("{error}")))?);
            }
            "--timeout" => options.timeout = seconds()?,
            "--proof-timeout" => options.proof_timeout = seconds()?,
            "--report" => options.report = Some(value),
            _ => return Err(Error::Usage(format!("unknown option {word}"))),
        }
    }
    Ok(options)
}

/// Proves the named algorithms; returns `true` if all that have a specification are proved.
fn run(options: &Options) -> Result<bool, Error> {
    let entries = named(options)?;
    let settings = Settings {
        solver: SolverCommand::find(None)?,
        limit: options.timeout,
        proof_limit: options.proof_timeout,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        cache: Arc::new(Cache::in_memory()),
    };
    let start = Instant::now();
    let mut proofs: Vec<ProofAttempt> = Vec::new();
    prove_all(&entries, &settings, |proof| -> Result<(), Error> {
        println!("{}", report::line(&proof));
        proofs.push(proof);
        Ok(())
    })?;
    println!("{}", report::summary(&proofs, start.elapsed()));
    report::sort(&mut proofs, &entries);
    if let Some(path) = &options.report {
        let page = report::markdown(&proofs, &settings.solver.name);
        std::fs::write(path, page).map_err(|error| Error::File(path.clone(), error))?;
    }
    Ok(proofs.iter().all(|proof| !proof.outcome.is_failure()))
}

/// Entries of the named algorithms at the level; each name must have one.
fn named(options: &Options) -> Result<Vec<&'static CheckerEntry>, Error> {
    let has_name = |entry: &CheckerEntry, name: &str| {
        name == entry.kernel || *name == format!("{}.{}", entry.kernel, entry.algorithm)
    };
    let is_at_level = |entry: &CheckerEntry| options.isa.is_none_or(|isa| entry.isa == isa);
    for name in &options.names {
        if !entries().any(|entry| has_name(entry, name) && is_at_level(entry)) {
            let level = options
                .isa
                .map_or(String::new(), |isa| format!(" at {isa}"));
            return Err(Error::Usage(format!("there is no '{name}'{level}")));
        }
    }
    let is_named = |entry: &CheckerEntry| {
        options.names.is_empty() || options.names.iter().any(|name| has_name(entry, name))
    };
    Ok(entries()
        .filter(|entry| is_named(entry) && is_at_level(entry))
        .collect())
}
