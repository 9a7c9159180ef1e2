//! Search results.

use std::time::Duration;

use super::selectivity::Selectivity;
use super::thread_work::ThreadWork;
use crate::square::Ply;

/// The relation of a reported score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is equal.
    Exact,
    /// The true score is equal or greater: a fail-high at the window's `beta`.
    Lower,
    /// The true score is equal or less: a fail-low at the window's `alpha`. Every move then fails low, and none of them
    /// is known to be the best.
    Upper,
}

impl Bound {
    /// Returns the name of the bound: `exact`, `lower` or `upper`.
    pub const fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }
}

/// A move with its score and line.
///
/// ```
/// use outflank::{Board, Engine, Limits, Selectivity};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let limits = Limits { lines: 64, ..Limits::depth(4, Selectivity::Full) };
/// let found = engine.search(Board::START, &limits)?;
/// // All four moves are symmetric.
/// assert_eq!(found.candidates.len(), 4);
/// assert!(found.candidates.iter().all(|candidate| candidate.score == found.score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The move; `None` is a pass.
    pub ply: Ply,
    /// The score after the move, in discs from the mover's side: -64..=64.
    pub score: i32,
    /// The relation of `score` to the true score of the move.
    pub bound: Bound,
    /// The principal variation that begins with the move, as in [`SearchResult::line`].
    pub line: Vec<Ply>,
}

/// The result of a search.
///
/// ```
/// use outflank::{Board, Bound, Engine, Limits, Window};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// // Black has A1 to F1 and white G1: black takes it from H1.
/// let board = Board { player: 0x3F, opponent: 0x40 };
/// let found = engine.search(board, &Limits::EXACT)?;
/// assert_eq!((found.score, found.bound), (64, Bound::Exact));
/// assert_eq!((found.best(), found.line.len()), ("H1".parse().ok(), 1));
/// assert!(found.complete);
///
/// // Win, loss or draw only.
/// let found = engine.search(board, &Limits { window: Window::WLD, ..Limits::EXACT })?;
/// assert_eq!(found.bound, Bound::Lower);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchResult {
    /// Discs for the mover with best play by both: -64..=64. A finished game gives its empty squares to the winner.
    pub score: i32,
    /// The relation of `score` to the score of a search without a window.
    pub bound: Bound,
    /// Plies searched. In a search to the end it is the number of empty squares.
    pub depth: u32,
    /// The confidence of the search's selective cuts. Searches too shallow for selective cuts count as full.
    pub selectivity: Selectivity,
    /// `true` if the search reached its limits of depth and selectivity. A stop, a node limit or a time limit ends it
    /// earlier. The result is then the latest one: the score of the last finished depth, or a bound of the score at the
    /// unfinished depth.
    pub complete: bool,
    /// The principal variation, the best move first; a `None` in it is a pass.
    ///
    /// It goes to the end of the search if the score is exact. It is shorter if the score is a lower bound, or the
    /// search was selective or is not complete. It is empty if the game is over, nothing was searched, or a complete
    /// search found an upper bound. An incomplete search with an upper bound has the last line found before.
    pub line: Vec<Ply>,
    /// The best moves, best first, up to the number in [`Limits::lines`](crate::Limits::lines). A pass counts as a
    /// move. Moves that do not exceed the window's `alpha` are left out.
    ///
    /// In an incomplete result the best move of the latest depth comes first, and the others may be those of the depth
    /// before. The list is empty if one line was requested, the game is over, nothing was searched, or a complete
    /// search found an upper bound.
    pub candidates: Vec<Candidate>,
    /// Positions reached by a move, on all threads. Positions that were evaluated only to order moves do
    /// not count.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The work of the threads. In results before the last, it is not yet counted.
    pub thread_work: ThreadWork,
}

impl SearchResult {
    /// The best move; `None` if the mover has to pass, the game is over, nothing was searched, or a
    /// complete search found an upper bound.
    pub fn best(&self) -> Ply {
        self.line.first().copied().flatten()
    }
}
