//! `outflank analyze`: losses against a reference near the end of games, selections, and errors.

use std::fs;
use std::process::Stdio;

use crate::common::dialogue::{assert_snapshot, ggf, run_on_input};
use crate::common::picture::assert_inside;
use crate::common::program::{OutputChecks, cli_in, run_in};
use crate::common::text::{assert_has, assert_starts};
use outflank::{Board, Isa, Square};
use outflank_testing::command::{
    Folder, Run, handles_signals, interrupt, wait_until, with_console,
};
use outflank_testing::data::{game, transcript};
use outflank_testing::reference::exact_score;
use serde_json::{Value, json};

/// Runs `outflank analyze` with a small table.
pub(crate) fn analyze(options: &str, stdin: &str) -> Run {
    run_on_input(&format!("analyze --hash 4 {options}"), stdin)
}

/// Analyses games and returns the objects of the output.
#[track_caller]
pub(crate) fn analyze_json(options: &str, games: &str) -> Vec<Value> {
    analyze(&format!("{options} --json -"), games)
        .expect(0)
        .json()
}

/// Analyses a game. Returns the table and the picture.
#[track_caller]
pub(crate) fn draw(options: &str, game: &str) -> (String, String) {
    let folder = Folder::new();
    let picture = folder.path("game.svg");
    let options = format!("{options} - --svg {}", picture.display());
    let table = analyze(&options, game).expect(0).stdout;
    (table, fs::read_to_string(picture).unwrap())
}

/// The moves of a game.
pub(crate) fn moves(game: &Value) -> &[Value] {
    game["moves"].as_array().expect("it has moves")
}

/// Value of a numeric key, such as a score.
pub(crate) fn number(object: &Value, key: &str) -> i64 {
    object[key].as_i64().expect("a number")
}

#[test]
fn losses_match_the_reference() {
    for seed in 1..=4 {
        let game = game(seed);
        let objects = analyze_json("--depth 4", &transcript(&game));
        let [object, summary] = objects.as_slice() else {
            panic!("{objects:?}")
        };
        assert_eq!(object["result"], game.score().unwrap());
        let turns: Vec<(Board, _)> = game.turns().collect();
        assert_eq!(moves(object).len(), turns.len() - 1);
        let mut exact = 0;
        for judgement in &moves(object)[51..] {
            // Searches of 4 plies are exact only at the end.
            let (board, _) = turns[number(judgement, "number") as usize - 1];
            if judgement["exact"] == false {
                assert!(board.empty_count() > 4);
                continue;
            }
            exact += 1;
            let score_of = |key: &str| {
                let square: Square = judgement[key].as_str().unwrap().parse().unwrap();
                -exact_score(&board.play(square).unwrap().to_string())
            };
            let best = exact_score(&board.to_string());
            let score = score_of("move");
            let expected = json!([best, score, best - score]);
            let found = ["best_score", "score", "loss"].map(|key| &judgement[key]);
            assert_eq!(json!(found), expected, "{board}: {judgement}");
            assert_eq!(score_of("best"), best, "{board}: {judgement}");
        }
        assert!(exact >= 4);
        let losses = moves(object).iter();
        let sum: i64 = losses.map(|judgement| number(judgement, "loss")).sum();
        let [black, white] = ["black", "white"].map(|side| &object["losses"][side]);
        assert_eq!(number(black, "discs") + number(white, "discs"), sum);
        assert_eq!(summary["summary"]["losses"]["discs"], sum);
        assert_eq!(summary["summary"]["games"], 1);
    }
}

#[test]
fn all_first_moves_are_equal() {
    for (moves, depth) in [("f5", 1), ("d3", 2), ("c4", 3), ("e6", 4), ("e6", 7)] {
        let objects = analyze_json(&format!("--depth {depth}"), moves);
        let first = &objects[0]["moves"][0];
        assert_eq!(first["loss"], 0, "{first}");
        assert_eq!(first["best"], moves.to_uppercase(), "{first}");
        assert_eq!(first["score"], first["best_score"], "{first}");
    }
}

#[test]
fn tables_and_pictures_show_marked_moves() {
    let game = transcript(&game(7));
    let (table, svg) = draw("--depth 3", &game);
    let object = &analyze_json("--depth 3", &game)[0];
    let (mut marked, mut rows) = (0, table.lines().skip(3));
    for judgement in moves(object) {
        let row = rows.next().unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let of = |key: &str| judgement[key].as_str().unwrap();
        let name = match of("side") {
            "X" => of("move").to_lowercase(),
            _ => of("move").to_owned(),
        };
        let mark = of("mark");
        // The column has the score for black, whichever side moved.
        let score = number(judgement, "score");
        let black = if of("side") == "X" { score } else { -score };
        assert_eq!(judgement["black_score"], black);
        let loss = number(judgement, "loss");
        let shown_loss = if loss > 0 {
            loss.to_string()
        } else {
            String::new()
        };
        let expected = [
            judgement["number"].to_string(),
            judgement["empties"].to_string(),
            format!("{name} {mark}").trim().to_owned(),
            format!("{black:+}"),
            shown_loss,
        ];
        assert_eq!(cells[..5], expected);
        let sign = match loss {
            ..3 => "",
            3..6 => "?!",
            6..12 => "?",
            _ => "??",
        };
        assert_eq!(mark, sign);
        if loss >= 3 {
            marked += 1;
            assert_has(&svg, &format!("{name} -{loss}"));
        }
    }
    assert!(marked > 5, "random moves are bad");
    for start in ["black: ", "white: "] {
        assert_starts(rows.next().unwrap(), start);
    }
}

#[test]
fn tables_match_the_snapshot() {
    // The last move is a mistake.
    let run = analyze("--depth 2 -", "f5d6c3d3c4f4f6g5e3f3g4h3g2").expect(0);
    assert_snapshot("analyze", &run.stdout);
}

/// The judgements are equal to those in an analysis of all moves.
#[test]
fn only_selected_moves_are_judged() {
    let game = transcript(&game(8));
    let all = &analyze_json("--depth 3", &game)[0];
    let judged = moves(all);
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
        let options = format!("--depth 3 {options}");
        let objects = analyze_json(&options, &game);
        assert_eq!(moves(&objects[0]), &judged[first - 1..], "{options}");
        let judged_moves = &objects[1]["summary"]["losses"]["moves"];
        assert_eq!(*judged_moves, count + 1 - first, "{options}");
        let table = analyze(&format!("{options} -"), &game).expect(0).stdout;
        let note = format!(", judged from move {first} on\n");
        assert_eq!(table.contains(&note), first > 1, "{table}");
    }
    // The game has only the eight moves of an XOT opening, so no move is judged.
    let opening = "f5d6c4d3c2b3b4b5";
    let (table, svg) = draw("--depth 3 --from 9", opening);
    assert_has(&table, "black: moves 0, discs lost 0,");
    assert_inside(&svg);
}

#[test]
fn every_level_gives_equal_analyses() {
    let text = transcript(&game(9));
    let answer = |isa: &Isa| {
        let options = format!("--depth 5 --selectivity 73 --json --isa {isa} -");
        analyze(&options, &text).expect(0).stdout
    };
    let levels = Isa::available();
    for isa in levels {
        assert_eq!(answer(isa), answer(&levels[0]), "{isa}");
    }
}

#[test]
fn unusual_games_are_analysed() {
    // White has to pass after black's first move.
    let squares = format!("-OX-OXXX{}", "X".repeat(56)).replace('X', "*");
    let passes = format!("(;GM[Othello]PB[a]PW[b]BO[8 {squares} *]B[A1]W[PA]B[D1];)");
    let objects = analyze_json("", &passes);
    assert_eq!(moves(&objects[0]).len(), 2);
    for judgement in moves(&objects[0]) {
        assert_eq!(judgement["side"], "X");
        assert_eq!([&judgement["score"], &judgement["loss"]], [64, 0]);
    }
    assert_eq!(objects[0]["players"]["black"], "a");

    let early = analyze_json("--depth 4", "f5d6c3d3c4");
    assert_eq!(moves(&early[0]).len(), 5);
    assert_eq!(early[0]["result"], Value::Null);

    // A game without moves is a position: its moves are scored, and there is nothing to draw.
    let start = &ggf(&format!("{} X", Board::START));
    assert_eq!(moves(&analyze_json("--depth 2", start)[0]).len(), 4);
    let folder = Folder::new();
    folder.file("start.ggf", start);
    run_in(&folder, "analyze start.ggf --svg nothing.svg", 2);
    assert!(!folder.path("nothing.svg").exists());
}

#[test]
fn ctrl_c_leaves_an_older_picture() {
    let folder = Folder::new();
    let older = "<svg>an older one</svg>";
    folder.file("old.svg", older);
    // Game 2 has one move, whose search takes hours.
    folder.file("games.txt", format!("{}\nf5\n", transcript(&game(5))));
    let words = "analyze --hash 4 --level 60 --svg old.svg --game 2 games.txt";
    let mut command = cli_in(&folder, words);
    let command = with_console(&mut command).stdin(Stdio::null());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until(|| handles_signals(&child));
    interrupt(&child);
    let run = Run::wait_for(child);
    assert_eq!((run.status, run.stdout.as_str()), (130, ""), "{run:?}");
    let picture = fs::read_to_string(folder.path("old.svg"));
    assert_eq!(picture.unwrap(), older);
}

#[test]
fn faulty_lines_are_reported_and_not_counted() {
    let folder = Folder::new();
    folder.file("games.txt", "f5d6c3\nf5f5\nf5f6e6\n");
    let run = run_in(&folder, "analyze --hash 4 --depth 2 games.txt", 1);
    run.stderr_has("games.txt:2:")
        .stdout_has("1. ")
        .stdout_has("2. ")
        .stdout_has("\ngames 2, moves 6, ");
    let run = run_in(&folder, "analyze --hash 4 --depth 2 --game 2 games.txt", 1);
    run.stdout_starts("2. ").stdout_has("F6");
}
