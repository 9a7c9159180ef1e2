//! Copy of a folder for cargo. Unchanged files keep their modification times, so cargo does not rebuild them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{Error, file_error};

/// File with which cargo marks its build folders.
const BUILD_FOLDER_MARK: &str = "CACHEDIR.TAG";

/// Writes a file unless it has these contents already.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(file_error(path))
}

/// Mirrors a folder: copies changed files and removes others.
///
/// Build folders, hidden files and the folder of the copy itself are left out.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(file_error(to))?;
    let from = fs::canonicalize(from).map_err(file_error(from))?;
    let to = fs::canonicalize(to).map_err(file_error(to))?;
    copy_folder(&from, &to, &to)
}

/// Mirrors a subfolder; `root` is the top folder of the copy.
fn copy_folder(from: &Path, to: &Path, root: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(file_error(to))?;
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(from).map_err(file_error(from))? {
        let entry = entry.map_err(file_error(from))?;
        let name = entry.file_name();
        let (from, to) = (entry.path(), to.join(&name));
        // Cargo does not mark a build folder that it did not create, such as the folder that holds the copy.
        let is_build_folder = from.join(BUILD_FOLDER_MARK).exists()
            || root.starts_with(&from)
            || name == "node_modules";
        if name.to_string_lossy().starts_with('.') || is_build_folder {
            continue;
        }
        if from.is_dir() {
            copy_folder(&from, &to, root)?;
        } else {
            write(&to, &fs::read(&from).map_err(file_error(&from))?)?;
        }
        names.insert(name);
    }
    for entry in fs::read_dir(to).map_err(file_error(to))? {
        let entry = entry.map_err(file_error(to))?;
        let path = entry.path();
        if !names.contains(&entry.file_name()) {
            let removed = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(file_error(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn copy_inside_the_source_is_left_out() {
        let from = tempfile::tempdir().unwrap();
        let to = from.path().join("target/copy");
        fs::create_dir_all(from.path().join("target/other")).unwrap();
        fs::write(from.path().join("one"), "1").unwrap();
        for _ in 0..2 {
            copy(from.path(), &to).unwrap();
            assert_eq!(names(&to), ["one"]);
        }
    }

    #[test]
    fn copy_follows_added_and_removed_files() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (from, to) = (from.path(), to.path());
        fs::create_dir_all(from.join("a/built")).unwrap();
        fs::write(from.join("a/one"), "1").unwrap();
        fs::write(from.join("a/.hidden"), "").unwrap();
        fs::write(from.join("a/built/CACHEDIR.TAG"), "").unwrap();
        copy(from, to).unwrap();
        fs::remove_file(from.join("a/one")).unwrap();
        fs::write(from.join("a/two"), "2").unwrap();
        copy(from, to).unwrap();
        assert_eq!(names(&to.join("a")), ["two"]);
        assert_eq!(fs::read_to_string(to.join("a/two")).unwrap(), "2");
    }
}
