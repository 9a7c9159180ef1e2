//! `outflank kernels`: lists, checks, measures and proves the kernels.
//!
//! All commands iterate over the registry, so a new kernel needs no change here. The design follows dav1d's checkasm.

mod bench;
mod check;
mod list;
#[cfg(feature = "prove")]
mod prove;
mod select;

use clap::{Args, Subcommand};

use super::error::CommandError;

/// List, check and measure the kernels: every algorithm at every instruction-set level
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels list flip             specification, algorithms and levels of a kernel
  outflank kernels check --seconds 20    every algorithm against its reference
  outflank kernels bench --kernel flip   latency and throughput of each algorithm";

#[derive(Subcommand)]
enum Command {
    List(list::Arguments),
    Check(check::Arguments),
    /// Process of `check` in which the kernels run.
    #[command(hide = true)]
    CheckWorker(check::WorkerArguments),
    Bench(bench::Arguments),
    #[cfg(feature = "prove")]
    Prove(prove::Arguments),
    /// Reports the missing feature.
    #[cfg(not(feature = "prove"))]
    #[command(hide = true)]
    Prove(AnyArguments),
}

/// Any arguments, ignored.
#[cfg(not(feature = "prove"))]
#[derive(Args)]
struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

#[cfg(not(feature = "prove"))]
#[derive(Debug, thiserror::Error)]
#[error("this outflank was built without proofs: build it with --features prove")]
struct NoProofs;
#[cfg(not(feature = "prove"))]
super::error::exit_status!(super::error::USAGE; NoProofs);

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::CheckWorker(arguments) => check::work(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        #[cfg(feature = "prove")]
        Command::Prove(arguments) => prove::run(arguments),
        #[cfg(not(feature = "prove"))]
        Command::Prove(_) => Err(NoProofs.into()),
    }
}
