//! GGF: spellings, faults with their locations, and written games that read back.

use outflank::notation::{GameRecord, Note, ggf};
use outflank_random::SplitMix64;
use outflank_testing::data::{random_play, transcript};
use outflank_testing::table::rows;
use proptest::prelude::*;

/// Starting position in GGF.
const START: &str = "8 ---------------------------O*------*O--------------------------- *";

fn read_single(text: &str) -> GameRecord {
    let mut games: Vec<_> = ggf::read(text.as_bytes()).collect();
    assert_eq!(games.len(), 1, "{text}");
    games
        .remove(0)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .record
}

fn note(eval: Option<f64>, seconds: Option<f64>) -> Note {
    Note { eval, seconds }
}

#[test]
fn spellings_read_the_same() {
    let record = read_single(&format!(
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Cyrano]RB[2197.01]RW[2199.72]\
         TI[05:00//02:00]TY[8]RE[+2.000:r]BO[{START}]B[D3/-1.00/0.01]W[C5//0.5]B[F6/2]W[F5];)"
    ));
    assert_eq!(transcript(&record.game), "d3c5f6f5");
    let notes = [
        note(Some(-1.0), Some(0.01)),
        note(None, Some(0.5)),
        note(Some(2.0), None),
        note(None, None),
    ];
    assert_eq!(record.notes, notes);
    assert_eq!((record.score(), record.year()), (Some(2), Some(2003)));
    let names: Vec<_> = record.properties().map(|(name, _)| name).collect();
    assert_eq!(names.join(" "), "PC DT PB PW RB RW TI TY RE");

    let board =
        "8\n--------\n--------\n--------\n---O*---\n---*O---\n--------\n--------\n--------\n*";
    let with_x = START.replace('*', "X");
    let spaced = " B [ d3 / -1 / .01 ] \n; W[c5//.5/more]\r\n b[f6/2.0]\tw[F5//]";
    for (moves, board) in [
        ("B[d3/-1.00/0.01]W[c5//0.5]B[f6/2]W[f5]", START),
        (spaced, START),
        ("B[D3/-1/1e-2]W[C5//0.5]B[F6/+2/]W[F5]", board),
        ("B[D3/-1/0.01]W[C5//0.5]B[F6/2]W[F5]", &with_x),
    ] {
        let text = format!("12\n(;GM[OTHELLO]BO[{board}]{moves})\n");
        let respelled = read_single(&text);
        assert_eq!(respelled.game, record.game, "{text}");
        assert_eq!(respelled.notes, record.notes, "{text}");
    }
}

#[test]
fn passes_are_optional_and_superfluous_ones_are_dropped() {
    // White must pass at once, and neither side can move after A1.
    let empty = "-".repeat(8);
    let centre = "---**---".repeat(2);
    let board = format!("8 -O******{empty}{empty}{centre}{empty}{empty}{empty} O");
    let plain = read_single(&format!("(;BO[{board}]B[A1/1/2];)"));
    assert_eq!(plain.game.plies(), [None, "A1".parse().ok()]);
    assert_eq!(plain.notes, [note(None, None), note(Some(1.0), Some(2.0))]);
    assert_eq!((plain.game.score(), plain.score()), (Some(64), Some(64)));
    for pass in ["PA", "pass", "PS", "--"] {
        let text = format!("(;BO[{board}]W[{pass}]B[A1/1/2]W[{pass}]B[{pass}];)");
        assert_eq!(read_single(&text), plain, "{text}");
    }
}

#[test]
fn property_texts_are_kept() {
    let mut record = GameRecord::default();
    let game = "(;GM[Othello];)";
    for text in ["", "]", "\\", "\\]", game, "Šéf ♔\r\n\0", "[[", ")"] {
        record.set("PB", text).unwrap();
        record.set("XYZ", text).unwrap();
        assert_eq!(read_single(&ggf::write(&record)), record);
    }
    // Unknown properties and repeated ones are kept.
    let record = read_single("(;PB[a]PB[b]ABC[c];)");
    let properties: Vec<_> = record.properties().collect();
    assert_eq!(properties, [("PB", "a"), ("PB", "b"), ("ABC", "c")]);
    assert_eq!(read_single(&ggf::write(&record)), record);
    for name in ["", "b", "B", "W", "GM", "BO", "P B", "É"] {
        assert!(record.clone().set(name, "").is_err(), "{name}");
    }
}

#[test]
fn faulty_games_are_located_and_the_others_read() {
    let table = r#"
        GM[Go];) | 6 | expected a game of Othello, found "Go"
        B[F5]W[F5]PB[(;];) | 10 | move 2, F5, is not legal: the square is taken
        W[F4];) | 5 | move 1, F4, is not legal: it is black's turn
        B[F9];) | 5 | expected a move (A1 to H8, or PA), found "F9"
        B[];) | 5 | expected a move (A1 to H8, or PA), found ""
        B[F5/x];) | 5 | expected a number (as in F5/1.50/0.2), found "x"
        B[F5//nan];) | 5 | expected a number (as in F5/1.50/0.2), found "nan"
        BO[10 --- *];) | 6 | expected a board of 8x8 squares (BO[8 ...]), found "10"
        BO[8 ---?---- *];) | 6 | expected 64 squares (*, O or -) and the side to move, found "?----*" behind 3 squares
        BO[START*];) | 6 | expected 64 squares (*, O or -) and the side to move, found "**" behind 64 squares
        BO[START]BO[START];) | 78 | expected one board (BO), before the first move
        B[F5]BO[START];) | 11 | expected one board (BO), before the first move
        PB;) | 5 | expected '[' and the value of PB
        ? | 3 | expected a property (as in PB[name]), found "?(;PB[next];..."
         | 3 | expected a property (as in PB[name]), found "(;PB[next];)"
    "#;
    for [game, column, message] in rows(table) {
        let game = game.replace("START", START);
        let text = format!("\n\u{fffd}\n(;{game}(;PB[next];)");
        let games: Vec<_> = ggf::read(text.as_bytes()).collect();
        assert_eq!(games.len(), 2, "{text}");
        let error = games[0].as_ref().unwrap_err().to_string();
        let expected = format!("3:{column}: game 1: {message}");
        assert_eq!(error, expected, "{text}");
        let next = &games[1].as_ref().unwrap().record;
        assert_eq!(next.property("PB"), Some("next"));
    }
    let table = r"
        (; | 1:3: game 1: expected ')' at the end of the game, found the end of the file
        (;PB[x | 1:6: game 1: expected ']' behind the value of PB, found the end of the file
        (;PB[x\] | 1:6: game 1: expected ']' behind the value of PB, found the end of the file
    ";
    for [text, message] in rows(table) {
        let games: Vec<_> = ggf::read(text.as_bytes()).collect();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].as_ref().unwrap_err().to_string(), message);
    }
    for nothing in ["", "f5d6", "(", "( ;PB[x])", ";)"] {
        assert_eq!(ggf::read(nothing.as_bytes()).count(), 0, "{nothing}");
    }
}

/// Random game with random notes, and with `texts` as properties.
fn record(seed: u64, texts: &[String]) -> GameRecord {
    let mut rng = SplitMix64::new(seed);
    let mut record = GameRecord::new(random_play(&mut rng));
    let mut number = |record: &GameRecord| {
        let scale = [1.0, 1e-3, 1e10, 0.0][rng.index(4)];
        let number = (rng.index(2001) as f64 - 1000.0) / 7.0 * scale;
        (rng.index(3) > 0 && !record.game.is_over()).then_some(number)
    };
    let count = record.game.plies().len();
    record.notes = (0..count)
        .map(|_| note(number(&record), number(&record)))
        .collect();
    for (name, text) in ["PB", "PW", "RE", "ABC", "TY"].iter().zip(texts) {
        record.set(name, text).unwrap();
    }
    record
}

proptest! {
    #[test]
    fn written_games_read_back(
        seeds: [u64; 3],
        texts in prop::collection::vec(any::<String>(), 0..5),
    ) {
        let records = seeds.map(|seed| record(seed, &texts));
        let file: String = records.iter().map(|record| ggf::write(record) + "\n").collect();
        let read: Result<Vec<_>, _> = ggf::read(file.as_bytes())
            .map(|game| game.map(|game| game.record))
            .collect();
        prop_assert_eq!(read.unwrap(), records);
    }
}
