//! `outflank train probcut`: error models from searches.

use std::fs;

use crate::common::program::{refuse_in, run_in};
use outflank::Board;
use outflank::eval::Model;
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_testing::models::random_linear;
use outflank_train::record::{Record, Source};

use crate::train_fit::record_file;

/// Random weights of some discs.
fn model() -> Model {
    random_linear(7, [10, 40], 200)
}

/// Folder with `a.weights`, and with records of these boards as `a.records`.
fn files(boards: &[Board]) -> Folder {
    let folder = Folder::new();
    folder.file("a.weights", model().write());
    let record = |&board: &Board| Record {
        board,
        value: 0,
        source: Source::Game,
        game: 1,
    };
    let records: Vec<Record> = boards.iter().map(record).collect();
    record_file(&folder, "a.records", &records);
    folder
}

fn boards(games: usize) -> Vec<Board> {
    let mut rng = SplitMix64::new(3);
    let games = (0..games).flat_map(|_| random_game(&mut rng));
    games.filter(|board| !board.is_game_over()).collect()
}

const FILES: &str = "train probcut a.records --weights a.weights";

#[test]
fn weights_get_an_error_model() {
    let folder = files(&boards(12));
    let read = |name: &str| fs::read(folder.path(name)).expect(name);
    let before = read("a.weights");
    let reports = [1, 3].map(|threads| {
        let options = "--depth 5 --exact 9 --positions 8";
        let line = format!("{FILES} --out {threads}.weights {options} --threads {threads}");
        let report = run_in(&folder, &line, 0).stdout;
        let end = format!("{threads}.weights: error model from ");
        let last = report.lines().last().expect("a line");
        assert!(last.starts_with(&end), "{report}");
        report
    });
    let weights = read("1.weights");
    assert!(weights == read("3.weights"), "threads make a difference");
    assert!(read("a.weights") == before);

    let mut fitted = Model::read(&weights).expect("weights");
    let error = fitted.error.take();
    assert!(error.is_some());
    assert_eq!(fitted, model());

    // Measured and modelled standard deviations agree.
    let report = &reports[0];
    let mut compared = 0;
    let rows = report.lines().skip(1);
    for line in rows.take_while(|line| !line.ends_with(" positions")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, depth, reduced, positions, sigma, model] = words[..] else {
            panic!("{line}");
        };
        let [positions, sigma, model] =
            [positions, sigma, model].map(|word| word.parse::<f64>().expect("a number"));
        assert!(sigma > 0.0 && model > 0.0, "{line}");
        if positions >= 40.0 {
            compared += 1;
            let ratio = model / sigma;
            assert!((0.5..2.0).contains(&ratio), "{depth} by {reduced}: {line}");
        }
    }
    assert!(compared >= 20, "{report}");

    let info = |name: &str| run_in(&folder, &format!("weights info --json {name}"), 0).json();
    let sigmas = &info("1.weights")[0]["error_model"];
    assert_eq!(sigmas.as_array().map(Vec::len), Some(16), "{sigmas}");
    assert!(info("a.weights")[0]["error_model"].is_null());

    // The output may be the input.
    let options = "--weights 1.weights --out 1.weights --depth 5 --exact 8 --positions 8";
    run_in(&folder, &format!("train probcut a.records {options}"), 0);
    let renewed = Model::load(&folder.path("1.weights")).expect("weights");
    assert_ne!(renewed.error, error);
}

#[test]
fn invalid_measurements_are_refused_and_write_nothing() {
    let folder = files(&[Board::START]);
    let before = fs::read(folder.path("a.weights")).expect("weights");
    folder.file("text", "--XO X; A1:+2;\n");
    let empty = "outflank: /dev/null: expected training records, but it is empty";
    for (line, status, expected) in [
        (
            "a.records --weights a.weights",
            1,
            "1 position is too few for an error model",
        ),
        (
            "a.weights --weights a.weights",
            1,
            "expected training records, but ",
        ),
        ("/dev/null --weights a.weights", 1, empty),
        ("absent --weights a.weights", 1, "absent: cannot be read"),
        (
            "a.records --weights text",
            1,
            "expected weights, but it looks like text",
        ),
        (
            "a.records --depth 4",
            2,
            "expected a whole number from 5 to 60",
        ),
    ] {
        let line = format!("train probcut {line} --out out.weights");
        refuse_in(&folder, &line, status, expected);
        assert!(!folder.path("out.weights").exists());
    }
    let nowhere = format!("{FILES} --out no/such/folder");
    refuse_in(&folder, &nowhere, 1, "make its folder first");
    refuse_in(&folder, FILES, 2, "required arguments were not provided");
    assert!(fs::read(folder.path("a.weights")).expect("weights") == before);
}
