//! The program `outflank-checker` from outside: `list`, `check` and `shapes`, the header of `bench`, and messages.

use std::fs;

use outflank_checker::registry::entries;
use outflank_kernels::Isa;
use serde_json::Value;

use super::bench::{run, success, text};

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn json(folder: &std::path::Path, line: &str) -> Vec<Value> {
    let output = success(folder, line);
    let lines = output.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("lines of JSON")
}

#[test]
fn kernels_are_listed_and_checked_in_a_process_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let listed = success(folder.path(), "list flip.carry");
    assert!(
        listed.starts_with("flip(square, player, opponent)\n"),
        "{listed}"
    );
    let checked = success(
        folder.path(),
        "check --seconds 0 --seed 3 --kernel transpose",
    );
    let agree = entries().filter(|entry| entry.kernel == "transpose");
    let agree = agree.filter(|entry| entry.isa.token().is_ok()).count();
    let expected = format!("\n{agree} of {agree} algorithms at their levels agree");
    assert!(
        checked.starts_with("seed 3\n") && checked.contains(&expected),
        "{checked}"
    );
}

#[test]
fn messages_are_one_line_with_the_name_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("notes"), "my notes\n").expect("it can be written");
    for (line, status, message) in [
        (
            "list flop",
            2,
            "no kernel matches 'flop' (possible: board_hash, ",
        ),
        (
            "check --kernel flip.x",
            2,
            "flip has no algorithm that matches 'x' (possible: ",
        ),
        (
            "check --isa v9",
            2,
            "unknown instruction-set level 'v9' (possible here: ",
        ),
        (
            "bench --kernel flip --svg notes",
            2,
            "notes is not an SVG picture; it has other contents. ",
        ),
        (
            "bench --kernel flip --svg no/a.svg",
            1,
            "cannot write no/a.svg: ",
        ),
    ] {
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        let stderr = text(&output.stderr);
        let is_right = stderr.starts_with(&format!("outflank-checker: {message}"));
        assert!(is_right && stderr.lines().count() == 1, "{line}: {stderr}");
    }
    for command in [
        "--help",
        "list --help",
        "check --help",
        "bench --help",
        "shapes --help",
    ] {
        let help = success(folder.path(), command);
        let is_right = help.contains("outflank-checker ") && !help.contains("PROGRAM");
        assert!(is_right && !help.contains("outflank kernels"), "{help}");
    }
}

#[test]
fn headers_name_the_level_the_clock_and_a_busy_machine() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = run(folder.path(), "bench --kernel transpose --repeats 3 --json");
    let stdout = text(&output.stdout);
    let header: Value =
        serde_json::from_str(stdout.lines().next().expect("a header")).expect("JSON");
    let header = &header["bench"];
    assert_eq!(header["best_isa"], Isa::detect().name(), "{header}");
    for clock in ["clock_ghz", "clock_before_ghz", "clock_after_ghz"] {
        assert!(header[clock].as_f64() > Some(0.0), "{header}");
    }
    let kinds = ["counter", "calibrated"];
    assert!(
        kinds.contains(&header["cycles"].as_str().unwrap_or_default()),
        "{header}"
    );
    let expected = match &header["warning"] {
        Value::String(warning) => format!("outflank-checker: warning: {warning}\n"),
        _ => String::new(),
    };
    assert_eq!(text(&output.stderr), expected);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn shapes_have_every_algorithm_at_every_level() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let rows = json(folder.path(), "shapes flip --json");
    let flips: Vec<_> = entries().filter(|entry| entry.kernel == "flip").collect();
    assert_eq!(rows.len(), flips.len());
    for (row, entry) in rows.iter().zip(flips) {
        assert_eq!(
            [&row["algorithm"], &row["isa"]],
            [entry.algorithm, entry.isa.name()]
        );
        assert_eq!(row["selected"], entry.selected, "{row}");
        assert_eq!(row["available"], entry.isa.token().is_ok(), "{row}");
        assert_eq!(
            row["bound"].as_u64(),
            entry.shape.map(|shape| shape.bound as u64)
        );
        let counts = row["counts"].as_object().expect("an object").values();
        let sum: u64 = counts.filter_map(Value::as_u64).sum();
        assert_eq!(row["instructions"].as_u64(), Some(sum), "{row}");
        assert!(sum > 10 && row["bytes"].as_u64() > Some(sum), "{row}");
        assert_eq!(row["code"], Value::Null);
    }

    let single = success(folder.path(), "shapes flip.carry --isa portable");
    assert!(single.starts_with("flip ") && single.contains("\n    ") && single.contains(" ret 1"));
    let row = &json(
        folder.path(),
        "shapes flip.carry --isa portable --json --code",
    )[0];
    let listing = row["code"].as_array().expect("a list");
    assert!(
        listing
            .iter()
            .any(|line| line.as_str().is_some_and(|line| line.ends_with("  ret")))
    );
    let output = run(folder.path(), "shapes flip.pext_pdep --isa portable");
    let message = "outflank-checker: flip.pext_pdep does not exist at portable (possible: ";
    assert!(text(&output.stderr).starts_with(message), "{output:?}");
}
