//! `outflank train demo`: a training from scratch with repeatable commands.

use std::fs;
use std::path::Path;

use crate::common::program::outflank;
use outflank::eval::Model;
use outflank_testing::command::{Folder, Run, run, run_until};
use outflank_train::record::{Damage, Reader};

fn demo(folder: &Path, arguments: &[&str], status: i32) -> Run {
    let mut command = outflank();
    command.args(["train", "demo"]).arg(folder).args(arguments);
    run(&mut command, b"").expect(status)
}

/// Runs a command line of the report in `folder`.
fn repeat(folder: &Path, command: &str) -> Run {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("outflank"), "{command}");
    run(outflank().args(words).current_dir(folder), b"").expect(0)
}

/// Cells of a Markdown table row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn linear_demo_is_repeatable_by_hand() {
    let folder = Folder::new();
    let out = folder.path("made/here");
    let arguments = ["--games", "96", "--seed", "5", "--progress"];
    let Run {
        stdout: shown,
        stderr,
        ..
    } = demo(&out, &arguments, 0);
    assert!(stderr.contains(" 96/96  "), "{stderr}");
    let read = |name: &str| fs::read(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let report = String::from_utf8(read("report.md")).expect("it is text");

    let model = |name: &str| Model::load(&out.join(name)).expect(name);
    let is_trained = |model: &Model| {
        let mut weights = model
            .as_linear()
            .expect("it is linear")
            .knots()
            .iter()
            .flat_map(|knot| &knot.weights);
        weights.any(|&weight| weight != 0)
    };
    assert!(!is_trained(&model("nothing.weights")));
    assert!(is_trained(&model("round-1.weights")) && is_trained(&model("round-2.weights")));
    let svg = String::from_utf8(read("errors.svg")).expect("it is text");
    for name in ["nothing.weights", "round-1.weights", "round-2.weights"] {
        assert!(svg.contains(name), "{name} is not in the picture");
    }

    let commands: Vec<&str> = report
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    assert_eq!(commands.len(), 7, "{report}");
    for command in &commands {
        assert!(shown.contains(command), "{command} was not shown");
    }
    let command_with = |name: &str| {
        let found = commands.iter().find(|command| command.contains(name));
        *found.unwrap_or_else(|| panic!("no {name} in\n{report}"))
    };
    let again = folder.path("again");
    fs::create_dir(&again).unwrap();
    for name in ["nothing.weights", "round-1.weights", "round-2.weights"] {
        fs::copy(out.join(name), again.join(name)).unwrap();
    }
    for name in ["round-1.records", "round-2.records", "held-out.records"] {
        repeat(&again, command_with(&format!("generate {name}")));
        assert!(fs::read(again.join(name)).unwrap() == read(name), "{name}");
        let games = Reader::open(&out.join(name), Damage::Refuse).expect(name);
        assert!(games.settings().iter().any(|(name, _)| name == "seed"));
    }
    let fitted = again.join("round-1.weights");
    fs::remove_file(&fitted).unwrap();
    repeat(&again, command_with("fit round-1.records --"));
    assert!(fs::read(&fitted).unwrap() == read("round-1.weights"));

    // The table has the errors of `score`, and training lowers them.
    let rows = repeat(&again, &format!("{} --json", command_with("score"))).json();
    let table: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    let [head, _, stages @ .., all] = &table[..] else {
        panic!("no table in\n{report}");
    };
    assert!(shown.contains(&table.join("\n")), "{shown}");
    let names = &cells(head)[2..];
    assert_eq!(rows.len(), stages.len() * names.len());
    for (row, stage) in rows.iter().zip(stages.iter().cycle()) {
        let column = names.iter().position(|name| row["weights"] == *name);
        let cells = cells(stage);
        assert_eq!(cells[0], row["empties"].to_string());
        assert_eq!(cells[1], row["positions"].to_string());
        let error = format!("{:.2}", row["mae"].as_f64().expect("a number"));
        assert_eq!(
            cells[2 + column.expect("the head of the table has the column")],
            error,
            "{row}"
        );
    }
    let errors: Vec<f64> = cells(all)[2..]
        .iter()
        .map(|cell| cell.parse().expect("a number"))
        .collect();
    assert!(errors[2] < errors[0] - 1.0, "{all}");

    let result = repeat(&again, command_with("duel")).stdout;
    assert!(
        report.contains(result.trim_end()),
        "{result} is not in\n{report}"
    );
}

#[test]
fn network_demo_is_repeatable_by_hand() {
    let folder = Folder::new();
    let out = folder.path("out");
    let shown = demo(&out, &["--network", "--games", "64", "--seed", "6"], 0).stdout;
    let fit = |round: u32| {
        let mut commands = shown.lines().filter_map(|line| line.strip_prefix("$ "));
        let name = format!("--out round-{round}.weights");
        let found = commands.find(|command| command.contains(&name));
        found.unwrap_or_else(|| panic!("no {name} in\n{shown}"))
    };
    for round in [1, 2] {
        let [weights, curves] =
            ["weights", "svg"].map(|kind| out.join(format!("round-{round}.{kind}")));
        let model = Model::load(&weights).expect("weights");
        assert!(model.as_linear().is_none(), "round {round}");
        let first = [&weights, &curves].map(|file| fs::read(file).expect("it is there"));
        repeat(&out, fit(round));
        assert!([&weights, &curves].map(|file| fs::read(file).unwrap()) == first);
    }
    assert!(out.join("errors.svg").exists() && out.join("report.md").exists());
}

#[cfg(unix)]
#[test]
fn interrupted_demo_keeps_finished_files() {
    let folder = Folder::new();
    let out = folder.path("out");
    let records = out.join("round-1.records");
    let mut command = outflank();
    command.args(["train", "demo", "--games", "1000000", "--threads", "2"]);
    let is_written = || fs::metadata(&records).map_or(0, |file| file.len()) > 2000;
    let run = run_until(command.arg(&out), is_written).expect(130);
    assert!(run.stderr.contains("has the finished files"), "{run:#?}");
    let mut reader = Reader::open(&records, Damage::Refuse).expect("it can be read");
    let first = reader.next().expect("a block was written");
    assert!(!first.expect("the block is complete").records.is_empty());
    assert!(!out.join("report.md").exists());
}

#[test]
fn unusable_folders_are_refused() {
    let folder = Folder::new();
    let file = folder.file("file", "kept");
    for (path, arguments, status, expected) in [
        (
            folder.path(""),
            &[][..],
            2,
            "is not empty: name a new folder",
        ),
        (file.clone(), &[], 1, "cannot make the folder"),
        (
            folder.path("new"),
            &["--games", "1"],
            2,
            "expected a whole number from 32 to",
        ),
        (folder.path("new"), &["--isa", "v9"], 2, "v9"),
    ] {
        let run = demo(&path, arguments, status);
        assert!(run.stderr.contains(expected), "{run:#?}");
        assert!(run.stdout.is_empty(), "{run:#?}");
    }
    assert_eq!(fs::read(file).unwrap(), b"kept");
    let left = fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(left, 1, "nothing was made");
}
