//! `outflank book`: growth, exchange, refusals, and safety of commits.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::program::{cli_in, run_in};
use outflank_testing::command::{Folder, Run, run, run_until};
use outflank_testing::data::{game, shared, transcript};

/// Learns this number of positions, into a new or an existing book.
fn learn(folder: &Folder, book: &str, positions: usize, options: &str) -> Run {
    let line = format!("book learn {book} --positions {positions} {QUICK} {options}");
    run_in(folder, &line, 0)
}

/// Options of quick searches.
const QUICK: &str = "--level 1 --jobs 2 --hash 2";

/// Checks that a book has no fault, and returns its number of positions.
#[track_caller]
fn count_valid_positions(folder: &Folder, book: &str) -> u64 {
    let run = run_in(folder, &format!("book check {book}"), 0);
    assert!(run.stdout.contains(": no fault"), "{run:#?}");
    let info = run_in(folder, &format!("book info --json {book}"), 0).json();
    info[0]["positions"].as_u64().expect("a number")
}

#[test]
fn book_is_learnt_shown_and_exchanged() {
    let folder = Folder::new();
    let report = learn(&folder, "my.book", 60, "").stdout;
    assert!(report.contains(" added, "), "{report}");
    let positions = count_valid_positions(&folder, "my.book");
    assert!((60..64).contains(&positions));
    // A second run continues.
    learn(&folder, "my.book", 40, "");
    assert!((100..108).contains(&count_valid_positions(&folder, "my.book")));
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);

    let stdout = |line: &str| run_in(&folder, line, 0).stdout;
    for (line, expected) in [
        ("book info my.book", "positions  10"),
        ("book info my.book", "         60  1"),
        ("book show my.book", "value "),
        ("book show my.book", "  f5  "),
        ("book show my.book f5f6e6f4g7h8", "not in the book\n"),
    ] {
        let shown = stdout(line);
        assert!(shown.contains(expected), "{line}: {shown}");
    }
    let json = &run_in(&folder, "book show --json my.book f5", 0).json()[0];
    assert_eq!(json["in_book"], true);
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves[0]["value"], json["value"]);

    // To Edax and back, and merged with itself.
    stdout("book export my.book --out a.dat");
    let report = stdout("book import back.book a.dat");
    assert!(
        report.contains("a.dat: 10") && report.contains(" of level 1\n"),
        "{report}"
    );
    assert_eq!(
        count_valid_positions(&folder, "back.book"),
        count_valid_positions(&folder, "my.book")
    );
    // Only a new book keeps Edax's settings.
    let lost =
        "level, fewest empty squares and errors, which Edax keeps for a whole book, are dropped";
    assert!(!report.contains(lost), "{report}");
    let again = stdout("book import back.book a.dat");
    assert!(again.contains(lost), "{again}");
    // A count of won lines: the header has 42 bytes, the discs of the first position 16.
    let mut counted = fs::read(folder.path("a.dat")).unwrap();
    counted[42 + 16] = 1;
    folder.file("counted.dat", counted);
    let report = stdout("book import counted.book counted.dat");
    let dropped =
        "level 1, 1 with counts of won, drawn or lost lines, which an export recomputes\n";
    assert!(report.contains(dropped), "{report}");
    stdout("book merge merged.book my.book back.book");
    assert_eq!(
        count_valid_positions(&folder, "merged.book"),
        count_valid_positions(&folder, "my.book")
    );
    let [merged, original] =
        ["merged", "my"].map(|name| stdout(&format!("book show --json {name}.book")));
    assert_eq!(merged, original);
}

#[test]
fn games_are_learnt_from_files_and_standard_input() {
    let folder = Folder::new();
    let games: Vec<_> = (0..3).map(|seed| transcript(&game(seed)) + "\n").collect();
    folder.file("games.txt", games.concat());
    learn(&folder, "my.book", 1000, "--empties 50 --from games.txt");
    assert!(count_valid_positions(&folder, "my.book") > 20);
    let is_known = |moves: &str| {
        let line = format!("book show --json my.book {moves}");
        run_in(&folder, &line, 0).json()[0]["in_book"] == true
    };
    assert!(is_known(&games[2][..20]));
    assert!(!is_known(&games[2][..22]));

    let piped = format!("book learn piped.book {QUICK} --empties 50 --from -");
    run(&mut cli_in(&folder, &piped), games.concat().as_bytes()).expect(0);
    assert_eq!(
        count_valid_positions(&folder, "piped.book"),
        count_valid_positions(&folder, "my.book")
    );

    let report = run_in(&folder, "book correct my.book --level 3 --jobs 1", 0).stdout;
    assert!(report.contains(", 0 added, "), "{report}");
    count_valid_positions(&folder, "my.book");
}

/// The first moves of tournament games.
#[test]
fn databases_are_learnt() {
    let Some(database) = shared("wthor/WTH_1985.wtb") else {
        return;
    };
    let folder = Folder::new();
    let from = format!("--empties 52 --from {}", database.display());
    learn(&folder, "my.book", 300, &format!("{from} --until 1990"));
    assert!(count_valid_positions(&folder, "my.book") >= 300);
    learn(&folder, "none.book", 300, &format!("{from} --until 1980"));
    assert_eq!(count_valid_positions(&folder, "none.book"), 0);
}

/// Bad input is refused in one line, and nothing is changed or left behind.
#[test]
fn invalid_commands_are_refused_in_a_line() {
    let folder = Folder::new();
    learn(&folder, "my.book", 20, "");
    let whole = fs::read(folder.path("my.book")).expect("a book");
    folder.file("text.book", "f5d6c3");
    folder.file("cut.book", &whole[..whole.len() - 10]);
    let mut newer = whole.clone();
    newer[63] = 9;
    folder.file("newer.book", newer);
    let mut rotten = whole.clone();
    rotten[4096..].fill(0xAB);
    folder.file("rotten.book", rotten);
    folder.file("cut.dat", b"XADEKOOB\x04\x05");
    let weights = outflank_testing::data::root().join("data/weights/outflank.weights");
    let weights = format!("info {}", weights.display());
    let text = "expected an opening book, but it looks like text";
    let version = "a book of version 9; this outflank reads version 1: update outflank";
    let of_outflank = "it is an opening book, which `outflank book info` shows";
    let of_edax = "it is an opening book of Edax's, which `outflank book import` reads";
    let of_weights = "it has weights, which `outflank weights info` shows";
    let written = "BOOK would be written over OTHER; name another file";
    for (line, status, expected) in [
        ("info text.book", 1, text),
        ("info new.book", 1, "new.book: No such file"),
        ("check cut.book", 1, "cut.book: cut off: "),
        ("show newer.book", 1, version),
        ("learn --time 1 text.book", 1, "expected an opening book"),
        ("correct --time 1 new.book", 1, "new.book: No such file"),
        (
            "import new.book cut.dat",
            1,
            "cut.dat: cut off after 0 of 0 positions",
        ),
        ("import new.book my.book", 1, of_outflank),
        ("import new.book none.dat", 1, "none.dat: No such file"),
        (&weights, 1, of_weights),
        ("info cut.dat", 1, of_edax),
        ("merge new.book text.book", 1, "expected an opening book"),
        ("merge new.book rotten.book", 1, "rotten.book: damaged: "),
        ("merge my.book my.book", 2, written),
        ("show my.book f5f5", 2, "move 2, F5, is not legal"),
        ("show my.book xx", 2, "the moves, such as f5d6c3: "),
    ] {
        let run = run_in(&folder, &format!("book {line}"), status);
        assert!(run.stderr.contains(expected), "{expected}: {run:#?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
        assert!(!folder.path("new.book").exists());
    }
    assert_eq!(fs::read(folder.path("my.book")).expect("a book"), whole);
}

/// A second writer is refused; readers are not.
#[test]
fn single_writer_is_enforced() {
    let folder = Folder::new();
    learn(&folder, "my.book", 20, "");
    let mut first = cli_in(&folder, "book learn my.book --level 2 --jobs 1 --hash 1");
    let log = folder.path("my.book-wal");
    let mut child = first
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    outflank_testing::command::wait_until(|| fs::metadata(&log).is_ok_and(|log| log.len() > 0));
    let second = run_in(&folder, "book learn --time 1 my.book", 1);
    let busy = "another program uses this book: wait until it has finished\n";
    assert!(second.stderr.ends_with(busy), "{second:#?}");
    run_in(&folder, "book show my.book", 0);
    count_valid_positions(&folder, "my.book");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    count_valid_positions(&folder, "my.book");
}

/// Kills `learn` repeatedly, each time at another moment. No committed position is lost, and the book has no fault.
fn kill(times: u64) {
    let folder = Folder::new();
    let path = folder.path("my.book");
    let log = folder.path("my.book-wal");
    let mut positions = 0;
    let mut grown = 0;
    for time in 0..times {
        let mut command = cli_in(&folder, &format!("book learn my.book {QUICK}"));
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        // Commits come every second: kills hit the opening, and moments before, during and after a commit.
        thread::sleep(Duration::from_millis(797 * time % 2000));
        // A busy machine may not reach a commit. The last run waits for one.
        let has_committed = || fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        while time + 1 == times && !has_committed() {
            thread::sleep(Duration::from_millis(10));
            // The log grows before its commit is complete.
            if has_committed() {
                thread::sleep(Duration::from_secs(1));
            }
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        if !path.exists() {
            continue;
        }
        let now = count_valid_positions(&folder, "my.book");
        assert!(now >= positions, "{now} of {positions} positions are left");
        grown += u32::from(now > positions);
        positions = now;
    }
    assert!(grown > 0, "something was committed");
    learn(&folder, "my.book", 10, "");
    assert!(count_valid_positions(&folder, "my.book") >= positions + 10);
}

#[test]
fn kills_lose_no_commit() {
    kill(4);
}

/// `cargo test -p outflank-cli --test it killed_200_times -- --ignored`
#[test]
#[ignore = "some minutes"]
fn killed_200_times() {
    kill(200);
}

/// Kills during the closing of a book, when the log is copied into the file and removed, lose nothing.
#[test]
fn kills_during_closing_lose_nothing() {
    let folder = Folder::new();
    let mut left = 0;
    for time in 0..24 {
        let line = "book learn my.book --level 1 --jobs 1 --hash 1 --positions 10";
        let mut command = cli_in(&folder, line);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut report = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut report).expect("text");
        // Closing takes some milliseconds.
        thread::sleep(Duration::from_micros(150 * time));
        child.kill().expect("it runs, or nobody has waited for it");
        child.wait().expect("it ends");
        let positions = report
            .split(": ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let positions = positions.and_then(|count| count.parse().ok());
        left += u32::from(folder.path("my.book-wal").exists());
        assert_eq!(
            Some(count_valid_positions(&folder, "my.book")),
            positions,
            "{report}"
        );
    }
    assert!(left > 0, "no kill came before the end");
}

/// Ctrl-C commits all results.
#[test]
#[cfg(unix)]
fn interrupted_learning_commits_its_results() {
    let folder = Folder::new();
    let log = folder.path("my.book-wal");
    let mut command = cli_in(&folder, &format!("book learn my.book {QUICK}"));
    let run = run_until(&mut command, || {
        fs::metadata(&log).is_ok_and(|log| log.len() > 0)
    });
    let run = run.expect(130);
    assert!(run.stdout.contains(" added, "), "{run:#?}");
    assert!(run.stderr.ends_with("outflank: interrupted\n"), "{run:#?}");
    assert!(count_valid_positions(&folder, "my.book") > 0);
}

/// A limit of the file size, which looks like a full disk, is reported and keeps all commits.
#[test]
#[cfg(unix)]
fn full_disk_loses_no_commit() {
    let folder = Folder::new();
    learn(&folder, "my.book", 30, "");
    let before = count_valid_positions(&folder, "my.book");
    // Blocks of 512 bytes. Without the trap, the limit would end the program.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$@\""]);
    limited
        .arg(env!("CARGO_BIN_EXE_outflank"))
        .args(["book", "learn"])
        .arg(folder.path("my.book"))
        .args(QUICK.split(' '));
    let run = run(&mut limited, b"").expect(1);
    let full = "no room on the disk, or a fault of it; all that was committed is there";
    assert!(run.stderr.contains(full), "{run:#?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    let after = count_valid_positions(&folder, "my.book");
    assert!(after >= before, "{before} {after}");
    learn(&folder, "my.book", 10, "");
    assert!(count_valid_positions(&folder, "my.book") >= after + 10);
}
