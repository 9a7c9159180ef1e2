//! What a player may know of openings before it searches. Books themselves are in the crate `outflank-book`; here
//! is what the protocols ask of one.

use crate::board::Board;
use crate::game::Game;
use crate::search::Selectivity;
use crate::square::Ply;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move; `None` is a pass.
    pub ply: Ply,
    /// Discs for who makes it, -64..=64.
    pub value: i32,
    /// Plies of the search that its value comes from, with those that lead there by moves of the book; as many as empty squares
    /// is to the end of the game.
    pub depth: u32,
    /// How certain that search was.
    pub selectivity: Selectivity,
}

/// Knows moves of some positions. `()` is one that knows none.
pub trait OpeningBook {
    /// The moves of a board that the book knows, the best first; none where it does not know the board.
    fn moves(&mut self, board: Board) -> Vec<BookMove>;

    /// The move to play; `None` where it is to be searched for. A call with more empty squares than the one before
    /// begins a new game.
    fn choose(&mut self, board: Board) -> Option<BookMove>;

    /// What adds the positions of a game to the book, which may take minutes: whoever calls it chooses the thread.
    fn learn(&mut self, game: &Game) -> Lesson;
}

/// Adds the positions of a game to a book. It ends when that is done; an error says in one line why it cannot be.
pub type Lesson = Box<dyn FnOnce() -> Result<(), String> + Send>;

impl OpeningBook for () {
    fn moves(&mut self, _: Board) -> Vec<BookMove> {
        Vec::new()
    }

    fn choose(&mut self, _: Board) -> Option<BookMove> {
        None
    }

    fn learn(&mut self, _: &Game) -> Lesson {
        Box::new(|| Ok(()))
    }
}
