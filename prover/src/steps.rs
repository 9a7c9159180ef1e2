//! Proofs by steps.
//!
//! A question about a long computation is too hard where it multiplies what is not known. So it is cut: a
//! specification names numbers on the way ([`Step`](crate::spec::Step)), and the prover looks for terms of the code that may be them: those
//! which have their values for some random inputs. What is shown to be equal, for all inputs, becomes one variable,
//! of which nothing is known but its bits. What holds for every such variable holds for the number.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use outflank_random::SplitMix;
use rustc_hash::FxHasher;

use crate::prove::Prover;
use crate::solver::{SolverError, Verdict};
use crate::spec::Case;
use crate::term::{Assignment, Evaluator, Node, Rewriter, Term, Wide, bit, variable, zeros};

/// The inputs by which terms are told from each other, and how many may be tried to find them.
const SAMPLES: usize = 48;
const TRIED: u64 = 4_000;

/// The part of the time for a question that it may take to show that a term is a step: what only looks like one costs
/// no more.
const PART: u32 = 6;

/// Random inputs.
struct Sample {
    seed: u64,
    /// What the variables are that stand for steps.
    steps: RefCell<HashMap<String, Wide>>,
}

impl Sample {
    fn new(seed: u64) -> Sample {
        Sample {
            seed,
            steps: RefCell::default(),
        }
    }

    /// A source of random numbers that is always the same for a name.
    fn random(&self, name: impl Hash) -> SplitMix {
        let mut hasher = FxHasher::default();
        (self.seed, name).hash(&mut hasher);
        SplitMix::new(hasher.finish())
    }
}

impl Assignment for Sample {
    /// Any number, or one near 0.
    fn variable(&self, name: &str, width: u32) -> Wide {
        if let Some(value) = self.steps.borrow().get(name) {
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

    /// A number near 0, in every other sample within 5 bits: what is assumed of many elements is to hold for all of
    /// them, and sums of many are to stay in their bits.
    fn apply(&self, function: &str, arguments: &[Wide], width: u32) -> Wide {
        let mut random = self.random((function, arguments));
        match self.seed % 2 {
            0 => near_zero(&mut random, width.min(5)).extended(width.min(5), width),
            _ => near_zero(&mut random, width),
        }
    }
}

/// A number in two's complement of any length, the same number of each.
fn near_zero(random: &mut SplitMix, width: u32) -> Wide {
    let bits = 1 + random.below(width.min(64).into()) as u32;
    Wide::new(random.bits()).low(bits).extended(bits, width)
}

/// What is known of a case on its way through the steps.
pub(crate) struct Steps<'a> {
    case: &'a Case,
    /// The assumptions, each with the elements of arrays and the variables in it.
    assumptions: Vec<(Term, Vec<Term>)>,
    samples: Vec<Sample>,
    /// Terms, and what stands for them, by the groups of steps.
    exchanged: Vec<Vec<(Term, Term)>>,
}

impl<'a> Steps<'a> {
    /// For a case with steps.
    pub(crate) fn new(case: &'a Case) -> Steps<'a> {
        let fits = |sample: &Sample| {
            let mut evaluator = Evaluator::new(sample);
            let mut assumptions = case.assumptions.iter();
            assumptions.all(|&one| !evaluator.value(one).is_zero())
        };
        let samples = (0..TRIED).map(Sample::new).filter(fits).take(SAMPLES);
        Steps {
            case,
            assumptions: with_names(&case.assumptions),
            samples: samples.collect(),
            exchanged: vec![Vec::new(); case.steps.len()],
        }
    }

    /// An input that fulfils the conditions but not the claims, if one is among the samples.
    pub(crate) fn counterexample(
        &self,
        conditions: &[Term],
        claims: &[Term],
    ) -> Option<BTreeMap<String, Wide>> {
        let fails = |sample: &&Sample| {
            let mut evaluator = Evaluator::new(*sample);
            let mut holds =
                |terms: &[Term]| terms.iter().all(|&term| !evaluator.value(term).is_zero());
            holds(conditions) && !holds(claims)
        };
        let sample = self.samples.iter().find(fails)?;
        let variables = parts(conditions.iter().chain(claims));
        let variables = variables
            .into_iter()
            .filter_map(|term| match &*term.node() {
                Node::Variable(name) => {
                    Some((name.to_string(), sample.variable(name, term.width())))
                }
                _ => None,
            });
        Some(variables.collect())
    }

    /// Whether claims hold under conditions, as far as that can be told with variables in place of all steps that are
    /// found in them.
    pub(crate) fn hold(
        &mut self,
        prover: &mut Prover,
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<Verdict, SolverError> {
        let [conditions, claims] = self.abstracted(prover, conditions, claims)?;
        hold_for_any_names(prover, &with_names(&conditions), &claims)
    }

    /// Conditions and claims with variables in place of all steps that are found in them.
    fn abstracted(
        &mut self,
        prover: &mut Prover,
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<[Vec<Term>; 2], SolverError> {
        let (mut conditions, mut claims) = (conditions.to_vec(), claims.to_vec());
        // One group after the other: the terms of each have the variables of those before it.
        let mut steps: Vec<Vec<Term>> = self
            .case
            .steps
            .iter()
            .map(|group| group.iter().map(|step| step.term).collect())
            .collect();
        for (i, group) in self.case.steps.iter().enumerate() {
            // What earlier paths have shown.
            conditions = after(&self.exchanged[i], &conditions);
            claims = after(&self.exchanged[i], &claims);
            let found = self.found(&steps[i], parts(conditions.iter().chain(&claims)));
            for (j, (&term, step)) in steps[i].iter().zip(group).enumerate() {
                self.exchange(prover, (i, j), term, step.bits, &found)?;
            }
            conditions = after(&self.exchanged[i], &conditions);
            claims = after(&self.exchanged[i], &claims);
            for later in &mut steps[i + 1..] {
                *later = after(&self.exchanged[i], later);
            }
        }
        Ok([conditions, claims])
    }

    /// Parts that have the values of terms, by these values.
    fn found(&self, terms: &[Term], parts: Vec<Term>) -> HashMap<Vec<Wide>, Vec<Term>> {
        let mut evaluators: Vec<_> = self.samples.iter().map(Evaluator::new).collect();
        let mut values = |term: Term| -> Vec<Wide> {
            let each = evaluators.iter_mut();
            each.map(|evaluator| evaluator.value(term)).collect()
        };
        let mut found: HashMap<Vec<Wide>, Vec<Term>> = terms
            .iter()
            .map(|&term| (values(term), Vec::new()))
            .collect();
        for part in parts {
            if let Some(own) = found.get_mut(&values(part)) {
                own.push(part);
            }
        }
        found
    }

    /// Puts a variable in the place of a step of so many bits, the `j`-th of group `i`, and of all that is shown to be
    /// the same.
    fn exchange(
        &mut self,
        prover: &mut Prover,
        (i, j): (usize, usize),
        term: Term,
        bits: u32,
        found: &HashMap<Vec<Wide>, Vec<Term>>,
    ) -> Result<(), SolverError> {
        let (width, name) = (term.width(), format!("step{i}_{j}"));
        let is_number = |term: Term| matches!(*term.node(), Node::Variable(_) | Node::Constant(_));
        let fits = match width - bits {
            0 => bit(true),
            rest => term.extract(bits, rest).equals(zeros(rest)),
        };
        if is_number(term) || !self.holds(prover, &[fits])? {
            return Ok(());
        }
        let of_sample = |sample| Evaluator::new(sample).value(term);
        let values: Vec<Wide> = self.samples.iter().map(of_sample).collect();
        for (sample, value) in self.samples.iter().zip(&values) {
            sample.steps.borrow_mut().insert(name.clone(), *value);
        }
        let own = variable(&name, bits);
        self.exchanged[i].push((term, own.resize(width)));
        for &part in found.get(&values).into_iter().flatten() {
            let all = part.width();
            if part == term || all < bits || is_number(part) || part == own.resize(all) {
                continue;
            }
            let common = width.min(all);
            let mut claims = vec![part.extract(0, common).equals(term.extract(0, common))];
            if all > width {
                claims.push(part.extract(width, all - width).equals(zeros(all - width)));
            }
            if self.holds(prover, &claims)? {
                self.exchanged[i].push((part, own.resize(all)));
            }
        }
        Ok(())
    }

    /// Whether claims are shown, in a short time.
    fn holds(&self, prover: &mut Prover, claims: &[Term]) -> Result<bool, SolverError> {
        let limit = prover.limit;
        prover.limit = limit / PART;
        let verdict = hold_for_any_names(prover, &self.assumptions, claims);
        prover.limit = limit;
        Ok(verdict? == Verdict::Never)
    }
}

/// The same as [`Prover::hold`], for any elements of arrays and any variables: each is a variable here, named by its place
/// among those in the claims, so that the same question about others is known already. Conditions, which are given with
/// what is [named](names) in them, are left out where that is not all in the claims. What holds so holds; what does not
/// may hold all the same.
fn hold_for_any_names(
    prover: &mut Prover,
    conditions: &[(Term, Vec<Term>)],
    claims: &[Term],
) -> Result<Verdict, SolverError> {
    let named = names(claims);
    let known: HashSet<Term> = named.iter().copied().collect();
    let helps = |named: &[Term]| named.iter().all(|one| known.contains(one));
    let conditions = conditions.iter().filter(|(_, named)| helps(named));
    let conditions: Vec<Term> = conditions.map(|&(condition, _)| condition).collect();
    let exchanged = named.iter().enumerate();
    let exchanged: Vec<(Term, Term)> = exchanged
        .map(|(i, &one)| (one, variable(&format!("any{i}"), one.width())))
        .collect();
    prover.hold(&after(&exchanged, &conditions), &after(&exchanged, claims))
}

/// Terms, each with what is [named](names) in it.
fn with_names(terms: &[Term]) -> Vec<(Term, Vec<Term>)> {
    terms.iter().map(|&one| (one, names(&[one]))).collect()
}

/// The elements of arrays and the variables in terms.
fn names(terms: &[Term]) -> Vec<Term> {
    let is_named = |term: &Term| matches!(*term.node(), Node::Apply(..) | Node::Variable(_));
    let mut all = parts(terms.iter());
    all.retain(is_named);
    all
}

/// Terms after exchanges.
pub(crate) fn after(exchanged: &[(Term, Term)], terms: &[Term]) -> Vec<Term> {
    let mut rewriter = Rewriter::new(exchanged.iter().copied());
    terms.iter().map(|&term| rewriter.rewritten(term)).collect()
}

/// All terms that some are made of, each once.
fn parts<'a>(terms: impl Iterator<Item = &'a Term>) -> Vec<Term> {
    let mut left: Vec<Term> = terms.copied().collect();
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    while let Some(term) = left.pop() {
        if known.insert(term) {
            all.push(term);
            term.node().operands(|operand| left.push(operand));
        }
    }
    all
}
