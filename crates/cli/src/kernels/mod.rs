//! `outflank kernels`: the commands of `outflank-checker`, and proofs.

#[cfg_attr(not(feature = "prove"), path = "no_prove.rs")]
mod prove;

use outflank_checker::program::{self, Command};

use crate::error::{CommandError, exit_status};

crate::subcommands! {
    /// List, check and measure the kernels: every algorithm at every instruction-set level
    #[command(after_help = Command::examples())]
    pub(super) enum Arguments {
        #[command(flatten)]
        Checker(Command) => run_checker,
        Prove(prove::Arguments) => prove::run,
    }
}

exit_status!(program::CommandError { error => error.status() });

fn run_checker(command: &Command) -> Result<u8, CommandError> {
    Ok(command.run()?)
}
