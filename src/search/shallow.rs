//! Five empties and fewer, against a null window: speed before economy.
//!
//! With 5 empties the legal moves on squares alone, with no other empty square beside them, are tried first,
//! within that in a fixed order of squares. The last four are unrolled and ordered by one shuffle, those with
//! fewer of the others beside them first.
//!
//! The empties travel as a list of squares in a register, a byte each, the first to try lowest: taking
//! one out is a few shifts, and nothing has to be put back.

use outflank_kernels::NEIGHBOURS;
use seq_macro::seq;

use super::recursion::{self, Recursion};
use super::squares::alone;
use super::stability::stability_cut;
use super::statistics::Branch::{Cut, Legal, Neighbour, NoMove};
use super::statistics::counted;
use super::thread::Search;
use crate::board::Board;

/// Lower than any score.
const NONE: i32 = -65;

/// The square at a place of a list.
#[inline(always)]
const fn square_at(list: u64, place: usize) -> usize {
    (list >> (8 * place)) as usize & 63
}

/// A list without the square at a place.
#[inline(always)]
const fn without(list: u64, place: usize) -> u64 {
    let before = (1 << (8 * place)) - 1;
    list & before | list >> 8 & !before
}

/// One of the four groups of a neighbour sort.
#[inline(always)]
const fn group_at(order: u128, place: usize) -> u32 {
    (order >> (32 * place)) as u32
}

/// The score of `board`, which has the moves `mobility`, against the null window above `alpha`, with 5
/// empties or fewer.
#[inline(always)]
pub(super) fn up_to_5<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    let count = board.empty_count();
    if count == 5 {
        return recursion::last_5(isa, search, board, mobility, alpha);
    }
    let [squares, _] = isa.ordered_empties(board.player, board.opponent, 0, 0);
    match count {
        4 => recursion::last_4(isa, search, board, squares as u32, alpha),
        3 => recursion::last_3(isa, search, board, squares as u32, alpha),
        2 => recursion::last_2(isa, search, board, squares as u32, alpha),
        1 => isa.last_move_score(squares as usize, board.player, alpha),
        _ => board.final_score(),
    }
}

/// 5 empties: which are legal, and in which order, is known before the first is tried.
#[inline(always)]
pub(super) fn last_5<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    if let Some(bound) = stability_cut(isa, board, 5, alpha) {
        return bound;
    }
    if counted(NoMove, 5, 0, mobility == 0) {
        let opponent_mobility = isa.mobility(board.opponent, board.player);
        if opponent_mobility == 0 {
            return board.final_score();
        }
        return -recursion::last_5(isa, search, board.pass(), opponent_mobility, !alpha);
    }
    let alone = alone(board.empties());
    let [empties, mut order] = isa.ordered_empties(board.player, board.opponent, mobility, alone);
    let (mut best, mut tried) = (NONE, 0);
    while order != 0 {
        let place = order.trailing_zeros() as usize & 7;
        order &= order - 1;
        let square = square_at(empties, place);
        let flipped = isa.flip(square, board.player, board.opponent);
        let next = board.after(square, flipped);
        search.nodes += 1;
        let rest = without(empties, place) as u32;
        let score = -recursion::last_4(isa, search, next, rest, !alpha);
        if counted(Cut, 5, tried, score > alpha) {
            return score;
        }
        best = best.max(score);
        tried += 1;
    }
    best
}

/// 4 empties: one shuffle orders them, and what is left after each.
#[inline(always)]
pub(super) fn last_4<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    if let Some(bound) = stability_cut(isa, board, 4, alpha) {
        return bound;
    }
    let order = isa.neighbour_sort(empties);
    let mut best = NONE;
    seq!(PLACE in 0..4 {
        let group = group_at(order, PLACE);
        let square = group as usize & 63;
        if counted(Neighbour, 4, PLACE, NEIGHBOURS[square] & board.opponent != 0) {
            let flipped = isa.flip(square, board.player, board.opponent);
            if counted(Legal, 4, PLACE, flipped != 0) {
                search.nodes += 1;
                let next = board.after(square, flipped);
                let score = -recursion::last_3(isa, search, next, group >> 8, !alpha);
                if counted(Cut, 4, PLACE, score > alpha) {
                    return score;
                }
                best = best.max(score);
            }
        }
    });
    if !counted(NoMove, 4, 0, best == NONE) {
        return best;
    }
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    -recursion::last_4(isa, search, board.pass(), empties, !alpha)
}

/// 3 empties, in the lowest three bytes of `empties`, in the order to try them.
#[inline(always)]
pub(super) fn last_3<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let mut best = NONE;
    seq!(PLACE in 0..3 {
        let square = square_at(empties.into(), PLACE);
        if counted(Neighbour, 3, PLACE, NEIGHBOURS[square] & board.opponent != 0) {
            let flipped = isa.flip(square, board.player, board.opponent);
            if counted(Legal, 3, PLACE, flipped != 0) {
                search.nodes += 1;
                let rest = without(empties.into(), PLACE) as u32;
                let next = board.after(square, flipped);
                let score = -last_2(isa, search, next, rest, !alpha);
                if counted(Cut, 3, PLACE, score > alpha) {
                    return score;
                }
                best = best.max(score);
            }
        }
    });
    if !counted(NoMove, 3, 0, best == NONE) {
        return best;
    }
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    -recursion::last_3(isa, search, board.pass(), empties, !alpha)
}

/// 2 empties, in the lowest two bytes of `empties`, in the order to try them.
#[inline(always)]
pub(super) fn last_2<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let best = move_of_2::<I, true>(isa, search, board, empties, alpha);
    if !counted(NoMove, 2, 0, best == NONE) {
        return best;
    }
    match move_of_2::<I, false>(isa, search, board.pass(), empties, !alpha) {
        NONE => board.final_score(),
        score => -score,
    }
}

/// The best of the two moves on two empties; [`NONE`] where neither is legal. `LOOK` says whether to
/// look at a square's neighbours first: after a pass the look all but never saves a flip (the branch
/// rates that Okuhara measured for Edax AVX).
#[inline(always)]
fn move_of_2<I: Recursion, const LOOK: bool>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let (a, b) = (square_at(empties.into(), 0), square_at(empties.into(), 1));
    let mut best = NONE;
    let near = |square: usize| NEIGHBOURS[square] & board.opponent != 0;
    // Those after a pass are counted as the third and fourth square.
    let (first, second) = if LOOK { (0, 1) } else { (2, 3) };
    if !LOOK || counted(Neighbour, 2, first, near(a)) {
        let flipped = isa.flip(a, board.player, board.opponent);
        if counted(Legal, 2, first, flipped != 0) {
            search.nodes += 1;
            best = -isa.last_move_score(b, board.opponent ^ flipped, !alpha);
            if counted(Cut, 2, first, best > alpha) {
                return best;
            }
        }
    }
    if !LOOK || counted(Neighbour, 2, second, near(b)) {
        let flipped = isa.flip(b, board.player, board.opponent);
        if counted(Legal, 2, second, flipped != 0) {
            search.nodes += 1;
            best = best.max(-isa.last_move_score(a, board.opponent ^ flipped, !alpha));
        }
    }
    best
}
