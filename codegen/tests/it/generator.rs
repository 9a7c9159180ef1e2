//! What the generator makes of the committed templates, of a new one, and of bad ones.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_codegen::levels::{Isa, LEVELS};
use outflank_codegen::{Error, Folders, Output, difference, emit, generate, write};

fn templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates")
}

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/src")
}

/// What the generator makes of the templates in a folder.
fn outputs(templates: &Path) -> Result<[Output; 4], Error> {
    generate(&Folders {
        templates: templates.to_owned(),
        kernels: kernels(),
        checker: kernels().join("../../checker/src"),
        fuzz: kernels().join("../../fuzz"),
    })
}

/// The committed files are the templates' snapshots.
#[test]
fn the_committed_files_are_what_the_templates_say() {
    for output in outputs(&templates()).unwrap() {
        if let Some(diff) = difference(&output).unwrap() {
            panic!(
                "the generated files are stale; after a change that is meant, `cargo run -p \
                 outflank-codegen` renews them:\n{diff}"
            );
        }
    }
}

/// A copy of the templates in a folder that goes away with the value.
fn copy_of_templates() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(templates()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

const TRIAL: &str = include_str!("../samples/disc_count.rs.j2");

/// Small templates that together use every feature of the generator, and what each becomes at three
/// levels. After a change that is meant: `INSTA_UPDATE=always cargo test -p outflank-codegen`.
#[test]
fn every_feature_of_a_template() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let [Output { files, .. }, ..] = outputs(&samples).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for name in [
        "disc_count",
        "feature_count",
        "feature_count_corner",
        "line_count",
    ] {
        let folders = ["common", "portable", "v3", "icl"];
        let parts = folders.iter().filter_map(|folder| {
            let path = format!("{folder}/{name}.rs");
            let text = files.get(&path)?;
            Some(format!("======== {path}\n{text}\n"))
        });
        insta::assert_snapshot!(name, parts.collect::<String>());
    }
}

/// One file is all it takes: the kernel is at every level, in the trait and in the registry.
#[test]
fn a_dropped_template_becomes_a_kernel() {
    let folder = copy_of_templates();
    fs::write(folder.path().join("disc_count.rs.j2"), TRIAL).unwrap();
    let [Output { files, .. }, checker, manifest, targets] = outputs(folder.path()).unwrap();

    assert!(manifest.files["Cargo.toml"].contains("name = \"disc_count\""));
    assert!(targets.files["disc_count.rs"].contains("check(\"disc_count\", bytes)"));
    let method = "fn disc_count(self, player: u64, opponent: u64) -> u64;";
    assert!(files["kernels.rs"].contains(method));
    assert!(checker.files["mod.rs"].contains("references::disc_count::reference"));
    let rows = files["registry.rs"].lines().map(str::trim);
    let rows: Vec<&str> = rows
        .filter(|row| row.starts_with("{ disc_count "))
        .collect();
    let upper = |isa: &&Isa| isa.chain().any(|below| below.name == "v3");
    assert_eq!(
        rows.len(),
        LEVELS.len() + LEVELS.iter().filter(upper).count()
    );
    let row = "{ disc_count sum true Returns fn(u64, u64) -> u64, (player, opponent), [], [] }";
    assert_eq!(rows[0], row);
    for Isa { name, .. } in LEVELS {
        assert!(files[&format!("{name}/mod.rs")].contains("pub mod disc_count;"));
    }
}

#[test]
fn a_condition_may_name_several_levels() {
    let folder = copy_of_templates();
    let text = TRIAL.replace("at(\"v3\")", "at(\"v3\", \"neon\")");
    fs::write(folder.path().join("disc_count.rs.j2"), text).unwrap();
    let [Output { files, .. }, ..] = outputs(folder.path()).unwrap();
    let has_it = |name: &&str| files[&format!("{name}/disc_count.rs")].contains("pub fn joined(");
    let names: Vec<_> = LEVELS.iter().map(|isa| isa.name).collect();
    let with: Vec<_> = names.into_iter().filter(has_it).collect();
    assert_eq!(with, ["v3", "v4", "icl", "neon"]);
}

#[test]
fn stale_files_are_shown_and_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let [mut output, ..] = outputs(&templates()).unwrap();
    output.folder = folder.path().to_owned();
    assert_eq!(write(&output).unwrap().len(), output.files.len());
    assert_eq!(difference(&output).unwrap(), None);

    let edited = output.files["v3/clear.rs"].replace("pub fn stores(", "pub fn stored(");
    fs::write(folder.path().join("v3/clear.rs"), edited).unwrap();
    fs::create_dir_all(folder.path().join("v9/old")).unwrap();
    fs::write(folder.path().join("v9/old/clear.rs"), "").unwrap();
    fs::write(folder.path().join("v3/notes.txt"), "").unwrap();
    fs::write(folder.path().join("v3/.clear.rs.swp"), "").unwrap();
    let diff = difference(&output).unwrap().expect("three files differ");
    for line in [
        "-pub fn stored(",
        "+pub fn stores(",
        "v9/old/clear.rs",
        "v3/notes.txt",
        "-(made by no template)",
    ] {
        assert!(diff.contains(line), "{line} in:\n{diff}");
    }
    let touched = ["v3/clear.rs", "v3/notes.txt", "v9/old/clear.rs"];
    assert_eq!(write(&output).unwrap(), touched);
    assert_eq!(difference(&output).unwrap(), None);
    assert!(!folder.path().join("v9").exists());
    assert!(folder.path().join("v3/.clear.rs.swp").exists());

    // A folder that others write in, too.
    let shared = Output {
        owned: false,
        files: output.files.split_off("v4"),
        ..output
    };
    assert_eq!(write(&shared).unwrap(), [""; 0]);
    assert!(folder.path().join("v3/clear.rs").exists());
}

/// Each is one line that names the file and says what is wrong.
#[test]
fn bad_templates_are_refused() {
    let cases = [
        (
            "{% if at(\"v3\") %}",
            "{% endif %}",
            "{% if at(\"v3\") %}",
            "unexpected end",
        ),
        ("at(\"v3\")", "", "at(\"v9\")", "no level is named v9"),
        (
            "at(\"v3\")",
            "",
            "at(\"v3\", \"noen\")",
            "no level is named noen",
        ),
        ("at(\"v3\")", "", "at()", "at() names no level"),
        (
            "u64::from((player",
            "",
            "u64::from[(player",
            "not Rust at level v3",
        ),
        (
            "//! The number of discs on the board.",
            "",
            "",
            "no specification",
        ),
        (
            "#![select(portable = sum, v3 = joined)]",
            "",
            "",
            "has no #![select",
        ),
        (
            "v3 = joined",
            "",
            "v3 = lost",
            "selects 'lost' at v3, which has: sum, joined",
        ),
        (
            "v3 = joined",
            "",
            "v9 = joined",
            "a level 'v9' does not exist",
        ),
        ("portable = sum, ", "", "", "selects nothing for portable"),
        ("portable = sum", "", "portable: sum", "wrong #![select"),
        (
            "fn joined(player: u64",
            "",
            "fn joined(player: u32",
            "two signatures",
        ),
        (
            "#[algorithm]\nfn joined",
            "",
            "#[algorithm(uses = \"pext\")]\nfn joined",
            "where pext is slow",
        ),
        (
            "#[algorithm]\nfn joined",
            "",
            "#[algorithm(uses = \"pxet\")]\nfn joined",
            "'pxet' slow; possible: gather, pdep, pext",
        ),
        (
            "#[algorithm]\nfn joined",
            "",
            "#[algorithm(use_of = \"pext\")]\nfn joined",
            "only `uses` is known",
        ),
        (
            "#[algorithm]\nfn joined",
            "",
            "#[algorithm]\n#[shape(v3 = \"few\")]\nfn joined",
            "a number of instructions is expected",
        ),
        (
            "#[reference]",
            "",
            "enum Side { A }\n\n#[reference]",
            "neither a function nor",
        ),
        ("#[reference]", "", "#[shared]", "has no reference"),
        ("fn joined", "", "fn selected", "which is taken"),
        (
            "player: u64",
            "",
            "colour: u64",
            "takes `colour : u64`; possible: square: usize",
        ),
    ];
    for (what, also, with, message) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut text = TRIAL.replace(what, with);
        if !also.is_empty() {
            text = text.replace(also, "");
        }
        assert_ne!(text, TRIAL, "{what}");
        fs::write(folder.path().join("disc_count.rs.j2"), text).unwrap();
        let error = outputs(folder.path()).expect_err("an error").to_string();
        assert!(error.contains(message), "{with}: {error}");
        assert!(error.contains("disc_count.rs.j2"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("disc-count.rs.j2"), TRIAL).unwrap();
    let error = outputs(folder.path()).expect_err("an error").to_string();
    assert!(error.contains("named 'disc-count'"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    let error = outputs(empty.path()).expect_err("an error").to_string();
    assert!(error.contains("no templates"), "{error}");
    let error = outputs(&empty.path().join("gone"))
        .expect_err("an error")
        .to_string();
    assert!(error.contains("gone"), "{error}");
}

#[test]
fn a_fault_in_the_references_is_told_by_its_line() {
    let references = "pub fn flip() {}\n\nfn (";
    let error = emit::files(&[], references, &[]).err().expect("an error");
    let error = error.to_string();
    assert!(
        error.starts_with("reference.rs:3: the references are not Rust: "),
        "{error}"
    );
}
