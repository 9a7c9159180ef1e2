//! `outflank kernels list`, `outflank kernels check` and `outflank kernels bench`.

use crate::common::picture::{assert_inside, size};
use crate::common::program::{OutputChecks, cli, run_cli, run_in};
use outflank::Isa;
use outflank_checker::registry::{CheckerEntry, entries, kernels};
use outflank_testing::command::{Folder, Run};
use serde_json::Value;

#[test]
fn lists_have_every_algorithm_of_every_kernel() {
    assert_eq!(run_cli("kernels").expect(2).stdout, "");
    let listed = run_cli("kernels list").expect(0).stdout;
    let mut kernel = "";
    let mut found = 0;
    for row in listed.lines().filter(|row| !row.is_empty()) {
        if !row.starts_with(' ') {
            kernel = row.split(':').next().expect("a name");
            continue;
        }
        let mut words = row.split_whitespace();
        let algorithm = words.next().expect("a name");
        for isa in words {
            let name = isa.trim_matches(['[', ']', '*']);
            let entry = entries().find(|entry| {
                entry.kernel == kernel && entry.algorithm == algorithm && entry.isa.name() == name
            });
            let entry = entry.unwrap_or_else(|| panic!("{kernel}: {row}"));
            assert_eq!(entry.selected, isa.contains('*'), "{kernel}: {row}");
            let lacks = entry.isa.token().is_err();
            assert_eq!(lacks, isa.starts_with('['), "{kernel}: {row}");
            found += 1;
        }
    }
    assert_eq!(found, entries().count());
}

#[test]
fn a_named_kernel_is_listed_with_its_specification() {
    let listed = run_cli("kernels list last_move_score").expect(0);
    listed.stdout_starts("last_move_score(square, player, alpha)\n");
    let mut kernels = kernels().iter();
    let kernel = kernels.find(|kernel| kernel.name == "last_move_score");
    for word in kernel.expect("it is there").doc.split_whitespace() {
        listed.stdout_has(word);
    }
}

#[test]
fn json_lists_have_every_algorithm() {
    let rows = run_cli("kernels list --json").expect(0).json();
    let names: Vec<_> = rows.iter().map(|row| row["kernel"].as_str()).collect();
    let expected: Vec<_> = kernels().iter().map(|kernel| Some(kernel.name)).collect();
    assert_eq!(names, expected);
    let levels = rows
        .iter()
        .flat_map(|row| row["algorithms"].as_array().expect("a list"))
        .flat_map(|row| row["levels"].as_array().expect("a list"));
    assert_eq!(levels.clone().count(), entries().count());
    let selected = levels.filter(|row| row["selected"] == true).count();
    assert_eq!(selected, entries().filter(|entry| entry.selected).count());
}

/// Numbers in the last line of a check: algorithms that agree, all algorithms, comparisons, comparisons per second.
fn counts(run: &Run) -> [usize; 4] {
    let last = run.stdout.lines().last().expect("a last line");
    let digits = last.replace(',', "");
    let numbers: Vec<usize> = digits
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{last}"))
}

/// The algorithms of a kernel that this CPU can run. The empty name stands for all kernels.
fn runnable(kernel: &str) -> impl Iterator<Item = &'static CheckerEntry> {
    let runnable = entries().filter(|entry| entry.isa.token().is_ok());
    runnable.filter(move |entry| kernel.is_empty() || entry.kernel == kernel)
}

#[test]
fn checks_compare_all_algorithms_at_all_levels() {
    let run = run_cli("kernels check --seconds 0 --seed 3").expect(0);
    run.stdout_starts("seed 3\n");
    let [agree, all, comparisons, rate] = counts(&run);
    let runnable = || runnable("");
    assert_eq!([agree, all], [runnable().count(); 2]);
    assert!(comparisons > 1_000_000 && rate > 0, "{run:?}");
    for isa in Isa::available() {
        let row = run.stdout.lines().find(|row| row.starts_with(isa.name()));
        let count = runnable().filter(|entry| entry.isa == *isa).count();
        let algorithms = format!(" {count} algorithms ");
        assert!(row.is_some_and(|row| row.contains(&algorithms)), "{run:?}");
    }
}

#[test]
fn checks_select_kernels_levels_and_cores() {
    let run = run_cli("kernels check --seconds 0.1 --kernel *_hash --isa Portable").expect(0);
    let portable = runnable("board_hash").filter(|entry| entry.isa == Isa::Portable);
    assert_eq!(counts(&run)[1], portable.count());
    let run = run_cli("kernels check --seconds 0 --kernel mobil?ty --cpu 0").expect(0);
    assert_eq!(counts(&run)[1], runnable("mobility").count());
    let first = run.stdout.lines().next();
    let seed = first.and_then(|line| line.strip_prefix("seed "));
    let is_number = |seed: &str| seed.parse::<u64>().is_ok();
    assert!(seed.is_some_and(is_number), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_reported_and_closed_pipes_are_not() {
    use std::process::Stdio;
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    for (stdout, status, message) in [
        (Stdio::from(full), 1, "outflank: cannot write the results: "),
        (Stdio::from(closed), 141, ""),
    ] {
        let mut command = cli("kernels check --seconds 0 --kernel transpose");
        let output = command.stdin(Stdio::null()).stdout(stdout).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(status));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(message), "{stderr}");
        assert_eq!(stderr.is_empty(), message.is_empty(), "{stderr}");
    }
}

#[test]
fn json_and_picture_have_every_algorithm() {
    let folder = Folder::new();
    let line = "kernels bench --kernel flip --repeats 1 --json --svg kernels.svg";
    let rows = run_in(&folder, line, 0).json();
    let bench = &rows[0]["bench"];
    for name in ["cpu", "date", "version"] {
        let text = bench[name].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{bench}");
    }
    assert!(bench["clock_ghz"].as_f64() > Some(0.0), "{bench}");
    // The first two rows are the header and the reference.
    assert_eq!(rows.len() - 2, runnable("flip").count());
    assert_eq!(rows[1]["algorithm"], "reference");
    for row in &rows[2..] {
        assert_eq!([&row["kernel"], &row["unit"]], ["flip", "call"]);
        for unit in ["ns", "cycles"] {
            let number = |kind: &str, part: &str| row[kind][unit][part].as_f64();
            assert!(number("throughput", "median") > Some(0.0), "{unit}: {row}");
            // If the empty loop is disturbed, subtracting its cost can reduce a single sample to 0.
            assert!(number("latency", "median") >= Some(0.0), "{unit}: {row}");
            for quartile in ["min", "q1", "q3"] {
                assert_eq!(
                    number("latency", quartile),
                    number("latency", "median"),
                    "{row}"
                );
            }
        }
    }
    let svg = std::fs::read_to_string(folder.path("kernels.svg")).expect("a picture was written");
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
    let head: String = run.stdout.lines().take(6).collect();
    assert!(head.contains("IQR") && !head.contains("+-"), "{head}");
    assert_eq!(run.stdout.matches("  reference ").count(), 1, "{run:?}");
    let rows: Vec<&str> = run.stdout.lines().skip(7).collect();
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
    assert_eq!(rows[1]["unit"], "KiB");
    assert_eq!(rows[1]["latency"], Value::Null);
}
