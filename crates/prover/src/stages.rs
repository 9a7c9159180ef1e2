//! Proofs in stages.
//!
//! The code is executed once for each stage. After an execution the values of the stage are known as terms. In the
//! next one variables replace these terms as soon as a register holds them. So the claims about a stage are claims
//! about functions of the values before it.

use std::collections::BTreeMap;
use std::rc::Rc;

use outflank_kernels::Isa;
use rustc_hash::FxHashSet;

use crate::machine::{Cuts, Machine, Paths, Stop, called};
use crate::outcome::{Outcome, Refutation};
use crate::prove::Prover;
use crate::solver::{Satisfiability, SolverError};
use crate::spec::Obligation;
use crate::term::{Node, Term, Wide, number, repeatably, substitute, variable};

/// Makes claims from the state at the end of a path and the terms that variables replace.
type StagedClaims = Box<dyn Fn(&Machine, &[(Term, Term)]) -> Vec<StagedClaim>>;

/// Proof in stages: variables replace the values of one stage in the computation of the next.
pub struct Stages {
    /// Terms that the code probably computes, each with the variable that replaces it.
    pub cuts: Vec<(Term, Term)>,
    /// Parts of the answer whose values are replaced by variables: one group a stage.
    pub groups: Vec<Vec<AnswerPart>>,
    /// Claims about the values of all stages.
    pub claims: StagedClaims,
}

/// Part of an answer in memory.
#[derive(Clone, Copy, Debug)]
pub struct AnswerPart {
    /// Address of the part.
    pub address: u64,
    /// The value of interest is the exclusive or of the part and this term.
    pub change: Term,
}

/// Claim about the value of one stage.
#[derive(Clone, Debug)]
pub struct StagedClaim {
    /// Name for reports.
    pub name: String,
    /// Condition that holds for all values of its variables. It implies `claim`.
    pub general: Term,
    /// The claim about the variables of the cuts.
    pub claim: Term,
}

/// Final states, and the terms that variables replace in them.
type StagedEnds = (Vec<Machine>, Vec<(Term, Term)>);

impl Prover {
    /// Proves an obligation in stages.
    pub(crate) fn discharge_stages(
        &mut self,
        code: u64,
        isa: Isa,
        obligation: &Obligation,
        stages: &Stages,
    ) -> Result<Outcome, SolverError> {
        let start = called(self.start(isa, obligation));
        let (ends, cuts) = match self.staged_ends(code, &start, stages) {
            Ok(found) => found,
            Err(stop) => return Ok(Outcome::NotModelled(stop.to_string())),
        };
        if ends.is_empty() {
            return Ok(Outcome::NotModelled("no path leads to a return".into()));
        }
        self.queries.effort.paths += ends.len();
        let mut proved = FxHashSet::default();
        for lemma in &obligation.lemmas {
            match self.queries.counterexample(&[], &[*lemma])? {
                Satisfiability::Unsat => (),
                Satisfiability::Sat(values) => panic!("a lemma is wrong for {values:?}"),
                Satisfiability::Unknown => return Ok(self.out_of_time("a lemma")),
            }
        }
        for end in ends {
            for claim in (stages.claims)(&end, &cuts) {
                if !proved.insert(claim.general) {
                    continue;
                }
                if self.queries.counterexample(&[], &[claim.general])? == Satisfiability::Unsat {
                    continue;
                }
                let name = claim.name.clone();
                let conditions = [&obligation.assumptions[..], &end.path].concat();
                match self.staged_counterexample(&conditions, claim, &cuts)? {
                    Satisfiability::Unsat => (),
                    Satisfiability::Sat(values) => {
                        return Ok(refuted(code, obligation, &end, values));
                    }
                    Satisfiability::Unknown => {
                        return Ok(self.out_of_time(&name));
                    }
                }
            }
        }
        Ok(Outcome::Proved)
    }

    /// Final states with variables in place of all values of stages, and the terms that these variables replace.
    fn staged_ends(&self, code: u64, start: &Machine, stages: &Stages) -> Result<StagedEnds, Stop> {
        let mut cuts = stages.cuts.clone();
        let execute = |cuts: &[(Term, Term)]| {
            let mut start = start.clone();
            start.cuts = Rc::new(Cuts::new(cuts));
            repeatably(|| Paths::new(&self.program).follow_joined(code, start))
        };
        for (stage, group) in stages.groups.iter().enumerate() {
            for end in execute(&cuts)? {
                for part in group {
                    let bits = part.change.width();
                    let Ok(value) = end.memory.load(number(part.address, 64), bits / 8) else {
                        continue;
                    };
                    let value = value ^ part.change;
                    let is_simple = matches!(*value.node(), Node::Variable(_) | Node::Constant(_));
                    if !is_simple && !cuts.iter().any(|&(term, _)| term == value) {
                        let name = format!("stage{stage}_{}", cuts.len());
                        cuts.push((value, variable(&name, bits)));
                    }
                }
            }
        }
        Ok((execute(&cuts)?, cuts))
    }

    /// Searches for an input that fulfils the conditions, but not a claim.
    fn staged_counterexample(
        &mut self,
        conditions: &[Term],
        claim: StagedClaim,
        cuts: &[(Term, Term)],
    ) -> Result<Satisfiability, SolverError> {
        // The terms of a cut depend on the variables of the cuts before it.
        let whole: Vec<Term> = cuts.iter().rev().fold(
            [conditions, &[claim.claim]].concat(),
            |terms, &(term, variable)| substitute(&[(variable, term)], &terms),
        );
        let (claim, conditions) = whole.split_last().expect("there is the claim");
        self.queries.counterexample(conditions, &[*claim])
    }
}

fn refuted(
    code: u64,
    obligation: &Obligation,
    end: &Machine,
    values: BTreeMap<String, Wide>,
) -> Outcome {
    let jumps = end.jumps.iter();
    Outcome::Refuted(Refutation {
        case: obligation.name.clone(),
        number: 0,
        values,
        path: jumps
            .map(|&(at, taken)| (at.wrapping_sub(code), taken))
            .collect(),
    })
}
