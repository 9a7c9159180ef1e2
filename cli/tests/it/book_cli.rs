//! `outflank book`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::program::outflank;
use outflank_testing::command::{Folder, Run, run, run_until};
use outflank_testing::data::{game, shared, transcript};

/// Learns for as many positions, from nothing or from what the book has.
fn learn(book: &Path, positions: usize, more: &[&str]) -> Run {
    let mut command = outflank();
    command.args(["book", "learn"]).arg(book);
    command.args([
        "--positions",
        &positions.to_string(),
        "--level",
        "1",
        "--hash",
        "2",
    ]);
    run(command.args(["--jobs", "2"]).args(more), b"").expect(0)
}

fn book(words: &[&str], paths: &[&Path]) -> Run {
    let mut command = outflank();
    run(command.arg("book").args(words).args(paths), b"")
}

/// The positions of a book that a check finds nothing wrong with.
#[track_caller]
fn checked(path: &Path) -> u64 {
    let run = book(&["check"], &[path]).expect(0);
    assert!(run.stdout.contains(": no fault"), "{run:#?}");
    book(&["info", "--json"], &[path]).expect(0).json()[0]["positions"]
        .as_u64()
        .expect("a number")
}

#[test]
fn a_book_is_learnt_shown_and_exchanged() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    let told = learn(&path, 60, &[]).stdout;
    assert!(told.contains(" added, "), "{told}");
    let positions = checked(&path);
    assert!((60..64).contains(&positions));
    // It goes on where it ended.
    learn(&path, 40, &[]);
    assert!((100..108).contains(&checked(&path)));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);

    let info = book(&["info"], &[&path]).expect(0).stdout;
    assert!(
        info.contains("positions  10") && info.contains("         60  1"),
        "{info}"
    );
    let shown = book(&["show"], &[&path]).expect(0).stdout;
    assert!(
        shown.contains("value ") && shown.contains("  f5  "),
        "{shown}"
    );
    let mut show = outflank();
    let shown = run(
        show.args(["book", "show", "--json"]).arg(&path).arg("f5"),
        b"",
    )
    .expect(0);
    let json = &shown.json()[0];
    assert_eq!(json["in_book"], true);
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves[0]["value"], json["value"]);
    let mut show = outflank();
    let shown = run(
        show.args(["book", "show"]).arg(&path).arg("f5f6e6f4g7h8"),
        b"",
    )
    .expect(0);
    assert!(shown.stdout.ends_with("not in the book\n"), "{shown:#?}");

    // To Edax and back, and into one with itself.
    let (dat, back) = (folder.path("a.dat"), folder.path("back.book"));
    let mut export = outflank();
    run(
        export
            .args(["book", "export"])
            .arg(&path)
            .arg("--out")
            .arg(&dat),
        b"",
    )
    .expect(0);
    let told = book(&["import"], &[&back, &dat]).expect(0).stdout;
    assert!(
        told.contains("a.dat: 10") && told.contains(" of level 1\n"),
        "{told}"
    );
    assert_eq!(checked(&back), checked(&path));
    // What Edax keeps for a whole book is that of a new one only.
    let lost = "level, fewest empty squares and errors, which Edax keeps for a whole book, are not carried over";
    assert!(!told.contains(lost), "{told}");
    let again = book(&["import"], &[&back, &dat]).expect(0).stdout;
    assert!(again.contains(lost), "{again}");
    let merged = folder.path("merged.book");
    book(&["merge"], &[&merged, &path, &back]).expect(0);
    assert_eq!(checked(&merged), checked(&path));
    let all = |path: &Path| {
        let mut show = outflank();
        run(show.args(["book", "show", "--json"]).arg(path), b"")
            .expect(0)
            .stdout
    };
    assert_eq!(all(&merged), all(&path));
}

#[test]
fn games_are_learnt() {
    let folder = Folder::new();
    let games: Vec<_> = (0..3).map(|seed| transcript(&game(seed)) + "\n").collect();
    let file = folder.file("games.txt", games.concat());
    let path = folder.path("my.book");
    let from = ["--empties", "50", "--from", file.to_str().expect("UTF-8")];
    learn(&path, 1000, &from);
    assert!(checked(&path) > 20);
    let shown = |moves: &str| {
        let mut show = outflank();
        run(
            show.args(["book", "show", "--json"]).arg(&path).arg(moves),
            b"",
        )
        .expect(0)
        .json()
    };
    assert_eq!(shown(&games[2][..20])[0]["in_book"], true);
    assert_eq!(shown(&games[2][..22])[0]["in_book"], false);

    let mut correct = outflank();
    correct
        .args(["book", "correct"])
        .arg(&path)
        .args(["--level", "3", "--jobs", "1"]);
    let told = run(&mut correct, b"").expect(0).stdout;
    assert!(told.contains(", 0 added, "), "{told}");
    checked(&path);
}

/// The first moves of tournament games.
#[test]
fn databases_are_learnt() {
    let Some(database) = shared("wthor/WTH_1985.wtb") else {
        return;
    };
    let folder = Folder::new();
    let path = folder.path("my.book");
    let from = [
        "--empties",
        "52",
        "--from",
        database.to_str().expect("UTF-8"),
    ];
    learn(&path, 300, &[&from[..], &["--until", "1990"]].concat());
    assert!(checked(&path) >= 300);
    let none = folder.path("none.book");
    learn(&none, 300, &[&from[..], &["--until", "1980"]].concat());
    assert_eq!(checked(&none), 0);
}

/// Bad input: one line that says what is wrong, and nothing is changed or left behind.
#[test]
fn what_cannot_be_done_is_told() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    learn(&path, 20, &[]);
    let whole = fs::read(&path).expect("it is there");
    let text = folder.file("text.book", "f5d6c3");
    let cut = folder.file("cut.book", &whole[..whole.len() - 10]);
    let mut newer = whole.clone();
    newer[63] = 9;
    let newer = folder.file("newer.book", newer);
    let mut rotten = whole.clone();
    rotten[4096..].fill(0xAB);
    let rotten = folder.file("rotten.book", rotten);
    let dat = folder.file("cut.dat", b"XADEKOOB\x04\x05");
    let new = folder.path("new.book");
    let weights = outflank_testing::data::root().join("weights/outflank.weights");
    for (words, paths, status, expected) in [
        (
            &["info"][..],
            &[&text][..],
            1,
            "expected an opening book, but it looks like text",
        ),
        (&["info"], &[&new], 1, "new.book: No such file"),
        (&["check"], &[&cut], 1, "cut.book: cut off: "),
        (
            &["show"],
            &[&newer],
            1,
            "a book of version 9; this outflank reads version 1: update outflank",
        ),
        (
            &["learn", "--time", "1"],
            &[&text],
            1,
            "expected an opening book",
        ),
        (
            &["correct", "--time", "1"],
            &[&new],
            1,
            "new.book: No such file",
        ),
        (
            &["import"],
            &[&new, &dat],
            1,
            "cut.dat: cut off after 0 of 0 positions",
        ),
        (
            &["import"],
            &[&new, &path],
            1,
            "it is an opening book, which `outflank book info` shows",
        ),
        (
            &["import"],
            &[&new, &folder.path("none.dat")],
            1,
            "none.dat: No such file",
        ),
        (
            &["info"],
            &[&weights],
            1,
            "it has weights, which `outflank weights info` shows",
        ),
        (
            &["info"],
            &[&dat],
            1,
            "it is an opening book of Edax's, which `outflank book import` reads",
        ),
        (&["merge"], &[&new, &text], 1, "expected an opening book"),
        (&["merge"], &[&new, &rotten], 1, "rotten.book: damaged: "),
        (
            &["merge"],
            &[&path, &path],
            2,
            "BOOK would be written over OTHER; name another file",
        ),
        (
            &["show", path.to_str().expect("UTF-8"), "f5f5"],
            &[],
            2,
            "move 2, F5, is not legal",
        ),
        (
            &["show", path.to_str().expect("UTF-8"), "xx"],
            &[],
            2,
            "the moves, such as f5d6c3: ",
        ),
    ] {
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let run = book(words, &paths).expect(status);
        assert!(run.stderr.contains(expected), "{expected}: {run:#?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
        assert!(!new.exists());
    }
    assert_eq!(fs::read(&path).expect("it is there"), whole);
}

/// A second writer is refused; readers are not.
#[test]
fn one_program_writes_at_a_time() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    learn(&path, 20, &[]);
    let mut first = outflank();
    first
        .args(["book", "learn"])
        .arg(&path)
        .args(["--level", "2", "--jobs", "1", "--hash", "1"]);
    let log = folder.path("my.book-wal");
    let mut child = first
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    outflank_testing::command::wait_until(|| fs::metadata(&log).is_ok_and(|log| log.len() > 0));
    let second = book(&["learn", "--time", "1"], &[&path]).expect(1);
    assert!(
        second
            .stderr
            .ends_with("another program uses this book: wait until it has finished\n")
    );
    book(&["show"], &[&path]).expect(0);
    checked(&path);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    checked(&path);
}

/// Ends `learn` by SIGKILL so many times, each time at another moment: no position that was there before is lost,
/// and nothing is wrong with the others.
fn kill(times: u64) {
    let folder = Folder::new();
    let path = folder.path("my.book");
    let log = folder.path("my.book-wal");
    let mut positions = 0;
    let mut grown = 0;
    for time in 0..times {
        let mut command = outflank();
        command
            .args(["book", "learn"])
            .arg(&path)
            .args(["--level", "1", "--jobs", "2", "--hash", "2"]);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        // Commits are made every second: while the book is opened, before a commit, in it, and after it.
        thread::sleep(Duration::from_millis(797 * time % 2000));
        // On a busy machine none of them may have come so far as to commit. The last one does: its log has something.
        let has_committed = || fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        while time + 1 == times && !has_committed() {
            thread::sleep(Duration::from_millis(10));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        if !path.exists() {
            continue;
        }
        let now = checked(&path);
        assert!(now >= positions, "{now} of {positions} positions are left");
        grown += u32::from(now > positions);
        positions = now;
    }
    assert!(grown > 0, "something was committed");
    learn(&path, 10, &[]);
    assert!(checked(&path) >= positions + 10);
}

#[test]
fn kills_lose_nothing_that_was_committed() {
    kill(4);
}

/// `cargo test -p outflank-cli --test it killed_200_times -- --ignored`
#[test]
#[ignore = "some minutes"]
fn a_book_is_killed_200_times() {
    kill(200);
}

/// A kill while the book is closed, after all is told: the log is put into the file then, and removed. Nothing is lost, whatever of
/// that was done.
#[test]
fn kills_while_a_book_is_closed_lose_nothing() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    let mut left = 0;
    for time in 0..24 {
        let mut command = outflank();
        command.args(["book", "learn"]).arg(&path).args([
            "--level",
            "1",
            "--jobs",
            "1",
            "--hash",
            "1",
            "--positions",
            "10",
        ]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut told = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut told).expect("text");
        // What is left to do takes some milliseconds.
        thread::sleep(Duration::from_micros(150 * time));
        child.kill().expect("it runs, or nobody has waited for it");
        child.wait().expect("it ends");
        let positions = told
            .split(": ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let positions = positions.and_then(|count| count.parse().ok());
        left += u32::from(folder.path("my.book-wal").exists());
        assert_eq!(Some(checked(&path)), positions, "{told}");
    }
    assert!(left > 0, "no kill came before the end");
}

/// Ctrl-C ends it soon, with all that was found.
#[test]
#[cfg(unix)]
fn ctrl_c_commits_what_was_found() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    let log = folder.path("my.book-wal");
    let mut command = outflank();
    command
        .args(["book", "learn"])
        .arg(&path)
        .args(["--level", "1", "--jobs", "2", "--hash", "2"]);
    let run = run_until(&mut command, || {
        fs::metadata(&log).is_ok_and(|log| log.len() > 0)
    });
    let run = run.expect(130);
    assert!(run.stdout.contains(" added, "), "{run:#?}");
    assert!(run.stderr.ends_with("outflank: interrupted\n"), "{run:#?}");
    assert!(checked(&path) > 0);
}

/// A disk without room, as far as a program can tell: a limit of the size of files. It is told, and what was
/// committed is there.
#[test]
#[cfg(unix)]
fn a_full_disk_loses_nothing_that_was_committed() {
    let folder = Folder::new();
    let path = folder.path("my.book");
    learn(&path, 30, &[]);
    let before = checked(&path);
    // In blocks of 512 bytes; without the trap, the limit would end the program.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$@\""]);
    limited
        .arg(env!("CARGO_BIN_EXE_outflank"))
        .args(["book", "learn"])
        .arg(&path);
    let run = run(
        limited.args(["--level", "1", "--jobs", "2", "--hash", "2"]),
        b"",
    )
    .expect(1);
    assert!(
        run.stderr
            .contains("no room on the disk, or a fault of it; all that was committed is there"),
        "{run:#?}"
    );
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    let after = checked(&path);
    assert!(after >= before, "{before} {after}");
    learn(&path, 10, &[]);
    assert!(checked(&path) >= after + 10);
}
