//! The command line: `outflank solve`, `convert`, `gtp`, `nboard`, `match`, `perft`, `kernels`, `weights` and `train`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
