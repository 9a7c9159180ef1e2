//! Running the program.

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
