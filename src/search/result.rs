//! What a search finds.

use std::time::Duration;

use super::selective::Selectivity;
use crate::square::Ply;

/// What a score says about the one that was searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// They are equal.
    Exact,
    /// The one searched for is this or more: the window's `beta` was reached.
    Lower,
    /// The one searched for is this or less: the window's `alpha` was not passed, a fail-low. Every move
    /// fails low then, and none of them is known to be the best.
    Upper,
}

/// A move, and what it leads to.
///
/// ```
/// use outflank::{Board, Engine, Limits, Selectivity};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let limits = Limits { lines: 64, ..Limits::depth(4, Selectivity::Full) };
/// let found = engine.search(Board::START, &limits)?;
/// // All four moves are the same but for symmetry.
/// assert_eq!(found.candidates.len(), 4);
/// assert!(found.candidates.iter().all(|candidate| candidate.score == found.score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The move; `None` is a pass.
    pub ply: Ply,
    /// The score after it, in discs for who makes it: -64..=64.
    pub score: i32,
    /// What `score` says.
    pub bound: Bound,
    /// Best play from before it on, as in [`SearchResult::line`].
    pub line: Vec<Ply>,
}

/// What a search found.
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
/// // Only whether it is more than a draw.
/// let found = engine.search(board, &Limits { window: Window::WLD, ..Limits::EXACT })?;
/// assert_eq!(found.bound, Bound::Lower);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchResult {
    /// Discs for the mover with best play by both, as far as the search goes; at the end of the game
    /// with the empties going to the winner: -64..=64.
    pub score: i32,
    /// What `score` says about the score of a search without a window.
    pub bound: Bound,
    /// Plies searched: as many as empty squares, where it was to the end.
    pub depth: u32,
    /// How certain it is. Few plies leave no room for selective cuts, and count as full.
    pub selectivity: Selectivity,
    /// Whether the search reached what it was asked for. A stop, a node limit or a time limit ends it
    /// earlier. The result is then what the search knew last: the score of the last depth that it finished,
    /// or a bound of the score at the depth that it was searching.
    pub complete: bool,
    /// Best play, the best move first; a `None` in it is a pass. It goes to the end of the search where the
    /// score is exact; it is shorter where the score is a lower bound, or the search was selective or is not
    /// complete. Empty where the game is over, nothing was searched, or a complete search found an upper
    /// bound. Where the search is not complete, an upper bound comes with the last line found before it.
    pub line: Vec<Ply>,
    /// The best moves, best first, as many as [`Limits::lines`](crate::Limits::lines) asked for and
    /// the position has, a pass being one; moves that do not pass the window's `alpha` are left out. Where
    /// the search is not complete, the best move found at the last depth comes first, and the others may be
    /// those of the depth before. Empty where one was asked for, the game is over, nothing was searched, or a
    /// complete search found an upper bound.
    pub candidates: Vec<Candidate>,
    /// Positions reached by making a move and searched, on all threads. Positions that were only rated do
    /// not count.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

impl SearchResult {
    /// The best move; `None` where the mover has to pass, the game is over, nothing was searched, or a
    /// complete search found an upper bound.
    pub fn best(&self) -> Ply {
        self.line.first().copied().flatten()
    }
}
