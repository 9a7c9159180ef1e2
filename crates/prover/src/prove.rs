//! Translation validation: the machine code of an algorithm against its kernel's specification.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Isa;

use crate::cache::Cache;
use crate::cut_points::CutPoints;
use crate::loops::{Failure, Loops};
use crate::machine::{Location, Machine, Memory, Program, called};
pub use crate::outcome::{Outcome, Refutation};
pub use crate::queries::{Effort, Queries};
use crate::solver::{Satisfiability, Solver, SolverError, SolverResult};
use crate::spec::{AnswerLocation, Obligation, Specification};
use crate::term::{self, Term, concat, number, unknown};

/// Address of an answer that is returned as an array.
const ANSWER: u64 = 0x5000_0000_0000;

/// Proves algorithms, one after another.
pub struct Prover {
    /// Solver, time limits, and the work spent on the last proof.
    pub queries: Queries,
    pub(crate) program: Rc<Program>,
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
        self.queries.begin();
        for number in 0..specification.obligations {
            term::clear();
            let obligation = (specification.obligation)(number);
            if self.queries.time_left().is_zero() {
                return Ok(self.out_of_time(&obligation.name));
            }
            match self.discharge(code, isa, &obligation, number)? {
                Outcome::Proved => (),
                other => return Ok(other),
            }
        }
        Ok(Outcome::Proved)
    }

    /// Outcome of a proof that reached a time limit at a part of its work.
    pub(crate) fn out_of_time(&self, part: &str) -> Outcome {
        Outcome::OutOfTime(match self.queries.time_left().is_zero() {
            true => format!("{part}, at the limit for a whole proof"),
            false => part.to_owned(),
        })
    }

    fn discharge(
        &mut self,
        code: u64,
        isa: Isa,
        obligation: &Obligation,
        number: usize,
    ) -> Result<Outcome, SolverError> {
        if let Some(stages) = &obligation.stages {
            return self.discharge_stages(code, isa, obligation, stages);
        }
        let start = called(self.start(isa, obligation));
        let program = self.program.clone();
        let mut loops = Loops::new(&mut self.queries, obligation, &program, code);
        let ends = match loops.ends(start) {
            Ok(ends) => ends,
            Err(Failure::Outcome(outcome)) => return Ok(outcome),
            Err(Failure::Solver(error)) => return Err(error),
        };
        let is_cut = loops.is_cut;
        // Without any path the claims would hold vacuously.
        if ends.is_empty() {
            return Ok(Outcome::NotModelled("no path leads to a return".into()));
        }
        self.queries.effort.paths += ends.len();
        match self
            .queries
            .counterexample(&obligation.assumptions, &obligation.lemmas)?
        {
            Satisfiability::Unsat => (),
            Satisfiability::Sat(values) => panic!("a lemma is wrong for {values:?}"),
            Satisfiability::Unknown => return Ok(self.out_of_time("a lemma")),
        }
        let mut cut_points = CutPoints::new(obligation);
        for end in ends {
            let answer = match answer(&end, obligation.answer) {
                Ok(answer) => answer,
                Err(why) => return Ok(Outcome::NotModelled(why)),
            };
            let mut claims = (obligation.claims)(answer, &end.path);
            claims.extend(&end.memory.conditions);
            if let Some(sufficient) = (obligation.sufficient)(&claims)
                && self.queries.counterexample(&[], &sufficient)? == Satisfiability::Unsat
            {
                continue;
            }
            let conditions = obligation.under(&end.path);
            let counterexample = match obligation.cut_points[..] {
                [] => self.generalised(obligation, &conditions, &claims)?,
                _ => cut_points.counterexample(&mut self.queries, &conditions, &claims)?,
            };
            match counterexample {
                Satisfiability::Unsat => (),
                // A state at the head of a loop may be one that does not occur.
                Satisfiability::Sat(_) if is_cut => {
                    let why = "no invariant of a loop implies the right answer";
                    return Ok(Outcome::NotModelled(why.into()));
                }
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
                Satisfiability::Unknown => return Ok(self.out_of_time(&obligation.name)),
            }
        }
        Ok(Outcome::Proved)
    }

    /// State of the machine at the call of the function.
    pub(crate) fn start(&self, isa: Isa, obligation: &Obligation) -> Machine {
        let mut memory = Memory::new(self.program.clone());
        for &(address, value) in &obligation.memory {
            memory.add(address, value);
        }
        let mut arguments = obligation.arguments.clone();
        match obligation.answer {
            AnswerLocation::Returned(_) | AnswerLocation::Target => (),
            AnswerLocation::Array(bits) => {
                memory.add(ANSWER, unknown(bits));
                arguments.insert(0, number(ANSWER, 64));
            }
            AnswerLocation::Written(address, bits) => memory.add(address, unknown(bits)),
        }
        for &array in &obligation.arrays {
            memory.add_array(array);
        }
        memory.target = obligation.target;
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

    /// Searches for a counterexample, first with variables in place of the obligation's free terms.
    fn generalised(
        &mut self,
        obligation: &Obligation,
        conditions: &[Term],
        claims: &[Term],
    ) -> SolverResult {
        if !obligation.free.is_empty() {
            let conditions = obligation.generalised(conditions);
            let claims = obligation.generalised(claims);
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
        AnswerLocation::Target => Ok(end.at(Location::Target)),
        AnswerLocation::Written(address, bits) => at(address, bits),
    }
}
