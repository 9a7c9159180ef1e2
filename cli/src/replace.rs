//! Files that are replaced whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

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
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<(), ReplaceError> {
    Output::open(path)?.write(contents)
}

/// Output file, opened before the work and written after it.
///
/// Contents are written to a temporary file in the same folder, which then takes the place of the older
/// one: a failure before that leaves the older one as it was. Devices and pipes are opened once and written to
/// directly. Where the path is a link, its target is replaced, or made if it is not there.
pub(crate) struct Output {
    path: PathBuf,
    place: Place,
}

enum Place {
    /// A device or a pipe.
    Device(File),
    File {
        /// The path without links.
        target: PathBuf,
        /// Permissions of the older file, if there is one.
        permissions: Option<fs::Permissions>,
    },
}

impl Output {
    /// Opens the place at `path`, or says why nothing can be written there. A file is not changed.
    pub(crate) fn open(path: &Path) -> Result<Output, ReplaceError> {
        let place = Place::open(path).map_err(|error| ReplaceError {
            path: path.to_owned(),
            error,
        })?;
        let path = path.to_owned();
        Ok(Output { path, place })
    }

    /// Writes the contents. A second call replaces a file once more, and adds to a device or a pipe.
    pub(crate) fn write(&mut self, contents: &[u8]) -> Result<(), ReplaceError> {
        let written = self.try_write(contents);
        written.map(drop).map_err(|error| self.failed(error))
    }

    /// Writes the beginning of the contents. What is written to the result comes behind it.
    pub(crate) fn begin(mut self, contents: &[u8]) -> Result<File, ReplaceError> {
        let written = self.try_write(contents);
        let file = written.map_err(|error| self.failed(error))?;
        match (file, self.place) {
            (Some(file), _) | (None, Place::Device(file)) => Ok(file),
            (None, Place::File { .. }) => unreachable!("a file that was written is open"),
        }
    }

    /// Writes the contents; the result is the new file, unless it is a device or a pipe.
    fn try_write(&mut self, contents: &[u8]) -> io::Result<Option<File>> {
        match &mut self.place {
            Place::Device(file) => file.write_all(contents).map(|()| None),
            Place::File {
                target,
                permissions,
            } => {
                let mut temporary = temporary_beside(target)?;
                temporary.as_file_mut().write_all(contents)?;
                if let Some(permissions) = permissions {
                    temporary.as_file().set_permissions(permissions.clone())?;
                }
                // A rename can reach the disk before what was written.
                temporary.as_file().sync_all()?;
                Ok(Some(temporary.persist(target)?))
            }
        }
    }

    fn failed(&self, error: io::Error) -> ReplaceError {
        ReplaceError {
            path: self.path.clone(),
            error,
        }
    }
}

impl Place {
    fn open(path: &Path) -> io::Result<Place> {
        let older = match OpenOptions::new().write(true).open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut permissions = None;
        if let Some(file) = older {
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Ok(Place::Device(file));
            }
            permissions = Some(metadata.permissions());
        }
        let target = without_links(path)?;
        // Removed at once: a kill during the work is to leave nothing behind.
        temporary_beside(&target)?;
        Ok(Place::File {
            target,
            permissions,
        })
    }
}

/// Makes a temporary file in the folder of `target`, with the permissions of a file that is made in the usual
/// way. An error is that of the system: the crate's own would show the temporary name.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".outflank-")
        .make_in(folder_of(target), |path| File::create_new(path))
}

/// The folder that a path names a file in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The path of a file without links; the file itself need not exist, but its folder has to.
pub(crate) fn without_links(path: &Path) -> io::Result<PathBuf> {
    /// The most links to links, as Linux has it.
    const MAX_LINKS: usize = 40;
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => return found,
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Ok(target) = fs::read_link(&path) {
            path = folder_of(&path).join(target);
            continue;
        }
        let is_folder = path.to_string_lossy().ends_with(is_separator);
        return match path.file_name() {
            Some(name) if !is_folder => Ok(fs::canonicalize(folder_of(&path))?.join(name)),
            _ => Err(ErrorKind::IsADirectory.into()),
        };
    }
    Err(io::Error::other("there are too many links to links"))
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
