//! Attempts to prove one mutant.
//!
//! `outflank-codegen mutants --prove` builds this program in a copy of the repository that has mutants beside the
//! original kernels. The argument `levels` prints all levels. A mutant's suffix (`_mutant0001`) attempts to prove the
//! kernels with this suffix from the specifications of the originals. The exit status is 0 if all are proved, 1 if one is
//! refuted, and 4 if one is not proved for another reason, which is printed.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Isa;
use outflank_kernels::registry::entries;
use outflank_prover::cache::Cache;
use outflank_prover::prove::{Outcome, Prover};
use outflank_prover::solver::{Solver, SolverCommand};
use outflank_prover::spec::specification;

/// Time limit for one query.
const LIMIT: Duration = Duration::from_secs(20);

/// Time limit for one proof: with cut points that a mutant breaks, hundreds of queries may have no answer.
const PROOF_LIMIT: Duration = Duration::from_secs(60);

/// Exit status for a mutant that is neither proved nor refuted.
const UNPROVED: u8 = 4;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "levels" {
        for isa in Isa::ALL {
            println!("{isa}");
        }
        return ExitCode::SUCCESS;
    }
    let solver = SolverCommand::find(None).expect("a solver");
    // Shared by all mutants: parts that a mutation does not change are proved once.
    let proofs = std::env::current_exe()
        .expect("this program")
        .with_file_name("proofs");
    let cache = Arc::new(Cache::open(&proofs).expect("a folder to write to"));
    let mut prover = Prover::new(Solver::new(&solver), LIMIT, cache);
    prover.queries.proof_limit = PROOF_LIMIT;
    let mut unproved = None;
    for entry in entries().filter(|entry| entry.kernel.contains(&argument)) {
        let kernel = entry.kernel.replace(&argument, "");
        let Some(specification) = specification(&kernel, entry.algorithm) else {
            unproved = Some(format!("{entry:?}: no specification"));
            continue;
        };
        let outcome = prover.prove(entry.address() as u64, entry.isa, specification);
        match outcome.expect("the solver answers") {
            Outcome::Proved => (),
            Outcome::Refuted(refutation) => {
                println!("{entry:?} is refuted: {refutation:?}");
                return ExitCode::FAILURE;
            }
            other => {
                let is_out_of_time = matches!(other, Outcome::OutOfTime(_));
                unproved = Some(format!("{entry:?}: {other:?}"));
                // The next level would take as long again.
                if is_out_of_time {
                    break;
                }
            }
        }
    }
    match unproved {
        None => ExitCode::SUCCESS,
        Some(why) => {
            println!("{why}");
            ExitCode::from(UNPROVED)
        }
    }
}
