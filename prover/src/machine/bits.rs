//! Bits of general registers: shifted, found, tested, gathered.

use iced_x86::{Instruction, Mnemonic, OpKind};
use outflank_kernels::Isa;

use super::flags::Flags;
use super::{Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Term, Wide, bit, concat, constant, number, unknown, zeros};

impl Machine {
    /// Shifts and rotations.
    pub(super) fn shift(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let width = Machine::operand_width(one, 0);
        // Distances count up to the width only.
        let distance = |by: Term| by.extract(0, if width == 64 { 6 } else { 5 });
        match one.mnemonic() {
            Shl | Sal | Shr | Sar => {
                let a = self.operand(one, 0, width)?;
                let by = distance(self.operand(one, 1, 8)?);
                let (shift, out) = match one.mnemonic() {
                    Shr => (Shift::Right, concat([bit(false), a])),
                    Sar => (Shift::SignedRight, concat([bit(false), a])),
                    _ => (Shift::Left, concat([a, bit(false)])),
                };
                // With one bit more, where what is shifted out last remains.
                let shifted = out.shift(shift, by.resize(width + 1));
                let (result, carry) = match shift {
                    Shift::Left => (shifted.extract(0, width), shifted.sign()),
                    _ => (shifted.extract(1, width), shifted.bit(0)),
                };
                // Where shl and shr leave nothing of a number of 8 or 16 bits, the manuals leave it undefined.
                let is_defined = width >= 32
                    || shift == Shift::SignedRight
                    || by.number().is_some_and(|by| by < width.into());
                let flags = Flags {
                    carry: is_defined.then_some(carry),
                    ..Flags::of_result(result)
                };
                self.set_flags_unless_zero(by, flags);
                self.set(one, 0, result)?;
            }
            Rol | Ror | Rorx => {
                let (source, by) = match one.mnemonic() {
                    Rorx => (1, 2),
                    _ => (0, 1),
                };
                let a = self.operand(one, source, width)?;
                let by = distance(self.operand(one, by, 8)?);
                let Some(by) = by.number() else {
                    return Err(unmodelled(one));
                };
                let by = by as u32 % width;
                let left = if one.mnemonic() == Rol {
                    by
                } else {
                    (width - by) % width
                };
                let result = match left {
                    0 => a,
                    left => concat([a.extract(width - left, left), a.extract(0, width - left)]),
                };
                if one.mnemonic() != Rorx {
                    // Carry and overflow change, the others do not.
                    self.flags.carry = None;
                    self.flags.overflow = None;
                }
                self.set(one, 0, result)?;
            }
            Shld | Shrd => {
                let (a, b) = (self.operand(one, 0, width)?, self.operand(one, 1, width)?);
                let Some(by) = distance(self.operand(one, 2, 8)?).number() else {
                    return Err(unmodelled(one));
                };
                let by = by as u32;
                if by == 0 || by >= width {
                    return Err(unmodelled(one));
                }
                let result = match one.mnemonic() {
                    Shld => concat([b.extract(width - by, by), a.extract(0, width - by)]),
                    _ => concat([a.extract(by, width - by), b.extract(0, by)]),
                };
                self.flags = Flags::of_result(result);
                self.set(one, 0, result)?;
            }
            Shlx | Shrx | Sarx => {
                let a = self.operand(one, 1, width)?;
                let by = distance(self.operand(one, 2, width)?);
                let shift = match one.mnemonic() {
                    Shlx => Shift::Left,
                    Shrx => Shift::Right,
                    _ => Shift::SignedRight,
                };
                self.set(one, 0, a.shift(shift, by.resize(width)))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Flags that stay as they were where a shift goes nowhere.
    fn set_flags_unless_zero(&mut self, by: Term, new: Flags) {
        let is_zero = by.equals(zeros(by.width()));
        let old = self.flags.clone();
        let either = |old: Option<Term>, new: Option<Term>| match is_zero.value() {
            Some(value) if value.is_zero() => new,
            Some(_) => old,
            None => Some(is_zero.choose(old?, new?)),
        };
        self.flags = Flags {
            carry: either(old.carry, new.carry),
            zero: either(old.zero, new.zero),
            sign: either(old.sign, new.sign),
            overflow: either(old.overflow, new.overflow),
            parity: either(old.parity, new.parity),
        };
    }

    /// Instructions on single bits: to find, test and change them, and to gather and scatter them.
    pub(super) fn single_bits(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let width = Machine::operand_width(one, 0);
        match one.mnemonic() {
            Bt | Bts | Btr | Btc => {
                if one.op0_kind() != OpKind::Register {
                    return Err(unmodelled(one));
                }
                let a = self.operand(one, 0, width)?;
                let by = self
                    .operand(one, 1, width)?
                    .extract(0, width.ilog2())
                    .resize(width);
                let place = number(1, width).shift(Shift::Left, by);
                self.flags = Flags {
                    carry: Some(a.shift(Shift::Right, by).bit(0)),
                    zero: self.flags.zero,
                    ..Flags::default()
                };
                match one.mnemonic() {
                    Bts => self.set(one, 0, a | place)?,
                    Btr => self.set(one, 0, a & !place)?,
                    Btc => self.set(one, 0, a ^ place)?,
                    _ => (),
                }
            }
            Bsf | Bsr | Tzcnt | Lzcnt => self.find_bit(one, width)?,
            Blsr | Blsi | Blsmsk => {
                let a = self.operand(one, 1, width)?;
                let less = a.plus(-1);
                let is_zero = a.equals(zeros(width));
                let (result, carry) = match one.mnemonic() {
                    Blsr => (a & less, is_zero),
                    Blsi => (a & -a, !is_zero),
                    _ => (a ^ less, is_zero),
                };
                let flags = Flags::of_logic(result);
                self.flags = Flags {
                    carry: Some(carry),
                    parity: None,
                    ..flags
                };
                self.set(one, 0, result)?;
            }
            Bzhi => {
                let (a, by) = (self.operand(one, 1, width)?, self.operand(one, 2, width)?);
                let by = by.extract(0, 8);
                let kept = !constant(Wide::ones(width), width).shift(Shift::Left, by);
                let result = a & kept;
                let is_far = !by.below(number(width.into(), 8));
                let flags = Flags::of_logic(result);
                self.flags = Flags {
                    carry: Some(is_far),
                    parity: None,
                    ..flags
                };
                self.set(one, 0, result)?;
            }
            Pext | Pdep => {
                let (a, mask) = (self.operand(one, 1, width)?, self.operand(one, 2, width)?);
                let Some(mask) = mask.number() else {
                    return Err(unmodelled(one));
                };
                let places = (0..width).filter(|i| mask >> i & 1 == 1);
                let result = match one.mnemonic() {
                    Pext => {
                        concat(places.map(|i| a.bit(i)).chain([zeros(width)])).extract(0, width)
                    }
                    _ => {
                        let mut next = 0;
                        concat((0..width).map(|i| {
                            if mask >> i & 1 == 0 {
                                return bit(false);
                            }
                            next += 1;
                            a.bit(next - 1)
                        }))
                    }
                };
                self.set(one, 0, result)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The lowest or the highest bit that is set. Older CPUs carry out tzcnt as bsf, and lzcnt as bsr.
    fn find_bit(&mut self, one: &Instruction, width: u32) -> Result<(), Unmodelled> {
        use Mnemonic::*;
        let a = self.operand(one, 1, width)?;
        let mut is_zero = a.equals(zeros(width));
        // A loop over bits comes here only while there are any.
        if self.path.contains(&!is_zero) {
            is_zero = bit(false);
        }
        let counts = matches!(one.mnemonic(), Tzcnt | Lzcnt);
        let certain = counts && self.isa >= Isa::V3;
        let result = match one.mnemonic() {
            Bsf | Tzcnt => a.trailing_zeros(),
            Lzcnt if certain => a.leading_zeros(),
            Lzcnt => return Err(unmodelled(one)),
            _ => number(u64::from(width) - 1, width) - a.leading_zeros(),
        };
        let result = match (certain, counts) {
            (true, _) => result,
            // Whether the higher half of the register is cleared is not certain, either.
            (false, _) if width == 32 => is_zero.choose(unknown(64), result.resize(64)),
            (false, _) if width == 16 => is_zero.choose(unknown(width), result),
            // The manuals of AMD, and by now those of Intel, say that bsf and bsr leave their target as it
            // is; compilers put the answer for 0 there.
            (false, false) => is_zero.choose(self.operand(one, 0, width)?, result),
            (false, true) => {
                let same = self.operand(one, 0, width)?.number() == Some(width.into());
                let for_zero = if same {
                    number(width.into(), width)
                } else {
                    unknown(width)
                };
                is_zero.choose(for_zero, result)
            }
        };
        self.flags = match (counts, certain) {
            (true, true) => Flags {
                carry: Some(is_zero),
                zero: Some(result.equals(zeros(width))),
                ..Flags::default()
            },
            (true, false) => Flags::default(),
            (false, _) => Flags {
                zero: Some(is_zero),
                ..Flags::default()
            },
        };
        let register = match result.width() {
            64 => one.op0_register().full_register(),
            _ => one.op0_register(),
        };
        self.set_general(register, result);
        Ok(())
    }
}
