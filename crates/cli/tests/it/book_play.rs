//! Play by an opening book, at the terminal and by protocols.

use std::fs;

use crate::common::inputs::folder_with_book;
use crate::common::program::{OutputChecks, cli_in, run_in};
use outflank_testing::command::{Folder, Run, run};
use serde_json::Value;

/// Runs `outflank LINE --hash 1` in `folder` with this input.
#[track_caller]
fn outflank_with(folder: &Folder, line: &str, input: &str) -> Run {
    let mut command = cli_in(folder, &format!("{line} --hash 1"));
    run(&mut command, input.as_bytes()).expect(0)
}

/// Names of moves, each with its number under `key`, from a JSON list.
fn numbers(moves: &Value, key: &str) -> Vec<(String, i64)> {
    let pair = |entry: &Value| {
        let name = entry["move"].as_str().expect("a move").to_uppercase();
        (name, entry[key].as_i64().expect("a number"))
    };
    moves.as_array().expect("moves").iter().map(pair).collect()
}

/// Moves of a position of the book, with their values.
fn moves_in(folder: &Folder, book: &str, moves: &str) -> Vec<(String, i64)> {
    let shown = run_in(folder, &format!("book show --json {book} {moves}"), 0);
    numbers(&shown.json()[0]["moves"], "value")
}

/// Row of a table.
#[track_caller]
fn row(run: &Run, begin: &str) -> String {
    let row = run.stdout.lines().find(|row| row.starts_with(begin));
    row.unwrap_or_else(|| panic!("no {begin:?} in {run:#?}"))
        .to_owned()
}

#[test]
fn players_take_moves_from_the_book() {
    let folder = folder_with_book();
    let known = moves_in(&folder, "my.book", "f5");
    let best = known.iter().filter(|entry| entry.1 == known[0].1);
    let best: Vec<&str> = best.map(|(name, _)| name.as_str()).collect();
    // The level would search for ever, so the moves come from the book.
    let line = "gtp --book my.book --level 60";
    let gtp = outflank_with(&folder, line, "play b f5\ngenmove w\n");
    let answer = gtp.stdout.split("= ").last().expect("an answer").trim();
    assert!(best.contains(&answer), "{gtp:#?}");

    let nboard = |input| outflank_with(&folder, "nboard --book my.book", input).stdout;
    let go = nboard("set depth 60\nmove F5\ngo\n");
    let is_played = |name: &&str| {
        go.contains(&format!("\n=== {name}/")) || go.starts_with(&format!("book {name} "))
    };
    assert!(best.iter().any(is_played), "{go}");
    let hint = nboard("set depth 1\nmove F5\nhint 2\n");
    let depths = hint.lines().zip(&known[..2]).map(|(line, (name, value))| {
        let rest = line.strip_prefix(&format!("book {name} {value} 0 "));
        let depth = rest.and_then(|rest| rest.rsplit(' ').next()?.parse().ok());
        depth.unwrap_or_else(|| panic!("{hint}"))
    });
    // Level 2 searches 2 plies. Links add the plies to the searched position.
    let depths: Vec<u32> = depths.collect();
    assert!(
        depths.len() == 2 && depths[0] > 2 && depths[1] >= 2,
        "{hint}"
    );

    // A hint has a search besides the book.
    let line = "play --side white --book my.book --level 1";
    let shown = outflank_with(&folder, line, "hint 1\n");
    shown.stdout_has(", book)\n").stdout_has("|    book     |");
    let row = row(&shown, "  1| ");
    let search = row.split('|').nth(2).expect("a column");
    assert!(!search.trim().is_empty(), "{row}");
}

/// Moves of the book have its values in an analysis. Others are searched.
#[test]
fn games_are_analysed_by_the_book() {
    let folder = folder_with_book();
    let known = moves_in(&folder, "my.book", "f5");
    let ((best, most), (worst, least)) = (&known[0], known.last().expect("there are some"));
    let moves = format!("f5{}", worst.to_lowercase());
    let line = "analyze - --level 1 --book my.book";
    let second = row(&outflank_with(&folder, line, &moves), "  2|");
    let loss = most - least;
    let expected = format!("|{loss:>3} |  book | {best}");
    assert!(second.contains(&expected), "{second}");
    let json = outflank_with(&folder, &format!("{line} --json"), &moves).json();
    let judged = &json[0]["moves"][1];
    assert_eq!(judged["book"], true, "{judged}");
    assert_eq!(judged["score"], *least, "{judged}");
    assert_eq!(judged["loss"], loss, "{judged}");
    let unknown = "f5d6c3g5c6c5c4b6f6f4e6d7c7g6d8";
    let last = row(&outflank_with(&folder, line, unknown), " 15|");
    assert!(!last.contains("book"), "{last}");
}

/// Moves to positions of the book have its values, up to symmetry. Others are searched.
#[test]
fn positions_are_analysed_by_the_book() {
    let folder = folder_with_book();
    let start = "---------------------------OX------XO--------------------------- X;\n";
    let replied = "---------------------------OX------XXX-------------------------- O;\n";
    let line = "analyze - --level 1 --book my.book";
    let table = outflank_with(&folder, line, start).stdout;
    assert_eq!(table.matches("|  book |").count(), 4, "{table}");
    let mut json = outflank_with(&folder, &format!("{line} --json"), replied).json();
    let mut moves = json[0]["moves"].take();
    assert_eq!(moves.as_array().map(Vec::len), Some(3));
    moves
        .as_array_mut()
        .expect("moves")
        .retain(|entry| entry["book"] == true);
    let mut by_book = numbers(&moves, "score");
    let mut expected = moves_in(&folder, "my.book", "f5");
    by_book.sort();
    expected.sort();
    assert_eq!(by_book, expected);
    let table = outflank_with(&folder, "analyze - --level 1 --book none", start).stdout;
    assert!(!table.contains("book"), "{table}");
}

/// The built-in book is the default of players.
#[test]
fn built_in_book_is_played() {
    let folder = Folder::new();
    let moves = moves_in(&folder, "built-in", "");
    assert_eq!(moves.len(), 4);
    assert!(moves.iter().all(|entry| entry.1 == moves[0].1), "{moves:?}");
    // The level would search for ever, so the moves come from the book.
    let game = |options: &str| {
        let input = "genmove b\ngenmove w\ngenmove b\ngenmove w\n";
        outflank_with(&folder, &format!("gtp --level 60 {options}"), input).stdout
    };
    let games = [1, 2, 3, 4, 5, 6].map(|seed| game(&format!("--book-seed {seed}")));
    assert!(games.iter().any(|entry| *entry != games[0]), "{games:?}");
    assert_eq!(game("--book built-in --book-seed 3"), games[2]);
    let nboard = outflank_with(&folder, "nboard", "move F5\nlearn\n");
    nboard.stdout_has("status Error: the built-in book cannot be changed: name a file");
    assert!(nboard.stdout.ends_with("learned\n"), "{nboard:#?}");

    run_in(&folder, "book check built-in", 0).stdout_has(": no fault");
    run_in(&folder, "book merge own.book built-in", 0);
    let positions = |name: &str| {
        let info = run_in(&folder, &format!("book info --json {name}"), 0);
        info.json()[0]["positions"].clone()
    };
    assert_eq!(positions("own.book"), positions("built-in"));
}

/// A failing book is reported once, and the game goes on without it.
#[test]
fn failing_book_is_reported_once() {
    let folder = folder_with_book();
    let mut bytes = fs::read(folder.path("my.book")).expect("it is there");
    // Damages the pages of positions, not the header and the schema.
    bytes[4096..].fill(0xAB);
    folder.file("my.book", bytes);
    let line = "gtp --level 1 --book my.book";
    let run = outflank_with(&folder, line, "genmove b\ngenmove w\n");
    assert_eq!(run.stdout.matches("= ").count(), 2, "{run:#?}");
    run.stderr_has("my.book: damaged: ");
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
}

/// Equal seeds play equal games, other seeds vary them. `--vary` needs no book.
#[test]
fn seeds_decide_the_game() {
    let folder = folder_with_book();
    let game = |options: &str, seed: u32| {
        let line = format!("gtp --level 1 --book-seed {seed} {options}");
        let input = "genmove b\ngenmove w\ngenmove b\ngenmove w\ngenmove b\n";
        outflank_with(&folder, &line, input).stdout
    };
    for options in ["--book my.book --tolerance 3", "--vary 3"] {
        let games = [1, 2, 3, 4, 5].map(|seed| game(options, seed));
        assert!(games.iter().any(|entry| *entry != games[0]), "{games:?}");
        assert_eq!(game(options, 2), games[1]);
    }
}

/// NBoard's `learn` adds the game to the book in the background.
#[test]
fn nboard_learns_games() {
    let folder = folder_with_book();
    let is_known = |moves: &str| !moves_in(&folder, "my.book", moves).is_empty();
    // Level 16 takes a while, so the game is short.
    let input = "move F5\nmove F6\nmove E6\nmove F4\nlearn\nlearn\nping 1\n";
    assert!(!is_known("f5f6e6f4") || is_known("f5f6e6"));
    let report = outflank_with(&folder, "nboard --book my.book", input).stdout;
    let expected =
        "status Error: another game is being learnt: ask again later\nlearned\npong 1\nlearned\n";
    assert_eq!(report, expected);
    assert!(is_known("f5f6e6f4"));
    run_in(&folder, "book check my.book", 0);
}
