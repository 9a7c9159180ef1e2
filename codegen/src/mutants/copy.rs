//! Copying a folder that cargo builds in: what did not change keeps its time, and is not built again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Error;

/// What cargo leaves in its build folders.
const BUILT: &str = "CACHEDIR.TAG";

pub(super) fn at(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::File {
        path: path.clone(),
        source,
    }
}

/// Writes a file whose contents change.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(at(path))
}

/// Copies what changed of a folder, and removes what is gone; build folders, hidden files and the folder that the copy
/// is in stay behind.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(at(to))?;
    let from = fs::canonicalize(from).map_err(at(from))?;
    let to = fs::canonicalize(to).map_err(at(to))?;
    copy_folder(&from, &to, &to)
}

/// The same for a folder of it; `all` is where the whole copy goes.
fn copy_folder(from: &Path, to: &Path, all: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(at(to))?;
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let name = entry.file_name();
        let (from, to) = (entry.path(), to.join(&name));
        // A build folder that cargo found there has no mark.
        let is_built =
            from.join(BUILT).exists() || all.starts_with(&from) || name == "node_modules";
        if name.to_string_lossy().starts_with('.') || is_built {
            continue;
        }
        if from.is_dir() {
            copy_folder(&from, &to, all)?;
        } else {
            write(&to, &fs::read(&from).map_err(at(&from))?)?;
        }
        names.insert(name);
    }
    for entry in fs::read_dir(to).map_err(at(to))? {
        let entry = entry.map_err(at(to))?;
        let path = entry.path();
        if !names.contains(&entry.file_name()) {
            let removed = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(at(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_not_copied_into_itself() {
        let from = tempfile::tempdir().unwrap();
        let to = from.path().join("target/copy");
        fs::create_dir_all(from.path().join("target/other")).unwrap();
        fs::write(from.path().join("one"), "1").unwrap();
        for _ in 0..2 {
            copy(from.path(), &to).unwrap();
            let names: Vec<_> = fs::read_dir(&to)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            assert_eq!(names, ["one"]);
        }
    }

    #[test]
    fn a_copy_follows_what_changes() {
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
        let names: Vec<_> = fs::read_dir(to.join("a"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["two"]);
        assert_eq!(fs::read_to_string(to.join("a/two")).unwrap(), "2");
    }
}
