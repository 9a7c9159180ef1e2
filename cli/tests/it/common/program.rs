//! Running the program.

use std::path::Path;
use std::process::Command;

use outflank_testing::command::{Folder, Run, run};

/// The program, with nothing of the tester's environment that it heeds.
pub(crate) fn outflank() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.env_remove("OUTFLANK_ISA");
    command
}

/// Runs `outflank solve` on one file of these contents, with a small table.
pub(crate) fn solve(arguments: &[&str], contents: impl AsRef<[u8]>) -> Run {
    let folder = Folder::new();
    let file = folder.file("problems.obf", contents);
    let mut command = outflank();
    command.args(["solve", "--hash", "1"]).args(arguments);
    run(command.arg(file), b"")
}

/// Runs a command of several words on a file, in the folder of that.
pub(crate) fn read(words: &str, file: &Path) -> Run {
    let folder = file.parent().expect("it is in a folder");
    let mut command = outflank();
    command.current_dir(folder).args(words.split(' '));
    run(command.arg(file), b"")
}
