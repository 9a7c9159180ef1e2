//! Translation validation: the machine code of an algorithm against its kernel's specification.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Isa;

use crate::cache::Cache;
use crate::cut_points::CutPoints;
use crate::machine::{Machine, Memory, Program, run};
pub use crate::queries::{Effort, Queries};
use crate::solver::{Satisfiability, Solver, SolverError, SolverResult};
use crate::spec::{AnswerLocation, Obligation, Specification};
use crate::term::{self, Term, Wide, concat, number, substitute, unknown, variable};

/// Address of an answer that is returned as an array.
const ANSWER: u64 = 0x5000_0000_0000;

/// Minimum length of a path, in branches, for which the solver is asked if the path is feasible.
const FEASIBILITY_BRANCHES: usize = 100;

/// Result of a proof.
#[derive(Debug)]
pub enum Outcome {
    /// The answer is right for all inputs.
    Proved,
    /// The answer is wrong for some input.
    Refuted(Refutation),
    /// The code does something for which there is no model.
    NotModelled(String),
    /// The solver reached a time limit.
    OutOfTime(String),
    /// The kernel has no specification.
    NoSpecification,
}

/// Counterexample: an input with a wrong answer.
#[derive(Debug)]
pub struct Refutation {
    /// Name of the obligation.
    pub case: String,
    /// Number of the obligation.
    pub number: usize,
    /// Values of the input variables.
    pub values: BTreeMap<String, Wide>,
    /// Jumps on the path, by their offsets from the start of the code, each with `true` if it is taken.
    pub path: Vec<(u64, bool)>,
}

/// Proves algorithms, one after another.
pub struct Prover {
    /// Solver, time limits, and the work spent on the last proof.
    pub queries: Queries,
    program: Rc<Program>,
}

impl Prover {
    /// A prover with a time limit for each query, and a cache of proved queries.
    pub fn new(solver: Solver, limit: Duration, cache: Arc<Cache>) -> Prover {
        Prover {
            queries: Queries::new(solver, limit, cache),
            program: Program::running(),
        }
    }

    /// Proves the code at an address, compiled for a level.
    pub fn prove(
        &mut self,
        code: u64,
        isa: Isa,
        specification: &Specification,
    ) -> Result<Outcome, SolverError> {
        self.queries.effort = Effort::default();
        for number in 0..specification.obligations {
            term::clear();
            let obligation = (specification.obligation)(number);
            match self.discharge(code, isa, &obligation, number)? {
                Outcome::Proved => (),
                other => return Ok(other),
            }
        }
        Ok(Outcome::Proved)
    }

    fn discharge(
        &mut self,
        code: u64,
        isa: Isa,
        obligation: &Obligation,
        number: usize,
    ) -> Result<Outcome, SolverError> {
        let assumptions = &obligation.assumptions;
        let under = |path: &[Term]| [assumptions, path].concat();
        let start = self.start(isa, obligation);
        let mut failure = None;
        let ends = run(code, start, &self.program, |path| {
            if (obligation.is_infeasible)(path) {
                return false;
            }
            // Infeasible paths do no harm as long as there are few.
            if path.len() < FEASIBILITY_BRANCHES {
                return true;
            }
            match self.queries.satisfiable(&under(path)) {
                Ok(answer) => !matches!(answer, Satisfiability::Unsat),
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
        // Without any path the claims would hold vacuously.
        if ends.is_empty() {
            return Ok(Outcome::NotModelled("no path leads to a return".into()));
        }
        self.queries.effort.paths += ends.len();
        match self
            .queries
            .counterexample(assumptions, &obligation.lemmas)?
        {
            Satisfiability::Unsat => (),
            Satisfiability::Sat(values) => panic!("a lemma is wrong for {values:?}"),
            Satisfiability::Unknown => return Ok(Outcome::OutOfTime("a lemma".into())),
        }
        let mut cut_points = CutPoints::new(obligation);
        for end in ends {
            let answer = match answer(&end, obligation.answer) {
                Ok(answer) => answer,
                Err(why) => return Ok(Outcome::NotModelled(why)),
            };
            let claims = (obligation.claims)(answer, &end.path);
            if let Some(sufficient) = (obligation.sufficient)(&claims)
                && self.queries.counterexample(&[], &sufficient)? == Satisfiability::Unsat
            {
                continue;
            }
            let conditions = under(&end.path);
            let counterexample = match obligation.cut_points[..] {
                [] => self.generalised(&obligation.free, &conditions, &claims)?,
                _ => cut_points.counterexample(&mut self.queries, &conditions, &claims)?,
            };
            match counterexample {
                Satisfiability::Unsat => (),
                Satisfiability::Sat(values) => {
                    let jumps = end.jumps.iter();
                    return Ok(Outcome::Refuted(Refutation {
                        case: obligation.name.clone(),
                        number,
                        values,
                        path: jumps
                            .map(|&(at, taken)| (at.wrapping_sub(code), taken))
                            .collect(),
                    }));
                }
                Satisfiability::Unknown => return Ok(Outcome::OutOfTime(obligation.name.clone())),
            }
        }
        Ok(Outcome::Proved)
    }

    /// State of the machine at the call of the function.
    fn start(&self, isa: Isa, obligation: &Obligation) -> Machine {
        let mut memory = Memory::new(self.program.clone());
        for &(address, value) in &obligation.memory {
            memory.add(address, value);
        }
        let mut arguments = obligation.arguments.clone();
        match obligation.answer {
            AnswerLocation::Returned(_) => (),
            AnswerLocation::Array(bits) => {
                memory.add(ANSWER, unknown(bits));
                arguments.insert(0, number(ANSWER, 64));
            }
            AnswerLocation::Written(address, bits) => memory.add(address, unknown(bits)),
        }
        for &array in &obligation.arrays {
            memory.add_array(array);
        }
        let mut machine = Machine::new(isa, memory);
        // rdi, rsi, rdx, rcx, r8, r9.
        const PARAMETERS: [usize; 6] = [7, 6, 2, 1, 8, 9];
        for (register, argument) in PARAMETERS.into_iter().zip(arguments) {
            let above = machine.general[register];
            machine.general[register] = match argument.width() {
                64 => argument,
                width => concat([argument, above.extract(width, 64 - width)]),
            };
        }
        machine
    }

    /// Searches for a counterexample, first with variables in place of the terms `free`.
    fn generalised(&mut self, free: &[Term], conditions: &[Term], claims: &[Term]) -> SolverResult {
        if !free.is_empty() {
            let variables = free.iter().enumerate();
            let variables: Vec<(Term, Term)> = variables
                .map(|(i, &term)| (term, variable(&format!("free{i}"), term.width())))
                .collect();
            let conditions = substitute(&variables, conditions);
            let claims = substitute(&variables, claims);
            let answer = self.queries.counterexample(&conditions, &claims)?;
            if answer == Satisfiability::Unsat {
                return Ok(answer);
            }
        }
        // The claims may fail only for values that these terms cannot have.
        self.queries.counterexample(conditions, claims)
    }
}

/// The answer in the state at the return.
fn answer(end: &Machine, location: AnswerLocation) -> Result<Term, String> {
    let at = |address: u64, bits: u32| {
        let loaded = end.memory.load(number(address, 64), bits / 8);
        loaded.map_err(|error| format!("its answer: {error}"))
    };
    match location {
        AnswerLocation::Returned(bits @ 0..=64) => Ok(end.general[0].extract(0, bits)),
        AnswerLocation::Returned(bits) => {
            Ok(concat([end.general[0], end.general[2]]).extract(0, bits))
        }
        AnswerLocation::Array(bits) => at(ANSWER, bits),
        AnswerLocation::Written(address, bits) => at(address, bits),
    }
}
