//! The results of all proofs as a page of Markdown.

use std::fmt::Write;

use outflank::Isa;
use outflank_prover::batch::Proof;
use outflank_prover::prove::Outcome;

use super::show::{why, word};

/// The page.
pub(super) fn markdown(proofs: &[Proof], solver: &str) -> String {
    let is_proved = |proof: &&Proof| matches!(proof.outcome, Outcome::Proved);
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
         with {solver}.\nMade by `outflank kernels prove --report FILE`; how, and what a proof rests on, is in \
         [verification.md](guide/verification.md#proofs).\n\n\
         Each cell: the proved algorithms of those at the level.\n\n\
         | kernel |"
    );
    let add = |page: &mut String, text: &str| page.write_str(text).expect("memory for a page");
    for isa in &levels {
        add(&mut page, &format!(" {isa} |"));
    }
    add(&mut page, "\n|---|");
    add(&mut page, &"---:|".repeat(levels.len()));
    for kernel in kernels {
        add(&mut page, &format!("\n| `{kernel}` |"));
        for &isa in &levels {
            let here = proofs.iter();
            let here = here.filter(|proof| proof.entry.kernel == kernel && proof.entry.isa == isa);
            let cell = match (here.clone().filter(is_proved).count(), here.count()) {
                (_, 0) => String::new(),
                (proved, all) if proved == all => format!("{all}"),
                (proved, all) => format!("{proved} of {all}"),
            };
            add(&mut page, &format!(" {cell} |"));
        }
    }
    add(&mut page, "\n");
    if proved < all {
        add(
            &mut page,
            "\nNot proved:\n\n| algorithm | levels | outcome |\n|---|---|---|\n",
        );
    }
    // Those of one algorithm that came out alike in one row.
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for proof in proofs.iter().filter(|proof| !is_proved(proof)) {
        let entry = proof.entry;
        let name = format!("{}.{}", entry.kernel, entry.algorithm);
        let outcome = match why(&proof.outcome) {
            Some(why) => format!("{}: {why}", word(&proof.outcome)),
            None => word(&proof.outcome).to_owned(),
        };
        let alike = rows
            .iter_mut()
            .find(|row| row.0 == name && row.1 == outcome);
        match alike {
            Some(row) => row.2.push(entry.isa.name()),
            None => rows.push((name, outcome, vec![entry.isa.name()])),
        }
    }
    for (name, outcome, levels) in rows {
        add(
            &mut page,
            &format!("| `{name}` | {} | {outcome} |\n", levels.join(", ")),
        );
    }
    page
}
