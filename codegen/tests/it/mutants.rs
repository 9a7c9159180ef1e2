//! Broken templates, built and checked for real; all of them are `outflank-codegen mutants`.

use std::path::{Path, PathBuf};

use outflank_codegen::mutants::{Judge, Request, run};

fn request(kernel: &str) -> Request {
    let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
    Request {
        root: codegen
            .parent()
            .expect("it is in the repository")
            .to_owned(),
        // Kept, so that another run has less to build.
        work: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants"),
        seed: 1,
        per_template: 6,
        kernel: Some(kernel.to_owned()),
        judge: Judge::Suite,
    }
}

#[test]
fn the_suite_notices_what_is_broken_in_a_template() {
    let report = run(&request("last_flip_count"), &|line| println!("{line}")).unwrap();
    assert!(report.is_good(), "{report}");
    assert_eq!(report.rows.len(), 1);
    let mutants = &report.rows[0].mutants;
    assert!(mutants.len() >= 6, "{report}");
    let mut places: Vec<_> = mutants
        .iter()
        .map(|mutant| (mutant.line, &mutant.item))
        .collect();
    places.sort();
    places.dedup();
    assert!(places.len() > 3, "{places:?}");
}

#[test]
fn a_template_that_does_not_exist_is_one_line_that_says_what_does() {
    let error = run(&request("flop"), &|_| ()).err().unwrap().to_string();
    let said = "no template is named 'flop' (possible: board_hash, ";
    assert!(
        error.starts_with(said) && error.lines().count() == 1,
        "{error}"
    );
}
