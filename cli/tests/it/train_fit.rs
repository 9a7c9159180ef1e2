//! `outflank train fit` and the fit itself: it finds what is there to be found, the same at any number
//! of threads and after any number of kills.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::common::program::outflank;
use outflank::Board;
use outflank::eval::{DISC, Knot, Model, PACKED, Packing};
use outflank::kernels::geometry::edax::CLASSES;
use outflank_testing::command::{Folder, Run, interrupt, run};
use outflank_testing::data::{database, random_game};
use outflank_testing::rng::Rng;
use outflank_train::fit::{
    CheckpointError, Data, End, Examples, Fit, FitSettings, Limits, Loss, Sampling, Stages,
};
use outflank_train::record::{Block, Record, RecordSettings, Source, Writer};

const LIMITS: Limits = Limits {
    iterations: 200,
    patience: 20,
};

/// Weights of two knots: the small classes' are random, of a size that makes values of some discs, the
/// others 0.
fn truth() -> &'static Model {
    static TRUTH: OnceLock<Model> = OnceLock::new();
    TRUTH.get_or_init(|| {
        let mut rng = Rng::new(11);
        let small = |place: usize| {
            let of_class = |(number, class): (usize, &outflank::kernels::geometry::Class)| {
                class.digits <= 5 && Packing::get().range(number).contains(&place)
            };
            CLASSES.iter().enumerate().any(of_class)
        };
        let mut knot = |empties| Knot {
            empties,
            weights: (0..PACKED)
                .map(|place| match small(place) {
                    true => rng.below(2001) as i16 - 1000,
                    false => 0,
                })
                .collect(),
        };
        let knots = vec![knot(12), knot(24)];
        let bias = std::array::from_fn(|empties| 40 * (empties as i16 % 2));
        Model::linear(knots, bias, String::new()).unwrap()
    })
}

/// Positions of random games with 10 to 26 empty squares, and what [`truth`] says of them.
pub(crate) fn records(seed: u64, games: u32) -> Vec<Record> {
    let mut rng = Rng::new(seed);
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

fn data(records: &[Record], threads: usize) -> Data {
    let mut examples = Examples::new(Sampling {
        search: 1.0,
        games: 0.0,
        held_out: 0.1,
        seed: 1,
    });
    records.iter().for_each(|record| examples.add(record));
    Data::new(&examples.targets(), threads)
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
fn fitted(mut fit: Fit) -> (Fit, End) {
    loop {
        if let Some(end) = fit.advance().end(LIMITS) {
            return (fit, end);
        }
    }
}

#[test]
fn weights_that_explain_the_values_are_found() {
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
        // What is told of held-out positions is what others show.
        let positions: usize = outcome.held_out.iter().map(|stage| stage.positions).sum();
        let sum = |errors: &dyn Fn(&outflank_train::fit::StageErrors) -> f64| -> f64 {
            outcome.held_out.iter().map(errors).sum()
        };
        let told = sum(&|stage| stage.errors.mae * stage.positions as f64) / positions as f64;
        assert!((told / error - 1.0).abs() < 0.3, "{told} and {error}");
        assert_eq!(outcome.held_out.len(), 17);
    }
}

#[test]
fn any_number_of_threads_makes_the_same_weights() {
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
    let one = weights(&records, 1);
    assert!(weights(&records, 2) == one);
    assert!(weights(&records, 3) == one);
    assert!(weights(&reversed, 2) == one, "nor does their order matter");
}

#[test]
fn a_fit_goes_on_from_a_checkpoint_as_if_nothing_had_been() {
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
    let saved = saved.expect("there were two");
    let mut resumed = new(&settings);
    resumed.resume(&saved).unwrap();
    assert_eq!(resumed.progress().iteration, 20);
    while resumed.progress().iteration < 27 {
        resumed.advance();
    }
    assert_eq!(resumed.progress(), whole.progress());
    assert!(resumed.outcome().model.write() == whole.outcome().model.write());

    // Whatever happens to the file, it is refused, and the fit is as it was.
    let mut fit = new(&settings);
    let before = fit.progress();
    for place in (0..saved.len()).step_by(saved.len() / 50) {
        let mut damaged = saved.clone();
        damaged[place] ^= 0x10;
        fit.resume(&damaged).unwrap_err();
        fit.resume(&saved[..place]).unwrap_err();
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

/// Positions that are all between two knots leave open which of them has what.
#[test]
fn a_fit_that_nothing_holds_is_a_fit_too() {
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
fn a_fit_begins_with_the_weights_it_is_given() {
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

/// The records as a file.
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

/// `outflank train fit`, with options as in `--decay 4`, and few knots so as to be quick.
fn fit(files: &[&Path], out: &Path, options: &str) -> Command {
    let mut command = outflank();
    command
        .args(["train", "fit"])
        .args(files)
        .arg("--out")
        .arg(out);
    command.args("--knots 12,24 --windows 1-2".split(' '));
    command.args(options.split_whitespace());
    command
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn the_command_learns_from_any_kind_of_file() {
    let folder = Folder::new();
    let records = records(6, 60);
    let recorded = record_file(&folder, "a.records", &records);
    let problems: Vec<String> = records[..300]
        .iter()
        .map(|record| format!("{} X; --:+2;\n", record.board))
        .collect();
    let problems = folder.file("test.obf", problems.concat() + "% end\n");
    let games: &[&[u8]] = &[&[56, 64, 43, 34, 23, 32], &[11]];
    let old = folder.file("old.wtb", database(2017, games));
    let late = folder.file("late.wtb", database(2018, games));
    let [first, second] = ["1.weights", "2.weights"].map(|name| folder.path(name));

    let options = format!("--until 2017 --exclude {} --iterations 15", text(&problems));
    let files = [&*recorded, &old, &late];
    let run = |out: &Path, threads: &str| -> Run {
        let options = format!("{options} --threads {threads}");
        run(&mut fit(&files, out, &options), b"").expect(0)
    };
    let done = run(&first, "1");
    let told = |what: &str| assert!(done.stdout.contains(what), "{what} in {done:#?}");
    told("1,020 positions: ");
    told("300 left out, on boards that were to be left out");
    told("\n       15  ");
    told(": the weights after 1");
    told("the iterations are used up");
    told("\n     18  ");
    // The games have no position with a theoretical score, and one move that is not legal.
    let illegal = |path: &Path| {
        let why = "black turns no disc there";
        format!(
            "{}: game 2: move 1, A1, is not legal: {why}\n",
            path.display()
        )
    };
    assert_eq!(done.stderr, illegal(&old) + &illegal(&late));
    run(&second, "2");
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap());
    let model = Model::load(&first).unwrap();
    assert!(model.about.contains("decay 30"), "{}", model.about);

    // The results of unfinished games are none.
    let options = "--games-weight 1 --hold-out 0";
    let run = outflank_testing::command::run(&mut fit(&[&old], &second, options), b"").expect(1);
    assert!(
        run.stderr
            .ends_with("give records, or games of WTHOR databases\n")
    );
}

/// Ctrl-C keeps the best so far; a run that is killed goes on from its checkpoint.
#[cfg(unix)]
#[test]
fn an_interrupted_fit_leaves_weights_and_a_killed_one_goes_on() {
    let folder = Folder::new();
    let recorded = record_file(&folder, "a.records", &records(7, 60));
    let [out, whole, state] = ["w", "whole", "state"].map(|name| folder.path(name));
    let start = |options: &str, rows: usize| {
        let mut child = fit(&[&recorded], &out, options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(stdout)
            .lines()
            .map(|line| line.expect("text"));
        let row = |line: String| line.split_whitespace().next() == Some(&rows.to_string());
        assert!(lines.by_ref().any(row), "it ended early");
        (child, lines)
    };
    let endless = "--iterations 1000000 --patience 1000000 --hold-out 0 --decay 0";
    let (mut child, lines) = start(endless, 3);
    interrupt(&child);
    let last = lines.last().expect("it says what it wrote");
    assert!(last.ends_with("interrupted"), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(Model::load(&out).is_ok());
    fs::remove_file(&out).unwrap();

    let options = format!(
        "--iterations 24 --patience 100 --checkpoint {}",
        text(&state)
    );
    let (mut child, _lines) = start(&options, 11);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!out.exists());
    let run = run(&mut fit(&[&recorded], &out, &options), b"").expect(0);
    assert!(
        run.stderr.ends_with("goes on after 10 iterations\n"),
        "{run:?}"
    );
    let options = "--iterations 24 --patience 100";
    outflank_testing::command::run(&mut fit(&[&recorded], &whole, options), b"").expect(0);
    assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn what_cannot_be_done_is_said_in_a_line() {
    let folder = Folder::new();
    let some = record_file(&folder, "a.records", &records(8, 3));
    let weights = folder.file("some.weights", truth().write());
    let xz = folder.file("a.obf.xz", b"\xfd7zXZ\0\0\x04");
    let empty = folder.file("empty", "");
    let cut = folder.file("cut.wtb", &database(2000, &[&[56]])[..80]);
    let mut damaged = fs::read(&some).unwrap();
    damaged.truncate(10);
    let damaged = folder.file("cut.records", damaged);
    let bad = folder.file("bad.obf", "X\n");
    let absent = folder.path("absent");
    let out = folder.path("out");
    let nowhere = folder.path("no/such/folder");
    for (file, out, options, status, expected) in [
        (&absent, &out, "", 1, "absent: No such file"),
        (&weights, &out, "", 1, "it has weights"),
        (&xz, &out, "", 1, "it is compressed by xz: unpack it first"),
        (
            &empty,
            &out,
            "",
            1,
            "empty: neither games nor positions in it",
        ),
        (&cut, &out, "", 1, "cut.wtb: not WTHOR: expected 84 bytes"),
        (&damaged, &out, "", 1, "ends within its header"),
        (
            &bad,
            &out,
            "",
            1,
            "expected records, positions (OBF) or games",
        ),
        (&some, &nowhere, "", 1, "make its folder first"),
        (&some, &out, "--start /dev/null", 1, "it is empty"),
        (
            &some,
            &out,
            "--checkpoint /dev/null",
            1,
            "expected the checkpoint of a fit",
        ),
        (&some, &out, "--exclude /absent", 1, "/absent: No such file"),
        (&some, &out, "--knots 4,4", 2, "in ascending order"),
        (&some, &out, "--knots 0,61", 2, "in ascending order"),
        (
            &some,
            &out,
            "--windows 0-3",
            2,
            "expected lengths from 1 to 9",
        ),
        (
            &some,
            &out,
            "--decay=-1",
            2,
            "expected a number from 0 to 1000000",
        ),
        (
            &some,
            &out,
            "--huber 0",
            2,
            "expected a number from 0.01 to 128",
        ),
        (
            &some,
            &out,
            "--hold-out 1",
            2,
            "expected a number from 0 to 0.9",
        ),
    ] {
        let mut command = outflank();
        command
            .args(["train", "fit"])
            .arg(file)
            .arg("--out")
            .arg(out);
        command.args(options.split_whitespace());
        let run = run(&mut command, b"").expect(status);
        assert!(run.stderr.contains(expected), "{expected}: {run:#?}");
        assert!(status == 2 || run.stderr.lines().count() <= 2, "{run:#?}");
        assert!(!out.exists(), "{expected}");
    }
}
