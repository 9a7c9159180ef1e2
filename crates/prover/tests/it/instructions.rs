//! Comparison of every model of an instruction with this machine's CPU.
//!
//! Calls, returns and unconditional jumps are not compared, nor are values and flags that the model leaves unknown. A
//! conditional jump is compared by the instruction that stores its condition.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Mutex;

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
    for form in &report.unmodelled {
        let kernels = Vec::from_iter(form.kernels.iter().map(String::as_str));
        println!("no model: {} in {}", form.insn, kernels.join(", "));
    }
    report.assert_equal();
}

#[test]
fn all_instruction_forms_match_their_models() {
    let forms = forms::all();
    let report = Report::new(&forms);
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
struct Report<'a> {
    compared: usize,
    inputs: usize,
    /// Number of instructions that the CPU lacks.
    lacking: usize,
    unmodelled: Vec<&'a Form>,
    /// Instructions whose models left a result undefined.
    undefined: BTreeSet<Mnemonic>,
    /// First difference of each opcode.
    differences: BTreeMap<String, String>,
}

impl<'a> Report<'a> {
    /// Compares all instructions, on one thread per core.
    fn new(forms: &'a [Form]) -> Report<'a> {
        let mut per_opcode: HashMap<_, usize> = HashMap::new();
        for form in forms {
            *per_opcode.entry(form.insn.code()).or_default() += 1;
        }
        let (mut present, lacking): (Vec<&Form>, Vec<&Form>) =
            forms.iter().partition(|form| has(&form.insn));
        present.retain(|form| {
            let flow = form.insn.flow_control();
            matches!(flow, FlowControl::Next | FlowControl::ConditionalBranch)
        });
        let report = Mutex::new(Report {
            lacking: lacking.len(),
            ..Report::default()
        });
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for first in 0..threads {
                let part = present.iter().copied().skip(first).step_by(threads);
                let (part, report, per_opcode) = (part.collect(), &report, &per_opcode);
                scope.spawn(move || compare(part, per_opcode, report));
            }
        });
        report.into_inner().expect("differences are no panics")
    }

    /// Adds the outcomes for some inputs of an instruction, or a difference.
    fn add(&mut self, form: &'a Form, outcomes: Result<Vec<Outcome>, String>) {
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(difference) => {
                let name = format!("{:?}", form.insn.code());
                self.differences.entry(name).or_insert(difference);
                return;
            }
        };
        if outcomes.contains(&Outcome::Undefined) {
            self.undefined.insert(form.insn.mnemonic());
        }
        let unmodelled = outcomes
            .iter()
            .filter(|&&outcome| outcome == Outcome::Unmodelled);
        match outcomes.len() - unmodelled.count() {
            0 => self.unmodelled.push(form),
            inputs => {
                self.compared += 1;
                self.inputs += inputs;
            }
        }
    }

    fn assert_equal(&self) {
        let count = self.differences.len();
        let texts: Vec<&str> = self.differences.values().map(String::as_str).collect();
        let first = texts[..count.min(10)].join("\n\n");
        assert_eq!(count, 0, "{count} models differ:\n{first}");
        let mut unexpected = self.undefined.clone();
        unexpected.retain(|mnemonic| !UNDEFINED.contains(mnemonic));
        assert!(
            unexpected.is_empty(),
            "the models of {unexpected:?} leave results undefined"
        );
    }
}

/// Compares instructions on one thread.
fn compare<'a>(
    forms: Vec<&'a Form>,
    per_opcode: &HashMap<Code, usize>,
    report: &Mutex<Report<'a>>,
) {
    let mut random = SplitMix64::new(1);
    let code: Vec<Instruction> = forms.iter().map(|form| executable(&form.insn)).collect();
    let mut cpu = Cpu::new(&code);
    for (n, form) in forms.into_iter().enumerate() {
        // The copy on the CPU has other addresses than the form.
        let model = match form.insn.is_jcc_short_or_near() {
            true => form.insn,
            false => cpu.slots[n].insn,
        };
        let inputs = MIN_INPUTS.max(INPUTS / per_opcode[&form.insn.code()]);
        let outcome = |_| check(&mut cpu, n, &model, form.isa, &mut random);
        let outcomes = (0..inputs).map(outcome).collect();
        report
            .lock()
            .expect("no panic while locked")
            .add(form, outcomes);
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (compared, inputs, lacking) = (self.compared, self.inputs, self.lacking);
        let unmodelled = self.unmodelled.len();
        write!(
            f,
            "{compared} compared, with {inputs} inputs; {unmodelled} without a model, {lacking} that this CPU lacks"
        )
    }
}
