//! What the generator makes of the committed templates, of a new one, and of bad ones.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_codegen::geometry::{self, Geometry};
use outflank_codegen::levels::LEVELS;
use outflank_codegen::template::Template;
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

/// What each template renders to at each level. After a change that is meant:
/// `INSTA_UPDATE=always cargo test -p outflank-codegen`.
#[test]
fn every_template_at_every_level() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        let geometries = Geometry::read_all(&geometry::folder(&kernels())).unwrap();
        for template in Template::read_all(&templates(), &geometries).unwrap() {
            for level in LEVELS {
                let module = emit::module(&template, level).unwrap();
                insta::assert_snapshot!(format!("{}@{}", template.name, level.name), module);
            }
        }
    });
}

#[test]
fn the_committed_files_are_what_the_templates_say() {
    for output in outputs(&templates()).unwrap() {
        if let Some(diff) = difference(&output).unwrap() {
            panic!("run `cargo run -p outflank-codegen`:\n{diff}");
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

const TRIAL: &str = r#"
//! The number of discs on the board.
#![select(portable = sum, v3 = joined)]

#[reference]
fn count_both(player: u64, opponent: u64) -> u64 {
    (0..64).filter(|square| (player | opponent) >> square & 1 == 1).count() as u64
}

/// Each side on its own.
#[algorithm]
fn sum(player: u64, opponent: u64) -> u64 {
    u64::from(player.count_ones() + opponent.count_ones())
}

{% if at("v3") %}
/// Both at once.
#[algorithm]
fn joined(player: u64, opponent: u64) -> u64 {
    u64::from((player | opponent).count_ones())
}
{% endif %}
"#;

/// The rows of a kernel in the list of all algorithms.
fn rows_of<'a>(registry: &'a str, kernel: &str) -> Vec<&'a str> {
    let start = format!("{{ {kernel} ");
    let lines = registry.lines().map(str::trim);
    lines.filter(|line| line.starts_with(&start)).collect()
}

/// The number of rows of a kernel at a level.
fn rows_at(registry: &str, level: &str, kernel: &str) -> usize {
    let (_, rest) = registry.split_once(&format!("{{ {level} ")).unwrap();
    let end = rest.find("\n            }\n").unwrap();
    rows_of(&rest[..end], kernel).len()
}

/// One file is all it takes: the kernel is at every level, in the trait and in the registry.
#[test]
fn a_dropped_template_becomes_a_kernel() {
    let folder = copy_of_templates();
    fs::write(folder.path().join("disc_count.rs.j2"), TRIAL).unwrap();
    let [Output { files, .. }, checker, manifest, targets] = outputs(folder.path()).unwrap();

    assert!(manifest.files["Cargo.toml"].contains("name = \"disc_count\""));
    assert!(targets.files["disc_count.rs"].contains("check(\"disc_count\", bytes)"));
    assert!(files["mod.rs"].contains("fn disc_count(self, player: u64, opponent: u64) -> u64;"));
    assert!(checker.files["mod.rs"].contains("references::disc_count::reference"));
    let rows = rows_of(&files["registry.rs"], "disc_count");
    assert!(rows[0].contains("sum true Returns fn(u64, u64) -> u64, (player, opponent), [], []"));
    for level in LEVELS {
        let text = &files[&format!("{}.rs", level.name)];
        let upper = level.chain().any(|below| below.name == "v3");
        assert!(text.contains("pub mod disc_count"), "{}", level.name);
        assert_eq!(text.contains("pub fn joined("), upper, "{}", level.name);
        let (module, _) = text
            .split_once("pub mod disc_count")
            .unwrap()
            .1
            .split_once("\npub mod")
            .unwrap();
        let selected = if upper { "joined" } else { "sum" };
        assert!(
            module.contains(&format!("pub use {selected} as selected;")),
            "{module}"
        );
        let entries = if upper { 2 } else { 1 };
        let rows = rows_at(&files["registry.rs"], level.name, "disc_count");
        assert_eq!(rows, entries, "{}", level.name);
    }
}

#[test]
fn a_condition_may_name_several_levels() {
    let folder = copy_of_templates();
    let text = TRIAL.replace("at(\"v3\")", "at(\"v3\", \"neon\")");
    fs::write(folder.path().join("disc_count.rs.j2"), text).unwrap();
    let [Output { files, .. }, ..] = outputs(folder.path()).unwrap();
    let has_it = |name: &&str| files[&format!("{name}.rs")].contains("pub fn joined(");
    let names: Vec<_> = LEVELS.iter().map(|level| level.name).collect();
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

    let edited = output.files["v3.rs"].replace("pub fn fill(", "pub fn filled(");
    fs::write(folder.path().join("v3.rs"), edited).unwrap();
    fs::write(folder.path().join("v9.rs"), "").unwrap();
    let diff = difference(&output).unwrap().expect("two files differ");
    for line in [
        "-    pub fn filled(",
        "+    pub fn fill(",
        "v9.rs",
        "-(made by no template)",
    ] {
        assert!(diff.contains(line), "{line} in:\n{diff}");
    }
    assert_eq!(write(&output).unwrap(), ["v3.rs", "v9.rs"]);
    assert_eq!(difference(&output).unwrap(), None);
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
    let geometries = Geometry::read_all(&geometry::folder(&kernels())).unwrap();
    let templates = Template::read_all(&templates(), &geometries).unwrap();
    let error = emit::files(&templates, references, &geometries);
    let error = error.err().expect("an error");
    let error = error.to_string();
    assert!(
        error.starts_with("reference.rs:3: the references are not Rust: "),
        "{error}"
    );
}
