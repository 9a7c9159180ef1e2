//! Play by a book.

use outflank::book::{BookMove, LearnTask, OpeningBook};
use outflank::{Board, Engine, Game, Limits, Ply, Selectivity};
use outflank_random::SplitMix64;

use crate::entry::{BookEntry, ValuedMove, after};
use crate::{Book, BookError};

/// Discs that may be sacrificed for variety.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tolerance {
    /// Per move, compared with the best move.
    pub of_move: i32,
    /// Per game.
    pub of_game: i32,
}

/// Random choice among moves that are nearly as good as the best one.
struct Chance {
    tolerance: Tolerance,
    random: SplitMix64,
    /// Discs sacrificed in this game.
    sacrificed: i32,
    /// Empty squares of the last board. A board with more begins a new game.
    empties: u32,
}

impl Chance {
    fn new(tolerance: Tolerance, seed: u64) -> Chance {
        Chance {
            tolerance,
            random: SplitMix64::new(seed),
            sacrificed: 0,
            empties: 0,
        }
    }

    /// Chooses one of these moves, which are sorted best first.
    fn choose(&mut self, board: Board, moves: &[BookMove]) -> Option<BookMove> {
        let before = std::mem::replace(&mut self.empties, board.empty_count());
        if self.empties > before {
            self.sacrificed = 0;
        }
        let best = moves.first()?.score;
        let left = self.tolerance.of_game - self.sacrificed;
        let allowed = self.tolerance.of_move.min(left).max(0);
        let near = moves.partition_point(|candidate| best - candidate.score <= allowed);
        let chosen = self.random.pick(&moves[..near]);
        self.sacrificed += best - chosen.score;
        Some(chosen)
    }
}

/// Function that prepares a task that learns a game.
type Teacher = Box<dyn FnMut(&Game) -> LearnTask + Send>;

/// Opening book with a random choice of moves.
pub struct BookPlayer {
    book: Book,
    chance: Chance,
    teacher: Option<Teacher>,
    on_error: Option<Box<dyn FnMut(BookError) + Send>>,
    /// `true` if the last access failed.
    is_failing: bool,
}

impl BookPlayer {
    /// Plays by `book`, with a random choice among moves within the tolerance. Equal seeds and games give equal moves.
    pub fn new(book: Book, tolerance: Tolerance, seed: u64) -> BookPlayer {
        BookPlayer {
            book,
            chance: Chance::new(tolerance, seed),
            teacher: None,
            on_error: None,
            is_failing: false,
        }
    }

    /// Adds a handler of reading errors, called for the first of consecutive errors. A failing book knows no moves.
    pub fn on_error(self, handler: impl FnMut(BookError) + Send + 'static) -> BookPlayer {
        BookPlayer {
            on_error: Some(Box::new(handler)),
            ..self
        }
    }

    /// Adds a function that learns finished games.
    pub fn with_teacher(
        self,
        teacher: impl FnMut(&Game) -> LearnTask + Send + 'static,
    ) -> BookPlayer {
        BookPlayer {
            teacher: Some(Box::new(teacher)),
            ..self
        }
    }

    /// Book by which it plays.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Known moves of a board, as [`Book::moves`].
    pub fn look_up(&self, board: Board) -> Result<Vec<BookMove>, BookError> {
        self.book.moves(board)
    }

    /// Picks the move to play; `None` if the book does not know the board. A board with more empty squares than the
    /// last one begins a new game, in which no discs have been sacrificed yet.
    pub fn pick(&mut self, board: Board) -> Result<Option<BookMove>, BookError> {
        let moves = self.look_up(board)?;
        Ok(self.chance.choose(board, &moves))
    }

    /// Reports an error to the handler, and replaces it by an empty result.
    fn handle<T: Default>(&mut self, result: Result<T, BookError>) -> T {
        let was_failing = std::mem::replace(&mut self.is_failing, result.is_err());
        result.unwrap_or_else(|error| {
            if let Some(handler) = self.on_error.as_mut().filter(|_| !was_failing) {
                handler(error);
            }
            T::default()
        })
    }
}

impl OpeningBook for BookPlayer {
    fn moves(&mut self, board: Board) -> Vec<BookMove> {
        let moves = self.look_up(board);
        self.handle(moves)
    }

    fn choose(&mut self, board: Board) -> Option<BookMove> {
        let picked = self.pick(board);
        self.handle(picked)
    }

    fn learn(&mut self, game: &Game) -> LearnTask {
        match &mut self.teacher {
            Some(teach) => teach(game),
            None => ().learn(game),
        }
    }
}

impl Book {
    /// Known moves of a position, best first. Empty if the book lacks the position.
    pub fn moves(&self, board: Board) -> Result<Vec<BookMove>, BookError> {
        let Some(entry) = self.entry(board)? else {
            return Ok(Vec::new());
        };
        let moves = entry.best_first().into_iter();
        let known = moves.map(|ValuedMove { ply, value }| {
            let (depth, selectivity) = self.origin(&entry, ply)?;
            Ok(BookMove {
                ply,
                score: value,
                depth,
                selectivity,
            })
        });
        known.collect()
    }

    /// Depth and selectivity of the value of a move.
    ///
    /// The depth is the number of moves of the best line to a leaf, plus the depth of the leaf's search. A value set by
    /// hand ends the line, with the lowest selectivity.
    fn origin(&self, entry: &BookEntry, ply: Ply) -> Result<(u32, Selectivity), BookError> {
        let empties = entry.board().empty_count();
        let (mut entry, mut ply, mut made) = (entry.clone(), ply, 0);
        loop {
            let searched = entry.searched();
            let depth = (made + u32::from(searched.depth)).min(empties);
            let is_leaf = entry.leaf().is_some_and(|leaf| leaf.ply == ply);
            let next = after(entry.board(), ply).filter(|_| !is_leaf);
            // A link without a target ends the line. `check` reports such links.
            let Some(next) = next.map(|next| self.entry(next)).transpose()?.flatten() else {
                return Ok((depth, searched.selectivity));
            };
            made += u32::from(ply.is_some());
            if next.manual_value().is_some() {
                return Ok((made, Selectivity::P73));
            }
            let best = next.leaf().filter(|leaf| leaf.value == next.value());
            let Some(best) = best.or_else(|| next.best_first().first().copied()) else {
                return Ok((empties, Selectivity::Full));
            };
            (entry, ply) = (next, best.ply);
        }
    }
}

/// Wrapper of a book that varies the first moves of the game by shallow searches where the book knows no move.
pub struct VariedOpenings {
    book: Box<dyn OpeningBook>,
    engine: Engine,
    chance: Chance,
}

/// Number of plies at the start of a game in which moves vary.
const VARIED_PLIES: u32 = 12;

/// Depth of the searches for variation, in plies.
const VARIED_DEPTH: u32 = 8;

impl VariedOpenings {
    /// Searches moves of the first 12 plies that `book` does not know to a depth of 8 plies. Choices sacrifice at most
    /// `discs` in a game.
    pub fn new(
        book: Box<dyn OpeningBook>,
        engine: Engine,
        discs: i32,
        seed: u64,
    ) -> VariedOpenings {
        let tolerance = Tolerance {
            of_move: discs,
            of_game: discs,
        };
        VariedOpenings {
            book,
            engine,
            chance: Chance::new(tolerance, seed),
        }
    }
}

impl OpeningBook for VariedOpenings {
    fn moves(&mut self, board: Board) -> Vec<BookMove> {
        self.book.moves(board)
    }

    fn choose(&mut self, board: Board) -> Option<BookMove> {
        let known = self.book.choose(board);
        if known.is_some() || board.empty_count() <= 60 - VARIED_PLIES {
            return known;
        }
        let limits = Limits {
            lines: 64,
            ..Limits::depth(VARIED_DEPTH, Selectivity::P73)
        };
        let result = self.engine.search(board, &limits).ok()?;
        let candidates = result.candidates.iter();
        let moves: Vec<_> = candidates
            .map(|candidate| BookMove {
                ply: candidate.ply,
                score: candidate.score,
                depth: result.depth,
                selectivity: result.selectivity,
            })
            .collect();
        self.chance.choose(board, &moves)
    }

    fn learn(&mut self, game: &Game) -> LearnTask {
        self.book.learn(game)
    }
}
