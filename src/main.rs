//! The program `outflank`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
