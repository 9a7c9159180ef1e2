//! Telling whether two paths lead to one file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::replace::without_links;

/// A file, however its path is spelt and through whatever links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Identity {
    /// A file that is there: device and inode, which hard links share.
    #[cfg(unix)]
    Node(u64, u64),
    /// The path without links: of a file that is not there yet, and of all files where the system has no inodes.
    Path(PathBuf),
}

impl Identity {
    /// The file at `path`. `None` for a character device, and where no file can exist.
    pub(super) fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(metadata) => Identity::of_existing(path, &metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => Identity::of_path(path),
            Err(_) => None,
        }
    }

    /// The file that standard input is.
    pub(super) fn of_stdin() -> Option<Identity> {
        let path = Path::new("/dev/stdin");
        let metadata = fs::metadata(path).ok()?;
        Identity::of_existing(path, &metadata)
    }

    #[cfg(unix)]
    fn of_existing(_: &Path, metadata: &fs::Metadata) -> Option<Identity> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        match metadata.file_type().is_char_device() {
            true => None,
            false => Some(Identity::Node(metadata.dev(), metadata.ino())),
        }
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, metadata: &fs::Metadata) -> Option<Identity> {
        match metadata.is_file() {
            true => Identity::of_path(path),
            false => None,
        }
    }

    fn of_path(path: &Path) -> Option<Identity> {
        let path = without_links(path).ok()?;
        // These systems take `A` and `a` for one name.
        Some(Identity::Path(
            match cfg!(any(windows, target_os = "macos")) {
                true => path.to_string_lossy().to_lowercase().into(),
                false => path,
            },
        ))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_file_is_known_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("a"), "").unwrap();
        fs::write(path("b"), "").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink(path("a"), path("link")).unwrap();
        symlink("link", path("link-to-link")).unwrap();
        symlink("new", path("dangling")).unwrap();
        symlink("sub", path("sub-link")).unwrap();
        let is_same = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|name| Identity::of(&path(name)));
            assert!(one.is_some() && other.is_some());
            one == other
        };
        for (one, other, expected) in [
            ("a", "a", true),
            ("a", "sub/../a", true),
            ("a", "./a", true),
            ("a", "hard", true),
            ("a", "link-to-link", true),
            ("hard", "link", true),
            ("a", "b", false),
            ("new", "dangling", true),
            ("new", "sub/../new", true),
            ("sub/new", "sub-link/new", true),
            ("new", "sub/new", false),
            ("new", "newer", false),
            ("a", "new", false),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} and {other}");
        }
        assert_eq!(Identity::of(Path::new("/dev/null")), None);
        assert_eq!(Identity::of(&path("nowhere/a")), None);
    }
}
