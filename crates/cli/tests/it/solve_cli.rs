//! `outflank solve` on valid input: results and their formats.

use crate::common::dialogue::assert_snapshot;
use crate::common::program::{OutputChecks, cli, cli_in, run_in, run_on_file, solve};
use crate::common::text::{assert_ends, assert_has, assert_starts};
use outflank::Game;
use outflank::notation::obf;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::root;
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

/// Runs `outflank solve` on all problems.
#[track_caller]
pub(crate) fn solve_all(words: &str) -> Run {
    let arguments: Vec<_> = words.split_whitespace().collect();
    solve(&arguments, ALL.join("\n")).expect(0)
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
    let run = solve_all("--json");
    let best = values(&run, "best");
    assert!(["A1", "G7"].map(Value::from).contains(&best[4]), "{best:?}");
    for (key, expected) in [
        ("index", json!([1, 2, 3, 4, 5, 6])),
        ("board", json!(ALL.map(|line| &line[..64]))),
        ("side", json!(["X", "O", "X", "O", "X", "X"])),
        ("score", json!([-10, 22, 0, -32, 32, -64])),
        ("depth", json!([8, 7, 8, 5, 5, 8])),
        ("selectivity", [100; 6].into()),
        ("bound", ["exact"; 6].into()),
        ("best", json!(["G8", "A7", "A8", "PS", best[4], null])),
        ("expected", json!([-10, 22, 0, -32, 32, null])),
        ("ok", json!([true, true, true, true, true, null])),
        ("complete", [true; 6].into()),
        ("solved", [true; 6].into()),
        ("name", [(); 6].map(|()| Value::Null).into()),
    ] {
        assert_eq!(json!(values(&run, key)), expected, "{key}");
    }
    for (pv, best) in values(&run, "pv").iter().zip(&best) {
        assert_eq!(pv.get(0).unwrap_or(&Value::Null), best);
    }
    let rows = run.json();
    assert_eq!(rows[0].as_object().unwrap().len(), 16, "{run:?}");

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
    let run = solve_all("--json");
    let file = ALL.join("\n");
    let problems = obf::read(file.as_bytes());
    for ((problem, pv), score) in problems.zip(values(&run, "pv")).zip(values(&run, "score")) {
        let problem = problem.unwrap();
        let mut game = Game::from_start(problem.board, problem.side).unwrap();
        for ply in pv.as_array().unwrap() {
            let played = match ply.as_str().unwrap() {
                "PS" => game.pass(),
                square => game.play(square.parse().unwrap()),
            };
            played.unwrap_or_else(|error| panic!("{problem}: {pv}: {error}"));
        }
        let score = problem.side.black_score(score.as_i64().unwrap() as i32);
        assert_eq!(game.score(), Some(score), "{problem}: {pv}");
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
    for (line, mut black) in [(LOSS, true), (WIN, false), (PASS, false)] {
        let run = solve(&[], line).expect(0);
        let pv = &run.stdout.lines().nth(2).unwrap()[57..];
        for ply in pv.split(' ') {
            let is_black = ply.starts_with(|letter: char| letter.is_ascii_lowercase());
            assert!(ply == "PS" || is_black == black, "{line}: {ply}");
            black = !black;
        }
    }
}

#[test]
fn wrong_results_are_marked_and_fail() {
    let wrong_score = LOSS.replace("G8:-10", "G8:-8");
    let wrong_move = TWO_BEST.replace("A1:+32; G7:+32; H7:+24", "H7:+32; A1:+24; G7:+24");
    let file = [&wrong_score, &wrong_move, WIN].join("\n");
    let run = solve(&[], &file).expect(1);
    let rows: Vec<_> = run.stdout.lines().skip(2).collect();
    assert_ends(rows[0], "  WRONG: expected -8 G8");
    assert_ends(rows[1], "  WRONG: expected +32 H7");
    assert!(!rows[2].contains("WRONG"), "{}", rows[2]);
    assert_starts(rows[3], "3 solved, 2 wrong, 0 malformed; ");

    let run = solve(&["--json"], file).expect(1);
    assert_eq!(values(&run, "ok"), [false, false, true]);
    assert_eq!(values(&run, "expected"), [-8, 32, 22]);
    assert_eq!(run.json()[3]["summary"]["wrong"], 2);

    let wrong_outcome = LOSS.replace("G8:-10", "G8:+2");
    let unlisted_move = WIN.replace("A7:+22; H7:+4;", "H7:+22;");
    let [right, wrong] = [22, 20].map(|score| format!("{}; --:{score:+};", &WIN[..66]));
    for (options, file, status, message) in [
        // Only the outcome is compared: the listed loss by 8 is right, the listed win is wrong.
        (&["--wld"][..], wrong_score, 0, "1 solved, 0 wrong"),
        (&["--wld"], wrong_outcome, 1, "WRONG: expected win G8"),
        // A best move that the file does not list is not judged.
        (&[], unlisted_move, 0, "1 solved, 0 wrong"),
        // The file lists scores without moves.
        (&[], right, 0, "1 solved, 0 wrong"),
        (&[], wrong, 1, "  WRONG: expected +20\n"),
    ] {
        let run = solve(options, &file).expect(status);
        assert_has(&run.stdout, message);
        let json = solve(&[options, &["--json"]].concat(), &file).expect(status);
        assert_eq!(values(&json, "ok"), [status == 0], "{file}");
    }
}

#[test]
fn several_files_are_named_and_numbered_through() {
    let folder = Folder::new();
    folder.file("first.obf", [LOSS, DRAW].join("\n"));
    folder.file("second.obf", WIN);
    let solve = "solve --hash 1 first.obf second.obf";
    let table = run_in(&folder, solve, 0);
    let lines: Vec<_> = table.stdout.lines().collect();
    for (line, start) in [
        (0, "first.obf:"),
        (3, "  1|"),
        (4, "  2|"),
        (5, "second.obf:"),
        (8, "  3|"),
        (9, "3 solved"),
    ] {
        assert_starts(lines[line], start);
    }

    let json = run_in(&folder, &format!("{solve} --json"), 0);
    assert_eq!(values(&json, "index"), [1, 2, 3]);
    let names = ["first.obf", "first.obf", "second.obf"];
    assert_eq!(values(&json, "file"), names);
}

#[test]
fn several_lines_are_shown_best_first() {
    let rows = solve_all("--json --lines 3 --threads 2").json();
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
    for (row, start, part) in [
        (0, "  1|", " +22 "),
        (1, "   |    2.   +4  ", " H7 "),
        (2, "   |    3.   -8  ", " G1 "),
    ] {
        assert_starts(rows[row], start);
        assert_has(rows[row], part);
    }
}

#[test]
fn node_counts_do_not_depend_on_earlier_positions() {
    let forward = values(&solve_all("--json"), "nodes");
    let lines: Vec<_> = ALL.into_iter().rev().collect();
    let mut backward = values(&solve(&["--json"], lines.join("\n")), "nodes");
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn every_level_has_equal_results_and_node_counts() {
    let answers = |isa: outflank::Isa| {
        let run = solve_all(&format!("--json --isa {isa}"));
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
    let available = outflank::Isa::available();
    let available = available.iter().map(|isa| (isa.name(), "", isa.name()));
    let option = ("no such level", "--isa portable", "portable");
    for (variable, option, isa) in available.chain([option]) {
        let mut command = cli(&format!("solve --hash 1 --json - {option}"));
        let run = run(command.env("OUTFLANK_ISA", variable), WIPEOUT.as_bytes());
        let rows = run.expect(0).json();
        assert_eq!(rows[0]["score"], -64, "a dash is standard input");
        assert_eq!(rows[1]["summary"]["isa"], isa, "{variable} {option}");
    }
}

/// A search of FFO #36 is long enough that helpers start.
#[test]
fn the_number_of_threads_is_an_option_a_variable_or_that_of_the_cores() {
    let (folder, cores) = (Folder::new(), std::thread::available_parallelism());
    let problems = std::fs::read_to_string(root().join("data/problems/ffo-20-39.obf"));
    let is_problem = |line: &&str| line.contains("FFO #36,");
    let problem = problems.expect("a file of the repository");
    folder.file(
        "36.obf",
        problem.lines().find(is_problem).expect("it is there"),
    );
    let by_cores = cores.is_ok_and(|cores| cores.get() > 1);
    for (options, variable, shares) in [
        ("", None, by_cores),
        ("", Some(""), by_cores),
        ("", Some("1"), false),
        ("", Some("3"), true),
        ("--threads 1", Some("3"), false),
        ("--threads 3", Some("1"), true),
        ("--threads 3", Some("invalid, but not read"), true),
        ("--jobs 2", Some("3"), false),
    ] {
        let mut command = cli_in(&folder, &format!("solve --json {options} 36.obf"));
        command.env_remove("OUTFLANK_THREADS");
        command.envs(variable.map(|threads| ("OUTFLANK_THREADS", threads)));
        let rows = run(&mut command, b"").expect(0).json();
        assert_eq!(rows[0]["score"], 0);
        let work = &rows[1]["summary"]["thread_work"];
        assert_eq!(work.is_object(), shares, "{options} {variable:?}: {work}");
    }
    for variable in ["0", "513", "two", "1.5"] {
        let mut command = cli_in(&folder, "solve 36.obf");
        let refused = run(command.env("OUTFLANK_THREADS", variable), b"").expect(2);
        refused.stderr_has(format!(
            "value '{variable}' of the environment variable OUTFLANK_THREADS: expected a whole number from 1 to 512"
        ));
    }
}

/// A web page compares the node counts of the browser with these.
#[test]
fn node_counts_of_the_web_page_are_current() {
    let Ok(known) = std::fs::read(root().join("bindings/web/app/src/native.json")) else {
        eprintln!("skipped: this is no checkout of the repository");
        return;
    };
    let known: Vec<Value> = serde_json::from_slice(&known).unwrap();
    let mut known = known.iter().map(|row| (&row["name"], &row["nodes"]));
    // Paths are relative to the folder of the file.
    let options = "solve --json --threads 1 --weights ../weights/small.weights";
    for name in ["ffo-1-19", "ffo-20-39"] {
        let file = root().join(format!("data/problems/{name}.obf"));
        let run = run_on_file(options, &file).expect(0);
        for row in values(&run, "name").iter().zip(&values(&run, "nodes")) {
            assert_eq!(known.next(), Some(row), "renew it by scripts/native.sh");
        }
    }
    assert_eq!(known.next(), None);
}

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
        let only: Vec<&str> = only.iter().flat_map(|value| ["--only", value]).collect();
        let run = solve(&[&["--json"], &only[..]].concat(), &file).expect(0);
        assert_eq!(values(&run, "index"), indices, "{only:?}");
        let positions = &run.json()[indices.len()]["summary"]["positions"];
        assert_eq!(*positions, indices.len(), "{only:?}");
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
        let lines = &run.json()[0]["lines"];
        let scores = [0, 1, 2, 3].map(|line| &lines[line]["score"]);
        assert_eq!(scores, [scores[0]; 4], "{depth}: {lines}");
    }
}
