//! `outflank train score`: errors from any kind of file, compared with their definition.

use std::fs;
use std::path::Path;

use crate::common::program::outflank;
use outflank::eval::Model;
use outflank::{Board, Square};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{database, random_game};
use outflank_testing::models::random_linear;
use outflank_train::record::{Block, Record, RecordSettings, Source, Writer};
use serde_json::Value;

/// Random weights of some discs.
fn model(seed: u64) -> Model {
    random_linear(seed, [30], 150)
}

fn score(arguments: &[&str], status: i32) -> Run {
    run(outflank().args(["train", "score"]).args(arguments), b"").expect(status)
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

fn check(row: &Value, empties: u32, positions: &[(Board, i32)], model: &Model) {
    let (mae, rmse) = errors(model, positions);
    assert_eq!(row["empties"], empties, "{row}");
    assert_eq!(row["positions"], positions.len(), "{row}");
    for (key, expected) in [("mae", mae), ("rmse", rmse)] {
        let value = row[key].as_f64().expect("a number");
        assert!(
            (value - expected).abs() < 1e-9,
            "{key}: {row}, not {expected}"
        );
    }
}

/// Random positions with `empties` empty squares and random scores, some with a forced pass.
fn positions(empties: u32, count: usize) -> Vec<(Board, i32)> {
    let mut rng = SplitMix64::new(u64::from(empties));
    let mut selected: Vec<(Board, i32)> = Vec::new();
    while selected.len() < count {
        for board in random_game(&mut rng) {
            let passes = selected
                .iter()
                .filter(|(board, _)| board.must_pass())
                .count();
            let wanted = board.must_pass() || passes > 0 || selected.len() + 1 < count;
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
    let names = ["1.weights", "2.dat"].map(|name| folder.path(name));
    fs::write(&names[0], models[0].write()).unwrap();
    fs::write(
        &names[1],
        models[1].to_edax(outflank::eval::ByteOrder::Big).unwrap(),
    )
    .unwrap();
    let [first, second] = names.each_ref().map(|name| name.to_str().expect("ASCII"));
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
    lines.extend(
        early
            .iter()
            .map(|(board, score)| format!("{board} X; --:{score};")),
    );
    let obf = folder.file("a.obf", lines.join("\n"));
    let obf = obf.to_str().expect("ASCII");
    let run = score(&["--json", "--weights", first, obf], 0);
    let rows = run.json();
    assert_eq!(rows.len(), 2);
    check(&rows[0], 9, &late, &models[0]);
    check(&rows[1], 31, &early, &models[0]);
    let keys: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["empties", "mae", "positions", "rmse"]);
    assert_eq!(
        run.stderr,
        format!("{obf}: positions without a score, left out: 1\n")
    );
    let piped = fs::read(obf).unwrap();
    let mut command = outflank();
    command.args(["train", "score", "--json", "--weights", first, "-"]);
    let piped = outflank_testing::command::run(&mut command, &piped).expect(0);
    assert_eq!(piped.stdout, run.stdout);

    // Records and several weights, together with the problems or by file.
    let records = folder.path("a.records");
    let (mut writer, _) = Writer::open(&records, &RecordSettings::default()).unwrap();
    let record = |&(board, score): &(Board, i32)| Record {
        board,
        value: (score * 128) as i16,
        source: Source::Search { depth: 4 },
        game: 1,
    };
    let records_of = late.iter().map(record).collect();
    let block = Block {
        number: 0,
        records: records_of,
    };
    writer.write(&block.encode()).unwrap();
    writer.finish().unwrap();
    let records = records.to_str().expect("ASCII");
    let weights = [
        "--json",
        "--weights",
        first,
        "--weights",
        second,
        obf,
        records,
    ];
    let rows = score(&weights, 0).json();
    assert_eq!(rows.len(), 4);
    let twice = [&late[..], &late].concat();
    for (rows, (model, name)) in rows.chunks(2).zip(models.iter().zip([first, second])) {
        check(&rows[0], 9, &twice, model);
        check(&rows[1], 31, &early, model);
        assert_eq!(rows[0]["weights"], name);
    }
    let apart = score(&[&["--by-file"], &weights[..]].concat(), 0).json();
    assert_eq!(apart.len(), 6);
    check(&apart[4], 9, &late, &models[0]);
    check(&apart[5], 9, &late, &models[1]);
    assert_eq!(apart[5]["file"], records);

    // The table has the same numbers, and the picture has their curves.
    let svg = folder.path("errors.svg");
    let svg = svg.to_str().expect("ASCII");
    let run = score(&["--svg", svg, "--weights", first, obf], 0);
    let (mae, rmse) = errors(&models[0], &late);
    let row = format!("\n      9          40{mae:>8.3}{rmse:>8.3}\n");
    assert!(run.stdout.contains(&row), "{row}{}", run.stdout);
    let (mae, rmse) = errors(&models[0], &[&late[..], &early].concat());
    let all = format!("\n    all          65{mae:>8.3}{rmse:>8.3}\n");
    assert!(run.stdout.contains(&all), "{all}{}", run.stdout);
    let drawn = fs::read_to_string(svg).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"));
    assert_eq!(
        drawn.matches("<circle").count(),
        4,
        "two curves with two dots each"
    );
}

/// Theoretical scores of games are labels of positions with 24 empty squares.
#[test]
fn games_yield_positions_with_theoretical_scores() {
    let mut rng = SplitMix64::new(9);
    let (mut games, mut expected) = (Vec::new(), Vec::new());
    while games.len() < 5 {
        // The database omits passes, so the side follows from the rules.
        let game = random_game(&mut rng);
        let mut moves = Vec::new();
        let mut black = true;
        for pair in game.windows(2) {
            let placed = pair[0].empties() & !pair[1].empties();
            if pair[0].empty_count() == 24 && pair[0].mobility() != 0 {
                let discs = 10 + 7 * games.len() as i32;
                let score = 2 * discs - 64;
                expected.push((pair[0], if black { score } else { -score }));
            }
            for square in Square::all_in(placed) {
                let index = square.index() as u8;
                moves.push(10 * (index / 8 + 1) + index % 8 + 1);
            }
            black = !black;
        }
        games.push(moves);
        // Shorter games have no such position.
        if expected.len() < games.len() {
            games.pop();
        }
    }
    let moves: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let mut file = database(2018, &moves);
    for game in 0..games.len() {
        file[16 + 68 * game + 7] = 10 + 7 * game as u8;
    }
    let folder = Folder::new();
    let wtb = folder.file("a.wtb", file);
    let weights = folder.file("a.weights", model(3).write());
    let [wtb, weights] =
        [&wtb, &weights].map(|path: &std::path::PathBuf| path.to_str().expect("ASCII"));
    let rows = score(&["--json", "--weights", weights, wtb], 0).json();
    assert_eq!(rows.len(), 1);
    check(&rows[0], 24, &expected, &model(3));
}

#[test]
fn bad_files_are_reported_and_others_scored() {
    let folder = Folder::new();
    let good = format!("{} X; --:+2;", Board::START);
    let obf = folder.file("a.obf", format!("{good}\n?\n{good}\n"));
    let empty = folder.file("empty", "");
    let weights = folder.file("a.weights", model(4).write());
    let absent = folder.path("absent");
    let text = |path: &Path| path.to_str().expect("ASCII").to_owned();
    let files = [text(&absent), text(&empty), text(&obf), text(&weights)];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut arguments = vec!["--json", "--weights", files[3]];
    arguments.extend(&files);
    let run = score(&arguments, 1);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["positions"], 2);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert!(lines[0].contains("absent: No such file"), "{}", lines[0]);
    assert!(
        lines[1].ends_with("empty: neither games nor positions in it"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].contains("a.obf:2:1: expected a square"),
        "{}",
        lines[2]
    );
    assert!(lines[3].contains("but it has weights"), "{}", lines[3]);

    for arguments in [
        &["--weights", files[0]],
        &["--weights", files[2]],
        &["--svg", "/no/such"],
    ] {
        let run = score(&[&arguments[..], &[files[2]]].concat(), 1);
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    }
}
