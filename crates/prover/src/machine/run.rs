//! Symbolic execution of a function, from its first instruction to its return, along every path.

use std::collections::hash_map::Entry;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Machine, Next, Program, Unmodelled};
use crate::term::{Term, number, unknown};

/// Return address of the function that is executed; no code lies there.
pub const RETURN: u64 = 0x0BAD_0BAD_0BAD_0000;

/// Address of the top of the stack, which grows down from here.
const STACK: u64 = 0x6000_0000_0000;

/// Number of words below the return address that code may use.
const STACK_WORDS: u64 = 0x200;

/// Maximum number of instructions along all paths together, against loops without a constant bound.
const MAX_STEPS: usize = 200_000;

/// Maximum number of paths.
const MAX_PATHS: usize = 2_000;

/// Maximum number of paths that wait for each other.
const MAX_WAITING: usize = 40;

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

/// Machine at the call of a function, with a stack whose contents are unknown.
pub fn called(mut machine: Machine) -> Machine {
    machine.set_general(Register::RSP, number(STACK - 8, 64));
    for i in 1..=STACK_WORDS {
        machine.memory.add(STACK - 8 - 8 * i, unknown(64));
    }
    machine.memory.add(STACK - 8, number(RETURN, 64));
    machine
}

/// Follows the paths through a function, within limits for all paths together.
pub struct Paths<'a> {
    program: &'a Program,
    decoded: FxHashMap<u64, Instruction>,
    steps: usize,
    paths: usize,
}

impl Paths<'_> {
    /// Paths through code of a program.
    pub fn new(program: &Program) -> Paths<'_> {
        Paths {
            program,
            decoded: FxHashMap::default(),
            steps: 0,
            paths: 1,
        }
    }

    /// Executes code from an address along every path whose conditions `may_hold`, up to the next of the addresses
    /// `stops` or to [`RETURN`].
    ///
    /// Returns the states at the ends with their addresses. They include every state that can occur, and perhaps some
    /// that cannot.
    pub fn follow(
        &mut self,
        from: u64,
        start: Machine,
        stops: &[u64],
        mut may_hold: impl FnMut(&[Term]) -> bool,
    ) -> Result<Vec<(u64, Machine)>, Stop> {
        let is_end = |address| address == RETURN || stops.contains(&address);
        let mut pending = vec![(from, start)];
        let mut ends = Vec::new();
        while let Some((mut address, mut machine)) = pending.pop() {
            let is_reachable = loop {
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return Err(Stop::Steps);
                }
                let insn = self.decode(address)?;
                let next = machine.step(&insn)?;
                machine.cut(&insn);
                address = match next {
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
                                self.paths += 1;
                                if self.paths > MAX_PATHS {
                                    return Err(Stop::Paths);
                                }
                                match is_end(to) {
                                    true => ends.push((to, other)),
                                    false => pending.push((to, other)),
                                }
                                insn.next_ip()
                            }
                            (true, false) => insn.next_ip(),
                            (false, true) => {
                                machine = other;
                                to
                            }
                            // No input leads here.
                            (false, false) => break false,
                        }
                    }
                };
                if is_end(address) {
                    break true;
                }
            };
            if is_reachable {
                ends.push((address, machine));
            }
        }
        Ok(ends)
    }

    /// Executes a function from an address along every path. The two sides of a branch become one path where they meet.
    ///
    /// Returns the final states. They include every state that can occur, and perhaps some that cannot.
    pub fn follow_joined(&mut self, from: u64, start: Machine) -> Result<Vec<Machine>, Stop> {
        let mut pending = vec![(from, start)];
        let mut ends = Vec::new();
        // The state with the lowest address goes on, so both sides of a branch wait where they meet.
        while let Some(lowest) = (0..pending.len()).min_by_key(|&i| pending[i].0) {
            let (address, mut machine) = pending.swap_remove(lowest);
            if address == RETURN {
                ends.push(machine);
                continue;
            }
            let is_here = |(other_address, other): &(u64, Machine)| {
                *other_address == address && machine.is_other_side(other)
            };
            if let Some(i) = pending.iter().position(is_here) {
                machine.join(&pending.swap_remove(i).1);
                pending.push((address, machine));
                continue;
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Stop::Steps);
            }
            let insn = self.decode(address)?;
            let next = machine.step(&insn)?;
            machine.cut(&insn);
            let following = match next {
                Next::Following => insn.next_ip(),
                Next::Jump(to) => to.number().ok_or_else(|| Stop::Jump(insn.to_string()))?,
                Next::Branch(condition, to) => {
                    if pending.len() > MAX_WAITING {
                        return Err(Stop::Paths);
                    }
                    let mut other = machine.clone();
                    other.path.push(condition);
                    other.jumps.push((insn.ip(), true));
                    machine.path.push(!condition);
                    machine.jumps.push((insn.ip(), false));
                    pending.push((to, other));
                    insn.next_ip()
                }
            };
            pending.push((following, machine));
        }
        Ok(ends)
    }

    /// Targets of all jumps backwards in a function: the heads of its loops are among them.
    pub fn backward_targets(&mut self, code: u64) -> Result<Vec<u64>, Stop> {
        let (mut left, mut seen) = (vec![code], FxHashSet::default());
        let mut targets = Vec::new();
        while let Some(mut address) = left.pop() {
            while seen.insert(address) {
                let insn = self.decode(address)?;
                let target = insn.near_branch_target();
                let is_call = insn.flow_control() == FlowControl::Call;
                if target != 0 {
                    left.push(target);
                    if target <= address && !is_call && !targets.contains(&target) {
                        targets.push(target);
                    }
                }
                match insn.flow_control() {
                    FlowControl::Next | FlowControl::ConditionalBranch | FlowControl::Call => {
                        address = insn.next_ip();
                    }
                    _ => break,
                }
            }
        }
        Ok(targets)
    }

    fn decode(&mut self, address: u64) -> Result<Instruction, Stop> {
        Ok(match self.decoded.entry(address) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(decode(address, self.program)?),
        })
    }
}

fn decode(address: u64, program: &Program) -> Result<Instruction, Stop> {
    let bytes = program.bytes(address, 15);
    let insn = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    match insn.is_invalid() {
        true => Err(Stop::NoCode(address)),
        false => Ok(insn),
    }
}
