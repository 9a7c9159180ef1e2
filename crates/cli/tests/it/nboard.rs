//! `outflank nboard`: sessions, clocks, interrupts and nonsense.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::dialogue::{
    Dialogue, SYMMETRIC, assert_snapshot, ggf, problem, run_with_open_input,
};
use crate::common::program::cli;
use outflank::notation::ggf::GgfMove;
use outflank::{Board, Game};
use outflank_random::SplitMix64;
use outflank_testing::command::run;

/// Transcript that does not depend on machine and weights. Nodes, times, inexact searches, and plies after the best
/// move are left out.
fn redacted(engine: &Dialogue) -> String {
    let mut text = String::new();
    for line in engine.transcript().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        text += &match words[..] {
            ["search", .., "100%"] => format!(
                "{} {}... {}\n",
                words[0],
                &words[1][..2],
                words[2..].join(" ")
            ),
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

#[test]
fn sessions_match_the_snapshot() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    let ffo = ggf(&problem("ffo-1-19", 0), "");
    // Black has to pass, then white moves, and the game is over.
    let (empty, centre) = ("--------", "---XX---");
    let rows = [
        "OX------", empty, empty, centre, centre, empty, empty, empty,
    ];
    let pass = ggf(&format!("{} X", rows.concat()), "");
    for (command, last) in [
        ("nboard 2", "set myname"),
        ("set contempt 50", ""),
        ("set depth 8", ""),
        ("set colour red", ""),
        ("set depth deep", "status Error"),
        ("set depth -1", "status Error"),
        ("set depth", "status Error"),
        ("set depth 8 plies", "status Error"),
        ("a line of another protocol", ""),
        ("ping 1", "pong 1"),
        ("ping", "status Error"),
        ("move F5", ""),
        ("move D6/0.5/1.25", ""),
        ("move D6", "status Error"),
        ("move Z9", "status Error"),
        ("move PA", "status Error"),
        ("learn", "learned"),
        (&format!("set game {ffo}"), ""),
        ("hint 3", "status Ready"),
        ("hint many", "status Error"),
        ("hint 0", "status Error"),
        ("hint -3", "status Error"),
        ("go", "status Ready"),
        ("move G8/18.00/0.1", ""),
        ("ping 2", "pong 2"),
        ("analyze", "status Ready"),
        (&format!("set game {pass}"), ""),
        ("hint 1", "status Ready"),
        ("go", "==="),
        ("move PA", ""),
        ("go", "status Ready"),
        ("move C1//2", ""),
        ("go", "status The"),
        ("hint 1", "status The"),
        ("move PA", ""),
        ("move H8", "status Error"),
        ("analyze", "status Ready"),
        ("set game (;GM[Othello]B[A1];)", "status Error"),
        ("set game", "status Error"),
        ("stop", ""),
        ("ping 3", "pong 3"),
    ] {
        engine.send(command);
        if !last.is_empty() {
            engine.until(last);
        }
    }
    assert_snapshot("nboard-session", &redacted(&engine));
    engine.send("quit");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "");
}

/// The moves are sorted, best first.
#[test]
fn hints_get_deeper_with_all_moves_each_time() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "4", "--level", "9"]);
    for (number, moves) in [(0, 1), (1, 4), (2, 60)] {
        let position = problem("midgame", number);
        let obf: outflank::notation::obf::Problem =
            outflank::notation::obf::read(position.as_bytes())
                .next()
                .unwrap()
                .unwrap();
        engine.send(&format!("set game {}", ggf(&position, "")));
        engine.send(&format!("hint {moves}"));
        let lines = engine.until("status Ready");
        let expected = obf.board.mobility().count_ones().min(moves) as usize;
        let mut depths: Vec<u32> = Vec::new();
        let sets = lines.split(|line| line.starts_with("nodestats "));
        for set in sets.filter(|set| set.iter().any(|line| line.starts_with("search "))) {
            let found: Vec<Vec<&str>> = set
                .iter()
                .filter_map(|line| line.strip_prefix("search "))
                .map(|line| line.split(' ').collect())
                .collect();
            assert_eq!(found.len(), expected, "{set:?}");
            let mut evals: Vec<f64> = Vec::new();
            for words in found {
                let &[line, eval, "0", depth] = &words[..] else {
                    panic!("{words:?}");
                };
                assert!(can_be_played(obf.board, line), "{words:?}");
                evals.push(eval.parse().unwrap());
                depths.push(depth.parse().unwrap());
            }
            assert!(evals.is_sorted_by(|a, b| a >= b), "{evals:?}");
        }
        depths.dedup();
        assert_eq!(depths, [1, 3, 5, 7, 9]);
    }
    engine.close().0.expect(0);
}

/// A wrong depth is refused and leaves the old one. A depth beyond the empty squares searches to the end of the game.
#[test]
fn depths_are_checked() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    let mut deepest = |depth: &str, refused: bool| {
        engine.send(&format!("set game {}", ggf(&problem("ffo-1-19", 0), "")));
        engine.send(&format!("set depth {depth}"));
        if refused {
            engine.until("status Error: set depth is followed by a number of plies, 0 or more");
        }
        engine.send("go");
        let lines = engine.until("===");
        let mut searches = lines.iter().filter(|line| line.starts_with("search "));
        let last = searches.next_back().expect("it searches");
        last.rsplit(' ').next().unwrap().to_owned()
    };
    assert_eq!(deepest("3", false), "3");
    for wrong in ["-1", "-99999999999999999999", "3.5", "inf"] {
        assert_eq!(deepest(wrong, true), "3", "{wrong}");
    }
    assert_eq!(deepest("0", false), "1");
    assert_eq!(deepest("1000", false), "100%");
    assert_eq!(deepest("3", false), "3");
    assert_eq!(deepest("99999999999999999999", false), "100%");
    engine.close().0.expect(0);
}

/// A ping during a search of hours is answered at once, and the search writes nothing after the answer. `stop` makes
/// the engine move.
#[test]
fn searches_end_at_once() {
    let at_once = Duration::from_millis(500);
    for threads in ["1", "2"] {
        let mut engine = Dialogue::start(&["nboard", "--depth", "60", "--threads", threads]);
        let mut number = 0;
        for milliseconds in [0, 3, 50, 200, 700] {
            for command in ["hint 1", "hint 60", "go", "analyze"] {
                number += 1;
                let position = problem("midgame", number % 20);
                engine.send(&format!("set game {}", ggf(&position, "")));
                engine.send(command);
                sleep(Duration::from_millis(milliseconds));
                let start = Instant::now();
                engine.send(&format!("ping {number}"));
                engine.until(&format!("pong {number}"));
                let late = start.elapsed();
                assert!(late < at_once, "{command} {milliseconds} ms: {late:?}");
            }
        }
        // The searches write nothing after the last pong.
        sleep(Duration::from_millis(100));
        engine.send("ping 100");
        assert_eq!(engine.line(), "pong 100");
        engine.send("go");
        sleep(Duration::from_millis(200));
        let start = Instant::now();
        engine.send("stop");
        let answer = engine.until("===").pop().unwrap();
        assert!(start.elapsed() < at_once);
        let played: GgfMove = answer[4..].parse().unwrap();
        assert!(
            played.ply.is_some() && played.note.seconds >= Some(0.1),
            "{answer}"
        );
        for search in ["hint 2", "analyze", "go"] {
            let mut engine = Dialogue::start(&["nboard", "--depth", "60", "--threads", threads]);
            engine.send(search);
            sleep(Duration::from_millis(100));
            engine.send("quit");
            // The status says that the search was cut short.
            let status = engine.until("status Cut short after ").pop().unwrap();
            assert!(
                status.ends_with(" plies") || status.ends_with(" 1 ply"),
                "{status}"
            );
            if search == "go" {
                engine.until("===");
            }
            engine.until("status Ready");
            engine.close().0.expect(0);
        }
    }
}

/// The input is closed after the commands, with or without `quit`.
#[test]
fn commands_before_the_end_are_answered_in_full() {
    let board = "---------------------------O*------*O--------------------------- *";
    let game = format!("set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {board}]B[F5];)");
    for (search, depth, last, answers) in [
        ("go", Some("11"), "===", 1),
        ("hint 2", Some("11"), "status Ready", 1),
        ("analyze", Some("11"), "analysis 0 ", 1),
        // A hint without a depth searches until the input ends.
        ("hint 1", None, "status Ready", 1),
        ("go", None, "===", 1),
    ] {
        for end in ["", "quit\n", "quit\ngo\n"] {
            let level = depth.map_or(String::new(), |depth| format!("set depth {depth}\n"));
            let input = format!("nboard 2\n{level}{game}\n{search}\n{end}");
            let run = run(&mut cli("nboard --hash 16 --book none"), input.as_bytes()).expect(0);
            let lines: Vec<&str> = run.stdout.lines().collect();
            let count = lines.iter().filter(|line| line.starts_with(last)).count();
            assert_eq!(count, answers, "{input}{run:?}");
            assert!(!run.stdout.contains("Cut short"), "{run:?}");
            if let (Some(depth), true) = (depth, search != "analyze") {
                let mut searches = lines.iter().filter(|line| line.starts_with("search "));
                let deepest = searches
                    .next_back()
                    .and_then(|line| line.rsplit(' ').next());
                assert_eq!(deepest, Some(depth), "{run:?}");
            }
        }
    }
}

/// The end of the input does not restart the hint at a lower depth.
#[test]
fn a_deep_hint_ends_with_the_input() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "64"]);
    engine.send(&format!("set game {}", ggf(&problem("midgame", 0), "")));
    engine.send("hint 1");
    let depth = |line: &str| {
        let depth = line.strip_prefix("search ")?.rsplit(' ').next()?;
        Some(depth.parse::<u32>().unwrap_or(60))
    };
    while depth(&engine.line()).is_none_or(|depth| depth < 16) {}
    let run = engine.close().0.expect(0);
    let rest: Vec<&str> = run.stdout.lines().collect();
    assert!(
        rest.iter()
            .filter_map(|line| depth(line))
            .all(|depth| depth >= 16),
        "{rest:?}"
    );
    assert!(rest.contains(&"status Ready"), "{rest:?}");
}

/// Moves that are equal by symmetry have equal scores, even if the search is not exact.
#[test]
fn symmetric_moves_have_one_score() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    engine.send(&format!("set game {}", ggf(SYMMETRIC, "")));
    engine.send("set depth 15");
    engine.send("hint 60");
    let lines = engine.until("status Ready");
    for set in lines.split(|line| line.starts_with("nodestats ")) {
        let searches = set.iter().filter_map(|line| line.strip_prefix("search "));
        let words = searches.map(|line| line.split(' ').collect::<Vec<_>>());
        let scores: Vec<_> = words.map(|words| (words[0], words[1].to_owned())).collect();
        for (pv, score) in &scores {
            // The mirror image swaps column and row.
            let square = pv.as_bytes();
            let mirrored = [square[1] - b'1' + b'A', square[0] - b'A' + b'1'];
            let mut others = scores.iter();
            let other = others.find(|(pv, _)| pv.as_bytes().starts_with(&mirrored));
            assert_eq!(other.map(|(_, score)| score), Some(score), "{set:?}");
        }
    }
    engine.close().0.expect(0);
}

/// A side without time moves at once although the other has hours.
#[test]
fn each_side_has_its_own_clock() {
    let clocks = "TB[00:01]TW[9:00:00]";
    let moves = "B[F5]W[F6]B[E6]W[F4]B[E3]W[C5]B[C4]W[D6]";
    let game = format!("set game (;GM[Othello]PC[GGS/os]PB[a]PW[b]{clocks}TY[8]{moves};)");
    let run = run(
        &mut cli("nboard --hash 16 --book none"),
        format!("{game}\ngo\n").as_bytes(),
    )
    .expect(0);
    let answer = run
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("=== "));
    let played: GgfMove = answer.expect("it answers").parse().unwrap();
    let seconds = played.note.seconds.expect("the move has a time");
    assert!(seconds < 1.0, "black has a second: {run:?}");
}

/// A game against itself with pondering.
#[test]
fn the_clock_of_the_game_is_kept() {
    for (clock, main, increment) in [("00:02", 2.0, 0.0), ("00:01/00:01/02:00", 1.0, 1.0)] {
        let mut engine = Dialogue::start(&["nboard", "--hash", "4", "--ponder"]);
        engine.send(&format!("set game (;GM[Othello]TI[{clock}];)"));
        let mut game = Game::new();
        let mut left: [f64; 2] = [main; 2];
        let begin = Instant::now();
        // A whole game with an increment would take a minute.
        while !game.is_over() && begin.elapsed() < Duration::from_secs(6) {
            let start = Instant::now();
            engine.send("go");
            let answer = engine.until("===").pop().unwrap();
            let left = &mut left[game.side() as usize];
            *left -= start.elapsed().as_secs_f64();
            // Half a second of slack for a busy machine.
            assert!(*left > -0.5, "{clock}: {left}");
            *left += increment;
            let played: GgfMove = answer[4..].parse().unwrap();
            game.play_as(game.side(), played.ply).unwrap();
            // The program learns its used time from the move.
            engine.send(&format!("move {}", &answer[4..]));
        }
        assert!(game.is_over() || increment > 0.0);
        engine.close().0.expect(0);
    }
}

/// The times of earlier moves reduce the time left.
#[test]
fn little_time_makes_short_searches() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "4"]);
    engine.send("set game (;GM[Othello]TI[10:00]B[F5//599.7]W[D6//1];)");
    let start = Instant::now();
    engine.send("go");
    engine.until("===");
    assert!(start.elapsed() < Duration::from_secs(1));
    engine.close().0.expect(0);
}

#[test]
fn nonsense_is_answered() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    let mut rng = SplitMix64::new(7);
    for _ in 0..300 {
        let command = ["", "set game ", "set ", "move ", "hint ", "ping x", "(;"][rng.index(7)];
        let bytes: Vec<u8> = (0..rng.index(60)).map(|_| rng.index(256) as u8).collect();
        engine.send_bytes(&[command.as_bytes(), &bytes, b"\n"].concat());
    }
    engine.send_bytes(&vec![0; 3 << 20]);
    engine.send_bytes(b"\r\n\r\nping 17\r\n");
    let lines = engine.until("pong 17");
    let prefixes = ["status ", "search ", "nodestats ", "pong "];
    assert!(
        lines
            .iter()
            .all(|line| prefixes.iter().any(|prefix| line.starts_with(prefix))),
        "{lines:?}"
    );
    assert_eq!(
        lines[lines.len() - 2],
        "status Error: a line has less than 65536 bytes"
    );
    engine.send_bytes(b"ping 18");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "pong 18\n");
}

#[test]
fn closed_outputs_end_the_program_silently() {
    let run = run_with_open_input(&["nboard", "--hash", "1"], b"nboard 2\nhint 1\n", false);
    assert_eq!((run.status, run.stderr.as_str()), (141, ""));
}
