//! Proofs: the code of an algorithm against its kernel's specification.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outflank_kernels::Isa;

use crate::cache::{Cache, Key};
use crate::machine::{Limits, Machine, Memory, Program, run};
use crate::solver::{Question, Solver, SolverError, Verdict};
use crate::spec::{Case, Place, Specification};
use crate::steps::{Steps, after};
use crate::term::{self, Term, Wide, bit, concat, number, unknown, variable};

/// Where an array is wanted.
const ANSWER: u64 = 0x5000_0000_0000;

/// From so many branches on, the solver is asked whether a path can be taken.
const MANY: usize = 100;

/// What a proof came to.
#[derive(Debug)]
pub enum Outcome {
    /// For all inputs the answer is right.
    Proved,
    /// For these it is not.
    Refuted(Refutation),
    /// The code does what cannot be followed.
    NotModelled(String),
    /// The solver did not come to an end.
    OutOfTime(String),
    /// What would be right is not written down.
    NoSpecification,
}

/// An input with a wrong answer.
#[derive(Debug)]
pub struct Refutation {
    /// The case.
    pub case: String,
    /// Its number.
    pub number: usize,
    /// The values of the inputs.
    pub values: BTreeMap<String, Wide>,
    /// The way through the code: jumps, by their distances from its beginning, and whether they are taken.
    pub path: Vec<(u64, bool)>,
}

/// How much a proof took.
#[derive(Default, Debug, Clone, Copy)]
pub struct Effort {
    /// Claims that were the same term as the constant 1.
    pub by_rewriting: usize,
    /// Questions to the solver.
    pub asked: usize,
    /// Questions whose answer was known.
    pub cached: usize,
    /// Paths through the code.
    pub paths: usize,
    /// The time that the solver took.
    pub solver: Duration,
}

/// Proves algorithms, one after another.
pub struct Prover {
    solver: Solver,
    /// The longest that the solver may take for one question.
    pub limit: Duration,
    /// The longest that it may take for all questions of one proof: [`Duration::MAX`] unless it is set. A proof that
    /// reaches it is [`Outcome::OutOfTime`].
    pub proof_limit: Duration,
    cache: Arc<Cache>,
    /// Questions with a counterexample: a proof by steps asks the same of many terms.
    refuted: HashMap<Key, BTreeMap<String, Wide>>,
    program: Rc<Program>,
    /// Of the last proof.
    pub effort: Effort,
}

impl Prover {
    /// With a solver, and what was shown already.
    pub fn new(solver: Solver, limit: Duration, cache: Arc<Cache>) -> Prover {
        Prover {
            solver,
            limit,
            proof_limit: Duration::MAX,
            cache,
            refuted: HashMap::new(),
            program: Program::running(),
            effort: Effort::default(),
        }
    }

    /// Proves the code at an address, compiled for a level.
    pub fn prove(
        &mut self,
        code: u64,
        isa: Isa,
        specification: &Specification,
    ) -> Result<Outcome, SolverError> {
        self.effort = Effort::default();
        for number in 0..specification.cases {
            term::clear();
            let case = (specification.case)(number);
            match self.prove_case(code, isa, &case, number)? {
                Outcome::Proved => (),
                other => return Ok(other),
            }
        }
        Ok(Outcome::Proved)
    }

    fn prove_case(
        &mut self,
        code: u64,
        isa: Isa,
        case: &Case,
        number: usize,
    ) -> Result<Outcome, SolverError> {
        let limits = Limits {
            steps: 200_000,
            paths: 2_000,
        };
        let start = self.start(isa, case);
        let program = self.program.clone();
        let mut failure = None;
        let ends = run(code, start, &program, limits, |path| {
            if (case.never)(path) {
                return false;
            }
            // A path that no input takes does no harm, as long as there are few.
            if path.len() < MANY {
                return true;
            }
            let conditions: Vec<Term> = case.assumptions.iter().chain(path).copied().collect();
            match self.can_hold(&conditions) {
                Ok(verdict) => !matches!(verdict, Verdict::Never),
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let ends = match ends {
            Ok(ends) => ends,
            Err(stop) => return Ok(Outcome::NotModelled(stop.to_string())),
        };
        // Of no path everything could be said.
        if ends.is_empty() {
            return Ok(Outcome::NotModelled("no path leads to a return".into()));
        }
        self.effort.paths += ends.len();
        match self.hold(&case.assumptions, &case.lemmas)? {
            Verdict::Never => (),
            Verdict::Sometimes(values) => panic!("a lemma is wrong for {values:?}"),
            Verdict::Unknown => return Ok(Outcome::OutOfTime("a lemma".into())),
        }
        let mut steps = Steps::new(case);
        for end in ends {
            let answer = match answer(&end, case.answer) {
                Ok(answer) => answer,
                Err(why) => return Ok(Outcome::NotModelled(why)),
            };
            let conditions: Vec<Term> = case.assumptions.iter().chain(&end.path).copied().collect();
            let claims = (case.claims)(answer, &end.path);
            if let Some(stronger) = (case.stronger)(&claims)
                && self.hold(&[], &stronger)? == Verdict::Never
            {
                continue;
            }
            let verdict = match case.steps[..] {
                [] => self.hold_for_any(&case.free, &conditions, &claims)?,
                _ => self.hold_by_steps(&mut steps, &conditions, &claims)?,
            };
            match verdict {
                Verdict::Never => (),
                Verdict::Sometimes(values) => {
                    return Ok(Outcome::Refuted(Refutation {
                        case: case.name.clone(),
                        number,
                        values,
                        path: end
                            .jumps
                            .iter()
                            .map(|&(at, taken)| (at.wrapping_sub(code), taken))
                            .collect(),
                    }));
                }
                Verdict::Unknown => return Ok(Outcome::OutOfTime(case.name.clone())),
            }
        }
        Ok(Outcome::Proved)
    }

    /// The state in which the function is called.
    fn start(&self, isa: Isa, case: &Case) -> Machine {
        let mut memory = Memory::new(self.program.clone());
        for &(address, value) in &case.memory {
            memory.add(address, value);
        }
        if let Place::Array(bits) = case.answer {
            memory.add(ANSWER, unknown(bits));
        }
        if let Place::Written(address, bits) = case.answer {
            memory.add(address, unknown(bits));
        }
        for &array in &case.arrays {
            memory.add_array(array);
        }
        let mut machine = Machine::new(isa, memory);
        let wanted = match case.answer {
            Place::Array(_) => Some(number(ANSWER, 64)),
            _ => None,
        };
        // rdi, rsi, rdx, rcx, r8, r9.
        const PARAMETERS: [usize; 6] = [7, 6, 2, 1, 8, 9];
        let arguments = wanted.iter().chain(&case.arguments);
        for (register, &argument) in PARAMETERS.into_iter().zip(arguments) {
            let rest = machine.general[register];
            machine.general[register] = match argument.width() {
                64 => argument,
                width => concat([argument, rest.extract(width, 64 - width)]),
            };
        }
        machine
    }

    /// Whether conditions can hold together.
    fn can_hold(&mut self, conditions: &[Term]) -> Result<Verdict, SolverError> {
        let open: Vec<Term> = conditions
            .iter()
            .copied()
            .filter(|&one| one != bit(true))
            .collect();
        if open.contains(&bit(false)) {
            return Ok(Verdict::Never);
        }
        if open.is_empty() {
            return Ok(Verdict::Sometimes(BTreeMap::new()));
        }
        let question = Question::new(&open);
        let key = Key::new(question.text());
        if self.cache.has(&key) {
            self.effort.cached += 1;
            return Ok(Verdict::Never);
        }
        if let Some(values) = self.refuted.get(&key) {
            self.effort.cached += 1;
            return Ok(Verdict::Sometimes(values.clone()));
        }
        let left = self.proof_limit.saturating_sub(self.effort.solver);
        if left.is_zero() {
            return Ok(Verdict::Unknown);
        }
        self.effort.asked += 1;
        let start = Instant::now();
        let verdict = self.solver.answer(&question, self.limit.min(left))?;
        self.effort.solver += start.elapsed();
        match &verdict {
            Verdict::Never => self.cache.add(key).map_err(SolverError::Cache)?,
            Verdict::Sometimes(values) => {
                self.refuted.insert(key, values.clone());
            }
            Verdict::Unknown => (),
        }
        Ok(verdict)
    }

    /// The same as [`Prover::hold`], first with variables in place of the terms `free`.
    fn hold_for_any(
        &mut self,
        free: &[Term],
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<Verdict, SolverError> {
        if !free.is_empty() {
            let any = free.iter().enumerate();
            let any = any.map(|(i, &term)| (term, variable(&format!("free{i}"), term.width())));
            let any = Vec::from_iter(any);
            let verdict = self.hold(&after(&any, conditions), &after(&any, claims))?;
            if verdict == Verdict::Never {
                return Ok(verdict);
            }
        }
        // It may be wrong only for numbers that these terms cannot be.
        self.hold(conditions, claims)
    }

    /// The same as [`Prover::hold`], by the steps of the case.
    fn hold_by_steps(
        &mut self,
        steps: &mut Steps,
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<Verdict, SolverError> {
        if let Some(values) = steps.counterexample(conditions, claims) {
            return Ok(Verdict::Sometimes(values));
        }
        match steps.hold(self, conditions, claims)? {
            Verdict::Never => Ok(Verdict::Never),
            // It may be wrong only for numbers that no step can be.
            _ => self.hold(conditions, claims),
        }
    }

    /// Whether all claims hold under the conditions: [`Verdict::Never`] fails one.
    pub(crate) fn hold(
        &mut self,
        conditions: &[Term],
        claims: &[Term],
    ) -> Result<Verdict, SolverError> {
        let is_open = |claim: &Term| *claim != bit(true) && !conditions.contains(claim);
        let open: Vec<Term> = claims.iter().copied().filter(is_open).collect();
        self.effort.by_rewriting += claims.len() - open.len();
        if open.is_empty() {
            return Ok(Verdict::Never);
        }
        let fails = |claims: &[Term]| {
            let fails = !term::all(claims.iter().copied());
            [conditions, &[fails]].concat()
        };
        // All at once, and one by one if that is too hard.
        let verdict = self.can_hold(&fails(&open))?;
        if verdict != Verdict::Unknown || open.len() == 1 {
            return Ok(verdict);
        }
        for claim in open {
            match self.can_hold(&fails(&[claim]))? {
                Verdict::Never => (),
                other => return Ok(other),
            }
        }
        Ok(Verdict::Never)
    }
}

/// The answer in the state at the return.
fn answer(end: &Machine, place: Place) -> Result<Term, String> {
    let at = |address: u64, bits: u32| {
        let loaded = end.memory.load(number(address, 64), bits / 8);
        loaded.map_err(|error| format!("its answer: {error}"))
    };
    match place {
        Place::Returned(bits @ 0..=64) => Ok(end.general[0].extract(0, bits)),
        Place::Returned(bits) => Ok(concat([end.general[0], end.general[2]]).extract(0, bits)),
        Place::Array(bits) => at(ANSWER, bits),
        Place::Written(address, bits) => at(address, bits),
    }
}
