//! The first move of a game that no other game of a database has.

use outflank::notation::{GameRecord, ply_name};
use outflank_games::{DatabaseError, GameDatabase};
use outflank_support::text::{one_line, plural};
use serde::Serialize;

/// Last position of a game that other games of a database have.
#[derive(Serialize)]
pub(super) struct Novelty {
    /// Moves to the position.
    known_moves: usize,
    /// First new move. `None` if all moves are known.
    #[serde(rename = "move")]
    new_move: Option<String>,
    /// Number of other games in the position.
    games: usize,
    /// Players and year of the latest one. `None` without games.
    latest: Option<String>,
}

impl Novelty {
    /// Looks up a game. Without a known position there are no games, and the first move is new.
    pub(super) fn of(
        record: &GameRecord,
        database: &GameDatabase,
    ) -> Result<Novelty, DatabaseError> {
        let (known_moves, mut games) = match database.novelty(record)? {
            Some(found) => (found.known_moves, found.games),
            None => (0, Vec::new()),
        };
        database.sort_newest_first(&mut games);
        let latest = games.first().map(|&game| database.game(game));
        let next = record.game.moves().nth(known_moves);
        Ok(Novelty {
            known_moves,
            new_move: next.map(|square| ply_name(Some(square))),
            games: games.len(),
            latest: latest.transpose()?.map(|latest| title(&latest)),
        })
    }

    /// Text of a line.
    pub(super) fn text(&self) -> String {
        let Some(latest) = &self.latest else {
            return "new: no known game has the starting position".to_owned();
        };
        let games = plural(self.games, "known game", "known games");
        match &self.new_move {
            Some(new) => {
                let number = self.known_moves + 1;
                format!("new: move {number}, {new}; before it {games}, the latest {latest}")
            }
            None => format!("nothing new: {games}, the latest {latest}"),
        }
    }
}

/// Players and year of a game.
fn title(record: &GameRecord) -> String {
    let players = record.players().unwrap_or_else(|| {
        let name = |property| record.property(property).map_or("?".to_owned(), one_line);
        format!("{} - {}", name("PB"), name("PW"))
    });
    match record.year() {
        Some(year) => format!("{players}, {year}"),
        None => players,
    }
}
