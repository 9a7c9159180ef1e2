//! The order in which a node tries its moves: what makes a null-window search short.

use arrayvec::ArrayVec;

use super::endgame::Search;
use super::recursion::{self, Recursion};
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

/// The moves of a node; no position has more than 33.
pub(super) type Moves = ArrayVec<Move, 34>;

/// Fills `moves` with all legal moves and the boards that they lead to.
#[inline(always)]
pub(super) fn list_moves<I: Recursion>(isa: I, board: Board, mut mobility: u64, moves: &mut Moves) {
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        moves.push(Move { square: square as u8, promise: 0, next: board.after(square, flipped) });
    }
}

/// Squares worth something by themselves: corners most, the squares beside them least.
const SQUARE_PROMISE: [i32; 64] = square_promise();

const fn square_promise() -> [i32; 64] {
    let quarter = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
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

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Fastest first: few replies for the opponent (a corner counts twice), then stable corners and
/// few squares that may become replies. Parity and the square itself decide between equals. Where the
/// tree below is worth it, a look a few plies ahead.
#[inline(always)]
pub(super) fn rate<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    moves: &mut Moves,
    known: [u8; 2],
) {
    let odd = odd_quadrants(board.empties());
    let empties = board.empty_count() as usize;
    let depth = search.tune[0..8].iter().filter(|&&from| empties as i32 >= from).count() as u32;
    search.nodes += moves.len() as u64;
    for one in moves.iter_mut() {
        let Board { player, opponent } = one.next;
        if player == 0 {
            one.promise = 1 << 30;
        } else if one.square == known[0] {
            one.promise = 1 << 29;
        } else if one.square == known[1] {
            one.promise = 1 << 28;
        } else {
            let replies = isa.mobility(player, opponent);
            one.promise = SQUARE_PROMISE[usize::from(one.square & 63)]
                + if odd >> one.square & 1 == 1 { 8 } else { 0 };
            let count = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
            if depth == 0 {
                let potential = isa.potential_mobility(player, opponent);
                one.promise += isa.corner_stability(opponent) * 2048
                    - (potential.count_ones() as i32) * 32
                    - count * 32768;
            } else {
                let value = recursion::look_ahead(isa, search, one.next, depth - 1, -(1 << 20), 1 << 20);
                one.promise -= value * 1024 + count * search.tune[8];
            }
        }
    }
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

/// What mobility and corners say of a board, for its mover.
#[inline(always)]
fn judge<I: Recursion>(isa: I, search: &Search<'_>, board: Board) -> i32 {
    let Board { player, opponent } = board;
    let count = |moves: u64| (moves.count_ones() + (moves & CORNERS).count_ones()) as i32;
    let bits = |squares: u64| squares.count_ones() as i32;
    search.tune[9] * (count(isa.mobility(player, opponent)) - count(isa.mobility(opponent, player)))
        + search.tune[10]
            * (bits(isa.potential_mobility(player, opponent)) - bits(isa.potential_mobility(opponent, player)))
        + search.tune[11] * (isa.corner_stability(player) - isa.corner_stability(opponent))
        + search.tune[12] * (bits(isa.edge_stability(player, opponent)) - bits(isa.edge_stability(opponent, player)))
}

/// The value of a board by a plain search of `depth` plies, [`judge`] at its leaves.
#[inline(always)]
pub(super) fn look_ahead<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    if depth == 0 {
        return judge(isa, search, board);
    }
    let mut mobility = isa.mobility(board.player, board.opponent);
    if mobility == 0 {
        if isa.mobility(board.opponent, board.player) == 0 {
            return board.final_score() * 1000;
        }
        return -recursion::look_ahead(isa, search, board.pass(), depth, -beta, -alpha);
    }
    let mut best = -(1 << 20);
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        search.nodes += 1;
        let score = -recursion::look_ahead(isa, search, board.after(square, flipped), depth - 1, -beta, -alpha);
        if score > best {
            best = score;
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
    }
    best
}
