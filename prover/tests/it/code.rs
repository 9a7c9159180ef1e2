//! The instructions of the kernels, read from this process's own memory.

use std::collections::{BTreeSet, HashMap, HashSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use outflank_kernels::Isa;
use outflank_kernels::registry::{Entry, entries};
use outflank_prover::machine::Program;

/// An instruction to be compared.
pub(crate) struct Form {
    pub(crate) one: Instruction,
    /// The lowest level whose code has it, of those that have one model of it.
    pub(crate) isa: Isa,
    /// The kernels that have it.
    pub(crate) kernels: BTreeSet<String>,
}

/// Every instruction in the code of the kernels and of the functions that they call, each encoding once. Where a
/// branch leads to does not count, nor where the instruction itself lies.
pub(crate) fn of_kernels() -> Vec<Form> {
    let mut forms: HashMap<(Instruction, bool), Form> = HashMap::new();
    let program = Program::running();
    for entry in entries() {
        for one in of_kernel(entry, &program) {
            let mut alike = one;
            if one.is_ip_rel_memory_operand() {
                alike.set_memory_displacement64(0);
            } else if one.near_branch_target() != 0 {
                alike.set_near_branch64(0);
            }
            let key = (alike, entry.isa < Isa::V3);
            let form = forms.entry(key).or_insert_with(|| Form {
                one,
                isa: entry.isa,
                kernels: BTreeSet::new(),
            });
            form.kernels.insert(format!("{entry:?}"));
        }
    }
    let mut forms: Vec<Form> = forms.into_values().collect();
    // The same order every time.
    forms.sort_by_key(|form| (form.one.code() as u32, form.one.to_string(), form.isa));
    forms
}

fn of_kernel(entry: &Entry, program: &Program) -> Vec<Instruction> {
    let mut left = vec![entry.address() as u64];
    let (mut seen, mut code) = (HashSet::new(), Vec::new());
    while let Some(mut address) = left.pop() {
        while seen.insert(address) {
            let bytes = program.bytes(address, 15);
            let one = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
            assert!(
                !one.is_invalid(),
                "{entry:?} leads to what is no code: {address:#x}"
            );
            code.push(one);
            match one.flow_control() {
                FlowControl::ConditionalBranch | FlowControl::Call => {
                    left.push(one.near_branch_target())
                }
                FlowControl::UnconditionalBranch => {
                    left.push(one.near_branch_target());
                    break;
                }
                FlowControl::Return | FlowControl::IndirectBranch | FlowControl::Exception => break,
                _ => (),
            }
            address = one.next_ip();
        }
    }
    code
}
