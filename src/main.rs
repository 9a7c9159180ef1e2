//! The command line: `outflank solve`, `outflank perft`, `outflank kernels` and `outflank weights`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
