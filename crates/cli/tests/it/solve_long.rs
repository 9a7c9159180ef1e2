//! Long commands: progress, live line, Ctrl-C, and several positions at once.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::common::program::{ONE_EMPTY, OutputChecks, TIMEOUT, cli, cli_in};
use crate::common::terminal;
use outflank_testing::command::{Folder, Run, interrupt, run};
use outflank_testing::data::project_file;
use serde_json::{Value, json};

/// The start of the game, which takes years to solve.
const LONG: &str = "---------------------------OX------XO--------------------------- X;";

/// Forwards the output of a program to a channel.
fn receive(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // Reading a closed terminal is an error.
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Appends output to `text` until `is_done` accepts the text.
#[track_caller]
fn wait_until(text: &mut String, from: &Receiver<String>, is_done: impl Fn(&str) -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !is_done(text) {
        let left = end.saturating_duration_since(Instant::now());
        match from.recv_timeout(left) {
            Ok(more) => *text += &more,
            Err(error) => panic!("{error}: {text:?}"),
        }
    }
}

/// Command `outflank solve` on a file of these lines.
fn solve_command(folder: &Folder, lines: &[&str], arguments: &[&str]) -> Command {
    let file = folder.file("problems.obf", lines.join("\n"));
    let mut command = cli("solve --hash 4");
    command.args(arguments);
    command.arg(file).stdout(Stdio::piped());
    command
}

/// All states of the lines that a terminal drew.
fn drawn_lines(terminal: &str) -> impl Iterator<Item = &str> {
    terminal
        .split(['\r', '\n'])
        .map(|line| line.trim_start_matches("\u{1b}[2K").trim())
}

/// Returns `true` for a live line: `12@73%  >=+2  1,234 nodes  1,234 N/s  0:00.123  f5 D6`.
fn is_live_line(line: &str) -> bool {
    let words: Vec<_> = line.split_whitespace().collect();
    let &[depth, score, nodes, "nodes", speed, "N/s", time, first, ..] = &words[..] else {
        return false;
    };
    let is_number = |text: &str| text.replace(',', "").parse::<u64>().is_ok();
    let depth = depth.trim_end_matches("@73%");
    let score = score.trim_start_matches(['<', '>', '=']);
    is_number(depth)
        && score.starts_with(['+', '-'])
        && score.parse::<i32>().is_ok()
        && is_number(nodes)
        && is_number(speed)
        && time.starts_with("0:")
        && ["c4", "d3", "e6", "f5"].contains(&first)
}

#[test]
fn terminals_show_a_live_line_and_ctrl_c_writes_the_best_result() {
    let folder = Folder::new();
    let terminal = terminal::open(24, 120);
    let mut command = solve_command(&folder, &[LONG], &[]);
    let child = command.stderr(terminal.slave).spawn().unwrap();
    // The command holds the terminal open, too.
    drop(command);
    let from = receive(File::from(terminal.master));
    let mut text = String::new();
    wait_until(&mut text, &from, |text| {
        let lines: Vec<_> = drawn_lines(text)
            .filter(|line| is_live_line(line))
            .collect();
        let has_bound = lines.iter().any(|line| line.contains('='));
        // The line is updated.
        has_bound && lines.first() != lines.last()
    });
    interrupt(&child);
    let run = Run::wait_for(child).expect(130);
    let row = run.stdout.lines().nth(2).expect("there is a row");
    assert!(row.starts_with("  1|") && row.len() > 57, "{row}");
    run.stdout_has("\n0 solved, 1 searched, ");
}

/// Lines of progress on standard error.
fn progress(run: &Run) -> Vec<&str> {
    let is_progress = |line: &&str| {
        let time = line.split(' ').next().unwrap_or("");
        time.len() == 8 && time.split(':').all(|part| part.parse::<u32>().is_ok())
    };
    run.stderr.lines().filter(is_progress).collect()
}

#[test]
fn progress_of_a_search_is_written_as_lines() {
    let folder = Folder::new();
    let start = Instant::now();
    let mut command = solve_command(&folder, &[LONG], &["--time", "2.5", "--progress"]);
    let solved = run(&mut command, b"").expect(0);
    let lines = progress(&solved);
    assert!(!lines.is_empty(), "{solved:?}");
    assert!(
        lines.iter().all(|line| is_live_line(&line[9..])),
        "{lines:?}"
    );
    // At most one per second.
    let seconds = start.elapsed().as_secs();
    assert!(lines.len() as u64 <= seconds + 1, "{lines:?}");
    let mut command = solve_command(&folder, &[LONG], &["--time", "1.5"]);
    assert_eq!(run(&mut command, b"").expect(0).stderr, "");
}

#[test]
fn every_long_command_writes_its_progress() {
    let folder = Folder::new();
    folder.file("game", "f5d6c3d3c4f4f6\n");
    folder.file("problems.obf", ONE_EMPTY);
    let engine = env!("CARGO_BIN_EXE_outflank");
    let engine = &format!("'{engine}' gtp --depth 1 --hash 1");
    for (words, engines, last) in [
        ("bench --depth 2 --hash 16", &[][..], "20/20"),
        ("perft 9", &[], "244/244  depth 9 "),
        ("analyze --depth 1 game", &[], "7/7"),
        (
            "kernels check --kernel flip --seconds 0",
            &[],
            " comparisons",
        ),
        ("kernels bench --kernel transpose --repeats 1", &[], ""),
        ("match --games 2", &[engine, engine], "2/2  "),
        (
            "train generate a.records --from self --games 32 --empties 8..20 --exact 10 --depth 1 \
             --play-depth 1",
            &[],
            "32/32  ",
        ),
        ("train fit a.records --out w --iterations 2", &[], "2/2  "),
        ("train score problems.obf", &[], "1/1"),
        ("train duel - - --games 2 --depth 1", &[], "1/1"),
    ] {
        let mut command = cli_in(&folder, words);
        let with = run(command.arg("--progress").args(engines), b"").expect(0);
        let lines = progress(&with);
        let found = lines.last().is_some_and(|line| line[9..].contains(last));
        assert!(found, "{words}: {lines:?}, {with:?}");
    }
}

/// Starts a program and waits for a line of its progress that has these words.
fn start_until(command: &mut Command, words: &str) -> Child {
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        let count = stderr.read_line(&mut line).unwrap();
        assert!(count > 0, "the program ended");
    }
    // The output is read further, so that the program does not block.
    receive(stderr);
    child
}

#[test]
fn ctrl_c_writes_the_best_result_as_json() {
    let folder = Folder::new();
    let arguments = ["--json", "--progress", "--lines", "2"];
    let mut command = solve_command(&folder, &[ONE_EMPTY, LONG, ONE_EMPTY], &arguments);
    let child = start_until(&mut command, " #2  ");
    interrupt(&child);
    let rows = Run::wait_for(child).expect(130).json();
    assert_eq!(rows.len(), 3);
    assert_eq!([&rows[0]["complete"], &rows[0]["solved"]], [true, true]);
    let row = &rows[1];
    assert_eq!([&row["complete"], &row["solved"]], [false, false]);
    assert!(row["best"].is_string(), "{row}");
    assert_eq!(row["best"], row["pv"][0]);
    let depth = row["depth"].as_u64();
    assert!(depth.is_some_and(|depth| (1..60).contains(&depth)), "{row}");
    assert_eq!(row["lines"].as_array().map(Vec::len), Some(2), "{row}");
    let summary = &rows[2]["summary"];
    assert_eq!([&summary["positions"], &summary["solved"]], [2, 1]);
}

/// JSON output without times and speeds.
fn timeless(run: &Run) -> Vec<Value> {
    let mut rows = run.json();
    for row in rows.iter_mut().flat_map(Value::as_object_mut) {
        for key in ["time_s", "nps"] {
            row.remove(key);
            let summary = row.get_mut("summary").and_then(Value::as_object_mut);
            summary.and_then(|summary| summary.remove(key));
        }
    }
    rows
}

/// The table of the single job has the size that each of several jobs has.
#[test]
fn jobs_write_the_output_of_one_job() {
    let folder = Folder::new();
    let problems = |name: &str| {
        let bytes = project_file(&format!("data/problems/{name}.obf"));
        String::from_utf8(bytes).unwrap()
    };
    // The first position takes the longest.
    let endings = problems("ffo-20-39");
    let longest = endings.lines().rev().find(|line| !line.starts_with('%'));
    let small = [longest.unwrap(), &problems("ffo-1-19")].join("\n");
    let files = [
        folder.file("first.obf", small),
        folder.file("second.obf", problems("ffo-1-19")),
    ];
    let solve = |arguments: &[&str]| {
        let mut command = cli("solve");
        command.args(arguments).args(&files);
        run(&mut command, b"").expect(0)
    };
    for limits in [
        &[][..],
        &["--wld"],
        &["--depth", "6", "--lines", "3"],
        &["--nodes", "20000"],
        &["--time", "60"],
    ] {
        let one = solve(&[&["--json", "--hash", "2"], limits].concat());
        let three = solve(&[&["--json", "--hash", "6", "--jobs", "3"], limits].concat());
        assert_eq!(timeless(&one), timeless(&three), "{limits:?}");
    }
    let one = solve(&["--hash", "2", "--depth", "4"]);
    let two = solve(&["--hash", "4", "--jobs", "2", "--depth", "4"]);
    let heads = |run: &Run| -> Vec<String> {
        let lines = run.stdout.lines();
        lines.map(|line| line.chars().take(16).collect()).collect()
    };
    assert_eq!(
        heads(&one)[..heads(&one).len() - 1],
        heads(&two)[..heads(&one).len() - 1]
    );
    let last = two.stdout.lines().last().unwrap();
    assert!(last.starts_with("0 solved, 39 searched, 0 wrong"), "{last}");
}

/// Later results wait for the first one.
#[test]
fn ctrl_c_writes_the_results_of_all_jobs_in_order() {
    let folder = Folder::new();
    let lines = [LONG, ONE_EMPTY, ONE_EMPTY, ONE_EMPTY, LONG, ONE_EMPTY];
    let arguments = ["--json", "--jobs", "2", "--progress"];
    let mut command = solve_command(&folder, &lines, &arguments);
    let child = start_until(&mut command, " 3/6  #1  ");
    interrupt(&child);
    let rows = Run::wait_for(child).expect(130).json();
    let complete = [false, true, true, true, false];
    for ((index, complete), row) in (1..).zip(complete).zip(&rows) {
        let expected = [&json!(index), &json!(complete)];
        assert_eq!([&row["index"], &row["complete"]], expected, "{rows:?}");
    }
    let summary = &rows[5]["summary"];
    assert_eq!([&summary["positions"], &summary["solved"]], [5, 3]);
    assert!(rows[0]["best"].is_string() && rows[4]["best"].is_string());
}

#[test]
fn impossible_jobs_are_refused() {
    let range = "expected a whole number from 1 to 512";
    for (arguments, reason) in [
        ("--jobs 0", range),
        ("--jobs 513", range),
        ("--jobs 2 --threads 2", "leave out --threads"),
        ("--jobs 5 --hash 4", "--hash 4 is to be divided among 5"),
    ] {
        let run = run(
            &mut cli(&format!("solve - {arguments}")),
            ONE_EMPTY.as_bytes(),
        )
        .expect(2);
        run.stderr_has(reason);
        assert_eq!(run.stdout, "");
    }
}
