//! `outflank puzzle`, and the mistakes that `outflank analyze --save-mistakes` collects for it.

use std::fs;

use crate::common::program::{ONE_EMPTY, OutputChecks, cli_in};
use outflank::notation::obf;
use outflank_testing::command::{Folder, Run, run};

/// Position of 14 empty squares. The best move is G8 (+18).
const POSITIONS: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; % first
";

/// A game with mistakes of both sides.
const GAME: &str = "(;GM[Othello]PB[Ann Smith]PW[Bob]RE[?]B[E6]W[F4]B[D3]W[C4]B[F5]W[E2]B[B4]W[F6]B[G5]W[C3]B[E3]W[H4];)\n";

fn puzzle(folder: &Folder, options: &str, typed: &str) -> Run {
    let words = format!("puzzle --hash 1 --threads 1 {options}");
    run(&mut cli_in(folder, &words), typed.as_bytes())
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("a.obf", POSITIONS);
    folder.file("game.ggf", GAME);
    folder
}

#[test]
fn answers_are_judged_and_wrong_ones_come_again() {
    let folder = folder();
    let typed = "nonsense\na1\nhint\nh7\ng8\n";
    let run = puzzle(&folder, "a.obf", typed).expect(0);
    for text in [
        "1 of 1: first",
        "\"nonsense\" is neither a square nor a command",
        "A1 is not legal",
        "1 move is right; the best scores +18 (exact)",
        "Wrong: H7 scores +6 (exact), 12 discs less than +18 by g8",
        "Again: first",
        "Right: G8 scores +18 (exact), g8",
        "0 of 1 position right at once (0 %), 12 discs lost, 12.0 each",
    ] {
        run.stdout_has(text);
    }
    let run = puzzle(&folder, "a.obf --within 12", "h7\n").expect(0);
    run.stdout_has("Right: H7 scores +6")
        .stdout_has("1 of 1 position right at once (100 %)");
    let run = puzzle(&folder, "a.obf", "show\nskip\n").expect(0);
    run.stdout_has("Best: +18 (exact) by g8")
        .stdout_has("0 of 1 position");
    let run = puzzle(&folder, "a.obf", "").expect(0);
    assert!(
        !run.stdout.contains("position right"),
        "nothing was answered"
    );
}

#[test]
fn records_keep_what_is_known() {
    let folder = folder();
    let record = || fs::read_to_string(folder.path("a.practice")).unwrap();
    puzzle(&folder, "a.obf --record a.practice", "g8\n").expect(0);
    let fields: Vec<String> = record()
        .lines()
        .nth(1)
        .unwrap()
        .split('\t')
        .map(str::to_owned)
        .collect();
    assert_eq!([&fields[1], &fields[3], &fields[4]], ["1", "1", "0"]);
    let run = puzzle(&folder, "a.obf --record a.practice", "g8\n").expect(0);
    run.stdout_has(format!(
        "Nothing is due. The next position comes on {};",
        fields[2]
    ));
    puzzle(&folder, "a.obf --record a.practice --all", "h7\n").expect(0);
    assert!(
        record().contains("\t0\t"),
        "a wrong answer begins anew: {}",
        record()
    );
    puzzle(&folder, "a.obf --record a.practice", "g8\n")
        .expect(0)
        .stdout_has("Right");
    assert!(record().ends_with("\t2\t1\n"), "{}", record());

    // Faulty records are refused and kept.
    folder.file("text.practice", "f5d6\n");
    let faulty = record() + "no position\t0\t2026-01-01\t0\t0\n";
    folder.file("faulty.practice", &faulty);
    for (name, reason) in [
        ("text.practice", "no file of --record"),
        ("faulty.practice", "faulty.practice:3: expected a position"),
        (".", "no file of --record"),
        ("a.obf", "no file of --record"),
    ] {
        puzzle(&folder, &format!("a.obf --record {name}"), "g8\n")
            .expect(1)
            .stderr_has(reason);
    }
    assert_eq!(
        fs::read_to_string(folder.path("faulty.practice")).unwrap(),
        faulty
    );
}

#[test]
fn games_give_a_position_each() {
    let folder = folder();
    let run = puzzle(&folder, "game.ggf --move 9 --level 2", "show\n").expect(0);
    run.stdout_has("1 of 1: 1. Ann Smith - Bob")
        .stdout_has("Best: ");
    let run = puzzle(&folder, "a.obf game.ggf --empties 14", "quit\n").expect(0);
    run.stdout_has("1 of 1: first")
        .stderr_has("game.ggf: 1 without such a position");
    for (options, status, reason) in [
        ("none.obf", 1, "none.obf"),
        ("-", 2, "from which your answers come"),
        ("a.obf --record none/x", 1, "none/x"),
        (
            "a.obf --empties 9",
            1,
            "there is no position with two legal moves",
        ),
        ("a.obf --record", 2, "--record"),
        ("a.obf --count 0", 2, "--count"),
        ("a.obf --within 65", 2, "--within"),
    ] {
        puzzle(&folder, options, "")
            .expect(status)
            .stderr_has(reason);
    }
    folder.file("forced.obf", ONE_EMPTY);
    puzzle(&folder, "forced.obf", "")
        .expect(1)
        .stderr_has("there is no position with two legal moves");
}

#[test]
fn mistakes_are_collected_once() {
    let folder = folder();
    let analyze = |options: &str, status: i32| {
        let words = format!("analyze game.ggf --hash 1 --threads 1 --depth 4 {options}");
        run(&mut cli_in(&folder, &words), b"").expect(status)
    };
    let saved = |name: &str| -> Vec<_> {
        let text = fs::read(folder.path(name)).unwrap();
        obf::read(&text).map(|problem| problem.unwrap()).collect()
    };
    analyze("--save-mistakes all.obf", 0).stdout_has("all.obf: ");
    let all = saved("all.obf");
    assert!(all.len() > 1, "{all:?}");
    for problem in &all {
        assert!(
            problem
                .name
                .as_ref()
                .unwrap()
                .starts_with("Ann Smith - Bob, move ")
        );
        assert!(
            problem.moves.is_empty(),
            "scores of four plies are not exact"
        );
    }
    analyze("--save-mistakes all.obf", 0)
        .stdout_has(format!("all.obf: 0 mistakes added, {} known", all.len()));
    analyze("--save-mistakes black.obf --mistakes-of black", 0);
    analyze("--save-mistakes ann.obf --mistakes-of smith", 0);
    analyze("--save-mistakes bob.obf --mistakes-of bob", 0);
    assert_eq!(saved("black.obf"), saved("ann.obf"));
    assert_eq!(saved("ann.obf").len() + saved("bob.obf").len(), all.len());

    let game = fs::read(folder.path("game.ggf")).unwrap();
    for (options, status, reason) in [
        ("--save-mistakes game.ggf", 1, "adds to a file of positions"),
        ("--mistakes-of black", 2, "--save-mistakes"),
        (
            "--save-mistakes x.obf --mistakes-of=",
            2,
            "a part of a player's name",
        ),
        ("--save-mistakes none/x.obf", 1, "none/x.obf"),
    ] {
        analyze(options, status).stderr_has(reason);
    }
    assert_eq!(fs::read(folder.path("game.ggf")).unwrap(), game);
    assert!(!folder.path("x.obf").exists());
    analyze("--save-mistakes x.obf --mistakes-of annie", 0)
        .stderr_has("no player of these games is called \"annie\"");
    // The name of the played move is shown after the answer.
    let run = puzzle(&folder, "all.obf --level 4 --within 0 --seed 0", "show\n").expect(0);
    let (before, after) = run.stdout.split_once("Best: ").unwrap();
    assert!(
        before.contains("Ann Smith - Bob, move ") && !before.contains(" lost "),
        "{before}"
    );
    assert!(after.contains(" lost "), "{after}");
}
