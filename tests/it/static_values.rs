//! Static values, compared with searches. The positions are those after the first plies, and those of tournament games.

use outflank::eval::{DISC, Evaluation};
use outflank::openings::openings;
use outflank::search::Selectivity;
use outflank::{Board, Engine, Isa, Limits};
use outflank_testing::models::bias_and_mean_error;

/// Last ply to compare. Up to there, 79 positions differ by more than symmetry.
const PLIES: u32 = 4;

/// First year whose games are never trained on.
const FIRST_TEST_YEAR: u16 = 2018;

/// Approximate number of games to compare.
const GAMES: usize = 50;

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

/// Prints bias and mean absolute error of `errors`. Returns them as a fault if one is beyond its limit.
fn fault(positions: &str, errors: &[f64], [max_bias, max_mae]: [f64; 2]) -> Option<String> {
    let [bias, mae] = bias_and_mean_error(errors);
    let summary = format!(
        "{positions}, {} positions: bias {bias:+.2} discs, MAE {mae:.2}",
        errors.len()
    );
    eprintln!("{summary}");
    (bias.abs() > max_bias || mae > max_mae).then_some(summary)
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
        faults.extend(fault(&format!("{plies} plies"), &errors, [1.5, 4.0]));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The parity of the empty squares decides who has the last move, so two neighbouring numbers are compared together.
/// The bundled network favours the mover by up to 1.3 discs.
#[test]
fn static_values_of_games_are_near_those_of_searches() {
    let Some(databases) = outflank_testing::data::wthor() else {
        return;
    };
    let tested = databases
        .iter()
        .filter(|database| database.year >= FIRST_TEST_YEAR);
    let games: Vec<_> = tested.flat_map(|database| &database.games).collect();
    let games = games.iter().step_by(games.len() / GAMES);
    let positions = games.map(|game| game.positions().expect("the moves are legal"));
    let boards: Vec<_> = positions.flatten().map(|(board, _)| board).collect();
    let mut engine = Engine::builder().hash_mib(16).build().expect("an engine");
    let mut faults = Vec::new();
    for empties in (20..60).step_by(2) {
        let is_compared = |board: &&Board| {
            (empties..empties + 2).contains(&board.empty_count()) && board.mobility() != 0
        };
        let compared = boards.iter().filter(is_compared);
        let errors = compared.map(|&board| static_value(board) - search_value(&mut engine, board));
        let errors: Vec<f64> = errors.collect();
        let place = format!("{empties} and {} empty squares", empties + 1);
        faults.extend(fault(&place, &errors, [2.0, 6.5]));
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
