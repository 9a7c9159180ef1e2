//! `outflank solve`: scores with outcomes, windows and limits.

use crate::common::program::{OutputChecks, solve};
use crate::common::text::assert_starts;
use crate::solve_cli::{WIN, solve_all, values};
use outflank_testing::command::Run;
use outflank_testing::data::project_file;
use serde_json::{Value, json};

#[test]
fn outcomes_and_windows_clip_the_scores() {
    for (options, scores_of_json, bounds, shown) in [
        (
            "--wld",
            [-1, 1, 0, -1, 1, -1],
            ["upper", "lower", "exact", "upper", "lower", "upper"],
            ["loss", "win", "draw", "loss", "win", "loss"],
        ),
        (
            "--window -20 10",
            [-10, 10, 0, -20, 10, -20],
            ["exact", "lower", "exact", "upper", "lower", "upper"],
            ["-10", ">=+10", "+0", "<=-20", ">=+10", "<=-20"],
        ),
    ] {
        let json = solve_all(&format!("{options} --json"));
        assert_eq!(values(&json, "score"), scores_of_json, "{options}");
        assert_eq!(values(&json, "bound"), bounds, "{options}");
        assert!(scores(&solve_all(options)).eq(shown), "{options}");
    }
    let run = solve_all("--wld --json");
    let expected = json!([-1, 1, 0, -1, 1, null]);
    assert_eq!(json!(values(&run, "expected")), expected);
    // The file lists two moves with scores above the window. Both count as best.
    let run = solve(&["--window", "4", "5"], WIN.replace("H7:+4", "H7:+6")).expect(0);
    run.stdout_has(" >=+5  ");
}

/// Cells of the column of scores in the table.
fn scores(run: &Run) -> impl Iterator<Item = &str> {
    let rows = run.stdout.lines().skip(2);
    rows.map_while(|row| (row.as_bytes().get(3) == Some(&b'|')).then(|| row[11..16].trim()))
}

/// A position that is not solved has an estimated score instead of an outcome.
#[test]
fn partly_searched_positions_are_not_solved() {
    for (arguments, solved) in [
        ("--wld --depth 3", 1),
        ("--wld --depth 6", 3),
        ("--depth 3", 1),
        ("--depth 8", 6),
    ] {
        let json = solve_all(&format!("{arguments} --json"));
        let table = solve_all(arguments);
        let is_solved = values(&json, "solved");
        let count = is_solved.iter().filter(|value| **value == true).count();
        let summary = &json.json()[6]["summary"];
        assert_eq!(count, solved, "{arguments}");
        assert_eq!([&summary["solved"], &summary["positions"]], [solved, 6]);
        let counts = match 6 - solved {
            0 => "6 solved, 0 wrong".to_owned(),
            searched => format!("{solved} solved, {searched} searched, 0 wrong"),
        };
        assert_starts(table.stdout.lines().last().unwrap(), &counts);
        let (found, bounds) = (values(&json, "score"), values(&json, "bound"));
        for (index, shown) in scores(&table).enumerate() {
            let is_outcome = ["win", "draw", "loss"].contains(&shown);
            let wanted = arguments.starts_with("--wld") && is_solved[index] == true;
            assert_eq!(is_outcome, wanted, "{arguments}: {shown}");
            if !is_outcome {
                let sign = match bounds[index].as_str() {
                    Some("exact") => "",
                    Some("lower") => ">=",
                    _ => "<=",
                };
                assert_eq!(shown, format!("{sign}{:+}", found[index].as_i64().unwrap()));
            }
        }
    }
}

#[test]
fn a_fail_low_has_no_best_move() {
    for arguments in ["--window -20 10", "--wld", "--window 34 40"] {
        let arguments = format!("{arguments} --lines 4");
        let table = solve_all(&arguments);
        let rows: Vec<_> = table.stdout.lines().skip(2).collect();
        let rows_of_json = solve_all(&format!("{arguments} --json")).json();
        let upper = rows_of_json.iter().filter(|row| row["bound"] == "upper");
        assert!(upper.clone().count() >= 2);
        for row in upper {
            assert_eq!((&row["best"], &row["pv"]), (&Value::Null, &json!([])));
            assert_eq!(row.get("lines"), None);
            let start = format!("{:>3}|", row["index"].as_u64().unwrap());
            let row = rows.iter().find(|row| row.starts_with(&start));
            assert_eq!(row.expect("the table has the row").len(), 56, "{row:?}");
        }
        // Moves that fail low are left out if others do not fail low.
        for row in rows_of_json.iter().filter(|row| row["bound"] != "upper") {
            let lines = row["lines"].as_array().into_iter().flatten();
            assert!(lines.clone().all(|line| line["bound"] != "upper"), "{row}");
        }
    }
}

/// Results of unfinished searches are not judged.
#[test]
fn limits_of_nodes_and_time_end_searches() {
    let problem = project_file("data/problems/ffo-20-39.obf");
    for limit in [["--nodes", "0"], ["--nodes", "1000"], ["--time", "0"]] {
        let run = solve(&["--json", limit[0], limit[1]], &problem).expect(0);
        // The first position has 6 empty squares and is solved before the first check of the limits.
        for row in &run.json()[1..20] {
            let judged = (&row["complete"], &row["ok"]);
            assert_eq!(judged, (&json!(false), &Value::Null), "{limit:?}");
            assert!(row["best"].is_string(), "{row}");
        }
    }
    let run = solve_all("--json --time 60.5 --nodes 100000000");
    assert_eq!(values(&run, "complete"), [true; 6]);
}
