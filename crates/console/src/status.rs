//! Exit statuses, and errors that several programs have.

use std::io;

/// Exit status of a command that found a fault or failed while it ran.
pub const FAILURE: u8 = 1;

/// Exit status of a command that cannot be carried out as asked; clap uses it, too.
pub const USAGE: u8 = 2;

/// Exit status after SIGPIPE, as shells report it: the reader of standard output has left. Then no message is written.
pub const BROKEN_PIPE: u8 = 128 + 13;

/// Failure to write the results to standard output.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the results: {0}")]
pub struct ResultsError(#[from] io::Error);

impl ResultsError {
    /// Exit status of the command.
    pub fn status(&self) -> u8 {
        match self.0.kind() {
            io::ErrorKind::BrokenPipe => BROKEN_PIPE,
            _ => FAILURE,
        }
    }
}
