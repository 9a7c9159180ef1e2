//! Tries to prove one mutant: `outflank-codegen mutants --prove` builds this in a copy of the repository that has
//! broken kernels beside the whole ones.
//!
//! `levels` prints all levels; a mutant's suffix (`_mutant0001`) tries to prove the kernels that end in it from the
//! specifications of those without. The exit status is 1 where one is refuted, and 4 where one is not
//! proved otherwise; what is said of it is printed.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Isa;
use outflank_kernels::registry::entries;
use outflank_prover::cache::Cache;
use outflank_prover::prove::{Outcome, Prover};
use outflank_prover::solver::{Choice, Solver};
use outflank_prover::spec::specification;

/// How long the solver may take for a question.
const LIMIT: Duration = Duration::from_secs(20);

/// How long it may take for a proof: one by steps that the mutant breaks may ask hundreds of questions without an answer.
const PROOF_LIMIT: Duration = Duration::from_secs(60);

const UNPROVED: u8 = 4;

fn main() -> ExitCode {
    let what = std::env::args().nth(1).unwrap_or_default();
    if what == "levels" {
        for isa in Isa::ALL {
            println!("{isa}");
        }
        return ExitCode::SUCCESS;
    }
    let choice = Choice::find(None).expect("a solver");
    // What is not broken is proved for the first mutant.
    let beside = std::env::current_exe()
        .expect("this program")
        .with_file_name("proofs");
    let cache = Arc::new(Cache::open(&beside).expect("a folder to write to"));
    let mut prover = Prover::new(Solver::new(&choice), LIMIT, cache);
    prover.proof_limit = PROOF_LIMIT;
    let mut unproved = None;
    for entry in entries().filter(|entry| entry.kernel.contains(&what)) {
        let kernel = entry.kernel.replace(&what, "");
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
                let gave_up = matches!(other, Outcome::OutOfTime(_));
                unproved = Some(format!("{entry:?}: {other:?}"));
                // At the next level it would take as long again.
                if gave_up {
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
