//! `outflank kernels prove`, as a user meets it.

use crate::common::program::outflank;
use outflank_testing::command::{Run, run};

fn prove(arguments: &[&str], status: i32) -> Run {
    let mut command = outflank();
    command.args(["kernels", "prove"]).args(arguments);
    run(&mut command, b"").expect(status)
}

#[cfg(not(feature = "prove"))]
#[test]
fn a_program_without_proofs_says_how_to_get_one_with_them() {
    let said = prove(&["flip", "--isa", "v3", "--nonsense"], 2).stderr;
    assert!(
        said.contains("--features prove") && said.lines().count() == 1,
        "{said}"
    );
}

#[cfg(all(feature = "prove", target_arch = "x86_64", target_os = "linux"))]
mod with_proofs {
    use super::*;
    use outflank_checker::registry::entries;

    /// Whether a solver is installed; says so where none is.
    fn has_solver() -> bool {
        let found = outflank_prover::solver::Choice::find(None);
        if let Err(error) = &found {
            println!("skipped: {error}");
        }
        found.is_ok()
    }

    #[test]
    fn what_was_proved_is_known_the_next_time() {
        if !has_solver() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
        let (cache, report) = (path("new/proofs"), path("report.md"));
        let arguments = [
            "mobility",
            "corner_stability",
            "--json",
            "--cache",
            &cache,
            "--report",
            &report,
        ];
        let wanted =
            entries().filter(|entry| ["mobility", "corner_stability"].contains(&entry.kernel));
        let wanted = wanted.count();
        let first = prove(&arguments, 0).json();
        assert_eq!(first.len(), wanted);
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
        let fresh = prove(&["mobility", "--isa", "v3", "--json", "--fresh"], 0).json();
        assert!(count(&fresh, "questions") > 0, "{fresh:?}");

        let page = std::fs::read_to_string(&report).expect("written");
        assert!(
            page.contains(&format!("{wanted} of {wanted} algorithms")),
            "{page}"
        );
        assert!(
            page.contains("| `mobility` |") && !page.contains("Not proved"),
            "{page}"
        );
    }

    #[test]
    fn what_is_not_proved_is_told_and_fails() {
        if !has_solver() {
            return;
        }
        let short = [
            "last_move_score.count",
            "--isa",
            "portable",
            "--timeout",
            "0.001",
            "--fresh",
        ];
        let run = prove(&short, 1);
        assert!(run.stdout.contains("out of time: A1"), "{}", run.stdout);
        assert!(run.stdout.contains("of 1: 1 out of time"), "{}", run.stdout);
        // That there is nothing to compare with is no failure of the code.
        let run = prove(&["clear.stores", "--isa", "portable"], 0);
        assert!(run.stdout.contains("no specification"), "{}", run.stdout);
    }

    #[test]
    fn what_cannot_be_done_is_said_in_one_line() {
        let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for (arguments, said) in [
            (&["nothing"][..], "no kernel matches 'nothing'"),
            (&["flip.nothing"], "flip has no algorithm that matches"),
            (&["--isa", "v9"], "unknown instruction-set level 'v9'"),
            (
                &["flip", "--isa", "neon"],
                "flip does not exist at neon (possible: portable",
            ),
            (
                &["--solver", "/nowhere/z3"],
                "the solver '/nowhere/z3' does not answer",
            ),
            (&["--solver", "true"], "the solver 'true' does not answer"),
        ] {
            let stderr = prove(arguments, 2).stderr;
            assert!(stderr.contains(said), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
        if has_solver() {
            let stderr = prove(&["--cache", foreign], 2).stderr;
            assert!(stderr.contains("is not a cache of proofs"), "{stderr}");
        }
        let mut command = outflank();
        command.args(["kernels", "prove"]).env("PATH", "/nowhere");
        let stderr = run(&mut command, b"").expect(2).stderr;
        assert!(stderr.contains("pip install bitwuzla"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}
