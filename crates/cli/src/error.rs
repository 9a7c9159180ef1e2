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
use outflank::opening_names::OpeningNameError;
use outflank_console::output_files::OutputError;
use outflank_console::replace::ReplaceError;
use outflank_console::status::{BROKEN_PIPE, ResultsError};
pub(crate) use outflank_console::status::{FAILURE, USAGE};

use crate::console::print_error;

/// An error that can end a command.
pub(crate) trait ExitError: Error + Send + 'static {
    /// Exit status of the command.
    fn status(&self) -> u8;
}

/// Gives error types an exit status: `exit_status!(FAILURE; SomeError, OtherError)`. The status of a single type can
/// depend on the value: `exit_status!(SomeError { Self::Words(_) => USAGE, _ => FAILURE })`.
macro_rules! exit_status {
    ($error:ty { $($pattern:pat => $status:expr),+ }) => {
        impl $crate::error::ExitError for $error {
            fn status(&self) -> u8 {
                match self {
                    $($pattern => $status),+
                }
            }
        }
    };
    ($status:expr; $($error:ty),+) => {
        $($crate::error::exit_status!($error { _ => $status });)+
    };
}
pub(crate) use exit_status;

exit_status!(USAGE; IsaError, EngineError, NoWeights, NotLinear, NotNetwork);
exit_status!(FAILURE; LoadError, FileError, FolderError, ReplaceError);
exit_status!(ResultsError { error => error.status() });
exit_status!(OutputError { error => error.status() });

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
        ResultsError::from(error).into()
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl CommandError {
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

/// No weights are named, and none are built in.
#[derive(Debug, thiserror::Error)]
#[error("this outflank was built without weights (feature embedded-weights): name a file")]
pub(crate) struct NoWeights;

/// A file has a network, where linear weights are needed.
#[derive(Debug, thiserror::Error)]
#[error("{}: a network; expected linear weights", .0.display())]
pub(crate) struct NotLinear(pub(crate) PathBuf);

/// A file has linear weights, where a network is needed.
#[derive(Debug, thiserror::Error)]
#[error("{}: linear weights; expected a network", .0.display())]
pub(crate) struct NotNetwork(pub(crate) PathBuf);

/// A folder cannot be made or used.
#[derive(Debug, thiserror::Error)]
#[error("cannot make the folder {}: {}; name another", .0.display(), .1)]
pub(crate) struct FolderError(pub(crate) PathBuf, #[source] pub(crate) io::Error);

/// A file cannot be read or used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .0.display(), .1)]
struct FileError(PathBuf, #[source] Box<dyn Error + Send + Sync>);

/// Returns a function that adds `path` to an error.
pub(crate) fn in_file<E: Error + Send + Sync + 'static>(
    path: &Path,
) -> impl FnOnce(E) -> CommandError {
    move |error| FileError(path.to_owned(), Box::new(error)).into()
}

/// Makes a folder and those above it, unless it exists.
pub(crate) fn make_folder(path: &Path) -> Result<(), CommandError> {
    Ok(fs::create_dir_all(path).map_err(|error| FolderError(path.to_owned(), error))?)
}

/// Calls `act` for each file. Reports an error and goes on, unless results could not be written. Returns the number of
/// files with errors.
pub(crate) fn for_each_file(
    paths: &[PathBuf],
    mut act: impl FnMut(&Path) -> Result<(), CommandError>,
) -> Result<usize, CommandError> {
    let mut failures = 0;
    for path in paths {
        if let Err(error) = act(path) {
            if error.downcast_ref::<ResultsError>().is_some() {
                return Err(error);
            }
            error.report();
            failures += 1;
        }
    }
    Ok(failures)
}

/// Writes `outflank: …` to standard error. If the cause is a file of another kind or an unknown name of an opening, the
/// message ends with the command that helps.
pub(crate) fn report(error: &(dyn Error + 'static)) {
    let mut causes = successors(Some(error), |&error| error.source());
    let advice = causes.find_map(|cause| match cause.downcast_ref::<OpeningNameError>() {
        Some(OpeningNameError::None(_)) => Some("; `outflank openings list` shows all"),
        _ => cause.downcast_ref::<FileKind>().and_then(advice_for),
    });
    let advice = advice.unwrap_or_default();
    print_error(format_args!("{error}{advice}"));
}

/// Advice that names the command for files of a kind. The library detects kinds of files but does not know the
/// commands.
fn advice_for(kind: &FileKind) -> Option<&'static str> {
    Some(match kind {
        FileKind::Edax => ", which `outflank weights import` reads",
        FileKind::Weights => ", which `outflank weights info` shows",
        FileKind::Book => ", which `outflank book info` shows",
        FileKind::Games => ", which `outflank games export` converts",
        FileKind::EdaxBook | FileKind::EgaroucidBook => ", which `outflank book import` reads",
        FileKind::Certificates => ", which `outflank verify` checks",
        FileKind::Records => ", which `outflank train fit` makes weights of",
        _ => return None,
    })
}
