//! Instructions of the kernels, read from this process's own memory.

use std::collections::{BTreeSet, HashMap, HashSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use outflank_kernels::Isa;
use outflank_kernels::registry::{KernelEntry, entries};
use outflank_prover::machine::Program;

/// Instruction to compare.
pub(crate) struct Form {
    pub(crate) insn: Instruction,
    /// Lowest level whose code has the instruction, among the levels that share its model.
    pub(crate) isa: Isa,
    /// Kernels whose code has the instruction.
    pub(crate) kernels: BTreeSet<String>,
}

/// Instructions of the kernels and of the functions that they call, each encoding once.
///
/// Instructions that differ only in their own address or in the target of a branch count as one.
pub(crate) fn of_kernels() -> Vec<Form> {
    let mut forms: HashMap<(Instruction, bool), Form> = HashMap::new();
    let program = Program::running();
    for entry in entries() {
        for insn in of_kernel(entry, &program) {
            let mut alike = insn;
            if insn.is_ip_rel_memory_operand() {
                alike.set_memory_displacement64(0);
            } else if insn.near_branch_target() != 0 {
                alike.set_near_branch64(0);
            }
            let key = (alike, entry.isa < Isa::V3);
            let form = forms.entry(key).or_insert_with(|| Form {
                insn,
                isa: entry.isa,
                kernels: BTreeSet::new(),
            });
            form.kernels.insert(format!("{entry:?}"));
        }
    }
    let mut forms: Vec<Form> = forms.into_values().collect();
    // A fixed order.
    forms.sort_by_key(|form| (form.insn.code() as u32, form.insn.to_string(), form.isa));
    forms
}

fn of_kernel(entry: &KernelEntry, program: &Program) -> Vec<Instruction> {
    let mut left = vec![entry.address() as u64];
    let (mut seen, mut code) = (HashSet::new(), Vec::new());
    while let Some(mut address) = left.pop() {
        while seen.insert(address) {
            let bytes = program.bytes(address, 15);
            let insn = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
            assert!(
                !insn.is_invalid(),
                "{entry:?} leads to what is no code: {address:#x}"
            );
            code.push(insn);
            match insn.flow_control() {
                FlowControl::ConditionalBranch | FlowControl::Call => {
                    left.push(insn.near_branch_target())
                }
                FlowControl::UnconditionalBranch => {
                    left.push(insn.near_branch_target());
                    break;
                }
                FlowControl::Return | FlowControl::IndirectBranch | FlowControl::Exception => break,
                _ => (),
            }
            address = insn.next_ip();
        }
    }
    code
}
