//! Instructions on general registers: jumps, calls, the stack, and moves.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Machine, Modelled, Next};
use crate::term::{Term, concat, number};

impl Machine {
    /// Executes an instruction on general registers; `None` if it has no model here.
    pub(super) fn integer(&mut self, insn: &Instruction) -> Modelled<Option<Next>> {
        if let Some(next) = self.transfer(insn)? {
            return Ok(Some(next));
        }
        let done = self.arithmetic(insn)?
            || self.shift(insn)?
            || self.single_bits(insn)?
            || self.moves(insn)?;
        Ok(done.then_some(Next::Following))
    }

    /// Jumps, calls and the stack.
    fn transfer(&mut self, insn: &Instruction) -> Modelled<Option<Next>> {
        use Mnemonic::*;
        Ok(Some(match insn.mnemonic() {
            Nop | Endbr64 | Sfence => Next::Following,
            Jmp => Next::Jump(self.target(insn)?),
            Call => {
                let target = self.target(insn)?;
                self.push(insn, number(insn.next_ip(), 64))?;
                Next::Jump(target)
            }
            Ret if insn.op_count() == 0 => Next::Jump(self.pop(insn)?),
            Push if insn.stack_pointer_increment() == -8 => {
                let value = self.operand(insn, 0, 64)?;
                self.push(insn, value)?;
                Next::Following
            }
            Pop if insn.stack_pointer_increment() == 8 => {
                let value = self.pop(insn)?;
                self.set(insn, 0, value)?;
                Next::Following
            }
            Vzeroupper => {
                for register in &mut self.vector[..16] {
                    *register = register.extract(0, 128).resize(512);
                }
                Next::Following
            }
            _ if insn.is_jcc_short_or_near() => {
                let condition = self.flags.condition(insn)?;
                match condition.value() {
                    None => Next::Branch(condition, insn.near_branch_target()),
                    Some(value) if value.is_zero() => Next::Following,
                    Some(_) => Next::Jump(number(insn.near_branch_target(), 64)),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn target(&self, insn: &Instruction) -> Modelled<Term> {
        match insn.op0_kind() {
            OpKind::NearBranch64 => Ok(number(insn.near_branch_target(), 64)),
            _ => self.operand(insn, 0, 64),
        }
    }

    fn push(&mut self, insn: &Instruction, value: Term) -> Modelled<()> {
        let top = self.register(Register::RSP).plus(-8);
        self.set_general(Register::RSP, top);
        self.store_at(insn, top, value)
    }

    fn pop(&mut self, insn: &Instruction) -> Modelled<Term> {
        let top = self.register(Register::RSP);
        let value = self.load_at(insn, top, 8)?;
        self.set_general(Register::RSP, top.plus(8));
        Ok(value)
    }

    fn moves(&mut self, insn: &Instruction) -> Modelled<bool> {
        use Mnemonic::*;
        let width = Machine::operand_width(insn, 0);
        let value = match insn.mnemonic() {
            Mov => self.operand(insn, 1, width)?,
            Movzx => self.operand(insn, 1, width)?.resize(width),
            Movsx | Movsxd => self.operand(insn, 1, width)?.extend(width),
            Xchg => {
                let [a, b] = self.operands(insn, [0, 1])?;
                self.set(insn, 0, b)?;
                self.set(insn, 1, a)?;
                return Ok(true);
            }
            // The manuals leave bswap of 16 bits undefined.
            Movbe | Bswap if width > 16 || insn.mnemonic() == Movbe => {
                let a = self.operand(insn, insn.op_count() - 1, width)?;
                let bytes: Vec<Term> = a.lanes(8).collect();
                concat(bytes.into_iter().rev())
            }
            Seta | Setae | Setb | Setbe | Sete | Setne | Setg | Setge | Setl | Setle | Sets
            | Setns | Seto | Setno | Setp | Setnp => self.flags.condition(insn)?.resize(8),
            Cmova | Cmovae | Cmovb | Cmovbe | Cmove | Cmovne | Cmovg | Cmovge | Cmovl | Cmovle
            | Cmovs | Cmovns | Cmovo | Cmovno | Cmovp | Cmovnp => {
                let [a, b] = self.operands(insn, [0, 1])?;
                self.flags.condition(insn)?.choose(b, a)
            }
            _ => return Ok(false),
        };
        self.set(insn, 0, value)?;
        Ok(true)
    }
}
