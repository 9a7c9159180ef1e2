//! Runs of the program and checks of its output.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use outflank_testing::command::{Folder, Run, run};

/// A position with one empty square, E1.
pub(crate) const ONE_EMPTY: &str =
    "XXXX-XXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXXXXXXOOOOOOOO O; E1:-24;";

/// Time limit of a wait, long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Command of the program, without the environment variable `OUTFLANK_ISA`.
pub(crate) fn outflank() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.env_remove("OUTFLANK_ISA");
    command
}

/// A command line of the program. The words are separated by blanks.
pub(crate) fn cli(words: &str) -> Command {
    let mut command = outflank();
    command.args(words.split_whitespace());
    command
}

/// A command line of the program, run in `folder`.
pub(crate) fn cli_in(folder: &Folder, words: &str) -> Command {
    let mut command = cli(words);
    command.current_dir(folder.path(""));
    command
}

/// Runs `outflank LINE` in `folder` and expects this exit status.
#[track_caller]
pub(crate) fn run_in(folder: &Folder, line: &str, status: i32) -> Run {
    run(&mut cli_in(folder, line), b"").expect(status)
}

/// Expects a command line to fail with `status` and a message that contains `expected`. Standard output must be empty.
/// With status 1 the message must be a single line.
#[track_caller]
pub(crate) fn refuse_in(folder: &Folder, line: &str, status: i32, expected: &str) {
    let run = run_in(folder, line, status);
    assert!(
        run.stderr.contains(expected),
        "{line}: {expected}: {run:#?}"
    );
    assert!(
        status == 2 || run.stderr.lines().count() == 1,
        "{line}: {run:#?}"
    );
    assert!(run.stdout.is_empty(), "{line}: {run:#?}");
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

impl OutputChecks for Run {
    #[track_caller]
    fn stdout_has(&self, text: impl AsRef<str>) -> &Run {
        let text = text.as_ref();
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    fn stderr_has(&self, text: impl AsRef<str>) -> &Run {
        let text = text.as_ref();
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    fn stdout_starts(&self, text: impl AsRef<str>) -> &Run {
        let text = text.as_ref();
        assert!(self.stdout.starts_with(text), "not {text:?}: {self:#?}");
        self
    }

    #[track_caller]
    fn stderr_starts(&self, text: impl AsRef<str>) -> &Run {
        let text = text.as_ref();
        assert!(self.stderr.starts_with(text), "not {text:?}: {self:#?}");
        self
    }

    #[track_caller]
    fn expect_one_error_line(&self) -> &Run {
        let outputs = (self.stdout.as_str(), self.stderr.lines().count());
        assert_eq!(outputs, ("", 1), "{self:#?}");
        self
    }
}
