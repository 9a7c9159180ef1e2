//! `outflank weights`: inspection, exchange, and errors of files.
#![cfg(target_os = "linux")] // for its links, permissions and devices

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::program::outflank;
use outflank::eval::{ByteOrder, ErrorModel, KNOT_WEIGHTS, Knot, Model};
use outflank_testing::command::{Folder, Run, run};

fn weights(arguments: &[&Path], status: i32) -> Run {
    run(outflank().arg("weights").args(arguments), b"").expect(status)
}

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

#[test]
fn exported_weights_import_unchanged() {
    let folder = Folder::new();
    let ours = folder.file("a.weights", model().write());
    let [dat, big, back] = ["eval.dat", "big.dat", "b.weights"].map(|name| folder.path(name));
    let run = weights(&["export".as_ref(), &ours, &dat], 0);
    assert_eq!(run.stderr, format!("{}: 13952436 bytes\n", dat.display()));
    let little = fs::read(&dat).expect("it is written");
    assert_eq!(
        little,
        model().to_edax(ByteOrder::Little).expect("it is linear")
    );

    // Edax's files can change their byte order.
    weights(&["export".as_ref(), "--big-endian".as_ref(), &dat, &big], 0);
    assert_eq!(
        fs::read(&big).expect("it is written"),
        model().to_edax(ByteOrder::Big).expect("it is linear")
    );

    // A replaced file keeps its permissions.
    fs::write(&back, model().write()).expect("it can be written");
    fs::set_permissions(&back, fs::Permissions::from_mode(0o640)).expect("the test owns the file");
    weights(&["import".as_ref(), &big, &back], 0);
    let imported = Model::load(&back).expect("the file has weights");
    assert_eq!(
        imported.to_edax(ByteOrder::Little).expect("it is linear"),
        little
    );
    let mode = fs::metadata(&back)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);

    // The target of a link is replaced.
    let link = folder.path("link");
    symlink(&back, &link).expect("links can be made");
    weights(&["import".as_ref(), &ours, &link], 0);
    assert!(
        fs::symlink_metadata(&link)
            .expect("it is there")
            .is_symlink()
    );
    assert_eq!(Model::load(&back).expect("the file has weights"), model());

    let left = fs::read_dir(folder.path(""))
        .expect("it is a folder")
        .count();
    assert_eq!(left, 5, "no temporary file is left");
}

#[test]
fn info_shows_the_contents_of_a_file() {
    let folder = Folder::new();
    let ours = folder.file("a.weights", model().write());
    let row = &weights(&["info".as_ref(), "--json".as_ref(), &ours], 0).json()[0];
    let bytes = fs::read(&ours).expect("it is there");
    let checksum = u32::from_le_bytes(*bytes.last_chunk().expect("the file has a checksum"));
    for (key, expected) in [
        ("file", ours.to_str().expect("it is UTF-8").into()),
        ("format", "outflank".into()),
        ("version", "2".into()),
        ("checksum", format!("{checksum:08x}").into()),
        ("geometry", "edax".into()),
        ("knots", [0, 60][..].into()),
        ("bytes_on_disk", bytes.len().into()),
        ("bytes_in_memory", (4 * 232_802).into()),
        ("resolution", 1.into()),
        ("bias", serde_json::json!({"least": -7, "greatest": 0})),
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
        assert!(
            (found - expected).abs() < 1e-4 * expected,
            "{row}, not {expected}"
        );
    }
    let classes = row["classes"].as_array().expect("a list");
    assert_eq!(classes.len(), 12);
    // Weights 114318 to 114362.
    let s4 = serde_json::json!({
        "class": "S4", "features": 4, "squares": 4, "weights": 45, "least": 18, "greatest": 62,
        "not_zero": 1.0
    });
    assert_eq!(classes[11], s4);

    let text = weights(&["info".as_ref(), &ours], 0).stdout;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    for expected in [
        "format outflank 2",
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
        assert!(
            lines.iter().any(|line| line == expected),
            "{expected} is not in\n{text}"
        );
    }

    let dat = folder.file(
        "eval.dat",
        model().to_edax(ByteOrder::Big).expect("it is linear"),
    );
    let row = &weights(&["info".as_ref(), "--json".as_ref(), &dat], 0).json()[0];
    assert_eq!(row["format"], "edax");
    assert_eq!(row["version"], "3.0.0, date 0, big-endian");
    assert_eq!(row["checksum"], serde_json::Value::Null);
    assert_eq!(row["error_model"], serde_json::Value::Null);
    assert_eq!(row["knots"].as_array().map(Vec::len), Some(61));
}

#[test]
fn info_without_a_file_shows_built_in_weights() {
    let row = &weights(&["info".as_ref(), "--json".as_ref()], 0).json()[0];
    let shipped = outflank_testing::data::project_file("data/weights/outflank.weights");
    assert_eq!(row["file"], serde_json::Value::Null);
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
    let mut newer = good.clone();
    newer[8] = 3;
    let edax = model().to_edax(ByteOrder::Little).expect("it is linear");
    for (name, contents, expected) in [
        ("empty", &b""[..], "expected weights, but it is empty"),
        ("cut", &good[..good.len() / 2], "copy it again"),
        ("long", &[&good[..], &good].concat(), "copy it again"),
        ("flipped", &flipped, "damaged: its checksum is"),
        ("newer", &newer, "version 3, which a newer outflank wrote"),
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
            "eval.dat.gz",
            b"\x1f\x8b\x08\0",
            "compressed by gzip: unpack it first",
        ),
    ] {
        let file = folder.file(name, contents);
        let out = folder.path("out");
        for arguments in [
            &["info".as_ref(), file.as_path()][..],
            &["import".as_ref(), &file, &out],
            &["export".as_ref(), &file, &out],
        ] {
            let run = weights(arguments, 1);
            let begin = format!("outflank: {}: ", file.display());
            assert!(
                run.stderr.starts_with(&begin) && run.stderr.contains(expected),
                "{run:#?}"
            );
            assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
            assert!(run.stdout.is_empty() && !out.exists(), "{run:#?}");
        }
    }
    for (path, expected) in [
        (folder.path(""), "Is a directory"),
        (folder.path("missing"), "No such file"),
        ("/dev/zero".into(), "larger than 16 MiB"),
    ] {
        let run = weights(&["info".as_ref(), &path], 1);
        let begin = format!("outflank: cannot read {}: {expected}", path.display());
        assert!(run.stderr.starts_with(&begin), "{run:#?}");
    }
}

/// `-` is standard input.
#[test]
fn weights_are_read_from_standard_input() {
    let folder = Folder::new();
    let ours = model().write();
    let edax = model().to_edax(ByteOrder::Little).expect("it is linear");
    let out = folder.path("out");
    let piped = |arguments: &[&Path], stdin: &[u8], status: i32| {
        let mut command = outflank();
        run(command.arg("weights").args(arguments), stdin).expect(status)
    };
    let [info, import, export, stdin] = ["info", "import", "export", "-"].map(Path::new);
    let shown = piped(&[info, stdin], &ours, 0);
    let begin = "-\nformat       outflank";
    assert!(shown.stdout.starts_with(begin), "{shown:#?}");
    piped(&[import, stdin, &out], &edax, 0);
    assert!(
        fs::read(&out)
            .expect("it is written")
            .starts_with(&ours[..8])
    );
    let dat = folder.path("out.dat");
    piped(&[export, stdin, &dat], &ours, 0);
    assert_eq!(fs::read(&dat).expect("it is written").len(), edax.len());
    let refused = piped(&[info, stdin], b"", 1);
    assert_eq!(
        refused.stderr,
        "outflank: -: expected weights, but it is empty\n"
    );
}

#[test]
fn failed_writes_are_reported_and_harmless() {
    let folder = Folder::new();
    let ours = folder.file("a.weights", model().write());
    let full = Path::new("/dev/full");
    for (path, expected) in [
        (
            folder.path(""),
            "Is a directory (os error 21); name a file in it",
        ),
        (
            folder.path("no/such.weights"),
            ": No such file or directory (os error 2); make its folder first, or write elsewhere\n",
        ),
        (full.into(), "make room on the disk"),
    ] {
        let run = weights(&["import".as_ref(), &ours, &path], 1);
        let begin = format!("outflank: cannot write {}: ", path.display());
        assert!(
            run.stderr.starts_with(&begin) && run.stderr.contains(expected),
            "{run:#?}"
        );
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    }
    assert!(full.exists(), "a device is written to, not replaced");

    let older = Model {
        error: None,
        ..model()
    };
    let older = older.write();
    let kept = folder.file("kept.weights", &older);
    let forbid = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
            .expect("the test owns the file");
    };
    forbid(&kept, 0o000);
    if fs::read(&kept).is_ok() {
        eprintln!("SKIPPED: nothing is forbidden to this user");
        return;
    }
    let run = weights(&["info".as_ref(), &kept], 1);
    assert!(run.stderr.contains("Permission denied"), "{run:#?}");
    forbid(&kept, 0o444);
    let run = weights(&["import".as_ref(), &ours, &kept], 1);
    assert!(run.stderr.contains("give yourself the right"), "{run:#?}");
    assert!(fs::read(&kept).expect("the file can be read") == older);
    // A read-only folder prevents replacing a writable file.
    forbid(&kept, 0o644);
    forbid(&folder.path(""), 0o555);
    let run = weights(&["import".as_ref(), &ours, &kept], 1);
    forbid(&folder.path(""), 0o755);
    assert!(run.stderr.contains("give yourself the right"), "{run:#?}");
    assert!(fs::read(&kept).expect("the file can be read") == older);
}
