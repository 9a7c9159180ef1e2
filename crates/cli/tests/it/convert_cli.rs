//! `outflank convert`: conversions between all formats, and games that do not fit.

use std::fs;

use crate::common::program::{NO_SUCH_FILE, OutputChecks, cli, run_in};
use outflank::Square;
use outflank::notation::wthor::Database;
use outflank::notation::{ggf, obf};
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{database, game, transcript};

/// Converts standard input.
fn convert(arguments: &str, input: impl AsRef<[u8]>) -> Run {
    run(&mut cli(&format!("convert - {arguments}")), input.as_ref())
}

/// The moves of finished random games, a line each.
fn transcripts(count: u64) -> String {
    let games = (0..count).map(game);
    games.map(|game| transcript(&game) + "\n").collect()
}

#[test]
fn games_survive_all_formats() {
    let folder = Folder::new();
    let text = transcripts(30);
    folder.file("games.txt", &text);
    for (from, to, format) in [
        ("games.txt", "a.ggf", "ggf"),
        ("a.ggf", "b.wtb", "wthor"),
        ("b.wtb", "c.ggf", "ggf"),
    ] {
        let line = format!("convert {from} --to {format} --out {to}");
        let run = run_in(&folder, &line, 0);
        let outputs = (run.stdout.as_str(), run.stderr);
        assert_eq!(outputs, ("", format!("{to}: 30 written\n")));
    }
    let run = run_in(&folder, "convert c.ggf --to transcript", 0);
    assert_eq!(run.stdout, text);
    let lost = "30 written, 30 games lose properties that the format cannot hold\n";
    assert_eq!(run.stderr, lost);

    // All formats have the same final scores.
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let file = read("a.ggf");
    let scores: Vec<_> = ggf::read(&file)
        .map(|game| game.unwrap().record)
        .inspect(|record| assert_eq!(record.property("TY"), Some("8")))
        .map(|record| record.game.score().unwrap())
        .collect();
    let database = Database::read(&read("b.wtb")).unwrap();
    let stored: Vec<_> = database.games.iter().map(|game| game.score()).collect();
    assert_eq!(stored, scores);
    let finals = run_in(&folder, "convert c.ggf --to obf", 0).stdout;
    let score = |problem: obf::Problem| problem.side.black_score(problem.score.unwrap());
    let scored = obf::read(finals.as_bytes()).map(|problem| score(problem.unwrap()));
    assert_eq!(scored.collect::<Vec<_>>(), scores);
}

#[test]
fn every_position_of_a_game_is_converted() {
    let folder = Folder::new();
    folder.file("games.txt", transcripts(3));
    let every = run_in(&folder, "convert games.txt --to obf --every", 0).stdout;
    let every: Vec<_> = obf::read(every.as_bytes()).map(Result::unwrap).collect();
    assert!(every.len() > 150);
    let mut empties = 0;
    for problem in &every {
        let next = problem.board.empty_count();
        assert!(next + 1 == empties || next == 60, "{problem}");
        assert!(!problem.board.must_pass());
        empties = next;
    }
    let some = run_in(&folder, "convert games.txt --to obf --empties 20", 0);
    let mut expected = every;
    expected.retain(|problem| problem.board.empty_count() == 20);
    let expected: String = expected
        .iter()
        .map(|problem| format!("{problem}\n"))
        .collect();
    assert_eq!(some.stdout, expected);
    let opening = convert("--to obf", b"f5d6c3d3").expect(0);
    let line = "------------------XO-------OX------OXX-----O-------------------- X;\n";
    assert_eq!(opening.stdout, line);
    let none = convert("--to obf --empties 9", b"f5d6").expect(0);
    let summary = "0 written, 1 without such a position\n";
    assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", summary));
}

#[test]
fn scores_survive_all_formats() {
    // The helper `database` writes 32 discs for black, a draw, as the result and as the theoretical score with 24 empty
    // squares.
    let byte = |square: Square| (10 * (square.index() / 8) + square.index() % 8 + 11) as u8;
    let moves: Vec<u8> = game(5).moves().map(byte).collect();
    let bytes = database(1999, &[&moves[..40]]);
    let scored = convert("--to obf --empties 24", &bytes).expect(0).stdout;
    assert!(scored.ends_with("; --:+0;\n"), "{scored}");
    let games = convert("--to ggf", &bytes).expect(0).stdout;
    for property in ["DT[1999]", "PC[#0]", "RE[+0]", "TS[24 +0]"] {
        assert!(games.contains(property), "{games}");
    }
    // Conversion back restores all bytes after the date of the file.
    let folder = Folder::new();
    let back = folder.path("back.wtb");
    let out = back.display().to_string();
    convert(&format!("--to wthor --out {out}"), games).expect(0);
    assert_eq!(fs::read(&back).unwrap()[4..], bytes[4..]);
    // A problem keeps its best score.
    let problem =
        "---------------------------OX------XXX-------------------------- O; F4:+4; D6:-2;\n";
    let game = convert("--to ggf", problem).expect(0).stdout;
    assert!(game.contains("TS[59 -4]"), "{game}");
    let again = convert("--to obf", game).expect(0).stdout;
    assert_eq!(again, problem.replace(" F4:+4; D6:-2;", " --:+4;"));
    let same = convert("--to obf", problem).expect(0).stdout;
    assert_eq!(same, problem);
}

#[test]
fn games_that_do_not_fit_are_named_and_counted() {
    let folder = Folder::new();
    let games = "(;GM[Othello]PB[a]RE[+64:r]B[F5];)\n\
         (;BO[8 -O******-------------------**------**--------------------------- O]B[A1];)\n\
         (;B[F5]W[F5];)\n\
         (;PB[Lucky Luke]B[F5/0.5];)\n";
    folder.file("games.ggf", games);
    let start = "has no place for another starting position than the usual one";
    let score = "WTHOR has a score for every game, and this one is not over and has no result in whole discs";
    let malformed = "games.ggf:3:10: game 3: move 2, F5, is not legal: the square is taken";
    let wthor = run_in(&folder, "convert games.ggf --to wthor --out a.wtb", 1);
    let expected = format!(
        "games.ggf:2: left out: WTHOR {start}\n{malformed}\ngames.ggf:4: left out: {score}\n\
         a.wtb: 1 written, 2 left out, 1 malformed, 1 game loses properties that the format cannot hold\n"
    );
    assert_eq!(wthor.stderr, expected);
    let before = fs::read(folder.path("a.wtb")).unwrap();
    assert_eq!(Database::read(&before).unwrap().games.len(), 1);

    let transcript = run_in(&folder, "convert games.ggf --to transcript", 1);
    assert_eq!(transcript.stdout, "f5\nf5\n");
    let expected = format!(
        "games.ggf:2: left out: a transcript {start}\n{malformed}\n\
         2 written, 1 left out, 1 malformed, 2 games lose properties that the format cannot hold\n"
    );
    assert_eq!(transcript.stderr, expected);

    // If there is nothing to write, an older file stays.
    let problem = "---------------------------OX------XXX-------------------------- O;";
    folder.file("a.obf", problem);
    let nothing = run_in(&folder, "convert a.obf --to wthor --force --out a.wtb", 1);
    let expected = "a.obf:1: left out: WTHOR has no place for a position without a game\n\
                    nothing written, 1 left out\n";
    assert_eq!(nothing.stderr, expected);
    assert_eq!(fs::read(folder.path("a.wtb")).unwrap(), before);
}

#[test]
fn files_of_all_formats_are_joined() {
    let folder = Folder::new();
    folder.file("a.txt", "f5d6\n");
    folder.file("b.ggf", "(;B[F5]W[F4];)");
    folder.file("c.obf", format!("{} X;", outflank::Board::START));
    let run = run_in(&folder, "convert --to obf a.txt b.ggf missing c.obf", 1);
    assert_eq!(run.stdout.lines().count(), 3);
    run.stderr_starts("outflank: missing: ")
        .stderr_has(NO_SUCH_FILE);
    run.stderr_has("3 written, 1 file not usable\n");
}

/// Two lines: the fault, and the summary.
#[test]
fn bad_input_is_reported_with_status_1() {
    let noise = |index: u32| (index.wrapping_mul(2_654_435_761) >> 23) as u8;
    let noise: Vec<u8> = (0..1 << 20).map(noise).collect();
    let cut_database = &database(2000, &[&[56]])[..80];
    let empty = "outflank: standard input: neither games nor positions in it\n";
    let foreign = "outflank: standard input: expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), \
                   but it begins";
    let cut_game = "standard input:1:16: game 1: expected ']' behind the value of B, found the end of the file\n";
    for (input, expected, summary) in [
        (&b""[..], empty, "0 written, 1 file not usable\n"),
        (b"\n\n# nothing\n", empty, "0 written, 1 file not usable\n"),
        (&noise, foreign, ""),
        (cut_database, "standard input: not WTHOR: expected ", ""),
        (
            b"f5g9\n",
            "standard input:1:3: expected a move (A1 to H8, or PS), found \"g9\"\n",
            "",
        ),
        (b"f5\xff\n", "standard input:1:3: expected a move", ""),
        (
            b"f5d6f5",
            "standard input:1: move 3, F5, is not legal: the square is taken\n",
            "",
        ),
        (b"(;GM[Othello]B[F5", cut_game, ""),
    ] {
        let run = convert("--to ggf", input).expect(1);
        run.stderr_starts(format!("{expected}{summary}"));
        assert_eq!((run.stderr.lines().count(), run.stdout.as_str()), (2, ""));
    }
    for (from, name) in [("ggf", "GGF"), ("wthor", "WTHOR"), ("obf", "OBF")] {
        let run = convert(&format!("--to ggf --from {from}"), b"f5d6").expect(1);
        let fault = format!("expected {name}, as --from says, but it looks like a transcript");
        let expected = format!("outflank: standard input: {fault}\n0 written, 1 file not usable\n");
        assert_eq!((run.stdout, run.stderr), (String::new(), expected));
    }
}

#[test]
fn long_lines_are_read() {
    let game = "(;GM[Othello]PB[x]B[F5/1.5/0.1]W[D6];)";
    let line = game.repeat((2 << 20) / game.len());
    let moves = convert("--to transcript", &line).expect(0).stdout;
    assert_eq!(moves.lines().count(), line.len() / game.len());
    let text = format!("(;PC[{}]B[F5];)", "x".repeat(4 << 20));
    let converted = convert("--to ggf", text).expect(0).stdout;
    assert!(converted.len() > 4 << 20);
}
