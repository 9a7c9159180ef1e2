//! `outflank solve` on good input: what it answers, and how that looks.

use std::path::Path;

use crate::common::dialogue::assert_kept;
use crate::common::program::{outflank, solve};
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

fn all() -> String {
    ALL.join("\n")
}

/// The values of one key in all rows; the summary is left out.
pub(crate) fn values(run: &Run, key: &str) -> Vec<Value> {
    let rows = run.json();
    rows[..rows.len() - 1]
        .iter()
        .map(|row| row.get(key).unwrap_or_else(|| panic!("no {key} in {row}")))
        .cloned()
        .collect()
}

#[test]
fn json_has_every_key_and_the_right_values() {
    let run = solve(&["--json"], all()).expect(0);
    assert_eq!(values(&run, "index"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(values(&run, "side"), ["X", "O", "X", "O", "X", "X"]);
    assert_eq!(values(&run, "score"), [-10, 22, 0, -32, 32, -64]);
    assert_eq!(values(&run, "depth"), [8, 7, 8, 5, 5, 8]);
    assert_eq!(values(&run, "selectivity"), [100; 6]);
    assert_eq!(values(&run, "bound"), ["exact"; 6]);
    let expected = [
        json!(-10),
        json!(22),
        json!(0),
        json!(-32),
        json!(32),
        Value::Null,
    ];
    assert_eq!(values(&run, "expected"), expected);
    let ok = [
        json!(true),
        json!(true),
        json!(true),
        json!(true),
        json!(true),
        Value::Null,
    ];
    assert_eq!(values(&run, "ok"), ok);
    for (board, line) in values(&run, "board").iter().zip(ALL) {
        assert_eq!(board, &line[..64]);
    }
    assert_eq!(values(&run, "complete"), [true; 6]);
    assert_eq!(values(&run, "solved"), [true; 6]);
    let best = values(&run, "best");
    assert_eq!(best[..4], ["G8", "A7", "A8", "PS"]);
    assert!(
        ["A1", "G7"].contains(&best[4].as_str().unwrap()),
        "{best:?}"
    );
    assert_eq!(best[5], Value::Null);
    for (pv, best) in values(&run, "pv").iter().zip(&best) {
        assert_eq!(pv.get(0).unwrap_or(&Value::Null), best);
    }
    assert_eq!(values(&run, "name"), [const { Value::Null }; 6]);
    assert_eq!(run.json()[0].as_object().unwrap().len(), 16, "{run:?}");

    let rows = run.json();
    let summary = &rows[6]["summary"];
    let nodes: u64 = values(&run, "nodes")
        .iter()
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(summary["positions"], 6);
    assert_eq!(summary["solved"], 6);
    assert_eq!(summary["wrong"], 0);
    assert_eq!(summary["malformed"], 0);
    assert_eq!(summary["nodes"], nodes);
    assert!(
        summary["time_s"].is_f64() && summary["nps"].is_u64(),
        "{summary}"
    );
    assert!(
        outflank::Isa::ALL
            .iter()
            .any(|isa| summary["isa"] == isa.name())
    );
    assert_eq!(summary.as_object().unwrap().len(), 8, "{summary}");
}

#[test]
fn the_principal_variation_plays_to_the_score() {
    let file = all();
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

/// The table of `solve`, but for times and speeds.
fn untimed(table: &str) -> String {
    let lines = table.lines().map(|line| {
        if let Some((nodes, _)) = line.split_once(" nodes in ") {
            return format!("{nodes} nodes in T (S N/s)\n");
        }
        if line
            .get(..3)
            .is_none_or(|number| number.trim().parse::<u32>().is_err())
        {
            return format!("{line}\n");
        }
        let (time, speed) = (&line[17..31], &line[46..56]);
        assert!(
            time.trim().starts_with("0:0") && time.trim().len() == 8,
            "{line}"
        );
        assert!(speed.trim().parse::<u64>().is_ok(), "{line}");
        let rest = line.get(56..).unwrap_or("");
        format!(
            "{}{:>14}{}{:>10}{rest}\n",
            &line[..17],
            "T",
            &line[31..46],
            "S"
        )
    });
    lines.collect()
}

#[test]
fn the_table_has_its_columns() {
    let run = solve(&[], [LOSS, PASS, WIPEOUT].join("\n")).expect(0);
    assert_kept("solve", &untimed(&run.stdout));
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
            assert!(
                ply == "PS" || first.is_ascii_lowercase() == black,
                "{line}: {ply}"
            );
            black = !black;
        }
    }
}

#[test]
fn wld_tells_only_the_outcome() {
    let run = solve(&["--wld", "--json"], all()).expect(0);
    assert_eq!(values(&run, "score"), [-1, 1, 0, -1, 1, -1]);
    assert_eq!(
        values(&run, "bound"),
        ["upper", "lower", "exact", "upper", "lower", "upper"]
    );
    let expected = [
        json!(-1),
        json!(1),
        json!(0),
        json!(-1),
        json!(1),
        Value::Null,
    ];
    assert_eq!(values(&run, "expected"), expected);

    let run = solve(&["--wld"], all()).expect(0);
    let scores: Vec<_> = scores(&run).collect();
    assert_eq!(scores, ["loss", "win", "draw", "loss", "win", "loss"]);
}

/// The column of scores in the table.
fn scores(run: &Run) -> impl Iterator<Item = &str> {
    let rows = run.stdout.lines().skip(2);
    rows.map_while(|row| (row.as_bytes().get(3) == Some(&b'|')).then(|| row[11..16].trim()))
}

/// A position that is not solved has an estimate of its score, not an outcome, and is not counted as solved.
#[test]
fn what_is_not_searched_to_the_end_is_not_solved() {
    for (arguments, solved) in [
        (&["--wld", "--depth", "3"][..], 1),
        (&["--wld", "--depth", "6"], 3),
        (&["--depth", "3"], 1),
        (&["--depth", "8"], 6),
    ] {
        let json = solve(&[arguments, &["--json"]].concat(), all()).expect(0);
        let table = solve(arguments, all()).expect(0);
        let is_solved = values(&json, "solved");
        assert_eq!(is_solved.iter().filter(|one| **one == true).count(), solved);
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

/// The table says which scores are bounds, and a fail-low has no best move.
#[test]
fn bounds_are_shown_and_a_fail_low_has_no_best_move() {
    let window = ["--window", "-20", "10"];
    let table = solve(&window, all()).expect(0);
    let expected = ["-10", ">=+10", "+0", "<=-20", ">=+10", "<=-20"];
    assert!(scores(&table).eq(expected), "{}", table.stdout);
    for arguments in [&window[..], &["--wld"], &["--window", "34", "40"]] {
        let arguments = [arguments, &["--lines", "4"]].concat();
        let table = solve(&arguments, all()).expect(0);
        let rows: Vec<_> = table.stdout.lines().skip(2).collect();
        let json = solve(&[&arguments[..], &["--json"]].concat(), all()).expect(0);
        let rows_of_json = json.json();
        let upper = rows_of_json.iter().filter(|row| row["bound"] == "upper");
        assert!(upper.clone().count() >= 2);
        for row in upper {
            assert_eq!((&row["best"], &row["pv"]), (&Value::Null, &json!([])));
            assert_eq!(row.get("lines"), None);
            let start = format!("{:>3}|", row["index"].as_u64().unwrap());
            let row = rows.iter().find(|row| row.starts_with(&start));
            assert_eq!(row.expect("it is in the table").len(), 56, "{row:?}");
        }
        // Moves that fail low beside others that do not are left out.
        for row in rows_of_json.iter().filter(|row| row["bound"] != "upper") {
            let lines = row["lines"].as_array().into_iter().flatten();
            assert!(lines.clone().all(|line| line["bound"] != "upper"), "{row}");
        }
    }
}

#[test]
fn a_window_clips_the_scores() {
    let run = solve(&["--json", "--window", "-20", "10"], all()).expect(0);
    assert_eq!(values(&run, "score"), [-10, 10, 0, -20, 10, -20]);
    assert_eq!(
        values(&run, "bound"),
        ["exact", "lower", "exact", "upper", "lower", "upper"]
    );
    // A move that only reaches the window is as good as the best.
    let run = solve(&["--window", "4", "5"], WIN.replace("H7:+4", "H7:+6")).expect(0);
    assert!(run.stdout.contains(" >=+5  "), "{run:?}");
}

#[test]
fn a_wrong_answer_is_marked_and_fails() {
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

    // A loss by 8 is a loss; a win is not.
    solve(&["--wld"], wrong_score).expect(0);
    let run = solve(&["--wld"], LOSS.replace("G8:-10", "G8:+2")).expect(1);
    assert!(run.stdout.contains("WRONG: expected win G8"), "{run:?}");
}

#[test]
fn a_score_without_a_move_is_checked_too() {
    let board = &WIN[..66];
    let lines = [22, 20].map(|score| format!("{board}; --:{score:+};"));
    let run = solve(&["--json"], lines.join("\n")).expect(1);
    assert_eq!(values(&run, "expected"), [22, 20]);
    assert_eq!(values(&run, "ok"), [true, false]);
    let run = solve(&[], &lines[1]).expect(1);
    assert!(run.stdout.contains("  WRONG: expected +20\n"), "{run:?}");
}

#[test]
fn a_best_move_that_the_file_does_not_list_is_not_judged() {
    solve(&[], WIN.replace("A7:+22; H7:+4;", "H7:+22;")).expect(0);
}

#[test]
fn several_files_are_numbered_through_and_named() {
    let folder = Folder::new();
    let first = folder.file("first.obf", [LOSS, DRAW].join("\n"));
    let second = folder.file("second.obf", WIN);
    let solve = || {
        let mut command = outflank();
        command
            .args(["solve", "--hash", "1"])
            .args([&first, &second]);
        command
    };
    let table = run(&mut solve(), b"").expect(0);
    let lines: Vec<_> = table.stdout.lines().collect();
    assert_eq!(lines[0], format!("{}:", first.display()));
    assert!(
        lines[3].starts_with("  1|") && lines[4].starts_with("  2|"),
        "{table:?}"
    );
    assert_eq!(lines[5], format!("{}:", second.display()));
    assert!(lines[8].starts_with("  3|"), "{table:?}");
    assert!(lines[9].starts_with("3 solved"), "{table:?}");

    let json = run(solve().arg("--json"), b"").expect(0);
    assert_eq!(values(&json, "index"), [1, 2, 3]);
    let names = [&first, &first, &second].map(|path| path.display().to_string());
    assert_eq!(values(&json, "file"), names);
}

#[test]
fn several_lines_are_shown_best_first() {
    let json = solve(&["--json", "--lines", "3", "--threads", "2"], all()).expect(0);
    let rows = json.json();
    for (row, expected) in rows
        .iter()
        .zip([[-10, -20, -30], [22, 4, -8], [0, -8, -18]])
    {
        let lines = row["lines"].as_array().unwrap();
        let scores: Vec<_> = lines.iter().map(|line| line["score"].clone()).collect();
        assert_eq!(scores, expected);
        assert_eq!(lines[0]["pv"], row["pv"]);
    }
    assert_eq!(
        rows[3]["lines"][0]["pv"], rows[3]["pv"],
        "a pass is the only one"
    );
    let table = solve(&["--lines", "3"], WIN).expect(0);
    let rows: Vec<_> = table.stdout.lines().skip(2).collect();
    assert_eq!(rows.len(), 4, "{}", table.stdout);
    assert!(rows[0].starts_with("  1|") && rows[0].contains(" +22 "));
    assert!(rows[1].starts_with("   |    2.   +4  ") && rows[1].contains(" H7 "));
    assert!(rows[2].starts_with("   |    3.   -8  ") && rows[2].contains(" G1 "));
}

/// A limit leaves what was found, which is not judged.
#[test]
fn limits_of_nodes_and_time_end_a_search() {
    let problem = outflank_testing::data::project_file("problems/ffo-20-39.obf");
    for limit in [["--nodes", "0"], ["--nodes", "1000"], ["--time", "0"]] {
        let arguments = [&["--json"], &limit[..]].concat();
        let run = solve(&arguments, &problem).expect(0);
        // The first has 6 empty squares: those are solved sooner than anybody looks.
        for row in &run.json()[1..20] {
            assert_eq!(
                (&row["complete"], &row["ok"]),
                (&json!(false), &Value::Null)
            );
            assert!(row["best"].is_string(), "{row}");
        }
    }
    let run = solve(&["--json", "--time", "60.5", "--nodes", "100000000"], all()).expect(0);
    assert_eq!(values(&run, "complete"), [true; 6]);
}

#[test]
fn a_dash_is_standard_input() {
    let mut command = outflank();
    command.args(["solve", "--hash", "1", "--json", "-"]);
    let run = run(&mut command, all().as_bytes()).expect(0);
    assert_eq!(values(&run, "score"), [-10, 22, 0, -32, 32, -64]);
}

#[test]
fn node_counts_do_not_depend_on_the_order() {
    let forward = values(&solve(&["--json"], all()), "nodes");
    let lines: Vec<_> = ALL.into_iter().rev().collect();
    let mut backward = values(&solve(&["--json"], lines.join("\n")), "nodes");
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn every_level_gives_the_same_answers_and_node_counts() {
    let answers = |isa: outflank::Isa| {
        let run = solve(&["--json", "--isa", isa.name()], all()).expect(0);
        assert_eq!(run.json()[6]["summary"]["isa"], isa.name());
        ["score", "nodes", "pv"].map(|key| values(&run, key))
    };
    let levels = outflank::Isa::available();
    for &isa in levels {
        assert_eq!(answers(isa), answers(levels[0]), "{isa}");
    }
}

#[test]
fn the_environment_names_a_level_unless_the_option_does() {
    let isa = |name: &str, options: &[&str]| {
        let mut command = outflank();
        command.env("OUTFLANK_ISA", name);
        command
            .args(["solve", "--hash", "1", "--json", "-"])
            .args(options);
        run(&mut command, WIPEOUT.as_bytes()).expect(0).json()[1]["summary"]["isa"].clone()
    };
    for available in outflank::Isa::available() {
        assert_eq!(isa(available.name(), &[]), available.name());
    }
    assert_eq!(isa("no such level", &["--isa", "portable"]), "portable");
}

/// What the page of kernels compares the browser's solves with is what the program does.
#[test]
fn the_page_knows_how_many_nodes_it_takes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Ok(known) = std::fs::read(root.join("web/app/src/native.json")) else {
        eprintln!("skipped: this is no checkout of the repository");
        return;
    };
    let known: Vec<Value> = serde_json::from_slice(&known).unwrap();
    let known = known
        .iter()
        .map(|one| [&one["name"], &one["nodes"]].map(Value::clone));
    let solved = ["ffo-1-19", "ffo-20-39"].map(|name| {
        let mut command = outflank();
        command.args(["solve", "--json", "--threads", "1"]);
        let run = run(command.arg(root.join(format!("problems/{name}.obf"))), b"").expect(0);
        values(&run, "name").into_iter().zip(values(&run, "nodes"))
    });
    let solved = solved
        .into_iter()
        .flatten()
        .map(|(name, nodes)| [name, nodes]);
    let [known, solved]: [Vec<_>; 2] = [known.collect(), solved.collect()];
    assert_eq!(known, solved, "renew it by scripts/native.sh");
}
