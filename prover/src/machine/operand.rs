//! What instructions read and write: registers, memory, numbers.

use iced_x86::{Instruction, MemorySize, OpKind, Register};

use super::{Machine, Unmodelled, unmodelled};
use crate::term::{Term, Wide, concat, constant, number, zeros};

impl Machine {
    /// The address of the memory operand.
    pub(super) fn address(&self, one: &Instruction) -> Result<Term, Unmodelled> {
        if one.segment_prefix() != Register::None {
            return Err(unmodelled(one));
        }
        let displacement = number(one.memory_displacement64(), 64);
        let base = match one.memory_base() {
            Register::None | Register::RIP => None,
            base if base.is_gpr64() => Some(self.register(base)),
            _ => return Err(unmodelled(one)),
        };
        let index = match one.memory_index() {
            Register::None => None,
            index if index.is_gpr64() => {
                let scale = Wide::new(one.memory_index_scale().into());
                Some(self.register(index).times(scale))
            }
            _ => return Err(unmodelled(one)),
        };
        let parts = [base, index].into_iter().flatten();
        Ok(parts.fold(displacement, |sum, part| sum + part))
    }

    /// So many bytes of memory, at the memory operand and `offset` bytes on.
    pub(super) fn load(
        &self,
        one: &Instruction,
        offset: u32,
        bytes: u32,
    ) -> Result<Term, Unmodelled> {
        let address = self.address(one)?.plus(offset.into());
        self.load_at(one, address, bytes)
    }

    pub(super) fn load_at(
        &self,
        one: &Instruction,
        address: Term,
        bytes: u32,
    ) -> Result<Term, Unmodelled> {
        let loaded = self.memory.load(address, bytes);
        loaded.map_err(|error| Unmodelled::Memory(one.to_string(), error))
    }

    pub(super) fn store(&mut self, one: &Instruction, value: Term) -> Result<(), Unmodelled> {
        let address = self.address(one)?;
        self.store_at(one, address, value)
    }

    pub(super) fn store_at(
        &mut self,
        one: &Instruction,
        address: Term,
        value: Term,
    ) -> Result<(), Unmodelled> {
        let stored = self.memory.store(address, value);
        stored.map_err(|error| Unmodelled::Memory(one.to_string(), error))
    }

    /// The number of bits of an operand: of a register, or of what lies in memory.
    pub(super) fn operand_width(one: &Instruction, n: u32) -> u32 {
        match one.op_kind(n) {
            OpKind::Register => one.op_register(n).size() as u32 * 8,
            OpKind::Memory => one.memory_size().size() as u32 * 8,
            _ => 64,
        }
    }

    /// Operand `n` of an instruction on general registers, in `width` bits if it is a number.
    pub(super) fn operand(
        &self,
        one: &Instruction,
        n: u32,
        width: u32,
    ) -> Result<Term, Unmodelled> {
        match one.op_kind(n) {
            OpKind::Register if one.op_register(n).is_gpr() => {
                Ok(self.register(one.op_register(n)))
            }
            OpKind::Memory => self.load(one, 0, one.memory_size().size() as u32),
            OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => Ok(number(one.immediate(n), 64).extract(0, width)),
            _ => Err(unmodelled(one)),
        }
    }

    /// Sets operand `n` of an instruction on general registers.
    pub(super) fn set(&mut self, one: &Instruction, n: u32, value: Term) -> Result<(), Unmodelled> {
        match one.op_kind(n) {
            OpKind::Register if one.op_register(n).is_gpr() => {
                self.set_general(one.op_register(n), value);
                Ok(())
            }
            OpKind::Memory => self.store(one, value),
            _ => Err(unmodelled(one)),
        }
    }

    /// Operand `n`, a vector of `width` bits or the part of one; one element in memory may stand for all.
    pub(super) fn vector_operand(
        &self,
        one: &Instruction,
        n: u32,
        width: u32,
    ) -> Result<Term, Unmodelled> {
        match one.op_kind(n) {
            OpKind::Register if one.op_register(n).is_vector_register() => {
                Ok(self.vector[one.op_register(n).number()].extract(0, width))
            }
            OpKind::Memory if one.is_broadcast() => {
                let size = element_size(one.memory_size());
                let element = self.load(one, 0, size)?;
                Ok(concat((0..width / 8 / size).map(|_| element)))
            }
            OpKind::Memory => self.load(one, 0, width / 8),
            _ => Err(unmodelled(one)),
        }
    }

    /// Puts a result into the first operand, a vector register or memory. Lanes that the mask register leaves
    /// out stay as they are, or become 0. Before AVX the rest of the register stayed, too.
    pub(super) fn set_vector_operand(
        &mut self,
        one: &Instruction,
        value: Term,
        lane: u32,
    ) -> Result<(), Unmodelled> {
        let is_register = one.op_kind(0) == OpKind::Register;
        let value = match one.op_mask() {
            Register::None => value,
            mask => {
                let kept = match (one.zeroing_masking(), is_register) {
                    (true, _) => zeros(value.width()),
                    (false, true) => {
                        self.vector[one.op0_register().number()].extract(0, value.width())
                    }
                    (false, false) => self.load(one, 0, value.width() / 8)?,
                };
                let bits = self.mask[mask.number()].bits();
                let lanes = value.lanes(lane).zip(kept.lanes(lane)).zip(bits);
                concat(
                    lanes
                        .map(|((value, kept), bit)| bit.choose(value, kept))
                        .collect::<Vec<_>>(),
                )
            }
        };
        if !is_register {
            return self.store(one, value);
        }
        let register = one.op0_register();
        if is_legacy(one) {
            let number = register.number();
            let rest = self.vector[number].extract(128, 384);
            let width = value.width();
            let value = match width {
                128 => value,
                _ => concat([value, self.vector[number].extract(width, 128 - width)]),
            };
            self.vector[number] = concat([value, rest]);
        } else {
            self.set_vector(register, value);
        }
        Ok(())
    }

    /// The bits of a mask of `count` lanes that an instruction is carried out for.
    pub(super) fn active(&self, one: &Instruction, count: u32) -> Term {
        match one.op_mask() {
            Register::None => constant(Wide::ones(count), count),
            mask => self.mask[mask.number()].extract(0, count),
        }
    }
}

/// Whether the encoding is one from before AVX.
pub(super) fn is_legacy(one: &Instruction) -> bool {
    use iced_x86::EncodingKind;
    one.code().op_code().encoding() == EncodingKind::Legacy
}

/// The bytes of an element of what lies in memory.
fn element_size(size: MemorySize) -> u32 {
    size.element_size() as u32
}
