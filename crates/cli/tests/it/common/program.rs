//! Runs of the program and checks of its output.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use outflank_testing::command::{Folder, Run, run};

/// A position with one empty square, E1.
pub(crate) const ONE_EMPTY: &str =
    "XXXX-XXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXXXXXXOOOOOOOO O; E1:-24;";

/// Time limit of a wait, long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// The end of the message about a missing file. The rest of it depends on the system.
pub(crate) const NO_SUCH_FILE: &str = "(os error 2)";

/// Command of the program, with one thread unless `--threads` is given. It ignores `OUTFLANK_ISA` of the environment.
pub(crate) fn outflank() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.env_remove("OUTFLANK_ISA");
    command.env("OUTFLANK_THREADS", "1");
    command
}

/// A command line of the program. The words are separated by blanks.
pub(crate) fn cli(words: &str) -> Command {
    let mut command = outflank();
    command.args(words.split_whitespace());
    command
}

/// A command line of the program, run in `folder`. Quotes are as in a shell.
pub(crate) fn cli_in(folder: &Folder, line: &str) -> Command {
    let mut command = outflank();
    // In the syntax of a shell, a backslash escapes the next character, so the paths of Windows get slashes.
    let line = &if cfg!(windows) {
        line.replace('\\', "/")
    } else {
        line.to_owned()
    };
    command.args(shell_words::split(line).expect("every quote ends"));
    command.current_dir(folder.path(""));
    command
}

/// Runs `outflank LINE` in `folder` and expects this exit status.
#[track_caller]
pub(crate) fn run_in(folder: &Folder, line: &str, status: i32) -> Run {
    let run = run(&mut cli_in(folder, line), b"");
    assert_eq!(run.status, status, "outflank {line}: {run:#?}");
    run
}

/// Starts `outflank LINE` in `folder`, without output.
pub(crate) fn spawn_in(folder: &Folder, line: &str) -> Child {
    let mut command = cli_in(folder, line);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Kills a program that may have ended.
pub(crate) fn kill(mut child: Child) {
    child.kill().expect("nobody has waited for it");
    child.wait().expect("it ends");
}

/// Expects a command line to fail with `status` and a message that contains `expected`. Standard output must be empty,
/// and the files must stay unchanged. The message must be a single line unless clap writes it.
#[track_caller]
pub(crate) fn refuse_in(folder: &Folder, line: &str, status: i32, expected: &str) -> Run {
    let before = file_states(folder);
    let run = run_in(folder, line, status);
    let is_of_clap = status == 2 && run.stderr.starts_with("error: ");
    let is_one_line = run.stderr.starts_with("outflank: ") && run.stderr.lines().count() == 1;
    let is_right = run.stderr.contains(expected) && run.stdout.is_empty();
    assert!(
        is_right && (is_of_clap || is_one_line),
        "{line}: {expected}: {run:#?}"
    );
    assert_eq!(file_states(folder), before, "{line}");
    run
}

/// Expects each row of a table to be refused. A row has the status, the command line and a part of the message, such as
/// `1 weights info absent => No such file`.
#[track_caller]
pub(crate) fn refuse_all(folder: &Folder, table: &str) {
    for row in rows(table) {
        let (command, expected) = row.split_once(" => ").expect(row);
        let (status, line) = command.split_once(' ').expect(row);
        refuse_in(folder, line, status.parse().expect(row), expected);
    }
}

/// Rows of a table of text, without empty ones and without indentation.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().map(str::trim).filter(|row| !row.is_empty())
}

/// Size and time of change of each file in a folder, by name.
fn file_states(folder: &Folder) -> BTreeMap<OsString, (u64, SystemTime)> {
    let entries = fs::read_dir(folder.path("")).expect("it can be read");
    let states = entries.map(|entry| {
        let entry = entry.expect("it can be read");
        let file = entry.metadata().expect("it is there");
        let time = file.modified().expect("the file system keeps times");
        (entry.file_name(), (file.len(), time))
    });
    states.collect()
}

/// Runs a command line without input.
pub(crate) fn run_cli(words: &str) -> Run {
    run(&mut cli(words), b"")
}

/// Runs `outflank solve` on a file with these contents, with a small table.
pub(crate) fn solve(arguments: &[&str], contents: impl AsRef<[u8]>) -> Run {
    let folder = Folder::new();
    let file = folder.file("problems.obf", contents);
    run(cli("solve --hash 1").args(arguments).arg(file), b"")
}

/// Runs a command line on a file, in the folder of the file.
pub(crate) fn run_on_file(words: &str, file: &Path) -> Run {
    let folder = file.parent().expect("it is in a folder");
    run(cli(words).current_dir(folder).arg(file), b"")
}

/// Checks of outputs. A failure shows the whole run.
pub(crate) trait OutputChecks {
    fn stdout_has(&self, text: impl AsRef<str>) -> &Self;
    fn stderr_has(&self, text: impl AsRef<str>) -> &Self;
    fn stdout_starts(&self, text: impl AsRef<str>) -> &Self;
    fn stderr_starts(&self, text: impl AsRef<str>) -> &Self;
    /// Asserts that standard error is a single line and standard output is empty.
    fn expect_one_error_line(&self) -> &Self;
}

#[track_caller]
fn expect_text<'a>(run: &'a Run, is_there: bool, text: &str) -> &'a Run {
    assert!(is_there, "no {text:?} in {run:#?}");
    run
}

impl OutputChecks for Run {
    #[track_caller]
    fn stdout_has(&self, text: impl AsRef<str>) -> &Run {
        expect_text(self, self.stdout.contains(text.as_ref()), text.as_ref())
    }

    #[track_caller]
    fn stderr_has(&self, text: impl AsRef<str>) -> &Run {
        expect_text(self, self.stderr.contains(text.as_ref()), text.as_ref())
    }

    #[track_caller]
    fn stdout_starts(&self, text: impl AsRef<str>) -> &Run {
        expect_text(self, self.stdout.starts_with(text.as_ref()), text.as_ref())
    }

    #[track_caller]
    fn stderr_starts(&self, text: impl AsRef<str>) -> &Run {
        expect_text(self, self.stderr.starts_with(text.as_ref()), text.as_ref())
    }

    #[track_caller]
    fn expect_one_error_line(&self) -> &Run {
        let outputs = (self.stdout.as_str(), self.stderr.lines().count());
        assert_eq!(outputs, ("", 1), "{self:#?}");
        self
    }
}
