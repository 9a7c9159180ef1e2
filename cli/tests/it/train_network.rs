//! `outflank train fit --network`, and networks where weights are asked for.

use std::fs;
use std::path::Path;

use outflank::eval::Model;
use outflank_testing::command::{Folder, Run, run};

use crate::common::dialogue::problem;
use crate::common::picture::assert_inside;
use crate::common::program::outflank;
use crate::train_fit::{record_file, records};

fn outflank_with(arguments: &[&str], status: i32) -> Run {
    run(outflank().args(arguments), b"").expect(status)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_network_is_trained_and_taken_by_every_command() {
    let folder = Folder::new();
    let recorded = text(&record_file(&folder, "a.records", &records(6, 60)));
    let [first, second, state, picture] =
        ["1.weights", "2.weights", "state", "curves.svg"].map(|name| text(&folder.path(name)));
    let train = |out: &str, options: &str| {
        let mut arguments = vec!["train", "fit", "--network", &recorded, "--out", out];
        arguments.extend(options.split(' '));
        outflank_with(&arguments, 0)
    };
    let done = train(
        &first,
        &format!("--epochs 2 --hold-out 0.1 --threads 1 --checkpoint {state} --svg {picture}"),
    );
    let curves = fs::read_to_string(&picture).unwrap();
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
        assert!(
            done.stdout.contains(expected),
            "{expected} is not in {done:#?}"
        );
    }
    // Nothing is left to do, and other threads do the same.
    let again = train(
        &second,
        &format!("--epochs 2 --hold-out 0.1 --threads 2 --checkpoint {state} --svg {picture}"),
    );
    assert_eq!(fs::read_to_string(&picture).unwrap(), curves);
    assert!(again.stderr.contains("state: goes on after "), "{again:#?}");
    let bytes = fs::read(&first).unwrap();
    assert!(bytes == fs::read(&second).unwrap());
    train(&second, "--epochs 2 --hold-out 0.1 --threads 2");
    assert!(bytes == fs::read(&second).unwrap());
    let about = Model::load(Path::new(&first)).unwrap().about;
    assert!(about.contains("epochs 2"), "{about}");

    let info = &outflank_with(&["weights", "info", "--json", &first], 0).json()[0];
    for (key, expected) in [
        ("kind", "network".into()),
        ("geometry", "corner".into()),
        ("knots", serde_json::Value::Null),
        ("bytes_on_disk", bytes.len().into()),
    ] {
        assert_eq!(info[key], expected, "{key}");
    }
    let told = outflank_with(&["weights", "info", &first], 0).stdout;
    for expected in ["kind         network\n", "\nE10           8 ", "(in 1/128)"] {
        assert!(told.contains(expected), "{expected} is not in\n{told}");
    }

    let one = text(&folder.file("one.obf", problem("ffo-1-19", 3)));
    let solved = outflank_with(&["solve", "--weights", &first, &one], 0);
    assert!(solved.stdout.contains("1 solved, 0 wrong"), "{solved:#?}");
    let scored = outflank_with(&["train", "score", "--weights", &first, &one], 0);
    assert!(scored.stdout.contains("all"), "{scored:#?}");
    let probcut = text(&folder.path("probcut.weights"));
    let options = ["--depth", "5", "--positions", "10", "--out", &probcut];
    let command = ["train", "probcut", &recorded, "--weights", &first];
    outflank_with(&[&command[..], &options].concat(), 0);
    assert!(Model::load(Path::new(&probcut)).unwrap().error.is_some());
}

#[test]
fn what_a_network_is_not_for_is_said_in_a_line() {
    let folder = Folder::new();
    let network = outflank_testing::models::random_network(3);
    let network = text(&folder.file("n.weights", Model::network(network, String::new()).write()));
    let recorded = text(&record_file(&folder, "a.records", &records(7, 2)));
    let out = text(&folder.path("out"));
    let not_linear = "n.weights: a network; expected linear weights";
    for (arguments, expected) in [
        (&["weights", "export", &network, &out][..], not_linear),
        (
            &[
                "train", "fit", &recorded, "--start", &network, "--out", &out,
            ],
            not_linear,
        ),
        (
            &[
                "train",
                "fit",
                "--network",
                &recorded,
                "--knots",
                "0",
                "--out",
                &out,
            ],
            "cannot be used with",
        ),
        (
            &["train", "fit", &recorded, "--epochs", "2", "--out", &out],
            "required arguments were not provided",
        ),
        (
            &["train", "fit", &recorded, "--svg", &out, "--out", &out],
            "required arguments were not provided",
        ),
    ] {
        let run = outflank_with(arguments, 2);
        assert!(
            run.stderr.contains(expected),
            "{expected} is not in {run:#?}"
        );
        assert!(!Path::new(&out).exists());
    }
}
