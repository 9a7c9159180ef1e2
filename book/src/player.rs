//! Playing by a book.

use outflank::book::{BookMove, Lesson, OpeningBook};
use outflank::{Board, Engine, Game, Limits, Ply, Selectivity};
use outflank_random::SplitMix;

use crate::entry::{Entry, after};
use crate::{Book, BookError};

/// What may be given away for variety, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tolerance {
    /// By one move, against the best one.
    pub of_move: i32,
    /// By all moves of a game.
    pub of_game: i32,
}

/// Chooses by chance among moves that are nearly as good as the best one.
struct Chance {
    tolerance: Tolerance,
    random: SplitMix,
    /// What was given away in this game.
    given: i32,
    /// The empty squares of the last board.
    empties: u32,
}

impl Chance {
    fn new(tolerance: Tolerance, seed: u64) -> Chance {
        Chance {
            tolerance,
            random: SplitMix::new(seed),
            given: 0,
            empties: 0,
        }
    }

    /// One of these moves, the best of which comes first.
    fn choose(&mut self, board: Board, moves: &[BookMove]) -> Option<BookMove> {
        let before = std::mem::replace(&mut self.empties, board.empty_count());
        if self.empties > before {
            self.given = 0;
        }
        let best = moves.first()?.value;
        let left = self.tolerance.of_game - self.given;
        let most = self.tolerance.of_move.min(left).max(0);
        let near = moves.partition_point(|one| best - one.value <= most);
        let chosen = self.random.pick(&moves[..near]);
        self.given += best - chosen.value;
        Some(chosen)
    }
}

/// Prepares to learn a game.
type Teacher = Box<dyn FnMut(&Game) -> Lesson + Send>;

/// A book that is played by.
pub struct BookPlayer {
    book: Book,
    chance: Chance,
    teacher: Option<Teacher>,
    /// Is told why the book cannot be read.
    on_error: Option<Box<dyn FnMut(BookError) + Send>>,
    /// Whether it could not be read the last time.
    is_failing: bool,
}

impl BookPlayer {
    /// Plays by `book`: of moves that are equal within the tolerance, one by chance. The same seed and the same games
    /// give the same moves.
    pub fn new(book: Book, tolerance: Tolerance, seed: u64) -> BookPlayer {
        BookPlayer {
            book,
            chance: Chance::new(tolerance, seed),
            teacher: None,
            on_error: None,
            is_failing: false,
        }
    }

    /// The same, where `tell` hears why the book cannot be read, once until it can be read again. A book that cannot be read
    /// knows nothing.
    pub fn telling(self, tell: impl FnMut(BookError) + Send + 'static) -> BookPlayer {
        BookPlayer {
            on_error: Some(Box::new(tell)),
            ..self
        }
    }

    /// The same, where games that are to be learnt are given to `teacher`.
    pub fn taught_by(self, teacher: impl FnMut(&Game) -> Lesson + Send + 'static) -> BookPlayer {
        BookPlayer {
            teacher: Some(Box::new(teacher)),
            ..self
        }
    }
}

impl BookPlayer {
    /// The moves of a board that the book knows, as [`Book::moves`].
    pub fn look_up(&self, board: Board) -> Result<Vec<BookMove>, BookError> {
        self.book.moves(board)
    }

    /// The move to play; `None` where the book does not know the board. What moves give away is counted from a board with
    /// more empty squares than the one before on, which begins a new game.
    pub fn pick(&mut self, board: Board) -> Result<Option<BookMove>, BookError> {
        let moves = self.look_up(board)?;
        Ok(self.chance.choose(board, &moves))
    }

    /// What was found, or nothing where the book cannot be read, which is told.
    fn told<T: Default>(&mut self, found: Result<T, BookError>) -> T {
        let was_failing = std::mem::replace(&mut self.is_failing, found.is_err());
        found.unwrap_or_else(|error| {
            if let Some(tell) = self.on_error.as_mut().filter(|_| !was_failing) {
                tell(error);
            }
            T::default()
        })
    }
}

impl OpeningBook for BookPlayer {
    fn moves(&mut self, board: Board) -> Vec<BookMove> {
        let found = self.look_up(board);
        self.told(found)
    }

    fn choose(&mut self, board: Board) -> Option<BookMove> {
        let picked = self.pick(board);
        self.told(picked)
    }

    fn learn(&mut self, game: &Game) -> Lesson {
        match &mut self.teacher {
            Some(teach) => teach(game),
            None => ().learn(game),
        }
    }
}

impl Book {
    /// The moves of a position that the book knows, the best first; none where it does not know the position.
    pub fn moves(&self, board: Board) -> Result<Vec<BookMove>, BookError> {
        let Some(entry) = self.entry(board)? else {
            return Ok(Vec::new());
        };
        let moves = entry.best_first().into_iter();
        let known = moves.map(|one| {
            let (depth, selectivity) = self.origin(&entry, one.ply)?;
            Ok(BookMove {
                ply: one.ply,
                value: one.value,
                depth,
                selectivity,
            })
        });
        known.collect()
    }

    /// How far the search went that a move has its value from, seen from the position before the move: the moves that
    /// lead to a leaf, by the best ones, and the plies that the leaf was searched.
    fn origin(&self, entry: &Entry, ply: Ply) -> Result<(u32, Selectivity), BookError> {
        let empties = entry.board().empty_count();
        let (mut entry, mut ply, mut made) = (entry.clone(), ply, 0);
        loop {
            let searched = entry.searched();
            let depth = (made + u32::from(searched.depth)).min(empties);
            let is_leaf = entry.leaf().is_some_and(|leaf| leaf.ply == ply);
            let next = after(entry.board(), ply).filter(|_| !is_leaf);
            // A link that leads nowhere is a matter of `check`.
            let Some(next) = next.map(|next| self.entry(next)).transpose()?.flatten() else {
                return Ok((depth, searched.selectivity));
            };
            made += u32::from(ply.is_some());
            let best = next.leaf().filter(|leaf| leaf.value == next.value());
            let Some(best) = best.or_else(|| next.best_first().first().copied()) else {
                return Ok((empties, Selectivity::Full));
            };
            (entry, ply) = (next, best.ply);
        }
    }
}

/// Varies the first moves of a game: by a shallow search where the book that it was given knows nothing.
pub struct Varied {
    book: Box<dyn OpeningBook>,
    engine: Engine,
    chance: Chance,
}

/// The plies in which moves are varied, and how deep they are searched for that.
const VARIED_PLIES: u32 = 12;
const VARIED_DEPTH: u32 = 8;

impl Varied {
    /// The moves of the first 12 plies that `book` does not know are searched 8 plies deep by `engine`, and give away no
    /// more than `discs`, all together.
    pub fn new(book: Box<dyn OpeningBook>, engine: Engine, discs: i32, seed: u64) -> Varied {
        let tolerance = Tolerance {
            of_move: discs,
            of_game: discs,
        };
        Varied {
            book,
            engine,
            chance: Chance::new(tolerance, seed),
        }
    }
}

impl OpeningBook for Varied {
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
        let found = self.engine.search(board, &limits).ok()?;
        let of_square = |ply: Ply, value| BookMove {
            ply,
            value,
            depth: found.depth,
            selectivity: found.selectivity,
        };
        let candidates = found.candidates.iter();
        let moves: Vec<_> = candidates
            .map(|one| of_square(one.ply, one.score))
            .collect();
        self.chance.choose(board, &moves)
    }

    fn learn(&mut self, game: &Game) -> Lesson {
        self.book.learn(game)
    }
}
