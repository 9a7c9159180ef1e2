//! `outflank bench`, and the options that it shares with `solve`.

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
