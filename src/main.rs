//! The command line: `outflank solve` and `outflank perft`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
