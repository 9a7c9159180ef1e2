//! `outflank train probcut`: weights get an error model that says how far deep searches are from shallow
//! ones.

use std::fs;
use std::path::Path;

use crate::common::program::outflank;
use outflank::Board;
use outflank::eval::Model;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::random_game;
use outflank_testing::models::random_linear;
use outflank_testing::rng::Rng;
use outflank_train::record::{Block, Record, RecordSettings, Source, Writer};

fn probcut(arguments: &[&str], status: i32) -> Run {
    run(outflank().args(["train", "probcut"]).args(arguments), b"").expect(status)
}

/// Weights of some discs that mean nothing.
fn model() -> Model {
    random_linear(7, [10, 40], 200)
}

/// Writes records of these boards.
fn write(path: &Path, boards: &[Board]) {
    let record = |&board: &Board| Record {
        board,
        value: 0,
        source: Source::Game,
        game: 1,
    };
    let (mut writer, _) = Writer::open(path, &RecordSettings::default()).expect("it can be made");
    let block = Block {
        number: 0,
        records: boards.iter().map(record).collect(),
    };
    writer.write(&block.encode()).expect("there is room");
    writer.finish().expect("there is room");
}

/// A folder with `a.weights` and `a.records`, and their names.
fn files(boards: &[Board]) -> (Folder, [String; 2]) {
    let folder = Folder::new();
    let weights = folder.file("a.weights", model().write());
    let records = folder.path("a.records");
    write(&records, boards);
    let names = [weights, records].map(|path| path.to_str().expect("ASCII").to_owned());
    (folder, names)
}

fn boards(games: usize) -> Vec<Board> {
    let mut rng = Rng::new(3);
    let games = (0..games).flat_map(|_| random_game(&mut rng));
    games.filter(|board| !board.is_game_over()).collect()
}

#[test]
fn weights_get_an_error_model() {
    let (folder, [weights, records]) = files(&boards(12));
    let before = fs::read(&weights).expect("it is there");
    let outs = ["1", "3"].map(|threads| {
        let out = folder.path(&format!("{threads}.weights"));
        let name = out.to_str().expect("ASCII");
        let options = ["--depth", "5", "--exact", "9", "--positions", "8"];
        let files = [
            &records,
            "--weights",
            &weights,
            "--out",
            name,
            "--threads",
            threads,
        ];
        let told = probcut(&[&files[..], &options].concat(), 0).stdout;
        let end = format!("{name}: error model from ");
        assert!(
            told.lines().last().expect("a line").starts_with(&end),
            "{told}"
        );
        (out, told)
    });
    let [one, three] = outs
        .each_ref()
        .map(|(out, _)| fs::read(out).expect("it is there"));
    assert!(one == three, "threads make a difference");
    assert!(fs::read(&weights).expect("it is there") == before);

    let mut found = Model::read(&one).expect("it is one");
    let error = found.error.take();
    assert!(error.is_some());
    assert_eq!(found, model());

    // Besides what was measured stands what the model says of the same.
    let (out, told) = &outs[0];
    let mut compared = 0;
    let rows = told.lines().skip(1);
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
    assert!(compared >= 20, "{told}");

    let name = out.to_str().expect("ASCII");
    let info =
        |file: &str| run(outflank().args(["weights", "info", "--json", file]), b"").expect(0);
    let sigmas = &info(name).json()[0]["error_model"];
    assert_eq!(sigmas.as_array().map(Vec::len), Some(16), "{sigmas}");
    assert!(info(&weights).json()[0]["error_model"].is_null());

    // It can be put into the file itself.
    probcut(
        &[
            &records,
            "--weights",
            name,
            "--out",
            name,
            "--depth",
            "5",
            "--exact",
            "8",
            "--positions",
            "8",
        ],
        0,
    );
    let renewed = Model::load(out).expect("it is one");
    assert_ne!(renewed.error, error);
}

#[test]
fn what_cannot_be_measured_is_said_and_leaves_nothing() {
    let (folder, [weights, records]) = files(&[Board::START]);
    let before = fs::read(&weights).expect("it is there");
    let out = folder.path("out.weights");
    let text = folder.file("text", "--XO X; A1:+2;\n");
    let [out_name, text] = [&out, &text].map(|path| path.to_str().expect("ASCII"));
    for (arguments, status, told) in [
        (
            &[&records, "--weights", &weights, "--out", out_name][..],
            1,
            "1 position is too few for an error model",
        ),
        (
            &[&weights, "--weights", &weights, "--out", out_name],
            1,
            "expected training records, but ",
        ),
        (
            &["/dev/null", "--weights", &weights, "--out", out_name],
            1,
            "outflank: /dev/null: expected training records, but it is empty",
        ),
        (
            &["absent", "--weights", &weights, "--out", out_name],
            1,
            "absent: cannot be read",
        ),
        (
            &[&records, "--weights", text, "--out", out_name],
            1,
            "expected weights, but it looks like text",
        ),
        (
            &[&records, "--weights", &weights, "--out", "no/such/folder"],
            1,
            "make its folder first",
        ),
        (
            &[&records, "--out", out_name, "--depth", "4"],
            2,
            "expected a whole number from 5 to 60",
        ),
        (&[&records], 2, "required arguments were not provided"),
    ] {
        let run = probcut(arguments, status);
        assert!(run.stderr.contains(told), "{told}: {run:#?}");
        assert!(run.stdout.is_empty(), "{run:#?}");
        if status == 1 {
            assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
        }
        assert!(!out.exists());
    }
    assert!(fs::read(&weights).expect("it is there") == before);
}
