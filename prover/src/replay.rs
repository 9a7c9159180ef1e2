//! Refutations on the CPU: the compiled function is called with the input that the solver found.

use outflank_checker::input::{Answer, Case, Input};
use outflank_checker::registry::{Entry, kernels};
use outflank_kernels::IsaError;
use outflank_kernels::geometry::{ALL, Features};

use crate::prove::Refutation;

/// What the CPU says of a refutation.
#[derive(Debug)]
pub enum Replay {
    /// It answers otherwise than the reference: the algorithm is wrong.
    Confirmed(Box<Difference>),
    /// It answers as the reference does, so the specification or a model of an instruction is wrong.
    Contradicted(Box<Case>),
    /// It lacks the level.
    Lacking(IsaError),
    /// The sum is wrong for some weights, which the solver does not name.
    Weights,
}

/// An input with a wrong answer.
#[derive(Debug)]
pub struct Difference {
    /// The input.
    pub case: Case,
    /// What the reference answers.
    pub expected: Answer,
    /// What the algorithm answers.
    pub got: Answer,
}

/// Calls an algorithm with what a refutation says.
pub fn replay(entry: &'static Entry, refutation: &Refutation) -> Replay {
    if matches!(entry.kernel, "eval_sum" | "network_value" | "network_pair") {
        return Replay::Weights;
    }
    let input = input(entry, refutation);
    let got = match entry.answer(&input) {
        Ok(got) => got,
        Err(error) => return Replay::Lacking(error),
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

/// What the variables of the specifications stand for; what the solver did not need is 0.
fn input(entry: &Entry, refutation: &Refutation) -> Input {
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
    let squares = [0, 6, 12, 18].map(|place| (word("squares") >> place) as u8 & 63);
    case.squares = u32::from_le_bytes(squares);
    let mut input = Input::new(case);
    let given = [
        ("flipped", &mut input.flipped),
        ("legal", &mut input.legal),
        ("favoured", &mut input.favoured),
    ];
    for (name, own) in given {
        if refutation.values.contains_key(name) {
            *own = word(name);
        }
    }
    if let Some(&features) = refutation.values.get("features") {
        for (own, geometry) in input.features.iter_mut().zip(ALL) {
            if entry.geometry == Some(geometry.name) {
                let number = |i: usize| features.shifted_right(16 * i as u32).low_word() as u16;
                *own = Features(std::array::from_fn(number));
            }
        }
    }
    input
}
