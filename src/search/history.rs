//! History heuristic: scores of moves that failed high lately, on any board or in reply to the opponent's last move.
//!
//! Positions of one search are much alike, and so are the moves that fail high. Scores on any board follow Schaeffer
//! ("The history heuristic and alpha-beta search enhancements in practice", 1989). Scores of replies are the
//! counter-move history of chess engines.

use crate::square::Square;
use crate::table::OptionalSquare;

/// The limit of scores. The score of a move approaches it if the move always fails high, and its negative if never.
const LIMIT: i32 = 1 << 14;

/// Each update moves a score by 1 / 2^RATE of its distance towards the limit.
const RATE: u32 = 4;

/// Binary logarithm of the divisor that converts the sum of a move's two scores into a bonus in 1/128 disc.
const BONUS_SHIFT: u32 = 5;

/// The scores of moves by square. The last element, for no square, is meaningless.
pub(super) type HistoryScores = [i16; OptionalSquare::COUNT];

/// The history of one thread.
pub(super) struct History {
    /// Scores on any board, by the parity of the number of empty squares.
    on_any_board: [HistoryScores; 2],
    /// Scores as replies, by the parity of the number of empty squares and the opponent's last move.
    as_replies: [[HistoryScores; OptionalSquare::COUNT]; 2],
    /// The move that led to each node on the present path, by the node's number of empty squares, 0 to 64.
    last_moves: [OptionalSquare; 65],
}

impl History {
    pub(super) fn new() -> History {
        const ZERO: HistoryScores = [0; OptionalSquare::COUNT];
        History {
            on_any_board: [ZERO; 2],
            as_replies: [[ZERO; OptionalSquare::COUNT]; 2],
            last_moves: [OptionalSquare::NONE; 65],
        }
    }

    /// Enters a node with `empties` empty squares, reached by a move on `square`.
    #[inline(always)]
    pub(super) fn enter(&mut self, empties: u32, square: Square) {
        self.last_moves[empties as usize] = square.into();
    }

    /// The scores of moves at the present node with `empties` empty squares.
    #[inline(always)]
    pub(super) fn of_node(&self, empties: u32) -> [&HistoryScores; 2] {
        let (parity, last) = self.indices(empties);
        [&self.on_any_board[parity], &self.as_replies[parity][last]]
    }

    /// Updates the scores at the present node with `empties` empty squares. The move on `square` failed high; the move
    /// searched just before it, on `previous`, did not.
    #[inline(always)]
    pub(super) fn update(&mut self, empties: u32, square: Square, previous: OptionalSquare) {
        let (parity, last) = self.indices(empties);
        let replies = &mut self.as_replies[parity][last];
        for scores in [&mut self.on_any_board[parity], replies] {
            for (index, limit) in [(square.index(), LIMIT), (previous.index(), -LIMIT)] {
                let score = &mut scores[index];
                *score += ((limit - i32::from(*score)) >> RATE) as i16;
            }
        }
    }

    /// The indices of the scores at the present node: the parity and the last move.
    #[inline(always)]
    fn indices(&self, empties: u32) -> (usize, usize) {
        let last = self.last_moves[empties as usize];
        (empties as usize % 2, last.index())
    }
}

/// The order bonus of a move on `square`, in 1/128 disc, from the two scores at a node.
#[inline(always)]
pub(super) fn bonus(scores: [&HistoryScores; 2], square: Square) -> i32 {
    let [any, reply] = scores.map(|scores| i32::from(scores[square.index()]));
    (any + reply) >> BONUS_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_fail_high_gain_most_in_reply_to_the_same_move() {
        let square = |index| Square::new(index).unwrap();
        let mut history = History::new();
        history.enter(20, square(5));
        history.enter(19, square(8));
        for _ in 0..100 {
            history.update(20, square(9), square(10).into());
        }
        let after = |history: &History, index| bonus(history.of_node(20), square(index));
        let [gained, lost, other] = [9, 10, 11].map(|index| after(&history, index));
        let are_apart = gained > 0 && lost < 0 && other == 0;
        assert!(are_apart, "{gained} {lost} {other}");
        // Both scores stay within their limits.
        assert!(gained <= (2 * LIMIT) >> BONUS_SHIFT && lost >= (-2 * LIMIT) >> BONUS_SHIFT);
        // The opponent has separate scores.
        assert_eq!(bonus(history.of_node(19), square(9)), 0);
        // In reply to another move, only the score on any board counts.
        history.enter(20, square(6));
        assert!((gained / 2 - 1..=gained / 2 + 1).contains(&after(&history, 9)));
        // Without a previous move, no other square's score changes.
        history.update(20, square(12), OptionalSquare::NONE);
        assert_eq!(after(&history, 11), 0);
    }
}
