//! Every model of an instruction against this machine's CPU.
//!
//! What is not compared: calls, returns and unconditional jumps, which do nothing but lead elsewhere (and, for a call,
//! push what `push` pushes), and values and flags that the model says nothing is known of. A conditional jump
//! is compared by the instruction that stores its condition.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use iced_x86::{Code, FlowControl, Instruction, Mnemonic};
use outflank_kernels::Isa;
use outflank_random::SplitMix;

use super::code::{self, Form};
use super::compare::{Outcome, check};
use super::cpu::{Cpu, in_place_of};
use super::features::has;
use super::forms;

/// With how many inputs the instructions of one opcode are compared, all together.
const INPUTS: usize = 80;

/// With how many each of them is, at least.
const LEAST: usize = 4;

/// Instructions whose results the manuals leave undefined for some operands.
const UNDEFINED: [Mnemonic; 3] = [Mnemonic::Bsf, Mnemonic::Bsr, Mnemonic::Tzcnt];

#[test]
fn the_instructions_of_the_kernels_do_what_their_models_say() {
    let all = code::of_kernels();
    let report = Report::of(&all);
    println!("instructions of the kernels: {report}");
    for &i in &report.unmodelled {
        let kernels = Vec::from_iter(all[i].kernels.iter().map(String::as_str));
        println!("no model: {} in {}", all[i].one, kernels.join(", "));
    }
    report.assert_equal();
}

#[test]
fn all_forms_of_instructions_do_what_their_models_say() {
    let report = Report::of(&forms::all());
    println!("all forms with a model: {report}");
    report.assert_equal();
}

#[test]
fn a_wrong_model_is_found() {
    use iced_x86::Register::*;
    let pairs = [
        (Code::Add_r64_rm64, Code::Sub_r64_rm64, RAX, RCX),
        // The same result, but other flags.
        (Code::Cmp_r32_rm32, Code::Test_rm32_r32, ESI, EDI),
        (Code::Paddb_xmm_xmmm128, Code::Paddw_xmm_xmmm128, XMM1, XMM9),
    ];
    for (right, wrong, a, b) in pairs {
        let of = |code| Instruction::with2(code, a, b).expect("of two registers");
        let mut cpu = Cpu::new(&[of(right)]);
        let mut random = SplitMix::new(1);
        let mut found = |model: Instruction| {
            let mut checks = (0..100).map(|_| check(&mut cpu, 0, &model, Isa::V3, &mut random));
            checks.any(|outcome| outcome.is_err())
        };
        assert!(!found(of(right)), "{right:?}");
        assert!(found(of(wrong)), "{wrong:?} instead of {right:?}");
    }
}

/// What a comparison of many instructions came to.
#[derive(Default)]
struct Report {
    compared: usize,
    inputs: usize,
    /// Those that the CPU lacks.
    lacking: usize,
    /// Those without a model, by their places in the list.
    unmodelled: BTreeSet<usize>,
    /// Those that left something undefined.
    undefined: BTreeSet<Mnemonic>,
    /// The first difference of each opcode.
    differences: BTreeMap<String, String>,
}

impl Report {
    /// Compares all instructions, in as many threads as there are cores.
    fn of(forms: &[Form]) -> Report {
        let mut alike: HashMap<_, usize> = HashMap::new();
        for form in forms {
            *alike.entry(form.one.code()).or_default() += 1;
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut report = Report::default();
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|first| {
                    let own = (first..forms.len()).step_by(threads);
                    let alike = &alike;
                    scope.spawn(move || Report::of_some(forms, own.collect(), alike))
                })
                .collect();
            for part in parts {
                report.join(part.join().expect("differences are no panics"));
            }
        });
        report
    }

    fn of_some(forms: &[Form], mut own: Vec<usize>, alike: &HashMap<Code, usize>) -> Report {
        let mut report = Report::default();
        own.retain(|&i| {
            let has = has(&forms[i].one);
            report.lacking += usize::from(!has);
            has && matches!(
                forms[i].one.flow_control(),
                FlowControl::Next | FlowControl::ConditionalBranch
            )
        });
        let mut random = SplitMix::new(1);
        let code: Vec<Instruction> = own.iter().map(|&i| in_place_of(&forms[i].one)).collect();
        let mut cpu = Cpu::new(&code);
        for (n, &i) in own.iter().enumerate() {
            let form = &forms[i];
            // With the addresses that it has there.
            let model = match form.one.is_jcc_short_or_near() {
                true => form.one,
                false => *cpu.instruction(n),
            };
            let inputs = LEAST.max(INPUTS / alike[&form.one.code()]);
            let name = format!("{:?}", form.one.code());
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
                report.undefined.insert(form.one.mnemonic());
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
            .filter(|one| !UNDEFINED.contains(one))
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
