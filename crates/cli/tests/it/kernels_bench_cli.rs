//! `outflank kernels bench`: measurements as JSON, tables and pictures.

use crate::common::picture::{assert_inside, size};
use crate::common::program::{OutputChecks, cli, run_cli};
use outflank::Isa;
use outflank_checker::registry::{CheckerEntry, entries};
use outflank_testing::command::{Folder, run};
use serde_json::Value;

/// The algorithms of a kernel that this CPU can run.
fn runnable(kernel: &str) -> impl Iterator<Item = &'static CheckerEntry> {
    entries().filter(move |entry| entry.kernel == kernel && entry.isa.token().is_ok())
}

#[test]
fn json_and_picture_have_every_algorithm() {
    let folder = Folder::new();
    let picture = folder.path("kernels.svg");
    let mut command = cli("kernels bench --kernel flip --repeats 1 --json --svg");
    let rows = run(command.arg(&picture), b"").expect(0).json();
    let bench = &rows[0]["bench"];
    for name in ["cpu", "date", "version"] {
        let text = bench[name].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{bench}");
    }
    assert!(bench["clock_ghz"].as_f64() > Some(0.0), "{bench}");
    assert_eq!(rows.len() - 1, runnable("flip").count());
    for row in &rows[1..] {
        assert_eq!([&row["kernel"], &row["unit"]], ["flip", "call"]);
        for unit in ["ns", "cycles"] {
            let number = |kind: &str, part: &str| row[kind][unit][part].as_f64();
            assert!(number("throughput", "median") > Some(0.0), "{unit}: {row}");
            // If the empty loop is disturbed, subtracting its cost can reduce a single sample to 0.
            assert!(number("latency", "median") >= Some(0.0), "{unit}: {row}");
            assert_eq!(number("latency", "spread"), Some(0.0), "{row}");
        }
    }
    let svg = std::fs::read_to_string(picture).expect("a picture was written");
    assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"));
    // The picture has one column with a margin on both sides.
    assert_eq!(size(&svg).0, 520.0 + 2.0 * 24.0);
    assert_inside(&svg);
    for entry in runnable("flip") {
        let mark = if entry.selected { " *" } else { "" };
        let label = format!("\n{}{mark}\n", entry.algorithm);
        assert!(svg.contains(&label), "{label}");
    }
}

#[test]
fn tables_have_a_row_per_algorithm() {
    let run = run_cli("kernels bench --kernel mobility --repeats 2 --cpu 0").expect(0);
    // The heading calls the spread IQR; no sign suggests an error bar.
    let head: String = run.stdout.lines().take(5).collect();
    assert!(head.contains("IQR") && !head.contains("+-"), "{head}");
    let rows: Vec<&str> = run.stdout.lines().skip(5).collect();
    let measured: Vec<_> = runnable("mobility").collect();
    assert_eq!(rows.len(), measured.len(), "{run:?}");
    for (row, entry) in rows.into_iter().zip(&measured) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words[..2], [entry.isa.name(), entry.algorithm], "{run:?}");
        assert_eq!(words[2] == "*", entry.selected, "{run:?}");
    }
    let selected = measured.iter().filter(|entry| entry.selected).count();
    assert_eq!(run.stdout.matches(" * ").count(), selected, "{run:?}");
}

#[test]
fn memory_is_measured_per_kib_without_latency() {
    let run = run_cli("kernels bench --kernel clear --isa portable --repeats 1 --json");
    let rows = run.expect(0).json();
    let measured = runnable("clear").filter(|entry| entry.isa == Isa::Portable);
    assert_eq!(rows.len() - 1, measured.count());
    assert_eq!(
        [&rows[1]["unit"], &rows[1]["latency"]],
        [&"KiB".into(), &Value::Null]
    );
}

/// The error is reported before hours of measuring.
#[test]
fn unwritable_pictures_are_reported_at_once() {
    let folder = Folder::new();
    let nowhere = folder.path("nowhere/kernels.svg");
    let mut command = cli("kernels bench --kernel transpose --repeats 100000 --svg");
    let run = run(command.arg(&nowhere), b"").expect(1);
    assert_eq!(run.stdout, "");
    run.stderr_starts(format!("outflank: cannot write {}: ", nowhere.display()));
}
