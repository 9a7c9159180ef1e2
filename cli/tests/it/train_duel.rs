//! `outflank train duel`: the better player wins, the same games are played every time, and nobody beats
//! himself.

use std::fs;

use crate::common::program::outflank;
use outflank::eval::{Knot, Model, PACKED, Packing};
use outflank::kernels::geometry::edax::CLASSES;
use outflank_testing::command::{Folder, Run, run, run_until};
use serde_json::Value;

fn duel(arguments: &[&str], status: i32) -> Run {
    run(outflank().args(["train", "duel"]).args(arguments), b"").expect(status)
}

/// Weights that want corners (`worth` > 0) or give them away, 1/128 disc each.
fn model(worth: i16) -> Model {
    let mut weights = vec![0; PACKED];
    let corners = CLASSES.iter().position(|class| class.name == "C9");
    let places = Packing::get().class(corners.expect("it is a class"));
    for (value, &place) in places.iter().enumerate() {
        // The corner is the most significant of nine digits: 0 the mover's, 1 empty, 2 the opponent's.
        weights[place as usize] = worth * (1 - (value / 3_usize.pow(8)) as i16);
    }
    let knot = Knot {
        empties: 30,
        weights,
    };
    Model::linear(vec![knot], [0; 61], String::new()).expect("there is a knot")
}

/// A folder with `good.weights`, which wants corners, and `bad.dat`, of Edax's kind, which does not.
fn players() -> (Folder, [String; 2]) {
    let folder = Folder::new();
    let files = [
        folder.file("good.weights", model(1000).write()),
        folder.file(
            "bad.dat",
            model(-1000)
                .to_edax(outflank::eval::ByteOrder::Little)
                .unwrap(),
        ),
    ];
    let names = files.map(|file| file.to_str().expect("ASCII").to_owned());
    (folder, names)
}

fn number(row: &Value, key: &str) -> f64 {
    row[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

#[test]
fn the_better_one_wins_the_same_way_every_time() {
    let (_folder, [good, bad]) = players();
    let options = ["--games", "39", "--depth", "2", "--json"];
    let row = &duel(&[&[good.as_str(), &bad][..], &options].concat(), 0).json()[0];
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| number(row, key));
    assert_eq!(wins + draws + losses, 40.0, "rounded up to pairs: {row}");
    assert_eq!(number(row, "points"), (wins + draws / 2.0) / 40.0);
    assert!(number(row, "points") > 0.85, "{row}");
    assert!(number(row, "discs") > 15.0, "{row}");
    let error = number(row, "points_error");
    assert!(error > 0.0 && error < 0.1, "{row}");

    // Sides changed, it is the same games.
    let other = &duel(&[&[bad.as_str(), &good][..], &options].concat(), 0).json()[0];
    assert_eq!(number(other, "wins"), losses);
    assert_eq!(number(other, "discs"), -number(row, "discs"));

    let told = ["1", "3"].map(|threads| {
        let options = [
            &good,
            &bad,
            "--games",
            "40",
            "--depth",
            "2",
            "--threads",
            threads,
        ];
        duel(&options, 0).stdout
    });
    assert_eq!(told[0], told[1]);
    let percent = 100.0 * number(row, "points");
    let begin = format!("A against B: {wins} won, {draws} drawn, {losses} lost: {percent:.1} %");
    assert!(told[0].starts_with(&begin), "{begin}: {}", told[0]);
    assert_eq!(told[0].lines().count(), 1);
}

/// Pairs that all ended alike do not make the result certain.
#[test]
fn one_pair_has_an_error() {
    let (_folder, [good, bad]) = players();
    let row = &duel(&[&good, &bad, "--games", "2", "--depth", "2", "--json"], 0).json()[0];
    let error = number(row, "points_error");
    assert!(error > 0.05 && error < 0.5, "{row}");
}

#[test]
fn nobody_beats_himself() {
    let (folder, [good, _]) = players();
    let copy = folder.path("copy.weights");
    fs::copy(&good, &copy).expect("it can be copied");
    let copy = copy.to_str().expect("ASCII");
    for [first, second] in [[good.as_str(), copy], ["-", "-"]] {
        let options = [first, second, "--games", "30", "--depth", "1", "--json"];
        let row = &duel(&options, 0).json()[0];
        // Both games of a pair are the same one, seen from both sides.
        assert_eq!(number(row, "wins"), number(row, "losses"), "{row}");
        assert_eq!(number(row, "points"), 0.5, "{row}");
        assert_eq!(number(row, "discs"), 0.0, "{row}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_what_was_played() {
    let (_folder, [good, bad]) = players();
    let mut command = outflank();
    command.args([
        "train", "duel", &good, &bad, "--games", "100000", "--depth", "3",
    ]);
    let started = std::time::Instant::now();
    let run = run_until(&mut command, || started.elapsed().as_secs() >= 3).expect(130);
    assert!(run.stdout.starts_with("A against B: "), "{run:#?}");
}

#[test]
fn what_cannot_be_is_said() {
    let (folder, [good, bad]) = players();
    let text = folder.file("text", "--XO X; A1:+2;\n");
    let text = text.to_str().expect("ASCII");
    for (arguments, status, told) in [
        (
            &[&good, "absent"][..],
            1,
            "cannot read absent: No such file",
        ),
        (
            &[text, &good],
            1,
            "expected weights, but it looks like text",
        ),
        (&[&good], 2, "required arguments were not provided"),
        (
            &[&good, &bad, "--games", "0"],
            2,
            "expected a whole number from 1 to",
        ),
        (
            &[&good, &bad, "--plies", "10"],
            2,
            "expected a whole number from 0 to 9",
        ),
        (
            &[&good, &bad, "--depth", "0"],
            2,
            "expected a whole number from 1 to 60",
        ),
        (
            &[&good, &bad, "--plies", "2", "--games", "100"],
            2,
            "100 games need 50 openings, and there are 3 after 2 plies",
        ),
    ] {
        let run = duel(arguments, status);
        assert!(run.stderr.contains(told), "{told}: {run:#?}");
        assert!(run.stdout.is_empty(), "{run:#?}");
    }
}
