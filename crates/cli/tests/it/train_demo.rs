//! `outflank train demo`: a training from scratch with repeatable commands.

use std::fs;

use crate::common::program::{OutputChecks, cli_in, run_in};
use outflank::eval::Model;
use outflank_testing::command::{Folder, Run, run_until};
use outflank_train::record::{Damage, Reader};

/// Runs a command line of the report in `folder`.
fn repeat(folder: &Folder, command: &str) -> Run {
    let line = command.strip_prefix("outflank ").expect(command);
    run_in(folder, line, 0)
}

/// Command lines of a report.
fn commands(report: &str) -> Vec<&str> {
    let lines = report.lines();
    lines.filter_map(|line| line.strip_prefix("$ ")).collect()
}

/// Cells of a Markdown table row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn linear_demo_is_repeatable_by_hand() {
    let folder = Folder::new();
    let out = folder.path("made/here");
    let line = "train demo made/here --games 96 --seed 5 --progress";
    let run = run_in(&folder, line, 0);
    run.stderr_has(" 96/96  ");
    let read = |name: &str| fs::read(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let report = String::from_utf8(read("report.md")).expect("it is text");

    let model = |name: &str| Model::load(&out.join(name)).expect(name);
    let is_trained = |model: &Model| {
        let knots = model.as_linear().expect("it is linear").knots();
        let mut weights = knots.iter().flat_map(|knot| &knot.weights);
        weights.any(|&weight| weight != 0)
    };
    assert!(!is_trained(&model("nothing.weights")));
    assert!(is_trained(&model("round-1.weights")) && is_trained(&model("round-2.weights")));
    let svg = String::from_utf8(read("errors.svg")).expect("it is text");
    for name in ["nothing.weights", "round-1.weights", "round-2.weights"] {
        assert!(svg.contains(name), "{name} is not in the picture");
    }

    let commands = commands(&report);
    assert_eq!(commands.len(), 7, "{report}");
    for command in &commands {
        run.stdout_has(command);
    }
    let command_with = |name: &str| {
        let found = commands.iter().find(|command| command.contains(name));
        *found.unwrap_or_else(|| panic!("no {name} in\n{report}"))
    };
    let again = Folder::new();
    for name in ["nothing.weights", "round-1.weights", "round-2.weights"] {
        again.file(name, read(name));
    }
    for name in ["round-1.records", "round-2.records", "held-out.records"] {
        repeat(&again, command_with(&format!("generate {name}")));
        let repeated = fs::read(again.path(name)).expect(name);
        assert!(repeated == read(name), "{name}");
        let games = Reader::open(&out.join(name), Damage::Refuse).expect(name);
        assert!(games.settings().iter().any(|(name, _)| name == "seed"));
    }
    let fitted = again.path("round-1.weights");
    fs::remove_file(&fitted).unwrap();
    repeat(&again, command_with("fit round-1.records --"));
    assert!(fs::read(&fitted).unwrap() == read("round-1.weights"));

    // The table has the errors of `score`, and training lowers them.
    let rows = repeat(&again, &format!("{} --json", command_with("score"))).json();
    let table = report.lines().filter(|line| line.starts_with('|'));
    let table: Vec<&str> = table.collect();
    let [head, _, stages @ .., all] = &table[..] else {
        panic!("no table in\n{report}");
    };
    run.stdout_has(table.join("\n"));
    let names = &cells(head)[2..];
    assert_eq!(rows.len(), stages.len() * names.len());
    for (row, stage) in rows.iter().zip(stages.iter().cycle()) {
        let column = names.iter().position(|name| row["weights"] == *name);
        let column = column.expect("the head of the table has the column");
        let cells = cells(stage);
        assert_eq!(cells[0], row["empties"].to_string());
        assert_eq!(cells[1], row["positions"].to_string());
        let error = format!("{:.2}", row["mae"].as_f64().expect("a number"));
        assert_eq!(cells[2 + column], error, "{row}");
    }
    let [_, _, before, _, after, _] = cells(all)[..] else {
        panic!("{all}");
    };
    let [before, after] = [before, after].map(|cell| cell.parse::<f64>().expect("a number"));
    assert!(after < before - 1.0, "{all}");

    let result = repeat(&again, command_with("duel")).stdout;
    assert!(report.contains(result.trim_end()), "{result}: {report}");
}

#[test]
fn network_demo_is_repeatable_by_hand() {
    // An empty folder may exist already.
    let folder = Folder::new();
    let shown = run_in(&folder, "train demo . --network --games 64 --seed 6", 0).stdout;
    for round in [1, 2] {
        let [weights, curves] =
            ["weights", "svg"].map(|kind| folder.path(&format!("round-{round}.{kind}")));
        let model = Model::load(&weights).expect("weights");
        assert!(model.as_linear().is_none(), "round {round}");
        let read = || [&weights, &curves].map(|file| fs::read(file).expect("it is there"));
        let first = read();
        let is_fit = |line: &&str| line.contains(&format!("--out round-{round}.weights"));
        let fit = commands(&shown).into_iter().find(is_fit);
        repeat(&folder, fit.unwrap_or_else(|| panic!("{shown}")));
        assert!(read() == first, "round {round}");
    }
    assert!(folder.path("errors.svg").exists() && folder.path("report.md").exists());
}

#[test]
fn interrupted_demo_keeps_finished_files() {
    let folder = Folder::new();
    let records = folder.path("out/round-1.records");
    let mut command = cli_in(&folder, "train demo out --games 1000000 --threads 2");
    let is_written = || fs::metadata(&records).is_ok_and(|file| file.len() > 2000);
    let run = run_until(&mut command, is_written).expect(130);
    run.stderr_has("has the finished files");
    let mut reader = Reader::open(&records, Damage::Refuse).expect("it can be read");
    let first = reader.next().expect("a block was written");
    assert!(!first.expect("the block is complete").records.is_empty());
    assert!(!folder.path("out/report.md").exists());
}
