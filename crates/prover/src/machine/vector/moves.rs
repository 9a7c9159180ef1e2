//! Moves between vectors, memory and general registers; broadcasts, insertions and extractions.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{VectorResult, first_source, immediate, lane};
use crate::machine::{Machine, Unmodelled, unmodelled};
use crate::term::{Term, concat};

impl Machine {
    /// Moves of whole vectors, and broadcasts.
    pub(super) fn vector_moves(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let width = Machine::operand_width(insn, 0);
        let (lane, part) = match insn.mnemonic() {
            Movdqa | Movdqu | Movups | Movaps | Movntdq | Lddqu | Vlddqu | Vmovdqa | Vmovdqu
            | Vmovups | Vmovaps | Vmovntdq | Vmovdqa32 | Vmovdqu32 => (32, width),
            Vmovdqu8 => (8, width),
            Vmovdqu16 => (16, width),
            Movupd | Movapd | Vmovdqa64 | Vmovdqu64 | Vmovupd | Vmovapd => (64, width),
            Movddup | Vmovddup if width != 128 => return Err(unmodelled(insn)),
            Vpbroadcastb | Vpbroadcastw | Vpbroadcastd | Vpbroadcastq | Movddup | Vmovddup => {
                (lane(insn), lane(insn))
            }
            Vbroadcastss => (32, 32),
            Vbroadcastsd => (64, 64),
            Vbroadcasti128 | Vbroadcastf128 | Vbroadcasti32x4 | Vbroadcastf32x4 => (32, 128),
            Vbroadcasti64x2 => (64, 128),
            Vbroadcasti32x8 => (32, 256),
            Vbroadcasti64x4 | Vbroadcastf64x4 => (64, 256),
            _ => return Ok(None),
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
    pub(super) fn inserts(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let (part, lane) = match insn.mnemonic() {
            Vextracti64x4 | Vextractf64x4 | Vinserti64x4 | Vinsertf64x4 => (256, 64),
            Vextracti32x8 | Vinserti32x8 => (256, 32),
            Vextracti64x2 | Vextractf64x2 | Vinserti64x2 | Vinsertf64x2 => (128, 64),
            Vextracti128 | Vextractf128 | Vextracti32x4 | Vextractf32x4 | Vinserti128
            | Vinsertf128 | Vinserti32x4 | Vinsertf32x4 => (128, 32),
            Pinsrb | Pinsrw | Pinsrd | Pinsrq | Vpinsrb | Vpinsrw | Vpinsrd | Vpinsrq => {
                let lane = lane(insn);
                let n = u32::from(immediate(insn)?) % (128 / lane);
                let first = first_source(insn);
                let whole = self.vector_operand(insn, first, 128)?;
                let part = self.operand(insn, first + 1, lane)?.extract(0, lane);
                return Ok(Some((lane, with_part(whole, n * lane, part))));
            }
            _ => return Ok(None),
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
    pub(super) fn transfers(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match insn.mnemonic() {
            Movq | Vmovq | Movd | Vmovd => self.move_low(insn)?,
            Movsd | Vmovsd => self.move_scalar(insn, 64)?,
            Movss | Vmovss => self.move_scalar(insn, 32)?,
            Movlps | Movlpd | Vmovlps | Vmovlpd => self.move_half(insn, 0)?,
            Movhps | Movhpd | Vmovhps | Vmovhpd => self.move_half(insn, 64)?,
            Pextrb | Pextrw | Pextrd | Pextrq | Vpextrb | Vpextrw | Vpextrd | Vpextrq => {
                let lane = lane(insn);
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
    fn move_low(&mut self, insn: &Instruction) -> Result<(), Unmodelled> {
        let lane = lane(insn);
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
    fn move_scalar(&mut self, insn: &Instruction, lane: u32) -> Result<(), Unmodelled> {
        if insn.has_op_mask() || !insn.op_register(0).is_xmm() && !insn.op_register(1).is_xmm() {
            return Err(unmodelled(insn));
        }
        if insn.op0_kind() == OpKind::Memory {
            let value = self.register(insn.op1_register()).extract(0, lane);
            return self.store(insn, value);
        }
        let value = match insn.op1_kind() {
            OpKind::Memory => self.load(insn, 0, lane / 8)?.resize(128),
            _ => {
                let (rest, low) = self.sources(insn)?;
                with_part(rest, 0, low.extract(0, lane))
            }
        };
        self.set_vector_operand(insn, value, lane)
    }

    /// Moves the 64 bits from `lo` on, to or from memory.
    fn move_half(&mut self, insn: &Instruction, lo: u32) -> Result<(), Unmodelled> {
        if insn.op0_kind() == OpKind::Memory {
            let value = self.register(insn.op1_register()).extract(lo, 64);
            return self.store(insn, value);
        }
        let first = first_source(insn);
        if insn.op_kind(first + 1) != OpKind::Memory {
            return Err(unmodelled(insn));
        }
        let rest = self.vector_operand(insn, first, 128)?;
        let value = with_part(rest, lo, self.load(insn, 0, 8)?);
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
