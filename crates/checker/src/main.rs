//! The program `outflank-checker`: lists, checks and measures the kernels.

use std::process::ExitCode;

use clap::Parser;
use outflank_checker::program::{Command, CommandError};
use outflank_console::program::Program;

/// List, check and measure Othello kernels: every algorithm at every instruction-set level
#[derive(Parser)]
#[command(name = "outflank-checker", version, after_help = Command::examples())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    Program::named("outflank-checker").run(
        |arguments: Arguments| arguments.command.run(),
        CommandError::status,
    )
}
