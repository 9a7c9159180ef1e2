//! The program `outflank-prover` from outside.

use std::process::Command;

use outflank_checker::registry::{CheckerEntry, entries};
use outflank_testing::command::{Run, run};

/// Command of the program. The words are separated by blanks.
fn prover(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-prover"));
    command.args(words.split_whitespace());
    command
}

/// Runs the program and expects this exit status.
#[track_caller]
fn prove(words: &str, status: i32) -> Run {
    run(&mut prover(words), b"").expect(status)
}

/// Returns `true` if a solver is installed, else writes a note.
fn has_solver() -> bool {
    let found = outflank_prover::solver::SolverCommand::find(None);
    if let Err(error) = &found {
        println!("skipped: {error}");
    }
    found.is_ok()
}

#[test]
fn proofs_are_cached() {
    if !has_solver() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (cache, report) = (path("new/proofs"), path("report.md"));
    let arguments = format!("mobility corner_stability --json --cache {cache} --report {report}");
    let selected =
        entries().filter(|entry| ["mobility", "corner_stability"].contains(&entry.kernel));
    let selected = selected.count();
    let first = prove(&arguments, 0).json();
    assert_eq!(first.len(), selected);
    let count = |rows: &[serde_json::Value], key: &str| -> u64 {
        rows.iter()
            .map(|row| row[key].as_u64().expect("a number"))
            .sum()
    };
    assert!(
        first.iter().all(|row| row["outcome"] == "proved"),
        "{first:?}"
    );
    assert!(count(&first, "questions") > 0, "{first:?}");
    let again = prove(&arguments, 0).json();
    assert_eq!(count(&again, "questions"), 0, "{again:?}");
    assert!(count(&again, "cached") > 0, "{again:?}");
    let fresh = prove("mobility --isa v3 --json --fresh", 0).json();
    assert!(count(&fresh, "questions") > 0, "{fresh:?}");

    let page = std::fs::read_to_string(&report).expect("written");
    assert!(
        page.contains(&format!("{selected} of {selected} algorithms")),
        "{page}"
    );
    assert!(
        page.contains("| `mobility` |") && !page.contains("Not proved"),
        "{page}"
    );
}

#[test]
fn unproved_algorithms_are_reported_and_fail() {
    if !has_solver() {
        return;
    }
    let too_short = "last_move_score.count --isa portable --timeout 0.001 --fresh";
    let run = prove(too_short, 1);
    for text in ["out of time: A1", "of 1: 1 out of time"] {
        assert!(run.stdout.contains(text), "{run:?}");
    }
    // A missing specification is not a failure.
    let run = prove("ordered_empties.ranks --isa portable --fresh", 0);
    assert!(run.stdout.contains("no specification"), "{run:?}");
}

/// Runs the program and expects status 2 and one line that contains `message`.
#[track_caller]
fn refuse(command: &mut Command, message: &str) {
    let Run { stderr, .. } = run(command, b"").expect(2);
    assert!(stderr.starts_with("outflank-prover: "), "{stderr}");
    assert!(stderr.contains(message), "{stderr}, not {message}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn unselected_algorithms_are_refused_with_selected() {
    let title = |entry: &CheckerEntry| format!("{}.{}", entry.kernel, entry.algorithm);
    let with_name = |name: &str| {
        let same_name = entries().filter(|entry| title(entry) == name);
        same_name.collect::<Vec<_>>()
    };
    let is_unselected = |name: &String| with_name(name).iter().all(|entry| !entry.selected);
    let name = entries().map(title).find(is_unselected);
    let name = name.expect("some algorithms are slower at all levels");
    let levels: Vec<&str> = with_name(&name)
        .iter()
        .map(|entry| entry.isa.name())
        .collect();
    let (all, first) = (levels.join(", "), levels[0]);
    for (arguments, levels) in [
        (format!("{name} --selected"), all.as_str()),
        (format!("{name} --selected --isa {first}"), first),
    ] {
        let message = format!("{name} is not selected at {levels}: leave out --selected");
        refuse(&mut prover(&arguments), &message);
    }
}

#[test]
fn impossible_requests_are_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, message) in [
        ("flop", "no kernel matches 'flop' (possible: board_hash, "),
        ("flip.x", "flip has no algorithm that matches 'x'"),
        ("flip mobility.x", "mobility has no algorithm that matches"),
        ("flip --isa v9", "unknown instruction-set level 'v9'"),
        ("--isa neon", "* does not exist at neon (possible: portable"),
        (
            "--solver /nowhere/z3",
            "the solver '/nowhere/z3' does not answer",
        ),
        ("--solver true", "the solver 'true' does not answer"),
    ] {
        refuse(prover(arguments).current_dir(&folder), message);
    }
    let run = run(prover("flip --report no/a.md").current_dir(&folder), b"").expect(1);
    assert!(run.stderr.contains("cannot write no/a.md: "), "{run:?}");
    if has_solver() {
        let foreign = concat!("--cache ", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        refuse(&mut prover(foreign), "is not a cache of proofs");
    }
    refuse(prover("").env("PATH", "/nowhere"), "pip install bitwuzla");
}

#[test]
fn algorithms_of_several_names_are_proved_and_reported() {
    if !has_solver() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let line = "transpose board_h?sh.* --isa portable --fresh --report proofs.md";
    let run = run(prover(line).current_dir(&folder), b"").expect(0);
    let page = std::fs::read_to_string(folder.path().join("proofs.md")).expect("it was written");
    for kernel in ["board_hash", "transpose"] {
        assert!(run.stdout.contains(&format!("{kernel}.")), "{run:?}");
        assert!(page.contains(&format!("| `{kernel}` |")), "{page}");
    }
    assert!(!page.contains("Not proved"), "{page}");
}
