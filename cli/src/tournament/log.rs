//! The log of a match: a line for its settings, and one for each game that was played, as JSON.
//!
//! A game is written when it ends, in one piece. A kill can leave the last line half written: it is cut off
//! when the match goes on, and its game is played again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::books::SeatBook;
use super::contest::Contest;
use super::finished::{Finished, Seat};
use super::openings::Openings;
use crate::replace::Output;
use outflank::files;

/// What makes the games of a match what they are: a log goes on only with the same.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct MatchSettings {
    /// The version of the log.
    outflank_match: u32,
    a: String,
    b: String,
    protocol_a: &'static str,
    protocol_b: &'static str,
    control: Value,
    margin: Duration,
    openings: String,
    book_a: Option<String>,
    book_b: Option<String>,
}

impl MatchSettings {
    /// Those of a match with these openings.
    pub(crate) fn of(contest: &Contest, openings: &Openings) -> MatchSettings {
        let [a, b] = contest.contestants;
        let [book_a, book_b] = contest.books.map(|book| book.map(SeatBook::origin));
        MatchSettings {
            outflank_match: 1,
            a: a.command.clone(),
            b: b.command.clone(),
            protocol_a: a.protocol.name(),
            protocol_b: b.protocol.name(),
            control: serde_json::to_value(contest.control).expect("numbers are finite"),
            margin: contest.margin,
            openings: openings.origin(),
            book_a,
            book_b,
        }
    }
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// It cannot be read or written.
    #[error("cannot use the log {}: {error}", path.display())]
    Io {
        /// The log.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another match writes to it.
    #[error("{}: another match writes to this log", .0.display())]
    Busy(PathBuf),
    /// It is something else.
    #[error("{} is no log of a match: name another file, which is made then", .0.display())]
    Other(PathBuf),
    /// It belongs to another match.
    #[error(
        "{}: another match has this log, {key} was {was} and is {is}: give the same settings \
         or another log",
        path.display()
    )]
    Settings {
        /// The log.
        path: PathBuf,
        /// The first setting that differs.
        key: String,
        /// What it was.
        was: String,
        /// What it is now.
        is: String,
    },
    /// A line of it is no game.
    #[error("{}:{line}: {error}: remove the line, or name another log", path.display())]
    Line {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A game is there twice.
    #[error(
        "{}:{line}: pair {pair} with {black:?} black is there already: remove one of them", path.display()
    )]
    Twice {
        /// The log.
        path: PathBuf,
        /// The line of the second, from 1.
        line: usize,
        /// The pair.
        pair: usize,
        /// Who has black.
        black: Seat,
    },
}

/// The most that a log can have, in MiB: some hundred thousand games.
const MAX_MIB: u64 = 1024;

/// A log that can be read and written, before it is known what match it is to belong to. Nothing is changed yet.
pub(crate) struct Candidate {
    path: PathBuf,
    /// The older log and its bytes, if there is one.
    older: Option<(File, Vec<u8>)>,
}

impl Candidate {
    /// Opens the log at `path`, if it is there; else only sees whether one can be made.
    pub(crate) fn open(path: &Path) -> Result<Candidate, LogError> {
        let older = match path.metadata() {
            Ok(_) => {
                let (file, bytes) = Candidate::read(path, OpenOptions::new())?;
                if !is_log(&bytes) {
                    return Err(LogError::Other(path.to_owned()));
                }
                Some((file, bytes))
            }
            // Whatever else is wrong with the path is wrong with this, too.
            Err(_) => {
                Output::open(path).map_err(|error| unusable(path, error.error))?;
                None
            }
        };
        let path = path.to_owned();
        Ok(Candidate { path, older })
    }

    /// Opens and locks the log at `path`, and reads it.
    fn read(path: &Path, mut options: OpenOptions) -> Result<(File, Vec<u8>), LogError> {
        let failed = |error| unusable(path, error);
        let file = options.read(true).write(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // A device or a pipe keeps nothing to go on from.
        let bytes = match file.metadata().map_err(failed)?.is_file() {
            true => files::read_to_end(&file, MAX_MIB, "log of a match").map_err(failed)?,
            false => Vec::new(),
        };
        Ok((file, bytes))
    }

    /// Returns `true` if the file at `path` has the first games of this log in GGF, or all of them, and nothing else.
    pub(crate) fn has_games_of(&self, path: &Path) -> bool {
        let Some((_, log)) = self.older.as_ref().filter(|_| path.is_file()) else {
            return false;
        };
        let games = log.split(|&byte| byte == b'\n').filter_map(|line| {
            let game: Finished = serde_json::from_slice(line).ok()?;
            Some(game.ggf + "\n")
        });
        let games: String = games.collect();
        let written = files::read(path, MAX_MIB, "file of games");
        written.is_ok_and(|written| !games.is_empty() && games.as_bytes().starts_with(&written))
    }

    /// Makes it the log of a match with these settings, and reads the games that it has.
    pub(crate) fn go_on(self, settings: &MatchSettings) -> Result<(Log, Vec<Finished>), LogError> {
        let Candidate { path, older } = self;
        let (mut file, bytes) = match older {
            Some(older) => older,
            None => {
                let mut options = OpenOptions::new();
                options.create(true).truncate(false);
                Candidate::read(&path, options)?
            }
        };
        let first = serde_json::to_string(settings).expect("keys are strings") + "\n";
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        // A half-written first line is the beginning of ours, or something else.
        if whole == 0 && !first.as_bytes().starts_with(&bytes) {
            return Err(LogError::Other(path));
        }
        let games = read(&path, &bytes[..whole], settings)?;
        let mut prepare = || -> io::Result<()> {
            if file.metadata()?.is_file() {
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::Start(whole as u64))?;
            }
            match whole {
                0 => file.write_all(first.as_bytes()),
                _ => Ok(()),
            }
        };
        prepare().map_err(|error| unusable(&path, error))?;
        Ok((Log { path, file }, games))
    }
}

fn unusable(path: &Path, error: io::Error) -> LogError {
    LogError::Io {
        path: path.to_owned(),
        error,
    }
}

/// Returns `true` if a file begins as a log does; the first line can be half written.
fn is_log(bytes: &[u8]) -> bool {
    const BEGIN: &[u8] = b"{\"outflank_match\":";
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => serde_json::from_slice::<Value>(&bytes[..end])
            .is_ok_and(|first| first.get("outflank_match").is_some()),
        None => bytes.starts_with(BEGIN) || BEGIN.starts_with(bytes),
    }
}

/// A log that games are added to.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Adds a game; it is in the file when this returns.
    pub(crate) fn add(&mut self, game: &Finished) -> Result<(), LogError> {
        let line = serde_json::to_string(game).expect("keys are strings") + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| unusable(&self.path, error))
    }
}

/// The games of a log's whole lines.
fn read(path: &Path, bytes: &[u8], settings: &MatchSettings) -> Result<Vec<Finished>, LogError> {
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let Some((_, first)) = lines.next().filter(|(_, first)| !first.is_empty()) else {
        return Ok(Vec::new());
    };
    same(path, first, settings)?;
    let mut games: Vec<Finished> = Vec::new();
    let mut played = HashSet::new();
    for (index, text) in lines.filter(|(_, text)| !text.is_empty()) {
        let line = index + 1;
        let game: Finished = serde_json::from_slice(text).map_err(|error| LogError::Line {
            path: path.to_owned(),
            line,
            error,
        })?;
        if !played.insert((game.pair, game.black)) {
            return Err(LogError::Twice {
                path: path.to_owned(),
                line,
                pair: game.pair,
                black: game.black,
            });
        }
        games.push(game);
    }
    Ok(games)
}

/// Compares the settings of a log with those of now.
fn same(path: &Path, first: &[u8], settings: &MatchSettings) -> Result<(), LogError> {
    let was: Value = serde_json::from_slice(first).unwrap_or_default();
    let (Some(was), Value::Object(is)) = (
        was.as_object(),
        serde_json::to_value(settings).expect("keys are strings"),
    ) else {
        return Err(LogError::Other(path.to_owned()));
    };
    if !was.contains_key("outflank_match") {
        return Err(LogError::Other(path.to_owned()));
    }
    let missing = Value::Null;
    let mut pairs = is
        .iter()
        .map(|(key, is)| (key, was.get(key).unwrap_or(&missing), is));
    match pairs.find(|(_, was, is)| was != is) {
        None => Ok(()),
        Some((key, was, is)) => Err(LogError::Settings {
            path: path.to_owned(),
            key: key.clone(),
            was: was.to_string(),
            is: is.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn settings(seed: &str) -> MatchSettings {
        MatchSettings {
            outflank_match: 1,
            a: "a".into(),
            b: "b".into(),
            protocol_a: "gtp",
            protocol_b: "nboard",
            control: Value::Null,
            margin: Duration::ZERO,
            openings: seed.into(),
            book_a: None,
            book_b: None,
        }
    }

    fn game(pair: usize, black: Seat) -> Finished {
        Finished {
            pair,
            black,
            opening: "f5".into(),
            score: 2,
            forfeit: None,
            overstep_ms: [0.25, 0.0],
            ggf: "(;GM[Othello];)".into(),
        }
    }

    /// The log at `path`, as that of a match with these settings.
    fn open(path: &Path, settings: &MatchSettings) -> Result<(Log, Vec<Finished>), LogError> {
        Candidate::open(path)?.go_on(settings)
    }

    /// Wherever a kill tears the file, all games before are there, and others can be added.
    #[test]
    fn a_torn_log_loses_no_finished_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let games = [game(0, Seat::A), game(0, Seat::B), game(1, Seat::A)];
        let (mut log, before) = open(&path, &settings("x")).unwrap();
        assert!(before.is_empty());
        games.iter().for_each(|game| log.add(game).unwrap());
        assert!(matches!(
            open(&path, &settings("x")),
            Err(LogError::Busy(_))
        ));
        drop(log);
        let whole = std::fs::read(&path).unwrap();
        for end in 0..=whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let (mut log, found) = open(&path, &settings("x")).unwrap();
            let lines = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(found, games[..lines.saturating_sub(1)], "cut at {end}");
            for game in &games[found.len()..] {
                log.add(game).unwrap();
            }
            drop(log);
            assert!(std::fs::read(&path).unwrap() == whole, "cut at {end}");
        }
        let other = open(&path, &settings("y")).map(drop).unwrap_err();
        let told = format!(
            "{}: another match has this log, openings was \"x\" and is \"y\": give the same settings \
             or another log",
            path.display()
        );
        assert_eq!(other.to_string(), told);
        let twice = [&whole[..], &whole[whole.len() / 2..]].concat();
        std::fs::write(&path, twice).unwrap();
        assert!(open(&path, &settings("x")).is_err());
    }

    proptest! {
        /// Whatever is in the file, it is a log, or an error, and a file that is an error stays as it is.
        #[test]
        fn nonsense_is_refused_and_kept(
            has_head in any::<bool>(),
            rest in prop::collection::vec("[ -~]{0,40}|\\{\"pair\":1.*|\\PC{0,9}", 0..4),
        ) {
            let file = tempfile::NamedTempFile::new().unwrap();
            let head = serde_json::to_string(&settings("x")).unwrap();
            let head = has_head.then_some(head);
            let text = head.into_iter().chain(rest).collect::<Vec<_>>().join("\n");
            std::fs::write(file.path(), &text).unwrap();
            if open(file.path(), &settings("x")).is_err() {
                prop_assert_eq!(std::fs::read_to_string(file.path()).unwrap(), text);
            }
        }
    }
}
