//! `outflank convert`: conversions between all formats, and games that do not fit.

use std::fs;
use std::path::Path;

use crate::common::program::{OutputChecks, cli};
use outflank::Square;
use outflank::notation::wthor::Database;
use outflank::notation::{ggf, obf};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{database, random_game};

/// Converts standard input.
fn convert(arguments: &str, input: impl AsRef<[u8]>) -> Run {
    run(&mut cli(&format!("convert - {arguments}")), input.as_ref())
}

/// Converts a file with `arguments` as in `--to obf --every`.
fn convert_file(file: &Path, arguments: &str) -> Run {
    run(cli("convert").arg(file).args(arguments.split(' ')), b"")
}

/// The moves of finished random games, a line each.
fn transcripts(seed: u64, count: usize) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut text = String::new();
    for _ in 0..count {
        for pair in random_game(&mut rng).windows(2) {
            let placed = pair[0].empties() & !pair[1].empties();
            text.extend(Square::all_in(placed).map(|square| format!("{square:#}")));
        }
        text.push('\n');
    }
    text
}

#[test]
fn games_survive_all_formats() {
    let folder = Folder::new();
    let text = transcripts(1, 30);
    let games = folder.file("games.txt", &text);
    let [first, second, third] = ["a.ggf", "b.wtb", "c.ggf"].map(|name| folder.path(name));
    let mut from = games.clone();
    for (to, format) in [(&first, "ggf"), (&second, "wthor"), (&third, "ggf")] {
        let run = convert_file(&from, &format!("--to {format} --out {}", to.display())).expect(0);
        assert_eq!(run.stdout, "");
        assert_eq!(run.stderr, format!("{}: 30 written\n", to.display()));
        from = to.clone();
    }
    let run = convert_file(&third, "--to transcript").expect(0);
    assert_eq!(run.stdout, text);
    assert_eq!(
        run.stderr,
        "30 written, 30 games lose properties that the format cannot hold\n"
    );

    // All formats have the same final scores.
    let file = fs::read(&first).unwrap();
    let scores: Vec<_> = ggf::read(&file)
        .map(|game| game.unwrap().record)
        .inspect(|record| assert_eq!(record.property("TY"), Some("8")))
        .map(|record| record.game.score().unwrap())
        .collect();
    let database = Database::read(&fs::read(&second).unwrap()).unwrap();
    let stored: Vec<_> = database.games.iter().map(|game| game.score()).collect();
    assert_eq!(stored, scores);
    let finals = convert_file(&third, "--to obf").expect(0).stdout;
    let finals: Vec<_> = obf::read(finals.as_bytes()).map(Result::unwrap).collect();
    let scored = finals
        .iter()
        .map(|problem| problem.side.black_score(problem.score.unwrap()));
    assert_eq!(scored.collect::<Vec<_>>(), scores);
}

#[test]
fn every_position_of_a_game_is_converted() {
    let folder = Folder::new();
    let games = folder.file("games.txt", transcripts(2, 3));
    let every = convert_file(&games, "--to obf --every").expect(0).stdout;
    let every: Vec<_> = obf::read(every.as_bytes()).map(Result::unwrap).collect();
    assert!(every.len() > 150);
    let mut empties = 0;
    for problem in &every {
        let next = problem.board.empty_count();
        assert!(next + 1 == empties || next == 60, "{problem}");
        assert!(!problem.board.must_pass());
        empties = next;
    }
    let some = convert_file(&games, "--to obf --empties 20")
        .expect(0)
        .stdout;
    let expected: String = every
        .iter()
        .filter(|problem| problem.board.empty_count() == 20)
        .map(|problem| format!("{problem}\n"))
        .collect();
    assert_eq!(some, expected);
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
    let text = transcripts(5, 1);
    let mut games = outflank::notation::transcript::read(text.as_bytes());
    let game = games.next().unwrap().unwrap().record.game;
    let moves: Vec<Square> = game.moves().collect();
    let byte = |square: &Square| (10 * (square.index() / 8) + square.index() % 8 + 11) as u8;
    let moves: Vec<u8> = moves.iter().map(byte).collect();
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
    let game = convert("--to ggf", problem.as_bytes()).expect(0).stdout;
    assert!(game.contains("TS[59 -4]"), "{game}");
    let again = convert("--to obf", game.as_bytes()).expect(0).stdout;
    assert_eq!(again, problem.replace(" F4:+4; D6:-2;", " --:+4;"));
    assert_eq!(
        convert("--to obf", problem.as_bytes()).expect(0).stdout,
        problem
    );
}

#[test]
fn games_that_do_not_fit_are_named_and_counted() {
    let folder = Folder::new();
    let games = "(;GM[Othello]PB[a]RE[+64:r]B[F5];)\n\
         (;BO[8 -O******-------------------**------**--------------------------- O]B[A1];)\n\
         (;B[F5]W[F5];)\n\
         (;PB[Lucky Luke]B[F5/0.5];)\n";
    let file = folder.file("games.ggf", games);
    let name = file.display();
    let start = "has no place for another starting position than the usual one";
    let score = "WTHOR has a score for every game, and this one is not over and has no result in whole discs";
    let malformed = format!("{name}:3:10: game 3: move 2, F5, is not legal: the square is taken");
    let out = folder.path("games.wtb");
    let arguments = format!("--to wthor --out {}", out.display());
    let run_ = convert_file(&file, &arguments).expect(1);
    let expected = format!(
        "{name}:2: left out: WTHOR {start}\n{malformed}\n{name}:4: left out: {score}\n\
         {}: 1 written, 2 left out, 1 malformed, 1 game loses properties that the format cannot hold\n",
        out.display()
    );
    assert_eq!(run_.stderr, expected);
    let database = Database::read(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(database.games.len(), 1);

    let run_ = convert_file(&file, "--to transcript").expect(1);
    assert_eq!(run_.stdout, "f5\nf5\n");
    let expected = format!(
        "{name}:2: left out: a transcript {start}\n{malformed}\n\
         2 written, 1 left out, 1 malformed, 2 games lose properties that the format cannot hold\n"
    );
    assert_eq!(run_.stderr, expected);

    // If there is nothing to write, an older file stays.
    let before = fs::read(&out).unwrap();
    let problem = b"---------------------------OX------XXX-------------------------- O;";
    let out = out.display().to_string();
    let run_ = convert(&format!("--to wthor --force --out {out}"), problem).expect(1);
    let expected = "standard input:1: left out: WTHOR has no place for a position without a game\n\
                    nothing written, 1 left out\n";
    assert_eq!(run_.stderr, expected);
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn files_of_all_formats_are_joined() {
    let folder = Folder::new();
    let text = folder.file("a.txt", "f5d6\n");
    let games = folder.file("b.ggf", "(;B[F5]W[F4];)");
    let problems = folder.file(
        "c.obf",
        "---------------------------OX------XO--------------------------- X;",
    );
    let missing = folder.path("missing");
    let mut command = cli("convert --to obf");
    let run = run(command.args([&text, &games, &missing, &problems]), b"").expect(1);
    assert_eq!(run.stdout.lines().count(), 3);
    let complaint = format!("outflank: {}: No such file", missing.display());
    run.stderr_starts(&complaint);
    assert!(
        run.stderr.ends_with("3 written, 1 file not usable\n"),
        "{run:?}"
    );
}

#[test]
fn bad_input_is_one_line_and_status_1() {
    let noise: Vec<u8> = (0..1 << 20)
        .map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
    let none = "outflank: standard input: neither games nor positions in it\n0 written, 1 file not usable\n";
    for (from, input, expected) in [
        ("", &b""[..], none),
        ("", b"\n\n# nothing\n", none),
        (
            "--from ggf",
            b"f5d6",
            "outflank: standard input: expected GGF, as --from says, but it looks like a transcript\n\
             0 written, 1 file not usable\n",
        ),
        (
            "",
            &noise,
            "outflank: standard input: expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but it begins",
        ),
        (
            "",
            &database(2000, &[&[56]])[..80],
            "standard input: not WTHOR: expected ",
        ),
        (
            "--from wthor",
            b"f5",
            "outflank: standard input: expected WTHOR, as --from says, but it looks like a transcript\n",
        ),
        (
            "--from obf",
            b"f5",
            "outflank: standard input: expected OBF, as --from says, but it looks like a transcript\n",
        ),
        (
            "",
            b"f5g9\n",
            "standard input:1:3: expected a move (A1 to H8, or PS), found \"g9\"\n",
        ),
        ("", b"f5\xff\n", "standard input:1:3: expected a move"),
        (
            "",
            b"f5d6f5",
            "standard input:1: move 3, F5, is not legal: the square is taken\n",
        ),
        (
            "",
            b"(;GM[Othello]B[F5",
            "standard input:1:16: game 1: expected ']' behind the value of B, found the end of the file\n",
        ),
    ] {
        let run = convert(&format!("--to ggf {from}"), input).expect(1);
        run.stderr_starts(expected);
        assert_eq!((run.stderr.lines().count(), run.stdout.as_str()), (2, ""));
    }
}

#[test]
fn long_lines_are_read() {
    let game = "(;GM[Othello]PB[x]B[F5/1.5/0.1]W[D6];)";
    let line = game.repeat((2 << 20) / game.len());
    let run_ = convert("--to transcript", line.as_bytes()).expect(0);
    assert_eq!(run_.stdout.lines().count(), line.len() / game.len());
    let text = format!("(;PC[{}]B[F5];)", "x".repeat(4 << 20));
    let run_ = convert("--to ggf", text.as_bytes()).expect(0);
    assert!(run_.stdout.len() > 4 << 20);
}

#[test]
fn impossible_requests_are_reported() {
    for (arguments, expected) in [
        (
            "- --to ggf --every",
            "--every, --empties and --move choose positions, so they need --to obf",
        ),
        (
            "- --to wthor --empties 9",
            "--every, --empties and --move choose positions, so they need --to obf",
        ),
        (
            "- --to obf --empties 61",
            "expected a whole number from 0 to 60",
        ),
        ("- --to obf --empties 9 --every", "cannot be used with"),
        ("- --to obf --move 9 --every", "cannot be used with"),
        (
            "- --to sgf",
            "[possible values: obf, ggf, wthor, transcript]",
        ),
        ("-", "--to <FORMAT>"),
        ("--to obf", "<IN>..."),
    ] {
        let run = run(&mut cli(&format!("convert {arguments}")), b"f5").expect(2);
        run.stderr_has(expected);
    }
    let run = convert("--to ggf --out /nowhere/a.ggf", b"f5").expect(1);
    run.stderr_has("cannot write /nowhere/a.ggf");
}
