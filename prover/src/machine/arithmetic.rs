//! Arithmetic and logic on general registers.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::flags::Flags;
use super::{Machine, Unmodelled, unmodelled};
use crate::term::{Term, bit, concat, number, odd, zeros};

impl Machine {
    /// Sums, products and logic.
    pub(super) fn arithmetic(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let width = Machine::operand_width(one, 0);
        // The first two operands, where the instruction has them.
        let operands = |machine: &Machine| {
            Ok::<_, Unmodelled>((
                machine.operand(one, 0, width)?,
                machine.operand(one, 1, width)?,
            ))
        };
        let no_carry = bit(false);
        let carry = |machine: &Machine| {
            let carry = machine.flags.carry;
            carry.ok_or_else(|| Unmodelled::Flag(one.to_string()))
        };
        let is_general = |n| one.op_kind(n) != OpKind::Register || one.op_register(n).is_gpr();
        match one.mnemonic() {
            Add | Adc | Sub | Sbb | Cmp => {
                let (a, b) = operands(self)?;
                let carry = match one.mnemonic() {
                    Adc | Sbb => carry(self)?,
                    _ => no_carry,
                };
                let (result, flags) = match one.mnemonic() {
                    Add | Adc => Flags::of_sum(a, b, carry),
                    _ => Flags::of_difference(a, b, carry),
                };
                self.flags = flags;
                if one.mnemonic() != Cmp {
                    self.set(one, 0, result)?;
                }
            }
            Inc | Dec => {
                let a = self.operand(one, 0, width)?;
                let (result, flags) = match one.mnemonic() {
                    Inc => Flags::of_sum(a, number(1, width), no_carry),
                    _ => Flags::of_difference(a, number(1, width), no_carry),
                };
                self.flags = Flags {
                    carry: self.flags.carry,
                    ..flags
                };
                self.set(one, 0, result)?;
            }
            Neg => {
                let a = self.operand(one, 0, width)?;
                let (result, flags) = Flags::of_difference(zeros(width), a, no_carry);
                self.flags = flags;
                self.set(one, 0, result)?;
            }
            Not => {
                let a = self.operand(one, 0, width)?;
                self.set(one, 0, !a)?;
            }
            And | Or | Xor | Test => {
                let (a, b) = operands(self)?;
                let result = match one.mnemonic() {
                    And | Test => a & b,
                    Or => a | b,
                    _ => a ^ b,
                };
                self.flags = Flags::of_logic(result);
                if one.mnemonic() != Test {
                    self.set(one, 0, result)?;
                }
            }
            Andn => {
                let (a, b) = (self.operand(one, 1, width)?, self.operand(one, 2, width)?);
                let result = !a & b;
                self.flags = Flags {
                    parity: None,
                    ..Flags::of_logic(result)
                };
                self.set(one, 0, result)?;
            }
            Imul | Mul if one.op_count() == 1 => {
                let a = self.operand(one, 0, width)?;
                if width == 8 {
                    return Err(unmodelled(one));
                }
                let (low, high) = halves(width);
                let b = self.register(low);
                let wide = |term: Term| match one.mnemonic() {
                    Imul => term.extend(2 * width),
                    _ => term.resize(2 * width),
                };
                let product = wide(a) * wide(b);
                self.set_general(low, product.extract(0, width));
                self.set_general(high, product.extract(width, width));
                self.flags = Flags::default();
            }
            Imul => {
                let last = one.op_count() - 1;
                let (a, b) = (
                    self.operand(one, last - 1, width)?,
                    self.operand(one, last, width)?,
                );
                self.flags = Flags::default();
                self.set(one, 0, a * b)?;
            }
            Mulx => {
                let (a, b) = (self.operand(one, 2, width)?, self.register(halves(width).1));
                let product = a.resize(2 * width) * b.resize(2 * width);
                self.set(one, 1, product.extract(0, width))?;
                self.set(one, 0, product.extract(width, width))?;
            }
            Lea => {
                let address = self.address(one)?;
                self.set(one, 0, address.extract(0, width))?;
            }
            Cdq | Cqo => {
                let (low, high) = halves(if one.mnemonic() == Cdq { 32 } else { 64 });
                let sign = self.register(low).sign();
                self.set_general(high, sign.extend(high.size() as u32 * 8));
            }
            Crc32 => {
                let (state, data) = (self.operand(one, 0, width)?, self.operand(one, 1, 0)?);
                let result = crc32c(state.extract(0, 32), data);
                self.set(one, 0, result.resize(width))?;
            }
            Popcnt if is_general(0) => {
                let result = self.operand(one, 1, width)?;
                let flags = Flags::of_logic(result);
                self.flags = Flags {
                    sign: Some(bit(false)),
                    parity: Some(bit(false)),
                    ..flags
                };
                self.set(one, 0, result.count())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The registers of a product of twice `width` bits, the lower half first.
fn halves(width: u32) -> (Register, Register) {
    match width {
        16 => (Register::AX, Register::DX),
        32 => (Register::EAX, Register::EDX),
        _ => (Register::RAX, Register::RDX),
    }
}

/// CRC32C of some bytes, lowest first, continuing from `state` (the reflected polynomial 0x82F63B78, nothing
/// inverted).
fn crc32c(state: Term, data: Term) -> Term {
    let width = data.width().max(32);
    let mut state: Vec<Term> = (state.resize(width) ^ data.resize(width)).bits().collect();
    for _ in 0..data.width() {
        let out = state.remove(0);
        state.push(bit(false));
        for i in (0..32).filter(|i| 0x82F6_3B78u32 >> i & 1 == 1) {
            state[i] = odd([state[i], out]);
        }
    }
    concat(state[..32].iter().copied())
}
