//! Every form of every instruction that has a model, whether the kernels have it or not.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use iced_x86::{
    Code, Decoder, DecoderOptions, Encoder, EncodingKind, Instruction, Mnemonic, OpCodeInfo,
    OpCodeOperandKind, OpKind, Register,
};
use outflank_kernels::Isa;
use outflank_prover::machine::{Machine, Memory, Program, Unmodelled};
use outflank_prover::term::{bit, zeros};

use super::code::Form;
use super::cpu::GENERAL;

/// Numbers in instructions of 8 bits: distances of shifts, orders of lanes, tables of truth.
const BYTES: [u8; 20] = [
    0, 1, 2, 3, 4, 7, 8, 9, 0x0F, 0x10, 0x11, 0x1B, 0x1F, 0x20, 0x3F, 0x40, 0x80, 0x96, 0xB1, 0xFF,
];

/// Wider ones.
const WORDS: [i32; 6] = [0, 1, -1, i32::MAX, i32::MIN, 0x1234_5678];

/// One choice of what an instruction's encoding leaves open.
#[derive(Clone, Copy)]
struct Choice {
    /// Which registers: three different low ones, high ones, or the same everywhere.
    registers: usize,
    memory: bool,
    broadcast: bool,
    mask: bool,
    zeroing: bool,
    number: usize,
}

/// Every form, by the tables of the disassembler: with registers and with memory, with and without a mask.
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
        // All have a model or none, but for operands that a model does not take.
        let mut first = choices(info).filter(|choice| choice.number < 2);
        if !first.any(|choice| make(info, choice).is_some_and(|one| has_model(&one))) {
            continue;
        }
        for one in choices(info).filter_map(|choice| make(info, choice)) {
            // Below level v3, some have another model.
            let differs = matches!(one.mnemonic(), Mnemonic::Tzcnt | Mnemonic::Lzcnt);
            let levels: &[Isa] = if differs {
                &[Isa::V2, Isa::V3]
            } else {
                &[Isa::V3]
            };
            forms.extend(levels.iter().map(|&isa| Form {
                one,
                isa,
                kernels: BTreeSet::new(),
            }));
        }
    }
    forms
}

fn choices(info: &OpCodeInfo) -> impl Iterator<Item = Choice> {
    let kinds: Vec<OpCodeOperandKind> = info.op_kinds().to_vec();
    let numbers = match kinds.last() {
        Some(OpCodeOperandKind::imm8) => BYTES.len(),
        Some(kind) if immediate(*kind).is_some() => WORDS.len(),
        _ => 0,
    };
    // With a number, the registers change from one to the next.
    let rest: Vec<(usize, usize)> = match numbers {
        0 => (0..3).map(|registers| (registers, 0)).collect(),
        _ => (0..numbers).map(|number| (number % 3, number)).collect(),
    };
    let (broadcast, mask) = (info.can_broadcast(), info.can_use_op_mask_register());
    let (zeroing, needs_mask) = (
        info.can_use_zeroing_masking(),
        info.require_op_mask_register(),
    );
    let places = [(false, false), (true, false), (true, true)];
    let masks = [(false, false), (true, false), (true, true)];
    let places = places
        .into_iter()
        .filter(move |place| broadcast || !place.1);
    places.flat_map(move |(memory, broadcast)| {
        let rest = rest.clone();
        let masks = masks
            .into_iter()
            .filter(move |own| (mask || !own.0) && (zeroing || !own.1));
        let masks = masks.filter(move |own| own.0 || !needs_mask);
        masks.flat_map(move |(mask, zeroing)| {
            let choice = move |(registers, number)| Choice {
                registers,
                memory,
                broadcast,
                mask,
                zeroing,
                number,
            };
            rest.clone().into_iter().map(choice)
        })
    })
}

/// The instruction, as the decoder reads it; `None` where it cannot be encoded.
fn make(info: &OpCodeInfo, choice: Choice) -> Option<Instruction> {
    let mut one = Instruction::default();
    one.set_code(info.code());
    let evex = info.encoding() == EncodingKind::EVEX;
    let mut has_memory = false;
    for n in 0..info.op_count() {
        let kind = info.op_kind(n);
        if let Some(index) = vsib(kind, evex, choice.registers) {
            if choice.registers == 2 {
                // The registers have to be different.
                return None;
            }
            one.set_memory_index(index);
            set_address(&mut one, n, 0);
            has_memory = true;
        } else if kind == OpCodeOperandKind::mem || choice.memory && is_register_or_memory(kind) {
            set_address(&mut one, n, choice.registers);
            has_memory = true;
        } else if let Some(register) = register(kind, evex, choice.registers, n as usize) {
            one.set_op_kind(n, OpKind::Register);
            one.set_op_register(n, register);
        } else {
            set_number(&mut one, n, kind, choice.number)?;
        }
    }
    if choice.memory != has_memory {
        return None;
    }
    one.set_is_broadcast(choice.broadcast);
    if choice.mask {
        one.set_op_mask([Register::K2, Register::K6, Register::K4][choice.registers]);
        one.set_zeroing_masking(choice.zeroing);
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&one, 0x1000).ok()?;
    let bytes = encoder.take_buffer();
    let decoded = Decoder::with_ip(64, &bytes, 0x1000, DecoderOptions::NONE).decode();
    (decoded.code() == info.code()).then_some(decoded)
}

/// An operand in memory: at a register, at the sum of two, or relative to the code.
fn set_address(one: &mut Instruction, n: u32, choice: usize) {
    one.set_op_kind(n, OpKind::Memory);
    let (base, displacement) = match choice {
        0 => (Register::RBX, 0x40),
        1 => (Register::R13, -0x48i64 as u64),
        _ => (Register::RIP, 0x1000),
    };
    if choice == 1 {
        one.set_memory_index(Register::R11);
        one.set_memory_index_scale(4);
    }
    one.set_memory_base(base);
    one.set_memory_displ_size(8);
    one.set_memory_displacement64(displacement);
}

fn is_register_or_memory(kind: OpCodeOperandKind) -> bool {
    use OpCodeOperandKind::*;
    matches!(
        kind,
        r8_or_mem
            | r16_or_mem
            | r32_or_mem
            | r64_or_mem
            | mm_or_mem
            | xmm_or_mem
            | ymm_or_mem
            | zmm_or_mem
            | k_or_mem
    )
}

/// The register of indices of a gather.
fn vsib(kind: OpCodeOperandKind, evex: bool, choice: usize) -> Option<Register> {
    use OpCodeOperandKind::*;
    let first = match kind {
        mem_vsib32x | mem_vsib64x => Register::XMM0,
        mem_vsib32y | mem_vsib64y => Register::YMM0,
        mem_vsib32z | mem_vsib64z => Register::ZMM0,
        _ => return Option::None,
    };
    Some(first + if evex && choice == 1 { 20 } else { 6 })
}

/// Operand `n`, where it is a register.
fn register(kind: OpCodeOperandKind, evex: bool, choice: usize, n: usize) -> Option<Register> {
    use OpCodeOperandKind::*;
    // The numbers of general registers for an instruction's first operands: rsp is none of them.
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
    Some(match kind {
        r8_or_mem | r8_reg | r8_opcode => {
            let low = [Register::BH, Register::CL, Register::DL, Register::AL];
            let high = [Register::R9L, Register::SIL, Register::R10L, Register::DIL];
            [low, high, [Register::AH; 4]][choice][n]
        }
        r16_or_mem | r16_reg | r16_reg_mem | r16_rm | r16_opcode => general(Register::AX),
        r32_or_mem | r32_reg | r32_reg_mem | r32_rm | r32_opcode | r32_vvvv => {
            general(Register::EAX)
        }
        r64_or_mem | r64_reg | r64_reg_mem | r64_rm | r64_opcode | r64_vvvv => GENERAL[numbers[n]],
        k_or_mem | k_reg | k_rm | k_vvvv => {
            Register::K0 + [[1, 2, 3, 5], [7, 6, 5, 1], [4; 4]][choice][n]
        }
        mm_or_mem | mm_reg | mm_rm => Register::MM0 + n as u32,
        xmm_or_mem | xmm_reg | xmm_rm | xmm_vvvv | xmm_is4 => vector(Register::XMM0),
        ymm_or_mem | ymm_reg | ymm_rm | ymm_vvvv | ymm_is4 => vector(Register::YMM0),
        zmm_or_mem | zmm_reg | zmm_rm | zmm_vvvv => vector(Register::ZMM0),
        al => Register::AL,
        cl => Register::CL,
        ax => Register::AX,
        dx => Register::DX,
        eax => Register::EAX,
        rax => Register::RAX,
        _ => return Option::None,
    })
}

/// How a number is encoded.
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

/// Makes operand `n` a number, or the target of a branch; `None` if it is something else.
fn set_number(one: &mut Instruction, n: u32, kind: OpCodeOperandKind, choice: usize) -> Option<()> {
    if kind == OpCodeOperandKind::br64_4 {
        one.set_op_kind(n, OpKind::NearBranch64);
        one.set_near_branch64(0x2000);
        return Some(());
    }
    let own = immediate(kind)?;
    one.set_op_kind(n, own);
    let byte = BYTES[choice % BYTES.len()];
    let word = WORDS[choice % WORDS.len()];
    match own {
        OpKind::Immediate8 if kind == OpCodeOperandKind::imm8_const_1 => one.set_immediate8(1),
        OpKind::Immediate8 => one.set_immediate8(byte),
        OpKind::Immediate8to16 => one.set_immediate8to16(i16::from(word as i8)),
        OpKind::Immediate8to32 => one.set_immediate8to32(i32::from(word as i8)),
        OpKind::Immediate8to64 => one.set_immediate8to64(i64::from(word as i8)),
        OpKind::Immediate16 => one.set_immediate16(word as u16),
        OpKind::Immediate32 => one.set_immediate32(word as u32),
        OpKind::Immediate32to64 => one.set_immediate32to64(word.into()),
        _ => one.set_immediate64(word as u64 ^ 0x0123_4567_0000_0000),
    }
    Some(())
}

/// Whether a machine with nothing but zeros can carry it out, or would if it had memory.
fn has_model(one: &Instruction) -> bool {
    let mut machine = Machine::new(Isa::V3, Memory::new(Program::running()));
    machine.general = [zeros(64); 16];
    machine.vector = [zeros(512); 32];
    machine.mask = [zeros(64); 8];
    let flags = &mut machine.flags;
    for flag in [
        &mut flags.carry,
        &mut flags.zero,
        &mut flags.sign,
        &mut flags.overflow,
        &mut flags.parity,
    ] {
        *flag = Some(bit(false));
    }
    // A model that panics shows when it is compared.
    let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(one)));
    !matches!(stepped, Ok(Err(Unmodelled::Instruction(_))))
}
