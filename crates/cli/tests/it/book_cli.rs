//! `outflank book`: growth, exchange, and safety of commits.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::inputs::folder_with_book;
use crate::common::program::{OutputChecks, cli_in, kill, outflank, run_in, spawn_in};
use outflank_testing::command::{Folder, Run, run, run_until, wait_until};
use outflank_testing::data::{game, shared, transcript};

/// Learns this number of positions, into a new or an existing book.
fn learn(folder: &Folder, book: &str, positions: usize, options: &str) -> Run {
    let line = format!("book learn {book} --positions {positions} {QUICK} {options}");
    run_in(folder, &line, 0)
}

/// Options of quick searches.
const QUICK: &str = "--level 1 --jobs 2 --hash 2";

/// Returns `true` if the log of `my.book` has entries.
fn has_log(folder: &Folder) -> bool {
    fs::metadata(folder.path("my.book-wal")).is_ok_and(|log| log.len() > 0)
}

/// Checks that a book has no fault, and returns its number of positions.
#[track_caller]
fn count_valid_positions(folder: &Folder, book: &str) -> u64 {
    run_in(folder, &format!("book check {book}"), 0).stdout_has(": no fault");
    let info = run_in(folder, &format!("book info --json {book}"), 0).json();
    info[0]["positions"].as_u64().expect("a number")
}

#[test]
fn book_is_learnt_shown_and_exchanged() {
    let folder = Folder::new();
    learn(&folder, "my.book", 60, "").stdout_has(" added, ");
    let positions = count_valid_positions(&folder, "my.book");
    assert!((60..64).contains(&positions));
    // A second run continues.
    learn(&folder, "my.book", 40, "");
    assert!((100..108).contains(&count_valid_positions(&folder, "my.book")));
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);

    for (line, expected) in [
        ("book info my.book", "positions  10"),
        ("book info my.book", "         60  1"),
        ("book show my.book", "value "),
        ("book show my.book", "  f5  "),
        ("book show my.book f5f6e6f4g7h8", "not in the book\n"),
    ] {
        run_in(&folder, line, 0).stdout_has(expected);
    }
    let json = &run_in(&folder, "book show --json my.book f5", 0).json()[0];
    assert_eq!(json["in_book"], true);
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves[0]["value"], json["value"]);

    // To Edax and back, and merged with itself.
    let count = |book: &str| count_valid_positions(&folder, book);
    run_in(&folder, "book export my.book --out a.dat", 0);
    let import = run_in(&folder, "book import back.book a.dat", 0);
    import.stdout_has("a.dat: 10").stdout_has(" of level 1\n");
    assert_eq!(count("back.book"), count("my.book"));
    // Only a new book keeps Edax's settings.
    let lost =
        "level, fewest empty squares and errors, which Edax keeps for a whole book, are dropped";
    assert!(!import.stdout.contains(lost), "{import:#?}");
    run_in(&folder, "book import back.book a.dat", 0).stdout_has(lost);
    // A count of won lines: the header has 42 bytes, the discs of the first position 16.
    let mut counted = fs::read(folder.path("a.dat")).unwrap();
    counted[42 + 16] = 1;
    folder.file("counted.dat", counted);
    let dropped =
        "level 1, 1 with counts of won, drawn or lost lines, which an export recomputes\n";
    run_in(&folder, "book import counted.book counted.dat", 0).stdout_has(dropped);
    run_in(&folder, "book merge merged.book my.book back.book", 0);
    assert_eq!(count("merged.book"), count("my.book"));
    let [merged, original] =
        ["merged", "my"].map(|name| run_in(&folder, &format!("book show --json {name}.book"), 0));
    assert_eq!(merged.stdout, original.stdout);
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

    run_in(&folder, "book correct my.book --level 3 --jobs 1", 0).stdout_has(", 0 added, ");
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

/// Names with a special meaning for SQLite are plain file names.
#[cfg(unix)]
#[test]
fn unusual_names_are_plain_file_names() {
    let folder = Folder::new();
    for name in [
        ":memory:",
        "file:x?mode=memory",
        "file::memory:?cache=shared",
        "a b%20c#d.book",
    ] {
        let book = |words: &str| {
            let mut command = outflank();
            command.current_dir(folder.path(""));
            run(command.arg("book").args(words.split(' ')).arg(name), b"").expect(0)
        };
        book("learn --positions 3 --level 1 --hash 2 --jobs 1");
        assert!(folder.path(name).is_file(), "{name}");
        for _ in 0..2 {
            let positions = book("info --json").json()[0]["positions"].as_u64();
            assert!(positions >= Some(3), "{name}");
        }
        book("check").stdout_has("no fault");
        assert!(!folder.path("x").exists());
    }
}

/// A second writer is refused; readers are not.
#[test]
fn single_writer_is_enforced() {
    let folder = folder_with_book();
    let child = spawn_in(&folder, "book learn my.book --level 2 --jobs 1 --hash 1");
    wait_until(|| has_log(&folder));
    let second = run_in(&folder, "book learn --time 1 my.book", 1);
    second.stderr_has("another program uses this book: wait until it has finished\n");
    run_in(&folder, "book show my.book", 0);
    count_valid_positions(&folder, "my.book");
    kill(child);
    count_valid_positions(&folder, "my.book");
}

/// Kills `learn` repeatedly, each time at another moment. No committed position is lost, and the book has no fault.
fn kill_learning(times: u64) {
    let folder = Folder::new();
    let mut positions = 0;
    let mut grown = 0;
    for time in 0..times {
        let child = spawn_in(&folder, &format!("book learn my.book {QUICK}"));
        // Commits come every second: kills hit the opening, and moments before, during and after a commit.
        thread::sleep(Duration::from_millis(797 * time % 2000));
        // A busy machine may not reach a commit. The last run waits for one.
        if time + 1 == times && !has_log(&folder) {
            wait_until(|| has_log(&folder));
            // The log grows before its commit is complete.
            thread::sleep(Duration::from_secs(1));
        }
        kill(child);
        if !folder.path("my.book").exists() {
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
    kill_learning(4);
}

/// `cargo test -p outflank-cli --test it killed_200_times -- --ignored`
#[test]
#[ignore = "some minutes"]
fn killed_200_times() {
    kill_learning(200);
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
        kill(child);
        left += u32::from(folder.path("my.book-wal").exists());
        let positions = count_valid_positions(&folder, "my.book");
        let start = format!(": {positions} ");
        assert!(report.contains(&start), "{start}: {report}");
    }
    assert!(left > 0, "no kill came before the end");
}

/// Ctrl-C commits all results.
#[test]
fn interrupted_learning_commits_its_results() {
    let folder = Folder::new();
    let mut command = cli_in(&folder, &format!("book learn my.book {QUICK}"));
    let run = run_until(&mut command, || has_log(&folder)).expect(130);
    run.stdout_has(" added, ");
    run.stderr_has("outflank: interrupted\n");
    assert!(count_valid_positions(&folder, "my.book") > 0);
}

/// A limit of the file size, which looks like a full disk, is reported and keeps all commits.
#[test]
#[cfg(unix)]
fn full_disk_loses_no_commit() {
    let folder = folder_with_book();
    let before = count_valid_positions(&folder, "my.book");
    // Blocks of 512 bytes. Without the trap, the limit would end the program.
    let mut limited = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f 400; exec \"$0\" book learn my.book {QUICK}");
    limited.args(["-c", &script, env!("CARGO_BIN_EXE_outflank")]);
    let run = run(limited.current_dir(folder.path("")), b"").expect(1);
    run.stderr_has("no room on the disk, or a fault of it; all that was committed is there");
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    let after = count_valid_positions(&folder, "my.book");
    assert!(after >= before, "{before} {after}");
    learn(&folder, "my.book", 10, "");
    assert!(count_valid_positions(&folder, "my.book") >= after + 10);
}
