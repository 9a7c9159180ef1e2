//! Many proofs on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use outflank_checker::registry::CheckerEntry;

use crate::cache::Cache;
use crate::prove::{Effort, Outcome, Prover};
use crate::solver::{Solver, SolverCommand, SolverError};
use crate::spec::specification;

/// Stack size of a thread in bytes; large, because some functions on terms are recursive.
const STACK: usize = 256 << 20;

/// Result of one attempted proof.
#[derive(Debug)]
pub struct ProofAttempt {
    /// Algorithm that was to be proved.
    pub entry: &'static CheckerEntry,
    /// Result of the proof.
    pub outcome: Outcome,
    /// Work spent on the proof.
    pub effort: Effort,
    /// Elapsed time, execution of the code included.
    pub time: Duration,
}

/// Settings for all proofs of a batch.
pub struct Settings {
    /// Command that starts the solver.
    pub solver: SolverCommand,
    /// Time limit for one query.
    pub limit: Duration,
    /// Time limit for a whole proof.
    pub proof_limit: Duration,
    /// Number of threads, 1 or more.
    pub threads: usize,
    /// Queries that are proved already.
    pub cache: Arc<Cache>,
}

/// Attempts to prove algorithms and calls `done` after each.
///
/// An error of `done` or of the solver ends the batch.
pub fn prove_all<E: From<SolverError>>(
    entries: &[&'static CheckerEntry],
    settings: &Settings,
    mut done: impl FnMut(ProofAttempt) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, attempts) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.min(entries.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                let solver = Solver::new(&settings.solver);
                let mut prover = Prover::new(solver, settings.limit, settings.cache.clone());
                prover.queries.proof_limit = settings.proof_limit;
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let attempt = attempt(&mut prover, entry);
                    let failed = attempt.is_err();
                    // The receiver is gone after an error.
                    if sender.send(attempt).is_err() || failed {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).expect("a thread");
        }
        drop(sender);
        for attempt in attempts {
            let result = attempt.map_err(E::from).and_then(&mut done);
            if result.is_err() {
                // The other threads stop after their current proof.
                next.store(entries.len(), Ordering::Relaxed);
                return result;
            }
        }
        Ok(())
    })
}

fn attempt(prover: &mut Prover, entry: &'static CheckerEntry) -> Result<ProofAttempt, SolverError> {
    let start = Instant::now();
    let (outcome, effort) = match specification(entry.kernel, entry.algorithm) {
        None => (Outcome::NoSpecification, Effort::default()),
        Some(specification) => {
            let outcome = prover.prove(entry.address() as u64, entry.isa, specification)?;
            (outcome, prover.queries.effort)
        }
    };
    Ok(ProofAttempt {
        entry,
        outcome,
        effort,
        time: start.elapsed(),
    })
}
