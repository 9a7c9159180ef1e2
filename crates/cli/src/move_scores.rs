//! Scores of all moves of a position, from a book and a search.

use outflank::analysis::equalize_symmetric_scores;
use outflank::book::OpeningBook;
use outflank::search::Strength;
use outflank::{Board, Engine, Limits, Ply, Selectivity};

use super::book_moves;

/// Moves of a position with their scores, best first. There are none if the game is over.
pub(super) struct MoveScores {
    pub(super) moves: Vec<ScoredMove>,
    /// Depth of the search in plies, or of the best book move if the book knows all moves.
    pub(super) depth: u32,
    pub(super) selectivity: Selectivity,
}

/// A move with its score and best play.
pub(super) struct ScoredMove {
    pub(super) ply: Ply,
    /// Discs for the mover.
    pub(super) score: i32,
    pub(super) line: Vec<Ply>,
    pub(super) from_book: bool,
}

impl MoveScores {
    /// Looks up every move in `book` and searches the others. Returns `None` if the engine was stopped.
    pub(super) fn of(
        board: Board,
        book: &mut dyn OpeningBook,
        engine: &mut Engine,
        strength: Strength,
    ) -> Option<MoveScores> {
        let known = book.moves(board);
        let (mut depth, mut selectivity) = known.first().map_or((0, Selectivity::Full), |best| {
            (best.depth, best.selectivity)
        });
        let known = book_moves::with_symmetric_moves(board, &known);
        let of_book = known.iter().map(|known| ScoredMove {
            ply: known.ply,
            score: known.score,
            line: vec![known.ply],
            from_book: true,
        });
        let mut moves: Vec<ScoredMove> = of_book.collect();
        let squares = moves.iter().filter_map(|scored| scored.ply);
        let known_squares: u64 = squares.map(|square| square.bit()).sum();
        if moves.is_empty() || board.mobility() & !known_squares != 0 {
            let limits = strength.limits(board.empty_count());
            let limits = Limits {
                depth: limits.depth.max(1),
                lines: 64,
                without: known_squares,
                ..limits
            };
            engine.clear();
            let search = engine.search(board, &limits);
            let search = search.expect("no square is held twice");
            (depth, selectivity) = (search.depth, search.selectivity);
            let mut candidates = search.candidates;
            equalize_symmetric_scores(board, &mut candidates);
            moves.extend(candidates.into_iter().map(|candidate| ScoredMove {
                ply: candidate.ply,
                score: candidate.score,
                line: candidate.line,
                from_book: false,
            }));
            moves.sort_by_key(|scored| -scored.score);
        }
        // A stopped search may have returned a shallow result.
        (!engine.stop_handle().is_stopped()).then_some(MoveScores {
            moves,
            depth,
            selectivity,
        })
    }
}
