//! `outflank gtp`, as a GUI, a referee and a broken pipe use it.

mod common;

use std::fs::File;
use std::time::{Duration, Instant};

use common::command::{Folder, outflank};
use common::dialogue::{Dialogue, assert_kept, ggf, left_open, problem};
use common::rng::Rng;
use outflank::{Game, Square};

/// Says a command; the answer without the empty line behind it.
#[track_caller]
fn ask(engine: &mut Dialogue, command: &str) -> String {
    engine.say(command);
    answer(engine)
}

/// The next answer.
#[track_caller]
fn answer(engine: &mut Dialogue) -> String {
    let mut lines = Vec::new();
    loop {
        match engine.line() {
            end if end.is_empty() => return lines.join("\n"),
            line => lines.push(line),
        }
    }
}

/// Puts a position before the engine, which has `side` (`b` or `w`) to move.
fn load(engine: &mut Dialogue, folder: &Folder, position: &str) -> &'static str {
    let file = folder.file("game.ggf", ggf(position, ""));
    assert_eq!(ask(engine, &format!("loadsgf {}", file.display())), "=");
    match ask(engine, "gogui-rules_side_to_move").as_str() {
        "= black" => "b",
        "= white" => "w",
        other => panic!("{other}"),
    }
}

/// A transcript as it is on every machine.
fn redacted(engine: &Dialogue, folder: &Folder) -> String {
    let folder = folder.path("").display().to_string();
    let text = engine.transcript().replace(&folder, "FOLDER/");
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn a_session() {
    let folder = Folder::new();
    folder.file("ffo 1.ggf", ggf(&problem("ffo-1-19", 0), ""));
    folder.file(
        "short.ggf",
        "(;GM[Othello]PB[a]B[F5]W[D6]B[C3/1.5/2]W[D3];)",
    );
    folder.file("other.ggf", "(;GM[Go]B[aa];)");
    folder.file("none.ggf", "no game");
    let mut engine = Dialogue::start(&["gtp", "--hash", "1", "--level", "1"]);
    let path = |name: &str| format!("loadsgf {}", folder.path(name).display());
    for command in [
        "1 protocol_version",
        "2 name",
        "3 version",
        "known_command genmove",
        "known_command \u{7}gen\tmove",
        "004\tlist_games # of all there are",
        "set_game othello",
        "set_game Go",
        "boardsize 8",
        "boardsize 19",
        "boardsize",
        "komi 6.5",
        "komi much",
        "showboard",
        "gogui-rules_game_id",
        "gogui-rules_board",
        "gogui-rules_board_size",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "play B F5",
        "play b d6",
        "play white d6",
        "play black d6",
        "play black pass",
        "play black i9",
        "play red c3",
        "play",
        "genmove w",
        "final_score",
        "undo",
        "undo",
        "undo",
        "time_settings 300 10 25",
        "time_settings 0 5 0",
        "time_settings 300",
        "time_left b 100 0",
        "time_left w 5.5 3",
        "time_left",
        "gogui-interrupt",
        "stop",
        "nonsense",
        "loadsgf",
        &path("absent.ggf"),
        &path("other.ggf"),
        &path("none.ggf"),
        "loadsgf /",
        &path("short.ggf"),
        "gogui-rules_legal_moves",
        &(path("short.ggf") + " 3"),
        "showboard",
        &path("ffo 1.ggf"),
        "reg_genmove w",
        "reg_genmove b",
        "time_settings 60 0 0",
        "genmove b",
        "showboard",
        "clear_board",
        "gogui-rules_side_to_move",
        "quit",
    ] {
        ask(&mut engine, command);
    }
    assert_kept("gtp-session", &redacted(&engine, &folder));
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "");
}

/// Black has to pass, then white moves, and the game is over.
#[test]
fn passes_and_the_end_of_the_game() {
    let folder = Folder::new();
    let empty = "--------";
    let centre = "---XX---";
    let rows = [
        "OX------", empty, empty, centre, centre, empty, empty, empty,
    ];
    let file = folder.file("pass.ggf", ggf(&format!("{} X", rows.concat()), ""));
    let mut engine = Dialogue::start(&["gtp", "--hash", "1"]);
    for command in [
        &format!("loadsgf {}", file.display()),
        "gogui-rules_side_to_move",
        "gogui-rules_legal_moves",
        "play w pass",
        "play b c1",
        "genmove b",
        "play b pass",
        "gogui-rules_legal_moves",
        "undo",
        "genmove w",
        "gogui-rules_legal_moves",
        "final_score",
        "gogui-rules_final_result",
        "genmove b",
        "play white pass",
        "play white h8",
        "undo",
        "undo",
        "undo",
        "gogui-rules_side_to_move",
        "undo",
    ] {
        ask(&mut engine, command);
    }
    assert_kept("gtp-passes", &redacted(&engine, &folder));
    engine.close().0.expect(0);
}

/// In a search that would take hours, whatever is to end it does so at once, and leaves a move.
#[test]
fn searches_end_at_once() {
    let at_once = Duration::from_millis(500);
    let folder = Folder::new();
    let mut number = 0;
    for threads in ["1", "2"] {
        let mut engine = Dialogue::start(&["gtp", "--depth", "60", "--threads", threads]);
        for milliseconds in [0, 3, 50, 200, 700] {
            for end in ["stop", "# interrupt"] {
                number += 1;
                let side = load(&mut engine, &folder, &problem("midgame", number - 1));
                engine.say(&format!("genmove {side}"));
                std::thread::sleep(Duration::from_millis(milliseconds));
                // What is asked meanwhile is answered later.
                engine.say("gogui-rules_side_to_move");
                let start = Instant::now();
                engine.say(end);
                let found = answer(&mut engine);
                let late = start.elapsed();
                assert!(late < at_once, "{end} after {milliseconds} ms: {late:?}");
                let square = found.strip_prefix("= ").unwrap();
                assert!(square.parse::<Square>().is_ok(), "{found}");
                let other = if side == "b" { "white" } else { "black" };
                assert_eq!(answer(&mut engine), format!("= {other}"));
                if end == "stop" {
                    assert_eq!(answer(&mut engine), "=");
                }
            }
        }
        for end in ["quit\n", ""] {
            let mut engine = Dialogue::start(&["gtp", "--depth", "60", "--threads", threads]);
            let side = load(&mut engine, &folder, &problem("midgame", 0));
            engine.say(&format!("genmove {side}"));
            std::thread::sleep(Duration::from_millis(200));
            engine.send(format!("reg_genmove {side}\n{end}").as_bytes());
            let (run, late) = engine.close();
            assert!(late < at_once, "{late:?}");
            let answers: Vec<_> = run.expect(0).stdout.lines().map(str::to_owned).collect();
            assert!(answers[0].starts_with("= "), "{answers:?}");
            assert!(answers[2].starts_with("? it is "), "{answers:?}");
        }
    }
}

/// A file as input is answered in full.
/// A large table is paid for by long searches only: neither a short search nor a new game writes all of it,
/// which would take seconds of the player's time.
#[test]
fn a_short_search_takes_little_of_a_large_table() {
    let mut engine = Dialogue::start(&["gtp", "--hash", "1024", "--depth", "1"]);
    for _ in 0..3 {
        assert_eq!(ask(&mut engine, "clear_board"), "=");
        assert!(ask(&mut engine, "genmove b").starts_with("= "));
    }
    match engine.peak_memory_mib() {
        Some(mib) => assert!(mib < 200, "{mib} MiB"),
        None => eprintln!("skipped: the system does not say how much memory a program takes"),
    }
}

#[test]
fn files_are_answered_in_full() {
    let folder = Folder::new();
    let game = folder.file("game.ggf", ggf(&problem("ffo-1-19", 0), ""));
    let commands = format!("loadsgf {}\ngenmove b\nquit\n", game.display());
    let file = File::open(folder.file("commands.gtp", commands)).unwrap();
    let output = outflank()
        .args(["gtp", "--level", "10"])
        .stdin(file)
        .output();
    let answers = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(answers, "=\n\n= G8\n\n=\n\n");
}

/// Two engines play each other at a clock of their own: no illegal move, no loss on time.
#[test]
fn games_are_legal_and_in_time() {
    for (settings, limit, per_move) in [
        ("time_settings 1 0 0", 1.0, false),
        ("time_settings 0 1 10", 1.0, false),
        ("time_settings 0 0.04 1", 0.04, true),
    ] {
        let arguments = ["gtp", "--hash", "4", "--ponder"];
        let mut engines =
            [arguments, ["gtp", "--hash", "4", "--threads=2"]].map(|a| Dialogue::start(&a));
        for engine in &mut engines {
            assert_eq!(ask(engine, settings), "=");
        }
        let mut game = Game::new();
        let mut taken = [0.0; 2];
        let mut moves = [0; 2];
        while !game.is_over() {
            let side = game.side();
            let (own, other) = (side as usize, side.other() as usize);
            let start = Instant::now();
            let answer = ask(&mut engines[own], &format!("genmove {side}"));
            let time = start.elapsed().as_secs_f64();
            taken[own] = if per_move { time } else { taken[own] + time };
            moves[own] += 1;
            // What a busy machine is late by is not the engine's.
            assert!(taken[own] < limit + 0.5, "{settings}: {taken:?} s");
            if settings.ends_with("10") && moves[own] % 10 == 0 {
                taken[own] = 0.0;
            }
            let name = answer.strip_prefix("= ").unwrap();
            game.play_as(side, name.parse().ok()).unwrap();
            assert_eq!(
                ask(&mut engines[other], &format!("play {side} {name}")),
                "="
            );
        }
        let black = game.score().unwrap();
        for engine in &mut engines {
            let said = ask(engine, "final_score");
            let score = match black {
                0 => "= 0".to_owned(),
                1.. => format!("= B+{black}"),
                _ => format!("= W+{}", -black),
            };
            assert_eq!(said, score);
        }
        engines.into_iter().for_each(|engine| {
            engine.close().0.expect(0);
        });
    }
}

/// Whatever comes in, each line with a command is answered once, and the program goes on.
#[test]
fn nonsense_is_answered_and_survived() {
    let mut engine = Dialogue::start(&["gtp", "--hash", "1"]);
    let mut rng = Rng::new(6);
    let mut answered = 0;
    for _ in 0..300 {
        // Letters, digits and blanks are as frequent as all else.
        let length = rng.below(40);
        let line: Vec<u8> = (0..length)
            .map(|_| match rng.below(2) {
                0 => rng.below(256) as u8,
                _ => b"abgw12 #"[rng.below(8)],
            })
            .filter(|&byte| byte != b'\n')
            .collect();
        let text = String::from_utf8_lossy(&line);
        let told = text.split('#').next().unwrap();
        let told: String = told
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .collect();
        answered += usize::from(!told.trim().is_empty());
        engine.send(&[&line, &b"\n"[..]].concat());
    }
    for _ in 0..answered {
        let answer = answer(&mut engine);
        assert!(answer.starts_with(['?', '=']), "{answer}");
    }
    engine.send(&vec![b'x'; 3 << 20]);
    engine.send(b"\n");
    assert_eq!(answer(&mut engine), "? line too long");
    engine.send(b"\r\n\r\n  \r\n8 play b f5\r\n");
    assert_eq!(answer(&mut engine), "=8");
    engine.send(b"9 name");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "=9 Outflank\n\n");
}

#[test]
fn whoever_does_not_listen_is_left_quietly() {
    let run = left_open(&["gtp", "--hash", "1"], b"name\ngenmove b\n", false);
    assert_eq!((run.status, run.stderr.as_str()), (141, ""));
}

#[test]
fn what_cannot_start_says_why() {
    for (arguments, status, said) in [
        (&["--hash", "0"][..], 2, "a hash table has at least 1 MiB"),
        (&["--threads", "0"], 2, "0 threads"),
        (&["--isa", "none"], 2, "none"),
        (&["--weights", "/absent"], 1, "/absent"),
        (&["--level", "61"], 2, "61"),
        (&["--level", "8", "--depth", "9"], 2, "--depth"),
    ] {
        let run = left_open(&[&["gtp"], arguments].concat(), b"", true);
        assert!(run.stderr.contains(said), "{run:?}");
        run.expect(status);
    }
}
