//! Cache of unsatisfiable queries, so that no solver is asked the same query twice.
//!
//! The key is a digest of a query's whole text. Code that only moved to another address leads to the same text. The
//! answer to a text never changes, so no entry ever becomes stale. Satisfiable queries are not kept.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// First line of a cache file.
const HEAD: &str = "outflank proofs 1";

/// Number of hexadecimal digits of a key.
const DIGITS: usize = 32;

/// Keys of unsatisfiable queries, in memory and optionally in a file. Several processes may add to one file.
pub struct Cache {
    known: Mutex<FxHashSet<String>>,
    file: Option<File>,
}

/// Reason why a file cannot serve as a cache.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file cannot be read or written.
    #[error("cannot use {0} as a cache of proofs: {1}")]
    Io(PathBuf, io::Error),
    /// The file is not empty and has no cache's first line.
    #[error("{0} is not a cache of proofs: its first line is not '{HEAD}'")]
    Foreign(PathBuf),
}

/// Key of a cache entry: a digest of a query's text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// Computes the digest of a query's text.
    pub fn new(text: &str) -> Key {
        let digest = Sha256::digest(text);
        let digits = digest.iter().map(|byte| format!("{byte:02x}"));
        let mut digits: String = digits.collect();
        digits.truncate(DIGITS);
        Key(digits)
    }
}

impl Cache {
    /// An empty cache without a file.
    pub fn in_memory() -> Cache {
        Cache {
            known: Mutex::default(),
            file: None,
        }
    }

    /// Opens the cache in a file, which is created if it does not exist.
    pub fn open(path: &Path) -> Result<Cache, CacheError> {
        let failed = |error| CacheError::Io(path.to_owned(), error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        let bytes = std::fs::read(path).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        if text.is_empty() {
            writeln!(file, "{HEAD}").map_err(failed)?;
        } else if text.lines().next() != Some(HEAD) {
            return Err(CacheError::Foreign(path.to_owned()));
        } else if !text.ends_with('\n') {
            // A process was killed in the middle of a line.
            writeln!(file).map_err(failed)?;
        }
        // A damaged line equals no query's key, so it does no harm.
        let known = text.lines().skip(1).map(str::to_owned).collect();
        Ok(Cache {
            known: Mutex::new(known),
            file: Some(file),
        })
    }

    /// Returns `true` if the query is known to be unsatisfiable.
    pub fn contains(&self, key: &Key) -> bool {
        self.known().contains(&key.0)
    }

    /// Records that a query is unsatisfiable.
    pub fn add(&self, key: Key) -> io::Result<()> {
        // One write, so that the lines of several processes do not mix.
        if let Some(mut file) = self.file.as_ref() {
            file.write_all(format!("{}\n", key.0).as_bytes())?;
        }
        self.known().insert(key.0);
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, FxHashSet<String>> {
        self.known.lock().expect("no panic while locked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_again_after_the_file_is_reopened() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/proofs");
        let (one, other) = (Key::new("one"), Key::new("other"));
        let cache = Cache::open(&path).expect("the cache is created");
        assert!(!cache.contains(&one));
        cache.add(Key::new("one")).expect("written");
        assert!(cache.contains(&one) && !cache.contains(&other));
        let cache = Cache::open(&path).expect("read");
        assert!(cache.contains(&one) && !cache.contains(&other));

        // Only the line that was cut off is lost.
        let mut file = OpenOptions::new()
            .append(true)
            .open(&path)
            .expect("the file exists");
        file.write_all(&other.0.as_bytes()[..9]).expect("written");
        let cache = Cache::open(&path).expect("read");
        assert!(cache.contains(&one) && !cache.contains(&other));
        cache.add(Key::new("other")).expect("written");
        let cache = Cache::open(&path).expect("read");
        assert!(cache.contains(&one) && cache.contains(&other));
    }

    #[test]
    fn file_of_another_kind_is_refused_and_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("letter");
        std::fs::write(&path, "Dear reader").expect("written");
        let error = Cache::open(&path)
            .err()
            .expect("the file is no cache")
            .to_string();
        assert!(error.contains("is not a cache of proofs"), "{error}");
        assert_eq!(
            std::fs::read(&path).expect("the file exists"),
            b"Dear reader"
        );
        let error = Cache::open(folder.path()).err().expect("a folder");
        assert!(error.to_string().starts_with("cannot use "), "{error}");
    }
}
