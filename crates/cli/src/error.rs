//! Errors that end a command, with their exit statuses.
//!
//! Each command has an error type of its own and gives it an exit status by [`ExitError`]. [`CommandError`] carries
//! any of them to `main`.

use std::error::Error;
use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::iter::successors;
use std::path::{Path, PathBuf};

use outflank::EngineError;
use outflank::eval::{FileKind, LoadError};
use outflank::kernels::IsaError;
use outflank_checker::supervise::WorkerError;

use crate::console::print_error;

/// Exit status of a command that found something wrong.
pub(crate) const FAILURE: u8 = 1;
/// Exit status of a command that cannot be carried out as asked; clap uses it, too.
pub(crate) const USAGE: u8 = 2;
/// Exit status after SIGPIPE, as shells report it: the reader of standard output has left.
const BROKEN_PIPE: u8 = 128 + 13;

/// An error that can end a command.
pub(crate) trait ExitError: Error + Send + 'static {
    /// Exit status of the command.
    fn status(&self) -> u8;
}

/// Gives error types an exit status.
macro_rules! exit_status {
    ($status:expr; $($error:ty),+ $(,)?) => {$(
        impl $crate::error::ExitError for $error {
            fn status(&self) -> u8 {
                $status
            }
        }
    )+};
}
pub(crate) use exit_status;

exit_status!(USAGE; IsaError, EngineError, NoWeights, NotLinear);
exit_status!(FAILURE; LoadError, WorkerError, FolderError);

/// The error of any command.
#[derive(Debug)]
pub(crate) struct CommandError(Box<dyn ExitError>);

impl<E: ExitError> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        CommandError(Box::new(error))
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        ResultsError(error).into()
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl CommandError {
    /// Error for missing weights: no file is named, and none is built in.
    pub(crate) fn no_weights() -> CommandError {
        NoWeights.into()
    }

    /// Error for the file of a network at `path` where linear weights are needed.
    pub(crate) fn not_linear(path: PathBuf) -> CommandError {
        NotLinear(path).into()
    }

    /// Error for a folder at `path` that cannot be made or used.
    pub(crate) fn folder(path: PathBuf, error: io::Error) -> CommandError {
        FolderError(path, error).into()
    }

    /// Returns the error as an `E` if it has this type.
    pub(crate) fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        (&*self.0 as &dyn Error).downcast_ref()
    }

    /// Writes the message to standard error and returns the exit status. No message is written if the reader of
    /// standard output closed the pipe.
    pub(crate) fn report(&self) -> u8 {
        let status = self.0.status();
        if status != BROKEN_PIPE {
            report(&*self.0);
        }
        status
    }
}

/// Failure to write the results to standard output.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the results: {0}")]
struct ResultsError(io::Error);

impl ExitError for ResultsError {
    fn status(&self) -> u8 {
        match self.0.kind() {
            io::ErrorKind::BrokenPipe => BROKEN_PIPE,
            _ => FAILURE,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("this outflank was built without weights (feature embedded-weights): name a file")]
struct NoWeights;

#[derive(Debug, thiserror::Error)]
#[error("{}: a network; expected linear weights", .0.display())]
struct NotLinear(PathBuf);

#[derive(Debug, thiserror::Error)]
#[error("cannot make the folder {}: {}; name another", .0.display(), .1)]
struct FolderError(PathBuf, #[source] io::Error);

/// Makes a folder and those above it, unless it exists.
pub(crate) fn make_folder(path: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(path).map_err(|error| CommandError::folder(path.to_owned(), error))
}

/// Writes `outflank: …` to standard error. If the cause is a file of another kind, the message ends with the command
/// that reads such files.
pub(crate) fn report(error: &(dyn Error + 'static)) {
    let mut causes = successors(Some(error), |&error| error.source());
    let kind = causes.find_map(|cause| cause.downcast_ref::<FileKind>());
    let advice = kind.and_then(reader_of).unwrap_or_default();
    print_error(format_args!("{error}{advice}"));
}

/// Advice that names the command for files of a kind. The library detects kinds of files but does not know the
/// commands.
fn reader_of(kind: &FileKind) -> Option<&'static str> {
    Some(match kind {
        FileKind::Edax => ", which `outflank weights import` reads",
        FileKind::Weights => ", which `outflank weights info` shows",
        FileKind::Book => ", which `outflank book info` shows",
        FileKind::EdaxBook => ", which `outflank book import` reads",
        FileKind::Records => ", which `outflank train fit` makes weights of",
        _ => return None,
    })
}
