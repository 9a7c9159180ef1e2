//! Play by an opening book, at the terminal and by protocols.

use std::fs;
use std::path::Path;

use crate::common::program::{outflank, run_in};
use outflank_testing::command::{Folder, Run, run};

/// Learns a small book and returns its path.
fn book(folder: &Folder) -> String {
    let line = "book learn my.book --positions 40 --level 2 --jobs 1 --hash 1";
    run_in(folder, line, 0);
    folder.path("my.book").display().to_string()
}

fn outflank_with(words: &[&str], input: &str) -> Run {
    run(
        outflank().args(words).args(["--hash", "1"]),
        input.as_bytes(),
    )
}

/// Moves of a position of the book, with their values.
fn moves_in(book: &str, moves: &str) -> Vec<(String, i64)> {
    let mut show = outflank();
    let shown = run(show.args(["book", "show", "--json", book, moves]), b"").expect(0);
    let json = &shown.json()[0]["moves"];
    let pair = |entry: &serde_json::Value| {
        let name = entry["move"].as_str().expect("a move").to_uppercase();
        (name, entry["value"].as_i64().expect("a value"))
    };
    json.as_array().expect("moves").iter().map(pair).collect()
}

#[test]
fn players_take_moves_from_the_book() {
    let folder = Folder::new();
    let book = book(&folder);
    let best = |moves: &str| {
        let moves = moves_in(&book, moves);
        let most = moves[0].1;
        let best = moves.into_iter().filter(|entry| entry.1 == most);
        best.map(|(name, _)| name).collect::<Vec<_>>()
    };
    // The level would search for ever, so the moves come from the book.
    let play = ["--book", &book, "--level", "60"];
    let gtp = outflank_with(&[&["gtp"], &play[..]].concat(), "play b f5\ngenmove w\n").expect(0);
    let answer = gtp.stdout.split("= ").last().expect("an answer").trim();
    assert!(best("f5").contains(&answer.to_owned()), "{gtp:#?}");

    let nboard = [
        "set depth 60\nmove F5\ngo\n",
        "set depth 1\nmove F5\nhint 2\n",
    ]
    .map(|input| {
        outflank_with(&["nboard", "--book", &book], input)
            .expect(0)
            .stdout
    });
    let [go, hint] = &nboard;
    let known = &moves_in(&book, "f5");
    let line = |(name, value): &(String, i64)| format!("book {name} {value} 0 ");
    let chosen = best("f5");
    assert!(
        chosen
            .iter()
            .any(|name| go.contains(&format!("\n=== {name}/"))
                || go.starts_with(&format!("book {name} "))),
        "{go}"
    );
    let hints = hint.lines().zip(&known[..2]);
    assert!(
        hints
            .clone()
            .all(|(hint, entry)| hint.starts_with(&line(entry))),
        "{hint}"
    );
    // Level 2 searches 2 plies. Links add the plies to the searched position.
    let depth = |(hint, _): (&str, _)| hint.rsplit(' ').next().and_then(|plies| plies.parse().ok());
    let depths: Vec<u32> = hints.filter_map(depth).collect();
    assert!(depths.len() == 2 && depths.iter().all(|&plies| plies >= 2) && depths[0] > 2);

    // A hint has a search besides the book.
    let words = ["play", "--side", "white", "--book", &book, "--level", "1"];
    let terminal = outflank_with(&words, "hint 1\n").expect(0);
    let shown = &terminal.stdout;
    let row = shown.lines().find(|line| line.starts_with("  1| "));
    let row = row.unwrap_or_else(|| panic!("no row in {shown}"));
    assert!(
        shown.contains(", book)\n") && shown.contains("|    book     |"),
        "{shown}"
    );
    let search = row.split('|').nth(2).expect("a column");
    assert!(!search.trim().is_empty(), "{shown}");
}

/// Moves of the book have its values in an analysis. Others are searched.
#[test]
fn games_are_analysed_by_the_book() {
    let folder = Folder::new();
    let book = book(&folder);
    let known = moves_in(&book, "f5");
    let ((best, most), (worst, least)) = (&known[0], known.last().expect("there are some"));
    let moves = format!("f5{}", worst.to_lowercase());
    let words = ["analyze", "-", "--level", "1", "--book", &book];
    let table = outflank_with(&words, &moves).expect(0).stdout;
    let second = table
        .lines()
        .find(|row| row.starts_with("  2|"))
        .expect("a row");
    let loss = most - least;
    assert!(
        second.contains(&format!("|{loss:>3} |  book | {best}")),
        "{table}"
    );
    let json = outflank_with(&[&words[..], &["--json"]].concat(), &moves)
        .expect(0)
        .json();
    let judged = &json[0]["moves"][1];
    assert_eq!(
        (&judged["book"], &judged["score"], &judged["loss"]),
        (&true.into(), &(*least).into(), &loss.into())
    );
    let unknown = outflank_with(&words, "f5d6c3g5c6c5c4b6f6f4e6d7c7g6d8")
        .expect(0)
        .stdout;
    let last = unknown
        .lines()
        .find(|row| row.starts_with(" 15|"))
        .expect("a row");
    assert!(!last.contains("book"), "{unknown}");
}

/// Moves to positions of the book have its values, up to symmetry. Others are searched.
#[test]
fn positions_are_analysed_by_the_book() {
    let folder = Folder::new();
    let book = book(&folder);
    let known = moves_in(&book, "f5");
    let start = "---------------------------OX------XO--------------------------- X;\n";
    let replied = "---------------------------OX------XXX-------------------------- O;\n";
    let words = ["analyze", "-", "--level", "1", "--book", &book];
    let table = outflank_with(&words, start).expect(0).stdout;
    assert_eq!(table.matches("|  book |").count(), 4, "{table}");
    let json = outflank_with(&[&words[..], &["--json"]].concat(), replied).expect(0);
    let moves = json.json()[0]["moves"].as_array().expect("moves").clone();
    let row = |entry: &serde_json::Value| {
        let name = entry["move"].as_str().expect("a move").to_owned();
        (name, entry["score"].as_i64().expect("a score"))
    };
    let mut by_book: Vec<_> = moves
        .iter()
        .filter(|entry| entry["book"] == true)
        .map(row)
        .collect();
    let mut expected = known.clone();
    by_book.sort();
    expected.sort();
    assert_eq!((by_book, moves.len()), (expected, 3));
    let none = ["analyze", "-", "--level", "1", "--book", "none"];
    let table = outflank_with(&none, start).expect(0).stdout;
    assert!(!table.contains("book"), "{table}");
}

/// The built-in book is the default of players. It is readable, but not writable.
#[test]
fn built_in_book_is_played_and_read_only() {
    let folder = Folder::new();
    let moves = moves_in("built-in", "");
    assert_eq!(moves.len(), 4);
    assert!(moves.iter().all(|entry| entry.1 == moves[0].1), "{moves:?}");
    // The level would search for ever, so the moves come from the book.
    let game = |more: &[&str]| {
        let words = [&["gtp", "--level", "60"], more].concat();
        let input = "genmove b\ngenmove w\ngenmove b\ngenmove w\n";
        outflank_with(&words, input).expect(0).stdout
    };
    let seeds = ["1", "2", "3", "4", "5", "6"];
    let games = seeds.map(|seed| game(&["--book-seed", seed]));
    assert!(games.iter().any(|entry| *entry != games[0]), "{games:?}");
    assert_eq!(game(&["--book", "built-in", "--book-seed", "3"]), games[2]);
    let nboard = outflank_with(&["nboard"], "move F5\nlearn\n")
        .expect(0)
        .stdout;
    let refused = "status Error: the built-in book cannot be changed: name a file";
    assert!(
        nboard.contains(refused) && nboard.ends_with("learned\n"),
        "{nboard}"
    );

    let book = |words: &[&str], status| {
        let run = run(outflank().arg("book").args(words), b"");
        run.expect(status)
    };
    let report = book(&["check", "built-in"], 0).stdout;
    assert!(report.contains(": no fault"), "{report}");
    let own = folder.path("own.book");
    let own = own.to_str().expect("UTF-8");
    book(&["merge", own, "built-in"], 0);
    let positions = |name: &str| book(&["info", "--json", name], 0).json()[0]["positions"].clone();
    assert_eq!(positions(own), positions("built-in"));
    for words in [
        &["learn", "built-in", "--time", "1"][..],
        &["correct", "built-in"],
        &["merge", "built-in", own],
        &["import", "built-in", own],
    ] {
        let report = book(words, if words[0] == "import" { 1 } else { 2 }).stderr;
        assert_eq!(report.lines().count(), 1, "{report}");
    }
}

/// A tolerance without a book would have no effect.
#[test]
fn tolerance_without_a_book_is_refused() {
    for words in [
        &["gtp", "--book", "none", "--tolerance", "1"][..],
        &["play", "--book", "none", "--game-tolerance", "1"],
        &["match", "a", "b", "--tolerance", "1"],
    ] {
        let mut command = outflank();
        let run = run(command.args(words), b"").expect(2);
        let end = "chooses among the moves of a book, and there is none: give one with --book\n";
        assert!(run.stderr.ends_with(end), "{run:#?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    }
}

/// A failing book is reported once, and the game goes on without it.
#[test]
fn failing_book_is_reported_once() {
    let folder = Folder::new();
    let path = book(&folder);
    let mut bytes = fs::read(&path).expect("it is there");
    // Damages the pages of positions, not the header and the schema.
    bytes[4096..].fill(0xAB);
    fs::write(&path, bytes).expect("it can be written");
    let words = ["gtp", "--level", "1", "--book", &path];
    let run = outflank_with(&words, "genmove b\ngenmove w\n").expect(0);
    assert_eq!(run.stdout.matches("= ").count(), 2, "{run:#?}");
    assert_eq!(
        run.stderr.matches("my.book: damaged: ").count(),
        1,
        "{run:#?}"
    );
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
}

/// Equal seeds play equal games, other seeds vary them. `--vary` needs no book.
#[test]
fn seeds_decide_the_game() {
    let folder = Folder::new();
    let book = book(&folder);
    let game = |more: &[&str], seed: &str| {
        let words = [&["gtp", "--level", "1", "--book-seed", seed], more].concat();
        outflank_with(
            &words,
            "genmove b\ngenmove w\ngenmove b\ngenmove w\ngenmove b\n",
        )
        .expect(0)
        .stdout
    };
    for more in [&["--book", &book, "--tolerance", "3"][..], &["--vary", "3"]] {
        let games: Vec<_> = ["1", "2", "3", "4", "5"]
            .map(|seed| game(more, seed))
            .into();
        assert!(games.iter().any(|entry| *entry != games[0]), "{games:?}");
        assert_eq!(game(more, "2"), games[1]);
    }
}

/// NBoard's `learn` adds the game to the book in the background.
#[test]
fn nboard_learns_games() {
    let folder = Folder::new();
    let path = book(&folder);
    // Level 16 takes a while, so the game is short.
    let input = "move F5\nmove F6\nmove E6\nmove F4\nlearn\nlearn\nping 1\n";
    assert!(moves_in(&path, "f5f6e6f4").is_empty() || !moves_in(&path, "f5f6e6").is_empty());
    let report = outflank_with(&["nboard", "--book", &path], input)
        .expect(0)
        .stdout;
    let expected =
        "status Error: another game is being learnt: ask again later\nlearned\npong 1\nlearned\n";
    assert_eq!(report, expected);
    assert!(!moves_in(&path, "f5f6e6f4").is_empty());
    let mut check = outflank();
    run(check.args(["book", "check", &path]), b"").expect(0);
}

/// Foreign and missing books are refused before the game.
#[test]
fn foreign_books_are_refused() {
    let folder = Folder::new();
    let file = folder.file("text.book", "f5d6");
    let refused = |path: &Path, command: &str| {
        let path = path.to_str().expect("UTF-8");
        let run = outflank_with(&[command, "--book", path], "").expect(1);
        assert_eq!(run.stderr.lines().count(), 1);
        run.stderr
    };
    for command in ["gtp", "nboard", "play"] {
        assert!(
            refused(&file, command).contains("expected an opening book, but it looks like text")
        );
        assert!(refused(&folder.path("none.book"), command).contains("none.book: No such file"));
    }
    assert_eq!(fs::read(&file).expect("it is there"), b"f5d6");
}
