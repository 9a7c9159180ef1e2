//! `outflank weights`: inspection, exchange, and errors of files.
#![cfg(target_os = "linux")] // for its links, permissions and devices

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::program::{OutputChecks, cli_in, refuse_in, run_in};
use outflank::eval::{ByteOrder, ErrorModel, KNOT_WEIGHTS, Knot, Model, Networks, Parameters};
use outflank::kernels::Network;
use outflank_testing::command::{Folder, run};
use outflank_testing::models::random_network;
use serde_json::{Value, json};

/// Two knots, with each weight equal to its index modulo 100.
fn model() -> Model {
    let knot = |empties: u8| Knot {
        empties,
        weights: (0..KNOT_WEIGHTS)
            .map(|index| (index % 100) as i16)
            .collect(),
    };
    let mut bias = [0; 61];
    bias[60] = -7;
    let about = "Steps of a hundred.\n\x1b[2JTwo knots.".to_owned();
    let mut model =
        Model::linear(vec![knot(0), knot(60)], bias, about).expect("the knots are right");
    model.error = Some(ErrorModel {
        midgame: [1.0, -0.01, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        endgame: [0.5, 0.01, -0.2, 0.1],
    });
    model
}

/// The model as a file of Edax's.
fn edax(order: ByteOrder) -> Vec<u8> {
    model().to_edax(order).expect("it is linear")
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).expect(name)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the test owns the file");
}

#[test]
fn exported_weights_import_unchanged() {
    let folder = Folder::new();
    folder.file("a.weights", model().write());
    let run = run_in(&folder, "weights export a.weights eval.dat", 0);
    assert_eq!(run.stderr, "eval.dat: 13952436 bytes\n");
    assert_eq!(read(&folder, "eval.dat"), edax(ByteOrder::Little));

    // Edax's files can change their byte order.
    run_in(&folder, "weights export --big-endian eval.dat big.dat", 0);
    assert_eq!(read(&folder, "big.dat"), edax(ByteOrder::Big));

    // A replaced file keeps its permissions.
    let back = folder.file("b.weights", model().write());
    set_mode(&back, 0o640);
    run_in(&folder, "weights import big.dat b.weights", 0);
    let imported = Model::load(&back).expect("the file has weights");
    let again = imported.to_edax(ByteOrder::Little);
    assert_eq!(again.expect("it is linear"), edax(ByteOrder::Little));
    let mode = fs::metadata(&back).expect("it is there").permissions();
    assert_eq!(mode.mode() & 0o777, 0o640);

    // The target of a link is replaced.
    let link = folder.path("link");
    symlink(&back, &link).expect("links can be made");
    run_in(&folder, "weights import a.weights link", 0);
    assert!(link.is_symlink());
    assert_eq!(Model::load(&back).expect("the file has weights"), model());

    let left = fs::read_dir(folder.path("")).expect("it is a folder");
    assert_eq!(left.count(), 5, "no temporary file is left");
}

#[test]
fn info_shows_the_contents_of_a_file() {
    let folder = Folder::new();
    let bytes = model().write();
    folder.file("a.weights", &bytes);
    let info = |options: &str| run_in(&folder, &format!("weights info {options}"), 0);
    let row = &info("--json a.weights").json()[0];
    let checksum = u32::from_le_bytes(*bytes.last_chunk().expect("the file has a checksum"));
    for (key, expected) in [
        ("file", "a.weights".into()),
        ("format", "outflank".into()),
        ("version", "4".into()),
        ("checksum", format!("{checksum:08x}").into()),
        ("geometry", "edax".into()),
        ("knots", [0, 60][..].into()),
        ("bytes_on_disk", bytes.len().into()),
        ("bytes_in_memory", (4 * 232_802).into()),
        ("resolution", 1.into()),
        ("bias", json!({"least": -7, "greatest": 0})),
        ("about", model().about.into()),
    ] {
        assert_eq!(row[key], expected, "{key}");
    }
    // Midgame searches follow the first polynomial, searches to the end the second.
    let sigmas = row["error_model"].as_array().expect("a list");
    assert_eq!(sigmas.len(), 16);
    let sigma = |empties: f64, depth: f64, reduced: f64| {
        let [d, r] = [depth, reduced].map(f64::ln_1p);
        match depth < empties {
            true => (1.0 - 0.01 * empties + d - r).exp(),
            false => {
                let short = (empties - reduced).ln_1p();
                (0.5 + 0.01 * empties.min(30.0) - 0.2 * r + 0.1 * short).exp()
            }
        }
    };
    for row in sigmas {
        let [empties, depth, reduced, found] = ["empties", "depth", "reduced", "sigma"]
            .map(|key| row[key].as_f64().expect("a number"));
        let expected = sigma(empties, depth, reduced);
        let is_close = (found - expected).abs() < 1e-4 * expected;
        assert!(is_close, "{row}, not {expected}");
    }
    let classes = row["classes"].as_array().expect("a list");
    assert_eq!(classes.len(), 12);
    // Weights 114318 to 114362.
    let s4 = json!({
        "class": "S4", "features": 4, "squares": 4, "weights": 45, "least": 18, "greatest": 62,
        "not_zero": 1.0
    });
    assert_eq!(classes[11], s4);

    let text = info("a.weights").stdout;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    for expected in [
        "format outflank 4",
        &format!("checksum {checksum:08x}"),
        "knots 2, at 0 60 empty squares",
        "error model as below",
        // exp(0.88) 5/3, exp(0.88) 9/5, then two exact searches: exp(0.62) 7^0.1 / 7^0.2, exp(0.62) 9^0.1 / 5^0.2
        "12 4.02 4.34 1.53 1.68",
        "40 3.04 3.28 3.38 2.31",
        "bias -7 to 0",
        "S4 4 4 45 18 62 100.0%",
        "Steps of a hundred.",
        "[2JTwo knots.",
    ] {
        let is_shown = lines.iter().any(|line| line == expected);
        assert!(is_shown, "{expected} is not in\n{text}");
    }

    folder.file("eval.dat", edax(ByteOrder::Big));
    let row = &info("--json eval.dat").json()[0];
    assert_eq!(row["format"], "edax");
    assert_eq!(row["version"], "3.0.0, date 0, big-endian");
    assert_eq!(row["checksum"], Value::Null);
    assert_eq!(row["error_model"], Value::Null);
    assert_eq!(row["knots"].as_array().map(Vec::len), Some(61));
}

/// Two networks are joined, and either can be replaced afterwards.
#[test]
fn joined_networks_keep_their_phases() {
    let folder = Folder::new();
    let [late, early, new] = [1, 2, 3].map(random_network);
    for (name, network) in [("late", &late), ("early", &early), ("new", &new)] {
        let model = Model::networks(network.clone(), format!("{name} network"));
        folder.file(name, model.write());
    }
    for (files, above, expected) in [
        ("late early both", 24, [&late, &early]),
        ("both new lower", 20, [&late, &new]),
        ("new both higher", 30, [&new, &early]),
    ] {
        let line = format!("weights join {files} --above {above}");
        run_in(&folder, &line, 0);
        let out = files.split(' ').next_back().expect("three words");
        let model = Model::load(&folder.path(out)).expect(&line);
        let [late, early] = expected.map(Network::clone);
        let expected = Parameters::Networks(Networks::of_phases(late, above, early));
        assert!(model.parameters == expected, "{line}");
        assert_eq!(model.error, None);
    }
    let row = &run_in(&folder, "weights info --json lower", 0).json()[0];
    let phases = json!([{"from": 0, "to": 20}, {"from": 21, "to": 60}]);
    assert_eq!(
        (&row["networks"], &row["kind"]),
        (&phases, &json!("network"))
    );
    let about =
        "Up to 20 empty squares: one of two networks (Up to 24 empty squares: late network\n";
    let text = run_in(&folder, "weights info lower", 0).stdout;
    assert!(
        text.contains("networks     2, for 0 to 20 and 21 to 60 empty squares\n"),
        "{text}"
    );
    assert!(
        row["about"].as_str().expect("a text").starts_with(about),
        "{row}"
    );
    for (files, above, expected) in [
        (
            "both new out",
            30,
            "both: none of its networks evaluates all positions of 0 to 30 empty squares",
        ),
        (
            "new both out",
            10,
            "both: none of its networks evaluates all positions of 11 to 60 empty squares",
        ),
        ("new both both", 24, "both"),
        (
            "- - out",
            20,
            "only one of LATE and EARLY can be standard input",
        ),
    ] {
        let line = format!("weights join {files} --above {above}");
        refuse_in(&folder, &line, 2, expected);
    }
}

#[test]
fn info_without_a_file_shows_built_in_weights() {
    let row = &run_in(&Folder::new(), "weights info --json", 0).json()[0];
    let shipped = outflank_testing::data::project_file("data/weights/outflank.weights");
    assert_eq!(row["file"], Value::Null);
    assert_eq!(row["bytes_on_disk"], shipped.len());
    assert!(!row["about"].as_str().expect("a text").is_empty());
}

/// One line names the file, the fault and the remedy.
#[test]
fn bad_files_are_refused() {
    let folder = Folder::new();
    let good = model().write();
    let mut flipped = good.clone();
    flipped[100] ^= 1;
    let [older, newer] = [2, 5].map(|version| {
        let mut other = good.clone();
        other[8] = version;
        other
    });
    let edax = edax(ByteOrder::Little);
    for (name, contents, expected) in [
        ("empty", &b""[..], "expected weights, but it is empty"),
        ("cut", &good[..good.len() / 2], "copy it again"),
        ("long", &[&good[..], &good].concat(), "copy it again"),
        ("flipped", &flipped, "damaged: its checksum is"),
        (
            "older",
            &older,
            "version 2, but this outflank reads versions 3 to 4: train or import it again",
        ),
        (
            "newer",
            &newer,
            "version 5, but this outflank reads versions 3 to 4: update outflank",
        ),
        (
            "cut.dat",
            &edax[..5_000_000],
            "cut off after 5000000 of 13952436 bytes",
        ),
        (
            "text",
            b"--XO X; A1:+2;\n",
            "looks like text, \"--XO X; A1:+2;\"",
        ),
        (
            "a.gz",
            b"\x1f\x8b\x08\0",
            "compressed by gzip: unpack it first",
        ),
    ] {
        folder.file(name, contents);
        for line in ["info FILE", "import FILE out", "export FILE out"] {
            let line = format!("weights {}", line.replace("FILE", name));
            refuse_in(&folder, &line, 1, expected).stderr_starts(format!("outflank: {name}: "));
        }
    }
}

/// `-` is standard input.
#[test]
fn weights_are_read_from_standard_input() {
    let folder = Folder::new();
    let ours = model().write();
    let edax = edax(ByteOrder::Little);
    let piped = |line: &str, stdin: &[u8], status| {
        run(&mut cli_in(&folder, &format!("weights {line}")), stdin).expect(status)
    };
    piped("info -", &ours, 0).stdout_starts("-\nformat       outflank");
    piped("import - out", &edax, 0);
    assert!(read(&folder, "out").starts_with(&ours[..8]));
    piped("export - out.dat", &ours, 0);
    assert_eq!(read(&folder, "out.dat").len(), edax.len());
    let refused = piped("info -", b"", 1).stderr;
    assert_eq!(refused, "outflank: -: expected weights, but it is empty\n");
}

#[test]
fn failed_writes_are_reported_and_harmless() {
    let folder = Folder::new();
    folder.file("a.weights", model().write());
    let full = "weights import a.weights /dev/full";
    let run = refuse_in(&folder, full, 1, "make room on the disk");
    run.stderr_starts("outflank: cannot write /dev/full: ");
    let device = Path::new("/dev/full");
    assert!(device.exists(), "a device is written to, not replaced");

    let kept = folder.file("kept", model().write());
    set_mode(&kept, 0o000);
    if fs::read(&kept).is_ok() {
        eprintln!("SKIPPED: nothing is forbidden to this user");
        return;
    }
    refuse_in(&folder, "weights info kept", 1, "Permission denied");
    let import = "weights import a.weights kept";
    set_mode(&kept, 0o444);
    refuse_in(&folder, import, 1, "give yourself the right");
    // A read-only folder prevents replacing a writable file.
    set_mode(&kept, 0o644);
    set_mode(&folder.path(""), 0o555);
    refuse_in(&folder, import, 1, "give yourself the right");
    set_mode(&folder.path(""), 0o755);
}
