//! `outflank solve`: positions that are chosen, and what is told of files without any.

use crate::common::program::{outflank, solve};
use crate::solve_cli::{DRAW, LOSS, PASS, WIN, values};
use outflank_testing::command::{Folder, run};

/// One position of a file, found by its name or number, keeps its number; what is not there is refused.
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
        let options = only.iter().flat_map(|one| ["--only", one]);
        let options: Vec<&str> = ["--json"].into_iter().chain(options).collect();
        let run = solve(&options, &file).expect(0);
        assert_eq!(values(&run, "index"), indices, "{only:?}");
        assert_eq!(
            run.json()[indices.len()]["summary"]["positions"],
            indices.len()
        );
    }
    let table = solve(&["--only", "3"], &file).expect(0).stdout;
    assert!(table.contains("\n  3|    8    +0 "), "{table}");
    for (only, told) in [
        ("5", "there is no position 5: the files have 4"),
        ("0", "there is no position 0: the files have 4"),
        (
            "FFO #41",
            "no position is called \"FFO #41\": there are \"first\" to \"FFO #4\"",
        ),
    ] {
        let run = solve(&["--only", only], &file).expect(2);
        assert_eq!(
            (run.stderr, run.stdout),
            (format!("outflank: {told}\n"), String::new())
        );
    }
    let unnamed = solve(&["--only", "x"], LOSS).expect(2);
    assert!(
        unnamed
            .stderr
            .contains("the positions of the files have no names"),
        "{unnamed:?}"
    );
}

/// Moves to positions that are equal up to symmetry have equal scores, also where searches are not exact.
#[test]
fn symmetric_moves_have_equal_scores() {
    let start = "---------------------------OX------XO--------------------------- X;";
    for depth in ["1", "2", "3", "4", "5"] {
        let run = solve(&["--json", "--lines", "4", "--depth", depth], start).expect(0);
        let lines = run.json()[0]["lines"].as_array().unwrap().clone();
        assert_eq!(lines.len(), 4);
        assert!(
            lines.iter().all(|line| line["score"] == lines[0]["score"]),
            "{lines:?}"
        );
    }
}

#[test]
fn files_that_cannot_be_read_are_not_summed_up() {
    let empty = solve(&[], "").expect(1);
    assert_eq!(empty.stdout, "");
    let mut command = outflank();
    let missing = run(command.args(["solve", "no-such-file"]), b"").expect(1);
    assert_eq!(missing.stdout, "");
    assert!(
        missing.stderr.starts_with("outflank: no-such-file: "),
        "{missing:?}"
    );
    // What could be read is.
    let folder = Folder::new();
    let file = folder.file("problem.obf", LOSS);
    let mut command = outflank();
    command.args(["solve", "--hash", "1", "no-such-file"]);
    let mixed = run(command.arg(file), b"").expect(1);
    assert!(mixed.stdout.contains("\n1 solved, 0 wrong, "), "{mixed:?}");
    // A program gets the sum of nothing.
    let run = solve(&["--json"], "\n  \n% only a comment\n").expect(1);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["summary"]["nps"], 0);
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
}
