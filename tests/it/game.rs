//! Games: what can be played, what cannot, and that every view of a game agrees with the others.

use outflank::game::{Overlap, Why};
use outflank::{Board, Game, IllegalMove, Ply, Side, Square};
use outflank_testing::data::random_play;
use outflank_testing::reference::exact_score;
use outflank_testing::rng::Rng;
use proptest::prelude::*;

fn ply(name: &str) -> Ply {
    name.parse().ok()
}

/// A game from the position of this text: 64 squares and the side to move.
fn game(position: &str) -> Game {
    let side = if position.ends_with('O') {
        Side::White
    } else {
        Side::Black
    };
    Game::from_start(position.parse().expect("it is a position"), side).expect("it is possible")
}

#[test]
fn without_a_side_it_is_the_movers_turn() {
    let number = 1;
    let mut game = Game::new();
    let why = Why::Taken;
    let error = IllegalMove {
        number,
        ply: ply("E4"),
        why,
    };
    assert_eq!(game.play("E4".parse().unwrap()), Err(error));
    let why = Why::HasMove(Side::Black);
    assert_eq!(
        game.pass(),
        Err(IllegalMove {
            number,
            ply: None,
            why
        })
    );
    let mut over = self::game(OVER);
    let why = Why::Over;
    assert_eq!(
        over.pass(),
        Err(IllegalMove {
            number,
            ply: None,
            why
        })
    );
    let error = IllegalMove {
        number,
        ply: ply("H8"),
        why,
    };
    assert_eq!(over.play("H8".parse().unwrap()), Err(error));
    assert_eq!((game, over), (Game::new(), self::game(OVER)));
}

/// Black has to pass; white can move to C1 only.
const BLACK_PASSES: &str = "OX-------------------------OO------OO--------------------------- X";
/// Nobody can move.
const OVER: &str = "X--------------------------XX------XX--------------------------- O";

#[test]
fn only_what_the_rules_allow_is_played() {
    for (position, side, played, why) in [
        ("start", Side::Black, "E4", Why::Taken),
        ("start", Side::Black, "A1", Why::TurnsNothing(Side::Black)),
        ("start", Side::Black, "PS", Why::HasMove(Side::Black)),
        ("start", Side::White, "F4", Why::TurnOf(Side::Black)),
        ("start", Side::White, "PS", Why::TurnOf(Side::Black)),
        (
            BLACK_PASSES,
            Side::Black,
            "C1",
            Why::TurnsNothing(Side::Black),
        ),
        (BLACK_PASSES, Side::Black, "B1", Why::Taken),
        (
            BLACK_PASSES,
            Side::White,
            "H8",
            Why::TurnsNothing(Side::White),
        ),
        (BLACK_PASSES, Side::White, "PS", Why::HasMove(Side::White)),
        (OVER, Side::White, "PS", Why::Over),
        (OVER, Side::Black, "H8", Why::Over),
    ] {
        let mut game = if position == "start" {
            Game::new()
        } else {
            game(position)
        };
        let before = game.clone();
        let ply = ply(played);
        let error = IllegalMove {
            number: 1,
            ply,
            why,
        };
        assert_eq!(
            game.play_as(side, ply),
            Err(error.clone()),
            "{played} on {position}"
        );
        assert_eq!(game, before);
    }
}

#[test]
fn passes_are_inserted_or_said() {
    let c1 = ply("C1");
    let [mut played, mut said, mut named] = [BLACK_PASSES; 3].map(game);
    played.play(c1.unwrap()).unwrap();
    said.pass().unwrap();
    assert_eq!((said.side(), said.moves().count()), (Side::White, 0));
    said.play(c1.unwrap()).unwrap();
    named.play_as(Side::White, c1).unwrap();
    assert_eq!(played.plies(), [None, c1]);
    assert!(played == said && said == named);
    assert_eq!(played.positions().len(), 3);
    let sides: Vec<Side> = played.turns().map(|(_, side)| side).collect();
    // The pass is made in the start, too, so white is to move there.
    assert_eq!(sides, [Side::White, Side::Black]);
    assert_eq!(played.score(), Some(-64));
}

#[test]
fn squares_held_twice_are_no_start() {
    let board = Board {
        player: 3,
        opponent: 6,
    };
    let error = Game::from_start(board, Side::Black).unwrap_err();
    assert_eq!(error, Overlap(2));
    assert_eq!(error.to_string(), "both sides hold B1");
}

#[test]
fn a_finished_game_has_its_score() {
    // A full board: what the reference solver finds is what the discs say, from the mover's side.
    let full = "X".repeat(40) + &"O".repeat(24) + " O";
    assert_eq!(game(&full).score(), Some(16));
    assert_eq!(exact_score(&full[..64]), 16);
    assert_eq!(game(OVER).score(), Some(64));
    assert_eq!(Game::new().score(), None);
}

proptest! {
    #[test]
    fn all_views_of_a_game_agree(seed: u64) {
        let game = random_play(&mut Rng::new(seed));
        prop_assert_eq!(game.positions().len(), game.plies().len() + 1);
        prop_assert_eq!(game.positions().last(), Some(&game.position()));
        let empties = game.start().0.empty_count() as usize;
        for (count, (board, _)) in game.turns().enumerate() {
            prop_assert_eq!(board.empty_count() as usize, empties - count);
            prop_assert!(!board.must_pass());
        }
        prop_assert_eq!(game.turns().count(), game.moves().count() + 1);
        // Discs stay where they are, a move places one, and sides take turns.
        for (pair, &ply) in game.positions().windows(2).zip(game.plies()) {
            let [(before, side), (after, next)] = [pair[0], pair[1]];
            prop_assert_eq!(next, side.other());
            let placed = before.empties() ^ after.empties();
            prop_assert_eq!(placed, ply.map_or(0, Square::bit));
        }

        // Played again without its passes it is the same, but for one that nothing follows on.
        let (board, side) = game.start();
        let mut again = Game::from_start(board, side).unwrap();
        for square in game.moves() {
            again.play(square).unwrap();
        }
        if again.board().must_pass() && game.plies().last() == Some(&None) {
            again.pass().unwrap();
        }
        prop_assert_eq!(&again, &game);

        for _ in 0..game.plies().len() {
            again.undo();
        }
        prop_assert_eq!(again.undo(), None);
        prop_assert_eq!(again, Game::from_start(board, side).unwrap());
    }
}
