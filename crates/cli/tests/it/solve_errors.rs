//! `outflank solve` with faulty files, options, levels, pipes and signals: messages, remaining results, exit status.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use crate::common::program::{ONE_EMPTY, OutputChecks, cli, run_cli};
use outflank_testing::command::{Folder, Run, run};

#[test]
fn unreadable_files_leave_the_others() {
    let folder = Folder::new();
    let good = folder.file("good.obf", ONE_EMPTY);
    let absent = folder.path("absent.obf");
    for (bad, reason) in [
        (&*absent, "No such file or directory"),
        (&*folder.path(""), "Is a directory"),
    ] {
        let run = run(cli("solve --hash 1").args([bad, &good]), b"").expect(1);
        let start = format!("outflank: {}: {reason}", bad.display());
        run.stderr_starts(&start);
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        run.stdout_has("1 solved, 0 wrong");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn endless_devices_are_refused() {
    let run = run_cli("solve --hash 1 /dev/zero").expect(1);
    run.stderr_starts("outflank: /dev/zero: line 1 is longer than 16 MiB, the limit\n");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut command = cli("solve --hash 1");
    let folder = Folder::new();
    command
        .arg(folder.file("good.obf", ONE_EMPTY))
        .stdout(full.unwrap());
    let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
    let run = Run::wait_for(child.expect("the program starts")).expect(1);
    run.stderr_starts("outflank: cannot write the results: ");
}

#[test]
fn impossible_requests_are_one_line_and_status_2() {
    let too_large = "a hash table of 16777216 MiB does not fit in memory";
    let no_window = "a window has -64 <= LOW < HIGH <= 64, unlike 5 and 5\n";
    for (arguments, message) in [
        (&["--isa", "v9"][..], "unknown instruction-set level 'v9'"),
        (&["--isa", ""], "unknown instruction-set level ''"),
        (&["--hash", "16777216"], too_large),
        (&["--window", "5", "5"], no_window),
    ] {
        let run = run(cli("solve -").args(arguments), ONE_EMPTY.as_bytes()).expect(2);
        run.expect_one_error_line();
        run.stderr_starts(format!("outflank: {message}"));
    }
}

#[test]
fn unknown_and_missing_levels_are_refused() {
    let solve = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = cli("solve --hash 1 -");
        command.envs(variable.map(|isa| ("OUTFLANK_ISA", isa)));
        run(command.args(arguments), ONE_EMPTY.as_bytes())
    };
    let run = solve(Some("nonsense"), &[]).expect(2);
    run.stderr_has("unknown instruction-set level 'nonsense'");
    for isa in outflank::Isa::ALL {
        let is_available = outflank::Isa::available().contains(isa);
        let by_option = solve(None, &["--isa", isa.name()]);
        for run in [by_option, solve(Some(isa.name()), &[])] {
            let run = run.expect(if is_available { 0 } else { 2 });
            assert_ne!(
                run.stderr.contains("this CPU lacks"),
                is_available,
                "{run:?}"
            );
        }
    }
}

#[test]
fn wrong_usage_is_status_2() {
    for words in [
        "",
        "solve",
        "nonsense",
        "solve - --nonsense",
        "solve - --hash many",
        "solve - --hash -1",
        "solve - --window 3",
        "solve - --wld --window -1 1",
    ] {
        let run = run_cli(words).expect(2);
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.contains("panicked"), "{run:?}");
    }
}

#[test]
fn help_and_version_are_shown_on_request() {
    for words in ["--help", "solve --help", "perft --help", "help solve"] {
        run_cli(words).expect(0).stdout_has("Usage: outflank");
    }
    let version = concat!("outflank ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run_cli("--version").expect(0).stdout, version);
}

/// Starts `outflank solve` on `file` and reads its output to the end of line `lines`.
#[cfg(unix)]
fn start(file: &Path, lines: usize) -> (std::process::Child, BufReader<std::process::ChildStdout>) {
    let mut child = cli("solve --hash 1")
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
fn closed_pipes_end_the_program_silently() {
    let folder = Folder::new();
    // The output exceeds the capacity of a pipe, so the program writes after the pipe is closed.
    let file = folder.file("problems.obf", format!("{ONE_EMPTY}\n").repeat(5_000));
    let (child, stdout) = start(&file, 1);
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_the_best_result_so_far() {
    let folder = Folder::new();
    let start_of_game = outflank::Board::START;
    let file = folder.file(
        "problems.obf",
        format!("{ONE_EMPTY}\n{start_of_game} X;\n{ONE_EMPTY}\n"),
    );
    let solve = start(&file, 3);
    // The first position is written; the search of the second one begins.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let (rest, status) = interrupt(solve);
    assert_eq!(status, Some(130), "{rest}");
    let lines: Vec<_> = rest.lines().collect();
    assert_eq!(lines.len(), 2, "{rest}");
    // The result has a first move.
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

/// The searches are so short that the program notices the stop only between them.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_long_file_of_small_positions() {
    let folder = Folder::new();
    let file = folder.file("problems.obf", format!("{ONE_EMPTY}\n").repeat(20_000));
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

/// Sends Ctrl-C. Returns the rest of the output and the exit status.
#[cfg(unix)]
fn interrupt(
    (mut child, mut stdout): (std::process::Child, BufReader<std::process::ChildStdout>),
) -> (String, Option<i32>) {
    outflank_testing::command::interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    (rest, child.wait().unwrap().code())
}
