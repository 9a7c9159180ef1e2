//! Static values, compared with searches: of the positions after the first plies, and of tournament games.

use outflank::eval::{DISC, Evaluation};
use outflank::openings::openings;
use outflank::search::Selectivity;
use outflank::{Board, Engine, Isa, Limits};
use outflank_testing::models::bias_and_mean_error;

/// Last ply to compare. Up to there, 79 positions differ by more than symmetry.
const PLIES: u32 = 4;

/// Games from this year on are never trained on.
const FIRST_TEST_YEAR: u16 = 2018;

/// Positions of games to compare, for each number of empty squares.
const POSITIONS: usize = 50;

/// Depths of the searches, one odd and one even. The advantage of the last move cancels out in their mean.
const DEPTHS: [u32; 2] = [12, 13];

fn static_value(board: Board) -> f64 {
    let token = Isa::detect().token().expect("the CPU has it");
    f64::from(Evaluation::embedded().value(token, board)) / f64::from(DISC)
}

/// Mean score of the searches.
fn search_value(engine: &mut Engine, board: Board) -> f64 {
    let score = |depth| {
        let limits = Limits::depth(depth, Selectivity::P73);
        let result = engine.search(board, &limits).expect("it can be searched");
        f64::from(result.score)
    };
    DEPTHS.map(score).iter().sum::<f64>() / DEPTHS.len() as f64
}

#[test]
fn static_values_of_the_first_plies_are_near_those_of_searches() {
    let mut engine = Engine::builder().hash_mib(16).build().expect("an engine");
    let mut faults = Vec::new();
    for plies in 0..=PLIES {
        let boards = openings(plies);
        let errors = boards.iter();
        let errors = errors.map(|&board| static_value(board) - search_value(&mut engine, board));
        let errors: Vec<f64> = errors.collect();
        let [bias, mae] = bias_and_mean_error(&errors);
        let summary = format!(
            "{} empty squares, {} positions: static values are {bias:+.2} discs from searches, {mae:.2} either way",
            60 - plies,
            boards.len()
        );
        eprintln!("{summary}");
        if bias.abs() > 1.5 || mae > 4.0 {
            faults.push(summary);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The side to move differs with the parity of the empty squares, so two neighbouring numbers are compared at once.
/// The bundled network favours the mover there by up to 1.3 discs.
#[test]
fn static_values_of_games_are_near_those_of_searches() {
    let Some(databases) = outflank_testing::data::wthor() else {
        return;
    };
    let tested = databases
        .iter()
        .filter(|database| database.year >= FIRST_TEST_YEAR);
    let games: Vec<_> = tested.flat_map(|database| &database.games).collect();
    let mut engine = Engine::builder().hash_mib(16).build().expect("an engine");
    let mut faults = Vec::new();
    for empties in (20..60).step_by(2) {
        let mut errors = Vec::new();
        for game in games.iter().step_by(games.len() / POSITIONS) {
            let positions = game.positions().expect("the moves are legal");
            for (board, _) in positions {
                let is_compared = (empties..empties + 2).contains(&board.empty_count());
                if is_compared && board.mobility() != 0 {
                    errors.push(static_value(board) - search_value(&mut engine, board));
                }
            }
        }
        let [bias, mae] = bias_and_mean_error(&errors);
        let summary = format!(
            "{empties} and {} empty squares, {} positions: bias {bias:+.2} discs, MAE {mae:.2}",
            empties + 1,
            errors.len()
        );
        eprintln!("{summary}");
        if bias.abs() > 2.0 || mae > 6.5 {
            faults.push(summary);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Odd and even depths give the last move to one side and the other.
#[test]
fn shallow_searches_see_the_start_as_even() {
    let mut engine = Engine::builder().hash_mib(1).build().expect("an engine");
    for depth in 1..=5 {
        let limits = Limits::depth(depth, Selectivity::Full);
        let result = engine.search(Board::START, &limits);
        let result = result.expect("it can be searched");
        assert!(result.score.abs() <= 3, "{depth} plies: {:+}", result.score);
    }
}
