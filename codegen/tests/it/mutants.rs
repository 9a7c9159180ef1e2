//! Mutants of one template, built and judged; `outflank-codegen mutants` covers all templates.

use std::path::{Path, PathBuf};

use outflank_codegen::mutants::{Judge, Request, run};

fn request(kernel: &str) -> Request {
    let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
    Request {
        root: codegen
            .parent()
            .expect("it is in the repository")
            .to_owned(),
        // The folder is kept between runs, so that the next one builds less.
        work: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants"),
        seed: 1,
        per_template: 6,
        kernel: Some(kernel.to_owned()),
        judge: Judge::Suite,
    }
}

#[test]
fn suite_kills_the_mutants_of_a_template() {
    let report = run(&request("last_flip_count"), &|line| println!("{line}")).unwrap();
    assert!(report.is_good(), "{report}");
    assert_eq!(report.rows.len(), 1);
    let mutants = &report.rows[0].mutants;
    assert!(mutants.len() >= 6, "{report}");
    let mut mutated_lines: Vec<_> = mutants
        .iter()
        .map(|mutant| (mutant.line, &mutant.item))
        .collect();
    mutated_lines.sort();
    mutated_lines.dedup();
    assert!(mutated_lines.len() > 3, "{mutated_lines:?}");
}

#[test]
fn unknown_template_is_refused_with_the_known_names() {
    let error = run(&request("flop"), &|_| ()).err().unwrap().to_string();
    let start = "no template is named 'flop' (possible: board_hash, ";
    assert!(
        error.starts_with(start) && error.lines().count() == 1,
        "{error}"
    );
}
