//! The command line: `outflank solve`, `convert`, `perft`, `kernels`, `weights` and `train`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
