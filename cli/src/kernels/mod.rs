//! `outflank kernels`: the kernels listed, checked against their references, measured and proved.
//!
//! All walk over the registry, so a kernel that is new there is new here. The model is dav1d's
//! checkasm.

mod bench;
mod check;
mod list;
#[cfg(feature = "prove")]
mod prove;
mod select;

use clap::{Args, Subcommand};

use super::CommandError;
#[cfg(feature = "prove")]
pub(super) use prove::ProveError;
pub(super) use select::SelectionError;

/// List, check and measure the kernels: every algorithm at every instruction-set level
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels list flip                       the algorithms of a kernel, by level
  outflank kernels check --seconds 20              all of them against their references
  outflank kernels bench --kernel flip             what they cost";

#[derive(Subcommand)]
enum Command {
    List(list::Arguments),
    Check(check::Arguments),
    /// What `check` starts to have the kernels run in a process of its own.
    #[command(hide = true)]
    CheckWorker(check::WorkerArguments),
    Bench(bench::Arguments),
    #[cfg(feature = "prove")]
    Prove(prove::Arguments),
    /// Tells how to get the command that this program lacks.
    #[cfg(not(feature = "prove"))]
    #[command(hide = true)]
    Prove(AnyArguments),
}

/// What is not looked at.
#[cfg(not(feature = "prove"))]
#[derive(Args)]
struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

/// Carries out the command; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::CheckWorker(arguments) => check::work(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        #[cfg(feature = "prove")]
        Command::Prove(arguments) => prove::run(arguments),
        #[cfg(not(feature = "prove"))]
        Command::Prove(_) => Err(CommandError::NoProofs),
    }
}
