//! `outflank bench`, and the options that it shares with `solve`.

use crate::common::dialogue::problem;
use crate::common::program::{OutputChecks, cli_in, outflank, run_cli, run_in};
use outflank_testing::command::{Folder, run};
use serde_json::{Value, json};

fn bench(options: &str) -> Vec<Value> {
    let line = format!("bench --json --hash 16 --depth 4 {options}");
    run_cli(&line).expect(0).json()
}

/// Text of a file of two positions.
fn two_positions() -> String {
    let [first, second] = [0, 1].map(|number| problem("ffo-1-19", number));
    format!("{first}\n{second}\n")
}

#[test]
fn signatures_count_nodes_and_are_equal_at_every_level() {
    let rows = bench("");
    assert_eq!(rows.len(), 3);
    let nodes = |row: &Value| row["nodes"].as_u64().unwrap();
    let nodes = nodes(&rows[0]) + nodes(&rows[1]);
    assert_eq!(rows[2]["signature"], nodes);
    for (row, set) in rows.iter().zip(["midgame", "endgame"]) {
        assert_eq!([&row["set"], &row["positions"]], [&json!(set), &json!(20)]);
    }
    let portable = bench("--isa portable");
    assert_eq!(portable[2]["signature"], nodes);
    assert_eq!(portable[2]["isa"], "portable");
    // With several threads the scores are right, too.
    let rows = bench("--threads 3");
    assert_eq!([&rows[1]["wrong"], &rows[1]["positions"]], [0, 20]);
    // The last row tells how the threads spent their time.
    let work = &rows[2]["thread_work"];
    let shares = ["searching", "waiting", "splitting"].map(|key| work[key].as_f64().unwrap());
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{work}");
    let [splits, moves, given] =
        ["splits", "moves", "moves_given"].map(|key| work[key].as_u64().unwrap());
    assert!(
        0 < splits && splits < moves && 0 < given && given < moves,
        "{work}"
    );
    let compared = ["speed_up", "nodes_ratio"].map(|key| rows[2][key].as_f64().unwrap());
    assert!(compared.iter().all(|&ratio| ratio > 0.1), "{compared:?}");
}

/// The peer is a script. The positions are given or bundled.
#[cfg(unix)]
#[test]
fn peers_are_timed_in_turn() {
    let folder = Folder::new();
    let two = two_positions();
    folder.file("two.obf", &two);
    let compare = |options: &str| {
        let peer = "sh -c 'cat {file} >> log; echo total 1; echo total 1:00.5 s'";
        let line = format!("bench --json --rounds 3 --hash 16 --peer \"{peer}\" {options}");
        run_in(&folder, &line, 0).json()
    };
    let read = || std::fs::read_to_string(folder.path("log")).unwrap();
    let rows = compare("--file two.obf --peer-time total");
    assert_eq!(rows.len(), 4);
    for (row, round) in rows.iter().zip(1..=3) {
        let [ours, ratio] = ["ours_s", "ratio"].map(|key| row[key].as_f64().unwrap());
        assert_eq!(row["round"], round);
        assert_eq!(row["peer_s"], 60.5);
        assert!(ours > 0.0 && (ratio - ours / 60.5).abs() < 1e-9, "{row}");
    }
    assert_eq!(rows[3]["rounds"], 3);
    assert_eq!(rows[3]["peer"]["median"], 60.5);
    assert_eq!(read(), two.repeat(3));

    // Without `--file` the positions are the bundled ones. Without `--peer-time` the whole run is timed.
    let rows = compare("");
    assert_eq!(read().lines().count(), 6 + 3 * 20);
    assert!(rows[3]["peer"]["max"].as_f64().unwrap() < 60.0);
    let ratios = [0, 1, 2].map(|i| rows[i]["ratio"].as_f64().unwrap());
    let [min, max] = ["min", "max"].map(|key| rows[3]["ratio"][key].as_f64());
    assert_eq!(min, ratios.into_iter().reduce(f64::min));
    assert_eq!(max, ratios.into_iter().reduce(f64::max));
}

/// Positions can come from standard input.
#[cfg(unix)]
#[test]
fn a_peer_gets_positions_from_standard_input() {
    let two = two_positions();
    let folder = Folder::new();
    let line = "bench --rounds 1 --hash 16 --file - --peer 'cp {file} copy'";
    run(&mut cli_in(&folder, line), two.as_bytes()).expect(0);
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
