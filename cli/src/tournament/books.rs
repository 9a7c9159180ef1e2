//! Opening books that the moves of a side are made by, without asking its engine.

use std::path::PathBuf;

use outflank_book::{BookError, BookPlayer, Tolerance};

use super::finished::Seat;
use super::schedule::Task;
use crate::book::open_unless_none;
use crate::output::complain;

/// The book of one of the engines.
#[derive(Clone, Debug)]
pub(crate) struct SeatBook {
    /// Its file, or `built-in`.
    pub(crate) path: PathBuf,
    pub(crate) tolerance: Tolerance,
    /// What the choice among moves begins with, in all games.
    pub(crate) seed: u64,
}

impl SeatBook {
    /// Opens it for a game: what it chooses depends on the seed and on the game, and not on the games before.
    pub(super) fn player(&self, task: &Task) -> Result<Option<BookPlayer>, BookError> {
        let game = 2 * task.pair as u64 + u64::from(task.black == Seat::B);
        let seed = self.seed.wrapping_add(game);
        let book = open_unless_none(&self.path)?;
        Ok(book.map(|book| BookPlayer::new(book, self.tolerance, seed).telling(complain)))
    }

    /// What makes its moves what they are, for a log.
    pub(super) fn origin(&self) -> String {
        let Tolerance { of_move, of_game } = self.tolerance;
        let path = self.path.display();
        format!(
            "{path}, tolerance {of_move} and {of_game}, seed {}",
            self.seed
        )
    }
}
