//! What solvers have shown already, so that it is not asked again.
//!
//! The key is the whole text of a question: code that has changed only in where it lies leads to the same text, and
//! what a text says never changes, so that nothing in a cache grows old. Only proofs are kept, no refutations.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest, Sha256};

/// The first line of a file.
const HEAD: &str = "outflank proofs 1";

/// The digits of a key.
const DIGITS: usize = 32;

/// Questions with the answer "never", in memory and, if wanted, in a file. Several programs may add to one file.
pub struct Cache {
    known: Mutex<HashSet<String>>,
    file: Option<File>,
}

/// Why a file is no cache.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// It cannot be read or written.
    #[error("cannot use {0} as a cache of proofs: {1}")]
    Io(PathBuf, io::Error),
    /// It holds something else.
    #[error("{0} is not a cache of proofs: its first line is not '{HEAD}'")]
    Foreign(PathBuf),
}

/// What stands for a question.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// The key of a question's text.
    pub fn new(text: &str) -> Key {
        let digest = Sha256::digest(text);
        let digits = digest.iter().map(|byte| format!("{byte:02x}"));
        let mut digits: String = digits.collect();
        digits.truncate(DIGITS);
        Key(digits)
    }
}

impl Cache {
    /// Empty, and forgotten with the program.
    pub fn in_memory() -> Cache {
        Cache {
            known: Mutex::default(),
            file: None,
        }
    }

    /// That of a file, which is made if it is not there.
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
            // A program was ended while it wrote.
            writeln!(file).map_err(failed)?;
        }
        // A line that is no key is no question's key, either.
        let known = text.lines().skip(1).map(str::to_owned).collect();
        Ok(Cache {
            known: Mutex::new(known),
            file: Some(file),
        })
    }

    /// Whether this was shown.
    pub fn has(&self, key: &Key) -> bool {
        self.known().contains(&key.0)
    }

    /// Keeps that this was shown.
    pub fn add(&self, key: Key) -> io::Result<()> {
        // One write, so that the lines of several programs do not mix.
        if let Some(mut file) = self.file.as_ref() {
            file.write_all(format!("{}\n", key.0).as_bytes())?;
        }
        self.known().insert(key.0);
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().expect("nothing panics with it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_known_to_the_next_that_opens_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/proofs");
        let (one, other) = (Key::new("one"), Key::new("other"));
        let cache = Cache::open(&path).expect("made");
        assert!(!cache.has(&one));
        cache.add(Key::new("one")).expect("written");
        assert!(cache.has(&one) && !cache.has(&other));
        let cache = Cache::open(&path).expect("read");
        assert!(cache.has(&one) && !cache.has(&other));

        // A line that was cut off is lost, and nothing else.
        let mut file = OpenOptions::new().append(true).open(&path).expect("there");
        file.write_all(&other.0.as_bytes()[..9]).expect("written");
        let cache = Cache::open(&path).expect("read");
        assert!(cache.has(&one) && !cache.has(&other));
        cache.add(Key::new("other")).expect("written");
        let cache = Cache::open(&path).expect("read");
        assert!(cache.has(&one) && cache.has(&other));
    }

    #[test]
    fn another_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("letter");
        std::fs::write(&path, "Dear reader").expect("written");
        let error = Cache::open(&path).err().expect("it is none").to_string();
        assert!(error.contains("is not a cache of proofs"), "{error}");
        assert_eq!(std::fs::read(&path).expect("there"), b"Dear reader");
        let error = Cache::open(folder.path()).err().expect("a folder");
        assert!(error.to_string().starts_with("cannot use "), "{error}");
    }
}
