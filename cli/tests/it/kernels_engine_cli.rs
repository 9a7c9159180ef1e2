//! `outflank kernels bench --engine`, as a user meets it.

use crate::common::program::outflank;
use outflank::Isa;
#[cfg(feature = "compare-last-move")]
use outflank::search::variants;
use outflank_testing::command::run;

#[test]
fn what_cannot_be_measured_is_refused() {
    for (arguments, said) in [
        (
            &["--engine", "--isa", "v9"][..],
            "unknown instruction-set level 'v9' (possible here: portable",
        ),
        (
            &["--engine", "--rounds", "0"],
            "expected a whole number from 1 to 1000",
        ),
        (&["--engine", "--kernel", "flip"], "cannot be used with"),
        (&["--engine", "--cpu", "99999"], "there is no core 99999"),
        (&["--rounds", "2"], "--engine"),
    ] {
        let mut command = outflank();
        command.args(["kernels", "bench"]).args(arguments);
        let run = run(&mut command, b"").expect(2);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
    let here = Isa::available();
    if let Some(absent) = Isa::ALL.iter().find(|isa| !here.contains(isa)) {
        let mut command = outflank();
        command.args(["kernels", "bench", "--engine", "--isa", absent.name()]);
        let run = run(&mut command, b"").expect(2);
        let said = format!("this CPU lacks the instruction-set level {absent}");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
}

/// A build that calls the last empties directly says how to build one that compares.
#[cfg(not(feature = "compare-last-move"))]
#[test]
fn other_builds_say_how_to_build_one_that_compares() {
    let mut command = outflank();
    let run = run(command.args(["kernels", "bench", "--engine"]), b"").expect(2);
    assert_eq!(run.stdout, "");
    let said = "cargo run --release --features compare-last-move -- kernels bench --engine";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

/// All twenty positions with every variant of a level:
/// `cargo test -p outflank-cli --features compare-last-move --test it kernels_engine -- --ignored`.
#[cfg(feature = "compare-last-move")]
#[test]
#[ignore = "a minute or more"]
fn every_variant_of_a_level_is_in_the_table() {
    let mut command = outflank();
    command.args(["kernels", "bench", "--engine", "--rounds", "1"]);
    let lines = run(command.args(["--json", "--isa", "portable"]), b"")
        .expect(0)
        .json();
    let (first, rows) = lines
        .split_first()
        .expect("a line that says what was measured");
    assert_eq!(
        (&first["engine"]["positions"], &first["engine"]["rounds"]),
        (&20.into(), &1.into())
    );
    assert_eq!(rows.len(), variants(Isa::Portable).len());
    for (row, variant) in rows.iter().zip(variants(Isa::Portable)) {
        assert_eq!(row["variant"], variant.name);
        assert_eq!(row["selected"], variant.selected);
        assert_eq!(row["nodes"], first["engine"]["nodes"]);
        let time = |row: &serde_json::Value| row["time_s"].as_f64().expect("a number");
        let base = rows
            .iter()
            .find(|row| row["selected"] == true)
            .expect("one is used");
        let ratio = row["ratio"].as_f64().expect("a number");
        assert!((ratio - time(row) / time(base)).abs() < 1e-9);
    }
}
