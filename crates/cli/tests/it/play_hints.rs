//! `outflank play`: hints, scores of moves, and help.

use crate::common::dialogue::problem;
use crate::common::program::{OutputChecks, cli};
use crate::play_cli::play;
use outflank_testing::command::{Folder, Run, run};

/// Cells of the tables of hints in an output.
fn hints(output: &str) -> Vec<Vec<String>> {
    let rows = output.lines().filter(|line| {
        let number = line.split('|').next().unwrap_or_default();
        line.contains('|') && number.trim().parse::<u32>().is_ok()
    });
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// Symmetric moves have equal scores, and the table fits into a terminal.
#[test]
fn hints_have_one_row_per_move() {
    for (typed, rows) in [("hint", 3), ("hint 4", 4), ("hint 1", 1), ("hint 60", 4)] {
        let run = play(&["--side", "both", "--depth", "5"], &format!("{typed}\n")).expect(0);
        let hints = hints(&run.stdout);
        assert_eq!(hints.len(), rows, "{typed}: {run:?}");
        assert!(hints.iter().all(|cells| cells[2] == hints[0][2]), "{run:?}");
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80));
        assert!(!run.stdout.contains("book"), "{run:?}");
    }
    // Book and search have values for the same moves, side by side.
    let run = run(
        &mut cli("play --hash 4 --side both --depth 4"),
        b"hint\nf5d6\nhint 2\nhint 60\n",
    )
    .expect(0);
    let all = hints(&run.stdout);
    let moves: Vec<&str> = all.iter().map(|cells| cells[1].as_str()).collect();
    for cells in &all[..5] {
        let values = [&cells[2], &cells[3]].map(|cell| cell.split_once(' '));
        assert!(values.iter().all(Option::is_some), "{run:?}");
    }
    assert!(
        all[..3].iter().all(|cells| cells[2..4] == all[0][2..4]),
        "{run:?}"
    );
    let last = &moves[5..];
    assert!(
        last.len() > 4 && (1..last.len()).all(|i| !last[..i].contains(&last[i])),
        "{last:?}"
    );
    assert!(
        run.stdout.lines().all(|line| line.chars().count() <= 80),
        "{run:?}"
    );
}

#[test]
fn symmetric_moves_have_equal_scores() {
    for square in ["F5", "D3", "C4", "E6"] {
        let run = play(&["--side", "both"], &format!("{square}\n")).expect(0);
        run.stdout_has(", no move scores more (");
    }
}

/// The rows are aligned and have at most 80 characters.
#[test]
fn help_fits_into_a_terminal() {
    let run = play(&["--side", "both"], "help\n").expect(0);
    let rows = run
        .stdout
        .lines()
        .skip_while(|row| row.trim_start().split(' ').next() != Some("f5"));
    let rows: Vec<&str> = rows.collect();
    assert!(rows.len() > 15, "{run:?}");
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
        .filter_map(|entry| entry.trim().split_once(':'))
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
    run.stdout_has(format!("{side} to move"));
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

/// The scores agree with those of the problem.
#[test]
fn moves_get_scores() {
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
    // The program's moves and several moves at once get no scores.
    let run = play(&["--level", "1"], "f5d6c3\n").expect(0);
    assert_eq!(values(&run), [""; 0]);
}
