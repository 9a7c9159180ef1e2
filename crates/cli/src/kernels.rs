//! `outflank kernels`: the commands of `outflank-checker`.

use outflank_checker::program;

use crate::error::{CommandError, exit_status};

pub(super) use program::Command;

exit_status!(program::CommandError { error => error.status() });

pub(super) fn run(command: &Command) -> Result<u8, CommandError> {
    Ok(command.run()?)
}
