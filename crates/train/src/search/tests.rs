use outflank::Square;
use outflank::eval::Model;
use outflank_random::SplitMix64;
use outflank_testing::data::random_game;
use outflank_testing::models::random_linear;

use super::*;

fn searcher(isa: Isa, evaluation: Arc<Evaluation>) -> FixedDepthSearcher {
    FixedDepthSearcher::new(isa, 1, evaluation, StopHandle::default()).unwrap()
}

/// Plain minimax value.
fn minimax(model: &Model, board: Board, depth: u32) -> i32 {
    // At a leaf the search recognises the end of the game only if a side has no discs.
    if board.player == 0 || depth > 0 && board.is_game_over() {
        return board.final_score() * DISC;
    }
    if depth == 0 {
        return model.value(board);
    }
    if board.mobility() == 0 {
        return -minimax(model, board.pass(), depth);
    }
    Square::all_in(board.mobility())
        .map(|square| -minimax(model, board.play(square).unwrap(), depth - 1))
        .max()
        .unwrap()
}

/// Checks positions of random games, with and without cleared tables. The value is the minimax value, the best move has
/// that value, and all levels take equally many nodes.
#[test]
fn values_are_minimax_values_at_every_level() {
    let model = random_linear(3, [30], 64);
    let evaluation = Arc::new(Evaluation::new(model.clone()));
    let searcher = |&isa| searcher(isa, evaluation.clone());
    let mut searchers: Vec<_> = Isa::available().iter().map(searcher).collect();
    let mut random = SplitMix64::new(5);
    for game in 0..40 {
        let board = random_game(&mut random)[random.index(40)];
        if board.is_game_over() {
            continue;
        }
        let depth = 1 + game % 4;
        let expected = minimax(&model, board, depth);
        let results = searchers.iter_mut().map(|searcher| {
            if game % 3 == 0 {
                searcher.clear();
            }
            searcher.search(board, depth).unwrap()
        });
        let results: Vec<FixedDepthResult> = results.collect();
        for result in &results {
            assert_eq!(*result, results[0], "{board} at depth {depth}");
            assert_eq!(result.value, expected, "{board} at depth {depth}");
            assert_eq!(result.best.is_none(), board.mobility() == 0);
            if let Some(best) = result.best {
                let next = board.play(best).expect("a legal move");
                assert_eq!(-minimax(&model, next, depth - 1), expected, "{board}");
            }
        }
    }
}

#[test]
fn positions_within_reach_of_the_end_are_solved() {
    let evaluation = Arc::new(Evaluation::new(random_linear(3, [30], 64)));
    let mut searcher = searcher(Isa::detect(), evaluation);
    let squares = "XXXXXXXX-XXXXXXX-X-OXXXX--XOXOXX--OXXXXX-OOOXXXX--OOXX-X-OXXXX--";
    let board: Board = format!("{squares} X").parse().unwrap();
    let empties = board.empty_count();
    let solved = searcher.search(board, empties).unwrap();
    assert_eq!(solved.value, 54 * DISC);
    assert_ne!(searcher.search(board, empties - 1).unwrap(), solved);
}
