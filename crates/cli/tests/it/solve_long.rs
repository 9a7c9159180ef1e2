//! Long commands: progress, live line, Ctrl-C, and several positions at once.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Instant;

use crate::common::matches::engine;
use crate::common::program::{ONE_EMPTY, TIMEOUT, cli, cli_in};
use crate::common::terminal::{self, receive};
use crate::common::text::assert_starts;
use outflank_testing::command::{Folder, Run, interrupt, run};
use outflank_testing::data::project_file;
use serde_json::{Value, json};

/// The start of the game, which takes years to solve.
const LONG: &str = "---------------------------OX------XO--------------------------- X;";

/// Black's first moves.
const FIRST_MOVES: [&str; 4] = ["c4", "d3", "e6", "f5"];

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
fn solve_command(folder: &Folder, lines: &[&str], options: &str) -> Command {
    let file = folder.file("problems.obf", lines.join("\n"));
    let mut command = cli(&format!("solve --hash 4 {options}"));
    command.arg(file).stdout(Stdio::piped());
    command
}

/// All states of the lines that a terminal drew for the second of three positions.
fn drawn_lines(terminal: &str) -> impl Iterator<Item = &str> {
    let lines = terminal.split(['\r', '\n']);
    lines.filter_map(|line| {
        line.trim_start_matches("\u{1b}[2K")
            .strip_prefix("1/3  #2  ")
    })
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
        && FIRST_MOVES.contains(&first)
}

#[test]
fn terminals_show_a_live_line_and_ctrl_c_writes_the_best_result() {
    let folder = Folder::new();
    let terminal = terminal::open(24, 120);
    let mut command = solve_command(&folder, &[ONE_EMPTY, LONG, ONE_EMPTY], "");
    let child = command.stderr(terminal.slave).spawn().unwrap();
    // The command holds the terminal open, too.
    drop(command);
    let from = receive(File::from(terminal.master));
    let mut text = String::new();
    wait_until(&mut text, &from, |text| {
        let lines = drawn_lines(text).filter(|line| is_live_line(line));
        let lines: Vec<_> = lines.collect();
        let has_bound = lines.iter().any(|line| line.contains('='));
        // The line is updated.
        has_bound && lines.first() != lines.last()
    });
    interrupt(&child);
    let run = Run::wait_for(child).expect(130);
    // The last position is left out.
    let lines: Vec<_> = run.stdout.lines().skip(3).collect();
    let &[row, summary] = &lines[..] else {
        panic!("{run:#?}")
    };
    assert_starts(row, "  2|");
    assert_ne!(row[4..10].trim(), "60", "{row}");
    let first_move = row[57..].split(' ').next().unwrap();
    assert!(FIRST_MOVES.contains(&first_move), "{row}");
    assert_starts(summary, "1 solved, 1 searched, 0 wrong, 0 malformed; ");
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
    let mut command = solve_command(&folder, &[LONG], "--time 2.5 --progress");
    let solved = run(&mut command, b"").expect(0);
    let lines = progress(&solved);
    assert!(!lines.is_empty(), "{solved:?}");
    let mut live_lines = lines.iter().map(|line| &line[9..]);
    assert!(live_lines.all(is_live_line), "{lines:?}");
    // At most one per second.
    let seconds = start.elapsed().as_secs();
    assert!(lines.len() as u64 <= seconds + 1, "{lines:?}");
    let mut command = solve_command(&folder, &[LONG], "--time 1.5");
    assert_eq!(run(&mut command, b"").expect(0).stderr, "");
}

#[test]
fn every_long_command_writes_its_progress() {
    let folder = Folder::new();
    folder.file("game", "f5d6c3d3c4f4f6\n");
    folder.file("problems.obf", ONE_EMPTY);
    let engine = &*engine("gtp", 1);
    let check = "kernels check --kernel flip --seconds 0";
    let generate = "train generate a.records --from self --games 32 --empties 8..20 --exact 10 \
                    --depth 1 --play-depth 1";
    for (words, engines, last) in [
        ("bench --depth 2 --hash 16", &[][..], "20/20"),
        ("perft 9", &[], "244/244  depth 9 "),
        ("analyze --depth 1 game", &[], "7/7"),
        (check, &[], " comparisons"),
        ("kernels bench --kernel transpose --repeats 1", &[], ""),
        ("match --games 2", &[engine, engine], "2/2  "),
        (generate, &[], "32/32  "),
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

/// Runs a program up to a line of its progress that has these words, then interrupts it. Returns its output in JSON.
fn interrupt_at(command: &mut Command, words: &str) -> Vec<Value> {
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        let count = stderr.read_line(&mut line).unwrap();
        assert!(count > 0, "the program ended");
    }
    // Standard error is read on, so that the program does not block.
    receive(stderr);
    interrupt(&child);
    Run::wait_for(child).expect(130).json()
}

#[test]
fn ctrl_c_writes_the_best_result_as_json() {
    let folder = Folder::new();
    let lines = [ONE_EMPTY, LONG, ONE_EMPTY];
    let mut command = solve_command(&folder, &lines, "--json --progress --lines 2");
    let rows = interrupt_at(&mut command, " #2  ");
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

/// The hash table of the single job is as large as that of each of several jobs.
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
    let second = folder.file("second.obf", problems("ffo-1-19"));
    let files = [folder.file("first.obf", small), second];
    let solve = |options: &str| {
        let mut command = cli(&format!("solve {options}"));
        run(command.args(&files), b"").expect(0)
    };
    let depth = "--depth 6 --lines 3";
    for limits in ["", "--wld", depth, "--nodes 20000", "--time 60"] {
        let one = solve(&format!("--json --hash 2 {limits}"));
        let three = solve(&format!("--json --hash 6 --jobs 3 {limits}"));
        assert_eq!(timeless(&one), timeless(&three), "{limits}");
    }
    let one = solve("--hash 2 --depth 4");
    let two = solve("--hash 4 --jobs 2 --depth 4");
    // Times and speeds differ.
    let heads = |run: &Run| -> Vec<String> {
        let rows = run.stdout.lines().filter(|line| !line.contains(" solved"));
        rows.map(|row| row.chars().take(16).collect()).collect()
    };
    assert_eq!(heads(&one), heads(&two));
    let last = two.stdout.lines().last().unwrap();
    assert_starts(last, "0 solved, 39 searched, 0 wrong");
}

/// Later results wait for the first one.
#[test]
fn ctrl_c_writes_the_results_of_all_jobs_in_order() {
    let folder = Folder::new();
    let lines = [LONG, ONE_EMPTY, ONE_EMPTY, ONE_EMPTY, LONG, ONE_EMPTY];
    let mut command = solve_command(&folder, &lines, "--json --jobs 2 --progress");
    let rows = interrupt_at(&mut command, " 3/6  #1  ");
    let complete = [false, true, true, true, false];
    for ((index, complete), row) in (1..).zip(complete).zip(&rows) {
        let expected = [&json!(index), &json!(complete)];
        assert_eq!([&row["index"], &row["complete"]], expected, "{rows:?}");
    }
    let summary = &rows[5]["summary"];
    assert_eq!([&summary["positions"], &summary["solved"]], [5, 3]);
    assert!(rows[0]["best"].is_string() && rows[4]["best"].is_string());
}
