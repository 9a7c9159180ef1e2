//! `outflank train duel`: the better player wins, games repeat exactly, and equal players draw.

use std::fs;

use crate::common::program::{cli_in, run_in};
use outflank::eval::{ByteOrder, KNOT_WEIGHTS, Knot, Model, WeightLayout};
use outflank::kernels::geometry::edax::CLASSES;
use outflank_testing::command::{Folder, run_until};
use serde_json::Value;

/// Weights that value corners (`worth` > 0) or give them away, in 1/128 disc each.
fn model(worth: i16) -> Model {
    let mut weights = vec![0; KNOT_WEIGHTS];
    let corners = CLASSES.iter().position(|class| class.name == "C9");
    let indices = WeightLayout::get().class(corners.expect("a class of the geometry"));
    for (value, &index) in indices.iter().enumerate() {
        // The corner is the most significant of nine digits: 0 the mover's, 1 empty, 2 the opponent's.
        weights[index as usize] = worth * (1 - (value / 3_usize.pow(8)) as i16);
    }
    let knot = Knot {
        empties: 30,
        weights,
    };
    Model::linear(vec![knot], [0; 61], String::new()).expect("one knot is valid")
}

/// Folder with `good`, weights that value corners, and `bad`, a file of Edax's that gives them away.
fn players() -> Folder {
    let folder = Folder::new();
    folder.file("good", model(1000).write());
    let bad = model(-1000).to_edax(ByteOrder::Little);
    folder.file("bad", bad.expect("linear weights"));
    folder
}

/// Runs a duel and returns its JSON object.
fn duel(folder: &Folder, options: &str) -> Value {
    run_in(folder, &format!("train duel --json {options}"), 0).json()[0].clone()
}

fn number(row: &Value, key: &str) -> f64 {
    let number = row[key].as_f64();
    number.unwrap_or_else(|| panic!("{key} in {row}"))
}

#[test]
fn better_player_wins_the_same_way_every_time() {
    let folder = players();
    let row = &duel(&folder, "good bad --games 39 --depth 2");
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| number(row, key));
    assert_eq!(wins + draws + losses, 40.0, "rounded up to pairs: {row}");
    assert_eq!(number(row, "points"), (wins + draws / 2.0) / 40.0);
    assert!(number(row, "points") > 0.85, "{row}");
    assert!(number(row, "discs") > 15.0, "{row}");
    let error = number(row, "points_error");
    assert!(error > 0.0 && error < 0.1, "{row}");

    let swapped = &duel(&folder, "bad good --games 39 --depth 2");
    assert_eq!(number(swapped, "wins"), losses);
    assert_eq!(number(swapped, "discs"), -number(row, "discs"));

    let sentences = [1, 3].map(|threads| {
        let line = format!("train duel good bad --games 40 --depth 2 --threads {threads}");
        run_in(&folder, &line, 0).stdout
    });
    assert_eq!(sentences[0], sentences[1]);
    let percent = 100.0 * number(row, "points");
    let begin = format!("A against B: {wins} won, {draws} drawn, {losses} lost: {percent:.1} %");
    let sentence = &sentences[0];
    assert!(sentence.starts_with(&begin), "{begin}: {sentence}");
    assert_eq!(sentence.lines().count(), 1);
}

/// The standard error is not 0, even if all pairs have equal results.
#[test]
fn one_pair_has_a_standard_error() {
    let row = &duel(&players(), "good bad --games 2 --depth 2");
    let error = number(row, "points_error");
    assert!(error > 0.05 && error < 0.5, "{row}");
}

#[test]
fn equal_players_draw() {
    let folder = players();
    fs::copy(folder.path("good"), folder.path("copy")).expect("a copy");
    for pair in ["good copy", "- -"] {
        let row = &duel(&folder, &format!("{pair} --games 30 --depth 1"));
        // Both games of a pair have equal moves, and so opposite results.
        assert_eq!(number(row, "wins"), number(row, "losses"), "{row}");
        assert_eq!(number(row, "points"), 0.5, "{row}");
        assert_eq!(number(row, "discs"), 0.0, "{row}");
    }
}

#[test]
fn interrupted_duel_reports_finished_games() {
    let folder = players();
    let mut command = cli_in(&folder, "train duel good bad --games 100000 --depth 3");
    let started = std::time::Instant::now();
    let run = run_until(&mut command, || started.elapsed().as_secs() >= 3).expect(130);
    assert!(run.stdout.starts_with("A against B: "), "{run:#?}");
}
