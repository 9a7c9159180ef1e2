//! Log of a match as lines of JSON: the settings, then each game that was played.
//!
//! A game is written in one piece when it ends. After a kill within a write, the incomplete last line is removed when
//! the match is resumed, and its game is played again.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank_support::files;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::openings::Openings;
use crate::pairing::EngineId;
use crate::result::GameResult;
use crate::runner::Match;

/// Settings that determine the games of a match. A log is resumed only with equal settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// Version of the log.
    outflank_match: u32,
    a: String,
    b: String,
    protocol_a: String,
    protocol_b: String,
    /// Limit of both engines.
    control: Value,
    margin: Duration,
    openings: String,
    book_a: Option<String>,
    book_b: Option<String>,
}

impl MatchSettings {
    /// Settings of a match with these openings.
    pub fn new(settings: &Match, openings: &Openings) -> MatchSettings {
        let [a, b] = settings.engines;
        let [book_a, book_b] = settings.books.map(|book| Some(book?.origin.clone()));
        let limits = &settings.limits;
        MatchSettings {
            outflank_match: 1,
            a: a.command.clone(),
            b: b.command.clone(),
            protocol_a: a.protocol.name().to_owned(),
            protocol_b: b.protocol.name().to_owned(),
            control: serde_json::to_value(limits.limit).expect("numbers are finite"),
            margin: limits.margin,
            openings: openings.origin(),
            book_a,
            book_b,
        }
    }
}

/// Reason why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Reading or writing failed.
    #[error("cannot use the log {}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// Another match writes to the log.
    #[error("{}: another match writes to this log", .0.display())]
    Busy(PathBuf),
    /// The file is no log of a match.
    #[error("{} is no log of a match: name another file, which is made then", .0.display())]
    NotALog(PathBuf),
    /// The log belongs to a match with other settings, the first of which is described.
    #[error("{}: another match has this log, {}: give the same settings or another log", .0.display(), .1)]
    OtherMatch(PathBuf, String),
    /// A line is no game. Lines are counted from 1.
    #[error("{}:{}: {}: remove the line, or name another log", .0.display(), .1, .2)]
    Line(PathBuf, usize, #[source] serde_json::Error),
    /// A line repeats the game of an earlier line. The fields are the path, the line from 1, the pair from 0, and the
    /// engine with black. The message counts pairs from 1, as reports of games do.
    #[error(
        "{}:{}: pair {} with {:?} black is there already: remove one of them",
        .0.display(), .1, .2.saturating_add(1), .3
    )]
    Duplicate(PathBuf, usize, usize, EngineId),
}

/// Maximum size of a log in MiB, enough for some hundred thousand games.
const MAX_MIB: u64 = 1024;

/// Beginning of every log.
const BEGIN: &[u8] = b"{\"outflank_match\":";

/// File for the log of a match, before [`LogFile::resume`] changes it.
pub struct LogFile {
    path: PathBuf,
    /// Existing log and its contents, if there is one.
    older: Option<(File, Vec<u8>)>,
}

impl LogFile {
    /// Opens and locks the log at `path`, if it exists.
    pub fn open(path: &Path) -> Result<LogFile, LogError> {
        let older = match path.exists() {
            true => Some(LogFile::read(path, false)?),
            false => None,
        };
        let path = path.to_owned();
        Ok(LogFile { path, older })
    }

    /// Opens, locks and reads the file. Creates it if `create` is `true`.
    fn read(path: &Path, create: bool) -> Result<(File, Vec<u8>), LogError> {
        let failed = |error| LogError::Io(path.to_owned(), error);
        let mut options = File::options();
        let options = options.read(true).write(true).create(create);
        let file = options.truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // A device or a pipe keeps no games.
        let bytes = match file.metadata().map_err(failed)?.is_file() {
            true => files::read_to_end(&file, MAX_MIB, "log of a match").map_err(failed)?,
            false => Vec::new(),
        };
        match is_log(&bytes) {
            true => Ok((file, bytes)),
            false => Err(LogError::NotALog(path.to_owned())),
        }
    }

    /// Returns `true` if the file at `path` is a prefix of this log's games in GGF.
    pub fn has_games_of(&self, path: &Path) -> bool {
        let Some((_, log)) = self.older.as_ref().filter(|_| path.is_file()) else {
            return false;
        };
        let games = log.split(|&byte| byte == b'\n').filter_map(|line| {
            let game: GameResult = serde_json::from_slice(line).ok()?;
            Some(game.ggf + "\n")
        });
        let games: String = games.collect();
        let written = files::read(path, MAX_MIB, "file of games");
        written.is_ok_and(|written| !games.is_empty() && games.as_bytes().starts_with(&written))
    }

    /// Begins or resumes the log of a match with these settings. Returns the games that the log has.
    pub fn resume(self, settings: &MatchSettings) -> Result<(Log, Vec<GameResult>), LogError> {
        let LogFile { path, older } = self;
        let (mut file, bytes) = match older {
            Some(older) => older,
            None => LogFile::read(&path, true)?,
        };
        let first = serde_json::to_string(settings).expect("keys are strings") + "\n";
        let whole_lines = bytes.iter().rposition(|&byte| byte == b'\n');
        let end = whole_lines.map_or(0, |last| last + 1);
        // An incomplete first line may belong to this log or to another file.
        if end == 0 && !first.as_bytes().starts_with(&bytes) {
            return Err(LogError::NotALog(path));
        }
        let games = games(&path, &bytes[..end], settings)?;
        let mut prepare = || -> io::Result<()> {
            if file.metadata()?.is_file() {
                file.set_len(end as u64)?;
                file.seek(SeekFrom::Start(end as u64))?;
            }
            match end {
                0 => file.write_all(first.as_bytes()),
                _ => Ok(()),
            }
        };
        match prepare() {
            Ok(()) => Ok((Log { path, file }, games)),
            Err(error) => Err(LogError::Io(path, error)),
        }
    }
}

/// Returns `true` if a file begins as a log does. The first line may be incomplete.
fn is_log(bytes: &[u8]) -> bool {
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => serde_json::from_slice::<Value>(&bytes[..end])
            .is_ok_and(|first| first.get("outflank_match").is_some()),
        None => bytes.starts_with(BEGIN) || BEGIN.starts_with(bytes),
    }
}

/// Log that games are added to. The file is locked.
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Writes a game to the file.
    pub fn add(&mut self, game: &GameResult) -> Result<(), LogError> {
        let line = serde_json::to_string(game).expect("keys are strings") + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| LogError::Io(self.path.clone(), error))
    }
}

/// Reads the games in the complete lines of a log. The settings in its first line must equal `settings`.
fn games(path: &Path, bytes: &[u8], settings: &MatchSettings) -> Result<Vec<GameResult>, LogError> {
    let mut lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let Some((first, _)) = lines.next().filter(|(first, _)| !first.is_empty()) else {
        return Ok(Vec::new());
    };
    let first: Value = serde_json::from_slice(first).unwrap_or_default();
    let expected = serde_json::to_value(settings).expect("keys are strings");
    for (key, new) in expected.as_object().expect("settings have names") {
        let old = &first[key];
        if old != new {
            let difference = format!("{key} was {old} and is {new}");
            return Err(LogError::OtherMatch(path.to_owned(), difference));
        }
    }
    let mut games: Vec<GameResult> = Vec::new();
    let mut played = HashSet::new();
    for (text, line) in lines.filter(|(text, _)| !text.is_empty()) {
        let game = serde_json::from_slice::<GameResult>(text)
            .map_err(|error| LogError::Line(path.to_owned(), line, error))?;
        if !played.insert((game.pair, game.black)) {
            let path = path.to_owned();
            return Err(LogError::Duplicate(path, line, game.pair, game.black));
        }
        games.push(game);
    }
    Ok(games)
}
