//! Files that are replaced whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that could not be written. What was there before is still there, unless it was no file but
/// a device or a pipe.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}; {}", path.display(), advice(error))]
pub(crate) struct ReplaceError {
    /// The file.
    pub(crate) path: PathBuf,
    /// Why.
    pub(crate) error: io::Error,
}

/// Writes `contents` to the file at `path`, in place of an older one if there is one.
///
/// They are written to a temporary file in the same folder, which then takes the place of the older
/// one: whatever happens before that leaves the older one as it was. Devices and pipes are written to
/// directly; where `path` is a link, what it leads to is replaced.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<(), ReplaceError> {
    try_replace(path, contents).map_err(|error| ReplaceError {
        path: path.to_owned(),
        error,
    })
}

/// Whether [`replace`] can begin to write to `path`: to know before the contents take hours to make.
/// Nothing is changed.
pub(crate) fn can_replace(path: &Path) -> Result<(), ReplaceError> {
    let prepared = Place::prepare(path).map(drop);
    prepared.map_err(|error| ReplaceError {
        path: path.to_owned(),
        error,
    })
}

fn try_replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    match Place::prepare(path)? {
        Place::Device(mut file) => file.write_all(contents),
        Place::File {
            mut temporary,
            target,
            permissions,
        } => {
            temporary.as_file_mut().write_all(contents)?;
            if let Some(permissions) = permissions {
                temporary.as_file().set_permissions(permissions)?;
            }
            // A rename can reach the disk before what was written.
            temporary.as_file().sync_all()?;
            temporary.persist(&target)?;
            Ok(())
        }
    }
}

/// Where contents are written to.
enum Place {
    /// A device or a pipe.
    Device(File),
    /// A file.
    File {
        /// It is written to this, in the same folder,
        temporary: NamedTempFile,
        /// which takes the place of this one,
        target: PathBuf,
        /// and its permissions, if it is there.
        permissions: Option<fs::Permissions>,
    },
}

impl Place {
    fn prepare(path: &Path) -> io::Result<Place> {
        let older = match OpenOptions::new().write(true).open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut target = path.to_owned();
        let mut permissions = None;
        if let Some(file) = older {
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Ok(Place::Device(file));
            }
            target = fs::canonicalize(path)?;
            permissions = Some(metadata.permissions());
        }

        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // With the permissions of a file that is made in the usual way. An error is that of the system: the
        // crate's own would show the temporary name.
        let temporary = tempfile::Builder::new()
            .prefix(".outflank-")
            .make_in(folder, |path| File::create_new(path))?;
        Ok(Place::File {
            temporary,
            target,
            permissions,
        })
    }
}

/// What to do about a file that cannot be written.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "make room on the disk, or write elsewhere"
        }
        ErrorKind::NotFound => "make its folder first, or write elsewhere",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "give yourself the right to write there, or write elsewhere"
        }
        ErrorKind::IsADirectory => "name a file in it",
        _ => "write elsewhere, or try again",
    }
}
