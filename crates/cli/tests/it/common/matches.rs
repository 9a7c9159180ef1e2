//! Matches between our engine and faulty shell scripts, each in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use outflank::notation::{GameRecord, ggf};
use outflank_testing::command::{Folder, Run, run};
use outflank_tournament::GameResult;
use serde_json::Value;

use crate::common::program::outflank;

/// Our program.
pub(crate) const OUTFLANK: &str = env!("CARGO_BIN_EXE_outflank");

/// Command of our engine, by `protocol`, with a small table. It is deterministic.
pub(crate) fn engine(protocol: &str, depth: u32) -> String {
    format!("'{OUTFLANK}' {protocol} --depth {depth} --hash 1 --book none")
}

/// Command of a match in `folder`. The options are words between blanks.
pub(crate) fn command(folder: &Folder, engines: [&str; 2], options: &str) -> Command {
    let mut command = outflank();
    command.arg("match").args(engines);
    command.args(options.split_whitespace());
    command.current_dir(folder.path(""));
    command
}

/// Starts a match.
pub(crate) fn spawn(folder: &Folder, engines: [&str; 2], options: &str) -> Child {
    let mut command = command(folder, engines, options);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Plays a match, and checks its exit status and that no process is left.
#[track_caller]
pub(crate) fn play(folder: &Folder, engines: [&str; 2], options: &str, status: i32) -> Run {
    let run = run(&mut command(folder, engines, options), b"").expect(status);
    assert_no_process(folder);
    run
}

/// Plays a match to its end, and returns its report.
#[track_caller]
pub(crate) fn play_json(folder: &Folder, engines: [&str; 2], options: &str) -> (Value, Run) {
    let run = play(folder, engines, &format!("{options} --json"), 0);
    (run.json().remove(0), run)
}

/// Checks that no process runs in the folder.
#[track_caller]
pub(crate) fn assert_no_process(folder: &Folder) {
    // Only Linux tells. On Windows the tests of process groups check it.
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let folder = fs::canonicalize(folder.path("")).expect("it exists");
    let is_here = |path: &PathBuf| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder);
    let left = || -> Vec<String> {
        let processes = fs::read_dir("/proc").into_iter().flatten();
        let paths = processes.map(|entry| entry.expect("it can be read").path());
        let command = |path: PathBuf| fs::read_to_string(path.join("cmdline")).unwrap_or_default();
        paths.filter(is_here).map(command).collect()
    };
    // On a busy machine, killed processes take a moment to vanish.
    let end = Instant::now() + Duration::from_secs(5);
    while !left().is_empty() && Instant::now() < end {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(left(), [""; 0]);
}

/// Writes a shell script, and returns its command.
pub(crate) fn script(folder: &Folder, name: &str, text: &str) -> String {
    folder.file(name, text);
    format!("sh {name}")
}

/// Our engine behind a script that appends all its input to the file `input`.
pub(crate) fn recorder(folder: &Folder, protocol: &str) -> String {
    let copy = "while read -r line; do echo \"$line\" >> input; printf '%s\\n' \"$line\"; done";
    let text = format!("{copy} | {}\n", engine(protocol, 1));
    script(folder, "recorder", &text)
}

/// Our engine behind a script that runs `action` at the third request for a move. It answers on file descriptor 3.
pub(crate) fn faulty(folder: &Folder, name: &str, action: &str) -> String {
    let ours = engine("gtp", 1);
    let text = format!(
        "exec 3>&1\nn=0\nwhile read -r line; do\n  case $line in genmove*) n=$((n+1))\n    \
         if [ $n -eq 3 ]; then {action}; fi;;\n  esac\n  printf '%s\\n' \"$line\"\ndone | {ours}\n"
    );
    script(folder, name, &text)
}

/// Games of a log.
pub(crate) fn logged(folder: &Folder, log: &str) -> Vec<GameResult> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text(folder, log).lines().skip(1).map(read).collect()
}

/// Parses the GGF of a logged game.
pub(crate) fn record(game: &GameResult) -> GameRecord {
    let mut games = ggf::read(game.ggf.as_bytes());
    let game = games.next().expect("there is a game");
    game.expect("it can be read").record
}

/// Text of a file in the folder.
#[track_caller]
pub(crate) fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path(name)).expect("it can be read")
}

/// Returns `true` if a log has this number of games or more.
pub(crate) fn has_games(folder: &Folder, log: &str, games: usize) -> bool {
    // The first line describes the match.
    let text = fs::read_to_string(folder.path(log));
    text.is_ok_and(|text| text.lines().count() > games)
}
