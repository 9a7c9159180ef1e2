//! `outflank bench`, and the options that it shares with `solve`.

use crate::common::dialogue::problem;
use crate::common::program::outflank;
use outflank_testing::command::{Folder, run};
use serde_json::Value;

fn bench(arguments: &[&str]) -> Vec<Value> {
    let mut command = outflank();
    command
        .args(["bench", "--json", "--hash", "16", "--depth", "4"])
        .args(arguments);
    run(&mut command, b"").expect(0).json()
}

#[test]
fn the_signature_is_the_nodes_and_the_same_at_every_level() {
    let rows = bench(&[]);
    assert_eq!(rows.len(), 3);
    let nodes: u64 = rows[..2]
        .iter()
        .map(|row| row["nodes"].as_u64().unwrap())
        .sum();
    assert_eq!(rows[2]["signature"], nodes);
    for (row, set) in rows.iter().zip(["midgame", "endgame"]) {
        assert_eq!((&row["set"], &row["positions"]), (&set.into(), &20.into()));
    }
    let portable = bench(&["--isa", "portable"]);
    assert_eq!(portable[2]["signature"], nodes);
    assert_eq!(portable[2]["isa"], "portable");
    // Threads find the same scores.
    let rows = bench(&["--threads", "3"]);
    assert_eq!(
        (&rows[1]["wrong"], &rows[1]["positions"]),
        (&0.into(), &20.into())
    );
}

#[test]
fn weights_are_read_or_refused() {
    let folder = Folder::new();
    let noise = folder.file("noise", "no weights");
    for command in ["solve", "bench"] {
        let mut outflank = outflank();
        outflank.args([command, "--weights"]).arg(&noise);
        if command == "solve" {
            outflank.arg("-");
        }
        let run = run(&mut outflank, b"").expect(1);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("noise"), "{}", run.stderr);
    }
}

#[test]
fn limits_out_of_range_are_usage() {
    for bad in [
        ["--depth", "61"],
        ["--depth", "-1"],
        ["--selectivity", "90"],
        ["--selectivity", "x"],
        ["--hash", "0"],
    ] {
        run(outflank().arg("bench").args(bad), b"").expect(2);
    }
    for bad in [
        ["--level", "61"],
        ["--lines", "0"],
        ["--time", "-1"],
        ["--time", "soon"],
        ["--nodes", "1.5"],
        ["--threads", "-2"],
    ] {
        run(outflank().arg("solve").args(bad).arg("-"), b"").expect(2);
    }
    run(
        outflank().args(["solve", "--level", "9", "--depth", "3", "-"]),
        b"",
    )
    .expect(2);
}

/// A script as the peer, on positions that are given or bundled.
#[cfg(unix)]
#[test]
fn a_peer_is_timed_in_turn() {
    let folder = Folder::new();
    let two = format!("{}\n{}\n", problem("ffo-1-19", 0), problem("ffo-1-19", 1));
    let file = folder.file("two.obf", &two);
    let log = folder.path("log");
    let script = format!(
        "cat {{file}} >> {}; echo total 1; echo total 1:00.5 s",
        log.display()
    );
    let compare = |arguments: &[&str]| {
        let mut command = outflank();
        command.args(["bench", "--json", "--rounds", "3", "--hash", "16", "--peer"]);
        command.args([&format!("sh -c '{script}'")]).args(arguments);
        run(&mut command, b"").expect(0).json()
    };
    let rows = compare(&["--file", &file.to_string_lossy(), "--peer-time", "total"]);
    assert_eq!(rows.len(), 4);
    for (row, round) in rows.iter().zip(1..=3) {
        let [ours, ratio] = ["ours_s", "ratio"].map(|key| row[key].as_f64().unwrap());
        assert_eq!(
            (&row["round"], &row["peer_s"]),
            (&round.into(), &60.5.into())
        );
        assert!(ours > 0.0 && (ratio - ours / 60.5).abs() < 1e-9, "{row}");
    }
    assert_eq!(
        (&rows[3]["rounds"], &rows[3]["peer"]["median"]),
        (&3.into(), &60.5.into())
    );
    assert_eq!(std::fs::read_to_string(&log).unwrap(), two.repeat(3));

    // Without a file the bundled positions, without a text the time of the whole run.
    let rows = compare(&[]);
    let read = std::fs::read_to_string(&log).unwrap();
    assert_eq!(read.lines().count(), 6 + 3 * 20);
    assert!(rows[3]["peer"]["max"].as_f64().unwrap() < 60.0);
    let ratios = [0, 1, 2].map(|i| rows[i]["ratio"].as_f64().unwrap());
    let (min, max) = (
        rows[3]["ratio"]["min"].as_f64(),
        rows[3]["ratio"]["max"].as_f64(),
    );
    assert_eq!(min, ratios.into_iter().reduce(f64::min));
    assert_eq!(max, ratios.into_iter().reduce(f64::max));
}

#[cfg(unix)]
#[test]
fn a_peer_that_fails_is_named() {
    let folder = Folder::new();
    let file = folder.file("one.obf", problem("ffo-1-19", 0));
    let file = file.to_string_lossy();
    for (arguments, status, message) in [
        (
            &["--peer", "no-such-program {file}"][..],
            1,
            "cannot run 'no-such-program'",
        ),
        (
            &["--peer", "sh -c 'echo {file} is bad >&2; exit 3'"],
            1,
            "is bad",
        ),
        (
            &["--peer", "echo {file}", "--peer-time", "took"],
            1,
            "no time follows 'took'",
        ),
        (&["--peer", "echo"], 2, "{file}"),
        (&["--peer", "echo '{file}"], 2, "--peer"),
        (&["--peer", "echo {file}", "--ours", "solve"], 2, "--ours"),
        (
            &["--peer", "echo {file}", "--ours", "solve --level x {file}"],
            1,
            "ended with",
        ),
        (&["--peer", "echo {file}", "--rounds", "0"], 2, "--rounds"),
        (&["--peer", "echo {file}", "--depth", "3"], 2, "--depth"),
        (&["--rounds", "3"], 2, "--peer"),
    ] {
        let mut command = outflank();
        command.args(["bench", "--hash", "16"]).args(arguments);
        if arguments.contains(&"--peer") {
            command.args(["--file", &file]);
        }
        let run = run(&mut command, b"").expect(status);
        assert!(
            run.stderr.contains(message),
            "{arguments:?}: {}",
            run.stderr
        );
    }
    let mut command = outflank();
    command.args(["bench", "--peer", "echo {file}", "--file", "no-such-file"]);
    let run = run(&mut command, b"").expect(1);
    assert!(run.stderr.contains("no-such-file"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_peer() {
    use outflank_testing::command::{ends_soon, handles_signals, interrupt, wait_until};
    use std::process::Stdio;

    let folder = Folder::new();
    let log = folder.path("log");
    let script = format!("sleep 60 & echo $! > {}; wait", log.display());
    let child = outflank()
        .args(["bench", "--peer", &format!("sh -c '{script}' {{file}}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = || std::fs::read_to_string(&log).unwrap_or_default();
    wait_until(|| handles_signals(&child) && started().ends_with('\n'));
    interrupt(&child);
    let run = ends_soon(child).expect(130);
    assert!(run.stderr.contains("interrupted"), "{}", run.stderr);
    // What the peer started is ended, too. A process that nobody waits for has no command line any more.
    let command_line = format!("/proc/{}/cmdline", started().trim());
    wait_until(|| std::fs::read(&command_line).unwrap_or_default().is_empty());
}
