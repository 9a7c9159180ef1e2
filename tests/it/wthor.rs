//! WTHOR: whole files, damaged files, and the replay of games.

use outflank::game::IllegalReason;
use outflank::notation::wthor::{Database, WthorError, WthorGame};
use outflank::{Board, Side, Square};

/// A file of one game with these moves.
fn file(moves: &[u8]) -> Vec<u8> {
    let mut file = vec![20, 20, 1, 31, 1, 0, 0, 0, 0, 0, 0xe4, 0x07, 8, 0, 24, 0];
    file.extend([7, 1, 8, 0, 9, 0, 40, 42]);
    file.extend(moves);
    file.resize(16 + 68, 0);
    file
}

fn squares(names: &str) -> Vec<Square> {
    names.split(' ').map(|name| name.parse().unwrap()).collect()
}

#[test]
fn all_fields_of_a_file_are_read() {
    let database = Database::read(&file(&[56, 64, 33])).unwrap();
    assert_eq!((database.year, database.theoretical_empties), (2020, 24));
    let game = WthorGame {
        tournament: 263,
        black: 8,
        white: 9,
        black_discs: 40,
        theoretical_black_discs: 42,
        moves: squares("F5 D6 C3"),
    };
    assert_eq!((game.score(), game.theoretical_score()), (16, 20));
    assert_eq!(database.games, [game]);
}

#[test]
fn board_size_0_of_older_files_is_valid() {
    let mut older = file(&[56]);
    older[12] = 0;
    assert!(Database::read(&older).is_ok());
}

#[test]
fn damaged_files_are_errors() {
    let read = |file: &[u8]| Database::read(file).unwrap_err();
    let whole = file(&[56]);
    for length in [0, 15] {
        assert_eq!(read(&whole[..length]), WthorError::TooShort(length));
    }
    let longer = [&whole[..], &[0]].concat();
    for length in [16, 83, 85] {
        let (games, expected, found) = (1, 84, length as u64);
        let size = WthorError::Size {
            games,
            expected,
            found,
        };
        assert_eq!(read(&longer[..length]), size);
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut damaged = whole.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        read(&damaged)
    };
    let games = with(4, &[0xff; 4]).to_string();
    let expected = 16 + 68 * u64::from(u32::MAX);
    assert!(games.starts_with(&format!(
        "expected {expected} bytes for the 4294967295 games"
    )));
    assert_eq!(with(12, &[10]), WthorError::BoardSize(10));
    assert_eq!(with(23, &[65]), WthorError::Score { game: 1, discs: 65 });
    for byte in [1, 10, 19, 90, 91, 255] {
        let expected = format!("expected a move, found byte {byte} as move 1 of game 1");
        assert_eq!(with(24, &[byte]).to_string(), expected);
    }
    let after_end = "expected a move, found byte 64 as move 3 of game 1";
    assert_eq!(with(26, &[64]).to_string(), after_end);
}

fn game(moves: &[u8]) -> WthorGame {
    Database::read(&file(moves)).unwrap().games.remove(0)
}

#[test]
fn a_replay_begins_at_the_start_and_alternates() {
    let positions = game(&[56, 64]).positions().unwrap();
    assert_eq!(positions.len(), 3);
    assert_eq!(positions[0], (Board::START, Side::Black));
    assert_eq!(positions[1].1, Side::White);
    assert_eq!(positions[2].1, Side::Black);
    assert_eq!(positions[2].0.empty_count(), 58);
}

#[test]
fn an_illegal_move_is_an_error() {
    let nothing = IllegalReason::FlipsNothing(Side::Black);
    for (moves, number, name, reason) in [
        (&[11][..], 1, "A1", nothing),
        (&[56, 56], 2, "F5", IllegalReason::Taken),
    ] {
        let error = game(moves).positions().unwrap_err();
        assert_eq!((error.number, error.reason), (number, reason), "{name}");
        assert_eq!(error.ply, name.parse().ok());
    }
}

#[test]
fn games_of_every_year_replay_to_their_scores() {
    let Some(databases) = outflank_testing::data::wthor() else {
        return;
    };
    // Enough games for all oddities in little time.
    const STEP: usize = 8;
    let mut finished = 0;
    for database in &databases {
        for game in database.games.iter().step_by(STEP) {
            let year = database.year;
            let positions = game.positions().unwrap_or_else(|e| panic!("{year}: {e}"));
            for (index, (board, _)) in positions.iter().enumerate() {
                assert_eq!(board.empty_count() as usize, 60 - index);
            }
            let &(last, side) = positions.last().expect("a game has a start");
            if last.is_game_over() {
                let score = side.black_first(last).final_score();
                assert_eq!(score, game.score(), "{game:?}");
                finished += 1;
            }
        }
    }
    assert!(finished > 15_000, "{finished}");
}
