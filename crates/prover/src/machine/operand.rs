//! Operands of instructions: registers, memory, immediates.

use iced_x86::{EncodingKind, Instruction, OpKind, Register};

use super::{Machine, Modelled, Unmodelled, unmodelled};
use crate::term::{Term, Wide, concat, constant, number, zeros};

impl Machine {
    /// Address of the memory operand.
    pub(super) fn address(&self, insn: &Instruction) -> Modelled<Term> {
        if insn.segment_prefix() != Register::None {
            return Err(unmodelled(insn));
        }
        let displacement = number(insn.memory_displacement64(), 64);
        let base = match insn.memory_base() {
            Register::None | Register::RIP => None,
            base if base.is_gpr64() => Some(self.register(base)),
            _ => return Err(unmodelled(insn)),
        };
        let index = match insn.memory_index() {
            Register::None => None,
            index if index.is_gpr64() => {
                let scale = Wide::new(insn.memory_index_scale().into());
                Some(self.register(index).times(scale))
            }
            _ => return Err(unmodelled(insn)),
        };
        let parts = [base, index].into_iter().flatten();
        Ok(parts.fold(displacement, |sum, part| sum + part))
    }

    /// Loads `bytes` bytes from the start of the memory operand.
    pub(super) fn load(&self, insn: &Instruction, bytes: u32) -> Modelled<Term> {
        self.load_at(insn, self.address(insn)?, bytes)
    }

    pub(super) fn load_at(&self, insn: &Instruction, address: Term, bytes: u32) -> Modelled<Term> {
        let loaded = self.memory.load(address, bytes);
        loaded.map_err(|error| Unmodelled::Memory(insn.to_string(), error))
    }

    pub(super) fn store(&mut self, insn: &Instruction, value: Term) -> Modelled<()> {
        let address = self.address(insn)?;
        self.store_at(insn, address, value)
    }

    pub(super) fn store_at(
        &mut self,
        insn: &Instruction,
        address: Term,
        value: Term,
    ) -> Modelled<()> {
        let stored = self.memory.store(address, value);
        stored.map_err(|error| Unmodelled::Memory(insn.to_string(), error))
    }

    /// Width in bits of a register or memory operand; 64 for an immediate.
    pub(super) fn operand_width(insn: &Instruction, n: u32) -> u32 {
        match insn.op_kind(n) {
            OpKind::Register => insn.op_register(n).size() as u32 * 8,
            OpKind::Memory => insn.memory_size().size() as u32 * 8,
            _ => 64,
        }
    }

    /// Operand `n` of an instruction on general registers; an immediate is cut to `width` bits.
    pub(super) fn operand(&self, insn: &Instruction, n: u32, width: u32) -> Modelled<Term> {
        match insn.op_kind(n) {
            OpKind::Register if insn.op_register(n).is_gpr() => {
                Ok(self.register(insn.op_register(n)))
            }
            OpKind::Memory => self.load(insn, insn.memory_size().size() as u32),
            _ => {
                let immediate = insn.try_immediate(n).map_err(|_| unmodelled(insn))?;
                Ok(number(immediate, 64).extract(0, width))
            }
        }
    }

    /// Several operands of an instruction on general registers; immediates are as wide as the first operand.
    pub(super) fn operands<const N: usize>(
        &self,
        insn: &Instruction,
        indices: [u32; N],
    ) -> Modelled<[Term; N]> {
        let width = Machine::operand_width(insn, 0);
        let operands = indices.iter().map(|&n| self.operand(insn, n, width));
        let operands: Modelled<Vec<Term>> = operands.collect();
        Ok(operands?.try_into().expect("as many as indices"))
    }

    /// Sets operand `n`, a general register or memory.
    pub(super) fn set(&mut self, insn: &Instruction, n: u32, value: Term) -> Modelled<()> {
        match insn.op_kind(n) {
            OpKind::Register if insn.op_register(n).is_gpr() => {
                self.set_general(insn.op_register(n), value);
                Ok(())
            }
            OpKind::Memory => self.store(insn, value),
            _ => Err(unmodelled(insn)),
        }
    }

    /// The lowest `width` bits of vector operand `n`; an element broadcast from memory is repeated.
    pub(super) fn vector_operand(&self, insn: &Instruction, n: u32, width: u32) -> Modelled<Term> {
        match insn.op_kind(n) {
            OpKind::Register if insn.op_register(n).is_vector_register() => {
                Ok(self.vector[insn.op_register(n).number()].extract(0, width))
            }
            OpKind::Memory if insn.is_broadcast() => {
                let size = insn.memory_size().element_size() as u32;
                let element = self.load(insn, size)?;
                Ok(concat((0..width / 8 / size).map(|_| element)))
            }
            OpKind::Memory => self.load(insn, width / 8),
            _ => Err(unmodelled(insn)),
        }
    }

    /// Writes a result to the first operand, a vector register or memory.
    ///
    /// Lanes that the mask register does not select keep their values or become 0. Instructions from before AVX keep
    /// the rest of the register.
    pub(super) fn set_vector_operand(
        &mut self,
        insn: &Instruction,
        value: Term,
        lane: u32,
    ) -> Modelled<()> {
        let (register, width) = (insn.op0_register(), value.width());
        let is_register = insn.op_kind(0) == OpKind::Register;
        let value = match insn.op_mask() {
            Register::None => value,
            mask => {
                let kept = match (insn.zeroing_masking(), is_register) {
                    (true, _) => zeros(width),
                    (false, true) => self.vector[register.number()].extract(0, width),
                    (false, false) => self.load(insn, width / 8)?,
                };
                let lanes = value.lanes(lane).zip(kept.lanes(lane));
                let lanes = lanes.zip(self.mask[mask.number()].bits());
                concat(lanes.map(|((value, kept), bit)| bit.choose(value, kept)))
            }
        };
        if !is_register {
            return self.store(insn, value);
        }
        if is_legacy(insn) {
            let rest = self.vector[register.number()].extract(width, 512 - width);
            self.vector[register.number()] = concat([value, rest]);
        } else {
            self.set_vector(register, value);
        }
        Ok(())
    }

    /// Mask of the lanes that an instruction works on, out of `count` lanes.
    pub(super) fn active(&self, insn: &Instruction, count: u32) -> Term {
        match insn.op_mask() {
            Register::None => constant(Wide::ones(count), count),
            mask => self.mask[mask.number()].extract(0, count),
        }
    }
}

/// Returns `true` for an encoding from before AVX.
pub(super) fn is_legacy(insn: &Instruction) -> bool {
    insn.code().op_code().encoding() == EncodingKind::Legacy
}
