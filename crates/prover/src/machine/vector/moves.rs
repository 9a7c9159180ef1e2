//! Moves between vectors, memory and general registers; broadcasts, insertions and extractions.

use iced_x86::{Instruction, OpKind};

use super::{Name, VectorResult, first_source, immediate};
use crate::machine::{Machine, Modelled, unmodelled};
use crate::term::{Term, concat};

impl Machine {
    /// Moves of whole vectors, and broadcasts.
    pub(super) fn vector_moves(&self, insn: &Instruction, name: Name) -> VectorResult {
        let width = Machine::operand_width(insn, 0);
        let (lane, part) = match name.whole {
            "movdqa" | "movdqu" | "movups" | "movaps" | "movntdq" | "lddqu" | "movdqa32"
            | "movdqu32" => (32, width),
            "movdqu8" => (8, width),
            "movdqu16" => (16, width),
            "movdqa64" | "movdqu64" | "movupd" | "movapd" => (64, width),
            "movddup" if width != 128 => return Err(unmodelled(insn)),
            "movddup" => (64, 64),
            "broadcastss" => (32, 32),
            "broadcastsd" => (64, 64),
            _ if name.stem == "pbroadcast" => (name.lane, name.lane),
            _ => match name.part("broadcast") {
                Some((part, lane)) => (lane, part),
                None => return Ok(None),
            },
        };
        let is_general = insn.op1_kind() == OpKind::Register && insn.op1_register().is_gpr();
        let part = match is_general {
            true => self.register(insn.op1_register()).extract(0, part),
            false => self.vector_operand(insn, 1, part)?,
        };
        let copies = width / part.width();
        Ok(Some((lane, concat((0..copies).map(|_| part)))))
    }

    /// Parts inserted into vectors and extracted from them.
    pub(super) fn inserts(&self, insn: &Instruction, name: Name) -> VectorResult {
        if name.stem == "pinsr" {
            let lane = name.lane;
            let n = u32::from(immediate(insn)?) % (128 / lane);
            let first = first_source(insn);
            let whole = self.vector_operand(insn, first, 128)?;
            let part = self.operand(insn, first + 1, lane)?.extract(0, lane);
            return Ok(Some((lane, with_part(whole, n * lane, part))));
        }
        let Some((part, lane)) = name.part("extract").or_else(|| name.part("insert")) else {
            return Ok(None);
        };
        let is_insertion = insn.op_count() == 4;
        let whole = self.register(insn.op1_register());
        let lo = u32::from(immediate(insn)?) % (whole.width() / part) * part;
        let value = match is_insertion {
            true => with_part(whole, lo, self.vector_operand(insn, 2, part)?),
            false => whole.extract(lo, part),
        };
        Ok(Some((lane, value)))
    }

    /// Moves of parts of a vector, to or from memory or general registers.
    pub(super) fn transfers(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        match name.whole {
            "movq" | "movd" => self.move_low(insn, name.lane)?,
            "movsd" => self.move_scalar(insn, 64)?,
            "movss" => self.move_scalar(insn, 32)?,
            "movlps" | "movlpd" => self.move_half(insn, 0)?,
            "movhps" | "movhpd" => self.move_half(insn, 64)?,
            _ if name.stem == "pextr" => {
                let lane = name.lane;
                let n = u32::from(immediate(insn)?) % (128 / lane);
                let value = self.register(insn.op1_register()).extract(n * lane, lane);
                let width = match insn.op0_kind() {
                    OpKind::Memory => lane,
                    _ => Machine::operand_width(insn, 0),
                };
                self.set(insn, 0, value.resize(width))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Moves to or from the lowest 32 or 64 bits of a vector; the bits above become 0.
    fn move_low(&mut self, insn: &Instruction, lane: u32) -> Modelled<()> {
        let is_vector =
            |n| insn.op_kind(n) == OpKind::Register && insn.op_register(n).is_vector_register();
        let value = match is_vector(1) {
            true => self.register(insn.op_register(1)),
            false => self.operand(insn, 1, lane)?,
        };
        let value = value.extract(0, lane);
        match is_vector(0) {
            true => self.set_vector_operand(insn, value.resize(128), lane),
            false => self.set(insn, 0, value),
        }
    }

    /// Moves the lowest element: from memory with zeros above, else with the rest of the first source.
    fn move_scalar(&mut self, insn: &Instruction, lane: u32) -> Modelled<()> {
        if insn.has_op_mask() || !insn.op_register(0).is_xmm() && !insn.op_register(1).is_xmm() {
            return Err(unmodelled(insn));
        }
        if insn.op0_kind() == OpKind::Memory {
            let value = self.register(insn.op1_register()).extract(0, lane);
            return self.store(insn, value);
        }
        let value = match insn.op1_kind() {
            OpKind::Memory => self.load(insn, lane / 8)?.resize(128),
            _ => {
                let (rest, low) = self.sources(insn)?;
                with_part(rest, 0, low.extract(0, lane))
            }
        };
        self.set_vector_operand(insn, value, lane)
    }

    /// Moves the 64 bits from `lo` on, to or from memory.
    fn move_half(&mut self, insn: &Instruction, lo: u32) -> Modelled<()> {
        if insn.op0_kind() == OpKind::Memory {
            let value = self.register(insn.op1_register()).extract(lo, 64);
            return self.store(insn, value);
        }
        let first = first_source(insn);
        if insn.op_kind(first + 1) != OpKind::Memory {
            return Err(unmodelled(insn));
        }
        let rest = self.vector_operand(insn, first, 128)?;
        let value = with_part(rest, lo, self.load(insn, 8)?);
        self.set_vector_operand(insn, value, 64)
    }
}

/// Replaces the bits of a vector from `lo` on by `part`.
fn with_part(whole: Term, lo: u32, part: Term) -> Term {
    let end = lo + part.width();
    let below = (lo > 0).then(|| whole.extract(0, lo));
    let above = (end < whole.width()).then(|| whole.extract(end, whole.width() - end));
    concat([below, Some(part), above].into_iter().flatten())
}
