//! `outflank train fit` and the fit itself: accuracy, and independence of threads and interruptions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::common::program::{cli_in, refuse_in, run_in};
use outflank::Board;
use outflank::eval::{DISC, KNOT_WEIGHTS, Knot, Model, WeightLayout};
use outflank::kernels::geometry::edax::CLASSES;
use outflank_random::SplitMix64;
use outflank_testing::command::{Folder, interrupt, run};
use outflank_testing::data::{database, random_game};
use outflank_train::fit::{
    CheckpointError, Examples, Fit, FitData, FitEnd, FitLimits, FitSettings, Loss, Sampling, Stages,
};
use outflank_train::record::{Block, Record, RecordSettings, Source, Writer};

const LIMITS: FitLimits = FitLimits {
    iterations: 200,
    patience: 20,
};

/// Weights of two knots: random for small classes, with values of some discs, and 0 for the others.
fn truth() -> &'static Model {
    static TRUTH: OnceLock<Model> = OnceLock::new();
    TRUTH.get_or_init(|| {
        let mut rng = SplitMix64::new(11);
        let is_small = |index: usize| {
            let contains = |(number, class): (usize, &outflank::kernels::geometry::Class)| {
                class.digits <= 5 && WeightLayout::get().range(number).contains(&index)
            };
            CLASSES.iter().enumerate().any(contains)
        };
        let mut knot = |empties| Knot {
            empties,
            weights: (0..KNOT_WEIGHTS)
                .map(|index| match is_small(index) {
                    true => rng.index(2001) as i16 - 1000,
                    false => 0,
                })
                .collect(),
        };
        let knots = vec![knot(12), knot(24)];
        let bias = std::array::from_fn(|empties| 40 * (empties as i16 % 2));
        Model::linear(knots, bias, String::new()).unwrap()
    })
}

/// Positions of random games with 10 to 26 empty squares, labelled by [`truth`].
pub(crate) fn records(seed: u64, games: u32) -> Vec<Record> {
    let mut rng = SplitMix64::new(seed);
    let mut records = Vec::new();
    for game in 0..games {
        let wanted = |board: &Board| (10..=26).contains(&board.empty_count());
        for board in random_game(&mut rng).into_iter().filter(wanted) {
            if board.mobility() != 0 {
                records.push(Record {
                    board,
                    value: truth().value(board) as i16,
                    source: Source::Exact,
                    game,
                });
            }
        }
    }
    records
}

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

/// Fits to the end.
fn fitted(mut fit: Fit) -> (Fit, FitEnd) {
    loop {
        if let Some(end) = fit.advance().end(LIMITS) {
            return (fit, end);
        }
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
        let (mut fit, _) = fitted(Fit::new(data(&seen, 2), settings.clone(), None, 2));
        let outcome = fit.outcome();
        let (mut error, mut spread) = (0.0, 0.0);
        for record in &unseen {
            let discs = |value: i32| f64::from(value.abs()) / f64::from(DISC);
            error += discs(outcome.model.value(record.board) - i32::from(record.value));
            spread += discs(i32::from(record.value));
        }
        let count = unseen.len() as f64;
        let (error, spread) = (error / count, spread / count);
        assert!(spread > 8.0, "{spread}");
        assert!(error < 0.6, "{settings}: {error} of {spread} discs");
        // Hold-out errors match those on other positions.
        let positions: usize = outcome.held_out.iter().map(|stage| stage.positions).sum();
        let sum = |errors: &dyn Fn(&outflank_train::fit::StageErrors) -> f64| -> f64 {
            outcome.held_out.iter().map(errors).sum()
        };
        let held_out = sum(&|stage| stage.errors.mae * stage.positions as f64) / positions as f64;
        assert!(
            (held_out / error - 1.0).abs() < 0.3,
            "{held_out} and {error}"
        );
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
    assert!(
        weights(&reversed, 2) == single,
        "nor does their order matter"
    );
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
    assert!(matches!(
        fit.resume(b"text"),
        Err(CheckpointError::Foreign(_))
    ));
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
    let error = Fit::new(data(&records, 1), settings, truth().as_linear(), 1).resume(&saved);
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
    let mut fit = Fit::new(data(&records, 1), settings, truth().as_linear(), 1);
    let begun = fit.progress();
    assert!(begun.training.mae < 0.01, "{begun:?}");
    assert_eq!(
        fit.outcome().model.as_linear().unwrap().knots(),
        truth().as_linear().unwrap().knots()
    );
}

/// Writes a record file.
pub(crate) fn record_file(folder: &Folder, name: &str, records: &[Record]) -> PathBuf {
    let path = folder.path(name);
    let (mut writer, _) = Writer::open(&path, &RecordSettings::default()).unwrap();
    for (number, records) in (0..).zip(records.chunks(1000)) {
        let records = records.to_vec();
        writer.write(&Block { number, records }.encode()).unwrap();
    }
    writer.finish().unwrap();
    path
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
    let problems = records[..300].iter();
    let problems: Vec<String> = problems
        .map(|record| format!("{} X; --:+2;\n", record.board))
        .collect();
    folder.file("test.obf", problems.concat() + "% end\n");
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
        assert!(done.stdout.contains(expected), "{expected} in {done:#?}");
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
    let end = "give records, or games of WTHOR databases\n";
    assert!(run.stderr.ends_with(end), "{run:#?}");
}

/// Ctrl-C writes the best weights so far. A killed run continues from its checkpoint.
#[cfg(unix)]
#[test]
fn interrupted_fit_writes_weights_and_killed_fit_continues() {
    let folder = Folder::new();
    record_file(&folder, "a.records", &records(7, 60));
    let out = folder.path("w");
    let start = |options: &str, rows: usize| {
        let mut child = fit(&folder, &format!("a.records --out w {options}"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("a pipe");
        let mut lines = BufReader::new(stdout)
            .lines()
            .map(|line| line.expect("text"));
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
    let (mut child, _lines) = start(&format!("{short} --checkpoint state"), 11);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!out.exists());
    let finish = |options: &str| {
        let options = format!("a.records {short} {options}");
        run(&mut fit(&folder, &options), b"").expect(0).stderr
    };
    let resumed = finish("--out w --checkpoint state");
    assert!(
        resumed.ends_with("goes on after 10 iterations\n"),
        "{resumed}"
    );
    finish("--out whole");
    assert!(fs::read(&out).unwrap() == fs::read(folder.path("whole")).unwrap());
}

#[test]
fn invalid_fits_are_refused_in_a_line() {
    let folder = Folder::new();
    let recorded = record_file(&folder, "a.records", &records(8, 3));
    let damaged = &fs::read(recorded).unwrap()[..10];
    folder.file("cut.records", damaged);
    folder.file("some.weights", truth().write());
    folder.file("a.obf.xz", b"\xfd7zXZ\0\0\x04");
    folder.file("empty", "");
    folder.file("cut.wtb", &database(2000, &[&[56]])[..80]);
    folder.file("bad.obf", "X\n");
    let xz = "it is compressed by xz: unpack it first";
    let foreign = "expected records, positions (OBF) or games";
    for (line, status, expected) in [
        ("absent", 1, "absent: No such file"),
        ("some.weights", 1, "it has weights"),
        ("a.obf.xz", 1, xz),
        ("empty", 1, "empty: neither games nor positions in it"),
        ("cut.wtb", 1, "cut.wtb: not WTHOR: expected 84 bytes"),
        ("cut.records", 1, "ends within its header"),
        ("bad.obf", 1, foreign),
        ("a.records --start /dev/null", 1, "it is empty"),
        (
            "a.records --checkpoint /dev/null",
            1,
            "expected the checkpoint of a fit",
        ),
        ("a.records --exclude /absent", 1, "/absent: No such file"),
        ("a.records --knots 4,4", 2, "in ascending order"),
        ("a.records --knots 0,61", 2, "in ascending order"),
        ("a.records --windows 0-3", 2, "expected lengths from 1 to 9"),
        (
            "a.records --decay=-1",
            2,
            "expected a number from 0 to 1000000",
        ),
        (
            "a.records --huber 0",
            2,
            "expected a number from 0.01 to 128",
        ),
        (
            "a.records --hold-out 1",
            2,
            "expected a number from 0 to 0.9",
        ),
    ] {
        let run = run_in(&folder, &format!("train fit {line} --out out"), status);
        assert!(run.stderr.contains(expected), "{expected}: {run:#?}");
        assert!(status == 2 || run.stderr.lines().count() <= 2, "{run:#?}");
        assert!(!folder.path("out").exists(), "{expected}");
    }
    let nowhere = "train fit a.records --out no/such/folder";
    refuse_in(&folder, nowhere, 1, "make its folder first");
}
