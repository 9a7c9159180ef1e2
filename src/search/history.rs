//! Which moves failed high lately: on any board, and as replies to the opponent's last move.
//!
//! Positions of one search are much alike, and so are the moves that refute others (Schaeffer, "The history heuristic and
//! alpha-beta search enhancements in practice", 1989; by the last move as chess engines have it).

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
        let last = self.last_moves[empties.min(64) as usize].min(NO_MOVE);
        let parity = empties as usize % 2;
        let replies = &self.as_replies[parity][usize::from(last)];
        [&self.on_any_board[parity], replies]
    }

    /// Notes that at that node a move on `square` failed high, and the one searched before it, on `before`, did not.
    /// Where no move was, that is [`NO_MOVE`].
    #[inline(always)]
    pub(super) fn note(&mut self, empties: u32, square: u8, before: u8) {
        let last = self.last_moves[empties.min(64) as usize].min(NO_MOVE);
        let parity = empties as usize % 2;
        let replies = &mut self.as_replies[parity][usize::from(last)];
        for scores in [&mut self.on_any_board[parity], replies] {
            for (square, limit) in [(square, LIMIT), (before, -LIMIT)] {
                let score = &mut scores[usize::from(square.min(NO_MOVE))];
                *score += ((limit - i32::from(*score)) >> RATE) as i16;
            }
        }
    }
}

/// What a move on `square` is worth more in the order of moves, in 1/128 disc, by both scores of a node's.
#[inline(always)]
pub(super) fn bonus(scores: [&Scores; 2], square: u8) -> i32 {
    let [any, reply] = scores.map(|scores| i32::from(scores[usize::from(square.min(NO_MOVE))]));
    (any + reply) >> UNIT
}
