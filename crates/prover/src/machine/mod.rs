//! An x86-64 processor whose registers and memory hold terms.
//!
//! [`Machine::step`] models one instruction. An instruction without a model is an error with its name, never a guess. A
//! result that the manuals leave undefined becomes an unknown value. The tests of this crate compare the models with
//! the CPU, instruction by instruction.

mod arithmetic;
mod bits;
mod cuts;
mod flags;
mod integer;
mod memory;
mod operand;
mod run;
mod state;
mod vector;

use std::rc::Rc;

use iced_x86::{Instruction, Register};
use outflank_kernels::Isa;

pub use cuts::Cuts;
pub use flags::{Flag, Flags};
pub use memory::{Array, Memory, MemoryError, Program, Target};
pub use run::{Paths, RETURN, Stop, called};
pub use state::Location;
pub(crate) use vector::compressed;

use crate::term::{Term, concat, unknown, zeros};

/// State of the processor and of its memory.
#[derive(Clone)]
pub struct Machine {
    /// General registers, by their numbers in machine code: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
    pub general: [Term; 16],
    /// Vector registers, 512 bits each.
    pub vector: [Term; 32],
    /// Mask registers, 64 bits each.
    pub mask: [Term; 8],
    /// Arithmetic flags.
    pub flags: Flags,
    /// Memory that the code may read and write.
    pub memory: Memory,
    /// Path condition: the conjunction of these bits.
    pub path: Vec<Term>,
    /// Addresses of the conditional jumps on the path, each with `true` if it was taken.
    pub jumps: Vec<(u64, bool)>,
    /// Level that the code was compiled for; the code must be right on every CPU that has this level.
    pub isa: Isa,
    /// Terms that variables replace in registers.
    pub cuts: Rc<Cuts>,
}

/// Reason why an instruction cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unmodelled {
    /// The instruction has no model, or none for such operands.
    #[error("the instruction {0} is not modelled")]
    Instruction(String),
    /// The instruction accesses memory that is not known.
    #[error("{0}: {1}")]
    Memory(String, MemoryError),
    /// The instruction reads a flag that the manuals leave undefined.
    #[error("{0} depends on an undefined flag")]
    Flag(String),
}

/// Result of a model of an instruction.
pub(crate) type Modelled<T> = Result<T, Unmodelled>;

/// Location of the next instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The instruction after this one.
    Following,
    /// The instruction at this address.
    Jump(Term),
    /// The instruction at this address if the bit is set, else the following one.
    Branch(Term, u64),
}

impl Machine {
    /// A processor whose registers are unknown.
    pub fn new(isa: Isa, memory: Memory) -> Machine {
        Machine {
            general: std::array::from_fn(|_| unknown(64)),
            vector: std::array::from_fn(|_| unknown(512)),
            mask: std::array::from_fn(|_| unknown(64)),
            flags: Flags::default(),
            memory,
            path: Vec::new(),
            jumps: Vec::new(),
            isa,
            cuts: Rc::default(),
        }
    }

    /// Executes one instruction.
    pub fn step(&mut self, insn: &Instruction) -> Result<Next, Unmodelled> {
        // Instructions of MMX share their mnemonics with those on vectors.
        if (0..insn.op_count()).any(|n| insn.op_register(n).is_mm()) {
            return Err(unmodelled(insn));
        }
        if let Some(next) = self.integer(insn)? {
            return Ok(next);
        }
        match self.vector(insn)? {
            true => Ok(Next::Following),
            false => Err(unmodelled(insn)),
        }
    }

    /// Value of a register, in the register's width.
    pub fn register(&self, register: Register) -> Term {
        let width = register.size() as u32 * 8;
        if register.is_gpr() {
            let number = register.full_register().number();
            return match is_high_byte(register) {
                true => self.general[number].extract(8, 8),
                false => self.general[number].extract(0, width),
            };
        }
        if register.is_k() {
            return self.mask[register.number()];
        }
        assert!(register.is_vector_register(), "{register:?}");
        self.vector[register.number()].extract(0, width)
    }

    /// Sets a general register: a write of 32 bits clears the higher half, a narrower one keeps the rest.
    pub(crate) fn set_general(&mut self, register: Register, value: Term) {
        debug_assert_eq!(register.size() as u32 * 8, value.width());
        let number = register.full_register().number();
        if is_high_byte(register) {
            let old = self.general[number];
            self.general[number] = concat([old.extract(0, 8), value, old.extract(16, 48)]);
            return;
        }
        let width = value.width();
        self.general[number] = match width {
            32 | 64 => value.resize(64),
            _ => concat([value, self.general[number].extract(width, 64 - width)]),
        };
    }

    /// Sets the lowest 128 bits or more of a vector register and clears the bits above, as instructions since AVX do.
    pub(crate) fn set_vector(&mut self, register: Register, value: Term) {
        let width = value.width();
        self.vector[register.number()] = match width {
            512 => value,
            _ => concat([value, zeros(512 - width)]),
        };
    }
}

/// Returns `true` for AH, BH, CH and DH, the second bytes of general registers.
fn is_high_byte(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

fn unmodelled(insn: &Instruction) -> Unmodelled {
    Unmodelled::Instruction(insn.to_string())
}
