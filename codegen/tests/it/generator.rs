//! Output of the generator for the committed templates, for samples, and for bad templates.

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

/// Generates from the templates in a folder.
fn outputs(templates: &Path) -> Result<[Output; 3], Error> {
    generate(&Folders {
        templates: templates.to_owned(),
        kernels: kernels(),
        checker: kernels().join("../../crates/checker-core/src"),
        fuzz: kernels().join("../../fuzz"),
    })
}

#[test]
fn committed_files_match_the_templates() {
    for output in outputs(&templates()).unwrap() {
        if let Some(diff) = difference(&output).unwrap() {
            panic!(
                "the generated files are stale; after a change that is meant, `cargo run -p \
                 outflank-codegen` renews them:\n{diff}"
            );
        }
    }
}

/// A temporary copy of the templates.
fn copy_of_templates() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(templates()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

const TRIAL: &str = include_str!("../samples/disc_count.rs.j2");

/// Small templates that together use every feature of the generator, at three levels.
///
/// To accept an intended change: `INSTA_UPDATE=always cargo test -p outflank-codegen`.
#[test]
fn samples_render_to_their_snapshots() {
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

/// The kernel appears at every level, in the trait, in the registry and in the fuzz targets.
#[test]
fn new_template_file_becomes_a_kernel() {
    let folder = copy_of_templates();
    fs::write(folder.path().join("disc_count.rs.j2"), TRIAL).unwrap();
    let [Output { files, .. }, checker, manifest] = outputs(folder.path()).unwrap();

    assert!(manifest.files["Cargo.toml"].contains("name = \"disc_count\""));
    let method = "fn disc_count(self, player: u64, opponent: u64) -> u64;";
    assert!(files["kernels.rs"].contains(method));
    assert!(checker.files["mod.rs"].contains("pub(crate) mod disc_count {"));
    let (all, selected) = files["registry.rs"]
        .split_once("not(feature")
        .expect("two macros");
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().map(|row| row.trim().to_owned());
        rows.filter(|row| row.starts_with("{ disc_count "))
            .collect()
    };
    assert_eq!(rows(selected).len(), LEVELS.len());
    let rows = rows(all);
    let upper = |isa: &&Isa| isa.chain().any(|below| below.name == "v3");
    assert_eq!(
        rows.len(),
        LEVELS.len() + LEVELS.iter().filter(upper).count()
    );
    let row = "{ disc_count sum true Returns fn(u64, u64) -> u64, (value player, value opponent), [], [] }";
    assert_eq!(rows[0], row);
    for Isa { name, .. } in LEVELS {
        assert!(files[&format!("{name}/mod.rs")].contains("pub mod disc_count;"));
    }
}

#[test]
fn condition_may_name_several_levels() {
    let folder = copy_of_templates();
    let text = TRIAL.replace("at(\"v3\")", "at(\"v3\", \"neon\")");
    fs::write(folder.path().join("disc_count.rs.j2"), text).unwrap();
    let [Output { files, .. }, ..] = outputs(folder.path()).unwrap();
    let has_joined =
        |name: &&str| files[&format!("{name}/disc_count.rs")].contains("pub fn joined(");
    let names: Vec<_> = LEVELS.iter().map(|isa| isa.name).collect();
    let levels_with_joined: Vec<_> = names.into_iter().filter(has_joined).collect();
    assert_eq!(levels_with_joined, ["v3", "adl", "v4", "icl", "neon"]);
}

#[test]
fn stale_files_are_reported_and_rewritten() {
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

    // In a folder that the generator does not own, other files are kept.
    let shared = Output {
        owned: false,
        files: output.files.split_off("v4"),
        ..output
    };
    assert_eq!(write(&shared).unwrap(), [""; 0]);
    assert!(folder.path().join("v3/clear.rs").exists());
}

/// The generator's error for the templates in a folder.
fn refusal(templates: &Path) -> String {
    outputs(templates).expect_err("an error").to_string()
}

/// Changes of [`TRIAL`] and the errors that they cause. `\n` is a line break.
const BAD_TEMPLATES: &str = r#"
at("v3") => at("v9") => no level is named v9
at("v3") => at("v3", "noen") => no level is named noen
at("v3") => at() => at() names no level
{% endif %} => => unexpected end
u64::from((player => u64::from[(player => not Rust at level v3
//! The number of discs on the board. => => no specification
#![select(portable = sum, v3 = joined)] => => has no #![select
v3 = joined => v3 = lost => selects 'lost' at v3, which has: sum, joined
v3 = joined => v9 = joined => a level 'v9' does not exist
portable = sum,  => => selects nothing for portable
portable = sum => portable: sum => wrong #![select
fn joined(player: u64 => fn joined(player: u32 => two signatures
#[algorithm]\nfn joined => #[algorithm(uses = "pext")]\nfn joined => where pext is slow
#[algorithm]\nfn joined => #[algorithm(uses = "pxet")]\nfn joined => 'pxet' slow; possible: gather, pdep, pext
#[algorithm]\nfn joined => #[algorithm(use_of = "pext")]\nfn joined => only `uses` is known
#[algorithm]\nfn joined => #[algorithm]\n#[shape(v3 = "few")]\nfn joined => a number of instructions is expected
#[reference] => enum Side { A }\n\n#[reference] => neither a function nor
#[reference] => #[shared] => has no reference
fn joined => fn selected => which is taken
player: u64 => colour: u64 => takes `colour : u64`; possible: square: usize
"#;

/// Each error is one line that names the file and the reason.
#[test]
fn bad_templates_are_refused() {
    for case in BAD_TEMPLATES.trim().lines() {
        let case = case.replace("\\n", "\n");
        let parts: Vec<&str> = case.split("=>").map(str::trim).collect();
        let [original, replacement, message] = parts[..] else {
            panic!("no change and message: {case}");
        };
        let folder = tempfile::tempdir().unwrap();
        let text = TRIAL.replace(original, replacement);
        assert_ne!(text, TRIAL, "{original}");
        fs::write(folder.path().join("disc_count.rs.j2"), text).unwrap();
        let error = refusal(folder.path());
        assert!(error.contains(message), "{replacement}: {error}");
        assert!(error.contains("disc_count.rs.j2"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("disc-count.rs.j2"), TRIAL).unwrap();
    assert!(refusal(folder.path()).contains("named 'disc-count'"));
    let empty = tempfile::tempdir().unwrap();
    assert!(refusal(empty.path()).contains("no templates"));
    assert!(refusal(&empty.path().join("gone")).contains("gone"));
}

#[test]
fn error_in_the_references_names_its_line() {
    let checker = tempfile::tempdir().unwrap();
    let path = checker
        .path()
        .join(emit::Checker::REFERENCES)
        .join("flip.rs");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "pub fn flip() {}\n\nfn (").unwrap();
    let error = emit::Checker::read(checker.path()).err().expect("an error");
    let start = format!("{}:3: ", path.display());
    assert!(error.to_string().starts_with(&start), "{error}");
}
