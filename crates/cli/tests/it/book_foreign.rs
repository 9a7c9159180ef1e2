//! Hostile books, and books with unusual names, on the command line.

use std::path::Path;

use outflank_testing::command::{Folder, Run, run};
use rusqlite::Connection;

use crate::common::program::outflank;

/// Runs the program in `folder`.
fn run_in(folder: &Folder, words: &[&str]) -> Run {
    let mut command = outflank();
    run(command.current_dir(folder.path("")).args(words), b"quit\n")
}

/// Learns a book of a few positions.
fn learn(folder: &Folder, name: &str) {
    let words = ["book", "learn", name, "--positions", "3", "--level", "1"];
    run_in(
        folder,
        &[&words[..], &["--hash", "2", "--jobs", "1"]].concat(),
    )
    .expect(0);
}

/// Every command refuses an endless query in one line, as a view for readers and as a trigger for writers.
#[test]
fn every_command_refuses_endless_queries() {
    let folder = Folder::new();
    learn(&folder, "own.book");
    let endless =
        "with recursive n(i) as (select 1 union all select i + 1 from n) select i, i from n";
    for (name, statement) in [
        (
            "view",
            format!("drop table position; create view position(board, data) as {endless}"),
        ),
        (
            "trigger",
            format!(
                "create trigger position after insert on position begin insert into setting {endless}; end"
            ),
        ),
    ] {
        let book = format!("{name}.book");
        std::fs::copy(folder.path("own.book"), folder.path(&book)).unwrap();
        let connection = Connection::open(folder.path(&book)).unwrap();
        connection.execute_batch(&statement).unwrap();
        drop(connection);
        for words in [
            &["book", "info", &book][..],
            &["book", "check", &book],
            &["book", "show", &book],
            &["book", "learn", &book, "--time", "1"],
            &["book", "correct", &book, "--time", "1"],
            &["book", "merge", "own.book", &book],
            &["book", "merge", &book, "own.book"],
            &["book", "export", &book, "--out", "new.dat"],
            &["gtp", "--book", &book],
            &["nboard", "--book", &book],
            &["play", "--book", &book],
        ] {
            let refused = run_in(&folder, words).expect(1);
            let expected = format!("unexpected {name} \"position\"\n");
            assert!(
                refused.stderr.contains(&expected) && refused.stderr.lines().count() == 1,
                "{words:?}: {refused:?}"
            );
        }
    }
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
        learn(&folder, name);
        assert!(folder.path(name).is_file(), "{name}");
        for _ in 0..2 {
            let info = run_in(&folder, &["book", "info", "--json", name]).expect(0);
            let positions = info.json()[0]["positions"].as_u64();
            assert!(positions >= Some(3), "{name}");
        }
        let checked = run_in(&folder, &["book", "check", name]).expect(0);
        assert!(checked.stdout.contains("no fault"), "{checked:?}");
        assert!(!Path::new("x").exists());
    }
}
