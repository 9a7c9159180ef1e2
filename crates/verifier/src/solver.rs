//! Solver of positions with few empty squares, by a plain alpha-beta search.

use crate::claim::MAX_LEAF_EMPTIES;
use crate::position::{Position, squares};

/// Binary logarithm of the number of slots of the table.
const TABLE_BITS: u32 = 16;
/// The least number of empty squares of positions in the table.
const TABLE_EMPTIES: u32 = 6;
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A solver of null windows, with a table of its answers. A new answer replaces the older one in its slot.
pub struct Solver {
    /// Positions with a bound, and `true` where the mover exceeds it.
    table: Vec<(Position, i32, bool)>,
    /// Positions reached by a move.
    pub nodes: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        // The empty board scores 0, so this answer is right.
        let table = vec![(Position::new(0, 0), 0, false); 1 << TABLE_BITS];
        Solver { table, nodes: 0 }
    }
}

impl Solver {
    /// Returns `true` if the mover scores more than `bound` discs with best play. At most [`MAX_LEAF_EMPTIES`] squares are
    /// empty, or the game is over.
    pub fn exceeds(&mut self, position: Position, bound: i32) -> bool {
        if position.empties().count_ones() < TABLE_EMPTIES {
            return self.search(position, bound);
        }
        let mixed = position.mover ^ position.other.rotate_left(31);
        let slot = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - TABLE_BITS)) as usize;
        let (known, known_bound, known_answer) = self.table[slot];
        if known == position && known_bound == bound {
            return known_answer;
        }
        let answer = self.search(position, bound);
        self.table[slot] = (position, bound, answer);
        answer
    }

    /// Searches all moves, those first that leave the opponent the fewest replies. Replies in corners count twice.
    fn search(&mut self, position: Position, bound: i32) -> bool {
        let moves = position.moves();
        if moves == 0 {
            return match position.pass().moves() {
                0 => position.final_score() > bound,
                _ => !self.exceeds(position.pass(), -bound - 1),
            };
        }
        let mut children = [(0, position); MAX_LEAF_EMPTIES as usize];
        let mut count = 0;
        for square in squares(moves) {
            let next = position.after(square, position.flipped(square));
            let replies = next.moves();
            let weight = replies.count_ones() + (replies & CORNERS).count_ones();
            // Insertion behind all moves of the same weight or less.
            let mut index = count;
            while index > 0 && children[index - 1].0 > weight {
                children[index] = children[index - 1];
                index -= 1;
            }
            children[index] = (weight, next);
            count += 1;
        }
        self.nodes += u64::from(moves.count_ones());
        let mut children = children[..count].iter();
        children.any(|&(_, next)| !self.exceeds(next, -bound - 1))
    }
}
