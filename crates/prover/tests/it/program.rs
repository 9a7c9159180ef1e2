//! The program `outflank-prover` from outside.

use std::process::{Command, Output};

use outflank_prover::solver::SolverCommand;

fn run(folder: &std::path::Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-prover"));
    command.current_dir(folder).args(line.split_whitespace());
    command.output().expect("the program starts")
}

#[test]
fn impossible_requests_are_one_line() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (line, message) in [
        ("flop", "no kernel matches 'flop' (possible: board_hash, "),
        ("flip.x", "flip has no algorithm that matches 'x'"),
        ("flip mobility.x", "mobility has no algorithm that matches"),
        ("flip --isa v9", "unknown instruction-set level 'v9'"),
        ("--isa neon", "* does not exist at neon (possible: portable"),
        ("flip --report no/a.md", "cannot write no/a.md: "),
    ] {
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let is_right = stderr.starts_with(&format!("outflank-prover: {message}"));
        assert!(is_right && stderr.lines().count() == 1, "{line}: {stderr}");
    }
}

#[test]
fn algorithms_of_several_names_are_proved_and_reported() {
    if let Err(error) = SolverCommand::find(None) {
        return println!("skipped: {error}");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let line = "transpose board_h?sh.* --isa portable --report proofs.md";
    let output = run(folder.path(), line);
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let page = std::fs::read_to_string(folder.path().join("proofs.md")).expect("it was written");
    for kernel in ["board_hash", "transpose"] {
        assert!(stdout.contains(&format!("{kernel}.")), "{stdout}");
        assert!(page.contains(&format!("| `{kernel}` |")), "{page}");
    }
    assert!(!page.contains("Not proved"), "{page}");
}
