//! One instruction on the CPU and on its model, with the same input.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use iced_x86::{Encoder, Instruction, OpKind, Register};
use outflank_kernels::Isa;
use outflank_prover::machine::{Flags, Machine, Memory, Next, Program, Unmodelled};
use outflank_prover::term::{self, Node, Term, Wide, bit, constant, number};
use outflank_random::SplitMix;

use super::cpu::{self, Cpu, GENERAL, Registers, Vectors, WINDOW};
use super::inputs;

/// How a comparison ended that found no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Equal,
    /// Equal, but for a register or memory of which the model knows nothing.
    Undefined,
    Unmodelled,
}

/// Carries out instruction `n` of a list on the CPU and `model` on a machine, with one random input. A difference is
/// an error, with all that is known of it.
pub(crate) fn check(
    cpu: &mut Cpu,
    n: usize,
    model: &Instruction,
    isa: Isa,
    random: &mut SplitMix,
) -> Result<Outcome, String> {
    // Rarely, as an arena that is in use is faster than a new one.
    if random.below(16) == 0 {
        term::clear();
    }
    let mut registers = inputs::registers(random, Vectors::of_this_cpu(), cpu.used(n));
    let window = inputs::window(random, &registers);
    inputs::aim(model, &mut registers, cpu.middle(), random);
    cpu.set(n, &registers, &window);
    let uses_memory =
        model.op_kinds().any(|kind| kind == OpKind::Memory) || cpu.used(n).contains(&Register::RSP);
    let mut machine = machine(cpu, isa, uses_memory);
    let start = (machine.general, machine.mask, machine.vector);
    let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(model)));
    let failed = |why: String| Err(describe(cpu, n, model, &window, &[why]));
    let next = match stepped {
        Ok(Ok(next)) => next,
        Ok(Err(Unmodelled::Instruction(_))) => return Ok(Outcome::Unmodelled),
        Ok(Err(error)) => return failed(error.to_string()),
        Err(_) => return failed("the model panics".to_owned()),
    };
    // SAFETY: the caller's list has only what the CPU has, and nothing that jumps. What has a model reads and writes
    // only its operands and the stack; `aim` has directed these into the data.
    unsafe { cpu.run(n) };
    let mut comparison = Comparison::default();
    let after = comparison.jump(cpu, model, next);
    let (before, (general, mask, vector)) = (cpu.before(), start);
    // What both leave alone need not be looked at.
    for i in (0..16)
        .filter(|&i| (general[i], before.general[i]) != (machine.general[i], after.general[i]))
    {
        comparison.term(
            || format!("{:?}", GENERAL[i]),
            machine.general[i],
            Wide::new(after.general[i]),
        );
    }
    for i in (0..8).filter(|&i| (mask[i], before.mask[i]) != (machine.mask[i], after.mask[i])) {
        comparison.term(
            || format!("k{i}"),
            machine.mask[i],
            Wide::new(after.mask[i]),
        );
    }
    for i in
        (0..32).filter(|&i| (vector[i], before.vector[i]) != (machine.vector[i], after.vector[i]))
    {
        comparison.term(
            || format!("zmm{i}"),
            machine.vector[i],
            wide(after.vector[i]),
        );
    }
    comparison.flags(&machine.flags, after.flags);
    if uses_memory {
        comparison.memory(cpu, &machine);
    } else if cpu.window() != window {
        comparison
            .differences
            .push("the CPU writes to memory".to_owned());
    }
    match (comparison.differences.is_empty(), comparison.undefined) {
        (true, false) => Ok(Outcome::Equal),
        (true, true) => Ok(Outcome::Undefined),
        _ => Err(describe(cpu, n, model, &window, &comparison.differences)),
    }
}

/// A machine in the state from which the CPU begins, with memory where it is used.
fn machine(cpu: &Cpu, isa: Isa, uses_memory: bool) -> Machine {
    let Registers {
        general,
        flags,
        mask,
        vector,
    } = cpu.before();
    let mut memory = Memory::new(Program::running());
    if uses_memory {
        for (address, word) in words(cpu) {
            memory.add(address, number(word, 64));
        }
    }
    let flag = |place: u64| Some(bit(flags & place != 0));
    let flags = Flags {
        carry: flag(cpu::CARRY),
        parity: flag(cpu::PARITY),
        zero: flag(cpu::ZERO),
        sign: flag(cpu::SIGN),
        overflow: flag(cpu::OVERFLOW),
    };
    Machine {
        general: general.map(|value| number(value, 64)),
        vector: terms(vector),
        mask: mask.map(|value| number(value, 64)),
        flags,
        memory,
        path: Vec::new(),
        jumps: Vec::new(),
        isa,
    }
}

/// The values of vector registers: most are one of a few.
fn terms(values: &[[u64; 8]; 32]) -> [Term; 32] {
    let mut known: Vec<([u64; 8], Term)> = Vec::new();
    values.map(|value| {
        if let Some(&(_, term)) = known.iter().find(|(own, _)| *own == value) {
            return term;
        }
        let term = constant(wide(value), 512);
        known.push((value, term));
        term
    })
}

/// The middle of the data by its addresses.
fn words(cpu: &Cpu) -> impl Iterator<Item = (u64, u64)> {
    let first = cpu.middle() - (cpu::MIDDLE - WINDOW.start) as u64;
    let words = cpu
        .window()
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    (0..).map(move |i| first + 8 * i).zip(words)
}

fn wide(words: [u64; 8]) -> Wide {
    Wide::from_bytes(words.map(u64::to_le_bytes).as_flattened())
}

#[derive(Default)]
struct Comparison {
    differences: Vec<String>,
    undefined: bool,
}

impl Comparison {
    /// Compares where the model goes; a conditional jump with the byte that the CPU stored in al instead. The registers
    /// after the instruction, without that.
    fn jump(&mut self, cpu: &Cpu, model: &Instruction, next: Next) -> Registers {
        let mut after = cpu.after().clone();
        let is_jump = model.is_jcc_short_or_near();
        let goes = match next {
            Next::On => Some(0),
            Next::To(to) if is_jump && to.number() == Some(model.near_branch_target()) => Some(1),
            _ => None,
        };
        let went = if is_jump { after.general[0] & 0xFF } else { 0 };
        if goes != Some(went) {
            self.differences
                .push(format!("the model goes {next:?}, the CPU stores {went}"));
        }
        if is_jump {
            after.general[0] = cpu.before().general[0];
        }
        after
    }

    fn flags(&mut self, flags: &Flags, after: u64) {
        let flags = [
            ("carry", flags.carry, cpu::CARRY),
            ("parity", flags.parity, cpu::PARITY),
            ("zero", flags.zero, cpu::ZERO),
            ("sign", flags.sign, cpu::SIGN),
            ("overflow", flags.overflow, cpu::OVERFLOW),
        ];
        for (name, flag, place) in flags {
            if let Some(flag) = flag {
                let value = u64::from(after & place != 0);
                self.term(|| name.to_owned(), flag, Wide::new(value));
            }
        }
    }

    fn memory(&mut self, cpu: &Cpu, machine: &Machine) {
        for (address, word) in words(cpu) {
            let place = || format!("memory {:+}", address.wrapping_sub(cpu.middle()) as i64);
            match machine.memory.load(number(address, 64), 8) {
                Ok(own) => self.term(place, own, Wide::new(word)),
                Err(error) => self.differences.push(format!("{}: {error}", place())),
            }
        }
        if !cpu.is_clean() {
            self.differences.push("the CPU writes elsewhere".to_owned());
        }
    }

    fn term(&mut self, name: impl Fn() -> String, term: Term, value: Wide) {
        if !self.agrees(term, value) {
            self.differences
                .push(format!("{}: model {term:?}, CPU {value:?}", name()));
        }
    }

    /// Whether what is known of a term is so.
    fn agrees(&mut self, term: Term, value: Wide) -> bool {
        match &*term.node() {
            Node::Constant(own) => *own == value,
            Node::Concat(parts) => {
                let mut lo = 0;
                parts.iter().all(|&part| {
                    let own = value.shifted_right(lo).low(part.width());
                    lo += part.width();
                    self.agrees(part, own)
                })
            }
            // All inputs are constants: it has something in it that is not known.
            _ => {
                self.undefined = true;
                true
            }
        }
    }
}

/// All that is known of a difference.
fn describe(
    cpu: &Cpu,
    n: usize,
    model: &Instruction,
    window: &[u8],
    differences: &[String],
) -> String {
    let one = cpu.instruction(n);
    let mut encoder = Encoder::new(64);
    let length = encoder
        .encode(one, cpu.middle())
        .expect("it was encoded before");
    let bytes = &encoder.take_buffer()[..length];
    let mut text = format!("{one} ({bytes:02x?}), model of {model}:");
    let before = cpu.before();
    for register in cpu.used(n) {
        let number = register.number();
        let value = if register.is_gpr() {
            Wide::new(before.general[number])
        } else if register.is_k() {
            Wide::new(before.mask[number])
        } else {
            wide(before.vector[number])
        };
        let _ = write!(text, "\n  with {register:?} {value:?}");
    }
    let _ = write!(
        text,
        "\n  with flags {:#x}, the data's middle at {:#x}, from 64 bytes before it on",
        before.flags,
        cpu.middle()
    );
    for line in window.chunks_exact(64) {
        let _ = write!(text, "\n    {:?}", Wide::from_bytes(line));
    }
    for difference in differences {
        let _ = write!(text, "\n  {difference}");
    }
    text
}
