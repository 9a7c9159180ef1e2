//! Proofs with cut points.
//!
//! A query about a long computation is too hard if it multiplies unknown numbers, so the computation is cut. A
//! specification names intermediate values ([`CutPoint`](crate::spec::CutPoint)). Terms of the code with the same values
//! for some random inputs are candidates. A candidate that is proved equal for all inputs is replaced by a variable, of
//! which only the width is known. A claim that holds for all values of these variables also holds for the intermediate
//! values.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use outflank_random::SplitMix64;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::queries::Queries;
use crate::solver::{Satisfiability, SolverError, SolverResult};
use crate::spec::Obligation;
use crate::term::{
    Assignment, Evaluator, Node, Term, Wide, bit, substitute, subterms, variable, zeros,
};

/// Number of random inputs that tell terms apart.
const SAMPLES: usize = 48;

/// Maximum number of random inputs that are tried to find [`SAMPLES`] that fulfil the assumptions.
const MAX_TRIES: u64 = 4_000;

/// Divisor of the time limit for a query that compares a term with a cut point: most wrong guesses are slow.
const LIMIT_DIVISOR: u32 = 6;

/// Random input.
struct Sample {
    seed: u64,
    /// Values of the variables that replace cut points.
    cut_points: RefCell<FxHashMap<String, Wide>>,
}

impl Sample {
    fn new(seed: u64) -> Sample {
        Sample {
            seed,
            cut_points: RefCell::default(),
        }
    }

    /// Random generator that depends only on the sample and on `name`.
    fn random(&self, name: impl Hash) -> SplitMix64 {
        let mut hasher = FxHasher::default();
        (self.seed, name).hash(&mut hasher);
        SplitMix64::new(hasher.finish())
    }
}

impl Assignment for Sample {
    /// Uniform random number, or one near 0.
    fn variable(&self, name: &str, width: u32) -> Wide {
        if let Some(value) = self.cut_points.borrow().get(name) {
            return *value;
        }
        let mut random = self.random(name);
        match random.below(2) {
            0 => {
                let words = (0..width.div_ceil(64)).map(|_| random.bits());
                let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
                Wide::from_bytes(&bytes).low(width)
            }
            _ => near_zero(&mut random, width),
        }
    }

    /// Random number near 0, of at most 5 bits in every other sample.
    ///
    /// Small numbers fulfil assumptions about all elements of an array in some samples, and their sums do not overflow.
    fn apply(&self, function: &str, arguments: &[Wide], width: u32) -> Wide {
        let mut random = self.random((function, arguments));
        match self.seed % 2 {
            0 => near_zero(&mut random, width.min(5)).extended(width.min(5), width),
            _ => near_zero(&mut random, width),
        }
    }
}

/// Random signed number; every length in bits is equally likely.
fn near_zero(random: &mut SplitMix64, width: u32) -> Wide {
    let bits = 1 + random.below(width.min(64).into()) as u32;
    Wide::new(random.bits()).low(bits).extended(bits, width)
}

/// Cut points of an obligation, and the terms that are proved equal to them so far.
pub(crate) struct CutPoints<'a> {
    obligation: &'a Obligation,
    /// Assumptions, each with its [unknowns].
    assumptions: Vec<(Term, Vec<Term>)>,
    samples: Vec<Sample>,
    /// Terms and their replacements, for each group of cut points.
    replaced: Vec<Vec<(Term, Term)>>,
}

impl<'a> CutPoints<'a> {
    pub(crate) fn new(obligation: &'a Obligation) -> CutPoints<'a> {
        let fits = |sample: &Sample| holds(sample, &obligation.assumptions);
        let samples = (0..MAX_TRIES).map(Sample::new).filter(fits);
        CutPoints {
            obligation,
            assumptions: with_unknowns(&obligation.assumptions),
            samples: match obligation.cut_points[..] {
                [] => Vec::new(),
                _ => samples.take(SAMPLES).collect(),
            },
            replaced: vec![Vec::new(); obligation.cut_points.len()],
        }
    }

    /// Searches for values that fulfil all conditions but not all claims: none exist if the claims follow.
    pub(crate) fn counterexample(
        &mut self,
        queries: &mut Queries,
        conditions: &[Term],
        claims: &[Term],
    ) -> SolverResult {
        if let Some(values) = self.sampled_counterexample(conditions, claims) {
            return Ok(Satisfiability::Sat(values));
        }
        let [cut_conditions, cut_claims] = self.cut(queries, conditions, claims)?;
        match any_counterexample(queries, &with_unknowns(&cut_conditions), &cut_claims)? {
            Satisfiability::Unsat => Ok(Satisfiability::Unsat),
            // The claims may fail only for values that no cut point can have.
            _ => queries.counterexample(conditions, claims),
        }
    }

    /// Variables of a sample that fulfils the conditions but not the claims.
    fn sampled_counterexample(
        &self,
        conditions: &[Term],
        claims: &[Term],
    ) -> Option<BTreeMap<String, Wide>> {
        let fails = |sample: &&Sample| holds(sample, conditions) && !holds(sample, claims);
        let sample = self.samples.iter().find(fails)?;
        let terms = subterms(conditions.iter().chain(claims)).into_iter();
        let variables = terms.filter_map(|term| match &*term.node() {
            Node::Variable(name) => Some((name.to_string(), sample.variable(name, term.width()))),
            _ => None,
        });
        Some(variables.collect())
    }

    /// Conditions and claims with variables in place of all cut points that are found in them.
    fn cut(
        &mut self,
        queries: &mut Queries,
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<[Vec<Term>; 2], SolverError> {
        let (mut conditions, mut claims) = (conditions.to_vec(), claims.to_vec());
        // One group after the other: the terms of each group have the variables of the groups before it.
        let groups = &self.obligation.cut_points;
        let terms = groups.iter().map(|group| group.iter().map(|cut| cut.term));
        let mut terms: Vec<Vec<Term>> = terms.map(Iterator::collect).collect();
        for (i, group) in groups.iter().enumerate() {
            // Equalities that are already proved, for earlier paths.
            conditions = substitute(&self.replaced[i], &conditions);
            claims = substitute(&self.replaced[i], &claims);
            let candidates = self.candidates(&terms[i], subterms(conditions.iter().chain(&claims)));
            for (j, (&term, cut)) in terms[i].iter().zip(group).enumerate() {
                self.replace(queries, (i, j), term, cut.bits, &candidates)?;
            }
            conditions = substitute(&self.replaced[i], &conditions);
            claims = substitute(&self.replaced[i], &claims);
            for later in &mut terms[i + 1..] {
                *later = substitute(&self.replaced[i], later);
            }
        }
        Ok([conditions, claims])
    }

    /// Groups `subterms` by their values in all samples. Subterms that differ from every one of `terms` are left out.
    fn candidates(&self, terms: &[Term], subterms: Vec<Term>) -> FxHashMap<Vec<Wide>, Vec<Term>> {
        let mut evaluators: Vec<_> = self.samples.iter().map(Evaluator::new).collect();
        let mut values = |term: Term| -> Vec<Wide> {
            let evaluators = evaluators.iter_mut();
            evaluators.map(|evaluator| evaluator.value(term)).collect()
        };
        let mut candidates: FxHashMap<Vec<Wide>, Vec<Term>> = terms
            .iter()
            .map(|&term| (values(term), Vec::new()))
            .collect();
        for subterm in subterms {
            if let Some(same_values) = candidates.get_mut(&values(subterm)) {
                same_values.push(subterm);
            }
        }
        candidates
    }

    /// Replaces a cut point by a variable of `bits` bits, and every candidate that is proved equal to it, too.
    ///
    /// `term` is the cut point, the `j`-th of group `i`.
    fn replace(
        &mut self,
        queries: &mut Queries,
        (i, j): (usize, usize),
        term: Term,
        bits: u32,
        candidates: &FxHashMap<Vec<Wide>, Vec<Term>>,
    ) -> Result<(), SolverError> {
        let (width, name) = (term.width(), format!("step{i}_{j}"));
        let is_simple = |term: Term| matches!(*term.node(), Node::Variable(_) | Node::Constant(_));
        let fits = match width - bits {
            0 => bit(true),
            rest => term.extract(bits, rest).equals(zeros(rest)),
        };
        if is_simple(term) || !self.can_prove(queries, &[fits])? {
            return Ok(());
        }
        let of_sample = |sample| Evaluator::new(sample).value(term);
        let values: Vec<Wide> = self.samples.iter().map(of_sample).collect();
        for (sample, value) in self.samples.iter().zip(&values) {
            let mut cut_points = sample.cut_points.borrow_mut();
            cut_points.insert(name.clone(), *value);
        }
        let replacement = variable(&name, bits);
        self.replaced[i].push((term, replacement.resize(width)));
        for &candidate in candidates.get(&values).into_iter().flatten() {
            let wide = candidate.width();
            let is_done = candidate == term || candidate == replacement.resize(wide.max(bits));
            if is_done || wide < bits || is_simple(candidate) {
                continue;
            }
            let common = width.min(wide);
            let mut claims = vec![candidate.extract(0, common).equals(term.extract(0, common))];
            if wide > width {
                let above = candidate.extract(width, wide - width);
                claims.push(above.equals(zeros(wide - width)));
            }
            if self.can_prove(queries, &claims)? {
                self.replaced[i].push((candidate, replacement.resize(wide)));
            }
        }
        Ok(())
    }

    /// Returns `true` if claims are proved from the assumptions within a short time.
    fn can_prove(&self, queries: &mut Queries, claims: &[Term]) -> Result<bool, SolverError> {
        let limit = queries.limit;
        queries.limit = limit / LIMIT_DIVISOR;
        let counterexample = any_counterexample(queries, &self.assumptions, claims);
        queries.limit = limit;
        Ok(counterexample? == Satisfiability::Unsat)
    }
}

/// Returns `true` if a sample fulfils all conditions.
fn holds(sample: &Sample, conditions: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(sample);
    let mut conditions = conditions.iter();
    conditions.all(|&condition| !evaluator.value(condition).is_zero())
}

/// Searches for a counterexample with a variable in place of each of the claims' [unknowns].
///
/// A variable is named by its index, so that equal queries about other elements have equal texts. Conditions come with
/// their unknowns and count only if all of these occur in the claims. If there is no counterexample here, there is none
/// for the original claims; the converse does not hold.
fn any_counterexample(
    queries: &mut Queries,
    conditions: &[(Term, Vec<Term>)],
    claims: &[Term],
) -> SolverResult {
    let unknowns = unknowns(claims);
    let known: FxHashSet<Term> = unknowns.iter().copied().collect();
    let conditions = conditions.iter();
    let conditions =
        conditions.filter(|(_, unknowns)| unknowns.iter().all(|term| known.contains(term)));
    let conditions: Vec<Term> = conditions.map(|&(condition, _)| condition).collect();
    let variables = unknowns.iter().enumerate();
    let variables: Vec<(Term, Term)> = variables
        .map(|(i, &term)| (term, variable(&format!("any{i}"), term.width())))
        .collect();
    let conditions = substitute(&variables, &conditions);
    queries.counterexample(&conditions, &substitute(&variables, claims))
}

/// Terms, each with its [unknowns].
fn with_unknowns(terms: &[Term]) -> Vec<(Term, Vec<Term>)> {
    let terms = terms.iter();
    terms.map(|&term| (term, unknowns(&[term]))).collect()
}

/// The variables and the elements of arrays in terms.
fn unknowns(terms: &[Term]) -> Vec<Term> {
    let is_unknown = |term: &Term| matches!(*term.node(), Node::Apply(..) | Node::Variable(_));
    let mut unknowns = subterms(terms.iter());
    unknowns.retain(is_unknown);
    unknowns
}
