//! `outflank games`: databases of games.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use outflank_testing::command::Folder;
use outflank_testing::data::{database, game, shared, transcript};

use crate::common::program::{OutputChecks, kill, refuse_all, run_in, spawn_in};

const GAMES: &str = "\
(;GM[Othello]PC[Paris]EV[Open]DT[1992]PB[Tastet Marc]PW[Feinstein]RE[+10]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4];)
(;GM[Othello]DT[1994]PB[Feinstein]PW[Tastet Marc]RE[-4]B[C4]W[E3]B[F6]W[E6]B[F5]W[C5];)
(;GM[Othello]DT[1995]PB[Ann]PW[Feinstein]RE[0]B[F5]W[D6]B[C3]W[D3]B[C4]W[B3];)
(;GM[Othello]PB[Ann]PW[Bob]B[F5]W[F4];)
";

/// Makes a folder with the database a.games.
fn folder_with_games() -> Folder {
    let folder = Folder::new();
    folder.file("games.ggf", GAMES);
    run_in(&folder, "games import a.games games.ggf", 0).stderr_has("a.games: 4 added; 4 games, ");
    folder
}

#[test]
fn games_are_imported_once() {
    let folder = folder_with_games();
    folder.file(
        "WTH_2001.wtb",
        database(2001, &[&[56, 64, 33], &[56, 66, 65]]),
    );
    folder.file("more.txt", "f5d6c3\nf5f4e3\nx5\n");
    folder.file(
        "games.obf",
        "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X;\n",
    );
    let line = "games import a.games games.ggf WTH_2001.wtb more.txt games.obf none.txt --json";
    let run = run_in(&folder, line, 1);
    let counts = run.json().remove(0);
    // The transcript of three moves is the first game of WTHOR without names.
    for (name, expected) in [
        ("added", 3),
        ("duplicates", 5),
        ("left_out", 1),
        ("malformed", 1),
        ("unusable_files", 1),
        ("games", 7),
    ] {
        assert_eq!(counts[name], expected, "{name}: {counts}");
    }
    run.stderr_has("more.txt:3:1: expected a move")
        .stderr_has("games.obf:1: left out: no moves")
        .stderr_has("none.txt: No such file");
    let info = run_in(&folder, "games info a.games --json", 0)
        .json()
        .remove(0);
    for (name, expected) in [
        ("games", 7),
        ("players", 5),
        ("tournaments", 2),
        ("first_year", 1992),
        ("last_year", 2001),
    ] {
        assert_eq!(info[name], expected, "{name}: {info}");
    }
    // Nothing usable leaves no file behind.
    run_in(&folder, "games import new.games games.obf none.txt", 1)
        .stderr_has("new.games: 0 added, 1 left out; no database was made\n");
    assert!(!folder.path("new.games").exists());
}

#[test]
fn moves_of_a_position_are_shown() {
    let folder = folder_with_games();
    run_in(
        &folder,
        "games at a.games f5d6c3d3c4 --depth 2 --book built-in",
        0,
    )
    .stdout_has("f5d6c3d3c4, Tiger, white to move, 3 games\n")
    .stdout_has("|discs| years   | book |");
    let at = |line: &str| {
        run_in(&folder, &format!("games at a.games {line} --json"), 0)
            .json()
            .remove(0)
    };
    let tiger = at("--opening tiger --depth 2");
    assert_eq!(tiger["moves_before"], "f5d6c3d3c4");
    assert_eq!(
        (&tiger["games"], &tiger["engine_depth"]),
        (&3.into(), &"2".into())
    );
    let best = &tiger["moves"][0];
    assert_eq!(
        (
            &best["move"],
            &best["games"],
            &best["wins"],
            &best["losses"]
        ),
        (&"F4".into(), &2.into(), &1.into(), &1.into())
    );
    assert_eq!(
        (&best["first_year"], &best["last_year"]),
        (&1992.into(), &1994.into())
    );
    assert!(best["engine"].is_i64() && best["book"].is_null());
    assert_eq!(at("f5d6c3d3c4 --player ann")["games"], 1);
    assert_eq!(at("f5d6c3d3c4 --years 1993-")["games"], 2);
    assert_eq!(at("--result draw")["moves"][0]["move"], "F5");
    run_in(
        &folder,
        "games at a.games f5d6c3d3c4 --result draw --years -1994",
        1,
    )
    .stdout_has("white to move, 0 games\n");
}

#[test]
fn games_are_found_and_exported() {
    let folder = folder_with_games();
    let found = |line: &str| -> Vec<u64> {
        let rows = run_in(&folder, &format!("games find a.games --json {line}"), 0).json();
        rows.iter()
            .map(|row| row["game"].as_u64().expect("a number"))
            .collect()
    };
    assert_eq!(found(""), [2, 1, 0, 3], "the newest first");
    assert_eq!(found("--player tastet"), [1, 0]);
    assert_eq!(found("--white tastet"), [1]);
    assert_eq!(found("--opening tiger --limit 2"), [2, 1]);
    assert_eq!(found("--at f5f4"), [3]);
    assert_eq!(found("--tournament open"), [0]);
    run_in(&folder, "games find a.games --player ann --result black", 1).stderr_has("0 games\n");
    run_in(&folder, "games find a.games --limit 1", 0)
        .stdout_has(
            "       2  1995  Ann                       Feinstein                  +0  Aubrey / Tanaka\n",
        )
        .stderr_has("4 games, 1 listed; --limit lists more\n");

    run_in(
        &folder,
        "games export a.games --to ggf --opening tiger --out tiger.ggf",
        0,
    )
    .stderr_has("tiger.ggf: 3 written\n");
    // Exported games are those that were imported.
    run_in(&folder, "games import a.games tiger.ggf", 0).stderr_has("0 added, 3 already there");
    run_in(&folder, "games export a.games --to transcript --at f5f4", 0).stdout_has("f5f4");
    run_in(
        &folder,
        "games export a.games --to obf --every --years 1995",
        0,
    )
    .stdout_has(" X;");
    run_in(&folder, "games export a.games --to wthor --out new.wtb", 1)
        .stderr_has("a.games: game 3: left out: WTHOR has a score for every game");
    assert_eq!(
        fs::read(folder.path("new.wtb")).expect("a file").len(),
        16 + 3 * 68
    );
}

#[test]
fn analyses_show_the_first_new_move() {
    let folder = folder_with_games();
    let line = "analyze f5d6c3d3c4f4c5 --depth 1 --hash 1 --games a.games";
    let text =
        "new: move 7, C5; before it 2 known games, the latest Feinstein - Tastet Marc, 1994\n";
    run_in(&folder, &format!("{line} --html page.html"), 0).stdout_has(text);
    assert!(
        fs::read_to_string(folder.path("page.html"))
            .expect("a page")
            .contains(text.trim())
    );
    let novelty = run_in(&folder, &format!("{line} --json"), 0)
        .json()
        .remove(0)["novelty"]
        .take();
    assert_eq!(
        (&novelty["known_moves"], &novelty["move"], &novelty["games"]),
        (&6.into(), &"C5".into(), &2.into())
    );
    // Only one of the two games has all moves of the game, and it is the game itself.
    run_in(
        &folder,
        "analyze games.ggf --game 3 --depth 1 --hash 1 --games a.games",
        0,
    )
    .stdout_has("new: move 6, B3; before it 2 known games,");
    run_in(
        &folder,
        "analyze f5d6 --depth 1 --hash 1 --games a.games",
        0,
    )
    .stdout_has("nothing new: 3 known games, the latest Ann - Feinstein, 1995\n");
}

#[test]
fn unusable_databases_and_filters_are_refused() {
    let folder = folder_with_games();
    let whole = fs::read(folder.path("a.games")).expect("a database");
    folder.file("text.games", "f5d6c3");
    folder.file("cut.games", &whole[..whole.len() - 10]);
    let mut newer = whole.clone();
    newer[63] = 9;
    folder.file("newer.games", newer);
    let table = "
        1 games info text.games => expected a database of games, but it looks like text
        1 games info none.games => none.games: No such file
        1 games at cut.games => cut.games: cut off:
        1 games find newer.games => a database of games of version 9; this outflank reads version 1: update outflank
        1 games import text.games games.ggf => expected a database of games, but it looks like text
        1 games export text.games --to ggf => expected a database of games, but it looks like text
        1 analyze f5 --games text.games => expected a database of games, but it looks like text
        2 games import a.games a.games => DB would be written over FILE; name another file
        2 games export a.games --to ggf --out a.games => --out would be written over DB; name another file
        1 games find a.games --player nobody => no player is called \"nobody\"
        1 games find a.games --tournament x => no tournament is called \"x\"
        2 games find a.games --years 1999-1990 => the first year, 1999, is after the last one, 1990
        2 games find a.games --years x => expected a year or a range of years
        2 games find a.games --opening rose-b => is a part of several names of openings: Rose-Bill,
        1 games find a.games --opening zzz => no opening is called \"zzz\"; `outflank openings list` shows all
        2 games at a.games f5 --opening tiger => cannot be used with
        2 games at a.games f5f5 => move 2, F5, is not legal
        1 games at a.games xx => no opening is called \"xx\"; `outflank openings list` shows all
        2 games export a.games --to transcript --every => choose positions, so they need --to obf
    ";
    refuse_all(&folder, table);
    run_in(&folder, "convert a.games --to ggf", 1)
        .stderr_has("it is a database of games, which `outflank games export` converts\n");
    assert_eq!(fs::read(folder.path("a.games")).expect("a database"), whole);
}

/// Kills imports at several moments. The next one completes the database.
#[test]
fn killed_imports_lose_nothing() {
    let folder = Folder::new();
    let games: String = (0..2000)
        .map(|seed| transcript(&game(seed)) + "\n")
        .collect();
    folder.file("games.txt", &games);
    let line = "games import a.games games.txt";
    let begin = Instant::now();
    run_in(&folder, "games import whole.games games.txt", 0);
    let time = begin.elapsed();
    for part in 1..=5 {
        let child = spawn_in(&folder, line);
        thread::sleep(time * part / 5);
        kill(child);
        if folder.path("a.games").exists() {
            run_in(&folder, "games info a.games", 0);
        }
    }
    thread::sleep(Duration::from_millis(10));
    run_in(&folder, line, 0);
    let info = |name: &str| {
        run_in(&folder, &format!("games info {name} --json"), 0)
            .json()
            .remove(0)
    };
    let [mut whole, mut found] = ["whole.games", "a.games"].map(info);
    for info in [&mut whole, &mut found] {
        info["bytes"].take();
    }
    assert_eq!(found, whole);
    assert_eq!(found["games"], 2000);
}

/// All public games of a year, with the index of every position.
#[test]
fn public_games_are_indexed() {
    let Some(path) = shared("data/wthor/WTH_1990.wtb") else {
        return;
    };
    let folder = Folder::new();
    fs::copy(path, folder.path("WTH_1990.wtb")).expect("a copy");
    run_in(&folder, "games import a.games WTH_1990.wtb", 0);
    let info = run_in(&folder, "games info a.games --json", 0)
        .json()
        .remove(0);
    let number = |name: &str| info[name].as_u64().expect("a number");
    assert!(number("games") > 1000, "{info}");
    assert!(number("bytes") < 60 * number("positions"), "{info}");
    let start = run_in(&folder, "games at a.games --json", 0)
        .json()
        .remove(0);
    assert_eq!(
        start["moves"][0]["games"].as_u64(),
        Some(number("games")),
        "{start}"
    );
}
