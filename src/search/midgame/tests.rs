use super::*;
use crate::eval::{Knot, Model, PACKED};
use outflank_random::SplitMix;

fn model() -> Model {
    let mut random = SplitMix::new(3);
    let weights = (0..PACKED).map(|_| random.below(129) as i16 - 64).collect();
    let knots = vec![Knot {
        empties: 30,
        weights,
    }];
    Model::linear(knots, [0; 61], String::new()).unwrap()
}

/// The value by the definition of a search, without any cut.
fn minimax(model: &Model, board: Board, depth: u32) -> i32 {
    // A leaf is not looked at but for a side that has lost all its discs.
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

/// From positions of random games: the value is the minimax value, whatever was searched before,
/// the best move has it, and every level needs the same nodes.
#[test]
fn values_are_minimax_values_at_every_level() {
    let model = model();
    let evaluation = Arc::new(Evaluation::new(model.clone()));
    let mut searchers: Vec<Midgame> = Isa::available()
        .iter()
        .map(|&isa| Midgame::new(isa, 1, evaluation.clone()).unwrap())
        .collect();
    let mut random = SplitMix::new(5);
    for game in 0..40 {
        let mut board = Board::START;
        for _ in 0..random.below(40) {
            let moves: Vec<Square> = Square::all_in(board.mobility()).collect();
            match moves.len() as u64 {
                0 => board = board.pass(),
                count => board = board.play(moves[random.below(count) as usize]).unwrap(),
            }
        }
        if board.is_game_over() {
            continue;
        }
        let depth = 1 + game % 4;
        let expected = minimax(&model, board, depth);
        let found = searchers.iter_mut().map(|searcher| {
            if game % 3 == 0 {
                searcher.clear();
            }
            searcher.search(board, depth).unwrap()
        });
        let found: Vec<Found> = found.collect();
        for one in &found {
            assert_eq!(*one, found[0], "{board} at depth {depth}");
            assert_eq!(one.value, expected, "{board} at depth {depth}");
            assert_eq!(one.best.is_none(), board.mobility() == 0);
            if let Some(best) = one.best {
                let next = board.play(best).expect("a legal move");
                assert_eq!(-minimax(&model, next, depth - 1), expected, "{board}");
            }
        }
    }
}

#[test]
fn the_last_squares_are_searched_to_the_end() {
    let evaluation = Arc::new(Evaluation::new(model()));
    let mut searcher = Midgame::new(Isa::detect(), 1, evaluation).unwrap();
    let squares = "XXXXXXXX-XXXXXXX-X-OXXXX--XOXOXX--OXXXXX-OOOXXXX--OOXX-X-OXXXX--";
    let line = format!("{squares} X;");
    let problem = crate::notation::obf::read(line.as_bytes())
        .next()
        .unwrap()
        .unwrap();
    let empties = problem.board.empty_count();
    let found = searcher.search(problem.board, empties).unwrap();
    assert_eq!(found.value, 54 * DISC);
    assert_ne!(searcher.search(problem.board, empties - 1).unwrap(), found);
}
