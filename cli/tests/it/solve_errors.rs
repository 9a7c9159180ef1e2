//! `outflank solve` where something outside the lines of a file goes wrong: files, options, levels,
//! pipes, signals. What it says, what it still solves, and its exit status.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use crate::common::program::outflank;
use outflank_testing::command::{Folder, run};

/// One empty square, E1.
const GOOD: &str = "XXXX-XXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXXXXXXOOOOOOOO O; E1:-24;";

#[test]
fn a_file_that_cannot_be_read_leaves_the_others() {
    let folder = Folder::new();
    let good = folder.file("good.obf", GOOD);
    let absent = folder.path("absent.obf");
    for (bad, reason) in [
        (&*absent, "No such file or directory"),
        (&*folder.path(""), "Is a directory"),
    ] {
        let mut command = outflank();
        command.args(["solve", "--hash", "1"]).arg(bad).arg(&good);
        let run = run(&mut command, b"").expect(1);
        let start = format!("outflank: {}: {reason}", bad.display());
        assert!(run.stderr.starts_with(&start), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stdout.contains("1 solved, 0 wrong"), "{}", run.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_not_read_for_ever() {
    let mut command = outflank();
    command.args(["solve", "--hash", "1", "/dev/zero"]);
    let run = run(&mut command, b"").expect(1);
    let told = "outflank: /dev/zero: line 1 is longer than 16 MiB, the limit\n";
    assert!(run.stderr.starts_with(told), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = Folder::new();
    let mut command = outflank();
    command.args(["solve", "--hash", "1"]);
    command.arg(folder.file("good.obf", GOOD));
    command.stdout(
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap(),
    );
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.starts_with("outflank: cannot write the results: "),
        "{stderr}"
    );
}

#[test]
fn what_cannot_be_carried_out_is_one_line_and_status_2() {
    let folder = Folder::new();
    let file = folder.file("good.obf", GOOD);
    let cases: [(&[&str], &str); 4] = [
        (&["--isa", "v9"], "unknown instruction-set level 'v9'"),
        (&["--isa", ""], "unknown instruction-set level ''"),
        (
            &["--hash", "16777216"],
            "a hash table of 16777216 MiB does not fit in memory",
        ),
        (
            &["--window", "5", "5"],
            "a window has -64 <= LOW < HIGH <= 64, unlike 5 and 5",
        ),
    ];
    for (arguments, message) in cases {
        let mut command = outflank();
        let run = run(command.arg("solve").args(arguments).arg(&file), b"").expect(2);
        assert!(
            run.stderr.starts_with(&format!("outflank: {message}")),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn levels_that_the_cpu_lacks_or_nobody_knows_are_refused() {
    let solve = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = outflank();
        if let Some(isa) = variable {
            command.env("OUTFLANK_ISA", isa);
        }
        run(
            command.args(["solve", "--hash", "1", "-"]).args(arguments),
            GOOD.as_bytes(),
        )
    };
    let run = solve(Some("nonsense"), &[]).expect(2);
    assert!(
        run.stderr
            .contains("unknown instruction-set level 'nonsense'"),
        "{}",
        run.stderr
    );
    for isa in outflank::Isa::ALL {
        let status = if outflank::Isa::available().contains(isa) {
            0
        } else {
            2
        };
        for run in [
            solve(None, &["--isa", isa.name()]),
            solve(Some(isa.name()), &[]),
        ] {
            let run = run.expect(status);
            assert_eq!(
                run.stderr.contains("this CPU lacks"),
                status == 2,
                "{}",
                run.stderr
            );
        }
    }
}

#[test]
fn wrong_usage_is_status_2() {
    let cases: [&[&str]; 8] = [
        &[],
        &["solve"],
        &["nonsense"],
        &["solve", "-", "--nonsense"],
        &["solve", "-", "--hash", "many"],
        &["solve", "-", "--hash", "-1"],
        &["solve", "-", "--window", "3"],
        &["solve", "-", "--wld", "--window", "-1", "1"],
    ];
    for arguments in cases {
        let run = run(outflank().args(arguments), b"").expect(2);
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn help_and_version_are_for_the_asking() {
    for arguments in [
        &["--help"][..],
        &["solve", "--help"],
        &["perft", "--help"],
        &["help", "solve"],
    ] {
        let run = run(outflank().args(arguments), b"").expect(0);
        assert!(run.stdout.contains("Usage: outflank"), "{}", run.stdout);
    }
    let run = run(outflank().arg("--version"), b"").expect(0);
    assert_eq!(
        run.stdout,
        concat!("outflank ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

/// Starts `outflank solve` on `file` and reads its output to the end of line `lines`.
#[cfg(unix)]
fn start(file: &Path, lines: usize) -> (std::process::Child, BufReader<std::process::ChildStdout>) {
    let mut child = outflank()
        .args(["solve", "--hash", "1"])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    for _ in 0..lines {
        stdout
            .read_line(&mut String::new())
            .expect("the program writes");
    }
    (child, stdout)
}

#[cfg(unix)]
#[test]
fn a_reader_who_leaves_gets_no_complaint() {
    let folder = Folder::new();
    // More than a pipe holds, so that a write after the reader left is certain.
    let file = folder.file("problems.obf", format!("{GOOD}\n").repeat(5_000));
    let (child, stdout) = start(&file, 1);
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_was_found() {
    let folder = Folder::new();
    let start_of_game = outflank::Board::START;
    let file = folder.file(
        "problems.obf",
        format!("{GOOD}\n{start_of_game} X;\n{GOOD}\n"),
    );
    let solve = start(&file, 3);
    // The first position is written; the search of the second one begins.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let (rest, status) = interrupt(solve);
    assert_eq!(status, Some(130), "{rest}");
    let lines: Vec<_> = rest.lines().collect();
    assert_eq!(lines.len(), 2, "{rest}");
    // A move of the first search at least.
    let (depth, line) = (&lines[0][4..10], &lines[0][56..]);
    assert!(
        lines[0].starts_with("  2|") && depth.trim() != "60",
        "{rest}"
    );
    assert!(["c4", "d3", "e6", "f5"].contains(&line.trim().split(' ').next().unwrap()));
    assert!(
        lines[1].starts_with("1 solved, 1 searched, 0 wrong, 0 malformed; "),
        "{rest}"
    );
}

/// Positions so small that no search is long enough to look up: the stop is seen between them.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_long_file_of_small_positions() {
    let folder = Folder::new();
    let file = folder.file("problems.obf", format!("{GOOD}\n").repeat(20_000));
    let (rest, status) = interrupt(start(&file, 3));
    assert_eq!(status, Some(130));
    let solved = rest.lines().count();
    assert!(solved < 20_000, "all were solved");
    let summary = rest.lines().last().expect("there is a summary");
    assert!(
        summary.starts_with(&format!("{solved} solved, 0 wrong")),
        "{summary}"
    );
}

/// Presses Ctrl-C; what the program still writes, and its exit status.
#[cfg(unix)]
fn interrupt(
    (mut child, mut stdout): (std::process::Child, BufReader<std::process::ChildStdout>),
) -> (String, Option<i32>) {
    outflank_testing::command::interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    (rest, child.wait().unwrap().code())
}
