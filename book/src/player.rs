//! Playing by a book.

use outflank::book::{BookMove, OpeningBook};
use outflank::{Board, Engine, Game, Limits, Ply, Selectivity};
use outflank_random::SplitMix;

use crate::Book;
use crate::entry::Entry;

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

/// A book that is played by.
pub struct BookPlayer {
    book: Book,
    chance: Chance,
    /// What learns games.
    #[expect(clippy::type_complexity, reason = "it is used once")]
    teacher: Option<Box<dyn FnMut(&Game) -> Result<(), String> + Send>>,
}

impl BookPlayer {
    /// Plays by `book`: of moves that are equal within the tolerance, one by chance. The same seed and the same games
    /// give the same moves.
    pub fn new(book: Book, tolerance: Tolerance, seed: u64) -> BookPlayer {
        BookPlayer {
            book,
            chance: Chance::new(tolerance, seed),
            teacher: None,
        }
    }

    /// The same, where games that are to be learnt are given to `teacher`.
    pub fn taught_by(
        self,
        teacher: impl FnMut(&Game) -> Result<(), String> + Send + 'static,
    ) -> BookPlayer {
        BookPlayer {
            teacher: Some(Box::new(teacher)),
            ..self
        }
    }
}

impl OpeningBook for BookPlayer {
    /// A book that cannot be read any more knows nothing.
    fn moves(&mut self, board: Board) -> Vec<BookMove> {
        let entry = self.book.entry(board).ok().flatten();
        entry.map_or_else(Vec::new, |entry| moves(&entry))
    }

    fn choose(&mut self, board: Board) -> Option<BookMove> {
        let moves = self.moves(board);
        self.chance.choose(board, &moves)
    }

    fn learn(&mut self, game: &Game) -> Result<(), String> {
        self.teacher.as_mut().map_or(Ok(()), |teach| teach(game))
    }
}

/// The moves of a position, the best first.
fn moves(entry: &Entry) -> Vec<BookMove> {
    let searched = entry.searched();
    let moves = entry.best_first().into_iter();
    let known = moves.map(|one| BookMove {
        ply: one.ply,
        value: one.value,
        depth: searched.depth.into(),
        selectivity: searched.selectivity,
    });
    known.collect()
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

    fn learn(&mut self, game: &Game) -> Result<(), String> {
        self.book.learn(game)
    }
}
