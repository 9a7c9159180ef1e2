//! `outflank train fit` and the fit itself: accuracy, and independence of threads and interruptions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::common::inputs::{TRUTH, record_file, records};
use crate::common::program::{OutputChecks, cli_in, kill};
use outflank::eval::{DISC, Model};
use outflank_testing::command::{Folder, interrupt, run, with_console};
use outflank_testing::data::database;
use outflank_train::fit::{
    CheckpointError, Examples, Fit, FitData, FitLimits, FitSettings, Loss, Sampling, Stages,
};
use outflank_train::record::Record;

fn data(records: &[Record], threads: usize) -> FitData {
    let mut examples = Examples::new(Sampling {
        search: 1.0,
        games: 0.0,
        held_out: 0.1,
        seed: 1,
    });
    records.iter().for_each(|record| examples.add(record));
    FitData::new(&examples.targets(), threads)
}

fn settings(windows: &[u32], loss: Loss) -> FitSettings {
    FitSettings {
        stages: Stages::new(vec![12, 24]).unwrap(),
        decay: 0.5,
        smooth: 0.1,
        windows: windows.to_vec(),
        loss,
    }
}

#[test]
fn fit_recovers_the_true_weights() {
    let (seen, unseen) = (records(1, 1500), records(2, 50));
    for settings in [
        settings(&[], Loss::Squared),
        settings(&[1, 2, 3, 4], Loss::Squared),
        settings(&[], Loss::Huber(1.0)),
    ] {
        let limits = FitLimits {
            iterations: 200,
            patience: 20,
        };
        let mut fit = Fit::new(data(&seen, 2), settings.clone(), None, 2);
        while fit.advance().end(limits).is_none() {}
        let outcome = fit.outcome();
        let mean_discs = |value: &dyn Fn(&Record) -> i32| {
            let sum: i32 = unseen.iter().map(|record| value(record).abs()).sum();
            f64::from(sum) / f64::from(DISC) / unseen.len() as f64
        };
        let spread = mean_discs(&|record| i32::from(record.value));
        let error =
            mean_discs(&|record| outcome.model.value(record.board) - i32::from(record.value));
        assert!(spread > 8.0, "{spread}");
        assert!(error < 0.6, "{settings}: {error} of {spread} discs");
        // Hold-out errors match those on other positions.
        let positions: usize = outcome.held_out.iter().map(|stage| stage.positions).sum();
        let sums = outcome.held_out.iter();
        let sums = sums.map(|stage| stage.errors.mae * stage.positions as f64);
        let held_out = sums.sum::<f64>() / positions as f64;
        let ratio = held_out / error;
        assert!((0.7..1.3).contains(&ratio), "{held_out} and {error}");
        assert_eq!(outcome.held_out.len(), 17);
    }
}

#[test]
fn weights_do_not_depend_on_threads_or_order() {
    let records = records(3, 200);
    let mut reversed = records.clone();
    reversed.reverse();
    let weights = |records: &[Record], threads| {
        let settings = settings(&[1, 2, 3], Loss::Huber(3.0));
        let mut fit = Fit::new(data(records, threads), settings, None, threads);
        for _ in 0..12 {
            fit.advance();
        }
        fit.outcome().model.write()
    };
    let single = weights(&records, 1);
    assert!(weights(&records, 2) == single);
    assert!(weights(&records, 3) == single);
    assert!(weights(&reversed, 2) == single, "the order matters");
}

#[test]
fn resumed_fit_equals_an_uninterrupted_one() {
    let records = records(4, 100);
    let settings = settings(&[2, 3], Loss::Squared);
    let new = |settings: &FitSettings| Fit::new(data(&records, 2), settings.clone(), None, 2);
    let mut whole = new(&settings);
    let mut saved = None;
    for iteration in 1..=27 {
        whole.advance();
        let checkpoint = whole.checkpoint();
        assert_eq!(checkpoint.is_some(), iteration % 10 == 0);
        saved = checkpoint.or(saved);
    }
    let saved = saved.expect("the fit had two checkpoints");
    let mut resumed = new(&settings);
    resumed.resume(&saved).unwrap();
    assert_eq!(resumed.progress().iteration, 20);
    while resumed.progress().iteration < 27 {
        resumed.advance();
    }
    assert_eq!(resumed.progress(), whole.progress());
    assert!(resumed.outcome().model.write() == whole.outcome().model.write());

    // A damaged file is refused, and the fit stays unchanged.
    let mut fit = new(&settings);
    let before = fit.progress();
    for index in (0..saved.len()).step_by(saved.len() / 50) {
        let mut damaged = saved.clone();
        damaged[index] ^= 0x10;
        fit.resume(&damaged).unwrap_err();
        fit.resume(&saved[..index]).unwrap_err();
    }
    assert_eq!(fit.progress(), before);
    let error = fit.resume(b"text").unwrap_err();
    assert!(matches!(error, CheckpointError::Foreign(_)), "{error}");
    let other = FitSettings {
        decay: 0.25,
        ..settings.clone()
    };
    let error = new(&other).resume(&saved).unwrap_err();
    assert!(matches!(error, CheckpointError::Settings { .. }), "{error}");
    assert!(error.to_string().contains("decay 0.5"), "{error}");
    let others = data(&records[1..], 1);
    let error = Fit::new(others, settings.clone(), None, 1).resume(&saved);
    assert_eq!(error, Err(CheckpointError::Positions));
    let error = Fit::new(data(&records, 1), settings, TRUTH.as_linear(), 1).resume(&saved);
    assert!(matches!(error, Err(CheckpointError::Settings { .. })));
}

/// Positions that all lie between two knots do not determine the weights of each knot.
#[test]
fn fit_without_penalty_converges() {
    let mut records = records(9, 60);
    records.retain(|record| (17..=19).contains(&record.board.empty_count()));
    let settings = FitSettings {
        decay: 0.0,
        smooth: 0.0,
        ..settings(&[1, 2], Loss::Squared)
    };
    let mut fit = Fit::new(data(&records, 1), settings, None, 1);
    let begun = fit.progress().training.mae;
    for _ in 0..30 {
        fit.advance();
    }
    let errors = fit.progress().training;
    assert!(errors.mae < begun / 10.0, "{errors:?}, {begun} at first");
}

#[test]
fn fit_starts_from_given_weights() {
    let records = records(5, 50);
    let settings = settings(&[1, 2], Loss::Squared);
    let mut fit = Fit::new(data(&records, 1), settings, TRUTH.as_linear(), 1);
    let begun = fit.progress();
    assert!(begun.training.mae < 0.01, "{begun:?}");
    let fitted = fit.outcome().model;
    let [fitted, truth] = [&fitted, &*TRUTH].map(|model| model.as_linear().unwrap().knots());
    assert_eq!(fitted, truth);
}

/// `outflank train fit OPTIONS` in `folder`, with few knots to be quick.
fn fit(folder: &Folder, options: &str) -> Command {
    let line = format!("train fit --knots 12,24 --windows 1-2 {options}");
    cli_in(folder, &line)
}

#[test]
fn every_kind_of_file_is_learnt() {
    let folder = Folder::new();
    let records = records(6, 60);
    record_file(&folder, "a.records", &records);
    let problem = |record: &Record| format!("{} X; --:+2;\n", record.board);
    let problems: String = records[..300].iter().map(problem).collect();
    folder.file("test.obf", problems + "% end\n");
    let games: &[&[u8]] = &[&[56, 64, 43, 34, 23, 32], &[11]];
    folder.file("old.wtb", database(2017, games));
    folder.file("late.wtb", database(2018, games));
    let read = |name: &str| fs::read(folder.path(name)).expect(name);

    let fit_with = |out: &str, threads: u32| {
        let options = format!(
            "a.records old.wtb late.wtb --until 2017 --exclude test.obf --iterations 15 \
             --out {out} --threads {threads}"
        );
        run(&mut fit(&folder, &options), b"").expect(0)
    };
    let done = fit_with("1.weights", 1);
    for expected in [
        "1,020 positions: ",
        "300 left out, on boards that were to be left out",
        "\n       15  ",
        ": the weights after 1",
        "the iterations are used up",
        "\n     18  ",
    ] {
        done.stdout_has(expected);
    }
    // The games have no position with a theoretical score, and one illegal move.
    let illegal = |file: &str| {
        format!("{file}: game 2: move 1, A1, is not legal: black flips no disc there\n")
    };
    assert_eq!(done.stderr, illegal("old.wtb") + &illegal("late.wtb"));
    fit_with("2.weights", 2);
    assert!(read("1.weights") == read("2.weights"));
    let about = Model::load(&folder.path("1.weights")).unwrap().about;
    assert!(about.contains("decay 30"), "{about}");

    // Unfinished games have no result.
    let options = "old.wtb --games-weight 1 --hold-out 0 --out 2.weights";
    let run = run(&mut fit(&folder, options), b"").expect(1);
    run.stderr_has("give records, or games of WTHOR databases\n");
}

/// Ctrl-C writes the best weights so far. A killed run continues from its checkpoint.
#[test]
fn interrupted_fit_writes_weights_and_killed_fit_continues() {
    let folder = Folder::new();
    record_file(&folder, "a.records", &records(7, 60));
    let out = folder.path("w");
    let start = |options: &str, rows: usize| {
        let mut command = fit(&folder, &format!("a.records --out w {options}"));
        let command = with_console(&mut command).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let stdout = child.stdout.take().expect("a pipe");
        let lines = BufReader::new(stdout).lines();
        let mut lines = lines.map(|line| line.expect("text"));
        let row = |line: String| line.split_whitespace().next() == Some(&rows.to_string());
        assert!(lines.by_ref().any(row), "the fit ended early");
        (child, lines)
    };
    let endless = "--iterations 1000000 --patience 1000000 --hold-out 0 --decay 0";
    let (mut child, lines) = start(endless, 3);
    interrupt(&child);
    let last = lines.last().expect("a summary");
    assert!(last.ends_with("interrupted"), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(Model::load(&out).is_ok());
    fs::remove_file(&out).unwrap();

    let short = "--iterations 24 --patience 100";
    let (child, _lines) = start(&format!("{short} --checkpoint state"), 11);
    kill(child);
    assert!(!out.exists());
    let finish = |options: &str| {
        let options = format!("a.records {short} {options}");
        run(&mut fit(&folder, &options), b"").expect(0).stderr
    };
    let resumed = finish("--out w --checkpoint state");
    let end = "goes on after 10 iterations\n";
    assert!(resumed.ends_with(end), "{resumed}");
    finish("--out whole");
    assert!(fs::read(&out).unwrap() == fs::read(folder.path("whole")).unwrap());
}
