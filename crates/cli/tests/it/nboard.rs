//! `outflank nboard`: sessions and hints. See `protocol_clocks.rs` and `protocol_faults.rs`, too.

use crate::common::dialogue::{
    Dialogue, FORCED_PASS, SYMMETRIC, assert_snapshot, ggf, parsed, problem, run_on_input,
};
use outflank::notation::ggf::GgfMove;
use outflank::{Board, Game};

/// Transcript that does not depend on machine and weights. Nodes, times, inexact searches, and plies after the best
/// move are left out.
fn redacted(engine: &Dialogue) -> String {
    let mut text = String::new();
    for line in engine.transcript().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        text += &match words[..] {
            ["search", line, .., "100%"] => {
                format!("search {}... {}\n", &line[..2], words[2..].join(" "))
            }
            ["search" | "nodestats", ..] => continue,
            ["===", played] if played.contains('/') => {
                let parts: Vec<&str> = played.split('/').collect();
                format!("=== {}/{}/TIME\n", parts[0], parts[1])
            }
            _ => format!("{line}\n"),
        };
    }
    text
}

/// Words of the `search` lines of an output: line of play, score, 0 and depth.
fn searches<T: AsRef<str>>(lines: &[T]) -> Vec<Vec<&str>> {
    let lines = lines.iter().map(AsRef::as_ref);
    let searches = lines.filter_map(|line: &str| line.strip_prefix("search "));
    searches.map(|line| line.split(' ').collect()).collect()
}

/// Returns `true` if a line of play is legal on `board` and not empty.
fn can_be_played(board: Board, line: &str) -> bool {
    let mut game = Game::from_start(board, outflank::Side::Black).unwrap();
    let plies = line.as_bytes().chunks(2).map(|name| {
        let name = str::from_utf8(name).unwrap();
        name.parse::<GgfMove>().unwrap().ply
    });
    let played = plies.map(|ply| match ply {
        Some(square) => game.play(square),
        None => game.pass(),
    });
    !line.is_empty() && played.into_iter().all(|played| played.is_ok())
}

/// Commands of the session in the snapshot, divided by bars, each with the beginning of its last answer. An empty
/// beginning means that there is no answer.
const SESSION: [(&str, &str); 29] = [
    ("nboard 2", "set myname"),
    ("set contempt 50 | set depth 8 | set colour red", ""),
    (
        "set depth deep | set depth -1 | set depth | set depth 8 plies",
        "status Error",
    ),
    ("a line of another protocol", ""),
    ("ping 1", "pong 1"),
    ("ping", "status Error"),
    ("move F5 | move D6/0.5/1.25", ""),
    ("move D6 | move Z9 | move PA", "status Error"),
    ("learn", "learned"),
    ("set game FFO", ""),
    ("hint 3", "status Ready"),
    ("hint many | hint 0 | hint -3", "status Error"),
    ("go", "status Ready"),
    ("move G8/18.00/0.1", ""),
    ("ping 2", "pong 2"),
    ("analyze", "status Ready"),
    ("set game PASS", ""),
    ("hint 1", "status Ready"),
    ("go", "==="),
    ("move PA", ""),
    ("go", "status Ready"),
    ("move C1//2", ""),
    ("go | hint 1", "status The"),
    ("move PA", ""),
    ("move H8", "status Error"),
    ("analyze", "status Ready"),
    ("set game (;GM[Othello]B[A1];) | set game", "status Error"),
    ("stop", ""),
    ("ping 3", "pong 3"),
];

#[test]
fn sessions_match_the_snapshot() {
    let mut engine = Dialogue::start("nboard --hash 1");
    let [ffo, pass] = [&problem("ffo-1-19", 0), FORCED_PASS].map(ggf);
    for (commands, last) in SESSION {
        for command in commands.split(" | ") {
            engine.send(&command.replace("FFO", &ffo).replace("PASS", &pass));
            if !last.is_empty() {
                engine.until(last);
            }
        }
    }
    assert_snapshot("nboard-session", &redacted(&engine));
    engine.send("quit");
    assert_eq!(engine.close().expect(0).stdout, "");
}

/// The moves are sorted, best first.
#[test]
fn hints_get_deeper_with_all_moves_each_time() {
    let mut engine = Dialogue::start("nboard --hash 4 --level 9");
    for (number, moves) in [(0, 1), (1, 4), (2, 60)] {
        let position = problem("midgame", number);
        let board = parsed(&position).board;
        engine.set_game(&position);
        engine.send(&format!("hint {moves}"));
        let lines = engine.until("status Ready");
        let expected = board.mobility().count_ones().min(moves) as usize;
        let mut depths: Vec<u32> = Vec::new();
        let sets = lines.split(|line| line.starts_with("nodestats "));
        for set in sets.map(searches).filter(|set| !set.is_empty()) {
            assert_eq!(set.len(), expected, "{set:?}");
            let mut evals: Vec<f64> = Vec::new();
            for words in &set {
                let &[line, eval, "0", depth] = &words[..] else {
                    panic!("{words:?}");
                };
                assert!(can_be_played(board, line), "{words:?}");
                evals.push(eval.parse().unwrap());
                depths.push(depth.parse().unwrap());
            }
            assert!(evals.is_sorted_by(|a, b| a >= b), "{evals:?}");
        }
        depths.dedup();
        assert_eq!(depths, [1, 3, 5, 7, 9]);
    }
    engine.close().expect(0);
}

/// A wrong depth is refused and leaves the old one. A depth beyond the empty squares searches to the end of the game.
#[test]
fn depths_are_checked() {
    let mut engine = Dialogue::start("nboard --hash 1");
    for (depth, is_refused, deepest) in [
        ("3", false, "3"),
        ("-1", true, "3"),
        ("-99999999999999999999", true, "3"),
        ("3.5", true, "3"),
        ("inf", true, "3"),
        ("0", false, "1"),
        ("1000", false, "100%"),
        ("3", false, "3"),
        ("99999999999999999999", false, "100%"),
    ] {
        engine.set_game(&problem("ffo-1-19", 0));
        engine.send(&format!("set depth {depth}"));
        if is_refused {
            engine.until("status Error: set depth is followed by a number of plies, 0 or more");
        }
        engine.send("go");
        let lines = engine.until("===");
        let last = searches(&lines).pop().expect("it searches");
        assert_eq!(last.last(), Some(&deepest), "{depth}");
    }
    engine.close().expect(0);
}

/// The input is closed after the commands, with or without `quit`.
#[test]
fn commands_before_the_end_of_input_are_answered() {
    let board = "---------------------------O*------*O--------------------------- *";
    let game = format!("set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {board}]B[F5];)");
    for (search, depth, last) in [
        ("go", Some("11"), "==="),
        ("hint 2", Some("11"), "status Ready"),
        ("analyze", Some("11"), "analysis 0 "),
        // A hint without a depth searches until the input ends.
        ("hint 1", None, "status Ready"),
        ("go", None, "==="),
    ] {
        for end in ["", "quit\n", "quit\ngo\n"] {
            let level = depth.map_or(String::new(), |depth| format!("set depth {depth}\n"));
            let input = format!("nboard 2\n{level}{game}\n{search}\n{end}");
            let run = run_on_input("nboard --hash 16 --book none", &input).expect(0);
            let lines: Vec<&str> = run.stdout.lines().collect();
            let count = lines.iter().filter(|line| line.starts_with(last)).count();
            assert_eq!(count, 1, "{input}{run:?}");
            assert!(!run.stdout.contains("Cut short"), "{run:?}");
            if let (Some(depth), true) = (depth, search != "analyze") {
                let deepest = searches(&lines).pop().expect("it searches");
                assert_eq!(deepest.last(), Some(&depth), "{run:?}");
            }
        }
    }
}

/// The end of the input does not restart the hint at a lower depth.
#[test]
fn a_deep_hint_ends_with_the_input() {
    let mut engine = Dialogue::start("nboard --hash 64");
    engine.set_game(&problem("midgame", 0));
    engine.send("hint 1");
    let is_deep = |words: &Vec<&str>| words[3].parse::<u32>().unwrap_or(60) >= 16;
    while !searches(&[engine.line()]).iter().any(is_deep) {}
    let run = engine.close().expect(0);
    let rest: Vec<&str> = run.stdout.lines().collect();
    assert!(searches(&rest).iter().all(is_deep), "{rest:?}");
    assert!(rest.contains(&"status Ready"), "{rest:?}");
}

/// Moves that are equal by symmetry have equal scores, even if the search is not exact.
#[test]
fn symmetric_moves_have_one_score() {
    let mut engine = Dialogue::start("nboard --hash 1");
    engine.set_game(SYMMETRIC);
    engine.send("set depth 15");
    engine.send("hint 60");
    let lines = engine.until("status Ready");
    for set in lines.split(|line| line.starts_with("nodestats ")) {
        let set = searches(set);
        let scores: Vec<_> = set.iter().map(|words| (words[0], words[1])).collect();
        for (pv, score) in &scores {
            // The mirror image swaps column and row.
            let square = pv.as_bytes();
            let mirrored = [square[1] - b'1' + b'A', square[0] - b'A' + b'1'];
            let mut others = scores.iter();
            let other = others.find(|(pv, _)| pv.as_bytes().starts_with(&mirrored));
            assert_eq!(other.map(|(_, score)| score), Some(score), "{set:?}");
        }
    }
    engine.close().expect(0);
}
