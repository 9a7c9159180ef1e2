//! Comparison of one instruction on the CPU with its model, on one random input.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use iced_x86::{Encoder, Instruction, OpKind, Register};
use outflank_kernels::Isa;
use outflank_prover::machine::{Flag, Flags, Machine, Memory, Next, Program, Unmodelled};
use outflank_prover::term::{self, Node, Term, Wide, bit, constant, number};
use outflank_random::SplitMix64;

use super::cpu::{self, Cpu, GENERAL, Registers, Vectors, WINDOW};
use super::inputs;

/// Result of a comparison without differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Equal,
    /// Equal except for results that the model leaves unknown.
    Undefined,
    Unmodelled,
}

/// Executes instruction `n` of a list on the CPU and `model` on a machine, with one random input.
///
/// A difference is an error that describes the input.
pub(crate) fn check(
    cpu: &mut Cpu,
    n: usize,
    model: &Instruction,
    isa: Isa,
    random: &mut SplitMix64,
) -> Result<Outcome, String> {
    // The arena is cleared only sometimes, because a new arena is slower than a used one.
    if random.below(16) == 0 {
        term::clear();
    }
    let mut registers = inputs::registers(random, Vectors::of_this_cpu(), &cpu.slots[n].used);
    let window = inputs::window(random, &registers);
    inputs::aim(model, &mut registers, cpu.middle(), random);
    cpu.set(n, &registers, &window);
    let uses_memory = model.op_kinds().any(|kind| kind == OpKind::Memory)
        || cpu.slots[n].used.contains(&Register::RSP);
    let mut machine = machine(cpu, isa, uses_memory);
    let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(model)));
    let failed = |why: String| Err(describe(cpu, n, model, &window, &[why]));
    let next = match stepped {
        Ok(Ok(next)) => next,
        Ok(Err(Unmodelled::Instruction(_))) => return Ok(Outcome::Unmodelled),
        Ok(Err(error)) => return failed(error.to_string()),
        Err(_) => return failed("the model panics".to_owned()),
    };
    // SAFETY: the caller's list has only instructions that the CPU has, and no jumps. Instructions with a model access
    // only their operands and the stack, which `aim` directed into the data.
    unsafe { cpu.run(n) };
    let mut comparison = Comparison::default();
    let after = comparison.jump(cpu, model, next);
    let masks = (0..8).map(|i| Register::K0 + i);
    let vectors = (0..32).map(|i| Register::ZMM0 + i);
    for register in GENERAL.into_iter().chain(masks).chain(vectors) {
        let (term, value) = (machine.register(register), after.value(register));
        comparison.term(|| format!("{register:?}"), term, value);
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

/// A machine in the CPU's state before the instruction, with memory if the instruction uses it.
fn machine(cpu: &Cpu, isa: Isa, uses_memory: bool) -> Machine {
    let before = &cpu.state.before;
    let mut memory = Memory::new(Program::running());
    if uses_memory {
        for (address, word) in words(cpu) {
            memory.add(address, number(word, 64));
        }
    }
    let flags = Flags::from_fn(|flag| Some(bit(before.flags & cpu::flag_mask(flag) != 0)));
    Machine {
        general: before.general.map(|value| number(value, 64)),
        vector: before.vector.map(|value| constant(wide(value), 512)),
        mask: before.mask.map(|value| number(value, 64)),
        flags,
        memory,
        path: Vec::new(),
        jumps: Vec::new(),
        isa,
        cuts: Default::default(),
    }
}

/// Words of the data's window, with their addresses.
fn words(cpu: &Cpu) -> impl Iterator<Item = (u64, u64)> {
    let first = cpu.middle() - (cpu::MIDDLE - WINDOW.start) as u64;
    let words = cpu
        .window()
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    (0..).map(move |i| first + 8 * i).zip(words)
}

impl Registers {
    /// Value of a register in its widest form.
    fn value(&self, register: Register) -> Wide {
        let number = register.number();
        if register.is_gpr() {
            Wide::new(self.general[number])
        } else if register.is_k() {
            Wide::new(self.mask[number])
        } else {
            wide(self.vector[number])
        }
    }
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
    /// Compares the next instruction's address, and returns the CPU's registers after this one.
    ///
    /// For a conditional jump the CPU stored the condition in al, which is restored.
    fn jump(&mut self, cpu: &Cpu, model: &Instruction, next: Next) -> Registers {
        let mut after = cpu.state.after.clone();
        let is_jump = model.is_jcc_short_or_near();
        let by_model = match next {
            Next::Following => Some(0),
            Next::Jump(to) if is_jump && to.number() == Some(model.near_branch_target()) => Some(1),
            _ => None,
        };
        let by_cpu = if is_jump { after.general[0] & 0xFF } else { 0 };
        if by_model != Some(by_cpu) {
            self.differences
                .push(format!("the model goes {next:?}, the CPU stores {by_cpu}"));
        }
        if is_jump {
            after.general[0] = cpu.state.before.general[0];
        }
        after
    }

    fn flags(&mut self, flags: &Flags, after: u64) {
        for flag in Flag::ALL {
            if let Some(term) = flags[flag] {
                let value = u64::from(after & cpu::flag_mask(flag) != 0);
                self.term(|| format!("{flag:?}"), term, Wide::new(value));
            }
        }
    }

    fn memory(&mut self, cpu: &Cpu, machine: &Machine) {
        for (address, word) in words(cpu) {
            let name = || format!("memory {:+}", address.wrapping_sub(cpu.middle()) as i64);
            match machine.memory.load(number(address, 64), 8) {
                Ok(term) => self.term(name, term, Wide::new(word)),
                Err(error) => self.differences.push(format!("{}: {error}", name())),
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

    /// Returns `true` if the known bits of a term agree with a value.
    fn agrees(&mut self, term: Term, value: Wide) -> bool {
        match &*term.node() {
            Node::Constant(known) => *known == value,
            Node::Concat(parts) => {
                let mut lo = 0;
                parts.iter().all(|&part| {
                    let bits = value.shifted_right(lo).low(part.width());
                    lo += part.width();
                    self.agrees(part, bits)
                })
            }
            // All inputs are constants, so the term contains an unknown.
            _ => {
                self.undefined = true;
                true
            }
        }
    }
}

/// Describes the input and the differences.
fn describe(
    cpu: &Cpu,
    n: usize,
    model: &Instruction,
    window: &[u8],
    differences: &[String],
) -> String {
    let insn = &cpu.slots[n].insn;
    let mut encoder = Encoder::new(64);
    let length = encoder
        .encode(insn, cpu.middle())
        .expect("it was encoded before");
    let bytes = &encoder.take_buffer()[..length];
    let mut text = format!("{insn} ({bytes:02x?}), model of {model}:");
    let before = &cpu.state.before;
    for register in &cpu.slots[n].used {
        let value = before.value(*register);
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
