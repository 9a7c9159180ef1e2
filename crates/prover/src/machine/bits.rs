//! Instructions on bits of general registers: shifts, searches, tests, gathers.

use iced_x86::{Instruction, Mnemonic, OpKind};
use outflank_kernels::Isa;

use super::flags::{Flag, Flags};
use super::{Machine, Modelled, unmodelled};
use crate::term::{Shift, Term, Wide, bit, concat, constant, number, unknown, zeros};

impl Machine {
    /// Shifts and rotations.
    pub(super) fn shift(&mut self, insn: &Instruction) -> Modelled<bool> {
        use Mnemonic::*;
        let width = Machine::operand_width(insn, 0);
        // The CPU uses only the lowest bits of a distance.
        let distance = |by: Term| by.extract(0, if width == 64 { 6 } else { 5 });
        let constant_distance = |machine: &Machine, n| {
            let by = distance(machine.operand(insn, n, 8)?).number();
            by.map(|by| by as u32).ok_or_else(|| unmodelled(insn))
        };
        let (result, flags) = match insn.mnemonic() {
            Shl | Sal | Shr | Sar => {
                let [a] = self.operands(insn, [0])?;
                let by = distance(self.operand(insn, 1, 8)?);
                let (shift, wide) = match insn.mnemonic() {
                    Shr => (Shift::Right, concat([bit(false), a])),
                    Sar => (Shift::SignedRight, concat([bit(false), a])),
                    _ => (Shift::Left, concat([a, bit(false)])),
                };
                // The additional bit receives the last bit that is shifted out.
                let shifted = wide.shift(shift, by.resize(width + 1));
                let (result, carry) = match shift {
                    Shift::Left => (shifted.extract(0, width), shifted.sign()),
                    _ => (shifted.extract(1, width), shifted.bit(0)),
                };
                // The manuals leave the carry undefined where shl and shr shift out all of 8 or 16 bits.
                let is_defined = width >= 32
                    || shift == Shift::SignedRight
                    || by.number().is_some_and(|by| by < width.into());
                let carry = is_defined.then_some(carry);
                let flags = Flags::of_result(result).with(Flag::Carry, carry);
                (result, self.flags_unless_zero(by, flags))
            }
            Rol | Ror | Rorx => {
                let source = u32::from(insn.mnemonic() == Rorx);
                let [a] = self.operands(insn, [source])?;
                let by = constant_distance(self, source + 1)? % width;
                let left = match insn.mnemonic() {
                    Rol => by,
                    _ => (width - by) % width,
                };
                let result = match left {
                    0 => a,
                    left => concat([a.extract(width - left, left), a.extract(0, width - left)]),
                };
                let flags = match insn.mnemonic() {
                    Rorx => self.flags,
                    // Carry and overflow change, the others do not.
                    _ => self
                        .flags
                        .with(Flag::Carry, None)
                        .with(Flag::Overflow, None),
                };
                (result, flags)
            }
            Shld | Shrd => {
                let [a, b] = self.operands(insn, [0, 1])?;
                let by = constant_distance(self, 2)?;
                if by == 0 || by >= width {
                    return Err(unmodelled(insn));
                }
                let result = match insn.mnemonic() {
                    Shld => concat([b.extract(width - by, by), a.extract(0, width - by)]),
                    _ => concat([a.extract(by, width - by), b.extract(0, by)]),
                };
                (result, Flags::of_result(result))
            }
            Shlx | Shrx | Sarx => {
                let [a, by] = self.operands(insn, [1, 2])?;
                let shift = match insn.mnemonic() {
                    Shlx => Shift::Left,
                    Shrx => Shift::Right,
                    _ => Shift::SignedRight,
                };
                (a.shift(shift, distance(by).resize(width)), self.flags)
            }
            _ => return Ok(false),
        };
        self.flags = flags;
        self.set(insn, 0, result)?;
        Ok(true)
    }

    /// Flags after a shift with the flags `new`; a shift by zero leaves all flags unchanged.
    fn flags_unless_zero(&self, by: Term, new: Flags) -> Flags {
        let is_zero = by.equals(zeros(by.width()));
        Flags::from_fn(|flag| match (is_zero.value(), self.flags[flag]) {
            (Some(value), _) if value.is_zero() => new[flag],
            (Some(_), old) => old,
            (None, old) => Some(is_zero.choose(old?, new[flag]?)),
        })
    }

    /// Instructions on single bits: find, test, change, gather and scatter.
    pub(super) fn single_bits(&mut self, insn: &Instruction) -> Modelled<bool> {
        use Mnemonic::*;
        let width = Machine::operand_width(insn, 0);
        let (result, flags) = match insn.mnemonic() {
            Bt | Bts | Btr | Btc => {
                if insn.op0_kind() != OpKind::Register {
                    return Err(unmodelled(insn));
                }
                let [a, by] = self.operands(insn, [0, 1])?;
                let by = by.extract(0, width.ilog2()).resize(width);
                let mask = number(1, width).shift(Shift::Left, by);
                let flags = Flags::default()
                    .with(Flag::Carry, Some(a.shift(Shift::Right, by).bit(0)))
                    .with(Flag::Zero, self.flags[Flag::Zero]);
                match insn.mnemonic() {
                    Bts => (a | mask, flags),
                    Btr => (a & !mask, flags),
                    Btc => (a ^ mask, flags),
                    _ => (a, flags),
                }
            }
            Bsf | Bsr | Tzcnt | Lzcnt => {
                self.find_bit(insn, width)?;
                return Ok(true);
            }
            Blsr | Blsi | Blsmsk => {
                let [a] = self.operands(insn, [1])?;
                let less = a.plus(-1);
                let is_zero = a.equals(zeros(width));
                let (result, carry) = match insn.mnemonic() {
                    Blsr => (a & less, is_zero),
                    Blsi => (a & -a, !is_zero),
                    _ => (a ^ less, is_zero),
                };
                (result, Flags::of_bit_operation(result, carry))
            }
            Bzhi => {
                let [a, by] = self.operands(insn, [1, 2])?;
                let by = by.extract(0, 8);
                let kept = !constant(Wide::ones(width), width).shift(Shift::Left, by);
                let is_far = !by.below(number(width.into(), 8));
                (a & kept, Flags::of_bit_operation(a & kept, is_far))
            }
            Pext | Pdep => {
                let [a, mask] = self.operands(insn, [1, 2])?;
                let mask = mask.number().ok_or_else(|| unmodelled(insn))?;
                let is_set = |i: u32| mask >> i & 1 == 1;
                let result = match insn.mnemonic() {
                    Pext => {
                        let bits = (0..width).filter(|&i| is_set(i)).map(|i| a.bit(i));
                        concat(bits.chain([zeros(width)])).extract(0, width)
                    }
                    _ => {
                        let mut bits = a.bits();
                        concat((0..width).map(|i| match is_set(i) {
                            true => bits.next().expect("the operand has a bit for each"),
                            false => bit(false),
                        }))
                    }
                };
                (result, self.flags)
            }
            _ => return Ok(false),
        };
        self.flags = flags;
        if insn.mnemonic() != Bt {
            self.set(insn, 0, result)?;
        }
        Ok(true)
    }

    /// Finds the lowest or the highest set bit.
    ///
    /// CPUs below level v3 may execute tzcnt as bsf, and lzcnt as bsr.
    fn find_bit(&mut self, insn: &Instruction, width: u32) -> Modelled<()> {
        use Mnemonic::*;
        let [a] = self.operands(insn, [1])?;
        let mut is_zero = a.equals(zeros(width));
        // The path may exclude 0, as in a loop over the set bits.
        if self.path.contains(&!is_zero) {
            is_zero = bit(false);
        }
        let counts = matches!(insn.mnemonic(), Tzcnt | Lzcnt);
        let is_certain = counts && self.isa >= Isa::V3;
        let result = match insn.mnemonic() {
            Bsf | Tzcnt => a.trailing_zeros(),
            Lzcnt if is_certain => a.leading_zeros(),
            Lzcnt => return Err(unmodelled(insn)),
            _ => number(u64::from(width) - 1, width) - a.leading_zeros(),
        };
        let result = match (is_certain, counts) {
            (true, _) => result,
            // For 0, not even the higher half of the register is certain to be cleared.
            (false, _) if width == 32 => is_zero.choose(unknown(64), result.resize(64)),
            (false, _) if width == 16 => is_zero.choose(unknown(width), result),
            // For 0, bsf and bsr keep their target, by the manuals of AMD and the present ones of Intel. Compilers
            // put the answer for 0 there.
            (false, false) => is_zero.choose(self.operand(insn, 0, width)?, result),
            (false, true) => {
                let target = self.operand(insn, 0, width)?;
                // A target that holds the width is right for tzcnt and for bsf.
                let for_zero = match target.number() == Some(width.into()) {
                    true => target,
                    false => unknown(width),
                };
                is_zero.choose(for_zero, result)
            }
        };
        let zero = match counts {
            true => is_certain.then(|| result.equals(zeros(width))),
            false => Some(is_zero),
        };
        self.flags = Flags::default()
            .with(Flag::Carry, is_certain.then_some(is_zero))
            .with(Flag::Zero, zero);
        let register = match result.width() {
            64 => insn.op0_register().full_register(),
            _ => insn.op0_register(),
        };
        self.set_general(register, result);
        Ok(())
    }
}
