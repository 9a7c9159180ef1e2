//! Collections of games from files.

use std::fmt;

use super::path::Path;
use outflank::game::Game;
use outflank::notation::{self, Contents, Format, FormatError, ReadError};
use outflank::square::Square;

/// Games of GGF, WTHOR and transcript files.
#[derive(Debug, Default)]
pub struct Collection {
    games: Vec<Vec<Square>>,
    files: usize,
    /// Last year to use. Later games are held out for tests.
    until: Option<u16>,
    held_out: usize,
}

/// Reason why a file adds no games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectionError {
    /// The format is unknown, or the file is empty.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The database is damaged.
    #[error("{0}")]
    Read(ReadError),
    /// The file has positions.
    #[error("it has positions, not games")]
    Positions,
    /// The games have no years, so the limit cannot be applied.
    #[error(
        "it does not say when its games were played, so games after {0} cannot be held out: use WTHOR \
         databases or GGF with dates (DT), or no limit"
    )]
    NoYear(u16),
}

impl Collection {
    /// Creates an empty collection that holds out games after the year `until`.
    pub fn new(until: Option<u16>) -> Collection {
        Collection {
            until,
            ..Collection::default()
        }
    }

    /// Adds the games of a file in any format and returns a message for each skipped game.
    ///
    /// Unreadable games and games from another starting position are skipped. An error adds nothing.
    pub fn add(&mut self, name: &str, file: &[u8]) -> Result<Vec<String>, CollectionError> {
        let (mut games, mut skipped, mut held_out) = (Vec::new(), Vec::new(), 0);
        let mut is_empty = true;
        for entry in notation::read(file, Format::detect(file)?) {
            is_empty = false;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error @ ReadError::Wthor(_)) => return Err(CollectionError::Read(error)),
                Err(error) => {
                    skipped.push(error.in_file(name));
                    continue;
                }
            };
            let Contents::Game(record) = entry.contents else {
                return Err(CollectionError::Positions);
            };
            if let Some(until) = self.until
                && record.year().ok_or(CollectionError::NoYear(until))? > until
            {
                held_out += 1;
                continue;
            }
            match record.game.has_usual_start() {
                true => games.push(record.game.moves().collect()),
                false => skipped.push(format!(
                    "{}: the game begins with another position than the usual one",
                    entry.location.in_file(name)
                )),
            }
        }
        if is_empty {
            return Err(FormatError::Empty.into());
        }
        self.games.append(&mut games);
        self.held_out += held_out;
        self.files += 1;
        Ok(skipped)
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns `true` if the collection has no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Number of games held out because of their year.
    pub fn held_out(&self) -> usize {
        self.held_out
    }

    pub(super) fn path(&self, index: u32) -> Path {
        let game = Game::from_moves(&self.games[index as usize]);
        let game = game.expect("games with other moves were skipped");
        Path::new(game.turns().collect())
    }
}

impl fmt::Display for Collection {
    /// Identifies the games by number and checksum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = crc32fast::Hasher::new();
        for game in &self.games {
            let squares: Vec<u8> = game.iter().map(|square| square.index() as u8).collect();
            hasher.update(&[squares.len() as u8]);
            hasher.update(&squares);
        }
        let (files, games, checksum) = (self.files, self.len(), hasher.finalize());
        write!(f, "{games} games of {files} files, CRC-32 {checksum:08x}")?;
        match self.until {
            Some(until) => write!(f, ", up to {until}"),
            None => Ok(()),
        }
    }
}
