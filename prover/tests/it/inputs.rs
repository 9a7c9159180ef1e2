//! What instructions are tried with: numbers at the edges of what lanes can hold, and random ones.

use iced_x86::{Instruction, Mnemonic, Register};
use outflank_random::SplitMix;

use super::cpu::{FLAGS, Registers, Vectors, WINDOW};

/// A number of so many bits: at an edge, with one bit, small, sparse, or random.
fn number(random: &mut SplitMix, bits: u32) -> u64 {
    let ones = !0 >> (64 - bits);
    let value = match random.below(16) {
        0 | 1 => 0,
        2 => ones,
        3 => ones >> 1,
        4 => 1 << (bits - 1),
        5 => 1,
        6 | 7 => 1 << random.below(bits.into()),
        8 => ones >> random.below(bits.into()),
        // Distances of shifts and numbers of lanes, also those that are too great.
        9 | 10 => random.below(u64::from(bits) + 8),
        11 => random.bits() & random.bits() & random.bits(),
        _ => random.bits(),
    };
    value & ones
}

/// The value of a general register: of any of the widths that instructions look at.
fn general(random: &mut SplitMix) -> u64 {
    match random.below(6) {
        0 => number(random, 32),
        1 => number(random, 32) | random.bits() << 32,
        2 => number(random, 16) | random.bits() << 16,
        3 => number(random, 8) | number(random, 8) << 8 | random.bits() << 16,
        _ => number(random, 64),
    }
}

/// The value of a vector register or of some memory, in lanes of one of the widths.
fn vector(random: &mut SplitMix) -> [u64; 8] {
    let lane = 8 << random.below(4);
    let word = |random: &mut SplitMix| {
        let lanes = (0..64 / lane).map(|i| number(random, lane) << (lane * i));
        lanes.sum::<u64>()
    };
    match random.below(8) {
        0 => [word(random); 8],
        // A distance for all lanes.
        1 => [random.below(72), 0, 0, 0, 0, 0, 0, 0],
        2 => std::array::from_fn(|_| random.bits()),
        _ => std::array::from_fn(|_| word(random)),
    }
}

/// Random registers. Those that are `used` are often the same, and the others always have one of a few values.
pub(crate) fn registers(random: &mut SplitMix, vectors: Vectors, used: &[Register]) -> Registers {
    let few = 1 + random.below(3) as usize;
    let few_generals: [u64; 3] = std::array::from_fn(|_| general(random));
    let few_vectors: [[u64; 8]; 3] = std::array::from_fn(|_| vector(random));
    let few_only = random.below(3) == 0;
    let (count, words) = vectors.extent();
    let mut registers = Registers {
        flags: random.bits() & FLAGS,
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

/// Random bytes for the middle of the data. In half of the cases the memory operand of an instruction, at its
/// place, is the value of a vector register.
pub(crate) fn window(random: &mut SplitMix, registers: &Registers) -> Vec<u8> {
    let parts = WINDOW.len() / 64;
    let words = (0..parts).flat_map(|_| match random.below(2) {
        0 => random.pick(&registers.vector),
        _ => vector(random),
    });
    words.flat_map(u64::to_le_bytes).collect()
}

/// Changes the registers so that the memory operand of an instruction lies at `middle` or a few bytes further on, the
/// first addresses preferred that are aligned. The stack pointer leads there, too.
pub(crate) fn aim(
    one: &Instruction,
    registers: &mut Registers,
    middle: u64,
    random: &mut SplitMix,
) {
    registers.general[Register::RSP.number()] = middle;
    let (base, index) = (one.memory_base(), one.memory_index());
    if one.mnemonic() == Mnemonic::Lea || !base.is_gpr64() && !index.is_gpr64() {
        return;
    }
    let (scale, displacement) = (
        u64::from(one.memory_index_scale()),
        one.memory_displacement64(),
    );
    if index.is_vector_register() {
        registers.general[base.number()] = middle.wrapping_sub(displacement);
        let words = Vectors::of_this_cpu().extent().1;
        for word in &mut registers.vector[index.number()][..words] {
            // From 64 bytes before to 64 behind the middle.
            let place =
                |random: &mut SplitMix| ((random.below(129) as i32 - 64) / scale as i32) as u32;
            *word = u64::from(place(random)) | u64::from(place(random)) << 32;
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
    // One register counts more than once: not every address can be had.
    let factor = if base == index { scale + 1 } else { scale };
    let mut places = [0, 64]
        .into_iter()
        .chain(0..16)
        .map(|i| (middle + i).wrapping_sub(displacement));
    let place = places.find(|place| place % factor == 0);
    registers.general[index.number()] = place.expect("one of so many is a multiple") / factor;
}
