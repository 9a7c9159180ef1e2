//! Execution of single instructions on this machine's CPU, with given registers and flags.

use std::mem::offset_of;

use iced_x86::{
    Code, ConditionCode, Encoder, IcedError, Instruction, InstructionInfoFactory, MemoryOperand,
    Register,
};
use memmap2::{Mmap, MmapMut};
use outflank_prover::machine::Flag;

/// Size in bytes of the memory that instructions may access.
const DATA: usize = 0x4000;

/// Offset in the data of the top of the stack; memory operands lie there or a few bytes beside it.
pub(crate) const MIDDLE: usize = DATA / 2;

/// Part of the data that is not 0 before an instruction.
pub(crate) const WINDOW: std::ops::Range<usize> = MIDDLE - 64..MIDDLE + 128;

/// Bit of a flag in the flags register.
pub(crate) fn flag_mask(flag: Flag) -> u64 {
    1 << match flag {
        Flag::Carry => 0,
        Flag::Parity => 2,
        Flag::Zero => 6,
        Flag::Sign => 7,
        Flag::Overflow => 11,
    }
}

/// Registers that instructions work on.
#[repr(C)]
#[derive(Clone, Default)]
pub(crate) struct Registers {
    /// General registers, by their numbers in machine code.
    pub(crate) general: [u64; 16],
    pub(crate) flags: u64,
    pub(crate) mask: [u64; 8],
    /// Vector registers, lowest word first.
    pub(crate) vector: [[u64; 8]; 32],
}

/// State before and after an instruction.
#[repr(C)]
#[derive(Default)]
pub(crate) struct State {
    pub(crate) before: Registers,
    pub(crate) after: Registers,
    /// Stack pointer of the caller.
    stack: u64,
    /// Address of the instruction's code.
    code: u64,
}

/// Widest vector registers of a CPU.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vectors {
    Xmm,
    Ymm,
    Zmm,
}

impl Vectors {
    pub(crate) fn of_this_cpu() -> Vectors {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            Vectors::Zmm
        } else if is_x86_feature_detected!("avx") {
            Vectors::Ymm
        } else {
            Vectors::Xmm
        }
    }

    /// Number of registers, and of words in each.
    pub(crate) fn extent(self) -> (usize, usize) {
        match self {
            Vectors::Xmm => (16, 2),
            Vectors::Ymm => (16, 4),
            Vectors::Zmm => (32, 8),
        }
    }
}

/// Instructions ready for execution.
pub(crate) struct Cpu {
    pub(crate) slots: Vec<Slot>,
    pub(crate) state: Box<State>,
    /// Addresses of the code that loads all registers.
    ///
    /// The index is the number of the register that holds the address of the state meanwhile.
    entries: [u64; 16],
    data: MmapMut,
    /// Memory of the code at the addresses in `slots` and `entries`.
    _code: Mmap,
}

pub(crate) struct Slot {
    /// The instruction, with the addresses of its copy.
    pub(crate) insn: Instruction,
    /// Registers that the instruction uses, as their widest forms.
    pub(crate) used: Vec<Register>,
    /// Number of an unused register, which holds the address of the state.
    pointer: usize,
    code: u64,
}

impl Cpu {
    /// Writes the code for some instructions.
    ///
    /// Operands relative to the instruction pointer are moved to the middle of the data.
    pub(crate) fn new(instructions: &[Instruction]) -> Cpu {
        let data = MmapMut::map_anon(DATA).expect("memory for the data");
        let size = 0x1_0000 + 32 * instructions.len();
        let mut code = MmapMut::map_anon(size).expect("memory for the code");
        let mut writer = Writer {
            encoder: Encoder::new(64),
            ip: code.as_ptr() as u64,
        };
        let vectors = Vectors::of_this_cpu();
        let (mut entries, mut exits) = ([0; 16], [0; 16]);
        for number in (0..16).filter(|&number| GENERAL[number] != Register::RSP) {
            entries[number] = writer.ip;
            enter(&mut writer, GENERAL[number], vectors);
            exits[number] = writer.ip;
            leave(&mut writer, GENERAL[number], vectors);
        }
        let middle = data.as_ptr() as u64 + MIDDLE as u64;
        let mut factory = InstructionInfoFactory::new();
        let slots = instructions.iter().map(|&insn| {
            let mut insn = insn;
            if insn.is_ip_rel_memory_operand() {
                insn.set_memory_displacement64(middle);
            }
            let used = factory.info(&insn).used_registers().iter();
            let used: Vec<Register> = used.map(|used| used.register().full_register()).collect();
            let is_free =
                |&number: &usize| entries[number] != 0 && !used.contains(&GENERAL[number]);
            // Start with r15, which is used least.
            let pointer = (0..16)
                .rev()
                .find(is_free)
                .expect("no instruction uses all");
            let slot = Slot {
                insn,
                used,
                pointer,
                code: writer.ip,
            };
            writer.add(Ok(insn));
            writer.add(Instruction::with_branch(Code::Jmp_rel32_64, exits[pointer]));
            slot
        });
        let slots = slots.collect();
        let bytes = writer.encoder.take_buffer();
        code[..bytes.len()].copy_from_slice(&bytes);
        Cpu {
            slots,
            entries,
            state: Box::default(),
            data,
            _code: code.make_exec().expect("executable memory"),
        }
    }

    /// Sets the registers and the middle of the data for instruction `n`, and points one register to the state.
    pub(crate) fn set(&mut self, n: usize, registers: &Registers, window: &[u8]) {
        self.state.before = registers.clone();
        self.state.before.general[self.slots[n].pointer] = &raw const *self.state as u64;
        self.data[WINDOW].copy_from_slice(window);
    }

    /// Address of the middle of the data.
    pub(crate) fn middle(&self) -> u64 {
        self.data.as_ptr() as u64 + MIDDLE as u64
    }

    /// Contents of [`WINDOW`].
    pub(crate) fn window(&self) -> &[u8] {
        &self.data[WINDOW]
    }

    /// Returns `true` if the data outside [`WINDOW`] is still all 0.
    pub(crate) fn is_clean(&self) -> bool {
        static CLEAN: [u8; DATA] = [0; DATA];
        let (below, above) = (&self.data[..WINDOW.start], &self.data[WINDOW.end..]);
        below == &CLEAN[..below.len()] && above == &CLEAN[..above.len()]
    }

    /// Executes instruction `n`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instruction. With the registers that were set, it must continue at the next instruction
    /// and access no memory but the data.
    pub(crate) unsafe fn run(&mut self, n: usize) {
        let slot = &self.slots[n];
        self.state.code = slot.code;
        let code = self.entries[slot.pointer] as *const ();
        // SAFETY: `enter` wrote the code at this address. It saves the registers that a callee must preserve, loads
        // all registers and jumps to the instruction. The jump behind the instruction leads to the code of `leave`,
        // which stores all registers, restores the saved ones and returns. The caller guarantees that the instruction
        // itself does no harm. It does not use the register that holds the address of the state.
        unsafe {
            let code: unsafe extern "sysv64" fn(*mut State) = std::mem::transmute(code);
            code(&raw mut *self.state);
        }
    }
}

/// General registers by their numbers.
pub(crate) const GENERAL: [Register; 16] = {
    use Register::*;
    [
        RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
    ]
};

/// Registers that a callee must preserve, besides the stack pointer.
const SAVED: [Register; 6] = {
    use Register::*;
    [RBX, RBP, R12, R13, R14, R15]
};

/// Machine code, written instruction by instruction.
struct Writer {
    encoder: Encoder,
    ip: u64,
}

impl Writer {
    fn add(&mut self, insn: Result<Instruction, IcedError>) {
        let insn = insn.expect("operands fit their code");
        let length = self.encoder.encode(&insn, self.ip);
        let length = length.unwrap_or_else(|error| panic!("{insn} cannot be encoded: {error}"));
        self.ip += length as u64;
    }
}

/// All registers, with their offsets in [`Registers`] and the codes that load and store them without changing flags.
fn moves(vectors: Vectors) -> Vec<(Register, usize, Code, Code)> {
    use Code::*;
    let (first, load, store) = match vectors {
        Vectors::Xmm => (Register::XMM0, Movdqu_xmm_xmmm128, Movdqu_xmmm128_xmm),
        Vectors::Ymm => (
            Register::YMM0,
            VEX_Vmovdqu_ymm_ymmm256,
            VEX_Vmovdqu_ymmm256_ymm,
        ),
        Vectors::Zmm => (
            Register::ZMM0,
            EVEX_Vmovdqu64_zmm_k1z_zmmm512,
            EVEX_Vmovdqu64_zmmm512_k1z_zmm,
        ),
    };
    let vector = |i: usize| offset_of!(Registers, vector) + 64 * i;
    let mask = |i: usize| offset_of!(Registers, mask) + 8 * i;
    let general = |i: usize| offset_of!(Registers, general) + 8 * i;
    let masks = if vectors == Vectors::Zmm { 8 } else { 0 };
    let vectors = (0..vectors.extent().0).map(|i| (first + i as u32, vector(i), load, store));
    let masks = (0..masks).map(|i| {
        (
            Register::K0 + i as u32,
            mask(i),
            VEX_Kmovq_kr_km64,
            VEX_Kmovq_m64_kr,
        )
    });
    let generals = (0..16).map(|i| (GENERAL[i], general(i), Mov_r64_rm64, Mov_rm64_r64));
    vectors.chain(masks).chain(generals).collect()
}

/// Writes the code from a call, with the address of the state, to an instruction.
fn enter(writer: &mut Writer, pointer: Register, vectors: Vectors) {
    let at = |offset: usize| MemoryOperand::with_base_displ(pointer, offset as i64);
    let before = offset_of!(State, before);
    for register in SAVED {
        writer.add(Instruction::with1(Code::Push_r64, register));
    }
    writer.add(Instruction::with2(
        Code::Mov_r64_rm64,
        pointer,
        Register::RDI,
    ));
    let stack = at(offset_of!(State, stack));
    writer.add(Instruction::with2(Code::Mov_rm64_r64, stack, Register::RSP));
    let flags = at(before + offset_of!(Registers, flags));
    writer.add(Instruction::with1(Code::Push_rm64, flags));
    writer.add(Ok(Instruction::with(Code::Popfq)));
    for (register, offset, load, _) in moves(vectors) {
        if register != pointer {
            writer.add(Instruction::with2(load, register, at(before + offset)));
        }
    }
    let code = at(offset_of!(State, code));
    writer.add(Instruction::with1(Code::Jmp_rm64, code));
}

/// Writes the code from an instruction back to the caller.
fn leave(writer: &mut Writer, pointer: Register, vectors: Vectors) {
    let at = |offset: usize| MemoryOperand::with_base_displ(pointer, offset as i64);
    let after = offset_of!(State, after);
    for (register, offset, _, store) in moves(vectors) {
        writer.add(Instruction::with2(store, at(after + offset), register));
    }
    let stack = at(offset_of!(State, stack));
    writer.add(Instruction::with2(Code::Mov_r64_rm64, Register::RSP, stack));
    writer.add(Ok(Instruction::with(Code::Pushfq)));
    let flags = at(after + offset_of!(Registers, flags));
    writer.add(Instruction::with1(Code::Pop_rm64, flags));
    if vectors != Vectors::Xmm {
        writer.add(Ok(Instruction::with(Code::VEX_Vzeroupper)));
    }
    for register in SAVED.into_iter().rev() {
        writer.add(Instruction::with1(Code::Pop_r64, register));
    }
    writer.add(Ok(Instruction::with(Code::Retnq)));
}

/// The instruction to execute: for a conditional jump, one that stores its condition in al.
pub(crate) fn executable(insn: &Instruction) -> Instruction {
    if !insn.is_jcc_short_or_near() {
        return *insn;
    }
    // Codes of setcc have the order of the conditions.
    let number =
        Code::Seto_rm8 as usize + insn.condition_code() as usize - ConditionCode::o as usize;
    let code = Code::try_from(number).expect("a code for each condition");
    let stored = Instruction::with1(code, Register::AL).expect("an instruction of one register");
    assert_eq!(stored.condition_code(), insn.condition_code());
    stored
}
