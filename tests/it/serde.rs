//! Serde: boards, squares, plies and games in JSON.

use outflank::{Board, Game, Ply, Side, Square};
use outflank_random::SplitMix64;
use outflank_testing::data::random_play;
use outflank_testing::table::rows;
use proptest::prelude::*;

#[test]
fn values_are_serialized_as_text() {
    let f5: Square = "F5".parse().unwrap();
    let plies: Vec<Ply> = vec![Some(f5), None];
    assert_eq!(serde_json::to_string(&plies).unwrap(), r#"["f5",null]"#);
    let squares = "---------------------------OX------XO---------------------------";
    let board = format!(r#""{squares} X""#);
    assert_eq!(serde_json::to_string(&Board::START).unwrap(), board);
    let white = format!(r#""{squares} O""#);
    let read: Board = serde_json::from_str(&white).unwrap();
    assert_eq!(read, Board::START.pass());
    let game = format!(r#"{{"start":"{squares} X","plies":["f5"]}}"#);
    let mut played = Game::new();
    played.play(f5).unwrap();
    assert_eq!(serde_json::to_string(&played).unwrap(), game);
}

#[test]
fn impossible_games_are_errors() {
    let table = r#"
        -- | [] | expected 64 squares
        START Z | [] | the side to move
        START X | ["i9"] | not a square
        START X | ["f5", "f5"] | move 2, F5, is not legal: the square is taken
        START X | [null] | move 1, a pass, is not legal: black has a move
    "#;
    for [start, plies, expected] in rows(table) {
        let start = start.replace("START", &Board::START.to_string());
        let game = format!(r#"{{"start": "{start}", "plies": {plies}}}"#);
        let error = serde_json::from_str::<Game>(&game).unwrap_err().to_string();
        assert!(error.contains(&expected), "{game}: {error}");
    }
}

proptest! {
    #[test]
    fn serialized_values_read_back(seed: u64, player: u64, opponent: u64) {
        let game = random_play(&mut SplitMix64::new(seed));
        let text = serde_json::to_string(&game).unwrap();
        prop_assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), game);
        let board = Board { player: player & !opponent, opponent };
        let text = serde_json::to_string(&board).unwrap();
        prop_assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), board);
        let start = Game::from_start(board, Side::White).unwrap();
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), start);
    }
}
