//! Files that pictures are written to.

use std::path::Path;

use outflank::files::{self, ReplaceError};

/// A file for a picture, looked at before the work begins whose outcome it shows. An older one stays
/// until then.
pub(super) struct Picture<'a>(&'a Path);

impl<'a> Picture<'a> {
    /// The file at `path`, if one was asked for and can be written.
    pub(super) fn prepare(path: Option<&'a Path>) -> Result<Option<Picture<'a>>, ReplaceError> {
        path.map(|path| files::can_replace(path).map(|()| Picture(path)))
            .transpose()
    }

    /// Writes the text of an SVG file.
    pub(super) fn write(self, svg: &str) -> Result<(), ReplaceError> {
        files::replace(self.0, svg.as_bytes())
    }
}
