//! Matches between our engine and scripts of a shell that do wrong, each in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::common::program::outflank;
use outflank_testing::command::{Folder, Run, run};

/// Our program.
pub(crate) const OWN: &str = env!("CARGO_BIN_EXE_outflank");

/// Our engine, by `protocol`, searching so many plies with a small table and without a book, so that it always plays the
/// same.
pub(crate) fn engine(protocol: &str, depth: u32) -> String {
    format!("'{OWN}' {protocol} --depth {depth} --hash 1 --book none")
}

/// A command that plays a match in `folder`, where its engines and theirs are, too.
pub(crate) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = outflank();
    command.arg("match").args(arguments);
    command.current_dir(folder.path(""));
    command
}

/// Plays a match that is to end with this status, and with nothing left.
#[track_caller]
pub(crate) fn play(folder: &Folder, arguments: &[&str], status: i32) -> Run {
    let run = run(&mut command(folder, arguments), b"").expect(status);
    assert_alone(folder);
    run
}

/// Nothing runs in the folder any more.
#[track_caller]
pub(crate) fn assert_alone(folder: &Folder) {
    let own = fs::canonicalize(folder.path("")).expect("it is there");
    let is_here = |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == own);
    let left = || -> Vec<String> {
        let processes = fs::read_dir("/proc").into_iter().flatten();
        processes
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| is_here(path))
            .map(|path| fs::read_to_string(path.join("cmdline")).unwrap_or_default())
            .collect()
    };
    // What was killed takes a moment to go on a busy machine.
    let end = Instant::now() + Duration::from_secs(5);
    while !left().is_empty() && Instant::now() < end {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(left(), [""; 0]);
}

/// Writes a script of a shell, and returns the command that runs it.
pub(crate) fn script(folder: &Folder, name: &str, text: &str) -> String {
    folder.file(name, text);
    format!("sh {name}")
}

/// Our engine behind a script that writes down, in the file `told`, what it is told.
pub(crate) fn teller(folder: &Folder, protocol: &str) -> String {
    let log = "while read -r line; do echo \"$line\" >> told; printf '%s\\n' \"$line\"; done";
    script(
        folder,
        "teller",
        &format!("{log} | {}\n", engine(protocol, 1)),
    )
}

/// Our engine behind a script that does `wrong` when it is asked for a move for the third time, with its
/// output as 3.
pub(crate) fn wrong(folder: &Folder, name: &str, wrong: &str) -> String {
    let ours = engine("gtp", 1);
    let text = format!(
        "exec 3>&1\nn=0\nwhile read -r line; do\n  case $line in genmove*) n=$((n+1))\n    \
         if [ $n -eq 3 ]; then {wrong}; fi;;\n  esac\n  printf '%s\\n' \"$line\"\ndone | {ours}\n"
    );
    script(folder, name, &text)
}

/// The place of an engine in a match, as a log has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub(crate) enum Seat {
    A,
    B,
}

/// A game of a log.
#[derive(Deserialize)]
pub(crate) struct Logged {
    /// The number of its pair, from 0.
    pub(crate) pair: usize,
    pub(crate) black: Seat,
    /// The moves of the opening, as a transcript.
    pub(crate) opening: String,
    /// Discs from A's side.
    pub(crate) score: i32,
    pub(crate) ggf: String,
}

/// The games of a log.
pub(crate) fn logged(path: &Path) -> Vec<Logged> {
    let text = fs::read_to_string(path).expect("it can be read");
    let games = text.lines().skip(1);
    games
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}
