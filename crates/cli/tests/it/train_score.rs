//! `outflank train score`: errors from any kind of file, compared with their definition.

use std::fs;

use crate::common::inputs::record_file;
use crate::common::program::{NO_SUCH_FILE, OutputChecks, cli_in, run_in};
use outflank::eval::{ByteOrder, Model};
use outflank::{Board, Side, Square};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, run};
use outflank_testing::data::{database, game, random_game};
use outflank_testing::models::random_linear;
use outflank_train::record::{Record, Source};
use serde_json::Value;

/// Random weights of some discs.
fn model(seed: u64) -> Model {
    random_linear(seed, [30], 150)
}

/// Runs `outflank train score --json OPTIONS` in `folder`, and returns the rows.
fn score(folder: &Folder, options: &str) -> Vec<Value> {
    run_in(folder, &format!("train score --json {options}"), 0).json()
}

/// Mean absolute error and root mean squared error by their definition.
fn errors(model: &Model, positions: &[(Board, i32)]) -> (f64, f64) {
    let error = |&(board, score): &(Board, i32)| {
        let value = match board.must_pass() {
            true => -model.value(board.pass()),
            false => model.value(board),
        };
        f64::from(value) / 128.0 - f64::from(score)
    };
    let mean = |of: &dyn Fn(f64) -> f64| {
        positions.iter().map(error).map(of).sum::<f64>() / positions.len() as f64
    };
    (mean(&f64::abs), mean(&|error| error * error).sqrt())
}

fn assert_row(row: &Value, empties: u32, positions: &[(Board, i32)], model: &Model) {
    let (mae, rmse) = errors(model, positions);
    assert_eq!(row["empties"], empties, "{row}");
    assert_eq!(row["positions"], positions.len(), "{row}");
    for (key, expected) in [("mae", mae), ("rmse", rmse)] {
        let value = row[key].as_f64().expect("a number");
        let is_close = (value - expected).abs() < 1e-9;
        assert!(is_close, "{key}: {row}, not {expected}");
    }
}

/// Random positions with `empties` empty squares and random scores, some with a forced pass.
fn positions(empties: u32, count: usize) -> Vec<(Board, i32)> {
    let mut rng = SplitMix64::new(u64::from(empties));
    let mut selected: Vec<(Board, i32)> = Vec::new();
    while selected.len() < count {
        for board in random_game(&mut rng) {
            let has_pass = selected.iter().any(|(board, _)| board.must_pass());
            let wanted = board.must_pass() || has_pass || selected.len() + 1 < count;
            if board.empty_count() == empties && !board.is_game_over() && wanted {
                selected.push((board, rng.index(129) as i32 - 64));
            }
        }
    }
    selected.truncate(count);
    selected
}

#[test]
fn errors_match_their_definition() {
    let folder = Folder::new();
    let models = [model(1), model(2)];
    folder.file("1.weights", models[0].write());
    folder.file("2.dat", models[1].to_edax(ByteOrder::Big).unwrap());
    let [late, early] = [positions(9, 40), positions(31, 25)];
    assert!(late.iter().any(|(board, _)| board.must_pass()));

    // Problems without a move, with several moves, without a score, and of a finished game.
    let mut lines = vec![
        format!("{} X;", late[0].0),
        format!("{} O; --:-64;", "X".repeat(64)),
    ];
    for (board, score) in &late {
        lines.push(match Square::all_in(board.mobility()).next() {
            Some(square) => format!("{board} X; {square}:{score:+}; --:-64;"),
            None => format!("{board} X; PS:{score:+};"),
        });
    }
    let of_early = |(board, score): &(Board, i32)| format!("{board} X; --:{score};");
    lines.extend(early.iter().map(of_early));
    let problems = lines.join("\n");
    folder.file("a.obf", &problems);
    let from_file = run_in(&folder, "train score --json --weights 1.weights a.obf", 0);
    let rows = from_file.json();
    assert_eq!(rows.len(), 2);
    assert_row(&rows[0], 9, &late, &models[0]);
    assert_row(&rows[1], 31, &early, &models[0]);
    let keys: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["empties", "mae", "positions", "rmse"]);
    let left_out = "a.obf: positions without a score, left out: 1\n";
    assert_eq!(from_file.stderr, left_out);
    let mut piped = cli_in(&folder, "train score --json --weights 1.weights -");
    let piped = run(&mut piped, problems.as_bytes()).expect(0);
    assert_eq!(piped.stdout, from_file.stdout);

    // Records and several weights, together with the problems or by file.
    let record = |&(board, score): &(Board, i32)| Record {
        board,
        value: (score * 128) as i16,
        source: Source::Search { depth: 4 },
        game: 1,
    };
    let records: Vec<Record> = late.iter().map(record).collect();
    record_file(&folder, "a.records", &records);
    let files = "--weights 1.weights --weights 2.dat a.obf a.records";
    let rows = score(&folder, files);
    assert_eq!(rows.len(), 4);
    let twice = [&late[..], &late].concat();
    for (index, name) in ["1.weights", "2.dat"].into_iter().enumerate() {
        let [of_late, of_early] = [&rows[2 * index], &rows[2 * index + 1]];
        assert_row(of_late, 9, &twice, &models[index]);
        assert_row(of_early, 31, &early, &models[index]);
        assert_eq!(of_late["weights"], name);
    }
    let apart = score(&folder, &format!("--by-file {files}"));
    assert_eq!(apart.len(), 6);
    assert_row(&apart[4], 9, &late, &models[0]);
    assert_row(&apart[5], 9, &late, &models[1]);
    assert_eq!(apart[5]["file"], "a.records");

    // The table has the same numbers, and the picture has their curves.
    let line = "train score --svg a.svg --weights 1.weights a.obf";
    let table = run_in(&folder, line, 0);
    let all = [&late[..], &early].concat();
    for (name, positions) in [("      9", &late), ("    all", &all)] {
        let (mae, rmse) = errors(&models[0], positions);
        let count = positions.len();
        table.stdout_has(format!("\n{name}{count:>12}{mae:>8.3}{rmse:>8.3}\n"));
    }
    let drawn = fs::read_to_string(folder.path("a.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"));
    let dots = drawn.matches("<circle").count();
    assert_eq!(dots, 4, "two curves with two dots each");
}

/// Theoretical scores of games are labels of positions with 24 empty squares.
#[test]
fn games_yield_positions_with_theoretical_scores() {
    let (mut games, mut expected) = (Vec::new(), Vec::new());
    // Some games pass with 24 empty squares, or end earlier.
    let wanted = |(board, _): &(Board, Side)| board.empty_count() == 24 && board.mobility() != 0;
    for game in (0..5).map(game) {
        let (board, side) = game.turns().find(wanted).expect("another seed helps");
        let score = 20 * games.len() as i32 - 44;
        expected.push((board, side.black_score(score)));
        let byte = |square: Square| (10 * (square.index() / 8) + square.index() % 8 + 11) as u8;
        games.push(game.moves().map(byte).collect::<Vec<u8>>());
    }
    let moves: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let mut file = database(2018, &moves);
    for game in 0..games.len() {
        // The discs of black.
        file[16 + 68 * game + 7] = 10 + 10 * game as u8;
    }
    let folder = Folder::new();
    folder.file("a.wtb", file);
    folder.file("a.weights", model(3).write());
    let rows = score(&folder, "--weights a.weights a.wtb");
    assert_eq!(rows.len(), 1);
    assert_row(&rows[0], 24, &expected, &model(3));
}

#[test]
fn bad_files_are_reported_and_others_scored() {
    let folder = Folder::new();
    let good = format!("{} X; --:+2;", Board::START);
    folder.file("a.obf", format!("{good}\n?\n{good}\n"));
    folder.file("empty", "");
    folder.file("a.weights", model(4).write());
    let line = "train score --json --weights a.weights absent empty a.obf a.weights";
    let run = run_in(&folder, line, 1);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["positions"], 2);
    for (line, expected) in run.stderr.lines().zip([
        NO_SUCH_FILE,
        "empty: neither games nor positions in it",
        "a.obf:2:1: expected a square",
        "but it has weights",
    ]) {
        assert!(line.contains(expected), "{expected}: {line}");
    }
    run.stderr_starts("outflank: absent: ");
    assert_eq!(run.stderr.lines().count(), 4, "{run:#?}");
}
