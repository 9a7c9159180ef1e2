//! Unreadable input files. All commands report them in the same words.

use crate::common::dialogue::ggf;
use crate::common::program::{OutputChecks, run_in};
use outflank::Board;
use outflank::eval::ByteOrder;
use outflank_testing::command::Folder;
use outflank_testing::data::database;
use outflank_testing::models::random_linear;
use std::fs;

const EXPECTS_GAMES: &str =
    "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but ";
const EXPECTS_RECORDS: &str = "expected records, positions (OBF) or games (GGF, SGF, WTHOR, transcripts, Othello Quest), but ";

/// Beginning of a file that has no games.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// Commands that read positions or games, with the beginning of their message about other files.
const READERS: [(&str, &str); 9] = [
    ("solve --hash 1", EXPECTS_GAMES),
    ("analyze --hash 1", EXPECTS_GAMES),
    ("convert --to obf", EXPECTS_GAMES),
    ("play --hash 1 --start", EXPECTS_GAMES),
    ("match absent absent --openings", EXPECTS_GAMES),
    ("train generate new.records --from", EXPECTS_GAMES),
    ("train fit --out new.weights", EXPECTS_RECORDS),
    ("train score", EXPECTS_RECORDS),
    ("train fit --out w games.obf --exclude", EXPECTS_RECORDS),
];

/// A folder with the file `games.obf`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    folder
}

#[test]
fn files_of_other_kinds_are_named_by_every_command() {
    let folder = folder();
    let weights = random_linear(1, [20], 100);
    let edax = weights.to_edax(ByteOrder::Little).expect("it is linear");
    let noise: Vec<u8> = (0..1000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
    let weights_hint = "it has weights, which `outflank weights info` shows";
    let edax_hint = "it is an eval.dat of Edax's, which `outflank weights import` reads";
    let text = b"Dear reader,\nthese are no moves.\n".to_vec();
    let gzip = "it is compressed by gzip: unpack it first";
    let utf_16 = "it is text in UTF-16: save it as UTF-8";
    let kinds = [
        (PNG.to_vec(), "it is a PNG image"),
        (b"\x1f\x8b\x08\0".to_vec(), gzip),
        (b"\xff\xfeF\x005\0".to_vec(), utf_16),
        (text, "it looks like text, \"Dear reader,\""),
        (noise, "it begins with the bytes ["),
        (edax, edax_hint),
        (weights.write(), weights_hint),
    ];
    for (contents, detected) in kinds {
        folder.file("other", contents);
        for (words, expected) in READERS {
            let run = run_in(&folder, &format!("{words} other"), 1);
            run.stderr_has(format!("outflank: other: {expected}{detected}"));
            let mentions = run.stderr.lines().filter(|line| line.contains("other"));
            assert_eq!(mentions.count(), 1, "{words}: {run:?}");
        }
    }
    // Commands that do not read records refuse a file of records.
    folder.file("other", b"\xbaoutrec\n");
    for (words, _) in &READERS[..6] {
        let run = run_in(&folder, &format!("{words} other"), 1);
        let message =
            format!("{EXPECTS_GAMES}it has records, which `outflank train fit` makes weights of");
        run.stderr_has(&message);
    }
}

#[test]
fn empty_files_are_reported_by_every_command() {
    let folder = folder();
    let nothing = database(2000, &[]);
    for contents in [&b""[..], b"\r\n  \n", b"% a comment\n# another\n", &nothing] {
        folder.file("empty", contents);
        for (words, _) in READERS {
            // For the commands of `train` a database without games is not an empty file.
            if contents == nothing && words.starts_with("train") {
                continue;
            }
            let run = run_in(&folder, &format!("{words} empty"), 1);
            let message = "outflank: empty: neither games nor positions in it";
            let lines = run.stderr.lines().filter(|line| *line == message);
            assert_eq!(lines.count(), 1, "{words}: {run:?}");
        }
    }
}

#[test]
fn files_over_the_size_limit_are_refused_by_every_command() {
    let folder = folder();
    let file = folder.file("large", "f5d6\n");
    // The file is sparse.
    let large = fs::OpenOptions::new().write(true).open(&file).unwrap();
    large.set_len((1 << 30) + 1).unwrap();
    for (words, _) in &READERS[..6] {
        let run = run_in(&folder, &format!("{words} large"), 1);
        run.stderr_has("larger than 1024 MiB, the limit of a file of games or positions");
    }
}

#[test]
fn files_in_another_format_than_from_says_are_reported() {
    let folder = Folder::new();
    let position = format!("{} X;\n", Board::START);
    let ggf = "(;GM[Othello]PB[a]PW[b]B[F5]W[D6];)\n";
    let transcripts = "f5d6\n".repeat(100).into();
    for (file, contents, detected) in [
        ("a.txt", transcripts, "it looks like a transcript"),
        ("a.obf", position.repeat(100).into(), "it looks like OBF"),
        ("a.ggf", ggf.into(), "it looks like GGF"),
        ("a.wtb", database(2000, &[&[56, 64]]), "it looks like WTHOR"),
        ("a.png", PNG.to_vec(), "it is a PNG image"),
    ] {
        folder.file(file, contents);
        for (format, name) in [
            ("transcript", "a transcript"),
            ("obf", "OBF"),
            ("ggf", "GGF"),
            ("wthor", "WTHOR"),
        ] {
            let words = format!("solve --hash 1 --depth 1 --from {format} {file}");
            if detected.ends_with(name) {
                run_in(&folder, &words, 0);
                continue;
            }
            let message = format!("{file}: expected {name}, as --from says, but {detected}");
            let run = run_in(&folder, &words, 1);
            assert_eq!(run.stderr, format!("outflank: {message}\n"), "{words}");
        }
    }
    // A single entry of the format suffices.
    folder.file("mixed", format!("{position}f5d6\n"));
    // Without `--from`, moves after a position are a game from this position.
    let solve = "solve --hash 1 --depth 1 mixed";
    let solved = "0 solved, 1 searched, 0 wrong";
    run_in(&folder, solve, 0).stdout_has(solved);
    let run = run_in(&folder, &format!("{solve} --from transcript"), 1);
    run.stdout_has(format!("{solved}, 1 malformed"));
}

#[test]
fn lists_of_malformed_lines_end_after_ten() {
    let folder = Folder::new();
    folder.file("a.txt", format!("f5d6\n{}", "f5f5\n".repeat(1000)));
    let positions = format!("{} X; --:+0;\n{}", Board::START, "?\n".repeat(1000));
    folder.file("a.obf", positions);
    let elsewhere = ggf("-O******-------------------**------**--------------------------- O");
    folder.file("a.ggf", (elsewhere + "\n").repeat(1000));
    let generate = "train generate new.records --games 1 --depth 1 --from a.txt";
    for (words, status, last) in [
        ("solve --hash 1 --depth 1 a.obf", 1, "malformed lines"),
        ("solve --hash 1 --depth 1 a.txt", 1, "malformed lines"),
        ("analyze --hash 1 --depth 1 a.txt", 1, "malformed lines"),
        ("convert --to ggf a.obf", 1, "malformed lines"),
        ("convert --to transcript a.ggf", 1, "left out"),
        ("train score a.obf", 1, "faults"),
        (generate, 0, "skipped games"),
    ] {
        let run = run_in(&folder, words, status);
        let location = format!("{}:", words.rsplit(' ').next().unwrap());
        let lines = run.stderr.lines();
        let lines: Vec<_> = lines.filter(|line| line.starts_with(&location)).collect();
        assert_eq!(lines.len(), 11, "{words}: {run:?}");
        assert_eq!(lines[10], format!("{location} … and 990 more {last}"));
    }
}

#[test]
fn control_characters_in_names_are_read() {
    let folder = Folder::new();
    folder.file("a.ggf", b"(;GM[Othello]PB[a\x01b]PW[c]B[F5]W[D6];)\n");
    let run = run_in(&folder, "convert --to transcript a.ggf", 0);
    assert_eq!(run.stdout, "f5d6\n");
    let run = run_in(&folder, "solve --hash 1 --depth 1 --json a.ggf", 0);
    assert_eq!(run.json()[0]["name"], "1. a b - c");
    let run = run_in(&folder, "analyze --hash 1 --depth 1 a.ggf", 0);
    run.stdout_has("black a b, white c");
    // The openings can be read, so the error is about the engine.
    let run = run_in(&folder, "match absent absent --openings a.ggf", 2);
    run.stderr_has("\"absent\" cannot be started");
}
