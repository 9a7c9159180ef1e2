//! Checkpoint files of fits.

use std::io;
use std::path::Path;

use outflank::eval::FileKind;
use outflank_support::files;
use outflank_train::fit::CheckpointError;

use crate::CommandError;
use crate::console::print_error;
use crate::error::in_file;
use crate::progress::Progress;
use crate::replace::{OutputFile, replace};

/// Resumes from the checkpoint at `path`. If there is none yet, checks that it can be written and returns `false`.
pub(super) fn resume(
    path: &Path,
    resume: impl FnOnce(&[u8]) -> Result<(), CheckpointError>,
) -> Result<bool, CommandError> {
    /// Limit of the size, ten times that of a checkpoint with the maximum number of knots and windows.
    const MAX_MIB: u64 = 16_384;
    let is_checkpoint = |bytes: &[u8]| matches!(FileKind::detect(bytes), FileKind::Other(_));
    match files::read_if(path, MAX_MIB, "checkpoint", is_checkpoint) {
        Ok(bytes) => {
            resume(&bytes).map_err(in_file(path))?;
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            OutputFile::open(path)?;
            Ok(false)
        }
        Err(error) => Err(in_file(path)(error)),
    }
}

/// Writer of checkpoints that gives up after its first error.
pub(super) struct CheckpointWriter<'a> {
    path: Option<&'a Path>,
    /// Name of the run in the message about an error.
    run: &'static str,
}

impl<'a> CheckpointWriter<'a> {
    pub(super) fn new(path: Option<&'a Path>, run: &'static str) -> CheckpointWriter<'a> {
        CheckpointWriter { path, run }
    }

    /// Writes the checkpoint, if there is one.
    pub(super) fn write(
        &mut self,
        progress: &Progress,
        checkpoint: impl FnOnce() -> Option<Vec<u8>>,
    ) {
        if let Some(path) = self.path
            && let Some(bytes) = checkpoint()
            && let Err(error) = replace(path, &bytes)
        {
            let run = self.run;
            progress.suspend(|| print_error(format_args!("{error}; the {run} goes on without")));
            self.path = None;
        }
    }
}
