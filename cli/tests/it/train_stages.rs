//! `outflank train stages`: the outputs of single stages of a network.

use std::fs;
use std::path::Path;

use outflank::Board;
use outflank::eval::{Model, Parameters};
use outflank::kernels::Network;
use outflank::openings::openings;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::random_game;
use outflank_testing::models::{random_linear, random_network};
use outflank_testing::rng::Rng;

use crate::common::program::outflank;

fn train(arguments: &[&str], status: i32) -> Run {
    run(outflank().arg("train").args(arguments), b"").expect(status)
}

fn network(path: &Path) -> Network {
    match Model::load(path).expect("weights").parameters {
        Parameters::Network(network) => network,
        Parameters::Linear(_) => panic!("a network was written"),
    }
}

/// The recipe of the bundled weights on the first two plies.
#[test]
fn stages_of_the_first_plies_are_fitted_to_searches() {
    let folder = Folder::new();
    let text = |name: &str| folder.path(name).display().to_string();
    let start = folder.file(
        "start.weights",
        Model::network(random_network(1), "random".into()).write(),
    );
    let start = start.display().to_string();
    let mut records = Vec::new();
    for plies in 0..=2_u32 {
        let out = text(&format!("{plies}.records"));
        let (opening, empties) = (plies.to_string(), (60 - plies).to_string());
        let games = openings(plies).len().to_string();
        let options = [
            ["--from", "self"],
            ["--opening-plies", &opening],
            ["--empties", &empties],
            ["--games", &games],
            ["--block", "1"],
            ["--random-plies", "0"],
            ["--deviations", "0"],
            ["--per-game", "1"],
            ["--depth", "3"],
        ];
        train(&[&["generate", &out], options.as_flattened()].concat(), 0);
        records.push(out);
    }
    let out = text("out.weights");
    let mut arguments = vec![
        "stages",
        "--start",
        &start,
        "--empties",
        "57..60",
        "--out",
        &out,
    ];
    arguments.extend(records.iter().map(String::as_str));
    let told = train(&arguments, 0).stdout;
    let rows: Vec<Vec<f64>> = told
        .lines()
        .skip(2)
        .map_while(|line| {
            line.split_whitespace()
                .map(|word| word.parse().ok())
                .collect()
        })
        .collect();
    let counts: Vec<[f64; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(
        counts,
        [[57.0, 0.0], [58.0, 3.0], [59.0, 1.0], [60.0, 1.0]],
        "{told}"
    );
    for row in &rows[1..] {
        let [_, _, _, before, bias, after] = row[..] else {
            panic!("{told}");
        };
        assert!(after < before.max(1.0) && bias.abs() < 0.5, "{told}");
    }
    let end = "outputs of 57 to 60 empty squares: 5 positions, decay 0.1\n";
    assert!(told.ends_with(end), "{told}");

    let [before, after] = [&start, &out].map(|path| network(Path::new(path)));
    assert!(before.stages()[..57] == after.stages()[..57]);
    let model = |path| Model::load(Path::new(path)).expect("weights");
    let about = model(&out).about;
    assert!(
        about.starts_with("random; outflank train stages: "),
        "{about}"
    );
    let [before, after] = [&start, &out].map(model);
    let boards: Vec<Board> = random_game(&mut Rng::new(1));
    for &board in boards.iter().filter(|board| board.empty_count() < 57) {
        assert_eq!(before.value(board), after.value(board), "{board}");
    }
    assert_ne!(before.value(Board::START), after.value(Board::START));
}

#[test]
fn what_has_no_stages_is_refused() {
    let folder = Folder::new();
    let linear = folder.file("l.weights", random_linear(1, [10, 40], 9).write());
    let linear = linear.display().to_string();
    let problems = folder.file("a.obf", format!("{} X; --:+2;\n", "-".repeat(64)));
    let problems = problems.display().to_string();
    let out = folder.path("out").display().to_string();
    for (options, status, expected) in [
        (
            &["--start", &linear][..],
            2,
            "l.weights: linear weights have no stages, a network is needed",
        ),
        (&["--empties", "0..3"], 2, "from 1 to 60, such as 54..60"),
        (&["--empties", "58"], 2, "from 1 to 60, such as 54..60"),
        (&[], 1, "there is no position to learn from"),
    ] {
        let refused = train(
            &[&["stages", &problems, "--out", &out], options].concat(),
            status,
        );
        assert!(refused.stderr.contains(expected), "{refused:#?}");
        assert!(fs::metadata(&out).is_err(), "nothing is written");
    }
}
