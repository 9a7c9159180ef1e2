//! `outflank-checker shapes` where no machine code can be read.

use clap::Args;

use super::CommandError;

/// Show the machine code of every algorithm at every level (only on Linux for x86-64)
#[derive(Args)]
pub struct Arguments {
    /// Options of the command on Linux for x86-64.
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _options: Vec<String>,
}

/// Error of the command on this system.
#[derive(Debug, thiserror::Error)]
#[error("machine code can be read only on Linux for x86-64")]
pub struct CodeError;

/// Refuses the command.
pub(super) fn run(_: &Arguments) -> Result<u8, CommandError> {
    Err(CodeError.into())
}
