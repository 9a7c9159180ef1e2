//! Games that were read from files.

use std::fmt;

use super::path::Path;
use outflank::game::Game;
use outflank::notation::{self, Contents, Format, FormatError, ReadError};
use outflank::square::Square;

/// Games from files: GGF, WTHOR, transcripts.
#[derive(Debug, Default)]
pub struct Collection {
    games: Vec<Vec<Square>>,
    files: usize,
    /// Games of later years are never touched: they are held out to be tested on.
    until: Option<u16>,
    held_out: usize,
}

/// Why a file has no games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CollectionError {
    /// It is of another kind, or has nothing.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is a database that cannot be read.
    #[error("{0}")]
    Read(ReadError),
    /// It has positions.
    #[error("it has positions, not games")]
    Positions,
    /// Games whose years are not known cannot be told from those to be held out.
    #[error(
        "it does not say when its games were played, so games after {0} cannot be held out: use WTHOR \
         databases or GGF with dates (DT), or no limit"
    )]
    NoYear(u16),
}

impl Collection {
    /// No games yet; of what is added, games played after `until` will be left out.
    pub fn new(until: Option<u16>) -> Collection {
        Collection {
            until,
            ..Collection::default()
        }
    }

    /// Adds the games of a file called `name`, whose format its contents say. Games that cannot be read, or
    /// begin with another position than the usual one, are skipped; the answer names them. An error adds
    /// nothing.
    pub fn add(&mut self, name: &str, file: &[u8]) -> Result<Vec<String>, CollectionError> {
        let (mut games, mut skipped, mut held_out) = (Vec::new(), Vec::new(), 0);
        let mut is_empty = true;
        for entry in notation::read(file, Format::of(file)?) {
            is_empty = false;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error @ ReadError::Wthor(_)) => return Err(CollectionError::Read(error)),
                Err(error) => {
                    skipped.push(error.of_file(name));
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
                    entry.place.of_file(name)
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

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of games that were left out because they are too late.
    pub fn held_out(&self) -> usize {
        self.held_out
    }

    /// The game in place `place`.
    pub(super) fn path(&self, place: u32) -> Path {
        let game = Game::from_moves(&self.games[place as usize]);
        let game = game.expect("games with other moves were skipped");
        Path::new(game.turns().collect())
    }
}

impl fmt::Display for Collection {
    /// All that decides which games these are.
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
