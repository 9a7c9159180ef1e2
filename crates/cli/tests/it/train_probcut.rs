//! `outflank train probcut`: error models from searches.

use std::fs;

use crate::common::inputs::{game_record, record_file};
use crate::common::program::run_in;
use outflank::eval::Model;
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_testing::models::random_linear;

#[test]
fn weights_get_an_error_model() {
    let folder = Folder::new();
    let model = random_linear(7, [10, 40], 200);
    folder.file("a.weights", model.write());
    let mut rng = SplitMix64::new(3);
    let boards = (0..12).flat_map(|_| random_game(&mut rng));
    let records = boards
        .filter(|board| !board.is_game_over())
        .map(game_record);
    record_file(&folder, "a.records", &records.collect::<Vec<_>>());
    let read = |name: &str| fs::read(folder.path(name)).expect(name);
    let before = read("a.weights");
    let reports = [1, 3].map(|threads| {
        let options = "--depth 5 --exact 9 --positions 8";
        let files = format!("a.records --weights a.weights --out {threads}.weights");
        let line = format!("train probcut {files} {options} --threads {threads}");
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
    assert_eq!(fitted, model);

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
