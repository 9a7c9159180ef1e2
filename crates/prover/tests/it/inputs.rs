//! Random inputs of instructions, often at the limits of lanes.

use iced_x86::{Instruction, Mnemonic, Register};
use outflank_prover::machine::Flag;
use outflank_random::SplitMix64;

use super::cpu::{Registers, Vectors, WINDOW, flag_mask};

/// A number of `bits` bits: at a limit, with one bit, small, sparse, or uniform.
fn number(random: &mut SplitMix64, bits: u32) -> u64 {
    let ones = !0 >> (64 - bits);
    let value = match random.below(16) {
        0 | 1 => 0,
        2 => ones,
        3 => ones >> 1,
        4 => 1 << (bits - 1),
        5 => 1,
        6 | 7 => 1 << random.below(bits.into()),
        8 => ones >> random.below(bits.into()),
        // Shift distances and lane indices, some beyond the limit.
        9 | 10 => random.below(u64::from(bits) + 8),
        11 => random.bits() & random.bits() & random.bits(),
        _ => random.bits(),
    };
    value & ones
}

/// Value of a general register, at the limits of one of its widths.
fn general(random: &mut SplitMix64) -> u64 {
    match random.below(6) {
        0 => number(random, 32),
        1 => number(random, 32) | random.bits() << 32,
        2 => number(random, 16) | random.bits() << 16,
        3 => number(random, 8) | number(random, 8) << 8 | random.bits() << 16,
        _ => number(random, 64),
    }
}

/// Value of a vector register or of memory, in lanes of a random width.
fn vector(random: &mut SplitMix64) -> [u64; 8] {
    let lane = 8 << random.below(4);
    let word = |random: &mut SplitMix64| {
        let lanes = (0..64 / lane).map(|i| number(random, lane) << (lane * i));
        lanes.sum::<u64>()
    };
    match random.below(8) {
        0 => [word(random); 8],
        // A shift distance for all lanes.
        1 => [random.below(72), 0, 0, 0, 0, 0, 0, 0],
        2 => std::array::from_fn(|_| random.bits()),
        _ => std::array::from_fn(|_| word(random)),
    }
}

/// Random registers. The `used` ones often share values; all others have one of a few values.
pub(crate) fn registers(random: &mut SplitMix64, vectors: Vectors, used: &[Register]) -> Registers {
    let few = 1 + random.below(3) as usize;
    let few_generals: [u64; 3] = std::array::from_fn(|_| general(random));
    let few_vectors: [[u64; 8]; 3] = std::array::from_fn(|_| vector(random));
    let few_only = random.below(3) == 0;
    let (count, words) = vectors.extent();
    let mut registers = Registers {
        flags: random.bits() & Flag::ALL.map(flag_mask).iter().sum::<u64>(),
        ..Registers::default()
    };
    registers.general = std::array::from_fn(|i| few_generals[i % few]);
    for (i, register) in registers.vector[..count].iter_mut().enumerate() {
        register[..words].copy_from_slice(&few_vectors[i % few][..words]);
    }
    if vectors == Vectors::Zmm {
        registers.mask = std::array::from_fn(|i| few_generals[i % few]);
    }
    for register in used.iter().filter(|_| !few_only) {
        let number = register.number();
        if register.is_gpr() {
            registers.general[number] = general(random);
        } else if register.is_vector_register() && number < count {
            registers.vector[number][..words].copy_from_slice(&vector(random)[..words]);
        } else if register.is_k() {
            registers.mask[number] = general(random);
        }
    }
    registers
}

/// Random bytes for the window of the data. On average, half of the parts of 64 bytes equal a vector register.
pub(crate) fn window(random: &mut SplitMix64, registers: &Registers) -> Vec<u8> {
    let parts = WINDOW.len() / 64;
    let words = (0..parts).flat_map(|_| match random.below(2) {
        0 => random.pick(&registers.vector),
        _ => vector(random),
    });
    words.flat_map(u64::to_le_bytes).collect()
}

/// Sets the registers so that the memory operand of an instruction lies at `middle` or a few bytes behind it.
///
/// Aligned addresses are preferred. The stack pointer is set to `middle`.
pub(crate) fn aim(
    insn: &Instruction,
    registers: &mut Registers,
    middle: u64,
    random: &mut SplitMix64,
) {
    registers.general[Register::RSP.number()] = middle;
    let (base, index) = (insn.memory_base(), insn.memory_index());
    if insn.mnemonic() == Mnemonic::Lea || !base.is_gpr64() && !index.is_gpr64() {
        return;
    }
    let (scale, displacement) = (
        u64::from(insn.memory_index_scale()),
        insn.memory_displacement64(),
    );
    if index.is_vector_register() {
        registers.general[base.number()] = middle.wrapping_sub(displacement);
        let words = Vectors::of_this_cpu().extent().1;
        for word in &mut registers.vector[index.number()][..words] {
            // From 64 bytes before the middle to 64 bytes behind it.
            let offset =
                |random: &mut SplitMix64| ((random.below(129) as i32 - 64) / scale as i32) as u32;
            *word = u64::from(offset(random)) | u64::from(offset(random)) << 32;
        }
        return;
    }
    if base != index && base.is_gpr64() {
        let index = match index {
            Register::None => 0,
            index => registers.general[index.number()],
        };
        let rest = displacement.wrapping_add(index.wrapping_mul(scale));
        registers.general[base.number()] = middle.wrapping_sub(rest);
        return;
    }
    // The address is a multiple of one register, so not every address is possible.
    let factor = if base == index { scale + 1 } else { scale };
    let mut distances = [0, 64]
        .into_iter()
        .chain(0..16)
        .map(|i| (middle + i).wrapping_sub(displacement));
    let distance = distances.find(|distance| distance % factor == 0);
    registers.general[index.number()] =
        distance.expect("one of the distances is a multiple") / factor;
}
