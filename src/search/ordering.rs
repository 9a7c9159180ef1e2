//! The order in which a node tries its moves: what makes a null-window search short.

use arrayvec::ArrayVec;

use super::recursion::Recursion;
use super::shallow::odd_quadrants;
use crate::board::Board;

/// A legal move of a node.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// The square's index, 0..=63.
    pub(super) square: u8,
    /// How promising it is; the most promising is searched first.
    pub(super) promise: i32,
    /// The board after it.
    pub(super) next: Board,
}

/// Room for the moves of any board. Positions of games have at most 33, but boards with 34 are known,
/// and nothing says that there are none with more.
pub(super) const MOST_MOVES: usize = 60;

/// The moves of a node.
pub(super) type Moves = ArrayVec<Move, MOST_MOVES>;

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

/// Rates the moves of `board`; `known` are the moves that an earlier search found best.
///
/// Fastest first: few replies for the opponent, then stable corners and few squares that may become
/// replies. Parity and the square itself decide between equals.
#[inline(always)]
pub(super) fn rate<I: Recursion>(isa: I, board: Board, moves: &mut Moves, known: [u8; 2]) {
    let odd = odd_quadrants(board.empties());
    for one in moves.iter_mut() {
        let Board { player, opponent } = one.next;
        one.promise = if player == 0 {
            1 << 30
        } else if one.square == known[0] {
            1 << 29
        } else if one.square == known[1] {
            1 << 28
        } else {
            let square = SQUARE_PROMISE[usize::from(one.square & 63)];
            let parity = if odd >> one.square & 1 == 1 { 8 } else { 0 };
            let potential = isa.potential_mobility(player, opponent).count_ones() as i32;
            square + parity + 2048 * isa.corner_stability(opponent)
                - 32 * potential
                - 32768 * replies(isa, one.next)
        };
    }
}

/// The number of the mover's moves, a corner counting twice.
#[inline(always)]
pub(super) fn replies<I: Recursion>(isa: I, board: Board) -> i32 {
    let moves = isa.mobility(board.player, board.opponent);
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// Brings the most promising of `moves[from..]` to `from`.
#[inline(always)]
pub(super) fn choose(moves: &mut Moves, from: usize) -> Move {
    let mut best = from;
    for i in from + 1..moves.len() {
        if moves[i].promise > moves[best].promise {
            best = i;
        }
    }
    moves.swap(from, best);
    moves[from]
}
