//! `outflank train fit --network`, and networks in place of linear weights.

use std::fs;

use outflank::eval::Model;
use outflank_testing::command::Folder;

use crate::common::dialogue::problem;
use crate::common::inputs::{record_file, records};
use crate::common::picture::assert_inside;
use crate::common::program::{OutputChecks, run_in};

#[test]
fn every_command_accepts_a_trained_network() {
    let folder = Folder::new();
    record_file(&folder, "a.records", &records(6, 60));
    let read = |name: &str| fs::read(folder.path(name)).expect(name);
    let load = |name: &str| Model::load(&folder.path(name)).expect(name);
    let train = |out: &str, options: &str| {
        let fit = "train fit --network a.records --epochs 2 --hold-out 0.1";
        run_in(&folder, &format!("{fit} --out {out} {options}"), 0)
    };
    let files = "--checkpoint state --svg curves.svg";
    let done = train("1.weights", &format!("--threads 1 {files}"));
    let curves = String::from_utf8(read("curves.svg")).expect("text");
    assert_inside(&curves);
    for expected in ["positions of the step", "held-out positions", "epochs"] {
        assert!(curves.contains(expected), "{expected}");
    }
    for expected in [
        "1,020 positions: ",
        "\n 1.00 ",
        "\n 2.00 ",
        ": the network after ",
    ] {
        done.stdout_has(expected);
    }
    // The checkpoint is that of a finished training, and threads change nothing.
    let again = train("2.weights", &format!("--threads 2 {files}"));
    assert_eq!(read("curves.svg"), curves.as_bytes());
    again.stderr_has("state: goes on after ");
    let bytes = read("1.weights");
    assert!(bytes == read("2.weights"));
    train("2.weights", "--threads 2");
    assert!(bytes == read("2.weights"));
    let about = load("1.weights").about;
    assert!(about.contains("epochs 2"), "{about}");

    let info = &run_in(&folder, "weights info --json 1.weights", 0).json()[0];
    for (key, expected) in [
        ("kind", "network".into()),
        ("geometry", "corner".into()),
        ("knots", serde_json::Value::Null),
        ("bytes_on_disk", bytes.len().into()),
    ] {
        assert_eq!(info[key], expected, "{key}");
    }
    folder.file("one.obf", problem("ffo-1-19", 3));
    for (line, expected) in [
        ("weights info 1.weights", "kind         network\n"),
        ("weights info 1.weights", "\nE10           8 "),
        ("weights info 1.weights", "(in 1/128)"),
        ("solve --weights 1.weights one.obf", "1 solved, 0 wrong"),
        ("train score --weights 1.weights one.obf", "all"),
    ] {
        run_in(&folder, line, 0).stdout_has(expected);
    }
    let probcut = "train probcut a.records --weights 1.weights --depth 5 --positions 10";
    run_in(&folder, &format!("{probcut} --out probcut.weights"), 0);
    assert!(load("probcut.weights").error.is_some());
}
