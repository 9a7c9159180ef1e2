//! GGF, transcripts, WTHOR and the choice between formats: every spelling, every fault with its place,
//! and what is written reads back.

mod common;

use common::data::random_play;
use common::rng::Rng;
use outflank::notation::wthor::{self, Database, Date};
use outflank::notation::{self, Contents, Format, GameRecord, Note, Unfit, ggf, transcript};
use outflank::{Board, Game, Side, Square};
use proptest::prelude::*;

/// The start as GGF writes it.
const START: &str = "8 ---------------------------O*------*O--------------------------- *";

fn only(text: &str) -> GameRecord {
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
fn every_spelling_of_ggf_reads_the_same() {
    let record = only(&format!(
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Cyrano]RB[2197.01]RW[2199.72]\
         TI[05:00//02:00]TY[8]RE[+2.000:r]BO[{START}]B[D3/-1.00/0.01]W[C5//0.5]B[F6/2]W[F5];)"
    ));
    let moves: Vec<String> = record
        .game
        .moves()
        .map(|square| square.to_string())
        .collect();
    assert_eq!(moves, ["D3", "C5", "F6", "F5"]);
    let notes = [
        note(Some(-1.0), Some(0.01)),
        note(None, Some(0.5)),
        note(Some(2.0), None),
        note(None, None),
    ];
    assert_eq!(record.notes, notes);
    assert_eq!((record.score(), record.year()), (Some(2), Some(2003)));
    let names: Vec<_> = record.properties().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        ["PC", "DT", "PB", "PW", "RB", "RW", "TI", "TY", "RE"]
    );

    let board =
        "8\n--------\n--------\n--------\n---O*---\n---*O---\n--------\n--------\n--------\n*";
    for (moves, board) in [
        ("B[d3/-1.00/0.01]W[c5//0.5]B[f6/2]W[f5]", START),
        (
            " B [ d3 / -1 / .01 ] \n; W[c5//.5/more]\r\n b[f6/2.0]\tw[F5//]",
            START,
        ),
        ("B[D3/-1/1e-2]W[C5//0.5]B[F6/+2/]W[F5]", board),
        (
            "B[D3/-1/0.01]W[C5//0.5]B[F6/2]W[F5]",
            &START.replace('*', "X"),
        ),
    ] {
        let text = format!("12\n(;GM[OTHELLO]BO[{board}]{moves})\n");
        let respelled = only(&text);
        assert_eq!(
            (&respelled.game, &respelled.notes),
            (&record.game, &record.notes),
            "{text}"
        );
    }
}

#[test]
fn passes_may_be_written_or_missing_or_too_many() {
    // White has to pass at once, and after A1 nobody can move.
    let empty = "-".repeat(8);
    let centre = "---**---".repeat(2);
    let board = format!("8 -O******{empty}{empty}{centre}{empty}{empty}{empty} O");
    let plain = only(&format!("(;BO[{board}]B[A1/1/2];)"));
    assert_eq!(plain.game.plies(), [None, "A1".parse().ok()]);
    assert_eq!(plain.notes, [note(None, None), note(Some(1.0), Some(2.0))]);
    assert_eq!((plain.game.score(), plain.score()), (Some(64), Some(64)));
    for pass in ["PA", "pass", "PS", "--"] {
        let text = format!("(;BO[{board}]W[{pass}]B[A1/1/2]W[{pass}]B[{pass}];)");
        assert_eq!(only(&text), plain, "{text}");
    }
}

#[test]
fn texts_are_kept_whatever_they_are() {
    let mut record = GameRecord::new(Game::new());
    for text in [
        "",
        "]",
        "\\",
        "\\]",
        "(;GM[Othello];)",
        "Šéf ♔\r\n\0",
        "[[",
        ")",
    ] {
        record.set("PB", text).unwrap();
        record.set("XYZ", text).unwrap();
        assert_eq!(only(&ggf::write(&record)), record);
    }
    // Unknown properties, and known ones twice.
    let record = only("(;PB[a]PB[b]ABC[c];)");
    let properties: Vec<_> = record.properties().collect();
    assert_eq!(properties, [("PB", "a"), ("PB", "b"), ("ABC", "c")]);
    assert_eq!(only(&ggf::write(&record)), record);
    for name in ["", "b", "B", "W", "GM", "BO", "P B", "É"] {
        assert!(record.clone().set(name, "").is_err(), "{name}");
    }
}

#[test]
fn faulty_games_are_named_and_the_others_read() {
    let illegal = "move 2, F5, is not legal: the square is taken";
    let centre = START.replace("O*", "-*");
    for (game, column, message) in [
        (
            "GM[Go];)".to_owned(),
            6,
            r#"expected a game of Othello, found "Go""#,
        ),
        ("B[F5]W[F5]PB[(;];)".to_owned(), 10, illegal),
        (
            "W[F4];)".to_owned(),
            5,
            "move 1, F4, is not legal: it is black's turn",
        ),
        (
            "B[F9];)".to_owned(),
            5,
            r#"expected a move (A1 to H8, or PA), found "F9""#,
        ),
        (
            "B[];)".to_owned(),
            5,
            r#"expected a move (A1 to H8, or PA), found """#,
        ),
        (
            "B[F5/x];)".to_owned(),
            5,
            r#"expected a number (as in F5/1.50/0.2), found "x""#,
        ),
        (
            "B[F5//nan];)".to_owned(),
            5,
            r#"expected a number (as in F5/1.50/0.2), found "nan""#,
        ),
        (
            "BO[10 --- *];)".to_owned(),
            6,
            r#"expected a board of 8x8 squares (BO[8 ...]), found "10""#,
        ),
        (
            "BO[8 ---?---- *];)".to_owned(),
            6,
            r#"expected 64 squares (*, O or -) and the side to move, found "?----*" behind 3 squares"#,
        ),
        (
            format!("BO[{START}*];)"),
            6,
            r#"expected 64 squares (*, O or -) and the side to move, found "**" behind 64 squares"#,
        ),
        (
            format!("BO[{centre}];)"),
            6,
            "expected a disc on D4, where every game has one, found an empty square",
        ),
        (
            format!("BO[{START}]BO[{START}];)"),
            78,
            "expected one board (BO), before the first move",
        ),
        (
            format!("B[F5]BO[{START}];)"),
            11,
            "expected one board (BO), before the first move",
        ),
        ("PB;)".to_owned(), 5, "expected '[' and the value of PB"),
        (
            "?".to_owned(),
            3,
            r#"expected a property (as in PB[name]), found "?(;PB[next];"..."#,
        ),
        (
            String::new(),
            3,
            r#"expected a property (as in PB[name]), found "(;PB[next];)..."#,
        ),
    ] {
        let text = format!("\n\u{fffd}\n(;{game}(;PB[next];)");
        let games: Vec<_> = ggf::read(text.as_bytes()).collect();
        assert_eq!(games.len(), 2, "{text}");
        let error = games[0].as_ref().unwrap_err().to_string();
        let expected = format!("3:{column}: game 1: {message}");
        assert!(
            error.starts_with(expected.trim_end_matches(r#""..."#)),
            "{text}: {error}"
        );
        assert_eq!(
            games[1].as_ref().unwrap().record.property("PB"),
            Some("next")
        );
    }
    for (text, message) in [
        (
            "(;",
            "1:3: game 1: expected ')' at the end of the game, found the end of the file",
        ),
        (
            "(;PB[x",
            "1:6: game 1: expected ']' behind the value of PB, found the end of the file",
        ),
        (
            "(;PB[x\\]",
            "1:6: game 1: expected ']' behind the value of PB, found the end of the file",
        ),
    ] {
        let games: Vec<_> = ggf::read(text.as_bytes()).collect();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].as_ref().unwrap_err().to_string(), message);
    }
    for nothing in ["", "f5d6", "(", "( ;PB[x])", ";)"] {
        assert_eq!(ggf::read(nothing.as_bytes()).count(), 0, "{nothing}");
    }
}

#[test]
fn long_lines_take_no_long_time() {
    // Each would take minutes if faults were looked for from the beginning of the line.
    for part in [
        "(;", "(;A", "(;A[", "(;B[F5]", "(;A[]?", "f5", "[", "\\", "(;)",
    ] {
        let text = part.repeat(2_000_000 / part.len());
        for format in Format::ALL {
            let count = notation::read(text.as_bytes(), format).count();
            assert!(count <= text.len() / 2, "{part} {format:?}");
        }
    }
}

#[test]
fn formats_are_told_by_content() {
    for (file, format) in [
        (&b""[..], Format::Transcript),
        (b"f5d6", Format::Transcript),
        (b"----f5", Format::Transcript),
        (b"# (;\r\n\r\n% x\r\nF5 D6", Format::Transcript),
        (b"\xef\xbb\xbf(;GM[Othello]", Format::Ggf),
        (b"2\n(;GM[Othello]", Format::Transcript),
        (b"2 (;GM[Othello]", Format::Ggf),
        (
            b"% (;\n---------------------------OX------XO--------- X",
            Format::Obf,
        ),
        (b"\0\0\0\0", Format::Wthor),
        (b"\x14\x1a\x02\x12", Format::Wthor),
    ] {
        assert_eq!(
            Format::of(file),
            format,
            "{}",
            String::from_utf8_lossy(file)
        );
    }
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let mut rng = Rng::new(1);
    let mut elsewhere = random_play(&mut rng);
    while elsewhere.has_usual_start() {
        elsewhere = random_play(&mut rng);
    }
    assert_eq!(
        transcript::write(&elsewhere),
        Err(Unfit::Start(Format::Transcript))
    );
    assert_eq!(
        transcript::write(&Game::new()),
        Err(Unfit::NoMoves(Format::Transcript))
    );
    let mut database = Database::default();
    let start = database.add(&GameRecord::new(elsewhere));
    assert_eq!(start, Err(Unfit::Start(Format::Wthor)));
    for (result, expected) in [
        ("?", Err(Unfit::NoScore(Format::Wthor))),
        ("+3", Err(Unfit::NoScore(Format::Wthor))),
        ("+66", Err(Unfit::NoScore(Format::Wthor))),
        ("+2.5", Err(Unfit::NoScore(Format::Wthor))),
        ("-64.000:t", Ok(())),
    ] {
        let mut record = GameRecord::new(Game::new());
        record.set("RE", result).unwrap();
        assert_eq!(database.add(&record), expected, "{result}");
    }
    assert_eq!(database.games.len(), 1);
    assert_eq!(database.games[0].black_discs, 0);
}

#[test]
fn a_database_has_one_year_and_one_depth() {
    let mut database = Database::default();
    let mut add = |year: &str, theoretical: Option<&str>| {
        let mut record = GameRecord::new(Game::new());
        record.set("DT", year).unwrap();
        record.set("RE", "+10").unwrap();
        record.set("PW", "#77").unwrap();
        if let Some(theoretical) = theoretical {
            record.set("TS", theoretical).unwrap();
        }
        database.add(&record).unwrap();
        let scores = database.games.iter().map(wthor::Game::theoretical_score);
        (
            database.year,
            database.theoretical_empties,
            scores.collect::<Vec<_>>(),
        )
    };
    assert_eq!(add("2001", Some("24 +2")), (2001, 24, vec![2]));
    assert_eq!(add("2001.03.04", Some("24 -4")), (2001, 24, vec![2, -4]));
    assert_eq!(add("2002", Some("20 +6")), (0, 0, vec![10; 3]));
    assert_eq!(add("2001", Some("24 +2")), (0, 0, vec![10; 4]));
    assert_eq!(add("", None), (0, 0, vec![10; 5]));
    assert!(database.games.iter().all(|game| game.white == 77));
}

#[test]
fn the_databases_of_every_year_are_written_as_they_were() {
    let Some(folder) = common::data::shared("wthor") else {
        return;
    };
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let Ok(database) = Database::read(&bytes) else {
            continue;
        };
        files += 1;
        assert_eq!(database.write().unwrap(), bytes);
        // And through records, but for the day that the file was made.
        let mut again = Database {
            made: database.made,
            ..Database::default()
        };
        for game in database.games.iter().step_by(16) {
            again.add(&database.record(game).unwrap()).unwrap();
        }
        let games: Vec<_> = database.games.iter().step_by(16).cloned().collect();
        assert_eq!(again, Database { games, ..database });
    }
    assert!(files >= 40, "{files}");
}

/// A game with random properties and notes.
fn record(seed: u64, texts: &[String]) -> GameRecord {
    let mut rng = Rng::new(seed);
    let mut record = GameRecord::new(random_play(&mut rng));
    let mut number = |record: &GameRecord| {
        let scale = [1.0, 1e-3, 1e10, 0.0][rng.below(4)];
        let number = (rng.below(2001) as f64 - 1000.0) / 7.0 * scale;
        (rng.below(3) > 0 && !record.game.is_over()).then_some(number)
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
    fn ggf_that_is_written_reads_back(
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

    #[test]
    fn transcripts_that_are_written_read_back(seeds: [u64; 3]) {
        let games = seeds.map(|seed| random_play(&mut Rng::new(seed)));
        let lines: Vec<String> = games.iter().filter_map(|game| transcript::write(game).ok()).collect();
        let read: Vec<Game> = transcript::read(lines.join("\n").as_bytes())
            .map(|game| game.unwrap().game().unwrap())
            .collect();
        let written = games.iter().filter(|game| game.has_usual_start() && game.moves().count() > 0);
        for (read, written) in read.iter().zip(written.clone()) {
            prop_assert!(read.moves().eq(written.moves()));
        }
        prop_assert_eq!(read.len(), written.count());
    }

    #[test]
    fn a_database_that_is_written_reads_back(
        (year, month, day, of, depth) in (0..=25755_u16, any::<u8>(), any::<u8>(), any::<u16>(), any::<u8>()),
        games in prop::collection::vec(
            (any::<[u16; 3]>(), 0..=64_u8, 0..=64_u8, prop::collection::vec(0..64_u8, 0..=60)),
            0..5,
        ),
    ) {
        let games = games.into_iter().map(|([tournament, black, white], discs, theoretical, moves)| {
            wthor::Game {
                tournament,
                black,
                white,
                black_discs: discs,
                theoretical_black_discs: theoretical,
                moves: moves.into_iter().filter_map(Square::new).collect(),
            }
        });
        let database = Database {
            made: Date { year, month, day },
            year: of,
            theoretical_empties: depth,
            games: games.collect(),
        };
        prop_assert_eq!(Database::read(&database.write().unwrap()).unwrap(), database);
    }

    #[test]
    fn any_bytes_are_entries_or_errors(bytes: Vec<u8>) {
        check_all(&bytes)?;
    }

    #[test]
    fn any_text_of_the_formats_characters_is_entries_or_errors(
        text in r"(\(;|;\)|GM\[Othello\]|B\[F5|W\[|BO\[8|[-*OX \[\]()\\;:/BWPA1-8a-h.\n\r%#é\x00]){0,60}"
    ) {
        check_all(text.as_bytes())?;
    }

    #[test]
    fn a_damaged_game_is_entries_or_errors(seed: u64, at: prop::sample::Index, byte: u8) {
        let mut file = ggf::write(&record(seed, &[])).into_bytes();
        let at = at.index(file.len());
        file[at] = byte;
        check_all(&file)?;
    }
}

/// Whatever the format is said to be, there are entries and errors on lines that the file has, and each
/// entry is possible.
fn check_all(file: &[u8]) -> Result<(), TestCaseError> {
    let lines = file.split(|&byte| byte == b'\n').count();
    for format in Format::ALL {
        for entry in notation::read(file, format) {
            match entry {
                Ok(entry) => {
                    if let notation::Place::Line(line) = entry.place {
                        prop_assert!((1..=lines).contains(&line));
                    }
                    let board = match entry.contents {
                        Contents::Position(problem) => problem.board,
                        Contents::Game(record) => record.game.board(),
                    };
                    prop_assert_eq!(board.player & board.opponent, 0);
                }
                Err(error) => {
                    let told = error.of_file("file");
                    prop_assert!(
                        told.starts_with("file:") && !told.contains('\n'),
                        "{}",
                        told
                    );
                }
            }
        }
    }
    Ok(())
}

#[test]
fn boards_are_read_with_their_side() {
    let squares = Board::START.to_string();
    assert_eq!(format!("  {squares}\tw ").parse(), Ok(Board::START.pass()));
    for (text, expected) in [
        ("".to_owned(), "expected 64 squares (X, O or -), found 0"),
        (
            format!("{squares}- X"),
            "expected 64 squares (X, O or -), found 65",
        ),
        (
            format!("{}? X", &squares[..63]),
            "expected 64 squares (X, O or -), found 63",
        ),
        (
            format!("{squares} -"),
            "expected the side to move (X or O) behind the squares, found \"-\"",
        ),
        (
            format!("{squares} X O"),
            "expected the side to move (X or O) behind the squares, found \"X O\"",
        ),
    ] {
        assert_eq!(text.parse::<Board>().unwrap_err().to_string(), expected);
    }
    assert_eq!(Side::Black.black_first(Board::START), Board::START);
}
