//! Instructions on general registers.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use outflank_kernels::Isa;

use super::flags::Flags;
use super::{Machine, Next, Unmodelled, unmodelled};
use crate::term::{Shift, Term, bit, concat, number, odd, unknown, zeros};

impl Machine {
    /// Carries out an instruction on general registers; `None` if it is none.
    pub(super) fn integer(&mut self, one: &Instruction) -> Result<Option<Next>, Unmodelled> {
        if let Some(next) = self.transfer(one)? {
            return Ok(Some(next));
        }
        let done = self.arithmetic(one)?
            || self.shift(one)?
            || self.single_bits(one)?
            || self.moves(one)?;
        Ok(done.then_some(Next::On))
    }

    /// Jumps, calls and the stack.
    fn transfer(&mut self, one: &Instruction) -> Result<Option<Next>, Unmodelled> {
        use Mnemonic::*;
        Ok(Some(match one.mnemonic() {
            Nop | Endbr64 | Sfence => Next::On,
            Jmp => Next::To(self.target(one)?),
            Call => {
                let target = self.target(one)?;
                self.push(one, number(one.next_ip(), 64))?;
                Next::To(target)
            }
            Ret if one.op_count() == 0 => Next::To(self.pop(one)?),
            Push if one.stack_pointer_increment() == -8 => {
                let value = self.operand(one, 0, 64)?;
                self.push(one, value)?;
                Next::On
            }
            Pop if one.stack_pointer_increment() == 8 => {
                let value = self.pop(one)?;
                self.set(one, 0, value)?;
                Next::On
            }
            Vzeroupper => {
                for register in &mut self.vector[..16] {
                    *register = register.extract(0, 128).resize(512);
                }
                Next::On
            }
            _ if one.is_jcc_short_or_near() => {
                let condition = self.flags.condition(one)?;
                match condition.value() {
                    None => Next::If(condition, one.near_branch_target()),
                    Some(value) if value.is_zero() => Next::On,
                    Some(_) => Next::To(number(one.near_branch_target(), 64)),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn target(&self, one: &Instruction) -> Result<Term, Unmodelled> {
        match one.op0_kind() {
            OpKind::NearBranch64 => Ok(number(one.near_branch_target(), 64)),
            _ => self.operand(one, 0, 64),
        }
    }

    fn push(&mut self, one: &Instruction, value: Term) -> Result<(), Unmodelled> {
        let top = self.register(Register::RSP).plus(-8);
        self.set_general(Register::RSP, top);
        self.store_at(one, top, value)
    }

    fn pop(&mut self, one: &Instruction) -> Result<Term, Unmodelled> {
        let top = self.register(Register::RSP);
        let value = self.load_at(one, top, 8)?;
        self.set_general(Register::RSP, top.plus(8));
        Ok(value)
    }

    fn arithmetic(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
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

    fn shift(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
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
    fn single_bits(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
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
            // Older CPUs carry out tzcnt as bsf, and lzcnt as bsr.
            Bsf | Bsr | Tzcnt | Lzcnt => {
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
            }
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
                let kept = !crate::term::constant(crate::term::Wide::ones(width), width)
                    .shift(Shift::Left, by);
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
            // Of 16 bits, the manuals leave it undefined.
            Bswap if width > 16 => {
                let a = self.operand(one, 0, width)?;
                let bytes: Vec<Term> = a.lanes(8).collect();
                self.set(one, 0, concat(bytes.into_iter().rev()))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn moves(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let width = Machine::operand_width(one, 0);
        match one.mnemonic() {
            Mov => {
                let value = self.operand(one, 1, width)?;
                self.set(one, 0, value)?;
            }
            Movzx | Movsx | Movsxd => {
                let value = self.operand(one, 1, width)?;
                let value = match one.mnemonic() {
                    Movzx => value.resize(width),
                    _ => value.extend(width),
                };
                self.set(one, 0, value)?;
            }
            Xchg => {
                let (a, b) = (self.operand(one, 0, width)?, self.operand(one, 1, width)?);
                self.set(one, 0, b)?;
                self.set(one, 1, a)?;
            }
            Movbe => {
                let a = self.operand(one, 1, width)?;
                let bytes: Vec<Term> = a.lanes(8).collect();
                self.set(one, 0, concat(bytes.into_iter().rev()))?;
            }
            Seta | Setae | Setb | Setbe | Sete | Setne | Setg | Setge | Setl | Setle | Sets
            | Setns | Seto | Setno | Setp | Setnp => {
                let condition = self.flags.condition(one)?;
                self.set(one, 0, condition.resize(8))?;
            }
            Cmova | Cmovae | Cmovb | Cmovbe | Cmove | Cmovne | Cmovg | Cmovge | Cmovl | Cmovle
            | Cmovs | Cmovns | Cmovo | Cmovno | Cmovp | Cmovnp => {
                let condition = self.flags.condition(one)?;
                let (a, b) = (self.operand(one, 0, width)?, self.operand(one, 1, width)?);
                self.set(one, 0, condition.choose(b, a))?;
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
pub(crate) fn crc32c(state: Term, data: Term) -> Term {
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
