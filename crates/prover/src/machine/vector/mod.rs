//! Instructions on vector and mask registers.
//!
//! All forms of an instruction (before AVX, AVX, AVX-512 with or without a mask) share one model. They differ only in
//! where their operands are and in what happens to the rest of the register.

mod lanes;
mod masks;
mod moves;
mod name;
mod shuffles;

use iced_x86::{Instruction, OpKind};

use self::name::Name;
pub(crate) use self::shuffles::compressed;
use super::operand::is_legacy;
use super::{Machine, Modelled, unmodelled};
use crate::term::{Term, concat};

/// Lane width in bits and new value of the first operand; `None` if the instruction belongs to another model.
///
/// The lane is the unit that a mask register selects.
type VectorResult = Modelled<Option<(u32, Term)>>;

impl Machine {
    /// Executes an instruction on vector or mask registers; `false` if it has no model.
    pub(super) fn vector(&mut self, insn: &Instruction) -> Modelled<bool> {
        let models = [
            Machine::vector_moves,
            Machine::inserts,
            Machine::shuffles,
            Machine::permutations,
            Machine::joins,
            Machine::blends,
            Machine::logic,
            Machine::sums,
            Machine::products,
            Machine::lane_shifts,
            Machine::rotations,
            Machine::conversions,
            Machine::mask_to_lanes,
        ];
        let name = insn.mnemonic();
        let name = format!("{name:?}").to_ascii_lowercase();
        let name = Name::new(&name);
        for model in models {
            if let Some((lane, value)) = model(self, insn, name)? {
                self.set_vector_operand(insn, value, lane)?;
                return Ok(true);
            }
        }
        Ok(self.transfers(insn, name)?
            || self.compress(insn, name)?
            || self.mask_blends(insn, name)?
            || self.gather(insn, name)?
            || self.masks(insn, name)?
            || self.comparisons(insn, name)?
            || self.signs(insn, name)?)
    }

    /// Both sources of a binary instruction, as wide as its first operand.
    fn sources(&self, insn: &Instruction) -> Modelled<(Term, Term)> {
        let first = first_source(insn);
        Ok((self.source(insn, first)?, self.source(insn, first + 1)?))
    }

    /// Operand `n`, as wide as the first operand.
    fn source(&self, insn: &Instruction, n: u32) -> Modelled<Term> {
        self.vector_operand(insn, n, Machine::operand_width(insn, 0))
    }

    /// Result of a binary instruction that works lane by lane.
    fn lanewise(
        &self,
        insn: &Instruction,
        lane: u32,
        function: impl Fn(Term, Term) -> Term,
    ) -> VectorResult {
        let (a, b) = self.sources(insn)?;
        Ok(Some((lane, map(lane, a, b, function))))
    }

    /// Result of a binary instruction that works in lines of 128 bits.
    fn linewise(
        &self,
        insn: &Instruction,
        lane: u32,
        function: impl Fn(Term, Term) -> Term,
    ) -> VectorResult {
        let (a, b) = self.sources(insn)?;
        Ok(Some((lane, map(128, a, b, function))))
    }

    /// Result of a unary instruction that works lane by lane.
    fn each_lane(
        &self,
        insn: &Instruction,
        lane: u32,
        function: impl Fn(Term) -> Term,
    ) -> VectorResult {
        Ok(Some((lane, each(lane, self.source(insn, 1)?, function))))
    }
}

/// Index of the first operand that a binary instruction reads: before AVX, its destination.
fn first_source(insn: &Instruction) -> u32 {
    u32::from(!is_legacy(insn))
}

/// Value of the last operand, which must be an immediate.
fn immediate(insn: &Instruction) -> Modelled<u8> {
    match insn.op_kind(insn.op_count() - 1) {
        OpKind::Immediate8 => Ok(insn.immediate8()),
        _ => Err(unmodelled(insn)),
    }
}

/// Applies a function to each pair of lanes of two vectors.
fn map(width: u32, a: Term, b: Term, function: impl Fn(Term, Term) -> Term) -> Term {
    let lanes = a.lanes(width).zip(b.lanes(width));
    concat(lanes.map(|(a, b)| function(a, b)))
}

/// Applies a function to each lane of a vector.
fn each(width: u32, a: Term, function: impl Fn(Term) -> Term) -> Term {
    concat(a.lanes(width).map(function))
}
