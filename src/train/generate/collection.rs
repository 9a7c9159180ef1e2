//! Games that were read from files.

use std::fmt;

use super::path::Path;
use crate::game::{Game, IllegalMove};
use crate::notation::wthor::{Database, WthorError};
use crate::notation::{is_text, transcript};
use crate::square::Square;

/// Games from WTHOR databases and transcripts.
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
    /// It is no WTHOR database, and no text either.
    #[error("neither a WTHOR database nor text: {0}")]
    Foreign(#[from] WthorError),
    /// Transcripts say nothing of years.
    #[error(
        "transcripts do not say when they were played, so games after {0} cannot be held out: use WTHOR \
         databases, or no limit"
    )]
    NoYear(u16),
    /// There is none in it.
    #[error("has no games")]
    Empty,
}

impl Collection {
    /// No games yet; of what is added, games played after `until` will be left out.
    pub fn new(until: Option<u16>) -> Collection {
        Collection {
            until,
            ..Collection::default()
        }
    }

    /// Adds the games of a file, a WTHOR database or transcripts by what it looks like. Games with
    /// moves that are not legal are skipped; the answer names them.
    pub fn add(&mut self, file: &[u8]) -> Result<Vec<String>, CollectionError> {
        let skipped = match is_text(file) {
            _ if file.is_empty() => return Err(CollectionError::Empty),
            true => self.add_transcripts(file)?,
            false => self.add_database(file)?,
        };
        self.files += 1;
        Ok(skipped)
    }

    fn add_database(&mut self, file: &[u8]) -> Result<Vec<String>, CollectionError> {
        let database = Database::read(file)?;
        if self.until.is_some_and(|until| database.year > until) {
            self.held_out += database.games.len();
            return Ok(Vec::new());
        }
        let mut skipped = Vec::new();
        for (index, game) in database.games.into_iter().enumerate() {
            if let Err(error) = self.add_game(game.moves) {
                skipped.push(format!("game {}: {error}", index + 1));
            }
        }
        Ok(skipped)
    }

    fn add_transcripts(&mut self, file: &[u8]) -> Result<Vec<String>, CollectionError> {
        if let Some(until) = self.until {
            return Err(CollectionError::NoYear(until));
        }
        let mut skipped = Vec::new();
        let mut none = true;
        for game in transcript::read(file) {
            none = false;
            let added = match game {
                Ok(game) => self
                    .add_game(game.moves)
                    .map_err(|error| format!("line {}: {error}", game.line)),
                Err(error) => Err(format!("line {error}")),
            };
            skipped.extend(added.err());
        }
        match none {
            true => Err(CollectionError::Empty),
            false => Ok(skipped),
        }
    }

    fn add_game(&mut self, moves: Vec<Square>) -> Result<(), IllegalMove> {
        Game::from_moves(&moves)?;
        self.games.push(moves);
        Ok(())
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
