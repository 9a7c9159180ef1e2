//! The command line: `outflank solve`, `outflank perft` and `outflank kernels`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
