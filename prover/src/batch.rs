//! Many proofs, several at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use outflank_checker::registry::Entry;

use crate::cache::Cache;
use crate::prove::{Effort, Outcome, Prover};
use crate::solver::{Choice, Solver, SolverError};
use crate::spec::specification;

/// The stack of a thread: terms are walked through from their ends.
const STACK: usize = 256 << 20;

/// A proof that was tried.
#[derive(Debug)]
pub struct Proof {
    /// Of what.
    pub entry: &'static Entry,
    /// What it came to.
    pub outcome: Outcome,
    /// How much it took.
    pub effort: Effort,
    /// All in all.
    pub time: Duration,
}

/// How proofs are tried.
pub struct Settings {
    /// By which solver.
    pub choice: Choice,
    /// The longest that it may take for one question.
    pub limit: Duration,
    /// How many at once, 1 or more.
    pub threads: usize,
    /// What was shown already.
    pub cache: Arc<Cache>,
}

/// Tries to prove algorithms; `done` is called for each as soon as its proof has come to an end, and may stop the
/// rest by an error.
pub fn prove_all<E: From<SolverError>>(
    entries: &[&'static Entry],
    settings: &Settings,
    mut done: impl FnMut(Proof) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, proofs) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.min(entries.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                let solver = Solver::new(&settings.choice);
                let mut prover = Prover::new(solver, settings.limit, settings.cache.clone());
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let proof = one(&mut prover, entry);
                    let failed = proof.is_err();
                    // Nobody listens after an error.
                    if sender.send(proof).is_err() || failed {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).expect("a thread");
        }
        drop(sender);
        for proof in proofs {
            let result = proof.map_err(E::from).and_then(&mut done);
            if result.is_err() {
                // The others stop after the algorithm that they are at.
                next.store(entries.len(), Ordering::Relaxed);
                return result;
            }
        }
        Ok(())
    })
}

fn one(prover: &mut Prover, entry: &'static Entry) -> Result<Proof, SolverError> {
    let start = Instant::now();
    let outcome = match specification(entry.kernel, entry.algorithm) {
        None => Outcome::NoSpecification,
        Some(specification) => prover.prove(entry.address() as u64, entry.isa, specification)?,
    };
    Ok(Proof {
        entry,
        effort: match outcome {
            Outcome::NoSpecification => Effort::default(),
            _ => prover.effort,
        },
        outcome,
        time: start.elapsed(),
    })
}
