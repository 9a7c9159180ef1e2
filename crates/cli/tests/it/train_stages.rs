//! `outflank train stages`: outputs of single stages of a network.

use std::path::Path;

use outflank::Board;
use outflank::eval::{Model, Parameters};
use outflank::kernels::Network;
use outflank::openings::openings;
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_testing::models::{random_linear, random_network};

use crate::common::program::run_in;

fn network(path: &Path) -> Network {
    match Model::load(path).expect("weights").parameters {
        Parameters::Network(network) => network,
        Parameters::Linear(_) => panic!("a network was written"),
    }
}

/// Follows the recipe of the bundled weights for the first two plies.
#[test]
fn stages_of_the_first_plies_are_fitted_to_searches() {
    let folder = Folder::new();
    let start = Model::network(random_network(1), "random".into()).write();
    let [start, out] = [
        folder.file("start.weights", start),
        folder.path("out.weights"),
    ];
    for plies in 0..=2_u32 {
        let (empties, games) = (60 - plies, openings(plies).len());
        let line = format!(
            "train generate {plies}.records --from self --opening-plies {plies} --empties {empties} \
             --games {games} --block 1 --random-plies 0 --deviations 0 --per-game 1 --depth 3"
        );
        run_in(&folder, &line, 0);
    }
    let line = "train stages --start start.weights --empties 57..60 --out out.weights \
                0.records 1.records 2.records";
    let report = run_in(&folder, line, 0).stdout;
    let numbers = |line: &str| -> Option<Vec<f64>> {
        line.split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    };
    let rows: Vec<Vec<f64>> = report.lines().skip(2).map_while(numbers).collect();
    let counts: Vec<[f64; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    let expected = [[57.0, 0.0], [58.0, 3.0], [59.0, 1.0], [60.0, 1.0]];
    assert_eq!(counts, expected, "{report}");
    for row in &rows[1..] {
        let [_, _, _, before, bias, after] = row[..] else {
            panic!("{report}");
        };
        assert!(after < before.max(1.0) && bias.abs() < 0.5, "{report}");
    }
    let end = "outputs of 57 to 60 empty squares: 5 positions, decay 0.1\n";
    assert!(report.ends_with(end), "{report}");

    let [before, after] = [&start, &out].map(|path| network(path));
    assert!(before.stages()[..57] == after.stages()[..57]);
    let [before, after] = [&start, &out].map(|path| Model::load(path).expect("weights"));
    let about = &after.about;
    assert!(
        about.starts_with("random; outflank train stages: "),
        "{about}"
    );
    let boards: Vec<Board> = random_game(&mut SplitMix64::new(1));
    for &board in boards.iter().filter(|board| board.empty_count() < 57) {
        assert_eq!(before.value(board), after.value(board), "{board}");
    }
    assert_ne!(before.value(Board::START), after.value(Board::START));
}

#[test]
fn linear_weights_and_invalid_stages_are_refused() {
    let folder = Folder::new();
    folder.file("l.weights", random_linear(1, [10, 40], 9).write());
    folder.file("a.obf", format!("{} X; --:+2;\n", "-".repeat(64)));
    let no_stages = "l.weights: linear weights have no stages, a network is needed";
    for (options, status, expected) in [
        ("--start l.weights", 2, no_stages),
        ("--empties 0..3", 2, "from 1 to 60, such as 54..60"),
        ("--empties 58", 2, "from 1 to 60, such as 54..60"),
        ("", 1, "there is no position to learn from"),
    ] {
        let line = format!("train stages a.obf --out out {options}");
        let run = run_in(&folder, &line, status);
        assert!(run.stderr.contains(expected), "{line}: {run:#?}");
        assert!(!folder.path("out").exists(), "nothing is written");
    }
}
