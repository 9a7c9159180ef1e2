//! An x86-64 processor whose registers and memory hold terms.
//!
//! [`Machine::step`] is the model of one instruction. What is not modelled is an error with its name,
//! never a guess; what the manuals leave undefined is a value of which nothing is known. The models are
//! compared with the CPU by the tests of this crate, instruction by instruction.

mod arithmetic;
mod bits;
mod flags;
mod integer;
mod memory;
mod operand;
mod run;
mod vector;

use iced_x86::{Instruction, Register};
use outflank_kernels::Isa;

pub use flags::Flags;
pub use memory::{Array, Memory, MemoryError, Program};
pub use run::{Limits, Stop, run};

use crate::term::{Term, zeros};

/// The state of the processor, and of the memory that it works on.
#[derive(Clone)]
pub struct Machine {
    /// General registers, by their numbers in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
    pub general: [Term; 16],
    /// The vector registers, 512 bits each.
    pub vector: [Term; 32],
    /// The mask registers, 64 bits each.
    pub mask: [Term; 8],
    /// The flags.
    pub flags: Flags,
    /// The memory.
    pub memory: Memory,
    /// What must hold, one bit each, for the processor to have come here.
    pub path: Vec<Term>,
    /// The addresses of the jumps that depend on a condition, and whether they were taken.
    pub jumps: Vec<(u64, bool)>,
    /// The level that the code was compiled for: CPUs with no more than that may run it, too.
    pub isa: Isa,
}

/// Why a proof cannot follow the code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unmodelled {
    /// An instruction that has no model, or not with such operands.
    #[error("the instruction {0} is not modelled")]
    Instruction(String),
    /// The memory that it needs is not known.
    #[error("{0}: {1}")]
    Memory(String, MemoryError),
    /// A flag that the manuals leave undefined decides.
    #[error("{0} depends on an undefined flag")]
    Flag(String),
}

/// Where the processor goes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// To the instruction behind it.
    On,
    /// To an address.
    To(Term),
    /// To an address, if the bit is set; else on.
    If(Term, u64),
}

impl Machine {
    /// A processor of which nothing is known, with empty memory.
    pub fn new(isa: Isa, memory: Memory) -> Machine {
        use crate::term::unknown;
        Machine {
            general: std::array::from_fn(|_| unknown(64)),
            vector: std::array::from_fn(|_| unknown(512)),
            mask: std::array::from_fn(|_| unknown(64)),
            flags: Flags::default(),
            memory,
            path: Vec::new(),
            jumps: Vec::new(),
            isa,
        }
    }

    /// Carries out one instruction.
    pub fn step(&mut self, one: &Instruction) -> Result<Next, Unmodelled> {
        // MMX: its instructions have the names of those on vectors.
        if (0..one.op_count()).any(|n| one.op_register(n).is_mm()) {
            return Err(unmodelled(one));
        }
        if let Some(next) = self.integer(one)? {
            return Ok(next);
        }
        match self.vector(one)? {
            true => Ok(Next::On),
            false => Err(unmodelled(one)),
        }
    }

    /// The register's value, in its own width.
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

    /// Sets a general register: one of 32 bits clears the higher half, a narrower one keeps the rest.
    pub(crate) fn set_general(&mut self, register: Register, value: Term) {
        use crate::term::concat;
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

    /// Sets a vector register of 128 bits or more and clears what lies above, as instructions since AVX do.
    pub(crate) fn set_vector(&mut self, register: Register, value: Term) {
        let width = value.width();
        self.vector[register.number()] = match width {
            512 => value,
            _ => crate::term::concat([value, zeros(512 - width)]),
        };
    }
}

/// Whether a register is the second byte of a general one.
fn is_high_byte(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

fn unmodelled(one: &Instruction) -> Unmodelled {
    Unmodelled::Instruction(one.to_string())
}
