//! Instructions on general registers: jumps, calls, the stack, and moves.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Machine, Next, Unmodelled};
use crate::term::{Term, concat, number};

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
            // Of 16 bits, the manuals leave bswap undefined.
            Movbe | Bswap if width > 16 || one.mnemonic() == Movbe => {
                let a = self.operand(one, one.op_count() - 1, width)?;
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
