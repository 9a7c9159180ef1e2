//! `outflank gtp`: sessions, clocks, interrupts and broken pipes.

use std::fs::File;
use std::time::{Duration, Instant};

use crate::common::dialogue::{
    Dialogue, SYMMETRIC, assert_snapshot, ggf, problem, run_and_close_output, run_with_open_input,
};
use crate::common::program::{OutputChecks, cli};
use outflank::{Game, Square};
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, run};

/// Sends a command and returns the answer without the empty line.
#[track_caller]
fn ask(engine: &mut Dialogue, command: &str) -> String {
    engine.send(command);
    answer(engine)
}

/// Reads the next answer, without the empty line.
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

/// Loads a position and returns the side to move, `b` or `w`.
fn load(engine: &mut Dialogue, folder: &Folder, position: &str) -> &'static str {
    let file = folder.file("game.ggf", ggf(position, ""));
    assert_eq!(ask(engine, &format!("loadsgf {}", file.display())), "=");
    match ask(engine, "gogui-rules_side_to_move").as_str() {
        "= black" => "b",
        "= white" => "w",
        other => panic!("{other}"),
    }
}

/// Transcript without paths and versions.
fn redacted(engine: &Dialogue, folder: &Folder) -> String {
    let folder = folder.path("").display().to_string();
    let text = engine.transcript().replace(&folder, "FOLDER/");
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn sessions_match_the_snapshot() {
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
        "time_settings inf 0 0",
        "time_settings 300 -1 25",
        "time_settings 300 10 -1",
        "time_left b 100 0",
        "time_left w 5.5 3",
        "time_left",
        "time_left b nan 0",
        "time_left w -5 3",
        "time_left w 1e999 3",
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
    assert_snapshot("gtp-session", &redacted(&engine, &folder));
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "");
}

/// Black has to pass, then white moves, and the game is over.
#[test]
fn passes_and_the_end_of_the_game_match_the_snapshot() {
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
    assert_snapshot("gtp-passes", &redacted(&engine, &folder));
    engine.close().0.expect(0);
}

/// `stop` and an interrupt end a search of hours at once, with a move.
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
                engine.send(&format!("genmove {side}"));
                std::thread::sleep(Duration::from_millis(milliseconds));
                // Commands during the search are answered later.
                engine.send("gogui-rules_side_to_move");
                let start = Instant::now();
                engine.send(end);
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
        // `quit` ends all earlier searches and reports them as cut short. Later commands are ignored.
        let mut engine = Dialogue::start(&["gtp", "--depth", "60", "--threads", threads]);
        let side = load(&mut engine, &folder, &problem("midgame", 0));
        engine.send(&format!("reg_genmove {side}"));
        std::thread::sleep(Duration::from_millis(200));
        let behind = format!("genmove {side}\nreg_genmove {side}\nquit\nname\n");
        engine.send_bytes(behind.as_bytes());
        for expected in ["= ", "= ", "? it is ", "="] {
            let answer = answer(&mut engine);
            assert!(answer.starts_with(expected), "{answer}");
        }
        let run = engine.close().0.expect(0);
        let output: Vec<&str> = run.stderr.lines().collect();
        let begin = "outflank: quit has cut the search short, after ";
        assert!(
            output.len() == 2 && output[0].starts_with(begin),
            "{output:?}"
        );
        assert_eq!(run.stdout, "");
    }
}

/// GoGui knows the types of all offered commands, and they exist.
#[test]
fn gogui_is_offered_existing_commands() {
    let mut engine = Dialogue::start(&["gtp", "--hash", "1"]);
    let offered = ask(&mut engine, "gogui-analyze_commands");
    let commands = ask(&mut engine, "list_commands");
    let offered: Vec<&str> = offered.strip_prefix("= ").unwrap().lines().collect();
    assert!(offered.len() >= 4);
    for line in offered {
        let parts: Vec<&str> = line.split('/').collect();
        let &[kind, label, command] = &parts[..] else {
            panic!("{line}")
        };
        let types = "bwboard cboard dboard eplist gfx hpstring hstring none param plist pspairs \
                     pstring string sboard var varb varc varp varpo varw";
        assert!(
            types.split_whitespace().any(|known| known == kind),
            "{line}"
        );
        assert!(
            !label.is_empty() && commands.lines().any(|known| known == command),
            "{line}"
        );
    }
    engine.close().0.expect(0);
}

/// Moves that are equal by symmetry have equal scores, even if the search is not exact.
#[test]
fn symmetric_moves_have_one_score() {
    let folder = Folder::new();
    let mut engine = Dialogue::start(&["gtp", "--hash", "1", "--level", "15"]);
    load(&mut engine, &folder, SYMMETRIC);
    let board = ask(&mut engine, "outflank-evaluation");
    let rows = board[2..].lines().rev();
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(' ').collect()).collect();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            assert_eq!(*cell, rows[column][row], "{board}");
        }
    }
}

/// Evaluation, best moves, legal moves and variation agree with known scores.
#[test]
fn gogui_shows_an_analysis() {
    let folder = Folder::new();
    let mut engine = Dialogue::start(&["gtp", "--hash", "4"]);
    for number in [0, 3] {
        let line = problem("ffo-1-19", number);
        let scores = line
            .split(';')
            .skip(1)
            .filter_map(|entry| entry.trim().split_once(':'));
        let mut scores: Vec<(&str, &str)> = scores.collect();
        let best = scores[0].1;
        let is_best = |&&(_, score): &&(&str, &str)| score == best;
        let mut best_moves: Vec<&str> =
            scores.iter().filter(is_best).map(|entry| entry.0).collect();
        load(&mut engine, &folder, &line);

        let board = ask(&mut engine, "outflank-evaluation");
        let rows: Vec<Vec<&str>> = board[2..]
            .lines()
            .map(|row| row.split(' ').collect())
            .collect();
        assert!(
            rows.len() == 8 && rows.iter().all(|row| row.len() == 8),
            "{board}"
        );
        let mut shown: Vec<(String, &str)> = Vec::new();
        // The first line is row 8.
        for (row, cells) in (1..=8).rev().zip(&rows) {
            let cells = ('A'..='H').zip(cells).filter(|(_, cell)| **cell != "\"\"");
            shown.extend(cells.map(|(column, &cell)| (format!("{column}{row}"), cell)));
        }
        shown.sort();
        scores.sort();
        assert!(
            shown
                .iter()
                .map(|(name, score)| (name.as_str(), *score))
                .eq(scores.iter().copied())
        );

        let sorted = |answer: &str| -> Vec<String> {
            let mut names: Vec<_> = answer[1..].split_whitespace().map(str::to_owned).collect();
            names.sort();
            names
        };
        best_moves.sort();
        assert_eq!(sorted(&ask(&mut engine, "outflank-best_moves")), best_moves);
        let legal = sorted(&ask(&mut engine, "outflank-legal_moves"));
        assert!(legal.iter().eq(scores.iter().map(|entry| entry.0)));

        let graphics = ask(&mut engine, "outflank-evaluation_gfx");
        for (name, score) in &scores {
            let label = graphics.lines().next().unwrap();
            assert!(label.starts_with("= LABEL ") && label.contains(&format!(" {name} {score}")));
            let coloured = |line: &&str| line.starts_with("COLOR #") && line.ends_with(name);
            assert_eq!(graphics.lines().filter(coloured).count(), 1, "{graphics}");
        }
        let variation = ask(&mut engine, "outflank-principal_variation");
        let (moves, text) = variation.split_once('\n').unwrap();
        assert!(
            text.starts_with(&format!("TEXT black to move: {best} (exact) ")),
            "{text}"
        );
        let words: Vec<&str> = moves.strip_prefix("= VAR ").unwrap().split(' ').collect();
        assert!(best_moves.contains(&words[1]), "{moves}");
        // The line can be played and ends with the announced score.
        for ply in words.chunks(2) {
            assert_eq!(ask(&mut engine, &format!("play {}", ply.join(" "))), "=");
        }
        assert_eq!(
            ask(&mut engine, "final_score")
                .replace("= B", "")
                .replace("= 0", "+0"),
            best
        );
        for (command, answer) in [
            ("outflank-legal_moves", "="),
            ("outflank-best_moves", "="),
            ("outflank-principal_variation", "= TEXT the game is over: "),
            ("outflank-evaluation", "= \"\" \"\""),
        ] {
            let output = ask(&mut engine, command);
            assert!(output.starts_with(answer), "{command}: {output}");
        }
    }

    // A position in which the only ply is a pass.
    let pass = format!(
        "OX------{}{}{} X",
        "--------".repeat(2),
        "---XX---".repeat(2),
        "--------".repeat(3)
    );
    load(&mut engine, &folder, &pass);
    assert_eq!(ask(&mut engine, "outflank-best_moves"), "=");
    let output = ask(&mut engine, "outflank-principal_variation");
    assert!(
        output.starts_with("= VAR b pass w C1\nTEXT black to move: +58 ("),
        "{output}"
    );
    assert_eq!(ask(&mut engine, "gogui-rules_side_to_move"), "= black");
    engine.close().0.expect(0);
}

/// Running searches are shown only with `--live-gfx`. An interrupted analysis answers with its result so far.
#[test]
fn gogui_shows_running_searches() {
    let folder = Folder::new();
    for live in [true, false] {
        let options = if live { &["--live-gfx"][..] } else { &[] };
        let mut engine = Dialogue::start(&[&["gtp", "--depth", "60"], options].concat());
        let side = load(&mut engine, &folder, &problem("midgame", 0));
        let genmove = format!("reg_genmove {side}");
        for (command, start) in [
            (genmove.as_str(), "= "),
            ("outflank-evaluation_gfx", "= LABEL "),
        ] {
            engine.send(command);
            std::thread::sleep(Duration::from_millis(1500));
            engine.send("# interrupt");
            let output = answer(&mut engine);
            assert!(output.starts_with(start), "{command}: {output}");
        }
        let (run, _) = engine.close();
        // Each answer says that its search was cut short.
        let (cut, stderr): (Vec<&str>, Vec<&str>) = run
            .stderr
            .split_inclusive('\n')
            .partition(|line| line.starts_with("outflank: an interrupt has cut the search short"));
        let stderr = stderr.concat();
        assert_eq!((run.status, cut.len()), (0, 2), "{stderr}");
        match live {
            true => {
                let pictures: Vec<&str> = stderr.split("gogui-gfx: CLEAR\n").collect();
                let &[best, all, ""] = &pictures[..] else {
                    panic!("{stderr}")
                };
                let first = format!("gogui-gfx:\nVAR {side} ");
                assert!(best.starts_with(&first) && best.ends_with("\n\n"), "{best}");
                assert!(
                    all.starts_with("gogui-gfx:\nLABEL ") && all.contains("\nTEXT "),
                    "{all}"
                );
            }
            false => assert_eq!(stderr, ""),
        }
    }
}

/// Short searches and new games do not write the whole table. That would take seconds of the player's time.
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

/// The input is closed after the commands, with or without `quit`.
#[test]
fn commands_before_the_end_are_answered_in_full() {
    let folder = Folder::new();
    let game = folder.file("game.ggf", ggf(&problem("midgame", 0), ""));
    let load = format!("loadsgf {}", game.display());
    let search = "outflank-principal_variation\n";
    for (number, end) in ["", "quit\n", "name\nquit\n", "quit\nname\n"]
        .into_iter()
        .enumerate()
    {
        let searches = search.repeat(number + 1);
        let run = run(
            &mut cli("gtp --depth 12 --book none"),
            format!("{load}\n{searches}{end}").as_bytes(),
        )
        .expect(0);
        let in_full = run.stdout.matches("(12 plies)").count();
        assert_eq!(in_full, number + 1, "{run:#?}");
        let quits = usize::from(end.contains("quit"));
        let names = usize::from(end.starts_with("name"));
        assert_eq!(
            run.stdout.matches("\n\n").count(),
            2 + number + quits + names
        );
        assert_eq!(run.stderr, "");
    }
}

/// Without the closed output the search would take hours.
#[test]
fn a_closed_output_ends_a_search() {
    for (protocol, input) in [("gtp", "genmove b\n"), ("nboard", "set depth 60\ngo\n")] {
        let run = run_and_close_output(
            &[protocol, "--depth", "60", "--hash", "1"],
            input.as_bytes(),
        );
        assert_eq!((run.status, run.stderr.as_str()), (141, ""), "{protocol}");
    }
}

#[test]
fn files_are_answered_in_full() {
    let folder = Folder::new();
    let game = folder.file("game.ggf", ggf(&problem("ffo-1-19", 0), ""));
    let commands = format!("loadsgf {}\ngenmove b\nquit\n", game.display());
    let file = File::open(folder.file("commands.gtp", commands)).unwrap();
    let output = cli("gtp --level 10").stdin(file).output();
    let answers = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(answers, "=\n\n= G8\n\n=\n\n");
}

/// Two engines play with clocks.
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
            let (mover, other) = (side as usize, side.other() as usize);
            let start = Instant::now();
            let answer = ask(&mut engines[mover], &format!("genmove {side}"));
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
            assert_eq!(
                ask(&mut engines[other], &format!("play {side} {name}")),
                "="
            );
        }
        let black = game.score().unwrap();
        for engine in &mut engines {
            let final_score = ask(engine, "final_score");
            let score = match black {
                0 => "= 0".to_owned(),
                1.. => format!("= B+{black}"),
                _ => format!("= W+{}", -black),
            };
            assert_eq!(final_score, score);
        }
        engines.into_iter().for_each(|engine| {
            engine.close().0.expect(0);
        });
    }
}

/// Every line with a command gets one answer.
#[test]
fn nonsense_is_answered() {
    let mut engine = Dialogue::start(&["gtp", "--hash", "1"]);
    let mut rng = SplitMix64::new(6);
    let mut answered = 0;
    for _ in 0..300 {
        // Half of the bytes are random; the others are letters, digits, blanks and `#`.
        let length = rng.index(40);
        let line: Vec<u8> = (0..length)
            .map(|_| match rng.index(2) {
                0 => rng.index(256) as u8,
                _ => b"abgw12 #"[rng.index(8)],
            })
            .filter(|&byte| byte != b'\n')
            .collect();
        let text = String::from_utf8_lossy(&line);
        let visible = text.split('#').next().unwrap();
        let visible: String = visible
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .collect();
        answered += usize::from(!visible.trim().is_empty());
        engine.send_bytes(&[&line, &b"\n"[..]].concat());
    }
    for _ in 0..answered {
        let answer = answer(&mut engine);
        assert!(answer.starts_with(['?', '=']), "{answer}");
    }
    engine.send_bytes(&vec![b'x'; 3 << 20]);
    engine.send_bytes(b"\n");
    assert_eq!(answer(&mut engine), "? line too long");
    engine.send_bytes(b"\r\n\r\n  \r\n8 play b f5\r\n");
    assert_eq!(answer(&mut engine), "=8");
    engine.send_bytes(b"9 name");
    let (run, _) = engine.close();
    assert_eq!(run.expect(0).stdout, "=9 Outflank\n\n");
}

#[test]
fn closed_outputs_end_the_program_silently() {
    let run = run_with_open_input(&["gtp", "--hash", "1"], b"name\ngenmove b\n", false);
    assert_eq!((run.status, run.stderr.as_str()), (141, ""));
}

#[test]
fn impossible_options_are_reported_before_any_answer() {
    let too_large = "a hash table of 16000000 MiB does not fit in memory";
    for (words, status, message) in [
        (
            "gtp --hash 0",
            2,
            "expected a whole number from 1 to 16777216",
        ),
        (
            "gtp --threads 0",
            2,
            "expected a whole number from 1 to 512",
        ),
        ("gtp --isa none", 2, "none"),
        ("gtp --weights /absent", 1, "/absent"),
        ("gtp --hash 16000000", 2, too_large),
        ("gtp --level 61", 2, "61"),
        ("gtp --live-gfx=1", 2, "live-gfx"),
        ("gtp --level 8 --depth 9", 2, "--depth"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let run = run_with_open_input(&words, b"name\n", true);
        run.stderr_has(message);
        assert_eq!(run.expect(status).stdout, "");
    }
}
