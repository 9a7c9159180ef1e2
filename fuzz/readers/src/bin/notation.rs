//! Any bytes, read in each format and in the detected one. Positions are valid, games are consistent, errors are one
//! line. A text that is a board is displayed and parsed unchanged.

#![no_main]

use outflank::Board;
use outflank::notation::{self, Contents, Format};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for format in Format::ALL.into_iter().chain(Format::detect(bytes).ok()) {
        for entry in notation::read(bytes, format) {
            match entry.map(|entry| entry.contents) {
                Ok(Contents::Position(problem)) => {
                    assert_eq!(problem.board.player & problem.board.opponent, 0);
                }
                Ok(Contents::Game(record)) => {
                    let game = &record.game;
                    assert_eq!(game.positions().len(), game.plies().len() + 1);
                    assert!(game.turns().all(|(board, _)| !board.must_pass()));
                }
                Err(error) => assert!(!error.in_file("file").contains('\n')),
            }
        }
    }
    let text = str::from_utf8(bytes).ok();
    if let Some(board) = text.and_then(|text| text.parse::<Board>().ok()) {
        assert_eq!(board.to_string().parse(), Ok(board));
    }
});
