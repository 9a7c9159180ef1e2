//! Arithmetic and logic on general registers.

use iced_x86::{Instruction, Mnemonic, Register};

use super::flags::{Flag, Flags};
use super::{Machine, Modelled, Unmodelled, unmodelled};
use crate::term::{Term, bit, concat, number, xor_all, zeros};

impl Machine {
    /// Sums, products and logic.
    pub(super) fn arithmetic(&mut self, insn: &Instruction) -> Modelled<bool> {
        use Mnemonic::*;
        let width = Machine::operand_width(insn, 0);
        let no_carry = bit(false);
        let (result, flags) = match insn.mnemonic() {
            Add | Adc | Sub | Sbb | Cmp => {
                let [a, b] = self.operands(insn, [0, 1])?;
                let carry = match insn.mnemonic() {
                    Adc | Sbb => self.flags[Flag::Carry],
                    _ => Some(no_carry),
                };
                let carry = carry.ok_or_else(|| Unmodelled::Flag(insn.to_string()))?;
                match insn.mnemonic() {
                    Add | Adc => Flags::of_sum(a, b, carry),
                    _ => Flags::of_difference(a, b, carry),
                }
            }
            Inc | Dec => {
                let [a] = self.operands(insn, [0])?;
                let (result, flags) = match insn.mnemonic() {
                    Inc => Flags::of_sum(a, number(1, width), no_carry),
                    _ => Flags::of_difference(a, number(1, width), no_carry),
                };
                (result, flags.with(Flag::Carry, self.flags[Flag::Carry]))
            }
            Neg => {
                let [a] = self.operands(insn, [0])?;
                Flags::of_difference(zeros(width), a, no_carry)
            }
            Not => {
                let [a] = self.operands(insn, [0])?;
                (!a, self.flags)
            }
            And | Or | Xor | Test => {
                let [a, b] = self.operands(insn, [0, 1])?;
                let result = match insn.mnemonic() {
                    And | Test => a & b,
                    Or => a | b,
                    _ => a ^ b,
                };
                (result, Flags::of_logic(result))
            }
            Andn => {
                let [a, b] = self.operands(insn, [1, 2])?;
                (!a & b, Flags::of_bit_operation(!a & b, no_carry))
            }
            Imul | Mul if insn.op_count() == 1 => {
                let [a] = self.operands(insn, [0])?;
                if width == 8 {
                    return Err(unmodelled(insn));
                }
                let (low, high) = product_registers(width);
                let b = self.register(low);
                let wide = |term: Term| match insn.mnemonic() {
                    Imul => term.extend(2 * width),
                    _ => term.resize(2 * width),
                };
                let product = wide(a) * wide(b);
                self.set_general(low, product.extract(0, width));
                self.set_general(high, product.extract(width, width));
                self.flags = Flags::default();
                return Ok(true);
            }
            Imul => {
                let last = insn.op_count() - 1;
                let [a, b] = self.operands(insn, [last - 1, last])?;
                (a * b, Flags::default())
            }
            Mulx => {
                let [a] = self.operands(insn, [2])?;
                let b = self.register(product_registers(width).1);
                let product = a.resize(2 * width) * b.resize(2 * width);
                self.set(insn, 1, product.extract(0, width))?;
                (product.extract(width, width), self.flags)
            }
            Lea => (self.address(insn)?.extract(0, width), self.flags),
            Cdq | Cqo => {
                let width = if insn.mnemonic() == Cdq { 32 } else { 64 };
                let (low, high) = product_registers(width);
                self.set_general(high, self.register(low).sign().extend(width));
                return Ok(true);
            }
            Crc32 => {
                let [state] = self.operands(insn, [0])?;
                let data = self.operand(insn, 1, 0)?;
                let result = crc32c(state.extract(0, 32), data);
                (result.resize(width), self.flags)
            }
            Popcnt => {
                let [a] = self.operands(insn, [1])?;
                (a.count(), Flags::of_test(no_carry, a.equals(zeros(width))))
            }
            _ => return Ok(false),
        };
        self.flags = flags;
        if !matches!(insn.mnemonic(), Cmp | Test) {
            self.set(insn, 0, result)?;
        }
        Ok(true)
    }
}

/// Registers of a product of `2 * width` bits, the lower half first.
fn product_registers(width: u32) -> (Register, Register) {
    match width {
        16 => (Register::AX, Register::DX),
        32 => (Register::EAX, Register::EDX),
        _ => (Register::RAX, Register::RDX),
    }
}

/// CRC32C of some bytes, the lowest first, continuing from `state`.
///
/// Reflected polynomial 0x82F63B78; neither `state` nor the result is inverted.
fn crc32c(state: Term, data: Term) -> Term {
    let width = data.width().max(32);
    let mut state: Vec<Term> = (state.resize(width) ^ data.resize(width)).bits().collect();
    for _ in 0..data.width() {
        let out = state.remove(0);
        state.push(bit(false));
        for i in (0..32).filter(|i| 0x82F6_3B78u32 >> i & 1 == 1) {
            state[i] = xor_all([state[i], out]);
        }
    }
    concat(state[..32].iter().copied())
}
