//! Judgement of an answer.

use outflank::search::Strength;
use outflank::{Board, Engine, Side, Square};
use outflank_support::text::plural;

use crate::move_scores::{MoveScores, ScoredMove};
use crate::text_format::{EXACT, depth_or_exact, variation};

/// Scores of all moves of a position.
pub(super) struct ScoredPosition {
    scores: MoveScores,
    /// Depth of the search, as in `by 10 plies`, or `exact`.
    depth: String,
    /// Discs that a right move may lose.
    within: i32,
}

/// Error in discs of searches that do not reach the end of the game.
const SEARCH_ERROR: i32 = 2;

impl ScoredPosition {
    /// Searches all moves.
    pub(super) fn of(
        board: Board,
        engine: &mut Engine,
        strength: Strength,
        within: Option<i32>,
    ) -> ScoredPosition {
        let scores = MoveScores::of(board, &mut (), engine, strength);
        let scores = scores.expect("nothing stops the engine");
        let depth = depth_or_exact(scores.depth, scores.selectivity, board.empty_count());
        let (depth, default) = match depth == EXACT {
            true => (depth, 0),
            false => (
                format!("by {}", plural(depth, "ply", "plies")),
                SEARCH_ERROR,
            ),
        };
        ScoredPosition {
            within: within.unwrap_or(default),
            scores,
            depth,
        }
    }

    fn best(&self) -> &ScoredMove {
        &self.scores.moves[0]
    }

    fn loss(&self, scored: &ScoredMove) -> i32 {
        self.best().score - scored.score
    }

    fn find(&self, square: Square) -> &ScoredMove {
        let moves = &mut self.scores.moves.iter();
        let found = moves.find(|scored| scored.ply == Some(square));
        found.expect("all legal moves have scores")
    }

    /// Returns `true` if the move is right, and the discs that it loses. No move is a wrong answer that loses none.
    pub(super) fn judge(&self, square: Option<Square>) -> (bool, i32) {
        square.map_or((false, 0), |square| {
            let loss = self.loss(self.find(square));
            (loss <= self.within, loss)
        })
    }

    /// Number of right moves.
    fn right_count(&self) -> usize {
        let moves = self.scores.moves.iter();
        moves
            .filter(|scored| self.loss(scored) <= self.within)
            .count()
    }

    /// Returns `true` if there is nothing to find.
    pub(super) fn has_only_right_moves(&self) -> bool {
        self.right_count() == self.scores.moves.len()
    }

    /// Number of right moves and the best score.
    pub(super) fn hint(&self) -> String {
        let right = self.right_count();
        let moves = plural(right, "move is", "moves are");
        format!(
            "{moves} right; the best scores {:+} ({})",
            self.best().score,
            self.depth
        )
    }

    /// Answer to the user's move of `side`.
    pub(super) fn text(&self, square: Option<Square>, side: Side) -> String {
        let best = self.best();
        let best_play = |scored: &ScoredMove| variation(&scored.line, side);
        let Some(square) = square else {
            return format!(
                "Best: {:+} ({}) by {}",
                best.score,
                self.depth,
                best_play(best)
            );
        };
        let played = self.find(square);
        let scores = format!("{square} scores {:+} ({})", played.score, self.depth);
        match self.loss(played) {
            0 => format!("Right: {scores}, {}", best_play(played)),
            loss => {
                let word = if loss <= self.within {
                    "Right"
                } else {
                    "Wrong"
                };
                let discs = plural(loss, "disc", "discs");
                format!(
                    "{word}: {scores}, {discs} less than {:+} by {}",
                    best.score,
                    best_play(best)
                )
            }
        }
    }
}
