//! Comparison of every model of an instruction with this machine's CPU.
//!
//! Calls, returns and unconditional jumps are not compared, nor are values and flags that the model leaves unknown. A
//! conditional jump is compared by the instruction that stores its condition.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use iced_x86::{Code, FlowControl, Instruction, Mnemonic};
use outflank_kernels::Isa;
use outflank_random::SplitMix64;

use super::code::{self, Form};
use super::compare::{Outcome, check};
use super::cpu::{Cpu, executable};
use super::cpu_features::has;
use super::forms;

/// Number of inputs for all instructions of one opcode together.
const INPUTS: usize = 80;

/// Minimum number of inputs for each instruction.
const MIN_INPUTS: usize = 4;

/// Instructions whose results the manuals leave undefined for some operands.
const UNDEFINED: [Mnemonic; 3] = [Mnemonic::Bsf, Mnemonic::Bsr, Mnemonic::Tzcnt];

#[test]
fn kernel_instructions_match_their_models() {
    let all = code::of_kernels();
    let report = Report::new(&all);
    println!("instructions of the kernels: {report}");
    for &i in &report.unmodelled {
        let kernels = Vec::from_iter(all[i].kernels.iter().map(String::as_str));
        println!("no model: {} in {}", all[i].insn, kernels.join(", "));
    }
    report.assert_equal();
}

#[test]
fn all_instruction_forms_match_their_models() {
    let report = Report::new(&forms::all());
    println!("all forms with a model: {report}");
    report.assert_equal();
}

#[test]
fn wrong_models_are_detected() {
    use iced_x86::Register::*;
    let pairs = [
        (Code::Add_r64_rm64, Code::Sub_r64_rm64, RAX, RCX),
        // Equal results, but different flags.
        (Code::Cmp_r32_rm32, Code::Test_rm32_r32, ESI, EDI),
        (Code::Paddb_xmm_xmmm128, Code::Paddw_xmm_xmmm128, XMM1, XMM9),
    ];
    for (right, wrong, a, b) in pairs {
        let of = |code| Instruction::with2(code, a, b).expect("an instruction of two registers");
        let mut cpu = Cpu::new(&[of(right)]);
        let mut random = SplitMix64::new(1);
        let mut found = |model: Instruction| {
            let mut checks = (0..100).map(|_| check(&mut cpu, 0, &model, Isa::V3, &mut random));
            checks.any(|outcome| outcome.is_err())
        };
        assert!(!found(of(right)), "{right:?}");
        assert!(found(of(wrong)), "{wrong:?} instead of {right:?}");
    }
}

/// Results of a comparison of many instructions.
#[derive(Default)]
struct Report {
    compared: usize,
    inputs: usize,
    /// Number of instructions that the CPU lacks.
    lacking: usize,
    /// Indices of the instructions without a model.
    unmodelled: BTreeSet<usize>,
    /// Instructions whose models left a result undefined.
    undefined: BTreeSet<Mnemonic>,
    /// First difference of each opcode.
    differences: BTreeMap<String, String>,
}

impl Report {
    /// Compares all instructions, on one thread per core.
    fn new(forms: &[Form]) -> Report {
        let mut per_opcode: HashMap<_, usize> = HashMap::new();
        for form in forms {
            *per_opcode.entry(form.insn.code()).or_default() += 1;
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut report = Report::default();
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|first| {
                    let indices = (first..forms.len()).step_by(threads);
                    let per_opcode = &per_opcode;
                    scope.spawn(move || Report::of_some(forms, indices.collect(), per_opcode))
                })
                .collect();
            for part in parts {
                report.join(part.join().expect("differences are no panics"));
            }
        });
        report
    }

    fn of_some(
        forms: &[Form],
        mut indices: Vec<usize>,
        per_opcode: &HashMap<Code, usize>,
    ) -> Report {
        let mut report = Report::default();
        indices.retain(|&i| {
            let has = has(&forms[i].insn);
            report.lacking += usize::from(!has);
            has && matches!(
                forms[i].insn.flow_control(),
                FlowControl::Next | FlowControl::ConditionalBranch
            )
        });
        let mut random = SplitMix64::new(1);
        let code: Vec<Instruction> = indices
            .iter()
            .map(|&i| executable(&forms[i].insn))
            .collect();
        let mut cpu = Cpu::new(&code);
        for (n, &i) in indices.iter().enumerate() {
            let form = &forms[i];
            // The copy on the CPU has other addresses than the form.
            let model = match form.insn.is_jcc_short_or_near() {
                true => form.insn,
                false => *cpu.instruction(n),
            };
            let inputs = MIN_INPUTS.max(INPUTS / per_opcode[&form.insn.code()]);
            let name = format!("{:?}", form.insn.code());
            if report.differences.contains_key(&name) {
                continue;
            }
            let mut outcomes = Vec::new();
            for _ in 0..inputs {
                match check(&mut cpu, n, &model, form.isa, &mut random) {
                    Ok(outcome) => outcomes.push(outcome),
                    Err(difference) => {
                        report.differences.insert(name, difference);
                        break;
                    }
                }
            }
            if outcomes.contains(&Outcome::Undefined) {
                report.undefined.insert(form.insn.mnemonic());
            }
            let compared = outcomes
                .iter()
                .filter(|&&outcome| outcome != Outcome::Unmodelled)
                .count();
            report.inputs += compared;
            report.compared += usize::from(compared > 0);
            if !outcomes.is_empty() && compared == 0 {
                report.unmodelled.insert(i);
            }
        }
        report
    }

    fn join(&mut self, other: Report) {
        self.compared += other.compared;
        self.inputs += other.inputs;
        self.lacking += other.lacking;
        self.unmodelled.extend(other.unmodelled);
        self.undefined.extend(other.undefined);
        self.differences.extend(other.differences);
    }

    fn assert_equal(&self) {
        let texts: Vec<&str> = self
            .differences
            .values()
            .map(String::as_str)
            .take(10)
            .collect();
        assert!(
            texts.is_empty(),
            "{} models differ:\n{}",
            self.differences.len(),
            texts.join("\n\n")
        );
        let unexpected: Vec<_> = self
            .undefined
            .iter()
            .filter(|mnemonic| !UNDEFINED.contains(mnemonic))
            .collect();
        assert!(
            unexpected.is_empty(),
            "the models of {unexpected:?} leave results undefined"
        );
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            compared,
            inputs,
            lacking,
            unmodelled,
            ..
        } = self;
        let unmodelled = unmodelled.len();
        write!(
            f,
            "{compared} compared, with {inputs} inputs; {unmodelled} without a model, {lacking} that this CPU lacks"
        )
    }
}
