//! Outcomes of proofs as text and as a Markdown page.

use std::time::Duration;

use outflank_checker::registry::CheckerEntry;
use outflank_kernels::Isa;

use crate::batch::ProofAttempt;
use crate::outcome::Outcome;

/// Line about a proof.
pub fn line(proof: &ProofAttempt) -> String {
    let effort = &proof.effort;
    let mut line = format!("{:<38} {}", proof.entry.name(), proof.outcome.name());
    if let Some(reason) = proof.outcome.reason() {
        line += &format!(": {reason}");
    }
    if !matches!(proof.outcome, Outcome::NoSpecification) {
        let seconds = proof.time.as_secs_f64();
        line += &format!(
            " ({seconds:.2} s; {} by rewriting, {} by the solver, {} known)",
            effort.by_rewriting, effort.asked, effort.cached
        );
    }
    line
}

/// Line with the number of proofs of each outcome.
pub fn summary(proofs: &[ProofAttempt], time: Duration) -> String {
    let counts = Outcome::NAMES.iter().filter_map(|&name| {
        let has_name = |proof: &&ProofAttempt| proof.outcome.name() == name;
        match proofs.iter().filter(has_name).count() {
            0 => None,
            count => Some(format!("{count} {name}")),
        }
    });
    let counts: Vec<String> = counts.collect();
    let (all, seconds) = (proofs.len(), time.as_secs_f64());
    format!("of {all}: {} in {seconds:.1} s", counts.join(", "))
}

/// Sorts proofs in the order of their entries. They arrive in the order in which they end.
pub fn sort(proofs: &mut [ProofAttempt], entries: &[&'static CheckerEntry]) {
    proofs.sort_by_key(|proof| entries.iter().position(|entry| *entry == proof.entry));
}

/// Formats the page: a table of all kernels by level, and the algorithms that are not proved.
pub fn markdown(proofs: &[ProofAttempt], solver: &str) -> String {
    let is_proved = |proof: &&ProofAttempt| matches!(proof.outcome, Outcome::Proved);
    let proved = proofs.iter().filter(is_proved).count();
    let all = proofs.len();
    let mut levels: Vec<Isa> = proofs.iter().map(|proof| proof.entry.isa).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut kernels: Vec<&str> = proofs.iter().map(|proof| proof.entry.kernel).collect();
    kernels.sort_unstable();
    kernels.dedup();

    let mut page = format!(
        "# Proved kernels\n\n\
         {proved} of {all} algorithms at their levels are proved, from their machine code and for every input, \
         with {solver}.\n`outflank-prover --report FILE` writes this page. \
         [verification.md](guide/verification.md#proofs) describes the proofs and what they rest on.\n\n\
         A cell has the number of proved algorithms at the level, and the number of all if some are not proved.\n\n\
         | kernel |"
    );
    for isa in &levels {
        page += &format!(" {isa} |");
    }
    page += "\n|---|";
    page += &"---:|".repeat(levels.len());
    for kernel in kernels {
        page += &format!("\n| `{kernel}` |");
        for &isa in &levels {
            let at_level = proofs.iter();
            let at_level =
                at_level.filter(|proof| proof.entry.kernel == kernel && proof.entry.isa == isa);
            let cell = match (at_level.clone().filter(is_proved).count(), at_level.count()) {
                (_, 0) => String::new(),
                (proved, all) if proved == all => format!("{all}"),
                (proved, all) => format!("{proved} of {all}"),
            };
            page += &format!(" {cell} |");
        }
    }
    page += "\n";
    if proved < all {
        page += "\nNot proved:\n\n| algorithm | levels | outcome |\n|---|---|---|\n";
    }
    // One row for the levels of an algorithm with equal outcomes.
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for proof in proofs.iter().filter(|proof| !is_proved(proof)) {
        let entry = proof.entry;
        let name = format!("{}.{}", entry.kernel, entry.algorithm);
        let outcome = match proof.outcome.reason() {
            Some(reason) => format!("{}: {reason}", proof.outcome.name()),
            None => proof.outcome.name().to_owned(),
        };
        let mut same = rows.iter_mut();
        match same.find(|row| row.0 == name && row.1 == outcome) {
            Some(row) => row.2.push(entry.isa.name()),
            None => rows.push((name, outcome, vec![entry.isa.name()])),
        }
    }
    for (name, outcome, levels) in rows {
        page += &format!("| `{name}` | {} | {outcome} |\n", levels.join(", "));
    }
    page
}
