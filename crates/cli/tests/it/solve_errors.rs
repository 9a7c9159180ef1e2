//! `outflank solve` with faulty files, levels, pipes and signals: messages, remaining results, exit status.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use crate::common::program::{NO_SUCH_FILE, ONE_EMPTY, OutputChecks, cli, cli_in, run_cli, solve};
use crate::common::text::assert_starts;
use outflank_testing::command::{Folder, Run, interrupt, run, with_console};

#[test]
fn files_after_an_unreadable_one_are_solved() {
    let folder = Folder::new();
    let good = folder.file("good.obf", ONE_EMPTY);
    let absent = Path::new("no-such-file");
    // Windows denies access to a folder.
    let is_folder = if cfg!(windows) {
        "(os error 5)"
    } else {
        "Is a directory"
    };
    for (bad, reason) in [(absent, NO_SUCH_FILE), (&folder.path(""), is_folder)] {
        let name = format!("outflank: {}: ", bad.display());
        for (good, summary) in [(Some(&good), "1 solved, 0 wrong"), (None, "")] {
            let run = run(cli("solve --hash 1").arg(bad).args(good), b"").expect(1);
            run.stderr_starts(&name).stderr_has(reason);
            run.stdout_has(summary);
            assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
            // Without a position there is no summary.
            assert_eq!(run.stdout.is_empty(), good.is_none(), "{run:?}");
        }
    }
    assert_eq!(solve(&[], "").expect(1).stdout, "");
    // JSON has a summary even if nothing was read.
    let run = solve(&["--json"], "\n  \n% only a comment\n").expect(1);
    assert_eq!(run.json().len(), 1);
    assert_eq!(run.json()[0]["summary"]["nps"], 0);
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
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
    let folder = Folder::new();
    folder.file("good.obf", ONE_EMPTY);
    let mut command = cli_in(&folder, "solve --hash 1 good.obf");
    let command = command.stdin(Stdio::null()).stdout(full.unwrap());
    let child = command.stderr(Stdio::piped()).spawn();
    let run = Run::wait_for(child.expect("the program starts")).expect(1);
    run.stderr_starts("outflank: cannot write the results: ");
}

#[test]
fn unknown_and_missing_levels_are_refused() {
    let solve = |variable: Option<&str>, option: &str| {
        let mut command = cli(&format!("solve --hash 1 - {option}"));
        command.envs(variable.map(|isa| ("OUTFLANK_ISA", isa)));
        run(&mut command, ONE_EMPTY.as_bytes())
    };
    let run = solve(Some("nonsense"), "").expect(2);
    run.stderr_has("unknown instruction-set level 'nonsense'");
    for isa in outflank::Isa::ALL {
        let is_available = outflank::Isa::available().contains(isa);
        let by_option = solve(None, &format!("--isa {isa}"));
        for run in [by_option, solve(Some(isa.name()), "")] {
            let run = run.expect(if is_available { 0 } else { 2 });
            let is_refused = run.stderr.contains("this CPU lacks");
            assert_ne!(is_refused, is_available, "{run:?}");
        }
    }
}

#[test]
fn help_and_version_are_shown_on_request() {
    let help = run_cli("help solve").expect(0).stdout;
    assert_eq!(run_cli("solve --help").expect(0).stdout, help);
    let version = concat!("outflank ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run_cli("--version").expect(0).stdout, version);
}

/// Starts `outflank solve` on a file of `count` positions, and reads its output to the end of line `lines`.
fn start(folder: &Folder, count: usize, lines: usize) -> (Child, BufReader<ChildStdout>) {
    folder.file("problems.obf", format!("{ONE_EMPTY}\n").repeat(count));
    let mut command = cli_in(folder, "solve --hash 1 problems.obf");
    let command = with_console(&mut command).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    for _ in 0..lines {
        let line = stdout.read_line(&mut String::new());
        line.expect("the program writes");
    }
    (child, stdout)
}

#[test]
fn closed_pipes_end_the_program_silently() {
    let folder = Folder::new();
    // The output exceeds the capacity of a pipe, so the program writes after the pipe is closed.
    let (child, stdout) = start(&folder, 5_000, 1);
    drop(stdout);
    assert_eq!(Run::wait_for(child).expect(141).stderr, "");
}

/// The searches are so short that the program notices the stop only between them.
#[test]
fn ctrl_c_ends_a_long_file_of_small_positions() {
    let folder = Folder::new();
    let (child, mut stdout) = start(&folder, 20_000, 3);
    interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    Run::wait_for(child).expect(130);
    let solved = rest.lines().count();
    assert!(solved < 20_000, "all were solved");
    let summary = rest.lines().last().expect("there is a summary");
    assert_starts(summary, &format!("{solved} solved, 0 wrong"));
}
