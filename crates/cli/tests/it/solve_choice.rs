//! `outflank solve`: chosen positions, and unreadable files.

use crate::common::program::{OutputChecks, cli, outflank, solve};
use crate::solve_cli::{DRAW, LOSS, PASS, WIN, values};
use outflank_testing::command::{Folder, run};

/// Chosen positions keep their numbers.
#[test]
fn positions_are_chosen_by_name_or_number() {
    let file = format!("{LOSS} % first\n{WIN} % FFO #40\n{DRAW} % FFO #4, a draw\n{PASS}\n");
    for (only, indices) in [
        (&["2"][..], &[2][..]),
        (&["first"], &[1]),
        (&["FFO #4"], &[3]),
        (&["ffo 40"], &[2]),
        (&["FFO"], &[2, 3]),
        (&["4", "First"], &[1, 4]),
        (&["#40", "2"], &[2]),
    ] {
        let options = only.iter().flat_map(|value| ["--only", value]);
        let options: Vec<&str> = ["--json"].into_iter().chain(options).collect();
        let run = solve(&options, &file).expect(0);
        assert_eq!(values(&run, "index"), indices, "{only:?}");
        let summary = &run.json()[indices.len()]["summary"];
        assert_eq!(summary["positions"], indices.len());
    }
    let table = solve(&["--only", "3"], &file).expect(0).stdout;
    assert!(table.contains("\n  3|    8    +0 "), "{table}");
    let no_name = "no position is called \"FFO #41\": there are \"first\" to \"FFO #4\"";
    for (only, message) in [
        ("5", "there is no position 5: the files have 4"),
        ("0", "there is no position 0: the files have 4"),
        ("FFO #41", no_name),
    ] {
        let run = solve(&["--only", only], &file).expect(2);
        run.expect_one_error_line()
            .stderr_starts(format!("outflank: {message}\n"));
    }
    let unnamed = solve(&["--only", "x"], LOSS).expect(2);
    unnamed.stderr_has("the positions of the files have no names");
}

/// The search need not be exact.
#[test]
fn symmetric_moves_have_equal_scores() {
    let start = "---------------------------OX------XO--------------------------- X;";
    for depth in ["1", "2", "3", "4", "5"] {
        let run = solve(&["--json", "--lines", "4", "--depth", depth], start).expect(0);
        let lines = run.json()[0]["lines"].as_array().unwrap().clone();
        assert_eq!(lines.len(), 4);
        let score = &lines[0]["score"];
        assert!(
            lines.iter().all(|line| line["score"] == *score),
            "{lines:?}"
        );
    }
}

#[test]
fn unreadable_files_have_no_summary() {
    let empty = solve(&[], "").expect(1);
    assert_eq!(empty.stdout, "");
    let mut command = outflank();
    let missing = run(command.args(["solve", "no-such-file"]), b"").expect(1);
    assert_eq!(missing.stdout, "");
    missing.stderr_starts("outflank: no-such-file: ");
    // The readable file is solved.
    let folder = Folder::new();
    let file = folder.file("problem.obf", LOSS);
    let mut command = cli("solve --hash 1 no-such-file");
    let mixed = run(command.arg(file), b"").expect(1);
    mixed.stdout_has("\n1 solved, 0 wrong, ");
    // JSON has a summary even if nothing was read.
    let run = solve(&["--json"], "\n  \n% only a comment\n").expect(1);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["summary"]["nps"], 0);
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
}
