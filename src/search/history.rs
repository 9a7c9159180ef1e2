//! Which moves failed high lately: on any board, and as replies to the opponent's last move.
//!
//! Positions of one search are much alike, and so are the moves that refute others (Schaeffer, "The history heuristic and
//! alpha-beta search enhancements in practice", 1989; by the last move: the counter-move history of chess engines).

use crate::table::NO_MOVE;

/// The score that a move tends to which always fails high, and its opposite for one that never does.
const LIMIT: i32 = 1 << 14;

/// Each time a score goes one part in so many of the way, as a binary logarithm.
const RATE: u32 = 4;

/// What divides the sum of both scores of a move into 1/128 disc, as a binary logarithm.
const UNIT: u32 = 5;

/// The scores of moves by square; the last one, that of [`NO_MOVE`], means nothing.
pub(super) type Scores = [i16; NO_MOVE as usize + 1];

/// What the nodes of a thread's search found.
pub(super) struct History {
    /// By whether the number of empty squares is odd.
    on_any_board: [Scores; 2],
    /// The same, by the opponent's last move.
    as_replies: [[Scores; NO_MOVE as usize + 1]; 2],
    /// The move that led to the present node with so many empty squares, or [`NO_MOVE`].
    last_moves: [u8; 65],
}

impl History {
    pub(super) fn new() -> History {
        const NOTHING: Scores = [0; NO_MOVE as usize + 1];
        History {
            on_any_board: [NOTHING; 2],
            as_replies: [[NOTHING; NO_MOVE as usize + 1]; 2],
            last_moves: [NO_MOVE; 65],
        }
    }

    /// From now on the node with `empties` empty squares is one after a move on `square`.
    #[inline(always)]
    pub(super) fn enter(&mut self, empties: u32, square: u8) {
        self.last_moves[empties.min(64) as usize] = square;
    }

    /// The scores of moves of the present node with `empties` empty squares.
    #[inline(always)]
    pub(super) fn of_node(&self, empties: u32) -> [&Scores; 2] {
        let (parity, last) = self.place(empties);
        [&self.on_any_board[parity], &self.as_replies[parity][last]]
    }

    /// Notes that at that node a move on `square` failed high, and the one searched before it, on `before`, did not.
    /// Where none was, `before` is [`NO_MOVE`].
    #[inline(always)]
    pub(super) fn note(&mut self, empties: u32, square: u8, before: u8) {
        let (parity, last) = self.place(empties);
        let replies = &mut self.as_replies[parity][last];
        for scores in [&mut self.on_any_board[parity], replies] {
            for (square, limit) in [(square, LIMIT), (before, -LIMIT)] {
                let score = &mut scores[usize::from(square.min(NO_MOVE))];
                *score += ((limit - i32::from(*score)) >> RATE) as i16;
            }
        }
    }

    /// Which scores are those of that node: by parity, and by last move.
    #[inline(always)]
    fn place(&self, empties: u32) -> (usize, usize) {
        let last = self.last_moves[empties.min(64) as usize].min(NO_MOVE);
        (empties as usize % 2, last.into())
    }
}

/// What a move on `square` is worth more in the order of moves, in 1/128 disc, by both scores of a node's.
#[inline(always)]
pub(super) fn bonus(scores: [&Scores; 2], square: u8) -> i32 {
    let [any, reply] = scores.map(|scores| i32::from(scores[usize::from(square.min(NO_MOVE))]));
    (any + reply) >> UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_fail_high_gain_most_as_the_same_replies() {
        let mut history = History::new();
        history.enter(20, 5);
        history.enter(19, 8);
        for _ in 0..100 {
            history.note(20, 9, 10);
        }
        let after = |history: &History, square| bonus(history.of_node(20), square);
        let [gained, lost, other] = [9, 10, 11].map(|square| after(&history, square));
        assert!(
            gained > 0 && lost < 0 && other == 0,
            "{gained} {lost} {other}"
        );
        // Both scores, no further than their limits.
        assert!(gained <= (2 * LIMIT) >> UNIT && lost >= (-2 * LIMIT) >> UNIT);
        // The opponent has scores of its own.
        assert_eq!(bonus(history.of_node(19), 9), 0);
        // After another move only the score on any board is left.
        history.enter(20, 6);
        assert!((gained / 2 - 1..=gained / 2 + 1).contains(&after(&history, 9)));
        // No move before: no other square's score changes.
        history.note(20, 12, NO_MOVE);
        assert_eq!(after(&history, 11), 0);
    }
}
