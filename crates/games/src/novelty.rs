//! Novelties: where a game left the known games.

use outflank::notation::GameRecord;

use crate::{DatabaseError, GameDatabase};

/// Last position of a game that other games of the database have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Novelty {
    /// Number of moves to the position. The next move is new.
    pub known_moves: usize,
    /// Numbers of the other games in the position, in ascending order.
    pub games: Vec<u32>,
}

impl GameDatabase {
    /// Finds where a game left the other games of the database. `None` if they do not even have its starting position.
    ///
    /// If the database has the game itself, it does not count.
    pub fn novelty(&self, record: &GameRecord) -> Result<Option<Novelty>, DatabaseError> {
        let itself = self.find(record)?;
        let positions: Vec<_> = record.game.turns().collect();
        for (known_moves, (board, _)) in positions.into_iter().enumerate().rev() {
            let visits = self.visits(board)?.into_iter().map(|visit| visit.game);
            let games: Vec<u32> = visits.filter(|&game| Some(game) != itself).collect();
            if !games.is_empty() {
                return Ok(Some(Novelty { known_moves, games }));
            }
        }
        Ok(None)
    }
}
