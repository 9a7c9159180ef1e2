//! Proves algorithms of kernels, each at its level, and tells what each proof came to and took.
//!
//! `cargo run --profile quick -p outflank-prover --example prove -- [PATTERN] [SOLVER]`: those whose name,
//! `KERNEL.ALGORITHM@LEVEL`, has the pattern in it.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use outflank_kernels::registry::entries;
use outflank_prover::prove::{Outcome, Prover};
use outflank_prover::solver::{Choice, Solver, SolverError};
use outflank_prover::spec::specification;

/// How long the solver may take for one question.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let pattern = arguments.next().unwrap_or_default();
    match prove(&pattern, arguments.next().as_deref()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all were proved.
fn prove(pattern: &str, solver: Option<&str>) -> Result<bool, SolverError> {
    let choice = Choice::find(solver)?;
    println!("{}", choice.name);
    let mut prover = Prover::new(Solver::new(&choice), LIMIT);
    let (mut proved, mut all) = (0, 0);
    for entry in entries() {
        let name = format!("{}.{}@{}", entry.kernel, entry.algorithm, entry.isa);
        if !name.contains(pattern) {
            continue;
        }
        all += 1;
        let Some(specification) = specification(entry.kernel) else {
            println!("{name:36} has no specification");
            continue;
        };
        let start = Instant::now();
        let outcome = prover.prove(entry.address() as u64, entry.isa, specification)?;
        let (seconds, effort) = (start.elapsed().as_secs_f64(), prover.effort);
        let result = match outcome {
            Outcome::Proved => {
                proved += 1;
                "proved".to_owned()
            }
            Outcome::Refuted(refutation) => format!("refuted: {refutation:?}"),
            Outcome::NotModelled(why) => format!("not modelled: {why}"),
            Outcome::OutOfTime(what) => format!("out of time: {what}"),
        };
        println!(
            "{name:36} {seconds:7.2} s, {} by rewriting, {} questions: {result}",
            effort.by_rewriting, effort.asked
        );
    }
    println!("{proved} of {all} proved");
    // That nothing has such a name is no proof.
    Ok(proved == all && all > 0)
}
