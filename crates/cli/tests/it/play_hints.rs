//! `outflank play`: hints, scores of moves, and help.

use std::collections::HashSet;

use crate::common::dialogue::{parsed, problem, run_on_input};
use crate::common::program::OutputChecks;
use crate::play_cli::{play, play_in};
use outflank::notation::ply_name;
use outflank_testing::command::Folder;

/// Cells of the hint tables in an output, by row.
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
        let run = play("--side both --depth 5", format!("{typed}\n")).expect(0);
        let hints = hints(&run.stdout);
        assert_eq!(hints.len(), rows, "{typed}: {run:?}");
        assert!(hints.iter().all(|cells| cells[2] == hints[0][2]), "{run:?}");
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80));
        assert!(!run.stdout.contains("book"), "{run:?}");
    }
    // Book and search have values for the same moves, side by side.
    let typed = "hint\nf5d6\nhint 2\nhint 60\n";
    let run = run_on_input("play --hash 4 --side both --depth 4", typed).expect(0);
    let all = hints(&run.stdout);
    let moves: Vec<&str> = all.iter().map(|cells| cells[1].as_str()).collect();
    for cells in &all[..5] {
        let values = [&cells[2], &cells[3]].map(|cell| cell.split_once(' '));
        assert!(values.iter().all(Option::is_some), "{run:?}");
    }
    let are_equal = all[..3].iter().all(|cells| cells[2..4] == all[0][2..4]);
    assert!(are_equal, "{run:?}");
    let last: HashSet<&str> = moves[5..].iter().copied().collect();
    assert!(last.len() > 4 && last.len() == moves.len() - 5, "{moves:?}");
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn symmetric_moves_have_equal_scores() {
    for square in ["F5", "D3", "C4", "E6"] {
        let run = play("--side both", format!("{square}\n")).expect(0);
        run.stdout_has(", no move scores more (");
    }
}

/// The rows are aligned and have at most 80 characters.
#[test]
fn help_fits_into_a_terminal() {
    let run = play("--side both", "help\n").expect(0);
    let is_before = |row: &&str| row.trim_start().split(' ').next() != Some("f5");
    let rows: Vec<&str> = run.stdout.lines().skip_while(is_before).collect();
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
    let position = problem("ffo-1-19", 0);
    let listed = parsed(&position);
    let best = listed.moves.iter();
    let best: Vec<_> = best.map(|(ply, score)| (ply_name(*ply), *score)).collect();
    folder.file("ffo.obf", &position);
    let typed = "hint 2\nhint 60\nnew\n";
    let run = play_in(&folder, "--side both --start ffo.obf", typed).expect(0);
    run.stdout_has(format!("{} to move", listed.side));
    let hints: Vec<(String, i32)> = hints(&run.stdout)
        .into_iter()
        .map(|cells| {
            let (score, depth) = cells[2].split_once(' ').expect("a score and a depth");
            assert_eq!(depth.trim(), "exact");
            (cells[1].to_uppercase(), score.parse().expect("a score"))
        })
        .collect();
    assert_eq!(hints.len(), 2 + best.len());
    for hint in &hints[2..] {
        assert!(best.contains(hint), "{hint:?}: {best:?}");
    }
    assert_eq!((hints[0].1, hints[1].1), (best[0].1, best[1].1));
}

/// The scores agree with those of the problem.
#[test]
fn moves_get_scores() {
    let folder = Folder::new();
    folder.file("ffo.obf", problem("ffo-1-19", 0));
    let typed = "g8\nundo\nh7\nundo\nvalues off\na2\nundo\nvalues on\nh1\n";
    let scores = [
        "G8 scores +18, no move scores more (exact)",
        "H7?? scores +6, G8 scores +18 (exact)",
        "H1? scores +12, G8 scores +18 (exact)",
    ];
    // The program's moves and several moves at once get no scores.
    for (options, typed, expected) in [
        ("--side both --start ffo.obf", typed, &scores[..]),
        ("--side both --start ffo.obf --no-values", "g8\n", &[]),
        ("--level 1", "f5d6c3\n", &[]),
    ] {
        let run = play_in(&folder, options, typed).expect(0);
        let values = run.stdout.lines().filter(|line| line.contains("scores"));
        assert_eq!(values.collect::<Vec<_>>(), expected, "{options}");
    }
}
