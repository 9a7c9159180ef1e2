//! Instructions on vector and mask registers.
//!
//! The forms of one instruction (before AVX, AVX, AVX-512 with or without a mask) have one model: they differ in
//! where their operands are and in what happens to the rest of the register.

mod lanes;
mod masks;
mod moves;
mod shuffles;

use iced_x86::{Instruction, OpKind};

use super::operand::is_legacy;
use super::{Machine, Unmodelled, unmodelled};
use crate::term::{Term, concat};

impl Machine {
    /// Carries out an instruction on vector or mask registers; `false` if it has no model.
    pub(super) fn vector(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        Ok(self.vector_moves(one)?
            || self.shuffles(one)?
            || self.permutations(one)?
            || self.joins(one)?
            || self.blends(one)?
            || self.lanes(one)?
            || self.masks(one)?
            || self.comparisons(one)?
            || self.signs(one)?)
    }

    /// The operands of a function of two vectors, of the width of the first operand.
    fn two(&self, one: &Instruction) -> Result<(Term, Term), Unmodelled> {
        let width = Machine::operand_width(one, 0);
        let first = first_source(one);
        let a = self.vector_operand(one, first, width)?;
        Ok((a, self.vector_operand(one, first + 1, width)?))
    }

    /// The operand of a function of one vector.
    fn last(&self, one: &Instruction, n: u32) -> Result<Term, Unmodelled> {
        self.vector_operand(one, n, Machine::operand_width(one, 0))
    }
}

/// The first operand that a function of two vectors reads: before AVX, that which it writes.
fn first_source(one: &Instruction) -> u32 {
    match is_legacy(one) {
        true => 0,
        false => 1,
    }
}

/// The bits of an element, by the end of the instruction's name: b, w, d or q, ps or pd.
fn lane(one: &Instruction) -> u32 {
    let name = format!("{:?}", one.mnemonic());
    match name.as_bytes() {
        // vpcmpd compares integers.
        [.., b'c', b'm', b'p', b'd'] | [.., b'p', b's'] => 32,
        [.., b'p', b'd'] => 64,
        [.., b'b'] => 8,
        [.., b'w'] => 16,
        [.., b'd'] => 32,
        _ => 64,
    }
}

/// The last operand, where it is a number.
fn immediate(one: &Instruction) -> Result<u8, Unmodelled> {
    let last = one.op_count() - 1;
    match one.op_kind(last) {
        OpKind::Immediate8 => Ok(one.immediate8()),
        _ => Err(unmodelled(one)),
    }
}

/// A function of the lanes of two vectors.
fn map(width: u32, a: Term, b: Term, function: impl Fn(Term, Term) -> Term) -> Term {
    concat(
        a.lanes(width)
            .zip(b.lanes(width))
            .map(|(a, b)| function(a, b))
            .collect::<Vec<_>>(),
    )
}

/// A function of the lanes of a vector.
fn each(width: u32, a: Term, function: impl Fn(Term) -> Term) -> Term {
    concat(a.lanes(width).map(function).collect::<Vec<_>>())
}
