//! Files that pictures are written to.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use super::CommandError;

/// A file for a picture, open before the work begins whose outcome it shows.
pub(super) struct Picture<'a> {
    path: &'a Path,
    file: File,
}

impl<'a> Picture<'a> {
    /// Opens the file at `path`, if one was asked for.
    pub(super) fn open(path: Option<&'a Path>) -> Result<Option<Picture<'a>>, CommandError> {
        let open = |path| match File::create(path) {
            Ok(file) => Ok(Picture { path, file }),
            Err(error) => Err(unwritable(path, error)),
        };
        path.map(open).transpose()
    }

    /// Writes the text of an SVG file.
    pub(super) fn write(mut self, svg: &str) -> Result<(), CommandError> {
        let written = self.file.write_all(svg.as_bytes());
        written.map_err(|error| unwritable(self.path, error))
    }
}

fn unwritable(path: &Path, error: io::Error) -> CommandError {
    let file = path.to_owned();
    CommandError::Picture { file, error }
}
