//! All forms of all instructions that have a model, used by the kernels or not.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use iced_x86::{
    Code, Decoder, DecoderOptions, Encoder, EncodingKind, Instruction, Mnemonic, OpCodeInfo,
    OpCodeOperandKind, OpKind, Register,
};
use outflank_kernels::Isa;
use outflank_prover::machine::{Flags, Machine, Memory, Program, Unmodelled};
use outflank_prover::term::{bit, zeros};

use super::code::Form;
use super::cpu::GENERAL;

/// Immediates of 8 bits: shift distances, orders of lanes, truth tables.
const BYTES: [u8; 20] = [
    0, 1, 2, 3, 4, 7, 8, 9, 0x0F, 0x10, 0x11, 0x1B, 0x1F, 0x20, 0x3F, 0x40, 0x80, 0x96, 0xB1, 0xFF,
];

/// Wider immediates.
const WORDS: [i32; 6] = [0, 1, -1, i32::MAX, i32::MIN, 0x1234_5678];

/// Choice of operands for an instruction form.
#[derive(Clone, Copy)]
struct Operands {
    /// Set of registers: 0 for different low ones, 1 for high ones, 2 for one register everywhere.
    registers: usize,
    memory: bool,
    broadcast: bool,
    mask: bool,
    zeroing: bool,
    number: usize,
}

/// All forms in the disassembler's tables: with registers and memory, with and without a mask.
pub(crate) fn all() -> Vec<Form> {
    let mut forms = Vec::new();
    for code in Code::values() {
        let info = code.op_code();
        let is_known = matches!(
            info.encoding(),
            EncodingKind::Legacy | EncodingKind::VEX | EncodingKind::EVEX
        );
        if !info.is_instruction() || !info.mode64() || !is_known {
            continue;
        }
        // A model takes all operands of a form, except for some immediates, so the first two immediates decide.
        let mut first = choices(info).into_iter().filter(|choice| choice.number < 2);
        if !first.any(|choice| make(info, choice).is_some_and(|insn| has_model(&insn))) {
            continue;
        }
        for insn in choices(info)
            .into_iter()
            .filter_map(|choice| make(info, choice))
        {
            // These instructions have another model below level v3.
            let levels: &[Isa] = match insn.mnemonic() {
                Mnemonic::Tzcnt | Mnemonic::Lzcnt => &[Isa::V2, Isa::V3],
                _ => &[Isa::V3],
            };
            forms.extend(levels.iter().map(|&isa| Form {
                insn,
                isa,
                kernels: BTreeSet::new(),
            }));
        }
    }
    forms
}

fn choices(info: &OpCodeInfo) -> Vec<Operands> {
    let numbers = match info.op_kinds().last() {
        Some(OpCodeOperandKind::imm8) => BYTES.len(),
        Some(&kind) if immediate(kind).is_some() => WORDS.len(),
        _ => 0,
    };
    const FLAGS: [(bool, bool); 3] = [(false, false), (true, false), (true, true)];
    let mut choices = Vec::new();
    for ((memory, broadcast), (mask, zeroing)) in FLAGS
        .into_iter()
        .flat_map(|memory| FLAGS.map(|mask| (memory, mask)))
    {
        let is_encodable = (info.can_broadcast() || !broadcast)
            && (info.can_use_op_mask_register() || !mask)
            && (info.can_use_zeroing_masking() || !zeroing)
            && (mask || !info.require_op_mask_register());
        // Registers alternate from one immediate to the next.
        for number in (0..numbers.max(3)).filter(|_| is_encodable) {
            choices.push(Operands {
                registers: number % 3,
                memory,
                broadcast,
                mask,
                zeroing,
                number: if numbers == 0 { 0 } else { number },
            });
        }
    }
    choices
}

/// The instruction as the decoder reads it; `None` if it cannot be encoded.
fn make(info: &OpCodeInfo, choice: Operands) -> Option<Instruction> {
    let mut insn = Instruction::default();
    insn.set_code(info.code());
    let evex = info.encoding() == EncodingKind::EVEX;
    let mut has_memory = false;
    for n in 0..info.op_count() {
        let kind = info.op_kind(n);
        let name = format!("{kind:?}");
        if let Some(index) = gather_indices(&name, evex, choice.registers) {
            if choice.registers == 2 {
                // A gather needs different registers.
                return None;
            }
            insn.set_memory_index(index);
            set_address(&mut insn, n, 0);
            has_memory = true;
        } else if name == "mem" || choice.memory && name.ends_with("_or_mem") {
            set_address(&mut insn, n, choice.registers);
            has_memory = true;
        } else if let Some(register) = register(&name, evex, choice.registers, n as usize) {
            insn.set_op_kind(n, OpKind::Register);
            insn.set_op_register(n, register);
        } else {
            set_number(&mut insn, n, kind, choice.number)?;
        }
    }
    if choice.memory != has_memory {
        return None;
    }
    insn.set_is_broadcast(choice.broadcast);
    if choice.mask {
        insn.set_op_mask([Register::K2, Register::K6, Register::K4][choice.registers]);
        insn.set_zeroing_masking(choice.zeroing);
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&insn, 0x1000).ok()?;
    let bytes = encoder.take_buffer();
    let decoded = Decoder::with_ip(64, &bytes, 0x1000, DecoderOptions::NONE).decode();
    (decoded.code() == info.code()).then_some(decoded)
}

/// Makes operand `n` memory: at one register, at the sum of two, or relative to the instruction pointer.
fn set_address(insn: &mut Instruction, n: u32, choice: usize) {
    insn.set_op_kind(n, OpKind::Memory);
    let (base, displacement) = match choice {
        0 => (Register::RBX, 0x40),
        1 => (Register::R13, -0x48i64 as u64),
        _ => (Register::RIP, 0x1000),
    };
    if choice == 1 {
        insn.set_memory_index(Register::R11);
        insn.set_memory_index_scale(4);
    }
    insn.set_memory_base(base);
    insn.set_memory_displ_size(8);
    insn.set_memory_displacement64(displacement);
}

/// Register of a gather's indices, by the name of an operand's kind; `None` for other operands.
fn gather_indices(kind: &str, evex: bool, choice: usize) -> Option<Register> {
    let first = match kind.strip_prefix("mem_vsib")?.chars().last()? {
        'x' => Register::XMM0,
        'y' => Register::YMM0,
        _ => Register::ZMM0,
    };
    Some(first + if evex && choice == 1 { 20 } else { 6 })
}

/// Register of operand `n`, by the name of its kind; `None` for other operands.
fn register(kind: &str, evex: bool, choice: usize, n: usize) -> Option<Register> {
    // Numbers of general registers for the first operands, without rsp.
    let numbers = [[1, 2, 6, 7], [9, 14, 10, 8], [0; 4]][choice];
    let general = |first: Register| first + numbers[n] as u32;
    let vector = |first: Register| {
        let high = if evex {
            [30, 17, 9, 21]
        } else {
            [14, 9, 11, 8]
        };
        first + [[1, 2, 3, 4], high, [0; 4]][choice][n]
    };
    let class = kind.split('_').next().unwrap_or(kind);
    Some(match class {
        "r8" => {
            let low = [Register::BH, Register::CL, Register::DL, Register::AL];
            let high = [Register::R9L, Register::SIL, Register::R10L, Register::DIL];
            [low, high, [Register::AH; 4]][choice][n]
        }
        "r16" => general(Register::AX),
        "r32" => general(Register::EAX),
        "r64" => GENERAL[numbers[n]],
        "k" => Register::K0 + [[1, 2, 3, 5], [7, 6, 5, 1], [4; 4]][choice][n],
        "mm" => Register::MM0 + n as u32,
        "xmm" => vector(Register::XMM0),
        "ymm" => vector(Register::YMM0),
        "zmm" => vector(Register::ZMM0),
        "al" => Register::AL,
        "cl" => Register::CL,
        "ax" => Register::AX,
        "dx" => Register::DX,
        "eax" => Register::EAX,
        "rax" => Register::RAX,
        _ => return None,
    })
}

/// Encoding of an immediate; `None` for other operands.
fn immediate(kind: OpCodeOperandKind) -> Option<OpKind> {
    Some(match kind {
        OpCodeOperandKind::imm8 | OpCodeOperandKind::imm8_const_1 => OpKind::Immediate8,
        OpCodeOperandKind::imm8sex16 => OpKind::Immediate8to16,
        OpCodeOperandKind::imm8sex32 => OpKind::Immediate8to32,
        OpCodeOperandKind::imm8sex64 => OpKind::Immediate8to64,
        OpCodeOperandKind::imm16 => OpKind::Immediate16,
        OpCodeOperandKind::imm32 => OpKind::Immediate32,
        OpCodeOperandKind::imm32sex64 => OpKind::Immediate32to64,
        OpCodeOperandKind::imm64 => OpKind::Immediate64,
        _ => return None,
    })
}

/// Makes operand `n` an immediate or the target of a branch; `None` for other operands.
fn set_number(
    insn: &mut Instruction,
    n: u32,
    kind: OpCodeOperandKind,
    choice: usize,
) -> Option<()> {
    if kind == OpCodeOperandKind::br64_4 {
        insn.set_op_kind(n, OpKind::NearBranch64);
        insn.set_near_branch64(0x2000);
        return Some(());
    }
    insn.set_op_kind(n, immediate(kind)?);
    let word = i64::from(WORDS[choice % WORDS.len()]);
    let value = match kind {
        OpCodeOperandKind::imm8_const_1 => 1,
        OpCodeOperandKind::imm8 => BYTES[choice % BYTES.len()].into(),
        OpCodeOperandKind::imm64 => word ^ 0x0123_4567_0000_0000,
        _ => word,
    };
    insn.set_immediate_i64(n, value);
    Some(())
}

/// Returns `true` if the instruction has a model, tried on a machine whose registers are all 0.
fn has_model(insn: &Instruction) -> bool {
    let mut machine = Machine::new(Isa::V3, Memory::new(Program::running()));
    machine.general = [zeros(64); 16];
    machine.vector = [zeros(512); 32];
    machine.mask = [zeros(64); 8];
    machine.flags = Flags::from_fn(|_| Some(bit(false)));
    // A panic counts as a model: the comparison reports it.
    let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(insn)));
    !matches!(stepped, Ok(Err(Unmodelled::Instruction(_))))
}
