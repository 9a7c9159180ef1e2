//! The static values of the first plies, compared with searches.

use outflank::eval::{DISC, Evaluation};
use outflank::openings::openings;
use outflank::search::Selectivity;
use outflank::{Board, Engine, Isa, Limits};
use outflank_testing::models::bias_and_mean_error;

/// The deepest plies that are compared: 79 positions in all, one of each that are equal up to symmetry.
const PLIES: u32 = 4;

/// Depths of the searches. Their mean has no advantage for the side that moves last.
const DEPTHS: [u32; 2] = [12, 13];

fn static_value(board: Board) -> f64 {
    let token = Isa::detect().token().expect("the CPU has it");
    f64::from(Evaluation::embedded().value(token, board)) / f64::from(DISC)
}

/// Mean of the scores of searches that are an odd and an even number of plies deep.
fn searched(engine: &mut Engine, board: Board) -> f64 {
    let score = |depth| {
        let limits = Limits::depth(depth, Selectivity::P73);
        let found = engine.search(board, &limits).expect("it can be searched");
        f64::from(found.score)
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
        let errors = errors.map(|&board| static_value(board) - searched(&mut engine, board));
        let errors: Vec<f64> = errors.collect();
        let [bias, mae] = bias_and_mean_error(&errors);
        let told = format!(
            "{} empty squares, {} positions: static values are {bias:+.2} discs from searches, {mae:.2} either way",
            60 - plies,
            boards.len()
        );
        eprintln!("{told}");
        if bias.abs() > 1.5 || mae > 4.0 {
            faults.push(told);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A weak level sees the start of a game as even, whichever side moves last in its search.
#[test]
fn shallow_searches_of_the_start_agree() {
    let mut engine = Engine::builder().hash_mib(1).build().expect("an engine");
    for depth in 1..=5 {
        let limits = Limits::depth(depth, Selectivity::Full);
        let found = engine
            .search(Board::START, &limits)
            .expect("it can be searched");
        assert!(found.score.abs() <= 3, "{depth} plies: {:+}", found.score);
    }
}
