//! Writing of databases.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;

use outflank::notation::GameRecord;
use outflank_database::Transactions;
use rusqlite::params;

use crate::index::{MAX_GAMES, key, visits};
use crate::row::{GameNames, Row};
use crate::store::{GAMES, GameDatabase, last_position};
use crate::summary::{BLOCK, GameSummary, write_block};
use crate::{DatabaseError, Fault};

/// Number of visits that are kept in memory before they are written: some 137,000 games in 128 to 256 MiB. Each writing
/// touches most pages of the file, so that fewer and larger ones are faster.
const PENDING: usize = 1 << 23;

/// Database open for writing, by one process at a time.
///
/// [`Writer::commit`] publishes changes. Uncommitted changes are lost when the writer is dropped or the process dies.
pub struct Writer {
    database: GameDatabase,
    transactions: Transactions,
    players: HashMap<String, u32>,
    tournaments: HashMap<String, u32>,
    /// Keys and words of visits that are not written yet.
    pending: Vec<(i64, u32)>,
    /// Games among the pending ones by the key of their last position.
    pending_ends: HashMap<i64, Vec<u32>>,
    /// Number of games whose summaries are written.
    summarized: usize,
}

/// Result of adding a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addition {
    /// Number of the new game.
    New(u32),
    /// Number of the game that was there already.
    Duplicate(u32),
    /// The game has no moves and is left out.
    NoMoves,
}

impl Writer {
    /// Creates an empty database. Fails if the file exists.
    pub fn create(path: &Path) -> Result<Writer, DatabaseError> {
        GAMES.create(path)?;
        Writer::open(path)
    }

    /// Opens the database at `path` for writing.
    pub fn open(path: &Path) -> Result<Writer, DatabaseError> {
        let connection = GAMES.open_to_write(path)?;
        let transactions = Transactions::begin(&GAMES, &connection);
        let transactions = transactions.map_err(|fault| fault.at(path))?;
        let database = GameDatabase::read(path, connection)?;
        let numbers = |names: &[String]| {
            (0..)
                .zip(names)
                .map(|(number, name)| (name.clone(), number))
                .collect()
        };
        Ok(Writer {
            players: numbers(&database.players),
            tournaments: numbers(&database.tournaments),
            pending: Vec::new(),
            pending_ends: HashMap::new(),
            summarized: database.games.len(),
            transactions,
            database,
        })
    }

    /// Opens the database at `path` for writing, or creates it.
    pub fn open_or_create(path: &Path) -> Result<Writer, DatabaseError> {
        match path.try_exists() {
            Ok(false) => Writer::create(path),
            _ => Writer::open(path),
        }
    }

    /// Adds a game, unless it is there.
    ///
    /// Games are the same if their moves are the same up to symmetry, and neither players nor years contradict each other.
    /// Evaluations and times of moves are not kept. From time to time all games so far are committed.
    pub fn add(&mut self, record: &GameRecord) -> Result<Addition, DatabaseError> {
        if record.game.moves().next().is_none() {
            return Ok(Addition::NoMoves);
        }
        self.check()?;
        let end = key(last_position(record).canonical().0);
        let stored = self.database.visits_of_key(end)?;
        let stored = stored
            .iter()
            .filter(|visit| visit.square.is_none())
            .map(|visit| visit.game);
        let pending = self.pending_ends.get(&end).into_iter().flatten().copied();
        if let Some(number) = self.database.find_among(record, stored.chain(pending))? {
            return Ok(Addition::Duplicate(number));
        }
        let number = self.database.games.len();
        if number >= MAX_GAMES {
            let most = format!("{MAX_GAMES} games");
            return Err(Fault::TooMany(most).at(self.path()));
        }
        let number = number as u32;
        self.insert(number, record)?;
        self.pending_ends.entry(end).or_default().push(number);
        let words = visits(number, &record.game).map(|(key, visit)| (key, visit.to_word()));
        self.pending.extend(words);
        if self.pending.len() >= PENDING {
            self.commit()?;
        }
        Ok(Addition::New(number))
    }

    /// Inserts the row and the summary of a game.
    fn insert(&mut self, number: u32, record: &GameRecord) -> Result<(), DatabaseError> {
        let GameNames {
            black,
            white,
            tournament,
        } = GameNames::of(record);
        let summary = GameSummary {
            black: self.player(black)?,
            white: self.player(white)?,
            tournament: self.tournament(tournament)?,
            year: record.year().filter(|&year| year > 0),
            score: record.score().map(|score| score as i8),
            moves: record.game.moves().count() as u8,
        };
        let Row {
            moves,
            start,
            properties,
        } = Row::of(record, &summary);
        self.database.games.push(summary);
        self.access(|connection| {
            let mut statement =
                connection.prepare_cached("insert into game values (?, ?, ?, ?)")?;
            statement.execute(params![number, moves, start, properties])
        })?;
        Ok(())
    }

    fn player(&mut self, name: &str) -> Result<u32, DatabaseError> {
        let names = &mut self.database.players;
        match number_of(name, &mut self.players, names) {
            (number, false) => Ok(number),
            (number, true) => self.insert_name("insert into player values (?, ?)", number, name),
        }
    }

    fn tournament(&mut self, name: &str) -> Result<u32, DatabaseError> {
        let names = &mut self.database.tournaments;
        match number_of(name, &mut self.tournaments, names) {
            (number, false) => Ok(number),
            (number, true) => {
                self.insert_name("insert into tournament values (?, ?)", number, name)
            }
        }
    }

    /// Inserts a name and returns its number.
    fn insert_name(&self, statement: &str, number: u32, name: &str) -> Result<u32, DatabaseError> {
        self.access(|connection| {
            let mut statement = connection.prepare_cached(statement)?;
            statement.execute(params![number, name])
        })?;
        Ok(number)
    }

    /// Returns an error after one that ended the transaction.
    fn check(&self) -> Result<(), DatabaseError> {
        let check = self.transactions.check(&self.connection);
        check.map_err(|fault| fault.at(self.path()))
    }

    /// Commits all changes since the last commit.
    pub fn commit(&mut self) -> Result<(), DatabaseError> {
        self.check()?;
        if self.summarized < self.games.len() {
            self.write_summaries()?;
            self.write_visits()?;
        }
        let commit = self.transactions.commit(&self.connection);
        commit.map_err(|fault| fault.at(self.path()))
    }

    fn write_summaries(&mut self) -> Result<(), DatabaseError> {
        let first = self.summarized / BLOCK;
        let blocks = (0i64..).zip(self.games.chunks(BLOCK)).skip(first);
        self.access(|connection| {
            let mut statement =
                connection.prepare_cached("insert or replace into summary values (?, ?)")?;
            for (number, block) in blocks {
                statement.execute(params![number, write_block(block)])?;
            }
            Ok(())
        })?;
        self.summarized = self.games.len();
        Ok(())
    }

    /// Writes the pending visits in the order of their keys, so that each page is written once.
    fn write_visits(&mut self) -> Result<(), DatabaseError> {
        let mut pending = std::mem::take(&mut self.pending);
        self.pending_ends.clear();
        pending.sort_unstable();
        self.access(|connection| {
            let mut select =
                connection.prepare_cached("select games from position where id = ?")?;
            let mut insert =
                connection.prepare_cached("insert or replace into position values (?, ?)")?;
            let is_empty: bool =
                connection.query_row("select not exists (select 1 from position)", [], |row| {
                    row.get(0)
                })?;
            let mut games: Vec<u8> = Vec::new();
            for visits in pending.chunk_by(|a, b| a.0 == b.0) {
                let key = visits[0].0;
                games.clear();
                if !is_empty && let Some(row) = select.query([key])?.next()? {
                    games.extend(row.get_ref(0)?.as_blob()?);
                }
                games.extend(visits.iter().flat_map(|(_, word)| word.to_le_bytes()));
                insert.execute(params![key, games])?;
            }
            Ok(())
        })
    }
}

/// Looks up the number of a name, or appends the name to `names`. The flag is `true` for a new name.
fn number_of(
    name: &str,
    numbers: &mut HashMap<String, u32>,
    names: &mut Vec<String>,
) -> (u32, bool) {
    if let Some(&number) = numbers.get(name) {
        return (number, false);
    }
    let number = names.len() as u32;
    numbers.insert(name.to_owned(), number);
    names.push(name.to_owned());
    (number, true)
}

impl Drop for Writer {
    fn drop(&mut self) {
        Transactions::end(&self.connection);
    }
}

impl Deref for Writer {
    type Target = GameDatabase;

    fn deref(&self) -> &GameDatabase {
        &self.database
    }
}
