//! Files that are replaced whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

use tempfile::NamedTempFile;

/// Failure to write a file. An older file is unchanged; a device or pipe may have received a part of the contents.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}; {}", path.display(), advice(error))]
pub struct ReplaceError {
    /// Path of the file.
    pub path: PathBuf,
    /// Error of the system.
    pub error: io::Error,
}

/// Writes the file at `path` and replaces an older one.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), ReplaceError> {
    OutputFile::open(path)?.write(contents)
}

/// Output file, opened before the work and written after it.
///
/// Contents go to a temporary file in the same folder, which then replaces the older file. A failure leaves the older
/// file unchanged. Devices and pipes are opened once and written directly. A link stays: its target is replaced or
/// created.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A device or a pipe.
    Device(File),
    File {
        /// The path without links.
        path: PathBuf,
        /// Permissions of the older file, if there is one.
        permissions: Option<fs::Permissions>,
    },
}

impl OutputFile {
    /// Checks that `path` can be written, without changing a file.
    pub fn open(path: &Path) -> Result<OutputFile, ReplaceError> {
        let path = path.to_owned();
        match Target::open(&path) {
            Ok(target) => Ok(OutputFile { path, target }),
            Err(error) => Err(ReplaceError { path, error }),
        }
    }

    /// Writes the contents. A second call replaces a file again and appends to a device or pipe.
    pub fn write(&mut self, contents: &[u8]) -> Result<(), ReplaceError> {
        self.try_write(contents).map(drop)
    }

    /// Writes the first part of the contents and returns the file for the rest.
    pub fn begin(mut self, contents: &[u8]) -> Result<File, ReplaceError> {
        match (self.try_write(contents)?, self.target) {
            (Some(file), _) | (None, Target::Device(file)) => Ok(file),
            (None, Target::File { .. }) => unreachable!("a file that was written is open"),
        }
    }

    /// Writes the contents. Returns the new file, or `None` for a device or pipe.
    fn try_write(&mut self, contents: &[u8]) -> Result<Option<File>, ReplaceError> {
        let path = self.path.clone();
        let written = self.target.write(contents);
        written.map_err(|error| ReplaceError { path, error })
    }
}

impl Target {
    fn write(&mut self, contents: &[u8]) -> io::Result<Option<File>> {
        match self {
            Target::Device(file) => file.write_all(contents).map(|()| None),
            Target::File { path, permissions } => {
                let mut temporary = temporary_beside(path)?;
                temporary.as_file_mut().write_all(contents)?;
                if let Some(permissions) = permissions {
                    temporary.as_file().set_permissions(permissions.clone())?;
                }
                // Otherwise the rename could reach the disk before the contents.
                temporary.as_file().sync_all()?;
                Ok(Some(temporary.persist(path)?))
            }
        }
    }

    fn open(path: &Path) -> io::Result<Target> {
        let older = match OpenOptions::new().write(true).open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut permissions = None;
        if let Some(file) = older {
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Ok(Target::Device(file));
            }
            permissions = Some(metadata.permissions());
        }
        let path = without_links(path)?;
        // This trial file is removed at once, so that a program killed later leaves nothing behind.
        temporary_beside(&path)?;
        Ok(Target::File { path, permissions })
    }
}

/// Creates a temporary file in the folder of `target` with the usual permissions. Errors are those of the system; an
/// error of the crate `tempfile` would show the temporary name.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".outflank-")
        .make_in(folder_of(target), |path| File::create_new(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Resolves the links of a path. The folder of the file must exist, but the file need not.
pub fn without_links(path: &Path) -> io::Result<PathBuf> {
    /// Maximum length of a chain of links, as in Linux.
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
            Some(name) if cfg!(windows) && is_device(name) => {
                Err(io::Error::other("it is the name of a device"))
            }
            Some(name) if !is_folder => Ok(fs::canonicalize(folder_of(&path))?.join(name)),
            _ => Err(ErrorKind::IsADirectory.into()),
        };
    }
    Err(io::Error::other("there are too many links to links"))
}

/// Returns `true` if Windows takes a file name for a device: a reserved word, whatever its case and ending.
///
/// A resolved path would make a file of this name, which other programs cannot open or delete.
fn is_device(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let word = name.split('.').next().unwrap_or_default().trim_end();
    match word.strip_prefix("COM").or(word.strip_prefix("LPT")) {
        Some(number) => matches!(number.as_bytes(), [b'0'..=b'9']),
        None => matches!(word, "CON" | "PRN" | "AUX" | "NUL"),
    }
}

/// Advice for a file that cannot be written.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_reserved_names() {
        for name in [
            "NUL",
            "con",
            "Aux.obf",
            "com1",
            "LPT9.tar.gz",
            "prn ",
            "nul .txt",
        ] {
            assert!(is_device(OsStr::new(name)), "{name}");
        }
        for name in [
            "NULL", "console", "com", "com10", "a.nul", "lptx", ".con", "",
        ] {
            assert!(!is_device(OsStr::new(name)), "{name}");
        }
    }
}
