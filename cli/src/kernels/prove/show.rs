//! Proofs as lines for people, and as JSON.

use std::io;
use std::time::Duration;

use outflank_checker::check::describe;
use outflank_checker::input::Answer;
use outflank_prover::batch::Proof;
use outflank_prover::prove::{Outcome, Refutation};
use outflank_prover::replay::{Replay, replay};
use serde::Serialize;

use crate::output::line;

/// The outcome in a word or two.
pub(super) fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Proved => "proved",
        Outcome::Refuted(_) => "refuted",
        Outcome::NotModelled(_) => "not modelled",
        Outcome::OutOfTime(_) => "out of time",
        Outcome::NoSpecification => "no specification",
    }
}

/// What kept a proof from its end.
pub(super) fn why(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::NotModelled(why) | Outcome::OutOfTime(why) => Some(why),
        Outcome::Refuted(refutation) => Some(&refutation.case),
        Outcome::Proved | Outcome::NoSpecification => None,
    }
}

/// Writes a line about a proof, and more about a refutation.
pub(super) fn text(proof: &Proof) -> io::Result<()> {
    let effort = &proof.effort;
    let mut told = format!("{:<38} {}", proof.entry.name(), word(&proof.outcome));
    if let Some(why) = why(&proof.outcome) {
        told += &format!(": {why}");
    }
    if !matches!(proof.outcome, Outcome::NoSpecification) {
        let seconds = proof.time.as_secs_f64();
        told += &format!(
            " ({seconds:.2} s; {} by rewriting, {} by the solver, {} known)",
            effort.by_rewriting, effort.asked, effort.cached
        );
    }
    line(told)?;
    match &proof.outcome {
        Outcome::Refuted(refutation) => refuted(proof, refutation),
        _ => Ok(()),
    }
}

/// Writes the input of a refutation, and what the CPU makes of it.
fn refuted(proof: &Proof, refutation: &Refutation) -> io::Result<()> {
    match replay(proof.entry, refutation) {
        Replay::Confirmed(difference) => {
            line(describe(proof.entry, &difference.case))?;
            line(format_args!("  expected   {:?}", difference.expected))?;
            line(format_args!("  got        {:?}", difference.got))?;
        }
        Replay::Contradicted(case) => {
            line(describe(proof.entry, &case))?;
            line("  on the CPU the answer is right: a mistake of the prover")?;
        }
        Replay::Lacking(error) => {
            line(format_args!("  {:x?}", refutation.values))?;
            line(format_args!("  not tried on the CPU: {error}"))?;
        }
        Replay::Weights => line("  not tried on the CPU: the weights are not known")?,
    }
    let jumps = refutation.path.iter().map(|&(at, taken)| match taken {
        true => format!("+{at:#x} taken"),
        false => format!("+{at:#x} not taken"),
    });
    let jumps: Vec<String> = jumps.collect();
    match jumps.is_empty() {
        true => Ok(()),
        false => line(format_args!("  jumps      {}", jumps.join(", "))),
    }
}

/// Writes how many came out how.
pub(super) fn summary(proofs: &[Proof], time: Duration) -> io::Result<()> {
    let outcomes = [
        "proved",
        "refuted",
        "not modelled",
        "out of time",
        "no specification",
    ];
    let counts = outcomes.iter().filter_map(|&outcome| {
        let own = proofs
            .iter()
            .filter(|proof| word(&proof.outcome) == outcome);
        match own.count() {
            0 => None,
            count => Some(format!("{count} {outcome}")),
        }
    });
    let counts: Vec<String> = counts.collect();
    let seconds = time.as_secs_f64();
    line(format_args!(
        "of {}: {} in {seconds:.1} s",
        proofs.len(),
        counts.join(", ")
    ))
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
    /// By the names in the specification, in hexadecimal digits.
    values: std::collections::BTreeMap<String, String>,
    /// Jumps, by their distances from the beginning of the code.
    path: Vec<JumpRow>,
    /// What the CPU said: "confirmed", "contradicted" or "not tried".
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
pub(super) fn json(proof: &Proof) -> io::Result<()> {
    let effort = &proof.effort;
    let row = Row {
        kernel: proof.entry.kernel,
        algorithm: proof.entry.algorithm,
        isa: proof.entry.isa.name(),
        selected: proof.entry.selected,
        outcome: word(&proof.outcome),
        why: why(&proof.outcome),
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
    line(crate::json::text(&row))
}

fn refutation_row(proof: &Proof, refutation: &Refutation) -> RefutationRow {
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
        Replay::Lacking(_) | Replay::Weights => ("not tried", None, None, None),
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
