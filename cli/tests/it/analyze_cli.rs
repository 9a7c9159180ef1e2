//! `outflank analyze`: what moves cost, by the rules alone where few squares are empty, and what is said
//! of files that are no games.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::dialogue::{assert_kept, problem};
use crate::common::picture::assert_inside;
use crate::common::program::outflank;
use outflank::{Board, Square};
use outflank_testing::command::{Folder, Run, handles_signals, interrupt, run, wait_until};
use outflank_testing::data::{game, transcript};
use outflank_testing::reference::exact_score;
use serde_json::Value;

/// Runs `outflank analyze` with a small table.
pub(crate) fn analyze(arguments: &str, stdin: &str) -> Run {
    let mut command: Command = outflank();
    command.args(["analyze", "--hash", "4"]);
    command.args(arguments.split_whitespace());
    run(&mut command, stdin.as_bytes())
}

#[test]
fn losses_are_those_of_perfect_play() {
    for seed in 1..=4 {
        let game = game(seed);
        let run = analyze("--depth 4 --json -", &transcript(&game)).expect(0);
        let objects = run.json();
        let [object, summary] = objects.as_slice() else {
            panic!("{objects:?}")
        };
        assert_eq!(object["result"], game.score().unwrap());
        let turns: Vec<(Board, _)> = game.turns().collect();
        assert_eq!(object["moves"].as_array().unwrap().len(), turns.len() - 1);
        let mut exact = 0;
        for one in object["moves"].as_array().unwrap().iter().skip(51) {
            // Searches of 4 plies are exact only at the end.
            let number = one["number"].as_u64().unwrap() as usize;
            let (board, _) = turns[number - 1];
            if !one["exact"].as_bool().unwrap() {
                assert!(board.empty_count() > 4);
                continue;
            }
            exact += 1;
            let best = exact_score(&board.to_string());
            assert_eq!(one["best_score"], best, "{board}");
            let played: Square = one["move"].as_str().unwrap().parse().unwrap();
            let score = -exact_score(&board.play(played).unwrap().to_string());
            assert_eq!(one["score"], score, "{board} {played}");
            assert_eq!(one["loss"], best - score);
            let name = one["best"].as_str().unwrap().parse().unwrap();
            let score = -exact_score(&board.play(name).unwrap().to_string());
            assert_eq!(score, best, "{board} {name}");
        }
        assert!(exact >= 4);
        let sum = |key: &str| {
            let moves = object["moves"].as_array().unwrap().iter();
            moves.map(|one| one[key].as_i64().unwrap()).sum::<i64>()
        };
        let [black, white] = ["black", "white"].map(|side| &object["losses"][side]["discs"]);
        let both = black.as_i64().unwrap() + white.as_i64().unwrap();
        assert_eq!(both, sum("loss"));
        assert_eq!(summary["summary"]["losses"]["discs"], both);
        assert_eq!(summary["summary"]["games"], 1);
    }
}

#[test]
fn all_first_moves_are_equal() {
    for (moves, depth) in [("f5", 1), ("d3", 2), ("c4", 3), ("e6", 4), ("e6", 7)] {
        let run = analyze(&format!("--depth {depth} --json -"), moves).expect(0);
        let first = &run.json()[0]["moves"][0];
        assert_eq!(first["loss"], 0, "{first}");
        assert_eq!(first["best"], moves.to_uppercase(), "{first}");
        assert_eq!(first["score"], first["best_score"], "{first}");
    }
}

#[test]
fn tables_and_pictures_show_the_marked_moves() {
    let folder = Folder::new();
    let game = game(7);
    let file = folder.file("game.txt", transcript(&game));
    let picture = folder.path("game.svg");
    let arguments = format!("--depth 3 {}", file.display());
    let table = analyze(&format!("{arguments} --svg {}", picture.display()), "")
        .expect(0)
        .stdout;
    let object = &analyze(&format!("{arguments} --json"), "").expect(0).json()[0];
    let svg = fs::read_to_string(picture).unwrap();
    let (mut marked, mut rows) = (0, table.lines().skip(3));
    for one in object["moves"].as_array().unwrap() {
        let row = rows.next().unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let of = |key: &str| one[key].as_str().unwrap();
        let name = match of("side") {
            "X" => of("move").to_lowercase(),
            _ => of("move").to_owned(),
        };
        let mark = of("mark");
        assert_eq!(cells[0], one["number"].to_string());
        assert_eq!(cells[1], one["empties"].to_string());
        assert_eq!(cells[2], format!("{name} {mark}").trim());
        // The score is black's, whoever moved.
        let score = one["score"].as_i64().unwrap();
        let black = if of("side") == "X" { score } else { -score };
        assert_eq!(one["black_score"], black);
        assert_eq!(cells[3], format!("{black:+}"));
        let loss = one["loss"].as_i64().unwrap();
        assert_eq!(
            cells[4],
            if loss > 0 {
                loss.to_string()
            } else {
                String::new()
            }
        );
        let sign = match loss {
            ..3 => "",
            3..6 => "?!",
            6..12 => "?",
            _ => "??",
        };
        assert_eq!(mark, sign);
        let text = format!("{name} -{loss}");
        if loss >= 3 {
            marked += 1;
            assert!(svg.contains(&text), "{text}");
        }
    }
    assert!(marked > 5, "random moves are bad");
    assert!(rows.next().unwrap().starts_with("black: "));
    assert!(rows.next().unwrap().starts_with("white: "));
}

#[test]
fn the_table_has_its_columns() {
    // The last move is a bad one.
    let table = analyze("--depth 2 -", "f5d6c3d3c4f4f6g5e3f3g4h3g2")
        .expect(0)
        .stdout;
    assert_kept("analyze", &table);
}

/// The first moves of an opening that was drawn are no mistakes of the players; neither are those before the last N. What
/// is said of the others is what an analysis of all says.
#[test]
fn only_moves_that_are_asked_for_are_judged() {
    let moves = transcript(&game(8));
    let all = &analyze("--depth 3 --json -", &moves).expect(0).json()[0];
    let judged = all["moves"].as_array().unwrap();
    let count = judged.len();
    for (options, first) in [
        ("--from 9", 9),
        ("--from 1", 1),
        ("--from transcript --from 60", 60),
        ("--last 20", count - 19),
        ("--last 60", 1),
        ("--last 5 --from 9", count - 4),
        ("--last 59 --from 30", 30),
    ] {
        let run = analyze(&format!("--depth 3 --json {options} -"), &moves).expect(0);
        let objects = run.json();
        let some = objects[0]["moves"].as_array().unwrap();
        assert_eq!(some[..], judged[first - 1..], "{options}");
        assert_eq!(
            objects[1]["summary"]["losses"]["moves"],
            count + 1 - first,
            "{options}"
        );
        let table = analyze(&format!("--depth 3 {options} -"), &moves)
            .expect(0)
            .stdout;
        let told = table
            .lines()
            .next()
            .unwrap()
            .contains(&format!(", judged from move {first} on"));
        assert_eq!(told, first > 1, "{table}");
    }
    // An opening of XOT alone: nothing is left to judge.
    let opening = "f5d6c4d3c2b3b4b5";
    let folder = Folder::new();
    let picture = folder.path("none.svg");
    let run = analyze(
        &format!("--depth 3 --from 9 - --svg {}", picture.display()),
        opening,
    )
    .expect(0);
    assert!(
        run.stdout.contains("black: moves 0, discs lost 0,"),
        "{}",
        run.stdout
    );
    assert_inside(&fs::read_to_string(picture).unwrap());
    for wrong in ["--from 0", "--from 61", "--from x", "--last 0", "--last x"] {
        let run = analyze(&format!("{wrong} -"), opening).expect(2);
        assert!(
            run.stderr.contains("expected a "),
            "{wrong}: {}",
            run.stderr
        );
    }
}

#[test]
fn every_level_judges_alike() {
    let text = transcript(&game(9));
    let answers = ["portable", "v2", "v3", "v4", "icl"].map(|isa| {
        let run = analyze(
            &format!("--depth 5 --selectivity 73 --json --isa {isa} -"),
            &text,
        );
        match run.status {
            // The CPU lacks it.
            2 => None,
            _ => Some(run.expect(0).stdout),
        }
    });
    assert!(answers[0].is_some());
    assert!(
        answers
            .iter()
            .flatten()
            .all(|answer| Some(answer) == answers[0].as_ref())
    );
}

#[test]
fn games_that_begin_elsewhere_end_early_or_have_no_moves() {
    // White has to pass after black's first move.
    let squares = format!("-OX-OXXX{}", "X".repeat(56)).replace('X', "*");
    let passes = format!("(;GM[Othello]PB[a]PW[b]BO[8 {squares} *]B[A1]W[PA]B[D1];)");
    let objects = analyze("--json -", &passes).expect(0).json();
    let moves = objects[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    for one in moves {
        assert_eq!(
            (one["side"].as_str(), one["score"].as_i64()),
            (Some("X"), Some(64))
        );
        assert_eq!(one["loss"], 0);
    }
    assert_eq!(objects[0]["players"]["black"], "a");

    let early = analyze("--depth 4 --json -", "f5d6c3d3c4").expect(0).json();
    assert_eq!(early[0]["moves"].as_array().unwrap().len(), 5);
    assert_eq!(early[0]["result"], Value::Null);

    let start =
        "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)";
    // A game without moves is a position: its moves are scored, and there is nothing to draw.
    let nothing = analyze("--depth 2 --json -", start).expect(0).json();
    assert_eq!(nothing[0]["moves"].as_array().unwrap().len(), 4);
    let folder = Folder::new();
    let picture = folder.path("nothing.svg");
    analyze(&format!("- --svg {}", picture.display()), start).expect(2);
    assert!(!picture.exists());
}

#[test]
fn ctrl_c_leaves_what_was_finished() {
    let folder = Folder::new();
    let older = "<svg>an older one</svg>";
    let picture = folder.file("old.svg", older);
    // One move, then one that takes hours.
    let games = folder.file("games.txt", format!("{}\nf5\n", transcript(&game(5))));
    let mut command = outflank();
    command.args(["analyze", "--hash", "4", "--level", "60", "--svg"]);
    command.arg(&picture).arg(&games).args(["--game", "2"]);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    wait_until(|| handles_signals(&child));
    interrupt(&child);
    let run = Run::of(child);
    assert_eq!((run.status, run.stdout.as_str()), (130, ""), "{run:?}");
    assert_eq!(fs::read_to_string(picture).unwrap(), older);
}

#[test]
fn what_cannot_be_is_said() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "f5d6c3\nf5f5\nf5f6e6\n");
    let (file, depth) = (games.display(), "--depth 2");
    let run = analyze(&format!("{depth} {file}"), "").expect(1);
    assert!(run.stderr.contains(&format!("{file}:2:")), "{}", run.stderr);
    assert!(run.stdout.contains("1. ") && run.stdout.contains("2. "));
    assert!(
        run.stdout.contains("\ngames 2, moves 6, "),
        "{}",
        run.stdout
    );
    // The others are as they were.
    let run = analyze(&format!("{depth} {file} --game 2"), "").expect(1);
    assert!(
        run.stdout.starts_with("2. ") && run.stdout.contains("F6"),
        "{}",
        run.stdout
    );

    let picture = folder.path("many.svg");
    for (arguments, status, told) in [
        (
            format!("{file} --svg {}", picture.display()),
            2,
            "choose one with --game",
        ),
        ("no-such-file".to_owned(), 1, "no-such-file"),
        (
            format!("{depth} - --from transcript"),
            1,
            "neither games nor positions in it",
        ),
        (format!("{file} --game 0"), 2, "--game"),
        (format!("{file} --threads 0"), 2, "threads"),
    ] {
        let run = analyze(&arguments, "").expect(status);
        assert!(run.stderr.contains(told), "{arguments}: {}", run.stderr);
    }
    assert!(!picture.exists());
    let problem = &problem("ffo-1-19", 0);
    let run = analyze(&format!("- --svg {}", picture.display()), problem).expect(2);
    assert!(
        run.stderr
            .contains("--svg shows a game, and standard input:1 is a position without moves"),
        "{}",
        run.stderr
    );
    let other = format!("{} X;", Board::START);
    for (positions, told) in [
        (
            format!("{problem}\n{other}\n"),
            "2 positions without moves\n",
        ),
        (
            "f5d6\nf5f6\n".to_owned(),
            "2 games: choose one with --game\n",
        ),
    ] {
        let run = analyze(&format!("- --svg {}", picture.display()), &positions).expect(2);
        assert!(run.stderr.ends_with(told), "{}", run.stderr);
    }
    let file = folder.file("problem.obf", problem);
    let run = analyze(
        &format!("- {} --svg {}", file.display(), picture.display()),
        "f5d6",
    )
    .expect(2);
    let told =
        "--svg draws one game, and the files have 1 game and 1 position: choose one with --game\n";
    assert!(run.stderr.ends_with(told), "{}", run.stderr);
    let run = analyze("- --game 3", "f5d6").expect(2);
    assert!(
        run.stderr.contains("there is no game 3: the files have 1"),
        "{}",
        run.stderr
    );
    let run = analyze("--depth 1 - --svg /no/such/folder.svg", "f5d6").expect(1);
    assert!(
        run.stderr.contains("cannot write /no/such/folder.svg"),
        "{}",
        run.stderr
    );
}
