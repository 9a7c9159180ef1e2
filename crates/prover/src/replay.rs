//! Replay of refutations: the compiled function is called with the counterexample.

use outflank_checker::input::{Answer, Case, Input};
use outflank_checker::registry::{CheckerEntry, kernels};
use outflank_kernels::IsaError;
use outflank_kernels::geometry::{ALL, Features};

use crate::prove::Refutation;

/// Result of a replay on this CPU.
#[derive(Debug)]
pub enum Replay {
    /// The algorithm is wrong: its answer differs from the reference's.
    Confirmed(Box<Difference>),
    /// The answers agree, so the specification or the model of an instruction is wrong.
    Contradicted(Box<Case>),
    /// The CPU lacks the level.
    UnsupportedLevel(IsaError),
    /// The answer is wrong for some weights, which a counterexample does not contain.
    UnknownWeights,
}

/// An input with a wrong answer.
#[derive(Debug)]
pub struct Difference {
    /// Input of the kernel.
    pub case: Case,
    /// Answer of the reference.
    pub expected: Answer,
    /// Answer of the algorithm.
    pub got: Answer,
}

/// Calls an algorithm with the input of a refutation.
pub fn replay(entry: &'static CheckerEntry, refutation: &Refutation) -> Replay {
    if matches!(entry.kernel, "eval_sum" | "network_value" | "network_pair") {
        return Replay::UnknownWeights;
    }
    let input = input(entry, refutation);
    let got = match entry.answer(&input) {
        Ok(got) => got,
        Err(error) => return Replay::UnsupportedLevel(error),
    };
    let kernel = kernels().iter().find(|kernel| kernel.name == entry.kernel);
    let expected = (kernel.expect("every entry has its kernel").reference)(&input);
    let case = input.case;
    match got == expected {
        true => Replay::Contradicted(Box::new(case)),
        false => Replay::Confirmed(Box::new(Difference {
            case,
            expected,
            got,
        })),
    }
}

/// Makes a kernel's input from the specification's variables; variables without a value are 0.
fn input(entry: &CheckerEntry, refutation: &Refutation) -> Input {
    let value = |name: &str| refutation.values.get(name).copied().unwrap_or_default();
    let word = |name: &str| value(name).low_word();
    let has_square = entry.parameters.contains(&"square");
    let square = match refutation.values.get("square") {
        Some(square) => square.low_word() as usize,
        None if has_square => refutation.number,
        None => 0,
    };
    // Kernels that take a square are given boards on which it is empty.
    let empty = u64::from(has_square) << square;
    let mut case = Case::new(square, word("player") & !empty, word("opponent") & !empty);
    case.alpha = word("alpha") as i32;
    let squares = [0, 6, 12, 18].map(|shift| (word("squares") >> shift) as u8 & 63);
    case.squares = u32::from_le_bytes(squares);
    // The favoured squares are the first word of the pattern, and shown with the case.
    case.pattern[0] = word("favoured");
    let mut input = Input::new(case);
    let given = [("flipped", &mut input.flipped), ("legal", &mut input.legal)];
    for (name, target) in given {
        if refutation.values.contains_key(name) {
            *target = word(name);
        }
    }
    if let Some(&features) = refutation.values.get("features") {
        for (target, geometry) in input.features.iter_mut().zip(ALL) {
            if entry.geometry == Some(geometry.name) {
                let number = |i: usize| features.shifted_right(16 * i as u32).low_word() as u16;
                *target = Features(std::array::from_fn(number));
            }
        }
    }
    input
}
