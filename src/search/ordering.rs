//! The order in which a node tries its moves: what makes a null-window search short.

use arrayvec::ArrayVec;

use super::endgame::MAX_EMPTIES;
use super::recursion::Recursion;
use super::shallow::odd_quadrants;
use crate::board::Board;

/// A legal move of a node.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// How promising it is, and in the lowest bits the place among the node's moves: the greatest promise
    /// also says whose it is.
    promise: i32,
    /// The board after it.
    pub(super) next: Board,
    /// The moves that this leaves the opponent, once they were counted: the node after this one need not
    /// look for them again.
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

/// The promise of a move that was searched.
const SEARCHED: i32 = i32::MIN;

/// Fills `moves` with all legal moves and the boards that they lead to.
#[inline(always)]
pub(super) fn list_moves<I: Recursion>(isa: I, board: Board, mut mobility: u64, moves: &mut Moves) {
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        moves.push(Move {
            square: square as u8,
            promise: 0,
            next: board.after(square, flipped),
            mobility: 0,
        });
    }
}

/// Squares worth something by themselves: corners most, the squares beside them least.
const SQUARE_PROMISE: [i32; 64] = square_promise();

const fn square_promise() -> [i32; 64] {
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

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Rates the moves of `board`, and counts what they leave the opponent. `known` are the moves that an
/// earlier search found best. The place of the most promising.
///
/// Fastest first: few replies for the opponent, then stable corners and few squares that may become
/// replies. Parity and the square itself decide between equals.
#[inline(always)]
pub(super) fn rate<I: Recursion>(isa: I, board: Board, moves: &mut Moves, known: [u8; 2]) -> usize {
    let odd = odd_quadrants(board.empties());
    let mut best = SEARCHED;
    for (place, one) in moves.iter_mut().enumerate() {
        let Board { player, opponent } = one.next;
        one.mobility = isa.mobility(player, opponent);
        let promise = if player == 0 {
            1 << 24
        } else if one.square == known[0] {
            1 << 23
        } else if one.square == known[1] {
            1 << 22
        } else {
            let square = SQUARE_PROMISE[usize::from(one.square & 63)];
            let parity = if odd >> one.square & 1 == 1 { 8 } else { 0 };
            let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
            square + parity + 2048 * isa.corner_stability(opponent)
                - 32 * potential
                - 32768 * weight(one.mobility)
        };
        one.promise = promise << PLACE_BITS | place as i32;
        best = best.max(one.promise);
    }
    place_of(best)
}

/// The number of the mover's moves, a corner counting twice.
#[inline(always)]
pub(super) fn replies<I: Recursion>(isa: I, board: Board) -> i32 {
    weight(isa.mobility(board.player, board.opponent))
}

/// The number of `moves`, a corner counting twice.
#[inline(always)]
fn weight(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// The place of the most promising of `moves`.
#[inline(always)]
pub(super) fn choose(moves: &Moves) -> usize {
    let promises = moves.iter().map(|one| one.promise);
    place_of(promises.fold(SEARCHED, i32::max))
}

/// The place that a promise is of.
#[inline(always)]
const fn place_of(promise: i32) -> usize {
    promise as usize & ((1 << PLACE_BITS) - 1)
}

/// The move at `place`, which is not chosen again.
#[inline(always)]
pub(super) fn take(moves: &mut Moves, place: usize) -> Move {
    moves[place].promise = SEARCHED;
    moves[place]
}
