//! `outflank nboard`, as NBoard uses it, and worse.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialogue, assert_kept, ggf, left_open, problem};
use outflank::notation::ggf::Move;
use outflank::{Board, Game};
use outflank_testing::rng::Rng;

/// A transcript as it is on every machine, with any weights: without numbers of nodes, times, searches
/// before the exact one, and what follows on the best move.
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

/// Whether a line of play can be played on `board`, and has a move or a pass.
fn can_be_played(board: Board, line: &str) -> bool {
    let mut game = Game::from_start(board, outflank::Side::Black).unwrap();
    let plies = line.as_bytes().chunks(2).map(|name| {
        let name = str::from_utf8(name).unwrap();
        name.parse::<Move>().unwrap().ply
    });
    let played = plies.map(|ply| match ply {
        Some(square) => game.play(square),
        None => game.pass(),
    });
    !line.is_empty() && played.into_iter().all(|played| played.is_ok())
}

#[test]
fn a_session() {
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
        engine.say(command);
        if !last.is_empty() {
            engine.until(last);
        }
    }
    assert_kept("nboard-session", &redacted(&engine));
    engine.say("quit");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "");
}

/// Hints go deeper and deeper, with as many moves as were asked for, the best first.
#[test]
fn hints_are_sets_of_moves() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "4", "--level", "9"]);
    for (number, moves) in [(0, 1), (1, 4), (2, 60)] {
        let position = problem("midgame", number);
        let obf: outflank::notation::obf::Problem =
            outflank::notation::obf::read(position.as_bytes())
                .next()
                .unwrap()
                .unwrap();
        engine.say(&format!("set game {}", ggf(&position, "")));
        engine.say(&format!("hint {moves}"));
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
            for one in found {
                let &[line, eval, "0", depth] = &one[..] else {
                    panic!("{one:?}");
                };
                assert!(can_be_played(obf.board, line), "{one:?}");
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

/// A depth that is refused leaves the one before; more than there is means to the end.
#[test]
fn depths_are_checked() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    let mut deepest = |depth: &str, refused: bool| {
        engine.say(&format!("set game {}", ggf(&problem("ffo-1-19", 0), "")));
        engine.say(&format!("set depth {depth}"));
        if refused {
            engine.until("status Error: set depth is followed by a number of plies, 0 or more");
        }
        engine.say("go");
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

/// A ping in a search that would take hours is answered at once, and nothing of the search is heard any
/// more; `stop` leaves a move; the end of the input is the end.
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
                engine.say(&format!("set game {}", ggf(&position, "")));
                engine.say(command);
                sleep(Duration::from_millis(milliseconds));
                let start = Instant::now();
                engine.say(&format!("ping {number}"));
                engine.until(&format!("pong {number}"));
                let late = start.elapsed();
                assert!(late < at_once, "{command} {milliseconds} ms: {late:?}");
            }
        }
        // Nothing of those searches comes behind the last pong.
        sleep(Duration::from_millis(100));
        engine.say("ping 100");
        assert_eq!(engine.line(), "pong 100");
        engine.say("go");
        sleep(Duration::from_millis(200));
        let start = Instant::now();
        engine.say("stop");
        let answer = engine.until("===").pop().unwrap();
        assert!(start.elapsed() < at_once);
        let played: Move = answer[4..].parse().unwrap();
        assert!(
            played.ply.is_some() && played.note.seconds >= Some(0.1),
            "{answer}"
        );
        engine.say("hint 2");
        sleep(Duration::from_millis(100));
        let (run, late) = engine.close();
        run.expect(0);
        assert!(late < at_once, "{late:?}");
    }
}

/// A whole game against itself by the clock of the game, thinking on its own time, too.
#[test]
fn the_clock_of_the_game_is_kept() {
    for (clock, main, increment) in [("00:02", 2.0, 0.0), ("00:01/00:01/02:00", 1.0, 1.0)] {
        let mut engine = Dialogue::start(&["nboard", "--hash", "4", "--ponder"]);
        engine.say(&format!("set game (;GM[Othello]TI[{clock}];)"));
        let mut game = Game::new();
        let mut left: [f64; 2] = [main; 2];
        let begin = Instant::now();
        // With an increment, a whole game takes a minute.
        while !game.is_over() && begin.elapsed() < Duration::from_secs(6) {
            let start = Instant::now();
            engine.say("go");
            let answer = engine.until("===").pop().unwrap();
            let left = &mut left[game.side() as usize];
            *left -= start.elapsed().as_secs_f64();
            // What a busy machine is late by is not the engine's.
            assert!(*left > -0.5, "{clock}: {left}");
            *left += increment;
            let played: Move = answer[4..].parse().unwrap();
            game.play_as(game.side(), played.ply).unwrap();
            // The program knows how much it took from what it is told.
            engine.say(&format!("move {}", &answer[4..]));
        }
        assert!(game.is_over() || increment > 0.0);
        engine.close().0.expect(0);
    }
}

/// Time that is gone is not there: what the game says of earlier moves counts.
#[test]
fn little_time_is_little_thought() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "4"]);
    engine.say("set game (;GM[Othello]TI[10:00]B[F5//599.7]W[D6//1];)");
    let start = Instant::now();
    engine.say("go");
    engine.until("===");
    assert!(start.elapsed() < Duration::from_secs(1));
    engine.close().0.expect(0);
}

#[test]
fn nonsense_is_survived() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let command = ["", "set game ", "set ", "move ", "hint ", "ping x", "(;"][rng.below(7)];
        let bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
        engine.send(&[command.as_bytes(), &bytes, b"\n"].concat());
    }
    engine.send(&vec![0; 3 << 20]);
    engine.send(b"\r\n\r\nping 17\r\n");
    let lines = engine.until("pong 17");
    let said = ["status ", "search ", "nodestats ", "pong "];
    assert!(
        lines
            .iter()
            .all(|line| said.iter().any(|said| line.starts_with(said))),
        "{lines:?}"
    );
    assert_eq!(
        lines[lines.len() - 2],
        "status Error: a line has less than 65536 bytes"
    );
    engine.send(b"ping 18");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "pong 18\n");
}

#[test]
fn whoever_does_not_listen_is_left_quietly() {
    let run = left_open(&["nboard", "--hash", "1"], b"nboard 2\nhint 1\n", false);
    assert_eq!((run.status, run.stderr.as_str()), (141, ""));
}
