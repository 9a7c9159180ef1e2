//! What a template with variants becomes.

use std::fs;
use std::path::Path;

use outflank_codegen::{Error, Folders, generate};

const TRIAL: &str = r#"
//! One more than the last flip count.
#![select(portable = added)]
#![variants(added = last_flip_count)]

#[reference]
fn count_and_add(square: usize, player: u64) -> i32 {
    reference::last_flip_count(square, player) + 1
}

/// By addition.
#[algorithm]
fn added(square: usize, player: u64) -> i32 {
    more(square, player)
}

/// The other way round.
#[algorithm]
fn reversed(square: usize, player: u64) -> i32 {
    1 + super::last_flip_count::selected(square, player)
}

fn more(square: usize, player: u64) -> i32 {
    super::last_flip_count::selected(square, player) + 1
}

fn not_reached(player: u64) -> u64 {
    player
}
"#;

/// The generated kernels, by file, with the template `text` beside the committed ones.
fn files(text: &str) -> Result<std::collections::BTreeMap<String, String>, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root.join("templates")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::write(copy.path().join("trial.rs.j2"), text).unwrap();
    let [kernels, ..] = generate(&Folders {
        templates: copy.path().to_owned(),
        kernels: root.join("../kernels/src"),
        checker: root.join("../checker/src"),
        fuzz: root.join("../fuzz"),
    })?;
    Ok(kernels.files)
}

/// The part of `text` from `from` up to `to`.
fn part<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text
        .split_once(from)
        .unwrap_or_else(|| panic!("{from} in {text}"));
    rest.split_once(to)
        .unwrap_or_else(|| panic!("{to} in {rest}"))
        .0
}

#[test]
fn every_algorithm_is_a_variant_and_one_is_there_with_each_algorithm_of_another_kernel() {
    let files = files(TRIAL).unwrap();
    let text = &files["v3/trial_variants.rs"];
    let counters: Vec<&str> = files["v3/last_flip_count.rs"]
        .split("pub fn ")
        .skip(1)
        .map(|rest| rest.split_once('(').unwrap().0)
        .collect();
    assert!(counters.len() > 2, "{counters:?}");
    for counter in &counters {
        let module = part(
            text,
            &format!("pub mod added_{counter} {{"),
            "pub use added as selected;",
        );
        assert!(
            module.contains("fn added(") && module.contains("fn more("),
            "{module}"
        );
        assert!(
            module.contains(&format!("super::last_flip_count::{counter}(")),
            "{module}"
        );
        for absent in ["fn reversed(", "fn not_reached(", "::selected("] {
            assert!(!module.contains(absent), "{absent} in {module}");
        }
    }
    assert!(text.contains("super::trial::reversed(square, player)"));

    let list = part(
        &files["variants.rs"],
        "macro_rules! for_each_trial {",
        "\n}\n",
    );
    let list = list.split_whitespace().collect::<Vec<_>>().join(" ");
    let row = part(&list, "{ v3::trial_variants V3[", "} }");
    assert_eq!(row.matches("\"added+").count(), counters.len());
    assert_eq!(row.matches(" true").count(), 1, "{row}");
    assert!(row.contains("Reversed \"reversed\" false"), "{row}");
    let trait_text = part(&files["variants.rs"], "pub trait Trial<I: Kernels>", "}\n");
    assert!(trait_text.contains("fn trial(isa: I, square: usize, player: u64) -> i32;"));
}

#[test]
fn variants_that_cannot_be_are_refused() {
    let attribute = "variants(added = last_flip_count)";
    for (with, message) in [
        (
            "variants(lost = last_flip_count)",
            "varies 'lost', which does not exist at portable",
        ),
        (
            "variants(added = lost)",
            "varies 'added' by a kernel 'lost', which does not exist",
        ),
        (
            "variants(added = flip)",
            "varies 'added', which does not call super::flip::selected",
        ),
        ("variants", "has a wrong #![variants(…)]"),
        ("variants(added)", "has a wrong #![variants(…)]"),
    ] {
        let error = files(&TRIAL.replace(attribute, with))
            .expect_err(message)
            .to_string();
        assert!(error.contains(message), "{error}, not {message}");
        assert!(
            error.contains("trial.rs.j2") && error.lines().count() == 1,
            "{error}"
        );
    }
}
