//! Between vectors, memory and general registers; broadcasts, parts put in and taken out.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{first_source, immediate};
use crate::machine::{Machine, Unmodelled, unmodelled};
use crate::term::{Term, concat};

impl Machine {
    pub(super) fn vector_moves(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Movdqa | Movdqu | Movups | Movaps | Movupd | Movapd | Movntdq | Lddqu | Vlddqu
            | Vmovdqa | Vmovdqu | Vmovups | Vmovaps | Vmovupd | Vmovapd | Vmovntdq | Vmovdqa32
            | Vmovdqa64 | Vmovdqu8 | Vmovdqu16 | Vmovdqu32 | Vmovdqu64 => {
                let lane = match one.mnemonic() {
                    Vmovdqu8 => 8,
                    Vmovdqu16 => 16,
                    Vmovdqa64 | Vmovdqu64 | Vmovupd | Vmovapd => 64,
                    _ => 32,
                };
                let value = self.last(one, 1)?;
                self.set_vector_operand(one, value, lane)?;
            }
            Movq | Vmovq | Movd | Vmovd => self.move_low(one)?,
            Movsd | Movss | Vmovsd | Vmovss => self.move_scalar(one)?,
            Movlps | Movlpd | Movhps | Movhpd | Vmovlps | Vmovlpd | Vmovhps | Vmovhpd => {
                self.move_half(one)?
            }
            Vpbroadcastb | Vpbroadcastw | Vpbroadcastd | Vpbroadcastq | Vbroadcastss
            | Vbroadcastsd | Movddup | Vmovddup => self.broadcast(one)?,
            Vbroadcasti128 | Vbroadcastf128 | Vbroadcasti32x4 | Vbroadcasti64x2
            | Vbroadcastf32x4 | Vbroadcasti32x8 | Vbroadcasti64x4 | Vbroadcastf64x4 => {
                let bytes = one.memory_size().size() as u32;
                let width = Machine::operand_width(one, 0);
                let lane = match one.mnemonic() {
                    Vbroadcasti64x2 | Vbroadcasti64x4 | Vbroadcastf64x4 => 64,
                    _ => 32,
                };
                let part = self.load(one, 0, bytes)?;
                let value = concat((0..width / 8 / bytes).map(|_| part));
                self.set_vector_operand(one, value, lane)?;
            }
            Vextracti128 | Vextractf128 | Vextracti32x4 | Vextractf32x4 | Vextracti64x2
            | Vextractf64x2 | Vextracti32x8 | Vextracti64x4 | Vextractf64x4 => {
                let (part, lane) = part_of_transfer(one.mnemonic());
                let source = self.register(one.op1_register());
                let n = u32::from(immediate(one)?) % (source.width() / part);
                self.set_vector_operand(one, source.extract(n * part, part), lane)?;
            }
            Vinserti128 | Vinsertf128 | Vinserti32x4 | Vinsertf32x4 | Vinserti64x2
            | Vinsertf64x2 | Vinserti32x8 | Vinserti64x4 | Vinsertf64x4 => {
                let (part, lane) = part_of_transfer(one.mnemonic());
                let whole = self.last(one, 1)?;
                let own = self.vector_operand(one, 2, part)?;
                let n = u32::from(immediate(one)?) % (whole.width() / part);
                let value = with_part(whole, n * part, own);
                self.set_vector_operand(one, value, lane)?;
            }
            Pextrb | Pextrw | Pextrd | Pextrq | Vpextrb | Vpextrw | Vpextrd | Vpextrq => {
                let lane = lane_of_transfer(one.mnemonic());
                let n = u32::from(immediate(one)?) % (128 / lane);
                let source = self.register(one.op1_register()).extract(0, 128);
                let value = source.extract(n * lane, lane);
                let width = match one.op0_kind() {
                    OpKind::Memory => lane,
                    _ => Machine::operand_width(one, 0),
                };
                self.set(one, 0, value.resize(width))?;
            }
            Pinsrb | Pinsrw | Pinsrd | Pinsrq | Vpinsrb | Vpinsrw | Vpinsrd | Vpinsrq => {
                let lane = lane_of_transfer(one.mnemonic());
                let n = u32::from(immediate(one)?) % (128 / lane);
                let first = first_source(one);
                let whole = self.vector_operand(one, first, 128)?;
                let own = self.operand(one, first + 1, lane)?.extract(0, lane);
                self.set_vector_operand(one, with_part(whole, n * lane, own), lane)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// To or from the lowest 32 or 64 bits of a vector; what lies above becomes 0.
    fn move_low(&mut self, one: &Instruction) -> Result<(), Unmodelled> {
        let lane = match one.mnemonic() {
            Mnemonic::Movq | Mnemonic::Vmovq => 64,
            _ => 32,
        };
        let is_vector =
            |n| one.op_kind(n) == OpKind::Register && one.op_register(n).is_vector_register();
        let value = match is_vector(1) {
            true => self.vector[one.op_register(1).number()].extract(0, lane),
            false => self.operand(one, 1, lane)?.extract(0, lane),
        };
        match is_vector(0) {
            true => self.set_vector_operand(one, value.resize(128), lane),
            false => self.set(one, 0, value),
        }
    }

    /// Of the lowest element only: from memory with zeros above, else the rest from the register before.
    fn move_scalar(&mut self, one: &Instruction) -> Result<(), Unmodelled> {
        let lane = match one.mnemonic() {
            Mnemonic::Movsd | Mnemonic::Vmovsd => 64,
            _ => 32,
        };
        if one.has_op_mask() || !one.op_register(0).is_xmm() && !one.op_register(1).is_xmm() {
            return Err(unmodelled(one));
        }
        if one.op0_kind() == OpKind::Memory {
            let value = self.register(one.op1_register()).extract(0, lane);
            return self.store(one, value);
        }
        if one.op1_kind() == OpKind::Memory {
            let value = self.load(one, 0, lane / 8)?.resize(128);
            return self.set_vector_operand(one, value, lane);
        }
        let first = first_source(one);
        let rest = self.vector_operand(one, first, 128)?;
        let low = self.vector_operand(one, first + 1, 128)?.extract(0, lane);
        self.set_vector_operand(one, with_part(rest, 0, low), lane)
    }

    /// Of the lower or higher 64 bits, to or from memory.
    fn move_half(&mut self, one: &Instruction) -> Result<(), Unmodelled> {
        use Mnemonic::*;
        let lo = match one.mnemonic() {
            Movlps | Movlpd | Vmovlps | Vmovlpd => 0,
            _ => 64,
        };
        if one.op0_kind() == OpKind::Memory {
            let value = self.register(one.op1_register()).extract(lo, 64);
            return self.store(one, value);
        }
        let first = first_source(one);
        if one.op_kind(first + 1) != OpKind::Memory {
            return Err(unmodelled(one));
        }
        let rest = self.vector_operand(one, first, 128)?;
        let value = with_part(rest, lo, self.load(one, 0, 8)?);
        self.set_vector_operand(one, value, 64)
    }

    /// One element in all places.
    fn broadcast(&mut self, one: &Instruction) -> Result<(), Unmodelled> {
        use Mnemonic::*;
        let lane = match one.mnemonic() {
            Vpbroadcastb => 8,
            Vpbroadcastw => 16,
            Vpbroadcastd | Vbroadcastss => 32,
            _ => 64,
        };
        let width = Machine::operand_width(one, 0);
        let is_general = one.op1_kind() == OpKind::Register && one.op1_register().is_gpr();
        if matches!(one.mnemonic(), Movddup | Vmovddup) && width != 128 {
            return Err(unmodelled(one));
        }
        let element = match is_general {
            true => self.register(one.op1_register()).extract(0, lane),
            false => self.vector_operand(one, 1, lane)?,
        };
        self.set_vector_operand(one, concat((0..width / lane).map(|_| element)), lane)
    }
}

/// The bits of an element moved between a vector and a general register.
fn lane_of_transfer(mnemonic: Mnemonic) -> u32 {
    use Mnemonic::*;
    match mnemonic {
        Pextrb | Pinsrb | Vpextrb | Vpinsrb => 8,
        Pextrw | Pinsrw | Vpextrw | Vpinsrw => 16,
        Pextrd | Pinsrd | Vpextrd | Vpinsrd => 32,
        _ => 64,
    }
}

/// The bits of a part that is put into a vector or taken out of it, and those of its elements.
fn part_of_transfer(mnemonic: Mnemonic) -> (u32, u32) {
    use Mnemonic::*;
    match mnemonic {
        Vextracti64x4 | Vextractf64x4 | Vinserti64x4 | Vinsertf64x4 => (256, 64),
        Vextracti32x8 | Vinserti32x8 => (256, 32),
        Vextracti64x2 | Vextractf64x2 | Vinserti64x2 | Vinsertf64x2 => (128, 64),
        _ => (128, 32),
    }
}

/// The vector with another part from bit `lo` on.
fn with_part(whole: Term, lo: u32, part: Term) -> Term {
    let end = lo + part.width();
    let below = (lo > 0).then(|| whole.extract(0, lo));
    let above = (end < whole.width()).then(|| whole.extract(end, whole.width() - end));
    concat([below, Some(part), above].into_iter().flatten())
}
