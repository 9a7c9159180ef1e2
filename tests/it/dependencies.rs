//! What the crates depend on, as cargo says: a program that uses the library compiles no command line, and
//! the crates of this repository know only those below them.

use std::collections::BTreeSet;
use std::process::Command;

use outflank_testing::command::run;
use outflank_testing::data::root;

/// The packages that a dependent of `package` with its default features compiles, itself among them.
fn compiled(package: &str) -> BTreeSet<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .current_dir(root())
        .args(["tree", "--offline", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p}", "--package", package]);
    let tree = run(&mut cargo, b"").expect(0).stdout;
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = tree.lines().map(name).collect();
    assert!(names.contains(package), "{tree}");
    names
}

#[test]
fn a_dependent_of_the_library_compiles_no_program() {
    let compiled = compiled("outflank");
    for unwanted in [
        "anstream",
        "clap",
        "ctrlc",
        "indicatif",
        "jiff",
        "nix",
        "plotters",
        "rusqlite",
        "rustyline",
        "serde",
        "signal-hook",
        "tempfile",
    ] {
        assert!(!compiled.contains(unwanted), "{unwanted} in {compiled:?}");
    }
}

#[test]
fn crates_know_only_those_below_them() {
    let arrows: [(&str, &[&str]); 8] = [
        ("outflank-kernels", &[]),
        ("outflank-checker", &["outflank-kernels", "outflank-random"]),
        (
            "outflank-prover",
            &["outflank-checker", "outflank-kernels", "outflank-random"],
        ),
        ("outflank", &["outflank-kernels"]),
        (
            "outflank-train",
            &["outflank", "outflank-kernels", "outflank-random"],
        ),
        (
            "outflank-book",
            &["outflank", "outflank-kernels", "outflank-random"],
        ),
        (
            "outflank-capi",
            &[
                "outflank",
                "outflank-book",
                "outflank-kernels",
                "outflank-random",
            ],
        ),
        (
            "outflank-web",
            &[
                "outflank",
                "outflank-checker",
                "outflank-kernels",
                "outflank-random",
            ],
        ),
    ];
    for (package, below) in arrows {
        let mut ours = compiled(package);
        ours.retain(|name| name.starts_with("outflank") && name != package);
        let below = below.iter().map(|name| name.to_string()).collect();
        assert_eq!(ours, below, "{package}");
    }
}
