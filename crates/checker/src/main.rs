//! The program `outflank-checker`: lists, checks and measures the kernels.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use outflank_checker::program::Command;
use outflank_console::console::print_error;
use outflank_console::number_options::accept_negative_numbers;
use outflank_console::program::Program;
use outflank_console::status::BROKEN_PIPE;

/// List, check and measure Othello kernels: every algorithm at every instruction-set level
#[derive(Parser)]
#[command(name = "outflank-checker", version, after_help = Command::examples())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    Program {
        name: "outflank-checker",
        kernel_words: &[],
        describe_file: |_| "it has other contents".to_owned(),
    }
    .begin();
    let matches = accept_negative_numbers(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let status = arguments.command.run().unwrap_or_else(|error| {
        if error.status() != BROKEN_PIPE {
            print_error(&error);
        }
        error.status()
    });
    ExitCode::from(status)
}
