//! `outflank kernels prove`.

use crate::common::program::{OutputChecks, run_cli};
use outflank_testing::command::Run;

fn prove(words: &str, status: i32) -> Run {
    run_cli(&format!("kernels prove {words}")).expect(status)
}

#[cfg(not(feature = "prove"))]
#[test]
fn programs_without_proofs_name_the_feature() {
    let run = prove("flip --isa v3 --nonsense", 2);
    run.expect_one_error_line().stderr_has("--features prove");
}

#[cfg(all(feature = "prove", target_arch = "x86_64", target_os = "linux"))]
mod with_proofs {
    use super::*;
    use crate::common::program::cli;
    use outflank_checker::registry::{CheckerEntry, entries};
    use outflank_testing::command::run;

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
        let arguments =
            format!("mobility corner_stability --json --cache {cache} --report {report}");
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
        let run = prove(
            "last_move_score.count --isa portable --timeout 0.001 --fresh",
            1,
        );
        run.stdout_has("out of time: A1");
        run.stdout_has("of 1: 1 out of time");
        // A missing specification is not a failure.
        let run = prove("ordered_empties.ranks --isa portable", 0);
        run.stdout_has("no specification");
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
            prove(&arguments, 2)
                .expect_one_error_line()
                .stderr_has(message);
        }
    }

    #[test]
    fn impossible_requests_are_one_line() {
        let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let not_at_level = "flip does not exist at neon (possible: portable";
        let no_solver = "the solver '/nowhere/z3' does not answer";
        for (arguments, message) in [
            ("nothing", "no kernel matches 'nothing'"),
            ("flip.nothing", "flip has no algorithm that matches"),
            ("--isa v9", "unknown instruction-set level 'v9'"),
            ("flip --isa neon", not_at_level),
            ("--solver /nowhere/z3", no_solver),
            ("--solver true", "the solver 'true' does not answer"),
        ] {
            prove(arguments, 2)
                .expect_one_error_line()
                .stderr_has(message);
        }
        if has_solver() {
            let run = prove(&format!("--cache {foreign}"), 2);
            run.stderr_has("is not a cache of proofs");
        }
        let run = run(cli("kernels prove").env("PATH", "/nowhere"), b"").expect(2);
        run.expect_one_error_line()
            .stderr_has("pip install bitwuzla");
    }
}
