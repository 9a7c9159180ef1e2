//! Symbolic execution of a function, from its first instruction to its return, along every path.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use iced_x86::{Decoder, DecoderOptions, Instruction, Register};

use super::{Machine, Next, Program, Unmodelled};
use crate::term::{Term, number, unknown};

/// Return address of the function that is executed; no code lies there.
const RETURN: u64 = 0x0BAD_0BAD_0BAD_0000;

/// Address of the top of the stack, which grows down from here.
const STACK: u64 = 0x6000_0000_0000;

/// Number of words below the return address that code may use.
const STACK_WORDS: u64 = 0x100;

/// Maximum number of instructions along all paths together, against loops without a constant bound.
const MAX_STEPS: usize = 200_000;

/// Maximum number of paths.
const MAX_PATHS: usize = 2_000;

/// Reason why code was not executed to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    /// An instruction has no model.
    #[error(transparent)]
    Unmodelled(#[from] Unmodelled),
    /// No instruction of the program lies at this address.
    #[error("{0:#x} is not code of the program")]
    NoCode(u64),
    /// A jump leads to an address that depends on the input.
    #[error("{0} leads to an address that depends on the input")]
    Jump(String),
    /// The code executes too many instructions.
    #[error("more than {MAX_STEPS} instructions: a loop without a constant bound?")]
    Steps,
    /// The code has too many paths.
    #[error("more than {MAX_PATHS} paths: a loop without a constant bound?")]
    Paths,
}

/// Executes the function at address `code` along every path whose conditions `may_hold`.
///
/// Returns the final states of the paths. They include every state that can occur, and perhaps some that cannot.
pub fn run(
    code: u64,
    mut start: Machine,
    program: &Program,
    mut may_hold: impl FnMut(&[Term]) -> bool,
) -> Result<Vec<Machine>, Stop> {
    start.set_general(Register::RSP, number(STACK - 8, 64));
    // The contents of an unwritten stack are unknown.
    for i in 1..=STACK_WORDS {
        start.memory.add(STACK - 8 - 8 * i, unknown(64));
    }
    start.memory.add(STACK - 8, number(RETURN, 64));
    let mut decoded = HashMap::new();
    let (mut steps, mut paths) = (0, 1);
    let mut pending = vec![(code, start)];
    let mut ends = Vec::new();
    while let Some((mut address, mut machine)) = pending.pop() {
        while address != RETURN {
            steps += 1;
            if steps > MAX_STEPS {
                return Err(Stop::Steps);
            }
            let insn = match decoded.entry(address) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(decode(address, program)?),
            };
            address = match machine.step(&insn)? {
                Next::Following => insn.next_ip(),
                Next::Jump(to) => to.number().ok_or_else(|| Stop::Jump(insn.to_string()))?,
                Next::Branch(condition, to) => {
                    let mut other = machine.clone();
                    other.path.push(condition);
                    other.jumps.push((insn.ip(), true));
                    machine.path.push(!condition);
                    machine.jumps.push((insn.ip(), false));
                    match (may_hold(&machine.path), may_hold(&other.path)) {
                        (true, true) => {
                            paths += 1;
                            if paths > MAX_PATHS {
                                return Err(Stop::Paths);
                            }
                            pending.push((to, other));
                            insn.next_ip()
                        }
                        (true, false) => insn.next_ip(),
                        (false, true) => {
                            machine = other;
                            to
                        }
                        // No input leads here.
                        (false, false) => break,
                    }
                }
            };
        }
        if address == RETURN {
            ends.push(machine);
        }
    }
    Ok(ends)
}

fn decode(address: u64, program: &Program) -> Result<Instruction, Stop> {
    let bytes = program.bytes(address, 15);
    let insn = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    match insn.is_invalid() {
        true => Err(Stop::NoCode(address)),
        false => Ok(insn),
    }
}
