//! Single instructions carried out by this machine's CPU, with all registers and flags given.

use std::mem::offset_of;

use iced_x86::{
    Code, ConditionCode, Encoder, Instruction, InstructionInfoFactory, MemoryOperand, Register,
};
use memmap2::{Mmap, MmapMut};

/// The bytes of the memory that instructions may read and write.
const DATA: usize = 0x4000;

/// Where in it their memory operands lie, or a few bytes further on. The stack pointer leads here, too.
pub(crate) const MIDDLE: usize = DATA / 2;

/// The part of it that has other bytes than 0 before an instruction.
pub(crate) const WINDOW: std::ops::Range<usize> = MIDDLE - 64..MIDDLE + 128;

/// The bits of the flags that are modelled: carry, parity, zero, sign and overflow.
pub(crate) const CARRY: u64 = 1 << 0;
pub(crate) const PARITY: u64 = 1 << 2;
pub(crate) const ZERO: u64 = 1 << 6;
pub(crate) const SIGN: u64 = 1 << 7;
pub(crate) const OVERFLOW: u64 = 1 << 11;
pub(crate) const FLAGS: u64 = CARRY | PARITY | ZERO | SIGN | OVERFLOW;

/// What instructions work on, besides memory.
#[repr(C)]
#[derive(Clone, Default)]
pub(crate) struct Registers {
    /// By their numbers in instructions.
    pub(crate) general: [u64; 16],
    pub(crate) flags: u64,
    pub(crate) mask: [u64; 8],
    /// Lowest word first.
    pub(crate) vector: [[u64; 8]; 32],
}

#[repr(C)]
#[derive(Default)]
struct State {
    before: Registers,
    after: Registers,
    /// The program's stack pointer, while an instruction is carried out.
    stack: u64,
    /// The code of the instruction.
    code: u64,
}

/// How much of the vector registers this CPU has.
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

    /// The registers and the words of each.
    pub(crate) fn extent(self) -> (usize, usize) {
        match self {
            Vectors::Xmm => (16, 2),
            Vectors::Ymm => (16, 4),
            Vectors::Zmm => (32, 8),
        }
    }
}

/// A list of instructions, ready to be carried out.
pub(crate) struct Cpu {
    slots: Vec<Slot>,
    /// Code that loads the registers, for each register that can hold the address of the state meanwhile.
    entries: [u64; 16],
    state: Box<State>,
    data: MmapMut,
    /// What the addresses in `slots` and `entries` lead into.
    _code: Mmap,
}

struct Slot {
    one: Instruction,
    /// Every register that it uses, as its widest form.
    used: Vec<Register>,
    /// A register that the instruction does not use: it holds the address of the state.
    pointer: usize,
    code: u64,
}

impl Cpu {
    /// Makes the code for some instructions. What they have at addresses relative to their own is sought in the
    /// middle of the data instead.
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
            enter(&mut writer, number, vectors);
            exits[number] = writer.ip;
            leave(&mut writer, number, vectors);
        }
        let middle = data.as_ptr() as u64 + MIDDLE as u64;
        let mut factory = InstructionInfoFactory::new();
        let slots = instructions.iter().map(|&one| {
            let mut one = one;
            if one.is_ip_rel_memory_operand() {
                one.set_memory_displacement64(middle);
            }
            let used = factory.info(&one).used_registers().iter();
            let used: Vec<Register> = used.map(|used| used.register().full_register()).collect();
            let is_free =
                |&number: &usize| entries[number] != 0 && !used.contains(&GENERAL[number]);
            // From the last on: r15 is used least.
            let pointer = (0..16)
                .rev()
                .find(is_free)
                .expect("no instruction uses all");
            let slot = Slot {
                one,
                used,
                pointer,
                code: writer.ip,
            };
            writer.add(one);
            writer.branch(Code::Jmp_rel32_64, exits[pointer]);
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
            _code: code.make_exec().expect("code may be carried out"),
        }
    }

    /// Instruction `n` of the list, with the addresses that it has here.
    pub(crate) fn instruction(&self, n: usize) -> &Instruction {
        &self.slots[n].one
    }

    /// The registers that instruction `n` uses, as their widest forms.
    pub(crate) fn used(&self, n: usize) -> &[Register] {
        &self.slots[n].used
    }

    /// Sets the registers and the middle of the data for instruction `n`. It changes the registers that have to have
    /// certain values: the stack pointer leads into the data, and one register to the state.
    pub(crate) fn set(&mut self, n: usize, registers: &Registers, window: &[u8]) {
        self.state.before = registers.clone();
        self.state.before.general[self.slots[n].pointer] = &raw const *self.state as u64;
        self.data[WINDOW].copy_from_slice(window);
    }

    /// The address of the middle of the data.
    pub(crate) fn middle(&self) -> u64 {
        self.data.as_ptr() as u64 + MIDDLE as u64
    }

    /// The registers that the next instruction begins with.
    pub(crate) fn before(&self) -> &Registers {
        &self.state.before
    }

    /// The registers after an instruction.
    pub(crate) fn after(&self) -> &Registers {
        &self.state.after
    }

    /// The middle of the data.
    pub(crate) fn window(&self) -> &[u8] {
        &self.data[WINDOW]
    }

    /// Whether the rest of the data is as it was: all 0.
    pub(crate) fn is_clean(&self) -> bool {
        static CLEAN: [u8; DATA] = [0; DATA];
        let (below, above) = (&self.data[..WINDOW.start], &self.data[WINDOW.end..]);
        below == &CLEAN[..below.len()] && above == &CLEAN[..above.len()]
    }

    /// Carries out instruction `n`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instruction. From the registers that were set it must go on to the instruction behind
    /// it, and read and write no memory but the data.
    pub(crate) unsafe fn run(&mut self, n: usize) {
        let slot = &self.slots[n];
        self.state.code = slot.code;
        let code = self.entries[slot.pointer] as *const ();
        // SAFETY: the code at this address was written for this: `enter` saves what a function must keep, loads the
        // registers and jumps to the instruction; behind it there is a jump to what `leave` wrote, which stores the
        // registers, restores what was saved and returns. By the caller's word the instruction itself does no harm;
        // it does not change the register that holds the address of the state, as it does not use it.
        unsafe {
            let code: unsafe extern "sysv64" fn(*mut State) = std::mem::transmute(code);
            code(&raw mut *self.state);
        }
    }
}

/// The general registers by their numbers.
pub(crate) const GENERAL: [Register; 16] = {
    use Register::*;
    [
        RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
    ]
};

/// Those that a function must give back as they were, besides the stack pointer.
const SAVED: [Register; 6] = {
    use Register::*;
    [RBX, RBP, R12, R13, R14, R15]
};

/// Machine code, written one instruction after the other.
struct Writer {
    encoder: Encoder,
    ip: u64,
}

impl Writer {
    fn add(&mut self, one: Instruction) {
        let length = self.encoder.encode(&one, self.ip);
        let length = length.unwrap_or_else(|error| panic!("{one} cannot be encoded: {error}"));
        self.ip += length as u64;
    }

    fn branch(&mut self, code: Code, target: u64) {
        self.add(Instruction::with_branch(code, target).expect("a branch"));
    }

    fn plain(&mut self, code: Code) {
        self.add(Instruction::with(code));
    }

    /// An instruction with one operand: a register.
    fn register(&mut self, code: Code, register: Register) {
        self.add(Instruction::with1(code, register).expect("of one register"));
    }

    /// An instruction with one operand, in memory.
    fn memory(&mut self, code: Code, memory: MemoryOperand) {
        self.add(Instruction::with1(code, memory).expect("of memory"));
    }

    /// Loads a register from memory.
    fn load(&mut self, code: Code, register: Register, memory: MemoryOperand) {
        self.add(Instruction::with2(code, register, memory).expect("of a register and memory"));
    }

    /// Stores a register into memory.
    fn store(&mut self, code: Code, memory: MemoryOperand, register: Register) {
        self.add(Instruction::with2(code, memory, register).expect("of memory and a register"));
    }
}

/// The code to load and to store a vector register.
fn vector_codes(vectors: Vectors) -> (Code, Code, Register) {
    match vectors {
        Vectors::Xmm => (
            Code::Movdqu_xmm_xmmm128,
            Code::Movdqu_xmmm128_xmm,
            Register::XMM0,
        ),
        Vectors::Ymm => (
            Code::VEX_Vmovdqu_ymm_ymmm256,
            Code::VEX_Vmovdqu_ymmm256_ymm,
            Register::YMM0,
        ),
        Vectors::Zmm => {
            let load = Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512;
            (load, Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm, Register::ZMM0)
        }
    }
}

/// From a call with the address of the state to an instruction.
fn enter(writer: &mut Writer, number: usize, vectors: Vectors) {
    let pointer = GENERAL[number];
    let at = |offset: usize| MemoryOperand::with_base_displ(pointer, offset as i64);
    let before = offset_of!(State, before);
    for register in SAVED {
        writer.register(Code::Push_r64, register);
    }
    let moved = Instruction::with2(Code::Mov_r64_rm64, pointer, Register::RDI);
    writer.add(moved.expect("of two registers"));
    writer.store(
        Code::Mov_rm64_r64,
        at(offset_of!(State, stack)),
        Register::RSP,
    );
    writer.memory(Code::Push_rm64, at(before + offset_of!(Registers, flags)));
    writer.plain(Code::Popfq);
    let (load, _, first) = vector_codes(vectors);
    for i in 0..vectors.extent().0 {
        writer.load(
            load,
            first + i as u32,
            at(before + offset_of!(Registers, vector) + 64 * i),
        );
    }
    if vectors == Vectors::Zmm {
        for i in 0..8 {
            let place = at(before + offset_of!(Registers, mask) + 8 * i);
            writer.load(Code::VEX_Kmovq_kr_km64, Register::K0 + i as u32, place);
        }
    }
    for i in (0..16).filter(|&i| i != number) {
        let place = at(before + offset_of!(Registers, general) + 8 * i);
        writer.load(Code::Mov_r64_rm64, GENERAL[i], place);
    }
    writer.memory(Code::Jmp_rm64, at(offset_of!(State, code)));
}

/// From an instruction back to who called.
fn leave(writer: &mut Writer, number: usize, vectors: Vectors) {
    let at = |offset: usize| MemoryOperand::with_base_displ(GENERAL[number], offset as i64);
    let after = offset_of!(State, after);
    for (i, register) in GENERAL.into_iter().enumerate() {
        let place = at(after + offset_of!(Registers, general) + 8 * i);
        writer.store(Code::Mov_rm64_r64, place, register);
    }
    // Nothing so far has changed the flags.
    writer.load(
        Code::Mov_r64_rm64,
        Register::RSP,
        at(offset_of!(State, stack)),
    );
    writer.plain(Code::Pushfq);
    writer.memory(Code::Pop_rm64, at(after + offset_of!(Registers, flags)));
    let (_, store, first) = vector_codes(vectors);
    for i in 0..vectors.extent().0 {
        writer.store(
            store,
            at(after + offset_of!(Registers, vector) + 64 * i),
            first + i as u32,
        );
    }
    if vectors == Vectors::Zmm {
        for i in 0..8 {
            let place = at(after + offset_of!(Registers, mask) + 8 * i);
            writer.store(Code::VEX_Kmovq_m64_kr, place, Register::K0 + i as u32);
        }
    }
    if vectors != Vectors::Xmm {
        writer.plain(Code::VEX_Vzeroupper);
    }
    for register in SAVED.into_iter().rev() {
        writer.register(Code::Pop_r64, register);
    }
    writer.plain(Code::Retnq);
}

/// What is carried out for an instruction: itself, but for a conditional jump what stores its condition in al.
pub(crate) fn in_place_of(one: &Instruction) -> Instruction {
    if !one.is_jcc_short_or_near() {
        return *one;
    }
    // The conditions have the same order everywhere.
    let number =
        Code::Seto_rm8 as usize + one.condition_code() as usize - ConditionCode::o as usize;
    let code = Code::try_from(number).expect("a code for each condition");
    let stored = Instruction::with1(code, Register::AL).expect("of one register");
    assert_eq!(stored.condition_code(), one.condition_code());
    stored
}
