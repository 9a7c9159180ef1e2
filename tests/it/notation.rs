//! Transcripts, WTHOR, boards and detection: written files read back, unsupported games are errors, and no input panics.

use outflank::notation::wthor::{Database, Date, WthorGame};
use outflank::notation::{
    self, Contents, Format, FormatError, GameRecord, UnsupportedGame, ggf, transcript,
};
use outflank::{Board, Game, Side, Square};
use outflank_random::SplitMix64;
use outflank_testing::data::{database, random_play};
use proptest::prelude::*;

#[test]
fn long_lines_are_read_in_linear_time() {
    // With a search from the start of the line for each fault, the test would take minutes.
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
fn formats_are_detected_from_contents() {
    use Format::{Ggf, Obf, OthelloQuest, Sgf, Transcript, Wthor};
    for (file, format) in [
        (&b"f5d6"[..], Transcript),
        (b"\n  d6 and more", Transcript),
        (b"{ best } f5 d6", Transcript),
        (b"2010-11-01 10:10 cup\nf5d6", Transcript),
        (b"----------\nf5d6", Transcript),
        (b"[Event \"Open #3\"]\n\nf5 d6", Transcript),
        (b"PS\n", Transcript),
        (b"----f5", Transcript),
        (b"# (;\r\n\r\n% x\r\nF5 D6", Transcript),
        (b"\xef\xbb\xbf(;GM[Othello]", Ggf),
        (b"2\n(;GM[Othello]", Ggf),
        (b"f5d6\n2\n3\n4\n5\n6\n7\n8\n(;", Transcript),
        (b"2 (;GM[Othello]", Ggf),
        (b"(;FF[4]GM[2]AP[edax]", Sgf),
        (b"(;PB[a]GM[2]", Sgf),
        (b"[Event \"?\"]\n[Site \"edax\"]\n\n1. f5 d6", Transcript),
        (b"{\"args\": []}", OthelloQuest),
        (b"  a b c d e f g h\n1 . . X O . O . .", Obf),
        (b"- - X X X X X - - O O O", Obf),
        (
            b"% (;\n---------------------------OX------XO--------- X",
            Obf,
        ),
        (
            b"hello\n---------------------------OX------XO--------------------------- X",
            Obf,
        ),
        (
            b"---------------------------OX------XO--------------------------- X % (;",
            Obf,
        ),
        // A stray control character does not make a text binary.
        (b"(;GM[Othello]PB[a\x01b]B[F5];)", Ggf),
        (b"f5d6\0\n", Transcript),
        (b"f5d6 % \x83I\x83Z\x83\x8d in Shift JIS", Transcript),
        (&database(2001, &[&[56, 64], &[56]]), Wthor),
        (&database(2001, &[]), Wthor),
        // Truncated.
        (&database(2001, &[&[56, 64], &[56]])[..99], Wthor),
    ] {
        let text = String::from_utf8_lossy(file);
        assert_eq!(Format::detect(file), Ok(format), "{text}");
    }
    for empty in ["", " \r\n\n", "% (;\n# f5d6\n", "\u{feff}"] {
        assert_eq!(Format::detect(empty.as_bytes()), Err(FormatError::Empty));
    }
    let mut names = vec![20, 26, 1, 31, 0, 0, 0, 0, 1, 0, 0, 0];
    names.resize(16 + 20, 0);
    for (file, reason) in [
        (&b"\0\0\0"[..], "it begins with the bytes [00, 00, 00]"),
        (b"\x89PNG\r\n\x1a\n", "it is a PNG image"),
        (b"\x1f\x8b\x08", "it is compressed by gzip: unpack it first"),
        (
            b"\xff\xfef\x005\0",
            "it is text in UTF-16: save it as UTF-8",
        ),
        (b"DICUORAGE\x03", "it is an opening book of Egaroucid's"),
        (b"\n<svg>\n", "it looks like text, \"<svg>\""),
        (b"Path of f5d6", "it looks like text, \"Path of f5d6\""),
        (
            &names,
            "it is a list of WTHOR's names, which is read along with the games beside it",
        ),
    ] {
        let error = Format::detect(file).unwrap_err().to_string();
        let expected =
            "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but ";
        assert_eq!(error, format!("{expected}{reason}"));
    }
}

#[test]
fn unsupported_games_are_errors() {
    let mut rng = SplitMix64::new(1);
    let mut elsewhere = random_play(&mut rng);
    while elsewhere.has_usual_start() {
        elsewhere = random_play(&mut rng);
    }
    let start = UnsupportedGame::Start(Format::Transcript);
    assert_eq!(transcript::write(&elsewhere), Err(start));
    let no_moves = UnsupportedGame::NoMoves(Format::Transcript);
    assert_eq!(transcript::write(&Game::new()), Err(no_moves));
    let mut database = Database::default();
    let start = database.add(&GameRecord::new(elsewhere));
    assert_eq!(start, Err(UnsupportedGame::Start(Format::Wthor)));
    let no_score = Err(UnsupportedGame::NoScore(Format::Wthor));
    for (result, expected) in [
        ("?", no_score),
        ("+3", no_score),
        ("+66", no_score),
        ("+2.5", no_score),
        ("-64.000:t", Ok(())),
    ] {
        let mut record = GameRecord::default();
        record.set("RE", result).unwrap();
        assert_eq!(database.add(&record), expected, "{result}");
    }
    assert_eq!(database.games.len(), 1);
    assert_eq!(database.games[0].black_discs, 0);
}

#[test]
fn a_database_has_one_year_and_one_number_of_empties() {
    let mut database = Database::default();
    let mut add = |year: &str, theoretical: Option<&str>| {
        let mut record = GameRecord::default();
        record.set("DT", year).unwrap();
        record.set("RE", "+10").unwrap();
        record.set("PW", "#77").unwrap();
        if let Some(theoretical) = theoretical {
            record.set("TS", theoretical).unwrap();
        }
        database.add(&record).unwrap();
        let games = database.games.iter();
        let scores: Vec<i32> = games.map(WthorGame::theoretical_score).collect();
        (database.year, database.theoretical_empties, scores)
    };
    assert_eq!(add("2001", Some("24 +2")), (2001, 24, vec![2]));
    assert_eq!(add("2001.03.04", Some("24 -4")), (2001, 24, vec![2, -4]));
    assert_eq!(add("2002", Some("20 +6")), (0, 0, vec![10; 3]));
    assert_eq!(add("2001", Some("24 +2")), (0, 0, vec![10; 4]));
    assert_eq!(add("", None), (0, 0, vec![10; 5]));
    assert!(database.games.iter().all(|game| game.white == 77));
}

#[test]
fn databases_of_every_year_are_written_unchanged() {
    let Some(folder) = outflank_testing::data::shared("wthor") else {
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
        // Records keep all data of a file except its date.
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

proptest! {
    #[test]
    fn written_transcripts_read_back(seeds: [u64; 3]) {
        let games = seeds.map(|seed| random_play(&mut SplitMix64::new(seed)));
        let lines: Vec<String> = games.iter().filter_map(|game| transcript::write(game).ok()).collect();
        let read: Vec<Game> = transcript::read(lines.join("\n").as_bytes())
            .map(|game| game.unwrap().record.game)
            .collect();
        let written = games.iter().filter(|game| game.has_usual_start() && game.moves().count() > 0);
        for (read, written) in read.iter().zip(written.clone()) {
            prop_assert!(read.moves().eq(written.moves()));
        }
        prop_assert_eq!(read.len(), written.count());
    }

    #[test]
    fn written_databases_read_back(
        (year, month, day, of, depth) in (0..=25755_u16, any::<u8>(), any::<u8>(), any::<u16>(), any::<u8>()),
        games in prop::collection::vec(
            (any::<[u16; 3]>(), 0..=64_u8, 0..=64_u8, prop::collection::vec(0..64_u8, 0..=60)),
            0..5,
        ),
    ) {
        let games = games.into_iter().map(|([tournament, black, white], discs, theoretical, moves)| {
            WthorGame {
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
        let mut file = ggf::write(&GameRecord::new(random_play(&mut SplitMix64::new(seed)))).into_bytes();
        let at = at.index(file.len());
        file[at] = byte;
        check_all(&file)?;
    }
}

/// Reads a file in every format. Checks that entries are valid and lie on lines of the file, and that errors are one
/// line.
fn check_all(file: &[u8]) -> Result<(), TestCaseError> {
    let lines = file.split(|&byte| byte == b'\n').count();
    for format in Format::ALL {
        for entry in notation::read(file, format) {
            match entry {
                Ok(entry) => {
                    if let notation::Location::Line(line) = entry.location {
                        prop_assert!((1..=lines).contains(&line));
                    }
                    let board = match entry.contents {
                        Contents::Position(problem) => problem.board,
                        Contents::Game(record) => record.game.board(),
                    };
                    prop_assert_eq!(board.player & board.opponent, 0);
                }
                Err(error) => {
                    let message = error.in_file("file");
                    let is_line = message.starts_with("file:") && !message.contains('\n');
                    prop_assert!(is_line, "{}", message);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn boards_are_parsed_with_their_side() {
    let squares = Board::START.to_string();
    assert_eq!(format!("  {squares}\tw ").parse(), Ok(Board::START.pass()));
    let count = "expected 64 squares (X, O or -), found";
    let side = "expected the side to move (X or O) behind the squares, found";
    for (text, expected) in [
        (String::new(), format!("{count} 0")),
        (format!("{squares}- X"), format!("{count} 65")),
        (format!("{}? X", &squares[..63]), format!("{count} 63")),
        (format!("{squares} -"), format!("{side} \"-\"")),
        (format!("{squares} X O"), format!("{side} \"X O\"")),
    ] {
        assert_eq!(text.parse::<Board>().unwrap_err().to_string(), expected);
    }
    assert_eq!(Side::Black.black_first(Board::START), Board::START);
}
