//! Identity of files. Two paths can lead to one file.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::replace::without_links;

/// Identity of a file, independent of the spelling of its path and of links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Identity {
    /// Device and inode of an existing file; hard links share them.
    #[cfg(unix)]
    Node(u64, u64),
    /// Path without links, for a file that does not exist yet and for systems without inodes.
    Path(PathBuf),
}

impl Identity {
    /// Identity of the file at `path`; `None` for a character device or a path that cannot be resolved.
    pub(super) fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(metadata) => Identity::of_existing(path, &metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => Identity::of_path(path),
            Err(_) => None,
        }
    }

    /// Identity of standard input if it is a file.
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
        // Windows and macOS usually ignore the case of names.
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
    fn paths_of_one_file_have_one_identity() {
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
