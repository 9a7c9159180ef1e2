//! Unreadable input files. All commands report them in the same words.

use crate::common::program::{OutputChecks, run_on_file};
use outflank::Board;
use outflank::eval::ByteOrder;
use outflank_testing::command::Folder;
use outflank_testing::data::database;
use outflank_testing::models::random_linear;
use std::fs;

const BOTH: &str = "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but ";
const WITH_RECORDS: &str =
    "expected records, positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but ";

/// Commands that read positions or games, with the beginning of their message about other files.
const READERS: [(&str, &str); 9] = [
    ("solve --hash 1", BOTH),
    ("analyze --hash 1", BOTH),
    ("convert --to obf", BOTH),
    ("play --hash 1 --start", BOTH),
    ("match absent absent --openings", BOTH),
    ("train generate new.records --from", BOTH),
    ("train fit --out new.weights", WITH_RECORDS),
    ("train score", WITH_RECORDS),
    (
        "train fit --out new.weights games.obf --exclude",
        WITH_RECORDS,
    ),
];

#[test]
fn files_of_other_kinds_are_named_by_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let weights = random_linear(1, [20], 100);
    let edax = weights.to_edax(ByteOrder::Little).expect("it is linear");
    let noise: Vec<u8> = (0..1000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
    let weights_hint = "it has weights, which `outflank weights info` shows";
    let edax_hint = "it is an eval.dat of Edax's, which `outflank weights import` reads";
    let text = b"Dear reader,\nthese are no moves.\n".to_vec();
    let kinds = [
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
            "it is a PNG image",
        ),
        (
            b"\x1f\x8b\x08\0".to_vec(),
            "it is compressed by gzip: unpack it first",
        ),
        (
            b"\xff\xfeF\x005\0".to_vec(),
            "it is text in UTF-16: save it as UTF-8",
        ),
        (text, "it looks like text, \"Dear reader,\""),
        (noise, "it begins with the bytes ["),
        (edax, edax_hint),
        (weights.write(), weights_hint),
    ];
    for (contents, looks) in kinds {
        let file = folder.file("other", contents);
        for (words, expected) in READERS {
            let run = run_on_file(words, &file).expect(1);
            let message = format!("outflank: {}: {expected}{looks}", file.display());
            let lines = run.stderr.lines().filter(|line| line.starts_with(&message));
            assert_eq!(lines.count(), 1, "{words}: {run:?}");
            let mentions = run.stderr.lines().filter(|line| line.contains("other"));
            assert_eq!(mentions.count(), 1, "{words}: {run:?}");
        }
    }
    // Commands that do not read records refuse a file of records.
    let records = folder.file("other", b"\xbaoutrec\n");
    for (words, _) in &READERS[..6] {
        let run = run_on_file(words, &records).expect(1);
        let message = format!("{BOTH}it has records, which `outflank train fit` makes weights of");
        run.stderr_has(&message);
    }
}

#[test]
fn empty_files_are_reported_by_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let nothing = database(2000, &[]);
    for contents in [&b""[..], b"\r\n  \n", b"% a comment\n# another\n", &nothing] {
        let file = folder.file("empty", contents);
        for (words, _) in READERS {
            // For the commands of `train` a database without games is not an empty file.
            if contents == nothing && words.starts_with("train") {
                continue;
            }
            let run = run_on_file(words, &file).expect(1);
            let message = format!(
                "outflank: {}: neither games nor positions in it",
                file.display()
            );
            let lines = run.stderr.lines().filter(|line| *line == message);
            assert_eq!(lines.count(), 1, "{words}: {run:?}");
        }
    }
}

#[test]
fn files_over_the_size_limit_are_refused_by_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let file = folder.file("large", "f5d6\n");
    // The file is sparse.
    let large = fs::OpenOptions::new().write(true).open(&file).unwrap();
    large.set_len((1 << 30) + 1).unwrap();
    for (words, _) in &READERS[..6] {
        let run = run_on_file(words, &file).expect(1);
        let message = "larger than 1024 MiB, the limit of a file of games or positions";
        run.stderr_has(message);
    }
}

#[test]
fn contradictions_to_from_are_reported() {
    let folder = Folder::new();
    let obf = format!("{} X;\n", Board::START).repeat(100);
    let ggf = "(;GM[Othello]PB[a]PW[b]B[F5]W[D6];)\n";
    let files = [
        folder.file("a.txt", "f5d6\n".repeat(100)),
        folder.file("a.obf", obf),
        folder.file("a.ggf", ggf),
        folder.file("a.wtb", database(2000, &[&[56, 64]])),
        folder.file("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    ];
    let formats = [
        ("transcript", "a transcript"),
        ("obf", "OBF"),
        ("ggf", "GGF"),
        ("wthor", "WTHOR"),
    ];
    let looks = formats.map(|(_, name)| format!("it looks like {name}"));
    let looks = looks.into_iter().chain(["it is a PNG image".to_owned()]);
    for (file, looks) in files.iter().zip(looks) {
        for (format, name) in formats {
            let words = format!("solve --hash 1 --depth 1 --from {format}");
            if looks.ends_with(name) {
                run_on_file(&words, file).expect(0);
                continue;
            }
            let run = run_on_file(&words, file).expect(1);
            let message = format!(
                "outflank: {}: expected {name}, as --from says, but {looks}\n",
                file.display()
            );
            assert_eq!(run.stderr, message, "{words}");
        }
    }
    // A single entry of the format suffices.
    let mixed = folder.file("mixed", format!("{} X;\nf5d6\n", Board::START));
    // Without `--from`, moves after a position are a game from this position.
    let run = run_on_file("solve --hash 1 --depth 1", &mixed).expect(0);
    run.stdout_has("0 solved, 1 searched, 0 wrong");
    let run = run_on_file("solve --hash 1 --depth 1 --from transcript", &mixed).expect(1);
    run.stdout_has("0 solved, 1 searched, 0 wrong, 1 malformed");
}

#[test]
fn lists_of_malformed_lines_end_after_ten() {
    let folder = Folder::new();
    let games: String = "f5d6\n".to_owned() + &"f5f5\n".repeat(1000);
    let games = folder.file("games.txt", games);
    let positions = format!("{} X; --:+0;\n{}", Board::START, "?\n".repeat(1000));
    let positions = folder.file("positions.obf", positions);
    let elsewhere =
        "(;BO[8 -O******-------------------**------**--------------------------- O];)\n";
    let elsewhere = folder.file("elsewhere.ggf", elsewhere.repeat(1000));
    let generate = "train generate new.records --games 1 --depth 1 --from";
    for (words, file, last) in [
        ("solve --hash 1 --depth 1", &positions, "malformed lines"),
        ("solve --hash 1 --depth 1", &games, "malformed lines"),
        ("analyze --hash 1 --depth 1", &games, "malformed lines"),
        ("convert --to ggf", &positions, "malformed lines"),
        ("convert --to transcript", &elsewhere, "left out"),
        ("train score", &positions, "faults"),
        (generate, &games, "skipped games"),
    ] {
        let run = run_on_file(words, file);
        let location = format!("{}:", file.display());
        let lines = run.stderr.lines();
        let lines: Vec<_> = lines.filter(|line| line.starts_with(&location)).collect();
        assert_eq!(lines.len(), 11, "{words}: {run:?}");
        assert_eq!(lines[10], format!("{location} … and 990 more {last}"));
    }
}

#[test]
fn control_characters_in_names_are_read() {
    let folder = Folder::new();
    let game = b"(;GM[Othello]PB[a\x01b]PW[c]B[F5]W[D6];)\n";
    let file = folder.file("games.ggf", game);
    let run_ = run_on_file("convert --to transcript", &file).expect(0);
    assert_eq!(run_.stdout, "f5d6\n");
    let run_ = run_on_file("solve --hash 1 --depth 1 --json", &file).expect(0);
    assert_eq!(run_.json()[0]["name"], "1. a b - c");
    let run_ = run_on_file("analyze --hash 1 --depth 1", &file).expect(0);
    run_.stdout_has("black a b, white c");
    // The openings can be read, so the error is about the engine.
    let run_ = run_on_file("match absent absent --openings", &file).expect(2);
    run_.stderr_has("\"absent\" cannot be started");
}
