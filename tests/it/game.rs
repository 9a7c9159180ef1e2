//! Games: legal and illegal plies, passes, scores, and agreement of all views of a game.

use outflank::game::IllegalReason::{self, FlipsNothing, HasMove, Over, Taken, TurnOf};
use outflank::{Board, Game, IllegalMove, Ply, Side, Square};
use outflank_random::SplitMix64;
use outflank_testing::data::random_play;
use outflank_testing::reference::exact_score;
use proptest::prelude::*;

fn ply(name: &str) -> Ply {
    name.parse().ok()
}

/// Game that starts from a position: 64 squares and the side to move.
fn game(position: &str) -> Game {
    let side = if position.ends_with('O') {
        Side::White
    } else {
        Side::Black
    };
    Game::from_start(position.parse().expect("it is a position"), side).expect("it is possible")
}

/// Checks that a ply was illegal, as move 1.
fn assert_illegal(played: Result<(), IllegalMove>, name: &str, reason: IllegalReason) {
    let error = played.unwrap_err();
    let found = (error.number, error.ply, error.reason);
    assert_eq!(found, (1, ply(name), reason), "{name}");
}

#[test]
fn play_and_pass_report_why_a_ply_is_illegal() {
    let mut game = Game::new();
    assert_illegal(game.play("E4".parse().unwrap()), "E4", Taken);
    assert_illegal(game.pass(), "PS", HasMove(Side::Black));
    let mut over = self::game(OVER);
    assert_illegal(over.pass(), "PS", Over);
    assert_illegal(over.play("H8".parse().unwrap()), "H8", Over);
    assert_eq!((game, over), (Game::new(), self::game(OVER)));
}

/// Usual start.
const START: &str = "---------------------------OX------XO--------------------------- X";
/// Black must pass; white can move to C1 only.
const BLACK_PASSES: &str = "OX-------------------------OO------OO--------------------------- X";
/// Neither side can move.
const OVER: &str = "X--------------------------XX------XX--------------------------- O";

#[test]
fn play_as_reports_why_a_ply_is_illegal() {
    for (position, side, played, reason) in [
        (START, Side::Black, "E4", Taken),
        (START, Side::Black, "A1", FlipsNothing(Side::Black)),
        (START, Side::Black, "PS", HasMove(Side::Black)),
        (START, Side::White, "F4", TurnOf(Side::Black)),
        (START, Side::White, "PS", TurnOf(Side::Black)),
        (BLACK_PASSES, Side::Black, "C1", FlipsNothing(Side::Black)),
        (BLACK_PASSES, Side::Black, "B1", Taken),
        (BLACK_PASSES, Side::White, "H8", FlipsNothing(Side::White)),
        (BLACK_PASSES, Side::White, "PS", HasMove(Side::White)),
        (OVER, Side::White, "PS", Over),
        (OVER, Side::Black, "H8", Over),
    ] {
        let mut game = game(position);
        let before = game.clone();
        assert_illegal(game.play_as(side, ply(played)), played, reason);
        assert_eq!(game, before, "{played} on {position}");
    }
}

#[test]
fn passes_are_inserted_or_explicit() {
    let c1 = ply("C1");
    let [mut inserted, mut explicit, mut named] = [BLACK_PASSES; 3].map(game);
    inserted.play(c1.unwrap()).unwrap();
    explicit.pass().unwrap();
    assert_eq!(explicit.side(), Side::White);
    assert_eq!(explicit.moves().count(), 0);
    explicit.play(c1.unwrap()).unwrap();
    named.play_as(Side::White, c1).unwrap();
    assert_eq!(inserted.plies(), [None, c1]);
    assert!(inserted == explicit && explicit == named);
    assert_eq!(inserted.positions().len(), 3);
    let sides: Vec<Side> = inserted.turns().map(|(_, side)| side).collect();
    // `turns` makes the pass before the first move, too.
    assert_eq!(sides, [Side::White, Side::Black]);
    assert_eq!(inserted.score(), Some(-64));
}

#[test]
fn a_start_with_squares_held_twice_is_an_error() {
    let board = Board {
        player: 3,
        opponent: 6,
    };
    let error = Game::from_start(board, Side::Black).unwrap_err();
    assert_eq!(error.0, 2);
    assert_eq!(error.to_string(), "both sides hold B1");
}

#[test]
fn a_finished_game_has_its_score() {
    // White, to move, has 24 discs of a full board. `score` is black's, `exact_score` that of `X`.
    let full = "X".repeat(40) + &"O".repeat(24) + " O";
    assert_eq!(game(&full).score(), Some(16));
    assert_eq!(exact_score(&full[..64]), 16);
    assert_eq!(game(OVER).score(), Some(64));
    assert_eq!(Game::new().score(), None);
}

proptest! {
    #[test]
    fn all_views_of_a_game_agree(seed: u64) {
        let game = random_play(&mut SplitMix64::new(seed));
        prop_assert_eq!(game.positions().len(), game.plies().len() + 1);
        prop_assert_eq!(game.positions().last(), Some(&game.position()));
        let empties = game.start().0.empty_count() as usize;
        for (count, (board, _)) in game.turns().enumerate() {
            prop_assert_eq!(board.empty_count() as usize, empties - count);
            prop_assert!(!board.must_pass());
        }
        prop_assert_eq!(game.turns().count(), game.moves().count() + 1);
        // A move places one disc, a pass none, and sides alternate.
        for (pair, &ply) in game.positions().windows(2).zip(game.plies()) {
            let [(before, side), (after, next)] = [pair[0], pair[1]];
            prop_assert_eq!(next, side.other());
            let placed = before.empties() ^ after.empties();
            prop_assert_eq!(placed, ply.map_or(0, Square::bit));
        }

        // Replaying the moves inserts all passes except one at the end.
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
