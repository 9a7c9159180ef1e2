//! `outflank train stages`: outputs of single stages of a network.

use outflank::Board;
use outflank::eval::{Model, Networks, Parameters};
use outflank::openings::openings;
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_testing::models::random_network;

use crate::common::program::run_in;

/// Follows the recipe of the bundled weights for the first two plies. The other network stays equal.
#[test]
fn stages_of_the_first_plies_are_fitted_to_searches() {
    let folder = Folder::new();
    let networks = Networks::of_phases(random_network(1), 20, random_network(2));
    let start = Model::networks(networks, "random".into());
    folder.file("start.weights", start.write());
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
        let words = line.split_whitespace();
        words.map(|word| word.parse().ok()).collect()
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

    let fitted = Model::load(&folder.path("out.weights")).expect("weights");
    let (Parameters::Networks(before), Parameters::Networks(after)) =
        (&start.parameters, &fitted.parameters)
    else {
        panic!("a network was written");
    };
    assert!(before.at(0) == after.at(0));
    assert!(before.at(60).stages()[..57] == after.at(60).stages()[..57]);
    let about = &fitted.about;
    let begin = "random\noutflank train stages: ";
    assert!(about.starts_with(begin), "{about}");
    let boards = random_game(&mut SplitMix64::new(1));
    for &board in boards.iter().filter(|board| board.empty_count() < 57) {
        assert_eq!(start.value(board), fitted.value(board), "{board}");
    }
    assert_ne!(start.value(Board::START), fitted.value(Board::START));
}
