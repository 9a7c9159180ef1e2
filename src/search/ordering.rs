//! The order in which a node without an evaluation searches its moves: the moves that leave the opponent the
//! least mobility first (fastest first).

use arrayvec::ArrayVec;
use outflank_kernels::Kernels;

use super::local::MAX_EMPTIES;
use super::ranking::Ranking;
use super::squares::{CORNERS, odd_quadrants};
use crate::board::Board;

/// A legal move of a node.
pub(super) struct Move {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// The board after it.
    pub(super) next: Board,
    /// The opponent's moves after it: the child does not compute them again.
    pub(super) mobility: u64,
}

/// Room for the moves of any board. Positions of games have at most 33, but boards with 34 are known,
/// and nothing says that there are none with more.
pub(super) const MAX_MOVES: usize = 60;

/// Room for the moves of a board without an evaluation.
const PLACES: usize = 16;
const _: () = assert!(MAX_EMPTIES < PLACES as u32);

/// The moves of a node without an evaluation, which has few empty squares.
pub(super) struct Moves {
    list: ArrayVec<Move, PLACES>,
    ranking: Ranking<PLACES>,
}

/// By square: what it adds to an order score. Corners have the most, the squares beside them the least.
const SQUARE_SCORE: [i32; 64] = square_score();

const fn square_score() -> [i32; 64] {
    let quarter = [
        [18, 4, 16, 12],
        [4, 2, 6, 8],
        [16, 6, 14, 10],
        [12, 8, 10, 0],
    ];
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let (x, y) = (if x > 3 { 7 - x } else { x }, if y > 3 { 7 - y } else { y });
        all[square] = quarter[y][x];
        square += 1;
    }
    all
}

impl Moves {
    /// No moves yet.
    #[inline(always)]
    pub(super) fn new() -> Moves {
        Moves {
            list: ArrayVec::new(),
            ranking: Ranking::new(),
        }
    }

    /// Adds the moves `mobility` of `board`. The table suggests `hash_moves`. The place of the move to search
    /// first.
    ///
    /// Fastest first: low mobility of the opponent, then stable corners and low potential mobility. Parity and
    /// the square itself decide between equals.
    #[inline(always)]
    pub(super) fn add<I: Kernels>(
        &mut self,
        isa: I,
        board: Board,
        mut mobility: u64,
        hash_moves: [u8; 2],
    ) -> usize {
        let mut best = i32::MIN;
        let odd = odd_quadrants(board.empties());
        while mobility != 0 {
            let square = mobility.trailing_zeros() as usize;
            mobility &= mobility - 1;
            let flipped = isa.flip(square, board.player, board.opponent);
            let next = board.after(square, flipped);
            let Board { player, opponent } = next;
            let replies = isa.mobility(player, opponent);
            let order_score = if player == 0 {
                1 << 24
            } else if square == usize::from(hash_moves[0]) {
                1 << 23
            } else if square == usize::from(hash_moves[1]) {
                1 << 22
            } else {
                let parity = if odd >> square & 1 == 1 { 8 } else { 0 };
                let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
                SQUARE_SCORE[square] + parity + 2048 * isa.corner_stability(opponent)
                    - 32 * potential
                    - 32768 * weight(replies)
            };
            best = best.max(self.ranking.set(self.list.len(), order_score));
            self.list.push(Move {
                square: square as u8,
                next,
                mobility: replies,
            });
        }
        Ranking::<PLACES>::place_of(best)
    }

    /// How many there are, those included that were taken.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// How many were not taken.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        (0..PLACES)
            .filter(|&place| self.ranking.get(place).is_some())
            .count()
    }

    /// The move at a place.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> &Move {
        &self.list[place]
    }

    /// The move at a place, which is not selected again; the others keep their places.
    #[inline(always)]
    pub(super) fn take(&mut self, place: usize) -> &Move {
        self.ranking.take(place);
        &self.list[place]
    }

    /// The place of the move to search next, of one or more that are left.
    #[inline(always)]
    pub(super) fn select(&self) -> usize {
        // A loop over as many as there are would end with a branch that nothing predicts.
        self.ranking.best(PLACES)
    }
}

/// The number of the mover's moves, a corner counting twice.
#[inline(always)]
pub(super) fn weighted_mobility<I: Kernels>(isa: I, board: Board) -> i32 {
    weight(isa.mobility(board.player, board.opponent))
}

/// The number of `moves`, a corner counting twice.
#[inline(always)]
fn weight(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}
