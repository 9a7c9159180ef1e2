//! What every command says of a file that it cannot read: files of other kinds are named, and what is wrong
//! with a file is told in the same words.

use crate::common::program::read;
use outflank::Board;
use outflank::eval::ByteOrder;
use outflank_testing::command::Folder;
use outflank_testing::data::database;
use outflank_testing::models::random_linear;
use std::fs;

const BOTH: &str = "expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but ";
const WITH_RECORDS: &str =
    "expected records, positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but ";

/// Every command that reads positions or games, as it reads one file, and what it says that it expects.
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
fn a_file_of_another_kind_is_named_in_one_line_by_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let weights = random_linear(1, [20], 100);
    let edax = weights.to_edax(ByteOrder::Little).expect("it is linear");
    let noise: Vec<u8> = (0..1000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 23) as u8)
        .collect();
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
        (
            b"Dear reader,\nthese are no moves.\n".to_vec(),
            "it looks like text, \"Dear reader,\"",
        ),
        (noise, "it begins with the bytes ["),
        (
            edax,
            "it is an eval.dat of Edax's, which `outflank weights import` reads",
        ),
        (
            weights.write(),
            "it has weights, which `outflank weights info` shows",
        ),
    ];
    for (contents, looks) in kinds {
        let file = folder.file("other", contents);
        for (words, expected) in READERS {
            let run = read(words, &file).expect(1);
            let told = format!("outflank: {}: {expected}{looks}", file.display());
            let lines = run.stderr.lines().filter(|line| line.starts_with(&told));
            assert_eq!(lines.count(), 1, "{words}: {}", run.stderr);
            let mentions = run.stderr.lines().filter(|line| line.contains("other"));
            assert_eq!(mentions.count(), 1, "{words}: {}", run.stderr);
        }
    }
    // Only those that read records take them.
    let records = folder.file("other", b"\xbaoutrec\n");
    for (words, _) in &READERS[..6] {
        let run = read(words, &records).expect(1);
        let told = format!("{BOTH}it has records, which `outflank train fit` makes weights of");
        assert!(run.stderr.contains(&told), "{words}: {}", run.stderr);
    }
}

#[test]
fn an_empty_file_is_told_the_same_way_by_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let nothing = database(2000, &[]);
    for contents in [&b""[..], b"\r\n  \n", b"% a comment\n# another\n", &nothing] {
        let file = folder.file("empty", contents);
        for (words, _) in READERS {
            // A database that has no game is none to learn from, but not an empty file.
            if contents == nothing && words.starts_with("train") {
                continue;
            }
            let run = read(words, &file).expect(1);
            let told = format!(
                "outflank: {}: neither games nor positions in it",
                file.display()
            );
            let lines = run.stderr.lines().filter(|line| *line == told);
            assert_eq!(lines.count(), 1, "{words}: {}", run.stderr);
        }
    }
}

/// A file of one size is too large for every command, and is not read for that.
#[test]
fn one_limit_of_size_holds_for_every_command() {
    let folder = Folder::new();
    folder.file("games.obf", format!("{} X; --:+2;\n", Board::START));
    let file = folder.file("large", "f5d6\n");
    // It has a hole, and takes no space.
    let large = fs::OpenOptions::new().write(true).open(&file).unwrap();
    large.set_len((1 << 30) + 1).unwrap();
    for (words, _) in &READERS[..6] {
        let run = read(words, &file).expect(1);
        let told = "larger than 1024 MiB, the limit of a file of games or positions";
        assert!(run.stderr.contains(told), "{words}: {}", run.stderr);
    }
}

/// What `--from` says is not what the file is.
#[test]
fn a_file_that_is_not_what_from_says_is_named() {
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
    let looks = [
        "it looks like a transcript",
        "it looks like OBF",
        "it looks like GGF",
        "it looks like WTHOR",
        "it is a PNG image",
    ];
    let formats = [
        ("transcript", "a transcript"),
        ("obf", "OBF"),
        ("ggf", "GGF"),
        ("wthor", "WTHOR"),
    ];
    for (file, looks) in files.iter().zip(looks) {
        for (format, name) in formats {
            let words = format!("solve --hash 1 --depth 1 --from {format}");
            if looks.ends_with(name) {
                read(&words, file).expect(0);
                continue;
            }
            let run = read(&words, file).expect(1);
            let told = format!(
                "outflank: {}: expected {name}, as --from says, but {looks}\n",
                file.display()
            );
            assert_eq!(run.stderr, told, "{words}");
        }
    }
    // It is taken at its word where there is something of the kind.
    let mixed = folder.file("mixed", format!("{} X;\nf5d6\n", Board::START));
    // Moves behind a position are a game that begins there.
    let run = read("solve --hash 1 --depth 1", &mixed).expect(0);
    assert!(
        run.stdout.contains("0 solved, 1 searched, 0 wrong"),
        "{run:#?}"
    );
    let run = read("solve --hash 1 --depth 1 --from transcript", &mixed).expect(1);
    assert!(
        run.stdout
            .contains("0 solved, 1 searched, 0 wrong, 1 malformed"),
        "{run:#?}"
    );
}

#[test]
fn a_list_of_malformed_lines_ends_after_ten_with_their_number() {
    let folder = Folder::new();
    let games: String = "f5d6\n".to_owned() + &"f5f5\n".repeat(1000);
    let games = folder.file("games.txt", games);
    let positions = format!("{} X; --:+0;\n{}", Board::START, "?\n".repeat(1000));
    let positions = folder.file("positions.obf", positions);
    let elsewhere =
        "(;BO[8 -O******-------------------**------**--------------------------- O];)\n";
    let elsewhere = folder.file("elsewhere.ggf", elsewhere.repeat(1000));
    for (words, file, last) in [
        (
            "solve --hash 1 --depth 1",
            &positions,
            "990 more malformed lines",
        ),
        (
            "solve --hash 1 --depth 1",
            &games,
            "990 more malformed lines",
        ),
        (
            "analyze --hash 1 --depth 1",
            &games,
            "990 more malformed lines",
        ),
        ("convert --to ggf", &positions, "990 more malformed lines"),
        ("convert --to transcript", &elsewhere, "990 more left out"),
        ("train score", &positions, "990 more faults"),
        (
            "train generate new.records --games 1 --depth 1 --from",
            &games,
            "990 more skipped games",
        ),
    ] {
        let run = read(words, file);
        let place = format!("{}:", file.display());
        let told: Vec<_> = run
            .stderr
            .lines()
            .filter(|line| line.starts_with(&place))
            .collect();
        assert_eq!(told.len(), 11, "{words}: {}", run.stderr);
        assert_eq!(told[10], format!("{place} … and {last}"), "{words}");
    }
}

/// GGF, of which the name of a player has a control character.
#[test]
fn a_stray_control_character_makes_no_file_binary() {
    let folder = Folder::new();
    let game = b"(;GM[Othello]PB[a\x01b]PW[c]B[F5]W[D6];)\n";
    let file = folder.file("games.ggf", game);
    let run_ = read("convert --to transcript", &file).expect(0);
    assert_eq!(run_.stdout, "f5d6\n");
    let run_ = read("solve --hash 1 --depth 1 --json", &file).expect(0);
    assert_eq!(run_.json()[0]["name"], "1. a b - c");
    let run_ = read("analyze --hash 1 --depth 1", &file).expect(0);
    assert!(
        run_.stdout.contains("black a b, white c"),
        "{}",
        run_.stdout
    );
    // Openings are fine; the engine is not there.
    let run_ = read("match absent absent --openings", &file).expect(2);
    assert!(
        run_.stderr.contains("cannot start \"absent\""),
        "{}",
        run_.stderr
    );
}
