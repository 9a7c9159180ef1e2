//! `outflank bench`, and the options that it shares with `solve`.

use crate::common::dialogue::problem;
use crate::common::program::{OutputChecks, cli, cli_in, outflank, run_cli};
use outflank_testing::command::{Folder, run};
use serde_json::{Value, json};

fn bench(arguments: &[&str]) -> Vec<Value> {
    let mut command = cli("bench --json --hash 16 --depth 4");
    run(command.args(arguments), b"").expect(0).json()
}

#[test]
fn signatures_count_nodes_and_are_equal_at_every_level() {
    let rows = bench(&[]);
    assert_eq!(rows.len(), 3);
    let nodes: u64 = rows[..2]
        .iter()
        .map(|row| row["nodes"].as_u64().unwrap())
        .sum();
    assert_eq!(rows[2]["signature"], nodes);
    for (row, set) in rows.iter().zip(["midgame", "endgame"]) {
        assert_eq!([&row["set"], &row["positions"]], [&json!(set), &json!(20)]);
    }
    let portable = bench(&["--isa", "portable"]);
    assert_eq!(portable[2]["signature"], nodes);
    assert_eq!(portable[2]["isa"], "portable");
    // With several threads the scores are right, too.
    let rows = bench(&["--threads", "3"]);
    assert_eq!([&rows[1]["wrong"], &rows[1]["positions"]], [0, 20]);
}

#[test]
fn files_without_weights_are_refused() {
    let folder = Folder::new();
    folder.file("noise", "no weights");
    for words in ["solve - --weights noise", "bench --weights noise"] {
        let run = run(&mut cli_in(&folder, words), b"").expect(1);
        run.expect_one_error_line().stderr_has("noise");
    }
}

#[test]
fn limits_out_of_range_are_usage() {
    for words in [
        "bench --depth 61",
        "bench --depth -1",
        "bench --selectivity 90",
        "bench --selectivity x",
        "bench --hash 0",
        "solve - --level 61",
        "solve - --lines 0",
        "solve - --time -1",
        "solve - --time soon",
        "solve - --nodes 1.5",
        "solve - --threads -2",
        "solve - --level 9 --depth 3",
    ] {
        run_cli(words).expect(2);
    }
}

/// The peer is a script. The positions are given or bundled.
#[cfg(unix)]
#[test]
fn peers_are_timed_in_turn() {
    let folder = Folder::new();
    let two = format!("{}\n{}\n", problem("ffo-1-19", 0), problem("ffo-1-19", 1));
    let file = folder.file("two.obf", &two);
    let log = folder.path("log");
    let script = format!(
        "cat {{file}} >> {}; echo total 1; echo total 1:00.5 s",
        log.display()
    );
    let compare = |arguments: &[&str]| {
        let mut command = cli("bench --json --rounds 3 --hash 16 --peer");
        command.arg(format!("sh -c '{script}'")).args(arguments);
        run(&mut command, b"").expect(0).json()
    };
    let rows = compare(&["--file", &file.to_string_lossy(), "--peer-time", "total"]);
    assert_eq!(rows.len(), 4);
    for (row, round) in rows.iter().zip(1..=3) {
        let [ours, ratio] = ["ours_s", "ratio"].map(|key| row[key].as_f64().unwrap());
        assert_eq!(
            [&row["round"], &row["peer_s"]],
            [&json!(round), &json!(60.5)]
        );
        assert!(ours > 0.0 && (ratio - ours / 60.5).abs() < 1e-9, "{row}");
    }
    let median = &rows[3]["peer"]["median"];
    assert_eq!([&rows[3]["rounds"], median], [&json!(3), &json!(60.5)]);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), two.repeat(3));

    // Without `--file` the positions are the bundled ones. Without `--peer-time` the whole run is timed.
    let rows = compare(&[]);
    let read = std::fs::read_to_string(&log).unwrap();
    assert_eq!(read.lines().count(), 6 + 3 * 20);
    assert!(rows[3]["peer"]["max"].as_f64().unwrap() < 60.0);
    let ratios = [0, 1, 2].map(|i| rows[i]["ratio"].as_f64().unwrap());
    let [min, max] = ["min", "max"].map(|key| rows[3]["ratio"][key].as_f64());
    assert_eq!(min, ratios.into_iter().reduce(f64::min));
    assert_eq!(max, ratios.into_iter().reduce(f64::max));
}

#[cfg(unix)]
#[test]
fn failures_of_peers_are_reported() {
    let folder = Folder::new();
    let file = folder.file("one.obf", problem("ffo-1-19", 0));
    let file = file.to_string_lossy();
    let bad = "sh -c 'echo {file} is bad >&2; exit 3'";
    let bad_level = "solve --level x {file}";
    for (arguments, status, message) in [
        (
            &["no-such-program {file}"][..],
            1,
            "cannot run 'no-such-program'",
        ),
        (&[bad], 1, "is bad"),
        (
            &["echo {file}", "--peer-time", "took"],
            1,
            "no time follows 'took'",
        ),
        (&["echo"], 2, "{file}"),
        (&["echo '{file}"], 2, "--peer"),
        (&["echo {file}", "--ours", "solve"], 2, "--ours"),
        (&["echo {file}", "--ours", bad_level], 1, "ended with"),
        (&["echo {file}", "--rounds", "0"], 2, "--rounds"),
        (&["echo {file}", "--depth", "3"], 2, "--depth"),
        (
            &["echo {file}", "--file", "no-such-file"],
            1,
            "no-such-file",
        ),
    ] {
        let mut command = cli("bench --hash 16 --peer");
        command.args(arguments);
        if !arguments.contains(&"--file") {
            command.args(["--file", &file]);
        }
        run(&mut command, b"").expect(status).stderr_has(message);
    }
    run_cli("bench --rounds 3").expect(2).stderr_has("--peer");
}

/// Positions can come from standard input.
#[cfg(unix)]
#[test]
fn a_peer_gets_positions_from_standard_input() {
    let two = format!("{}\n{}\n", problem("ffo-1-19", 0), problem("ffo-1-19", 1));
    let folder = Folder::new();
    let mut command = cli_in(&folder, "bench --rounds 1 --hash 16 --file - --peer");
    run(command.arg("cp {file} copy"), two.as_bytes()).expect(0);
    let copy = std::fs::read_to_string(folder.path("copy"));
    assert_eq!(copy.expect("the peer ran"), two);
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
    run.stderr_has("interrupted");
    // Processes that the peer started are killed, too. A killed process has no command line, even before its parent
    // waits for it.
    let command_line = format!("/proc/{}/cmdline", started().trim());
    wait_until(|| std::fs::read(&command_line).unwrap_or_default().is_empty());
}
