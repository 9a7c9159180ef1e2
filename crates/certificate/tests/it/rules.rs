//! The verifier's own rules and solver agree with the library and with a slow reference.

use outflank::{Board, Square};
use outflank_random::SplitMix64;
use outflank_testing::data::{random_fill, random_game};
use outflank_testing::reference::exact_score;
use outflank_verifier::{Position, Solver, squares};

fn position(board: Board) -> Position {
    Position::new(board.player, board.opponent)
}

#[test]
fn moves_and_flips_are_those_of_the_library() {
    let mut random = SplitMix64::new(1);
    let mut boards: Vec<Board> = (0..200).flat_map(|_| random_game(&mut random)).collect();
    boards.extend(
        (0..20_000).map(|round| random_fill(&mut random, round % 61, 10 + 10 * (round % 9))),
    );
    for board in boards {
        let position = position(board);
        assert_eq!(position.moves(), board.mobility(), "{board}");
        assert_eq!(position.final_score(), board.final_score(), "{board}");
        for square in squares(position.empties()) {
            let flipped = position.flipped(square);
            let name = Square::all_in(square).next().expect("one square");
            match board.play(name) {
                Some(next) => {
                    let after = position.after(square, flipped);
                    assert_eq!((after.mover, after.other), (next.player, next.opponent));
                }
                None => assert_eq!(flipped, 0, "{board} {name}"),
            }
        }
    }
}

#[test]
fn answers_of_the_solver_are_exact() {
    let mut random = SplitMix64::new(2);
    let mut solver = Solver::default();
    for round in 0..600 {
        let board = random_fill(&mut random, round % 9, 10 + 10 * (round % 9));
        let score = exact_score(&board.to_string());
        for bound in [-65, -64, score - 2, score - 1, score, score + 1, 63, 64] {
            assert_eq!(
                solver.exceeds(position(board), bound),
                score > bound,
                "{board}"
            );
        }
    }
}

/// Plays on at random from many positions. No side ends with less than its stable discs promise.
#[test]
fn stable_discs_are_kept_until_the_end() {
    let mut random = SplitMix64::new(4);
    let mut promises = 0;
    for round in 0..4000 {
        let mut board = random_fill(&mut random, 1 + round % 24, 10 + 10 * (round % 9));
        // The least scores of the side to move and of the other side.
        let mut least = [board.pass(), board].map(|board| position(board).least_score_of_other());
        promises += usize::from(least != [-64; 2]);
        while !board.is_game_over() {
            let moves = board.mobility();
            board = match moves {
                0 => board.pass(),
                _ => {
                    let square = Square::all_in(random.one_of(moves)).next();
                    board
                        .play(square.expect("one square"))
                        .expect("a legal move")
                }
            };
            least.swap(0, 1);
        }
        let score = board.final_score();
        assert!(
            score >= least[0] && -score >= least[1],
            "{board}: {score} {least:?}"
        );
    }
    assert!(promises > 1000, "{promises}");
}
