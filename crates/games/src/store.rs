//! Database files.

use std::path::{Path, PathBuf};

use outflank::Board;
use outflank::notation::GameRecord;
use outflank_database::{DatabaseError, Fault, Kind};
use rusqlite::{Connection, OptionalExtension};

use crate::index::{MAX_GAMES, Visit, key};
use crate::row::{GameNames, InvalidRow, Row, canonical_moves, is_number};
use crate::summary::{BLOCK, GameSummary, read_block};

/// Kind of the files.
///
/// Rows of `position` have the games that reached a position ([`Visit`]), rows of `summary` 1024 games each. Players and
/// tournaments are numbered from 1, games and rows of `summary` from 0.
pub(crate) static GAMES: Kind = Kind {
    name: "a database of games",
    noun: "database of games",
    application: *b"OfGm",
    versions: 1..=1,
    tables: &[
        (
            "player",
            "CREATE TABLE player (id integer primary key, name text not null)",
        ),
        (
            "tournament",
            "CREATE TABLE tournament (id integer primary key, name text not null)",
        ),
        (
            "summary",
            "CREATE TABLE summary (id integer primary key, games blob not null)",
        ),
        (
            "game",
            "CREATE TABLE game (id integer primary key, moves blob not null, start text, properties text not null)",
        ),
        (
            "position",
            "CREATE TABLE position (id integer primary key, games blob not null)",
        ),
    ],
    // A position of all games.
    longest_row: 1 << 27,
};

/// Database open for reading. It has the games that were there when it was opened.
pub struct GameDatabase {
    path: PathBuf,
    pub(crate) connection: Connection,
    pub(crate) players: Vec<String>,
    pub(crate) tournaments: Vec<String>,
    pub(crate) games: Vec<GameSummary>,
}

impl GameDatabase {
    /// Opens the database at `path`. This reads names and summaries: 2 to 3 ms for 130,000 games.
    pub fn open(path: &Path) -> Result<GameDatabase, DatabaseError> {
        GameDatabase::read(path, GAMES.open(path)?)
    }

    pub(crate) fn read(path: &Path, connection: Connection) -> Result<GameDatabase, DatabaseError> {
        let mut database = GameDatabase {
            path: path.to_owned(),
            connection,
            players: Vec::new(),
            tournaments: Vec::new(),
            games: Vec::new(),
        };
        // All from the same commit.
        database.access(|connection| connection.execute_batch("savepoint reading"))?;
        database.players = database.names("select id, name from player order by id")?;
        database.tournaments = database.names("select id, name from tournament order by id")?;
        database.games = database.summaries()?;
        database.access(|connection| connection.execute_batch("release reading"))?;
        Ok(database)
    }

    /// Calls `take` for every row of `query`. The first column must be the id, and the ids must ascend.
    ///
    /// In a hostile file, page pointers can repeat, so that a scan never ends in practice. Repeated ids do not ascend, so
    /// the scan stops at the first one.
    fn scan(
        &self,
        query: &str,
        mut take: impl FnMut(i64, &rusqlite::Row) -> Result<(), Fault>,
    ) -> Result<(), DatabaseError> {
        let fault = |error| GAMES.fault(error).at(&self.path);
        let mut query = self.connection.prepare(query).map_err(fault)?;
        let mut rows = query.query([]).map_err(fault)?;
        let mut last = None;
        while let Some(row) = rows.next().map_err(fault)? {
            let id = row.get(0).map_err(fault)?;
            if last.replace(id).is_some_and(|last| last >= id) {
                return Err(self.damaged("its rows are not in order"));
            }
            take(id, row).map_err(|fault| fault.at(&self.path))?;
        }
        Ok(())
    }

    fn names(&self, query: &str) -> Result<Vec<String>, DatabaseError> {
        let mut names = vec![String::new()];
        let mut room = self.size()?;
        self.scan(query, |id, row| {
            if id != names.len() as i64 {
                return Err(Fault::Damaged("a name is missing".to_owned()));
            }
            let name: String = row.get(1).map_err(|error| GAMES.fault(error))?;
            room = take_room(room, name.len())?;
            names.push(name);
            Ok(())
        })?;
        Ok(names)
    }

    fn summaries(&self) -> Result<Vec<GameSummary>, DatabaseError> {
        let mut games = Vec::new();
        let mut room = self.size()?;
        self.scan("select id, games from summary order by id", |id, row| {
            if id != (games.len() / BLOCK) as i64 || !games.len().is_multiple_of(BLOCK) {
                return Err(Fault::Damaged("a row of summaries is missing".to_owned()));
            }
            let block = row.get_ref(1).and_then(|block| Ok(block.as_blob()?));
            let block = block.map_err(|error| GAMES.fault(error))?;
            room = take_room(room, block.len())?;
            read_block(block, &mut games)
        })?;
        let is_known = |game: &GameSummary| {
            let is_player = |number: u32| (number as usize) < self.players.len();
            let is_tournament = (game.tournament as usize) < self.tournaments.len();
            is_player(game.black) && is_player(game.white) && is_tournament
        };
        match games.iter().all(is_known) {
            true if games.len() <= MAX_GAMES => Ok(games),
            true => Err(self.damaged("it has more games than its format allows")),
            false => Err(self.damaged("a game has a player or tournament without a name")),
        }
    }

    /// Accesses the file, and translates SQLite's errors.
    pub(crate) fn access<T>(
        &self,
        access: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        access(&self.connection).map_err(|error| GAMES.fault(error).at(&self.path))
    }

    pub(crate) fn damaged(&self, what: &str) -> DatabaseError {
        Fault::Damaged(what.to_owned()).at(&self.path)
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Summaries of all games. The index is the number of a game.
    pub fn games(&self) -> &[GameSummary] {
        &self.games
    }

    /// Names of players by number. Name 0 is empty: an unknown player.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Names of tournaments by number. Name 0 is empty: an unknown tournament.
    pub fn tournaments(&self) -> &[String] {
        &self.tournaments
    }

    /// Sorts numbers of games, the newest first. Of games of one year, the last to be imported is the newest.
    pub fn sort_newest_first(&self, games: &mut [u32]) {
        games.sort_by_key(|&game| std::cmp::Reverse((self.games[game as usize].year, game)));
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> Result<u64, DatabaseError> {
        let query = "select page_count * page_size from pragma_page_count, pragma_page_size";
        let size = self.access(|it| it.query_row(query, [], |row| row.get::<_, i64>(0)));
        Ok(size? as u64)
    }

    /// Number of different positions, up to symmetry. Counting scans the file: a second for ten million.
    pub fn position_count(&self) -> Result<u64, DatabaseError> {
        let mut count = 0;
        self.scan("select id from position order by id", |_, _| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// Game of this number with its properties. Evaluations and times of its moves were not kept.
    ///
    /// # Panics
    ///
    /// Panics if there is no such game.
    pub fn game(&self, number: u32) -> Result<GameRecord, DatabaseError> {
        let summary = &self.games[number as usize];
        let names = GameNames {
            black: &self.players[summary.black as usize],
            white: &self.players[summary.white as usize],
            tournament: &self.tournaments[summary.tournament as usize],
        };
        let record = self.row(number)?.record(summary, &names);
        record.map_err(|InvalidRow| self.invalid(number))
    }

    fn row(&self, number: u32) -> Result<Row, DatabaseError> {
        let row = self.access(|connection| {
            let query = "select moves, start, properties from game where id = ?";
            let mut query = connection.prepare_cached(query)?;
            let read = |row: &rusqlite::Row| {
                Ok(Row {
                    moves: row.get(0)?,
                    start: row.get(1)?,
                    properties: row.get(2)?,
                })
            };
            query.query_row([number], read).optional()
        })?;
        row.ok_or_else(|| self.invalid(number))
    }

    fn invalid(&self, game: u32) -> DatabaseError {
        self.damaged(&format!("game {game} is invalid"))
    }

    /// Games that reached a position or one that is symmetric to it, by number, with the moves that followed. Moves are in
    /// the orientation of `board`.
    ///
    /// The first game is checked to have the position, because another position can have the same key. Two positions of
    /// the same key in one database are not told apart.
    pub fn visits(&self, board: Board) -> Result<Vec<Visit>, DatabaseError> {
        let (canonical, symmetry) = board.canonical();
        let mut visits = self.visits_of_key(key(canonical))?;
        if let Some(first) = visits.first() {
            // Another position can have the same key.
            let game = self.row(first.game)?.game();
            let game = game.map_err(|InvalidRow| self.invalid(first.game))?;
            if !game
                .turns()
                .any(|(board, _)| board.canonical().0 == canonical)
            {
                return Ok(Vec::new());
            }
        }
        let inverse = symmetry.inverse();
        for visit in &mut visits {
            visit.square = visit.square.map(|square| inverse.square(square));
        }
        Ok(visits)
    }

    /// Games that reached a position of this key, without games that were added after the file was opened. Moves are in
    /// the orientation of the canonical position.
    pub(crate) fn visits_of_key(&self, key: i64) -> Result<Vec<Visit>, DatabaseError> {
        let visits = self.access(|connection| {
            let mut query = connection.prepare_cached("select games from position where id = ?")?;
            query
                .query_row([key], |row| Ok(read_visits(row.get_ref(0)?.as_blob()?)))
                .optional()
        })?;
        let mut visits: Vec<Visit> = visits.unwrap_or_default();
        visits.retain(|visit| (visit.game as usize) < self.games.len());
        Ok(visits)
    }

    /// Finds a game with these moves, up to symmetry, among the games of these numbers, unless players or year differ.
    /// Unknown players and years differ from none.
    pub(crate) fn find_among(
        &self,
        record: &GameRecord,
        candidates: impl Iterator<Item = u32>,
    ) -> Result<Option<u32>, DatabaseError> {
        let names = GameNames::of(record);
        let year = record.year();
        let mut moves = None;
        for number in candidates {
            let summary = &self.games[number as usize];
            let is_year = year.is_none() || summary.year.is_none() || year == summary.year;
            let [black, white] =
                [summary.black, summary.white].map(|player| &self.players[player as usize]);
            if !is_year || !is_same_name(names.black, black) || !is_same_name(names.white, white) {
                continue;
            }
            let moves = moves.get_or_insert_with(|| canonical_moves(&record.game));
            let game = self.row(number)?.game();
            let game = game.map_err(|InvalidRow| self.invalid(number))?;
            if canonical_moves(&game) == *moves {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Finds a game with the same moves, up to symmetry. Players and years must not contradict each other; unknown ones
    /// do not.
    pub fn find(&self, record: &GameRecord) -> Result<Option<u32>, DatabaseError> {
        let visits = self.visits(last_position(record))?;
        let ended = visits.iter().filter(|visit| visit.square.is_none());
        self.find_among(record, ended.map(|visit| visit.game))
    }
}

/// Last position of a game, after a forced pass.
pub(crate) fn last_position(record: &GameRecord) -> Board {
    let last = record.game.turns().last();
    last.expect("the start is one").0
}

/// Takes `bytes` from the room that is left. Rows of a hostile file can share pages, so that they have more bytes than
/// the file.
fn take_room(room: u64, bytes: usize) -> Result<u64, Fault> {
    let left = room.checked_sub(bytes as u64);
    left.ok_or_else(|| Fault::Damaged("its rows share pages".to_owned()))
}

fn read_visits(bytes: &[u8]) -> Vec<Visit> {
    let words = bytes.as_chunks::<{ Visit::BYTES }>().0.iter();
    words
        .map(|&word| Visit::from_word(u32::from_le_bytes(word)))
        .collect()
}

/// Returns `true` unless two names name different people. A number such as `#8` is not a name. Order and case of the words
/// do not matter.
fn is_same_name(a: &str, b: &str) -> bool {
    let is_unknown = |name: &str| name.is_empty() || is_number(name);
    let words = |name: &str| {
        let name = name.to_lowercase();
        let mut words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    is_unknown(a) || is_unknown(b) || words(a) == words(b)
}

#[cfg(test)]
mod tests {
    use super::is_same_name;

    #[test]
    fn names_are_compared_without_order_and_case() {
        for (a, b, expected) in [
            ("Tastet Marc", "Marc TASTET", true),
            ("Tastet Marc", "#8", true),
            ("", "Tastet Marc", true),
            ("Tastet Marc", "Tastet", false),
        ] {
            assert_eq!(is_same_name(a, b), expected, "{a}, {b}");
        }
    }
}
