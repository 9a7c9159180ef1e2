//! Signals that end the program: finished results are written, and the exit status names the signal.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::dialogue::problem;
use crate::common::matches::{command, engine};
use crate::common::program::{cli, cli_in};
use outflank_testing::command::{
    Folder, ends_soon, full_pipe, handles_signals, signal, wait_until, with_console,
};

/// Runs a command until `is_time` returns `true` and `lines` lines are written, then sends the signal `name`. Returns
/// the exit status and the rest of the output.
fn ended_by(
    name: &str,
    command: &mut Command,
    is_time: impl Fn() -> bool,
    lines: usize,
) -> (Option<i32>, String) {
    let mut child = with_console(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let _open = child.stdin.take();
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    wait_until(&is_time);
    for _ in 0..lines {
        let read = stdout.read_line(&mut String::new());
        read.expect("it can be read");
    }
    signal(&child, name);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it can be read");
    (child.wait().expect("it ends").code(), rest)
}

/// A position that is solved at once, and one that takes years.
fn easy_and_hard() -> String {
    let easy = problem("ffo-1-19", 0);
    format!("{easy}\n{} X;\n", outflank::Board::START)
}

/// Signals that a test can send, with the exit statuses of commands that they end.
const SIGNALS: &[(&str, i32)] = match cfg!(windows) {
    true => &[("INT", 130)],
    false => &[("INT", 130), ("TERM", 143), ("HUP", 129)],
};

#[test]
fn signals_end_commands_with_their_results() {
    let folder = Folder::new();
    folder.file("problems.obf", easy_and_hard());
    let engine = engine("gtp", 1);
    for &(name, status) in SIGNALS {
        if name == "HUP" && ignores_hangups() {
            eprintln!("skipped: the parent process ignores hangups");
            continue;
        }
        let mut solve = cli_in(&folder, "solve --hash 1 --json problems.obf");
        let (ended, rest) = ended_by(name, &mut solve, || true, 1);
        assert_eq!(ended, Some(status), "solve {name}");
        assert!(rest.contains("\"summary\""), "{rest}");

        let mut play = cli("play --side none --hash 1 --level 60 --book none");
        let (ended, _) = ended_by(name, &mut play, || true, 1);
        assert_eq!(ended, Some(status), "play {name}");

        let records = folder.path(&format!("{name}.records"));
        let options = "--from self --empties 8..10 --exact 10 --play-depth 1 --block 2";
        let line = format!("train generate {name}.records {options}");
        let mut generate = cli_in(&folder, &line);
        let is_written = || fs::metadata(&records).is_ok_and(|file| file.len() > 1000);
        let (ended, rest) = ended_by(name, &mut generate, is_written, 0);
        assert_eq!(ended, Some(status), "train generate {name}");
        assert!(rest.contains(" positions of "), "{rest}");

        let log = folder.path(&format!("{name}.log"));
        let options = format!("--games 1000 --log {name}.log");
        let mut games = command(&folder, [&engine, &engine], &options);
        let is_played = || fs::read_to_string(&log).is_ok_and(|text| text.lines().count() > 1);
        let (ended, rest) = ended_by(name, &mut games, is_played, 0);
        assert_eq!(ended, Some(status), "match {name}");
        let log = fs::read_to_string(&log).expect("it exists");
        let played = log.lines().count() - 1;
        let expected = format!("\n{played} game");
        assert!(rest.contains(&expected), "{expected}: {rest}");
    }
}

/// Returns `true` if this process ignores SIGHUP, as under `nohup`.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}

#[cfg(unix)]
#[test]
fn nohup_programs_survive_hangups() {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" solve --hash 1 -"]);
    let mut child = command
        .arg(env!("CARGO_BIN_EXE_outflank"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let hard = easy_and_hard();
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(hard.as_bytes()).expect("it is read");
    drop(stdin);
    // The first position is solved, so signals are handled; the second one takes years.
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut row = String::new();
    while !row.starts_with("  1|") {
        row.clear();
        assert_ne!(stdout.read_line(&mut row).expect("it can be read"), 0);
    }
    signal(&child, "HUP");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().expect("the program was started"), None);
    signal(&child, "TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
}

/// Nobody reads the full pipe of the output, so writes block.
#[test]
fn one_signal_ends_blocked_programs() {
    let folder = Folder::new();
    folder.file("easy.obf", problem("ffo-1-19", 0).repeat(100));
    folder.file("hard.obf", format!("{} X;\n", outflank::Board::START));
    folder.file("game.txt", "f5d6c3d3c4");
    // The second signal, if there is one.
    let &(other, ends_other) = SIGNALS.get(1).unwrap_or(&SIGNALS[0]);
    for (words, name, status, blocks_stderr) in [
        ("solve --hash 1 easy.obf", "INT", 130, false),
        ("solve --hash 1 --json hard.obf", other, ends_other, false),
        // Writing the message `interrupted` blocks.
        ("solve --hash 1 hard.obf", "INT", 130, true),
        (
            "analyze --hash 1 --depth 1 game.txt",
            other,
            ends_other,
            false,
        ),
        ("bench --hash 1 --positions", "INT", 130, false),
    ] {
        let (unread, full) = full_pipe();
        let mut command = cli_in(&folder, words);
        match blocks_stderr {
            true => command.stdout(Stdio::piped()).stderr(full),
            false => command.stdout(full).stderr(Stdio::piped()),
        };
        let child = with_console(&mut command).spawn();
        let child = child.expect("the program starts");
        wait_until(|| handles_signals(&child));
        signal(&child, name);
        let run = ends_soon(child);
        assert_eq!(run.status, status, "{words}: {run:#?}");
        drop(unread);
    }
}
