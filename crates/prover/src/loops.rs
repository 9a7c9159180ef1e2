//! Induction over loops.
//!
//! A loop is cut at its head. Parts of the state that a round changes get new variables at the head. Facts about them
//! that hold on entry and after each round hold whenever the head is reached. A specification proposes such facts
//! ([`Loop`](crate::spec::Loop)), and those that cannot be proved are dropped. A number that decreases in each round
//! shows that the loop ends. The paths that leave the loop go on from the state at its head.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::cut::Cut;
use crate::machine::{Machine, Paths, Program, RETURN, Stop};
use crate::outcome::Outcome;
use crate::queries::Queries;
use crate::solver::{Satisfiability, SolverError};
use crate::spec::{Change, Loop, Obligation, Proposal};
use crate::term::{Assignment, Evaluator, Term, Wide};

/// Minimum length of a path, in branches, for which the solver is asked if the path is feasible.
const FEASIBILITY_BRANCHES: usize = 100;

/// Maximum number of arrivals at one head from outside its loop. Without it, nested loops could be cut without end.
const MAX_ENTRIES: usize = 16;

/// Reason why the paths of a function cannot be followed to their ends.
pub(crate) enum Failure {
    /// The proof ends with this outcome.
    Outcome(Outcome),
    /// The solver fails.
    Solver(SolverError),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Outcome(Outcome::NotModelled(stop.to_string()))
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        Failure::Solver(error)
    }
}

/// Follows the paths through one function.
pub(crate) struct Loops<'a> {
    queries: &'a mut Queries,
    obligation: &'a Obligation,
    paths: Paths<'a>,
    code: u64,
    heads: Vec<u64>,
    entries: FxHashMap<u64, usize>,
    /// `true` if a loop was cut, so that states are more general than those that occur.
    pub(crate) is_cut: bool,
}

/// Input found by a solver.
struct Model(BTreeMap<String, Wide>);

impl Assignment for Model {
    fn variable(&self, name: &str, _: u32) -> Wide {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn apply(&self, _: &str, _: &[Wide], _: u32) -> Wide {
        Wide::ZERO
    }
}

impl<'a> Loops<'a> {
    pub(crate) fn new(
        queries: &'a mut Queries,
        obligation: &'a Obligation,
        program: &'a Program,
        code: u64,
    ) -> Loops<'a> {
        Loops {
            queries,
            obligation,
            paths: Paths::new(program),
            code,
            heads: Vec::new(),
            entries: FxHashMap::default(),
            is_cut: false,
        }
    }

    /// Final states of all paths from the start of the function.
    pub(crate) fn ends(&mut self, start: Machine) -> Result<Vec<Machine>, Failure> {
        if self.obligation.loops.is_some() {
            self.heads = self.paths.backward_targets(self.code)?;
        }
        let mut ends = Vec::new();
        let mut pending = vec![(self.code, start)];
        while let Some((address, machine)) = pending.pop() {
            match address {
                RETURN => ends.push(machine),
                head if self.heads.contains(&head) => pending.extend(self.cut(head, machine)?),
                code => pending.extend(self.follow(code, machine)?),
            }
        }
        Ok(ends)
    }

    /// States at the next heads and returns on all paths from an address.
    fn follow(&mut self, from: u64, start: Machine) -> Result<Vec<(u64, Machine)>, Failure> {
        let (queries, obligation) = (&mut *self.queries, self.obligation);
        let mut failure = None;
        let ends = self.paths.follow(from, start, &self.heads, |path| {
            if (obligation.is_infeasible)(path) {
                return false;
            }
            // Infeasible paths do no harm as long as there are few.
            if path.len() < FEASIBILITY_BRANCHES {
                return true;
            }
            match queries.satisfiable(&obligation.under(path)) {
                Ok(answer) => answer != Satisfiability::Unsat,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(ends?),
        }
    }

    /// Cuts a loop at its head; returns the states at the next heads and returns.
    fn cut(&mut self, head: u64, entry: Machine) -> Result<Vec<(u64, Machine)>, Failure> {
        let entries = self.entries.entry(head).or_default();
        *entries += 1;
        if *entries > MAX_ENTRIES {
            return Err(self.open(head, "is entered too often"));
        }
        let mut cut = Cut::new(entry);
        loop {
            let mut state = cut.state();
            let mut proposal = self.propose(&cut, &state);
            let facts = &mut proposal.facts;
            facts.retain(|fact| !cut.dropped.contains(fact));
            let on_entry: Vec<Term> = facts.iter().map(|&fact| cut.on_entry(fact)).collect();
            let holds = self.which_follow(&cut.entry.path, &on_entry)?;
            cut.drop_facts(facts, &holds);
            state.path.extend(facts.iter());

            let arrivals = match self.follow(head, state.clone()) {
                // Perhaps the code relies on a fact that is not proposed yet.
                Err(Failure::Outcome(Outcome::NotModelled(_))) if cut.all_live() => continue,
                arrivals => arrivals?,
            };
            let is_live = cut.mark_live(&arrivals);
            let (rounds, exits): (Vec<_>, Vec<_>) = arrivals
                .into_iter()
                .partition(|&(address, _)| address == head);
            let rounds: Vec<Machine> = rounds.into_iter().map(|(_, machine)| machine).collect();
            if rounds.is_empty() {
                // No loop, or one that is left in its first round.
                return Ok(exits);
            }
            if cut.generalise(&state, &rounds) || is_live {
                continue;
            }
            let before = facts.len();
            for machine in &rounds {
                let after = facts.iter().map(|&fact| cut.after_round(fact, machine));
                let holds = self.which_follow(&machine.path, &Vec::from_iter(after))?;
                cut.drop_facts(facts, &holds);
            }
            if facts.len() == before {
                self.is_cut = true;
                self.check_end(head, &cut, &proposal.measures, &rounds)?;
                return self.checked(head, &rounds, exits);
            }
        }
    }

    /// Facts and measures that the specification proposes for a loop.
    fn propose(&self, cut: &Cut, head: &Machine) -> Proposal {
        let live = cut
            .variables
            .iter()
            .filter(|(_, variable)| variable.is_live);
        let changes = live.map(|(&location, variable)| Change {
            location,
            entry: variable.entry,
            head: variable.head,
        });
        let propose = self.obligation.loops.as_ref().expect("there are loops");
        propose(&Loop {
            entry: &cut.entry,
            head,
            changes: changes.collect(),
        })
    }

    /// Proves that one of the measures decreases in every round.
    fn check_end(
        &mut self,
        head: u64,
        cut: &Cut,
        measures: &[Term],
        rounds: &[Machine],
    ) -> Result<(), Failure> {
        for &measure in measures {
            let mut decreases = true;
            for machine in rounds {
                let is_less = cut.after_round(measure, machine).below(measure);
                decreases = decreases && self.follows(&machine.path, is_less)?;
            }
            if decreases {
                return Ok(());
            }
        }
        Err(self.open(head, "is not known to end"))
    }

    /// Proves the conditions of all stores in a loop, and returns its exits.
    fn checked(
        &mut self,
        head: u64,
        rounds: &[Machine],
        mut exits: Vec<(u64, Machine)>,
    ) -> Result<Vec<(u64, Machine)>, Failure> {
        for machine in rounds {
            self.check(head, machine)?;
        }
        for (_, machine) in &mut exits {
            self.check(head, machine)?;
            machine.memory.conditions.clear();
        }
        Ok(exits)
    }

    /// Proves the conditions of the stores on a path.
    fn check(&mut self, head: u64, machine: &Machine) -> Result<(), Failure> {
        for &condition in &machine.memory.conditions {
            if !self.follows(&machine.path, condition)? {
                return Err(self.open(head, "may write outside its memory"));
            }
        }
        Ok(())
    }

    /// Returns `true` if a fact is proved from the assumptions and a path.
    fn follows(&mut self, path: &[Term], fact: Term) -> Result<bool, SolverError> {
        let conditions = self.obligation.under(path);
        let conditions = self.obligation.generalised(&conditions);
        let claims = self.obligation.generalised(&[fact]);
        let counterexample = self.queries.counterexample(&conditions, &claims)?;
        Ok(counterexample == Satisfiability::Unsat)
    }

    /// Decides for each of several facts if it is proved from the assumptions and a path.
    ///
    /// The solver is asked about all facts together. Its counterexample drops every fact that fails on it.
    fn which_follow(&mut self, path: &[Term], facts: &[Term]) -> Result<Vec<bool>, SolverError> {
        let conditions = self.obligation.under(path);
        let conditions = self.obligation.generalised(&conditions);
        let facts = self.obligation.generalised(facts);
        let mut holds = vec![true; facts.len()];
        loop {
            let open: Vec<usize> = (0..facts.len()).filter(|&i| holds[i]).collect();
            let claims: Vec<Term> = open.iter().map(|&i| facts[i]).collect();
            let values = match self.queries.counterexample(&conditions, &claims)? {
                Satisfiability::Unsat => return Ok(holds),
                Satisfiability::Sat(values) => Model(values),
                Satisfiability::Unknown => {
                    // Too hard together.
                    for i in open {
                        let answer = self.queries.counterexample(&conditions, &[facts[i]])?;
                        holds[i] = answer == Satisfiability::Unsat;
                    }
                    return Ok(holds);
                }
            };
            let mut evaluator = Evaluator::new(&values);
            let mut fails: Vec<usize> = open.clone();
            fails.retain(|&i| evaluator.value(facts[i]).is_zero());
            // Elements of arrays have no values in a model, so perhaps no fact is seen to fail. All are dropped then.
            let fails = if fails.is_empty() { open } else { fails };
            for i in fails {
                holds[i] = false;
            }
        }
    }

    fn open(&self, head: u64, problem: &str) -> Failure {
        let offset = head.wrapping_sub(self.code);
        Failure::Outcome(Outcome::NotModelled(format!(
            "the loop at +{offset:#x} {problem}"
        )))
    }
}
