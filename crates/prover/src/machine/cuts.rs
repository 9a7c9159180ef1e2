//! Cuts: variables in place of terms that registers hold.
//!
//! Rewriting takes a term apart as soon as an instruction uses it. So a term that is to be replaced must be replaced
//! when a register receives it.

use std::collections::BTreeSet;

use iced_x86::{Instruction, Register};
use rustc_hash::FxHashMap;

use super::Machine;
use crate::term::{Term, concat};

/// Terms, each with the variable that replaces it.
#[derive(Default)]
pub struct Cuts {
    variables: FxHashMap<Term, Term>,
    widths: BTreeSet<u32>,
}

impl Cuts {
    /// Cuts of terms, each with its variable.
    pub fn new(cuts: &[(Term, Term)]) -> Cuts {
        Cuts {
            variables: cuts.iter().copied().collect(),
            widths: cuts.iter().map(|(term, _)| term.width()).collect(),
        }
    }

    /// The value with variables in place of the lanes that are cut.
    fn applied(&self, value: Term) -> Term {
        let fits = |width: &&u32| **width <= value.width();
        self.widths
            .iter()
            .filter(fits)
            .fold(value, |value, &width| {
                let mut changes = false;
                let lanes = value.lanes(width).map(|lane| {
                    let variable = self.variables.get(&lane);
                    changes |= variable.is_some();
                    variable.copied().unwrap_or(lane)
                });
                let lanes: Vec<Term> = lanes.collect();
                if changes { concat(lanes) } else { value }
            })
    }
}

impl Machine {
    /// Applies the cuts to the register that an instruction has written.
    pub(super) fn cut(&mut self, insn: &Instruction) {
        let register = insn.op0_register();
        if self.cuts.widths.is_empty() || register == Register::None {
            return;
        }
        let number = register.full_register().number();
        let value = if register.is_gpr() {
            &mut self.general[number]
        } else if register.is_vector_register() {
            &mut self.vector[number]
        } else {
            return;
        };
        *value = self.cuts.applied(*value);
    }
}
