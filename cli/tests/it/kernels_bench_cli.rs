//! `outflank kernels bench`: the measurements of kernels, as a user meets them.

use crate::common::picture::{assert_inside, size};
use crate::common::program::outflank;
use outflank::Isa;
use outflank_checker::registry::{Entry, entries};
use outflank_testing::command::{Folder, Run, run};

fn command(arguments: &[&str], status: i32) -> Run {
    run(outflank().arg("kernels").args(arguments), b"").expect(status)
}

/// The algorithms of a kernel that this CPU can run.
fn runnable(kernel: &str) -> impl Iterator<Item = &'static Entry> {
    entries().filter(move |entry| entry.kernel == kernel && entry.isa.token().is_ok())
}

#[test]
fn measurements_as_json_and_as_a_picture() {
    let folder = Folder::new();
    let picture = folder.path("kernels.svg");
    let mut command = outflank();
    command.args([
        "kernels",
        "bench",
        "--kernel",
        "flip",
        "--repeats",
        "1",
        "--json",
        "--svg",
    ]);
    let run = run(command.arg(&picture), b"").expect(0);
    let rows = run.json();
    let bench = &rows[0]["bench"];
    for name in ["cpu", "date", "version"] {
        assert!(
            bench[name].as_str().is_some_and(|text| !text.is_empty()),
            "{bench}"
        );
    }
    assert!(
        bench["clock_ghz"].as_f64().is_some_and(|clock| clock > 0.0),
        "{bench}"
    );
    assert_eq!(rows.len() - 1, runnable("flip").count());
    for row in &rows[1..] {
        assert_eq!(
            (&row["kernel"], &row["unit"]),
            (&"flip".into(), &"call".into())
        );
        for unit in ["ns", "cycles"] {
            let number = |kind: &str, part: &str| row[kind][unit][part].as_f64();
            let throughput = number("throughput", "median");
            assert!(throughput.is_some_and(|ns| ns > 0.0), "{unit}: {row}");
            // A disturbance of the loop without a kernel may leave nothing of a single sample.
            let latency = number("latency", "median");
            assert!(latency.is_some_and(|ns| ns >= 0.0), "{unit}: {row}");
            assert_eq!(number("latency", "spread"), Some(0.0), "{row}");
        }
    }
    let drawn = std::fs::read_to_string(picture).expect("a picture was written");
    assert!(
        drawn.contains("<svg") && drawn.trim_end().ends_with("</svg>"),
        "{drawn}"
    );
    // A column, with a margin on both sides.
    assert_eq!(size(&drawn).0, 520.0 + 2.0 * 24.0);
    assert_inside(&drawn);
    for entry in runnable("flip") {
        let mark = if entry.selected { " *" } else { "" };
        let label = format!("\n{}{mark}\n", entry.algorithm);
        assert!(drawn.contains(&label), "{label}");
    }
}

#[test]
fn measurements_as_a_table() {
    let run = command(
        &[
            "bench",
            "--kernel",
            "mobility",
            "--repeats",
            "2",
            "--cpu",
            "0",
        ],
        0,
    );
    // The spread is called what it is: the interquartile range, not an error.
    let head: String = run.stdout.lines().take(5).collect();
    assert!(head.contains("IQR") && !head.contains("+-"), "{head}");
    let rows: Vec<&str> = run.stdout.lines().skip(5).collect();
    let measured: Vec<_> = runnable("mobility").collect();
    assert_eq!(rows.len(), measured.len(), "{}", run.stdout);
    for (row, entry) in rows.into_iter().zip(&measured) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(
            words[..2],
            [entry.isa.name(), entry.algorithm],
            "{}",
            run.stdout
        );
        assert_eq!(words[2] == "*", entry.selected, "{}", run.stdout);
    }
    let selected = measured.iter().filter(|entry| entry.selected);
    assert_eq!(
        run.stdout.matches(" * ").count(),
        selected.count(),
        "{}",
        run.stdout
    );
}

#[test]
fn memory_is_measured_per_kib_and_has_no_latency() {
    let arguments = [
        "bench",
        "--kernel",
        "clear",
        "--isa",
        "portable",
        "--repeats",
        "1",
        "--json",
    ];
    let rows = command(&arguments, 0).json();
    let measured = runnable("clear").filter(|entry| entry.isa == Isa::Portable);
    assert_eq!(rows.len() - 1, measured.count());
    assert_eq!(
        (&rows[1]["unit"], &rows[1]["latency"]),
        (&"KiB".into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_picture_that_cannot_be_written_is_reported() {
    let folder = Folder::new();
    let nowhere = folder.path("nowhere/kernels.svg");
    let mut command = outflank();
    command.args([
        "kernels",
        "bench",
        "--kernel",
        "transpose",
        // Hours, which nobody waits for to be told so.
        "--repeats",
        "100000",
        "--svg",
    ]);
    let run = run(command.arg(&nowhere), b"").expect(1);
    assert_eq!(run.stdout, "");
    let said = format!("outflank: cannot write {}: ", nowhere.display());
    assert!(run.stderr.starts_with(&said), "{}", run.stderr);
}
