//! Substitute for `outflank kernels prove` in builds without the feature `prove`.

use clap::Args;

use crate::error::{CommandError, USAGE, exit_status};

/// Reports the missing feature. Accepts any arguments.
#[derive(Args)]
#[command(hide = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("this outflank was built without proofs: build it with --features prove")]
struct NoProofs;
exit_status!(USAGE; NoProofs);

pub(super) fn run(_: &Arguments) -> Result<u8, CommandError> {
    Err(NoProofs.into())
}
