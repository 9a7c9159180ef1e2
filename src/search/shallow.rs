//! Boards with 5 or fewer empties against a null window. A fast node matters more here than a small tree.
//!
//! With 5 empties, moves on isolated squares are tried first, then the other moves; both groups are in a fixed order of
//! squares. The last four plies are unrolled. With 4 empties, one shuffle orders the squares for all these plies:
//! squares with fewer empty neighbours come first.
//!
//! The empties are a list of squares in a register, one byte each, the first to try in the lowest byte. A square is
//! removed by a few shifts, and nothing has to be restored.

use outflank_kernels::NEIGHBOURS;
use seq_macro::seq;

use super::isolated::isolated_squares;
use super::recursion::{self, SearchRecursion};
use super::stability::stability_cut;
use super::statistics::Branch::{Cut, Legal, Neighbour, NoMove};
use super::statistics::count_branch;
use super::window::opponent_alpha;
use super::worker::EndgameWorker;
use crate::board::Board;
use crate::square::Square;

/// The score of no move, below every score.
const NONE: i32 = -65;

/// The square at an index of a list of empties.
#[inline(always)]
fn square_at(list: u64, index: usize) -> Square {
    Square::masked((list >> (8 * index)) as u8)
}

/// A list of empties without the square at an index.
#[inline(always)]
const fn without(list: u64, index: usize) -> u64 {
    let before = (1 << (8 * index)) - 1;
    list & before | list >> 8 & !before
}

/// A group of a neighbour sort: a square in the lowest byte, the other three above it.
#[inline(always)]
const fn group_at(order: u128, index: usize) -> u32 {
    (order >> (32 * index)) as u32
}

/// The score of `board`, whose legal moves are `mobility`, against the null window above `alpha`, with 5
/// empties or fewer.
#[inline(always)]
pub(super) fn up_to_5<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    let count = board.empty_count();
    if count == 5 {
        return recursion::last_5(isa, worker, board, mobility, alpha);
    }
    let [squares, _] = isa.ordered_empties(board.player, board.opponent, 0, 0);
    match count {
        4 => recursion::last_4(isa, worker, board, squares as u32, alpha),
        3 => recursion::last_3(isa, worker, board, squares as u32, alpha),
        2 => recursion::last_2(isa, worker, board, squares as u32, alpha),
        1 => isa.last_move_score(squares as usize, board.player, alpha),
        _ => board.final_score(),
    }
}

/// The score of a board with 5 empties. The legal moves are listed and ordered before the first is tried.
#[inline(always)]
pub(super) fn last_5<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    if let Some(bound) = stability_cut(isa, board, 5, alpha) {
        return bound;
    }
    if count_branch(NoMove, 5, 0, mobility == 0) {
        let opponent_mobility = isa.mobility(board.opponent, board.player);
        if opponent_mobility == 0 {
            return board.final_score();
        }
        return -recursion::last_5(
            isa,
            worker,
            board.pass(),
            opponent_mobility,
            opponent_alpha(alpha),
        );
    }
    let isolated = isolated_squares(board.empties());
    let [empties, mut order] =
        isa.ordered_empties(board.player, board.opponent, mobility, isolated);
    let (mut best, mut tried) = (NONE, 0);
    while order != 0 {
        let index = order.trailing_zeros() as usize & 7;
        order &= order - 1;
        let square = square_at(empties, index);
        let flipped = isa.flip(square.index(), board.player, board.opponent);
        let next = board.after(square, flipped);
        worker.nodes += 1;
        let rest = without(empties, index) as u32;
        let score = -recursion::last_4(isa, worker, next, rest, opponent_alpha(alpha));
        if count_branch(Cut, 5, tried, score > alpha) {
            return score;
        }
        best = best.max(score);
        tried += 1;
    }
    best
}

/// The score of a board with 4 empties. One shuffle orders them, and also the three left after each.
#[inline(always)]
pub(super) fn last_4<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    if let Some(bound) = stability_cut(isa, board, 4, alpha) {
        return bound;
    }
    let order = isa.neighbour_sort(empties);
    let mut best = NONE;
    seq!(INDEX in 0..4 {
        let group = group_at(order, INDEX);
        let square = square_at(group.into(), 0);
        if let Some(next) = after_move::<I, true>(isa, worker, board, square, [4, INDEX]) {
            let score = -recursion::last_3(isa, worker, next, group >> 8, opponent_alpha(alpha));
            if count_branch(Cut, 4, INDEX, score > alpha) {
                return score;
            }
            best = best.max(score);
        }
    });
    if !count_branch(NoMove, 4, 0, best == NONE) {
        return best;
    }
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    -recursion::last_4(isa, worker, board.pass(), empties, opponent_alpha(alpha))
}

/// The score of a board with 3 empties, listed in the lowest three bytes of `empties`.
#[inline(always)]
pub(super) fn last_3<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let mut best = NONE;
    seq!(INDEX in 0..3 {
        let square = square_at(empties.into(), INDEX);
        if let Some(next) = after_move::<I, true>(isa, worker, board, square, [3, INDEX]) {
            let rest = without(empties.into(), INDEX) as u32;
            let score = -last_2(isa, worker, next, rest, opponent_alpha(alpha));
            if count_branch(Cut, 3, INDEX, score > alpha) {
                return score;
            }
            best = best.max(score);
        }
    });
    if !count_branch(NoMove, 3, 0, best == NONE) {
        return best;
    }
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    -recursion::last_3(isa, worker, board.pass(), empties, opponent_alpha(alpha))
}

/// The score of a board with 2 empties, listed in the lowest two bytes of `empties`.
#[inline(always)]
pub(super) fn last_2<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let best = better_of_2::<I, true>(isa, worker, board, empties, alpha);
    if !count_branch(NoMove, 2, 0, best == NONE) {
        return best;
    }
    match better_of_2::<I, false>(isa, worker, board.pass(), empties, opponent_alpha(alpha)) {
        NONE => board.final_score(),
        score => -score,
    }
}

/// The score of the better move on two empties; [`NONE`] if neither is legal. `TESTS_NEIGHBOURS` is passed to
/// [`after_move`]. After a pass the test almost never saves a flip, as Okuhara measured for Edax AVX.
#[inline(always)]
fn better_of_2<I: SearchRecursion, const TESTS_NEIGHBOURS: bool>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let (a, b) = (square_at(empties.into(), 0), square_at(empties.into(), 1));
    let mut best = NONE;
    // Squares after a pass are counted as the third and fourth.
    let (first, second) = if TESTS_NEIGHBOURS { (0, 1) } else { (2, 3) };
    if let Some(next) = after_move::<I, TESTS_NEIGHBOURS>(isa, worker, board, a, [2, first]) {
        best = -isa.last_move_score(b.index(), next.player, opponent_alpha(alpha));
        if count_branch(Cut, 2, first, best > alpha) {
            return best;
        }
    }
    if let Some(next) = after_move::<I, TESTS_NEIGHBOURS>(isa, worker, board, b, [2, second]) {
        best = best.max(-isa.last_move_score(a.index(), next.player, opponent_alpha(alpha)));
    }
    best
}

/// The board after a move on an empty square; `None` if the move is not legal. With `TESTS_NEIGHBOURS` the square's
/// neighbours are tested first, which saves the flip if no opponent is beside it. The last argument has the number of
/// empties and the index under which branches are counted.
#[inline(always)]
fn after_move<I: SearchRecursion, const TESTS_NEIGHBOURS: bool>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    square: Square,
    [empties, index]: [usize; 2],
) -> Option<Board> {
    let is_near = NEIGHBOURS[square.index()] & board.opponent != 0;
    if TESTS_NEIGHBOURS && !count_branch(Neighbour, empties, index, is_near) {
        return None;
    }
    let flipped = isa.flip(square.index(), board.player, board.opponent);
    if !count_branch(Legal, empties, index, flipped != 0) {
        return None;
    }
    worker.nodes += 1;
    Some(board.after(square, flipped))
}
