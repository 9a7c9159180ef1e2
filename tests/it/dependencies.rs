//! Dependencies of the crates: users of the library compile no crates of the command line, and crates depend only on
//! lower ones.

use std::collections::BTreeSet;
use std::process::Command;

use outflank_testing::command::run;
use outflank_testing::data::root;

/// Packages that a dependent of `package` compiles with default features: `cargo tree` along `edges`.
fn tree(package: &str, edges: &str) -> String {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .current_dir(root())
        .args(["tree", "--offline", "--edges", edges, "--package", package])
        .args(["--prefix", "none", "--format", "{p} {f}"]);
    let tree = run(&mut cargo, b"").expect(0).stdout;
    assert!(tree.contains("outflank-kernels"), "{tree}");
    tree
}

/// Names of the packages that a dependent of `package` compiles, `package` included.
fn compiled(package: &str) -> BTreeSet<String> {
    let tree = tree(package, "normal,build");
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    tree.lines().map(name).collect()
}

#[test]
fn dependents_of_the_library_compile_no_command_line_crates() {
    let compiled = compiled("outflank");
    let programs = "anstream cc clap ctrlc indicatif jiff nix plotters rusqlite rustyline serde signal-hook tempfile zstd";
    for unwanted in programs.split(' ') {
        assert!(!compiled.contains(unwanted), "{unwanted} in {compiled:?}");
    }
}

/// The small program for kernels starts soon after a clone: it compiles no engine, no C code and no calendar.
#[test]
fn the_program_of_the_checker_compiles_no_engine() {
    let compiled = compiled("outflank-checker");
    for unwanted in "outflank cc jiff nix rusqlite rustyline sysinfo zstd".split(' ') {
        assert!(!compiled.contains(unwanted), "{unwanted} in {compiled:?}");
    }
}

/// Only crates that compare algorithms compile the algorithms that no level selects.
#[test]
fn dependents_of_the_library_compile_only_selected_algorithms() {
    let has_all = |package| tree(package, "normal,build,features").contains("all-algorithms");
    assert!(!has_all("outflank"));
    assert!(!has_all("outflank-capi"));
    assert!(has_all("outflank-checker"));
}

#[test]
fn crates_depend_only_on_lower_crates() {
    for (package, below) in [
        ("outflank-kernels", ""),
        ("outflank-checker-core", "kernels random"),
        (
            "outflank-checker",
            "checker-core console kernels random support",
        ),
        (
            "outflank-prover",
            "checker checker-core console kernels random support",
        ),
        ("outflank", "kernels random support"),
        ("outflank-train", "outflank kernels random support"),
        ("outflank-tournament", "outflank kernels random support"),
        ("outflank-database", "outflank kernels random support"),
        ("outflank-book", "outflank database kernels random support"),
        ("outflank-games", "outflank database kernels random support"),
        (
            "outflank-certificate",
            "outflank kernels random support verifier",
        ),
        (
            "outflank-capi",
            "outflank book database kernels random support",
        ),
        (
            "outflank-web",
            "outflank checker checker-core kernels random support",
        ),
    ] {
        let mut ours = compiled(package);
        ours.retain(|name| name.starts_with("outflank") && name != package);
        let full_name = |name: &str| match name {
            "outflank" => name.to_owned(),
            _ => format!("outflank-{name}"),
        };
        let below = below.split_whitespace().map(full_name).collect();
        assert_eq!(ours, below, "{package}");
    }
}

/// The verifier of certificates is independent of all that it checks, and short enough to be read as a whole.
#[test]
fn the_verifier_is_short_and_depends_on_nothing_that_it_checks() {
    let folder = root().join("crates/verifier");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("outflank.") && !manifest.contains("outflank-kernels"));
    let lines = |path: &std::path::Path| std::fs::read_to_string(path).unwrap().lines().count();
    let sources = std::fs::read_dir(folder.join("src")).unwrap();
    let rust: usize = sources.map(|entry| lines(&entry.unwrap().path())).sum();
    let python = lines(&folder.join("verify.py"));
    assert!(
        rust <= 600 && python <= 150,
        "{rust} lines of Rust, {python} of Python"
    );
}
