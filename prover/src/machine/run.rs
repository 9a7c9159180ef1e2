//! Code from its first instruction to its return, along every path.

use std::collections::HashMap;

use iced_x86::{Decoder, DecoderOptions, Instruction, Register};

use super::{Machine, Next, Program, Unmodelled};
use crate::term::{Term, number, unknown};

/// Where the return address of the first function leads: nowhere.
const RETURN: u64 = 0x0BAD_0BAD_0BAD_0000;

/// Where the stack begins; it grows down from here.
const STACK: u64 = 0x6000_0000_0000;

/// The words below the return address that code may use.
const STACK_WORDS: u64 = 0x100;

/// How far code is followed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions along all paths.
    pub steps: usize,
    /// Paths.
    pub paths: usize,
}

/// Why code was not followed to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    /// Something has no model.
    #[error(transparent)]
    Unmodelled(#[from] Unmodelled),
    /// What is no instruction, or not in the program.
    #[error("{0:#x} is not code of the program")]
    NoCode(u64),
    /// A jump to an address that depends on the input.
    #[error("{0} leads to an address that depends on the input")]
    Jump(String),
    /// Too many instructions.
    #[error("more than {0} instructions: a loop without a constant bound?")]
    Steps(usize),
    /// Too many paths.
    #[error("more than {0} paths: a loop without a constant bound?")]
    Paths(usize),
}

/// Runs a function from its address to its return, along every path whose conditions `may_hold`; the results are
/// the states at the returns. They are no less than all states that there can be.
pub fn run(
    code: u64,
    mut start: Machine,
    program: &Program,
    limits: Limits,
    mut may_hold: impl FnMut(&[Term]) -> bool,
) -> Result<Vec<Machine>, Stop> {
    start.set_general(Register::RSP, number(STACK - 8, 64));
    // What lies on a stack before anything is written there is anything.
    for i in 1..=STACK_WORDS {
        start.memory.add(STACK - 8 - 8 * i, unknown(64));
    }
    start.memory.add(STACK - 8, number(RETURN, 64));
    let mut decoded = HashMap::new();
    let (mut steps, mut paths) = (0, 1);
    let mut left = vec![(code, start)];
    let mut ends = Vec::new();
    while let Some((mut address, mut machine)) = left.pop() {
        while address != RETURN {
            steps += 1;
            if steps > limits.steps {
                return Err(Stop::Steps(limits.steps));
            }
            let one = match decoded.get(&address) {
                Some(one) => *one,
                None => {
                    let one = decode(address, program)?;
                    decoded.insert(address, one);
                    one
                }
            };
            address = match machine.step(&one)? {
                Next::On => one.next_ip(),
                Next::To(to) => to.number().ok_or_else(|| Stop::Jump(one.to_string()))?,
                Next::If(condition, to) => {
                    let mut other = machine.clone();
                    other.path.push(condition);
                    other.jumps.push((one.ip(), true));
                    machine.path.push(!condition);
                    machine.jumps.push((one.ip(), false));
                    match (may_hold(&machine.path), may_hold(&other.path)) {
                        (true, true) => {
                            paths += 1;
                            if paths > limits.paths {
                                return Err(Stop::Paths(limits.paths));
                            }
                            left.push((to, other));
                            one.next_ip()
                        }
                        (true, false) => one.next_ip(),
                        (false, true) => {
                            machine = other;
                            to
                        }
                        // Nothing leads here.
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
    let one = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    match one.is_invalid() {
        true => Err(Stop::NoCode(address)),
        false => Ok(one),
    }
}
