//! `outflank nboard`, as NBoard uses it, and worse.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialogue, SYMMETRIC, assert_kept, ggf, left_open, problem};
use crate::common::program::outflank;
use outflank::notation::ggf::Move;
use outflank::{Board, Game};
use outflank_testing::command::run;
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
        for search in ["hint 2", "analyze", "go"] {
            let mut engine = Dialogue::start(&["nboard", "--depth", "60", "--threads", threads]);
            engine.say(search);
            sleep(Duration::from_millis(100));
            engine.say("quit");
            // A reply that was cut says so.
            let told = engine.until("status Cut short after ").pop().unwrap();
            assert!(
                told.ends_with(" plies") || told.ends_with(" 1 ply"),
                "{told}"
            );
            if search == "go" {
                engine.until("===");
            }
            engine.until("status Ready");
            engine.close().0.expect(0);
        }
    }
}

/// A script that writes all its commands and closes its pipe waits for the answers, with a `quit` and without.
#[test]
fn what_came_before_the_end_is_answered_in_full() {
    let board = "---------------------------O*------*O--------------------------- *";
    let game = format!("set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 {board}]B[F5];)");
    for (search, depth, last, answers) in [
        ("go", Some("11"), "===", 1),
        ("hint 2", Some("11"), "status Ready", 1),
        ("analyze", Some("11"), "analysis 0 ", 1),
        // A hint without a depth goes on for ever, until nobody is left who could end it.
        ("hint 1", None, "status Ready", 1),
        ("go", None, "===", 1),
    ] {
        for end in ["", "quit\n", "quit\ngo\n"] {
            let level = depth.map_or(String::new(), |depth| format!("set depth {depth}\n"));
            let input = format!("nboard 2\n{level}{game}\n{search}\n{end}");
            let mut command = outflank();
            command.args(["nboard", "--hash", "16", "--book", "none"]);
            let run = run(&mut command, input.as_bytes()).expect(0);
            let lines: Vec<&str> = run.stdout.lines().collect();
            let count = lines.iter().filter(|line| line.starts_with(last)).count();
            assert_eq!(count, answers, "{input}{}", run.stdout);
            assert!(!run.stdout.contains("Cut short"), "{}", run.stdout);
            if let (Some(depth), true) = (depth, search != "analyze") {
                let mut searches = lines.iter().filter(|line| line.starts_with("search "));
                let deepest = searches
                    .next_back()
                    .and_then(|line| line.rsplit(' ').next());
                assert_eq!(deepest, Some(depth), "{}", run.stdout);
            }
        }
    }
}

/// The end of the input does not make a hint begin anew that is deeper than it would come to.
#[test]
fn a_deep_hint_ends_with_the_input() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "64"]);
    engine.say(&format!("set game {}", ggf(&problem("midgame", 0), "")));
    engine.say("hint 1");
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

/// Moves that are equal by the symmetry of a position have one score, though the search is not exact.
#[test]
fn symmetric_moves_have_one_score() {
    let mut engine = Dialogue::start(&["nboard", "--hash", "1"]);
    engine.say(&format!("set game {}", ggf(SYMMETRIC, "")));
    engine.say("set depth 15");
    engine.say("hint 60");
    let lines = engine.until("status Ready");
    for set in lines.split(|line| line.starts_with("nodestats ")) {
        let searches = set.iter().filter_map(|line| line.strip_prefix("search "));
        let words = searches.map(|line| line.split(' ').collect::<Vec<_>>());
        let scores: Vec<_> = words.map(|words| (words[0], words[1].to_owned())).collect();
        for (pv, score) in &scores {
            // Columns and rows change places.
            let square = pv.as_bytes();
            let mirrored = [square[1] - b'1' + b'A', square[0] - b'A' + b'1'];
            let mut others = scores.iter();
            let other = others.find(|(pv, _)| pv.as_bytes().starts_with(&mirrored));
            assert_eq!(other.map(|(_, score)| score), Some(score), "{set:?}");
        }
    }
    engine.close().0.expect(0);
}

/// A side without time moves at once, however much the other has.
#[test]
fn each_side_has_its_own_clock() {
    let clocks = "TB[00:01]TW[9:00:00]";
    let moves = "B[F5]W[F6]B[E6]W[F4]B[E3]W[C5]B[C4]W[D6]";
    let game = format!("set game (;GM[Othello]PC[GGS/os]PB[a]PW[b]{clocks}TY[8]{moves};)");
    let mut command = outflank();
    command.args(["nboard", "--hash", "16", "--book", "none"]);
    let run = run(&mut command, format!("{game}\ngo\n").as_bytes()).expect(0);
    let answer = run
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("=== "));
    let played: Move = answer.expect("it answers").parse().unwrap();
    let seconds = played.note.seconds.expect("it says so");
    assert!(seconds < 1.0, "black has a second: {}", run.stdout);
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
