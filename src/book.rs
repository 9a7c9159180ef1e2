//! Interface of opening books for the protocols and the analysis. The crate `outflank-book` implements it.

use crate::board::Board;
use crate::game::Game;
use crate::search::Selectivity;
use crate::square::Ply;

/// Book move with its score, and the depth and selectivity of that score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move; `None` is a pass.
    pub ply: Ply,
    /// Score in discs for the mover, -64..=64.
    pub score: i32,
    /// Depth in plies of the line behind the score: book moves, then a search. A depth equal to the number of empty
    /// squares reaches the end of the game.
    pub depth: u32,
    /// Selectivity of the search at the end of that line.
    pub selectivity: Selectivity,
}

/// An opening book. `()` is an empty one.
pub trait OpeningBook {
    /// Returns the book moves of a board, the best first; none if the board is unknown.
    fn moves(&mut self, board: Board) -> Vec<BookMove>;

    /// Chooses the move to play; `None` if the player must search. A board with more empty squares than that of the
    /// previous call begins a new game.
    fn choose(&mut self, board: Board) -> Option<BookMove>;

    /// Returns the task that adds a game to the book. It may take minutes, so callers run it on a thread of their own.
    fn learn(&mut self, game: &Game) -> LearnTask;
}

/// Task that adds the positions of a game to a book. Its error is one line of text.
pub type LearnTask = Box<dyn FnOnce() -> Result<(), String> + Send>;

impl OpeningBook for () {
    fn moves(&mut self, _: Board) -> Vec<BookMove> {
        Vec::new()
    }

    fn choose(&mut self, _: Board) -> Option<BookMove> {
        None
    }

    fn learn(&mut self, _: &Game) -> LearnTask {
        Box::new(|| Ok(()))
    }
}
