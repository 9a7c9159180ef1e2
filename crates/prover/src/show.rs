//! Proofs as text and as JSON.

use std::io;

use outflank_checker::check::describe;
use outflank_checker::input::Answer;
use outflank_console::console::print_line;
use outflank_console::json::to_line;
use outflank_prover::batch::ProofAttempt;
use outflank_prover::prove::{Outcome, Refutation};
use outflank_prover::replay::{Replay, replay};
use outflank_prover::report;
use serde::Serialize;

/// Writes a line about a proof, and the details of a refutation.
pub(super) fn text(proof: &ProofAttempt) -> io::Result<()> {
    print_line(report::line(proof))?;
    match &proof.outcome {
        Outcome::Refuted(refutation) => refutation_text(proof, refutation),
        _ => Ok(()),
    }
}

/// Writes the input of a refutation and the result of the CPU.
fn refutation_text(proof: &ProofAttempt, refutation: &Refutation) -> io::Result<()> {
    match replay(proof.entry, refutation) {
        Replay::Confirmed(difference) => {
            print_line(describe(proof.entry, &difference.case))?;
            print_line(format_args!("  expected   {:?}", difference.expected))?;
            print_line(format_args!("  got        {:?}", difference.got))?;
        }
        Replay::Contradicted(case) => {
            print_line(describe(proof.entry, &case))?;
            print_line("  on the CPU the answer is right: a mistake of the prover")?;
        }
        Replay::UnsupportedLevel(error) => {
            print_line(format_args!("  {:x?}", refutation.values))?;
            print_line(format_args!("  not tried on the CPU: {error}"))?;
        }
        Replay::UnknownWeights => print_line("  not tried on the CPU: the weights are not known")?,
    }
    let jumps = refutation.path.iter().map(|&(at, taken)| {
        let taken = if taken { "taken" } else { "not taken" };
        format!("+{at:#x} {taken}")
    });
    let jumps: Vec<String> = jumps.collect();
    match jumps.is_empty() {
        true => Ok(()),
        false => print_line(format_args!("  jumps      {}", jumps.join(", "))),
    }
}

#[derive(Serialize)]
struct Row<'a> {
    kernel: &'a str,
    algorithm: &'a str,
    isa: &'a str,
    selected: bool,
    outcome: &'a str,
    why: Option<&'a str>,
    paths: usize,
    by_rewriting: usize,
    questions: usize,
    cached: usize,
    solver_s: f64,
    time_s: f64,
    refutation: Option<RefutationRow>,
}

#[derive(Serialize)]
struct RefutationRow {
    case: String,
    /// Values of the input, in hexadecimal, by their names in the specification.
    values: std::collections::BTreeMap<String, String>,
    /// Jumps with their offsets in the code.
    path: Vec<JumpRow>,
    /// Result on the CPU: "confirmed", "contradicted" or "not tried".
    replay: &'static str,
    input: Option<String>,
    expected: Option<Vec<String>>,
    got: Option<Vec<String>>,
}

#[derive(Serialize)]
struct JumpRow {
    at: u64,
    taken: bool,
}

/// Writes a proof as a JSON object.
pub(super) fn json(proof: &ProofAttempt) -> io::Result<()> {
    let effort = &proof.effort;
    let row = Row {
        kernel: proof.entry.kernel,
        algorithm: proof.entry.algorithm,
        isa: proof.entry.isa.name(),
        selected: proof.entry.selected,
        outcome: proof.outcome.name(),
        why: proof.outcome.reason(),
        paths: effort.paths,
        by_rewriting: effort.by_rewriting,
        questions: effort.asked,
        cached: effort.cached,
        solver_s: effort.solver.as_secs_f64(),
        time_s: proof.time.as_secs_f64(),
        refutation: match &proof.outcome {
            Outcome::Refuted(refutation) => Some(refutation_row(proof, refutation)),
            _ => None,
        },
    };
    print_line(to_line(&row))
}

fn refutation_row(proof: &ProofAttempt, refutation: &Refutation) -> RefutationRow {
    let words = |answer: Answer| {
        let words = answer.0.iter().map(|word| format!("{word:#x}"));
        Some(words.collect())
    };
    let (replay, case, expected, got) = match replay(proof.entry, refutation) {
        Replay::Confirmed(difference) => (
            "confirmed",
            Some(difference.case),
            words(difference.expected),
            words(difference.got),
        ),
        Replay::Contradicted(case) => ("contradicted", Some(*case), None, None),
        Replay::UnsupportedLevel(_) | Replay::UnknownWeights => ("not tried", None, None, None),
    };
    let values = refutation.values.iter();
    let jumps = refutation.path.iter();
    RefutationRow {
        case: refutation.case.clone(),
        values: values
            .map(|(name, value)| (name.clone(), format!("{value:?}")))
            .collect(),
        path: jumps.map(|&(at, taken)| JumpRow { at, taken }).collect(),
        replay,
        input: case.map(|case| format!("{case:?}")),
        expected,
        got,
    }
}
