//! `outflank play`: hints, the values of moves, and help.

use crate::common::dialogue::problem;
use crate::common::program::outflank;
use crate::play_cli::play;
use outflank_testing::command::{Folder, Run, run};

/// The cells of the rows of hints.
fn hints(told: &str) -> Vec<Vec<String>> {
    let rows = told.lines().filter(|line| {
        let number = line.split('|').next().unwrap_or_default();
        line.contains('|') && number.trim().parse::<u32>().is_ok()
    });
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// As many rows as were asked for, a move each; symmetric moves have one score; the table fits into a terminal.
#[test]
fn a_hint_has_one_row_a_move() {
    for (typed, rows) in [("hint", 3), ("hint 4", 4), ("hint 1", 1), ("hint 60", 4)] {
        let run = play(&["--side", "both", "--depth", "5"], &format!("{typed}\n")).expect(0);
        let hints = hints(&run.stdout);
        assert_eq!(hints.len(), rows, "{typed}: {}", run.stdout);
        assert!(
            hints.iter().all(|cells| cells[2] == hints[0][2]),
            "{}",
            run.stdout
        );
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80));
        assert!(!run.stdout.contains("book"), "{}", run.stdout);
    }
    // The book and the search side by side, for the same moves.
    let mut command = outflank();
    command.args(["play", "--hash", "4", "--side", "both", "--depth", "4"]);
    let run = run(&mut command, b"hint\nf5d6\nhint 2\nhint 60\n").expect(0);
    let all = hints(&run.stdout);
    let moves: Vec<&str> = all.iter().map(|cells| cells[1].as_str()).collect();
    for cells in &all[..5] {
        let values = [&cells[2], &cells[3]].map(|cell| cell.split_once(' '));
        assert!(values.iter().all(Option::is_some), "{}", run.stdout);
    }
    assert!(
        all[..3].iter().all(|cells| cells[2..4] == all[0][2..4]),
        "{}",
        run.stdout
    );
    let last = &moves[5..];
    assert!(
        last.len() > 4 && (1..last.len()).all(|i| !last[..i].contains(&last[i])),
        "{last:?}"
    );
    assert!(
        run.stdout.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.stdout
    );
}

/// The value of a first move does not depend on which of the four it is.
#[test]
fn symmetric_moves_are_valued_alike() {
    for square in ["F5", "D3", "C4", "E6"] {
        let run = play(&["--side", "both"], &format!("{square}\n")).expect(0);
        assert!(
            run.stdout.contains(", no move scores more ("),
            "{}",
            run.stdout
        );
    }
}

/// All that can be typed is listed, in rows that begin alike and fit into a terminal.
#[test]
fn help_fits_into_a_terminal() {
    let run = play(&["--side", "both"], "help\n").expect(0);
    let rows = run
        .stdout
        .lines()
        .skip_while(|row| row.trim_start().split(' ').next() != Some("f5"));
    let rows: Vec<&str> = rows.collect();
    assert!(rows.len() > 15, "{}", run.stdout);
    for row in &rows {
        let is_aligned =
            row.starts_with("  ") && &row[16..18] == "  " && row.as_bytes()[18] != b' ';
        assert!(is_aligned && row.len() <= 80, "{row}");
    }
}

#[test]
fn hints_have_exact_scores_at_the_end() {
    let folder = Folder::new();
    let line = problem("ffo-1-19", 0);
    let (_, scores) = line.split_once(';').unwrap();
    let best: Vec<(String, i32)> = scores
        .split(';')
        .filter_map(|one| one.trim().split_once(':'))
        .map(|(name, score)| (name.to_lowercase(), score.parse().unwrap()))
        .collect();
    let start = folder.file("ffo.obf", &line);
    let arguments = ["--side", "both", "--start", start.to_str().unwrap()];
    let run = play(&arguments, "hint 2\nhint 60\nnew\n").expect(0);
    let side = if line.contains(" X;") {
        "black"
    } else {
        "white"
    };
    assert!(run.stdout.contains(&format!("{side} to move")));
    let hints: Vec<(String, i32)> = hints(&run.stdout)
        .into_iter()
        .map(|cells| {
            let value = cells[2].split_once(' ').expect("a score and a depth");
            assert_eq!(value.1.trim(), "exact");
            (cells[1].to_lowercase(), value.0.parse().expect("a score"))
        })
        .collect();
    assert_eq!(hints.len(), 2 + best.len());
    for (name, score) in &hints[2..] {
        assert!(
            best.contains(&(name.clone(), *score)),
            "{name} {score}: {best:?}"
        );
    }
    assert_eq!((hints[0].1, hints[1].1), (best[0].1, best[1].1));
}

/// Each move of the person is told what it is worth, against the scores that the problem has.
#[test]
fn moves_are_valued() {
    let folder = Folder::new();
    let start = folder.file("ffo.obf", problem("ffo-1-19", 0));
    let start = start.to_str().unwrap();
    let typed = "g8\nundo\nh7\nundo\nvalues off\na2\nundo\nvalues on\nh1\n";
    let run = play(&["--side", "both", "--start", start], typed).expect(0);
    let values = |run: &Run| -> Vec<String> {
        let lines = run.stdout.lines().filter(|line| line.contains("scores"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        values(&run),
        [
            "G8 scores +18, no move scores more (exact)",
            "H7?? scores +6, G8 scores +18 (exact)",
            "H1? scores +12, G8 scores +18 (exact)",
        ]
    );
    let run = play(&["--side", "both", "--no-values", "--start", start], "g8\n").expect(0);
    assert_eq!(values(&run), [""; 0]);
    // The program's own moves are not, nor are several at once.
    let run = play(&["--level", "1"], "f5d6c3\n").expect(0);
    assert_eq!(values(&run), [""; 0]);
}
