//! The order in which a node without an evaluation searches its moves: the moves that leave the opponent the
//! least mobility first (fastest first).

use arrayvec::ArrayVec;
use outflank_kernels::Kernels;

use super::local::MAX_EMPTIES;
use super::squares::{CORNERS, odd_quadrants};
use crate::board::Board;

/// A legal move of a node.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// The move with the greatest score is searched first. The lowest bits are the place among the node's
    /// moves, so that the greatest score also says which move it belongs to.
    order_score: i32,
    /// The board after it.
    pub(super) next: Board,
    /// The opponent's moves after it, once they were computed: the child does not compute them again.
    pub(super) mobility: u64,
}

/// Room for the moves of any board. Positions of games have at most 33, but boards with 34 are known,
/// and nothing says that there are none with more.
pub(super) const MAX_MOVES: usize = 60;

/// Bits for a place among the moves of a board without an evaluation, which has few empty squares.
const PLACE_BITS: u32 = 4;
const _: () = assert!(MAX_EMPTIES < 1 << PLACE_BITS);

/// The moves of such a board.
pub(super) type Moves = ArrayVec<Move, { 1 << PLACE_BITS }>;

/// The order score of a move that was searched.
const SEARCHED: i32 = i32::MIN;

/// Fills `moves` with all legal moves and the boards that they lead to.
#[inline(always)]
pub(super) fn list_moves<I: Kernels>(isa: I, board: Board, mut mobility: u64, moves: &mut Moves) {
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        moves.push(Move {
            square: square as u8,
            order_score: 0,
            next: board.after(square, flipped),
            mobility: 0,
        });
    }
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

/// Computes the order scores of the moves of `board`, and the opponent's moves after them. The table suggests
/// `hash_moves`. The place of the move with the greatest score.
///
/// Fastest first: low mobility of the opponent, then stable corners and low potential mobility. Parity and
/// the square itself decide between equals.
#[inline(always)]
pub(super) fn score_moves<I: Kernels>(
    isa: I,
    board: Board,
    moves: &mut Moves,
    hash_moves: [u8; 2],
) -> usize {
    let odd = odd_quadrants(board.empties());
    let mut best = SEARCHED;
    for (place, one) in moves.iter_mut().enumerate() {
        let Board { player, opponent } = one.next;
        one.mobility = isa.mobility(player, opponent);
        let order_score = if player == 0 {
            1 << 24
        } else if one.square == hash_moves[0] {
            1 << 23
        } else if one.square == hash_moves[1] {
            1 << 22
        } else {
            let square = SQUARE_SCORE[usize::from(one.square & 63)];
            let parity = if odd >> one.square & 1 == 1 { 8 } else { 0 };
            let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
            square + parity + 2048 * isa.corner_stability(opponent)
                - 32 * potential
                - 32768 * weight(one.mobility)
        };
        one.order_score = order_score << PLACE_BITS | place as i32;
        best = best.max(one.order_score);
    }
    place_of(best)
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

/// The place of the move with the greatest order score.
#[inline(always)]
pub(super) fn select(moves: &Moves) -> usize {
    let scores = moves.iter().map(|one| one.order_score);
    place_of(scores.fold(SEARCHED, i32::max))
}

/// The place of the move that an order score belongs to.
#[inline(always)]
const fn place_of(order_score: i32) -> usize {
    order_score as usize & ((1 << PLACE_BITS) - 1)
}

/// The move at `place`, which is not selected again.
#[inline(always)]
pub(super) fn take(moves: &mut Moves, place: usize) -> Move {
    moves[place].order_score = SEARCHED;
    moves[place]
}
