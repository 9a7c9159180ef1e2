//! `outflank analyze`: losses against a reference near the end of games, selections, and errors.

use std::fs;
use std::process::Stdio;

use crate::common::dialogue::{assert_snapshot, problem};
use crate::common::picture::assert_inside;
use crate::common::program::{OutputChecks, cli};
use outflank::{Board, Square};
use outflank_testing::command::{Folder, Run, handles_signals, interrupt, run, wait_until};
use outflank_testing::data::{game, transcript};
use outflank_testing::reference::exact_score;
use serde_json::Value;

/// Runs `outflank analyze` with a small table.
pub(crate) fn analyze(arguments: &str, stdin: &str) -> Run {
    run(
        &mut cli(&format!("analyze --hash 4 {arguments}")),
        stdin.as_bytes(),
    )
}

#[test]
fn losses_are_those_of_the_reference() {
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
        for judgement in object["moves"].as_array().unwrap().iter().skip(51) {
            // Searches of 4 plies are exact only at the end.
            let number = judgement["number"].as_u64().unwrap() as usize;
            let (board, _) = turns[number - 1];
            if !judgement["exact"].as_bool().unwrap() {
                assert!(board.empty_count() > 4);
                continue;
            }
            exact += 1;
            let best = exact_score(&board.to_string());
            assert_eq!(judgement["best_score"], best, "{board}");
            let played: Square = judgement["move"].as_str().unwrap().parse().unwrap();
            let score = -exact_score(&board.play(played).unwrap().to_string());
            assert_eq!(judgement["score"], score, "{board} {played}");
            assert_eq!(judgement["loss"], best - score);
            let name = judgement["best"].as_str().unwrap().parse().unwrap();
            let score = -exact_score(&board.play(name).unwrap().to_string());
            assert_eq!(score, best, "{board} {name}");
        }
        assert!(exact >= 4);
        let sum = |key: &str| {
            let moves = object["moves"].as_array().unwrap().iter();
            moves
                .map(|judgement| judgement[key].as_i64().unwrap())
                .sum::<i64>()
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
fn tables_and_pictures_show_marked_moves() {
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
    for judgement in object["moves"].as_array().unwrap() {
        let row = rows.next().unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let of = |key: &str| judgement[key].as_str().unwrap();
        let name = match of("side") {
            "X" => of("move").to_lowercase(),
            _ => of("move").to_owned(),
        };
        let mark = of("mark");
        assert_eq!(cells[0], judgement["number"].to_string());
        assert_eq!(cells[1], judgement["empties"].to_string());
        assert_eq!(cells[2], format!("{name} {mark}").trim());
        // The column has the score for black, whichever side moved.
        let score = judgement["score"].as_i64().unwrap();
        let black = if of("side") == "X" { score } else { -score };
        assert_eq!(judgement["black_score"], black);
        assert_eq!(cells[3], format!("{black:+}"));
        let loss = judgement["loss"].as_i64().unwrap();
        let shown_loss = if loss > 0 {
            loss.to_string()
        } else {
            String::new()
        };
        assert_eq!(cells[4], shown_loss);
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
fn tables_match_the_snapshot() {
    // The last move is a mistake.
    let table = analyze("--depth 2 -", "f5d6c3d3c4f4f6g5e3f3g4h3g2")
        .expect(0)
        .stdout;
    assert_snapshot("analyze", &table);
}

/// The judgements are equal to those in an analysis of all moves.
#[test]
fn only_selected_moves_are_judged() {
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
        let selected = objects[0]["moves"].as_array().unwrap();
        assert_eq!(selected[..], judged[first - 1..], "{options}");
        assert_eq!(
            objects[1]["summary"]["losses"]["moves"],
            count + 1 - first,
            "{options}"
        );
        let table = analyze(&format!("--depth 3 {options} -"), &moves)
            .expect(0)
            .stdout;
        let note = format!(", judged from move {first} on\n");
        assert_eq!(table.contains(&note), first > 1, "{table}");
    }
    // The game has only the eight moves of an XOT opening, so no move is judged.
    let opening = "f5d6c4d3c2b3b4b5";
    let folder = Folder::new();
    let picture = folder.path("none.svg");
    let run = analyze(
        &format!("--depth 3 --from 9 - --svg {}", picture.display()),
        opening,
    )
    .expect(0);
    run.stdout_has("black: moves 0, discs lost 0,");
    assert_inside(&fs::read_to_string(picture).unwrap());
    for wrong in ["--from 0", "--from 61", "--from x", "--last 0", "--last x"] {
        let run = analyze(&format!("{wrong} -"), opening).expect(2);
        run.stderr_has("expected a ");
    }
}

#[test]
fn every_level_gives_equal_analyses() {
    let text = transcript(&game(9));
    let answers = ["portable", "v2", "v3", "v4", "icl"].map(|isa| {
        let run = analyze(
            &format!("--depth 5 --selectivity 73 --json --isa {isa} -"),
            &text,
        );
        match run.status {
            // The CPU lacks this level.
            2 => None,
            _ => Some(run.expect(0).stdout),
        }
    });
    assert!(answers[0].is_some());
    let mut found = answers.iter().flatten();
    assert!(found.all(|answer| Some(answer) == answers[0].as_ref()));
}

#[test]
fn unusual_games_are_analysed() {
    // White has to pass after black's first move.
    let squares = format!("-OX-OXXX{}", "X".repeat(56)).replace('X', "*");
    let passes = format!("(;GM[Othello]PB[a]PW[b]BO[8 {squares} *]B[A1]W[PA]B[D1];)");
    let objects = analyze("--json -", &passes).expect(0).json();
    let moves = objects[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    for judgement in moves {
        assert_eq!(judgement["side"], "X");
        assert_eq!([&judgement["score"], &judgement["loss"]], [64, 0]);
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
fn ctrl_c_leaves_an_older_picture() {
    let folder = Folder::new();
    let older = "<svg>an older one</svg>";
    let picture = folder.file("old.svg", older);
    // Game 2 has one move, whose search takes hours.
    let games = folder.file("games.txt", format!("{}\nf5\n", transcript(&game(5))));
    let mut command = cli("analyze --hash 4 --level 60 --svg");
    command.arg(&picture).arg(&games).args(["--game", "2"]);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    wait_until(|| handles_signals(&child));
    interrupt(&child);
    let run = Run::wait_for(child);
    assert_eq!((run.status, run.stdout.as_str()), (130, ""), "{run:?}");
    assert_eq!(fs::read_to_string(picture).unwrap(), older);
}

#[test]
fn faulty_lines_keep_the_numbers_of_the_others() {
    let folder = Folder::new();
    let games = folder.file("games.txt", "f5d6c3\nf5f5\nf5f6e6\n");
    let file = games.display();
    let run = analyze(&format!("--depth 2 {file}"), "").expect(1);
    run.stderr_has(format!("{file}:2:"));
    run.stdout_has("1. ")
        .stdout_has("2. ")
        .stdout_has("\ngames 2, moves 6, ");
    let run = analyze(&format!("--depth 2 {file} --game 2"), "").expect(1);
    run.stdout_starts("2. ").stdout_has("F6");
}

#[test]
fn impossible_requests_are_reported() {
    let folder = Folder::new();
    let picture = folder.path("many.svg");
    let svg = format!("--svg {}", picture.display());
    let problem = &problem("ffo-1-19", 0);
    let file = folder.file("problem.obf", problem);
    let start = format!("{} X;", Board::START);
    let no_moves = "--svg shows a game, and standard input:1 is a position without moves";
    for (arguments, stdin, status, message) in [
        (
            format!("- {svg}"),
            "f5d6\nf5f6\n",
            2,
            "2 games: choose one with --game\n",
        ),
        ("no-such-file".into(), "", 1, "no-such-file"),
        (
            "- --from transcript".into(),
            "",
            1,
            "neither games nor positions in it",
        ),
        ("- --game 0".into(), "f5d6", 2, "--game"),
        ("- --threads 0".into(), "f5d6", 2, "threads"),
        (format!("- {svg}"), problem, 2, no_moves),
        (
            format!("- {svg}"),
            &format!("{problem}\n{start}\n"),
            2,
            "2 positions without moves\n",
        ),
        (
            format!("- {} {svg}", file.display()),
            "f5d6",
            2,
            "--svg draws one game, and the files have 1 game and 1 position: choose one with --game\n",
        ),
        (
            "- --game 3".into(),
            "f5d6",
            2,
            "there is no game 3: the files have 1",
        ),
        (
            "--depth 1 - --svg /no/such/folder.svg".into(),
            "f5d6",
            1,
            "cannot write /no/such/folder.svg",
        ),
    ] {
        analyze(&arguments, stdin)
            .expect(status)
            .stderr_has(message);
    }
    assert!(!picture.exists());
}
