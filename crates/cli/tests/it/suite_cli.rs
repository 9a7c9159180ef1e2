//! `outflank suite`: engines are tested by positions with known scores.

#[cfg(unix)]
use std::fs;

use outflank_testing::command::{Folder, Run, run};
use serde_json::Value;

#[cfg(unix)]
use crate::common::matches::{assert_no_process, script};
use crate::common::program::{OutputChecks, cli_in, refuse_all, run_in};

/// FFO #20 to #24, with 6 to 10 empty squares, and all scores.
fn folder() -> Folder {
    let folder = Folder::new();
    let all = String::from_utf8_lossy(outflank::problems::FFO_20_39);
    let positions = all
        .lines()
        .filter(|line| line.contains(';') && !line.starts_with('%'));
    let few: Vec<&str> = positions.take(5).collect();
    folder.file("ffo.obf", few.join("\n"));
    folder
}

const ENGINE: &str = env!("CARGO_BIN_EXE_outflank");

fn suite(folder: &Folder, options: &str, status: i32) -> Run {
    run_in(folder, &format!("suite ffo.obf {options}"), status)
}

/// Rows of positions, and rows of totals.
fn rows(run: &Run) -> (Vec<Value>, Vec<Value>) {
    let (totals, rows) = run
        .json()
        .into_iter()
        .partition(|row| !row["summary"].is_null());
    (rows, totals)
}

#[test]
fn exact_searches_find_all_best_moves() {
    let folder = folder();
    let run = suite(&folder, "--level 60 --level 0 --json", 0);
    let (rows, totals) = rows(&run);
    assert_eq!((rows.len(), totals.len()), (10, 2));
    let exact = &totals[0]["summary"];
    assert_eq!(
        (&exact["best_moves"], &exact["positions"]),
        (&5.into(), &5.into()),
        "{exact}"
    );
    assert_eq!(
        (&exact["mean_loss"], &exact["mean_score_error"]),
        (&0.0.into(), &0.0.into())
    );
    let weak = &totals[1]["summary"];
    assert!(weak["mean_score_error"].as_f64() > Some(1.0), "{weak}");
    for row in &rows[..5] {
        assert!(
            row["best_moves"].as_array().unwrap().contains(&row["move"]),
            "{row}"
        );
        assert_eq!(row["score"].as_f64(), row["exact_score"].as_f64(), "{row}");
    }
    // Sums are those of the rows.
    let nodes: u64 = rows[..5]
        .iter()
        .map(|row| row["nodes"].as_u64().unwrap())
        .sum();
    assert_eq!(exact["nodes"], nodes);
    let losses: u64 = rows[5..]
        .iter()
        .map(|row| row["loss"].as_u64().unwrap())
        .sum();
    assert_eq!(weak["mean_loss"], losses as f64 / 5.0);

    let table = suite(&folder, "--level 60 --html page.html", 0);
    table.stdout_has("level 60\n").stdout_has("FFO #20");
    table.stdout_has("5/5 100.0 %       0.00   100.0 %   100.0 %   100.0 %        0.00");
    let page = std::fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.contains("<h1>Test of 5 positions</h1>") && page.contains("FFO #24"));
    assert!(!page.contains("Worst moves"));
}

#[test]
fn jobs_and_the_choice_of_positions_do_not_change_answers() {
    let folder = folder();
    let answers = |options: &str| {
        let run = suite(&folder, &format!("--depth 5 --json {options}"), 0);
        let mut rows = rows(&run).0;
        for row in &mut rows {
            row["time_s"] = Value::Null;
        }
        rows
    };
    let all = answers("");
    assert_eq!(answers("--jobs 2"), all);
    assert_eq!(
        answers("--only 4 --only 'ffo 21'"),
        [all[1].clone(), all[3].clone()]
    );
}

#[test]
fn other_engines_answer_by_either_protocol() {
    let folder = folder();
    let engine = |protocol: &str| {
        format!("--engine \"'{ENGINE}' {protocol} --level 4 --hash 1 --book none\"")
    };
    let options = format!("--level 4 {} {} --json", engine("nboard"), engine("gtp"));
    let (rows, totals) = rows(&suite(&folder, &options, 0));
    let [own, nboard, gtp]: [&[Value]; 3] = std::array::from_fn(|i| &rows[5 * i..5 * i + 5]);
    for (own, other) in own.iter().zip(nboard) {
        for key in ["index", "move", "loss", "score", "score_error", "nodes"] {
            assert_eq!(own[key], other[key], "{key}: {own} {other}");
        }
    }
    for (own, other) in own.iter().zip(gtp) {
        for key in ["index", "move", "loss"] {
            assert_eq!(own[key], other[key], "{key}: {own} {other}");
        }
        assert!(other["score"].is_null() && other["nodes"].is_null());
    }
    let of_gtp = &totals[2]["summary"];
    assert!(of_gtp["mean_score_error"].is_null() && of_gtp["nodes"].is_null());
    assert_eq!(of_gtp["mean_loss"], totals[0]["summary"]["mean_loss"]);
    assert!(of_gtp["engine"].as_str().unwrap().starts_with("Outflank 0"));
}

#[test]
fn limits_bound_all_engines() {
    let folder = folder();
    let engine = format!("--engine \"'{ENGINE}' nboard --depth {{depth}} --hash 1 --book none\"");
    let options = format!("--depth 3 --json {engine}");
    let (both, _) = rows(&suite(&folder, &options, 0));
    let (own, of_engine) = both.split_at(5);
    let (alone, _) = rows(&suite(&folder, "--depth 3 --json", 0));
    assert_eq!(own[0]["engine"], "depth 3");
    let answers = |rows: &[Value]| -> Vec<_> {
        let nodes = rows
            .iter()
            .map(|row| (row["move"].clone(), row["nodes"].clone()));
        nodes.collect()
    };
    assert_eq!(answers(of_engine), answers(own));
    assert_eq!(answers(own), answers(&alone));
    let (bounded, _) = rows(&suite(&folder, "--nodes 100 --json", 0));
    assert!(
        bounded
            .iter()
            .all(|row| row["nodes"].as_u64().is_some_and(|nodes| nodes < 2000)),
        "{bounded:?}"
    );
}

/// Our engine behind a script, which edits each line of input by a command of sed.
#[cfg(unix)]
fn edited(folder: &Folder, name: &str, edit: &str) -> String {
    let text = format!("sed -u '{edit}' | '{ENGINE}' gtp --depth 1 --hash 1 --book none\n");
    let command = script(folder, name, &text);
    format!("--engine '{command}'")
}

#[cfg(unix)]
#[test]
fn faults_of_an_engine_are_told() {
    let folder = folder();
    // The third question ends the engine. It is started again.
    let text = format!(
        "n=0\nwhile read -r line; do\n  case $line in genmove*) echo x >> asked\n    \
         if [ $(wc -l < asked) -eq 3 ]; then exit 7; fi;;\n  esac\n  printf '%s\\n' \"$line\"\n\
         done | '{ENGINE}' gtp --depth 1 --hash 1 --book none\n"
    );
    let crashes = script(&folder, "crashes", &text);
    let run = suite(&folder, &format!("--engine '{crashes}' --json"), 1);
    let (rows, totals) = rows(&run);
    let is_valid: Vec<_> = rows.iter().map(|row| row["fault"].is_null()).collect();
    assert_eq!(is_valid, [true, true, false, true, true], "{rows:?}");
    assert_eq!(totals[0]["summary"]["unanswered"], 1);
    fs::remove_file(folder.path("asked")).unwrap();
    let table = suite(&folder, &format!("--engine '{crashes}'"), 1);
    table.stdout_has("no answer: ended (exit status: ");

    for (edit, expected) in [
        ("s/^loadsgf.*/nonsense/", "refused \"loadsgf"),
        (
            "s/^loadsgf.*/clear_board/",
            "loadsgf ignores the set-up stones of its file",
        ),
    ] {
        // The other engines are tested all the same.
        let options = edited(&folder, "edited", edit);
        let options = format!("--level 1 {options} --level 2 --html page.html --force");
        let run = suite(&folder, &options, 1);
        run.stderr_has(expected)
            .stdout_has("level 1 ")
            .stdout_has("level 2 ");
        assert!(
            fs::read_to_string(folder.path("page.html"))
                .unwrap()
                .contains("level 2")
        );
    }
    // Three failures in a row to take a position end the test of an engine.
    let text = format!(
        "while read -r line; do\n  case $line in loadsgf*) echo x >> loaded\n    \
         if [ $(wc -l < loaded) -gt 2 ]; then exit 7; fi;;\n  esac\n  printf '%s\\n' \"$line\"\n\
         done | '{ENGINE}' gtp --depth 1 --hash 1 --book none\n"
    );
    let ends = script(&folder, "ends", &text);
    let run = suite(&folder, &format!("--engine '{ends}' --json"), 1);
    run.stderr_has("begins no game by GTP: ended");
    let (rows, totals) = self::rows(&run);
    let is_valid: Vec<_> = rows.iter().map(|row| row["fault"].is_null()).collect();
    assert_eq!(is_valid, [true, true, false, false], "{rows:?}");
    assert_eq!(totals[0]["summary"]["positions"], 4);
    assert_no_process(&folder);
}

#[cfg(unix)]
#[test]
fn scores_of_nboard_engines_are_read_in_either_spelling() {
    let folder = folder();
    for (answer, score) in [
        ("H5/6.5/0.2", Some(6.5)),
        ("h5 4.00 0.0", Some(4.0)),
        ("H5", None),
    ] {
        let text = format!(
            "while read -r command number; do\n  case $command in\n    ping) echo pong $number;;\n    \
             go) echo nodestats 77 0.1; echo nodestats 123 0.5; echo '=== {answer}';;\n  esac\ndone\n"
        );
        let engine = script(&folder, "engine", &text);
        let run = suite(&folder, &format!("--only 1 --engine '{engine}' --json"), 0);
        let (rows, _) = rows(&run);
        assert_eq!(
            (&rows[0]["move"], &rows[0]["nodes"]),
            (&"H5".into(), &123.into()),
            "{answer}"
        );
        assert_eq!(rows[0]["score"].as_f64(), score, "{answer}");
        let error = score.map(|score: f64| (score - 6.0).abs());
        assert_eq!(rows[0]["score_error"].as_f64(), error, "{answer}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_suite_with_its_totals() {
    use outflank_testing::command::run_until;
    let folder = folder();
    let slow = script(
        &folder,
        "slow",
        &format!(
            "while read -r line; do\n  case $line in genmove*) echo x >> asked\n    \
             if [ $(wc -l < asked) -eq 3 ]; then sleep 1000; fi;;\n  esac\n  printf '%s\\n' \"$line\"\n\
             done | '{ENGINE}' gtp --depth 1 --hash 1 --book none\n"
        ),
    );
    let mut command = cli_in(&folder, &format!("suite ffo.obf --engine '{slow}'"));
    let is_slow =
        || fs::read_to_string(folder.path("asked")).is_ok_and(|text| text.lines().count() == 3);
    let run = run_until(&mut command, is_slow).expect(130);
    run.stdout_has("/2 ");
    assert_no_process(&folder);
}

#[test]
fn suites_are_made_by_solving() {
    let folder = folder();
    let listed =
        String::from_utf8_lossy(&std::fs::read(folder.path("ffo.obf")).unwrap()).into_owned();
    // The same positions without scores, and one that is not solved in so few nodes.
    let bare = |line: &str| {
        format!(
            "{} % {}\n",
            &line[..67],
            line.split_once("% ").map_or("", |(_, name)| name)
        )
    };
    let bare: String = listed.lines().map(bare).collect();
    folder.file("bare.obf", bare);
    run_in(
        &folder,
        "solve bare.obf --save-scores scored.obf --hash 16",
        0,
    );
    let problems = |name: &str| -> Vec<_> {
        let text = std::fs::read(folder.path(name)).unwrap();
        let problems = outflank::notation::obf::read(&text).map(|problem| problem.unwrap());
        let sorted = problems.map(|mut problem| {
            problem
                .moves
                .sort_by_key(|&(ply, score)| (-score, ply.map(|square| square.index())));
            (problem.board, problem.moves)
        });
        sorted.collect()
    };
    assert_eq!(problems("scored.obf"), problems("ffo.obf"));
    suite(&folder, "--level 3", 0);
    run_in(&folder, "suite scored.obf --level 3", 0).stdout_has("/5 ");
    run_in(&folder, "solve bare.obf --save-scores scored.obf", 2).stderr_has("scored.obf");
    let run = run_in(
        &folder,
        "solve bare.obf --only 5 --save-scores few.obf --depth 2",
        1,
    );
    run.stderr_has("1 position is not saved");
    assert_eq!(problems("few.obf"), []);
}

#[test]
fn unusable_suites_are_refused() {
    let folder = folder();
    let start = "---------------------------OX------XO--------------------------- X;";
    folder.file("scoreless.obf", format!("{start}\n"));
    folder.file("one.obf", format!("{start} D3:+0; C4:+0; F5:+0;\n"));
    folder.file("games", "f5d6c3\n");
    refuse_all(
        &folder,
        "1 suite absent => absent: No such file
         2 suite ffo.obf --level 61 => expected a whole number from 0 to 60
         2 suite ffo.obf --depth 3 --nodes 4 => cannot be used with
         2 suite ffo.obf --selectivity 73 => --depth
         2 suite ffo.obf --only 9 => there is no position 9: the files have 5
         2 suite ffo.obf --engine nothing-of-this-name => cannot be started
         2 suite ffo.obf --html ffo.obf => ffo.obf",
    );
    for (files, count) in [("scoreless.obf", 1), ("one.obf", 1), ("games", 1)] {
        let run = run(&mut cli_in(&folder, &format!("suite {files}")), b"").expect(1);
        run.stderr_has(format!(
            "{files}: {count} position left out: no legal move, or moves without scores"
        ));
        run.stderr_has("no position has the scores of all its moves");
    }
    let run = run_in(&folder, "suite ffo.obf scoreless.obf --depth 1 --hash 1", 1);
    run.stderr_has("scoreless.obf: 1 position left out")
        .stdout_has("/5 ");
}
