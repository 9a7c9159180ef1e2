//! `outflank gtp` and `outflank nboard`: clocks, interrupts and pondering.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialogue, problem, run_on_input};
use crate::common::text::assert_starts;
use outflank::notation::ggf::GgfMove;
use outflank::{Game, Square};

/// Durations of searches before they are stopped, in milliseconds.
const PAUSES: [u64; 5] = [0, 3, 50, 200, 700];

/// Asserts that less than half a second has passed since `start`.
#[track_caller]
fn assert_at_once(start: Instant, case: &str) {
    let late = start.elapsed();
    assert!(late < Duration::from_millis(500), "{case}: {late:?}");
}

/// Reads the next move of an engine that speaks NBoard's protocol.
fn next_move(engine: &mut Dialogue) -> GgfMove {
    let line = engine.until("=== ").pop().unwrap();
    line[4..].parse().expect("a move")
}

/// `stop` and an interrupt end a search of hours at once, with a move.
#[test]
fn gtp_searches_end_at_once() {
    let mut number = 0;
    for threads in [1, 2] {
        let words = format!("gtp --depth 60 --threads {threads}");
        let mut engine = Dialogue::start(&words);
        for milliseconds in PAUSES {
            for end in ["stop", "# interrupt"] {
                let side = engine.load_game(&problem("midgame", number));
                number += 1;
                engine.send(&format!("genmove {side}"));
                sleep(Duration::from_millis(milliseconds));
                // Commands during the search are answered later.
                engine.send("gogui-rules_side_to_move");
                let start = Instant::now();
                engine.send(end);
                let found = engine.answer();
                assert_at_once(start, &format!("{end} after {milliseconds} ms"));
                let square = found.strip_prefix("= ").unwrap();
                assert!(square.parse::<Square>().is_ok(), "{found}");
                let other = if side == "b" { "= white" } else { "= black" };
                assert_eq!(engine.answer(), other);
                if end == "stop" {
                    assert_eq!(engine.answer(), "=");
                }
            }
        }
        // `quit` ends all earlier searches and reports them as cut short. Later commands are ignored.
        let mut engine = Dialogue::start(&words);
        let side = engine.load_game(&problem("midgame", 0));
        engine.send(&format!("reg_genmove {side}"));
        sleep(Duration::from_millis(200));
        let behind = format!("genmove {side}\nreg_genmove {side}\nquit\nname\n");
        engine.send_bytes(behind.as_bytes());
        for expected in ["= ", "= ", "? it is ", "="] {
            assert_starts(&engine.answer(), expected);
        }
        let run = engine.close().expect(0);
        assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 2));
        let message = "outflank: quit has cut the search short, after ";
        assert_starts(&run.stderr, message);
    }
}

/// A ping during a search of hours is answered at once, and the search writes nothing after the answer. `stop` makes
/// the engine move.
#[test]
fn nboard_searches_end_at_once() {
    for threads in [1, 2] {
        let words = format!("nboard --depth 60 --threads {threads}");
        let mut engine = Dialogue::start(&words);
        let mut number = 0;
        for milliseconds in PAUSES {
            for command in ["hint 1", "hint 60", "go", "analyze"] {
                number += 1;
                engine.set_game(&problem("midgame", number % 20));
                engine.send(command);
                sleep(Duration::from_millis(milliseconds));
                let start = Instant::now();
                engine.send(&format!("ping {number}"));
                engine.until(&format!("pong {number}"));
                assert_at_once(start, &format!("{command} {milliseconds} ms"));
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
        let played = next_move(&mut engine);
        assert_at_once(start, "stop");
        let has_time = played.note.seconds >= Some(0.1);
        assert!(played.ply.is_some() && has_time, "{played}");
        for search in ["hint 2", "analyze", "go"] {
            let mut engine = Dialogue::start(&words);
            engine.send(search);
            sleep(Duration::from_millis(100));
            engine.send("quit");
            // The status says that the search was cut short.
            let status = engine.until("status Cut short after ").pop().unwrap();
            let has_depth = status.ends_with(" plies") || status.ends_with(" 1 ply");
            assert!(has_depth, "{status}");
            if search == "go" {
                engine.until("===");
            }
            engine.until("status Ready");
            engine.close().expect(0);
        }
    }
}

/// Two engines play with clocks.
#[test]
fn gtp_games_are_legal_and_in_time() {
    for (settings, limit, per_move) in [
        ("time_settings 1 0 0", 1.0, false),
        ("time_settings 0 1 10", 1.0, false),
        ("time_settings 0 0.04 1", 0.04, true),
    ] {
        let mut engines = ["--ponder", "--threads=2"]
            .map(|option| Dialogue::start(&format!("gtp --hash 4 {option}")));
        for engine in &mut engines {
            assert_eq!(engine.ask(settings), "=");
        }
        let mut game = Game::new();
        let mut taken = [0.0; 2];
        let mut moves = [0; 2];
        while !game.is_over() {
            let side = game.side();
            let (mover, other) = (side as usize, side.other() as usize);
            let start = Instant::now();
            let answer = engines[mover].ask(&format!("genmove {side}"));
            let time = start.elapsed().as_secs_f64();
            taken[mover] = if per_move { time } else { taken[mover] + time };
            moves[mover] += 1;
            // Half a second of slack for a busy machine.
            assert!(taken[mover] < limit + 0.5, "{settings}: {taken:?} s");
            if settings.ends_with("10") && moves[mover] % 10 == 0 {
                taken[mover] = 0.0;
            }
            let name = answer.strip_prefix("= ").unwrap();
            game.play_as(side, name.parse().ok()).unwrap();
            let played = engines[other].ask(&format!("play {side} {name}"));
            assert_eq!(played, "=");
        }
        let score = match game.score().unwrap() {
            0 => "= 0".to_owned(),
            black @ 1.. => format!("= B+{black}"),
            black => format!("= W+{}", -black),
        };
        for mut engine in engines {
            assert_eq!(engine.ask("final_score"), score);
            engine.close().expect(0);
        }
    }
}

/// A game against itself with pondering.
#[test]
fn nboard_keeps_the_clock_of_the_game() {
    for (clock, main, increment) in [("00:02", 2.0, 0.0), ("00:01/00:01/02:00", 1.0, 1.0)] {
        let mut engine = Dialogue::start("nboard --hash 4 --ponder");
        engine.send(&format!("set game (;GM[Othello]TI[{clock}];)"));
        let mut game = Game::new();
        let mut left: [f64; 2] = [main; 2];
        let begin = Instant::now();
        // A whole game with an increment would take a minute.
        while !game.is_over() && begin.elapsed() < Duration::from_secs(6) {
            let start = Instant::now();
            engine.send("go");
            let played = next_move(&mut engine);
            let left = &mut left[game.side() as usize];
            *left -= start.elapsed().as_secs_f64();
            // Half a second of slack for a busy machine.
            assert!(*left > -0.5, "{clock}: {left}");
            *left += increment;
            game.play_as(game.side(), played.ply).unwrap();
            // The engine reads its used time from the move.
            engine.send(&format!("move {played}"));
        }
        assert!(game.is_over() || increment > 0.0);
        engine.close().expect(0);
    }
}

/// The times of earlier moves reduce the time left. A side without time moves at once although the other has hours.
#[test]
fn little_time_makes_short_searches() {
    let moves = "B[F5]W[F6]B[E6]W[F4]B[E3]W[C5]B[C4]W[D6]";
    let other_clock = format!("PC[GGS/os]PB[a]PW[b]TB[00:01]TW[9:00:00]TY[8]{moves}");
    for game in ["TI[10:00]B[F5//599.7]W[D6//1]", &other_clock] {
        let input = format!("set game (;GM[Othello]{game};)\ngo\n");
        let run = run_on_input("nboard --hash 4 --book none", input).expect(0);
        let mut lines = run.stdout.lines();
        let answer = lines.find_map(|line| line.strip_prefix("=== "));
        let played: GgfMove = answer.expect("it answers").parse().unwrap();
        let seconds = played.note.seconds.expect("the move has a time");
        assert!(seconds < 1.0, "{game}: {run:?}");
    }
}
