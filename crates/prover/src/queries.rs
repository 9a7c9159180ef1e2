//! Queries to a solver; known answers come from the cache or from memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::cache::{Cache, Key};
use crate::solver::{Satisfiability, Solver, SolverError, SolverResult};
use crate::term::{Script, Term, Wide, and_all, bit};

/// Work spent on one proof.
#[derive(Default, Debug, Clone, Copy)]
pub struct Effort {
    /// Claims whose normal form is the constant 1.
    pub by_rewriting: usize,
    /// Queries that the solver was asked.
    pub asked: usize,
    /// Queries whose answer was known before.
    pub cached: usize,
    /// Paths through the code.
    pub paths: usize,
    /// Time spent in the solver.
    pub solver: Duration,
}

/// A solver with its limits, and the answers that are known.
pub struct Queries {
    solver: Solver,
    cache: Arc<Cache>,
    /// Models of satisfiable queries: a proof with cut points asks the same query about many terms.
    models: FxHashMap<Key, BTreeMap<String, Wide>>,
    /// Time limit for one query.
    pub limit: Duration,
    /// Time limit for one proof, the execution of the code included.
    pub proof_limit: Duration,
    /// Start of the current proof.
    start: Instant,
    /// Work spent on the current proof.
    pub effort: Effort,
}

impl Queries {
    /// Queries to a solver, with a time limit for each and none for a proof.
    pub fn new(solver: Solver, limit: Duration, cache: Arc<Cache>) -> Queries {
        Queries {
            solver,
            cache,
            models: FxHashMap::default(),
            limit,
            proof_limit: Duration::MAX,
            start: Instant::now(),
            effort: Effort::default(),
        }
    }

    /// Begins a proof: its time limit starts now.
    pub(crate) fn begin(&mut self) {
        self.start = Instant::now();
        self.effort = Effort::default();
    }

    /// Time that is left to the current proof.
    pub(crate) fn time_left(&self) -> Duration {
        self.proof_limit.saturating_sub(self.start.elapsed())
    }

    /// Decides if conditions of one bit each can hold together.
    pub(crate) fn satisfiable(&mut self, conditions: &[Term]) -> SolverResult {
        let open = conditions.iter().copied();
        let open: Vec<Term> = open.filter(|&condition| condition != bit(true)).collect();
        if open.contains(&bit(false)) {
            return Ok(Satisfiability::Unsat);
        }
        if open.is_empty() {
            return Ok(Satisfiability::Sat(BTreeMap::new()));
        }
        let query = Script::new(&open);
        let key = Key::new(query.text());
        if self.cache.contains(&key) {
            self.effort.cached += 1;
            return Ok(Satisfiability::Unsat);
        }
        if let Some(model) = self.models.get(&key) {
            self.effort.cached += 1;
            return Ok(Satisfiability::Sat(model.clone()));
        }
        let left = self.time_left();
        if left.is_zero() {
            return Ok(Satisfiability::Unknown);
        }
        self.effort.asked += 1;
        let start = Instant::now();
        let answer = self.solver.answer(&query, self.limit.min(left))?;
        self.effort.solver += start.elapsed();
        match &answer {
            Satisfiability::Unsat => self.cache.add(key).map_err(SolverError::Cache)?,
            Satisfiability::Sat(model) => {
                self.models.insert(key, model.clone());
            }
            Satisfiability::Unknown => (),
        }
        Ok(answer)
    }

    /// Searches for values that fulfil all conditions but not all claims: none exist if the claims follow.
    pub(crate) fn counterexample(&mut self, conditions: &[Term], claims: &[Term]) -> SolverResult {
        let is_open = |claim: &Term| *claim != bit(true) && !conditions.contains(claim);
        let open: Vec<Term> = claims.iter().copied().filter(is_open).collect();
        self.effort.by_rewriting += claims.len() - open.len();
        if open.is_empty() {
            return Ok(Satisfiability::Unsat);
        }
        let negated = |claims: &[Term]| [conditions, &[!and_all(claims.iter().copied())]].concat();
        // All claims at once, and one by one if that is too hard.
        let answer = self.satisfiable(&negated(&open))?;
        if answer != Satisfiability::Unknown || open.len() == 1 {
            return Ok(answer);
        }
        for claim in open {
            match self.satisfiable(&negated(&[claim]))? {
                Satisfiability::Unsat => (),
                other => return Ok(other),
            }
        }
        Ok(Satisfiability::Unsat)
    }
}
