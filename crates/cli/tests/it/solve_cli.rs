//! `outflank solve` on valid input: results and their formats.

use std::path::Path;

use crate::common::dialogue::assert_snapshot;
use crate::common::program::{OutputChecks, cli, solve};
use outflank_testing::command::{Folder, Run, run};
use serde_json::{Value, json};

/// Eight empties, a loss.
pub(crate) const LOSS: &str = "O-XXXXX-XOXXXX---OOOXXXXXOXOXOXXXOOXOXXXXOXOXOXX-OOXXXOX-OOOOO-O X; G8:-10; A3:-20; A8:-30; A7:-36;";
/// Seven empties, white to move, a win.
pub(crate) const WIN: &str = "OXXXXX--OOXXXX--OXOXOXXXOXXOOOXXOXXXXXXXXXOXXXO--OOOOOX-OXXXXXXX O; A7:+22; H7:+4; G1:-8; H2:-8; G2:-14; H6:-16;";
/// Eight empties, a draw.
pub(crate) const DRAW: &str = "-XXXX-O-XXXXXO--XXOOOOXXOXXOOOXXOXOOOXOOOOOOXOXXOOOXXX-X-OOOOOX- X; A8:+0; G7:-8; G2:-18; F1:-24;";
/// Five empties, white has to pass.
pub(crate) const PASS: &str =
    "-XXXXXXXXOXXXOOOXOXXXXOOXXOXXXOOXOOOXOOOXOOXOOOO-OXXXO--OOOOOOO- O; PS:-32;";
/// Five empties, two best moves.
const TWO_BEST: &str = "-XXXXXXXXOXXXOOOXOXXXXOOXXOXXXOOXOOOXOOOXOOXOOOO-OXXXO--OOOOOOO- X; A1:+32; G7:+32; H7:+24; A7:+8;";
/// Black has no disc left.
const WIPEOUT: &str = "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO-------- X;";

const ALL: [&str; 6] = [LOSS, WIN, DRAW, PASS, TWO_BEST, WIPEOUT];

fn all_problems() -> String {
    ALL.join("\n")
}

/// Values of a key in all rows except the summary.
pub(crate) fn values(run: &Run, key: &str) -> Vec<Value> {
    let rows = run.json();
    rows[..rows.len() - 1]
        .iter()
        .map(|row| row.get(key).unwrap_or_else(|| panic!("no {key} in {row}")))
        .cloned()
        .collect()
}

#[test]
fn json_has_every_key_with_the_right_value() {
    let run = solve(&["--json"], all_problems()).expect(0);
    assert_eq!(values(&run, "index"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(values(&run, "side"), ["X", "O", "X", "O", "X", "X"]);
    assert_eq!(values(&run, "score"), [-10, 22, 0, -32, 32, -64]);
    assert_eq!(values(&run, "depth"), [8, 7, 8, 5, 5, 8]);
    assert_eq!(values(&run, "selectivity"), [100; 6]);
    assert_eq!(values(&run, "bound"), ["exact"; 6]);
    let expected = json!([-10, 22, 0, -32, 32, null]);
    assert_eq!(json!(values(&run, "expected")), expected);
    let ok = json!([true, true, true, true, true, null]);
    assert_eq!(json!(values(&run, "ok")), ok);
    for (board, line) in values(&run, "board").iter().zip(ALL) {
        assert_eq!(board, &line[..64]);
    }
    assert_eq!(values(&run, "complete"), [true; 6]);
    assert_eq!(values(&run, "solved"), [true; 6]);
    let best = values(&run, "best");
    assert_eq!(best[..4], ["G8", "A7", "A8", "PS"]);
    assert!([json!("A1"), json!("G7")].contains(&best[4]), "{best:?}");
    assert_eq!(best[5], Value::Null);
    for (pv, best) in values(&run, "pv").iter().zip(&best) {
        assert_eq!(pv.get(0).unwrap_or(&Value::Null), best);
    }
    assert_eq!(values(&run, "name"), [const { Value::Null }; 6]);
    assert_eq!(run.json()[0].as_object().unwrap().len(), 16, "{run:?}");

    let rows = run.json();
    let summary = &rows[6]["summary"];
    let nodes = values(&run, "nodes");
    let nodes: u64 = nodes.iter().map(|nodes| nodes.as_u64().unwrap()).sum();
    let counts = ["positions", "solved", "wrong", "malformed", "nodes"].map(|key| &summary[key]);
    assert_eq!(counts, [6, 6, 0, 0, nodes]);
    assert!(summary["time_s"].is_f64() && summary["nps"].is_u64());
    let mut levels = outflank::Isa::ALL.iter();
    assert!(levels.any(|isa| summary["isa"] == isa.name()));
    assert_eq!(summary.as_object().unwrap().len(), 8, "{summary}");
}

#[test]
fn the_principal_variation_plays_to_the_score() {
    let file = all_problems();
    let run = solve(&["--json"], &file).expect(0);
    let problems = outflank::notation::obf::read(file.as_bytes());
    for ((problem, pv), score) in problems.zip(values(&run, "pv")).zip(values(&run, "score")) {
        let problem = problem.unwrap();
        let (mut board, mut side) = (problem.board, problem.side);
        for ply in pv.as_array().unwrap() {
            board = match ply.as_str().unwrap() {
                "PS" => {
                    assert_eq!(board.mobility(), 0, "{problem}: {pv}");
                    board.pass()
                }
                square => board.play(square.parse().unwrap()).unwrap(),
            };
            side = side.other();
        }
        assert!(board.is_game_over(), "{problem}: {pv}");
        let sign = if side == problem.side { 1 } else { -1 };
        assert_eq!(sign * board.final_score(), score, "{problem}: {pv}");
    }
}

/// Replaces times and speeds in the table of `solve`.
fn untimed(table: &str) -> String {
    let lines = table.lines().map(|line| {
        if let Some((nodes, _)) = line.split_once(" nodes in ") {
            return format!("{nodes} nodes in T (S N/s)\n");
        }
        let number = line.get(..3).unwrap_or_default();
        if number.trim().parse::<u32>().is_err() {
            return format!("{line}\n");
        }
        let (time, speed) = (&line[17..31], &line[46..56]);
        let time = time.trim();
        assert!(time.starts_with("0:0") && time.len() == 8, "{line}");
        assert!(speed.trim().parse::<u64>().is_ok(), "{line}");
        let (before, between, rest) = (&line[..17], &line[31..46], &line[56..]);
        format!("{before}{:>14}{between}{:>10}{rest}\n", "T", "S")
    });
    lines.collect()
}

#[test]
fn tables_match_the_snapshot() {
    let run = solve(&[], [LOSS, PASS, WIPEOUT].join("\n")).expect(0);
    assert_snapshot("solve", &untimed(&run.stdout));
    assert_eq!(run.stderr, "");
}

#[test]
fn black_moves_in_lower_case_and_white_in_upper() {
    let pv = |line| {
        let run = solve(&[], line).expect(0);
        run.stdout.lines().nth(2).unwrap()[57..].to_owned()
    };
    for (line, mut black) in [(LOSS, true), (WIN, false), (PASS, false)] {
        for ply in pv(line).split(' ') {
            let first = ply.chars().next().unwrap();
            let is_black = first.is_ascii_lowercase();
            assert!(ply == "PS" || is_black == black, "{line}: {ply}");
            black = !black;
        }
    }
}

#[test]
fn wld_has_only_outcomes() {
    let run = solve(&["--wld", "--json"], all_problems()).expect(0);
    assert_eq!(values(&run, "score"), [-1, 1, 0, -1, 1, -1]);
    let bounds = ["upper", "lower", "exact", "upper", "lower", "upper"];
    assert_eq!(values(&run, "bound"), bounds);
    let expected = json!([-1, 1, 0, -1, 1, null]);
    assert_eq!(json!(values(&run, "expected")), expected);

    let run = solve(&["--wld"], all_problems()).expect(0);
    let scores: Vec<_> = scores(&run).collect();
    assert_eq!(scores, ["loss", "win", "draw", "loss", "win", "loss"]);
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
        (&["--wld", "--depth", "3"][..], 1),
        (&["--wld", "--depth", "6"], 3),
        (&["--depth", "3"], 1),
        (&["--depth", "8"], 6),
    ] {
        let json = solve(&[arguments, &["--json"]].concat(), all_problems()).expect(0);
        let table = solve(arguments, all_problems()).expect(0);
        let is_solved = values(&json, "solved");
        assert_eq!(
            is_solved.iter().filter(|value| **value == true).count(),
            solved
        );
        assert_eq!(json.json()[6]["summary"]["solved"], solved);
        assert_eq!(json.json()[6]["summary"]["positions"], 6);
        let summary = match 6 - solved {
            0 => "6 solved, 0 wrong".to_owned(),
            searched => format!("{solved} solved, {searched} searched, 0 wrong"),
        };
        let last = table.stdout.lines().last().expect("there is a summary");
        assert!(last.starts_with(&summary), "{arguments:?}: {last}");
        let (found, bounds) = (values(&json, "score"), values(&json, "bound"));
        for (index, shown) in scores(&table).enumerate() {
            let is_outcome = ["win", "draw", "loss"].contains(&shown);
            let wanted = arguments[0] == "--wld" && is_solved[index] == true;
            assert_eq!(is_outcome, wanted, "{arguments:?}: {shown}");
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
fn bounds_are_shown_and_a_fail_low_has_no_best_move() {
    let window = ["--window", "-20", "10"];
    let table = solve(&window, all_problems()).expect(0);
    let expected = ["-10", ">=+10", "+0", "<=-20", ">=+10", "<=-20"];
    assert!(scores(&table).eq(expected), "{table:?}");
    for arguments in [&window[..], &["--wld"], &["--window", "34", "40"]] {
        let arguments = [arguments, &["--lines", "4"]].concat();
        let table = solve(&arguments, all_problems()).expect(0);
        let rows: Vec<_> = table.stdout.lines().skip(2).collect();
        let json = solve(&[&arguments[..], &["--json"]].concat(), all_problems()).expect(0);
        let rows_of_json = json.json();
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

#[test]
fn a_window_clips_the_scores() {
    let run = solve(&["--json", "--window", "-20", "10"], all_problems()).expect(0);
    assert_eq!(values(&run, "score"), [-10, 10, 0, -20, 10, -20]);
    assert_eq!(
        values(&run, "bound"),
        ["exact", "lower", "exact", "upper", "lower", "upper"]
    );
    // The file lists two moves with scores above the window. Both count as best.
    let run = solve(&["--window", "4", "5"], WIN.replace("H7:+4", "H7:+6")).expect(0);
    run.stdout_has(" >=+5  ");
}

#[test]
fn wrong_results_are_marked_and_fail() {
    let wrong_score = LOSS.replace("G8:-10", "G8:-8");
    let wrong_move = TWO_BEST.replace("A1:+32; G7:+32; H7:+24", "H7:+32; A1:+24; G7:+24");
    let run = solve(&[], [&wrong_score, &wrong_move, WIN].join("\n")).expect(1);
    let rows: Vec<_> = run.stdout.lines().skip(2).collect();
    assert!(rows[0].ends_with("  WRONG: expected -8 G8"), "{}", rows[0]);
    assert!(rows[1].ends_with("  WRONG: expected +32 H7"), "{}", rows[1]);
    assert!(!rows[2].contains("WRONG"), "{}", rows[2]);
    assert!(
        rows[3].starts_with("3 solved, 2 wrong, 0 malformed; "),
        "{}",
        rows[3]
    );

    let run = solve(&["--json"], [&wrong_score, &wrong_move, WIN].join("\n")).expect(1);
    assert_eq!(values(&run, "ok"), [false, false, true]);
    assert_eq!(values(&run, "expected"), [-8, 32, 22]);
    assert_eq!(run.json()[3]["summary"]["wrong"], 2);

    // Only the outcome is compared: the listed loss by 8 is right, the listed win is wrong.
    solve(&["--wld"], wrong_score).expect(0);
    let run = solve(&["--wld"], LOSS.replace("G8:-10", "G8:+2")).expect(1);
    run.stdout_has("WRONG: expected win G8");
}

#[test]
fn scores_without_moves_are_checked() {
    let board = &WIN[..66];
    let lines = [22, 20].map(|score| format!("{board}; --:{score:+};"));
    let run = solve(&["--json"], lines.join("\n")).expect(1);
    assert_eq!(values(&run, "expected"), [22, 20]);
    assert_eq!(values(&run, "ok"), [true, false]);
    let run = solve(&[], &lines[1]).expect(1);
    run.stdout_has("  WRONG: expected +20\n");
}

#[test]
fn unlisted_best_moves_are_not_judged() {
    solve(&[], WIN.replace("A7:+22; H7:+4;", "H7:+22;")).expect(0);
}

#[test]
fn several_files_are_named_and_numbered_through() {
    let folder = Folder::new();
    let first = folder.file("first.obf", [LOSS, DRAW].join("\n"));
    let second = folder.file("second.obf", WIN);
    let solve = |options| {
        let mut command = cli(&format!("solve --hash 1 {options}"));
        run(command.args([&first, &second]), b"").expect(0)
    };
    let table = solve("");
    let lines: Vec<_> = table.stdout.lines().collect();
    assert_eq!(lines[0], format!("{}:", first.display()));
    assert!(
        lines[3].starts_with("  1|") && lines[4].starts_with("  2|"),
        "{table:?}"
    );
    assert_eq!(lines[5], format!("{}:", second.display()));
    assert!(lines[8].starts_with("  3|"), "{table:?}");
    assert!(lines[9].starts_with("3 solved"), "{table:?}");

    let json = solve("--json");
    assert_eq!(values(&json, "index"), [1, 2, 3]);
    let names = [&first, &first, &second].map(|path| path.display().to_string());
    assert_eq!(values(&json, "file"), names);
}

#[test]
fn several_lines_are_shown_best_first() {
    let json = solve(
        &["--json", "--lines", "3", "--threads", "2"],
        all_problems(),
    )
    .expect(0);
    let rows = json.json();
    let expected = [[-10, -20, -30], [22, 4, -8], [0, -8, -18]];
    for (row, expected) in rows.iter().zip(expected) {
        let lines = row["lines"].as_array().unwrap();
        let scores: Vec<_> = lines.iter().map(|line| line["score"].clone()).collect();
        assert_eq!(scores, expected);
        assert_eq!(lines[0]["pv"], row["pv"]);
    }
    // A pass is the only ply.
    assert_eq!(rows[3]["lines"][0]["pv"], rows[3]["pv"]);
    let table = solve(&["--lines", "3"], WIN).expect(0);
    let rows: Vec<_> = table.stdout.lines().skip(2).collect();
    assert_eq!(rows.len(), 4, "{table:?}");
    assert!(rows[0].starts_with("  1|") && rows[0].contains(" +22 "));
    assert!(rows[1].starts_with("   |    2.   +4  ") && rows[1].contains(" H7 "));
    assert!(rows[2].starts_with("   |    3.   -8  ") && rows[2].contains(" G1 "));
}

/// Results of unfinished searches are not judged.
#[test]
fn limits_of_nodes_and_time_end_searches() {
    let problem = outflank_testing::data::project_file("data/problems/ffo-20-39.obf");
    for limit in [["--nodes", "0"], ["--nodes", "1000"], ["--time", "0"]] {
        let arguments = [&["--json"], &limit[..]].concat();
        let run = solve(&arguments, &problem).expect(0);
        // The first position has 6 empty squares and is solved before the first check of the limits.
        for row in &run.json()[1..20] {
            assert_eq!(
                [&row["complete"], &row["ok"]],
                [&json!(false), &Value::Null]
            );
            assert!(row["best"].is_string(), "{row}");
        }
    }
    let run = solve(
        &["--json", "--time", "60.5", "--nodes", "100000000"],
        all_problems(),
    )
    .expect(0);
    assert_eq!(values(&run, "complete"), [true; 6]);
}

#[test]
fn a_dash_is_standard_input() {
    let run = run(
        &mut cli("solve --hash 1 --json -"),
        all_problems().as_bytes(),
    )
    .expect(0);
    assert_eq!(values(&run, "score"), [-10, 22, 0, -32, 32, -64]);
}

#[test]
fn node_counts_do_not_depend_on_earlier_positions() {
    let forward = values(&solve(&["--json"], all_problems()), "nodes");
    let lines: Vec<_> = ALL.into_iter().rev().collect();
    let mut backward = values(&solve(&["--json"], lines.join("\n")), "nodes");
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn every_level_has_equal_results_and_node_counts() {
    let answers = |isa: outflank::Isa| {
        let run = solve(&["--json", "--isa", isa.name()], all_problems()).expect(0);
        assert_eq!(run.json()[6]["summary"]["isa"], isa.name());
        ["score", "nodes", "pv"].map(|key| values(&run, key))
    };
    let levels = outflank::Isa::available();
    for &isa in levels {
        assert_eq!(answers(isa), answers(levels[0]), "{isa}");
    }
}

#[test]
fn the_option_precedes_the_environment_variable() {
    let isa = |name: &str, options: &[&str]| {
        let mut command = cli("solve --hash 1 --json -");
        command.env("OUTFLANK_ISA", name).args(options);
        run(&mut command, WIPEOUT.as_bytes()).expect(0).json()[1]["summary"]["isa"].clone()
    };
    for available in outflank::Isa::available() {
        assert_eq!(isa(available.name(), &[]), available.name());
    }
    assert_eq!(isa("no such level", &["--isa", "portable"]), "portable");
}

/// A web page compares the node counts of the browser with these.
#[test]
fn node_counts_of_the_web_page_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(known) = std::fs::read(root.join("bindings/web/app/src/native.json")) else {
        eprintln!("skipped: this is no checkout of the repository");
        return;
    };
    let known: Vec<Value> = serde_json::from_slice(&known).unwrap();
    let known = known
        .iter()
        .map(|row| ["name", "nodes"].map(|key| row[key].clone()));
    let solved = ["ffo-1-19", "ffo-20-39"].map(|name| {
        let file = root.join(format!("data/problems/{name}.obf"));
        let run = run(cli("solve --json --threads 1").arg(file), b"").expect(0);
        values(&run, "name").into_iter().zip(values(&run, "nodes"))
    });
    let solved = solved.into_iter().flatten().map(<[Value; 2]>::from);
    let [known, solved]: [Vec<_>; 2] = [known.collect(), solved.collect()];
    assert_eq!(known, solved, "renew it by scripts/native.sh");
}
