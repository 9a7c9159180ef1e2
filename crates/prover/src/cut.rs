//! Variables and facts of a loop that is cut at its head.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::machine::{Location, Machine};
use crate::term::{Term, Wide, number, substitute, subterms, unknown};

/// Knowledge about a loop, refined until it holds in every round.
pub(crate) struct Cut {
    /// State on entry.
    pub(crate) entry: Machine,
    /// Parts of the state that rounds change.
    pub(crate) variables: BTreeMap<Location, Variable>,
    /// Number of the round.
    pub(crate) round: Term,
    /// Facts that could not be proved; they are not tried again.
    pub(crate) dropped: FxHashSet<Term>,
}

/// Part of the state that rounds change.
pub(crate) struct Variable {
    /// Value on entry.
    pub(crate) entry: Term,
    /// Value at the head in any round.
    pub(crate) head: Term,
    /// Distance between the values of two rounds, if it is a constant.
    pub(crate) step: Option<Wide>,
    /// `true` if the code may use the value at the head.
    pub(crate) is_live: bool,
}

impl Cut {
    pub(crate) fn new(entry: Machine) -> Cut {
        Cut {
            entry,
            variables: BTreeMap::new(),
            round: unknown(64),
            dropped: FxHashSet::default(),
        }
    }

    /// State at the head in any round.
    pub(crate) fn state(&self) -> Machine {
        let mut state = self.entry.clone();
        if !self.variables.is_empty() {
            state.forget_flags();
        }
        for (&location, variable) in &self.variables {
            state.set_at(location, variable.head);
        }
        state
    }

    /// Translates a fact about the state at the head to the state on entry.
    pub(crate) fn on_entry(&self, fact: Term) -> Term {
        self.substituted(number(0, 64), fact, |_, variable| variable.entry)
    }

    /// Translates a fact about the state at the head to the state after one more round.
    pub(crate) fn after_round(&self, fact: Term, after: &Machine) -> Term {
        self.substituted(self.round.plus(1), fact, |location, _| after.at(location))
    }

    fn substituted(
        &self,
        round: Term,
        fact: Term,
        value: impl Fn(Location, &Variable) -> Term,
    ) -> Term {
        let free = self.variables.iter();
        let free = free.filter(|(_, variable)| variable.step.is_none());
        let free = free.map(|(&location, variable)| (variable.head, value(location, variable)));
        let replacements: Vec<(Term, Term)> = free.chain([(self.round, round)]).collect();
        substitute(&replacements, &[fact])[0]
    }

    /// Gives a new variable to each part of the state that rounds change, if it has none or its known step is wrong.
    ///
    /// Returns `true` if there is a new variable.
    pub(crate) fn generalise(&mut self, state: &Machine, rounds: &[Machine]) -> bool {
        let changes = rounds.iter().flat_map(|machine| machine.changes(state));
        let changes: BTreeSet<Location> = changes.collect();
        let mut is_new = false;
        for location in changes {
            let start = state.at(location);
            let step_of = |machine: &Machine| (machine.at(location) - start).value();
            let step = step_of(&rounds[0]);
            let step = step.filter(|_| rounds.iter().all(|machine| step_of(machine) == step));
            let entry = match self.variables.get(&location) {
                None => start,
                Some(known) if known.step.is_none() || known.step == step => continue,
                Some(known) => known.entry,
            };
            // A part whose known step was wrong is taken to change arbitrarily.
            let step = step.filter(|_| !self.variables.contains_key(&location));
            let variable = Variable {
                entry,
                head: match step {
                    Some(step) => entry + self.round.times(step),
                    None => unknown(entry.width()),
                },
                step,
                is_live: step.is_some(),
            };
            self.variables.insert(location, variable);
            is_new = true;
        }
        is_new
    }

    /// Marks the variables on which a state of `arrivals` depends as live; returns `true` if one was not live before.
    pub(crate) fn mark_live(&mut self, arrivals: &[(u64, Machine)]) -> bool {
        let mut used = Vec::new();
        for (_, machine) in arrivals {
            used.extend(&machine.path);
            used.extend(&machine.memory.conditions);
            for (&location, variable) in &self.variables {
                // A state with the variable in its own part does not use it.
                used.extend(Some(machine.at(location)).filter(|&value| value != variable.head));
            }
        }
        let used: FxHashSet<Term> = subterms(used.iter()).into_iter().collect();
        let mut is_new = false;
        for variable in self.variables.values_mut() {
            is_new |= !variable.is_live && used.contains(&variable.head);
            variable.is_live |= used.contains(&variable.head);
        }
        is_new
    }

    /// Marks all variables as live; returns `true` if one was not live before.
    pub(crate) fn all_live(&mut self) -> bool {
        let mut variables = self.variables.values_mut();
        let is_new = variables.any(|variable| !variable.is_live);
        for variable in self.variables.values_mut() {
            variable.is_live = true;
        }
        is_new
    }

    /// Drops the facts whose entry in `holds` is `false`.
    pub(crate) fn drop_facts(&mut self, facts: &mut Vec<Term>, holds: &[bool]) {
        let mut holds = holds.iter();
        facts.retain(|&fact| {
            let holds = *holds.next().expect("one for each fact");
            if !holds {
                self.dropped.insert(fact);
            }
            holds
        });
    }
}
