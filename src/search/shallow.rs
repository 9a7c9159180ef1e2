//! Seven empties and fewer, against a null window: speed before economy.
//!
//! From 7 to 5 empties moves are tried parity first (squares in quadrants with an odd number of
//! empties), within that in a fixed order of squares, through a bitboard of the legal moves (Edax
//! AVX). The last four are unrolled and ordered by one shuffle.
//!
//! The empties travel as a list of squares in a register, a byte each, the first to try lowest: taking
//! one out is a few shifts, and nothing has to be put back.

use outflank_kernels::NEIGHBOURS;
use outflank_kernels::variants::{LastMoveScore, Selected};
use seq_macro::seq;

use super::endgame::{STABILITY_ALPHA, Search, stability_bound};
use super::ordering::CORNERS;
use super::recursion::{self, Recursion};
use super::statistics::Branch::{CountStable, Cut, Legal, Neighbour, NoMove, StableCut};
use super::statistics::counted;
use crate::board::Board;

/// Lower than any score.
const NONE: i32 = -65;

/// The squares of the quadrants named by the bits of the index: bit 0 the north-west, 1 the
/// north-east, 2 the south-west, 3 the south-east.
const QUADRANTS: [u64; 16] = quadrants();

const fn quadrants() -> [u64; 16] {
    let mut all = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut square = 0;
        while square < 64 {
            if set >> (square >> 2 & 1 | square >> 4 & 2) & 1 == 1 {
                all[set] |= 1 << square;
            }
            square += 1;
        }
        set += 1;
    }
    all
}

/// The squares of the quadrants in which `empties` has an odd number of squares.
#[inline(always)]
pub(super) fn odd_quadrants(empties: u64) -> u64 {
    let odd = |i: usize| ((empties & QUADRANTS[1 << i]).count_ones() as usize & 1) << i;
    QUADRANTS[odd(0) | odd(1) | odd(2) | odd(3)]
}

/// Squares by what they are usually worth at the end: corners, then the middle, edges, the squares
/// beside the corners last.
const CLASSES: [u64; 5] = [
    CORNERS,
    0x0000_3C3C_3C3C_0000,
    0x3C00_8181_8181_003C,
    0x003C_4242_4242_3C00,
    0x42C3_0000_0000_C342,
];

/// The squares of `empties` (eight at most) as a list, in the order of [`CLASSES`].
#[inline(always)]
fn list(empties: u64) -> u64 {
    let (mut squares, mut shift) = (0, 0);
    for class in CLASSES {
        let mut rest = empties & class;
        while rest != 0 {
            squares |= u64::from(rest.trailing_zeros()) << shift;
            rest &= rest - 1;
            shift += 8;
        }
    }
    squares
}

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

/// One of the four groups of a parity sort.
#[inline(always)]
const fn group_at(order: u128, place: usize) -> u32 {
    (order >> (32 * place)) as u32
}

/// The score of `board` against the null window above `alpha`, with 7 empties or fewer.
#[inline(always)]
pub(super) fn up_to_7<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    alpha: i32,
) -> i32 {
    let squares = list(board.empties());
    match board.empty_count() {
        7 => recursion::shallow_7(isa, search, board, squares, alpha),
        6 => recursion::shallow_6(isa, search, board, squares, alpha),
        5 => recursion::shallow_5(isa, search, board, squares, alpha),
        4 => search.last.last_4(search, board, squares as u32, alpha),
        3 => recursion::last_3::<I, Selected>(isa, search, board, squares as u32, alpha),
        2 => recursion::last_2(isa, search, board, squares as u32, alpha),
        1 => isa.last_move_score(squares as usize, board.player, alpha),
        _ => board.final_score(),
    }
}

/// 7 to 5 empties, by `N`.
#[inline(always)]
pub(super) fn shallow<I: Recursion, const N: usize>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u64,
    alpha: i32,
) -> i32 {
    if counted(CountStable, N, 0, alpha >= STABILITY_ALPHA[N]) {
        let bound = stability_bound(isa, board);
        if counted(StableCut, N, 0, bound <= alpha) {
            return bound;
        }
    }
    let moves = isa.mobility(board.player, board.opponent);
    if counted(NoMove, N, 0, moves == 0) {
        if isa.mobility(board.opponent, board.player) == 0 {
            return board.final_score();
        }
        let passed = board.pass();
        return -match N {
            7 => recursion::shallow_7(isa, search, passed, empties, !alpha),
            6 => recursion::shallow_6(isa, search, passed, empties, !alpha),
            _ => recursion::shallow_5(isa, search, passed, empties, !alpha),
        };
    }
    let (mut best, mut tried) = (NONE, 0);
    let mut first = moves & odd_quadrants(board.empties());
    let mut later = moves ^ first;
    if first == 0 {
        (first, later) = (moves, 0);
    }
    loop {
        for place in 0..N {
            let square = square_at(empties, place);
            if first >> square & 1 == 0 {
                continue;
            }
            let flipped = isa.flip(square, board.player, board.opponent);
            let next = board.after(square, flipped);
            let rest = without(empties, place);
            search.nodes += 1;
            let score = -match N {
                7 => recursion::shallow_6(isa, search, next, rest, !alpha),
                6 => recursion::shallow_5(isa, search, next, rest, !alpha),
                _ => search.last.last_4(search, next, rest as u32, !alpha),
            };
            if counted(Cut, N, tried, score > alpha) {
                return score;
            }
            best = best.max(score);
            tried += 1;
        }
        if later == 0 {
            return best;
        }
        (first, later) = (later, 0);
    }
}

/// 4 empties: one shuffle orders them, and what is left after each.
#[inline(always)]
pub(super) fn last_4<I: Recursion, L: LastMoveScore<I>>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    if counted(CountStable, 4, 0, alpha >= STABILITY_ALPHA[4]) {
        let bound = stability_bound(isa, board);
        if counted(StableCut, 4, 0, bound <= alpha) {
            return bound;
        }
    }
    let order = isa.parity_sort(empties);
    let mut best = NONE;
    seq!(PLACE in 0..4 {
        let group = group_at(order, PLACE);
        let square = group as usize & 63;
        if counted(Neighbour, 4, PLACE, NEIGHBOURS[square] & board.opponent != 0) {
            let flipped = isa.flip(square, board.player, board.opponent);
            if counted(Legal, 4, PLACE, flipped != 0) {
                search.nodes += 1;
                let next = board.after(square, flipped);
                let score = -recursion::last_3::<I, L>(isa, search, next, group >> 8, !alpha);
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
    -recursion::last_4::<I, L>(isa, search, board.pass(), empties, !alpha)
}

/// 3 empties, in the lowest three bytes of `empties`, in the order to try them.
#[inline(always)]
pub(super) fn last_3<I: Recursion, L: LastMoveScore<I>>(
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
                let score = -last_2::<I, L>(isa, search, next, rest, !alpha);
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
    -recursion::last_3::<I, L>(isa, search, board.pass(), empties, !alpha)
}

/// 2 empties, in the lowest two bytes of `empties`, in the order to try them.
#[inline(always)]
pub(super) fn last_2<I: Recursion, L: LastMoveScore<I>>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let best = move_of_2::<I, L, true>(isa, search, board, empties, alpha);
    if !counted(NoMove, 2, 0, best == NONE) {
        return best;
    }
    match move_of_2::<I, L, false>(isa, search, board.pass(), empties, !alpha) {
        NONE => board.final_score(),
        score => -score,
    }
}

/// The best of the two moves on two empties; [`NONE`] where neither is legal. `LOOK` says whether to
/// look at a square's neighbours first: after a pass the look all but never saves a flip (the branch
/// rates that Okuhara measured for Edax AVX).
#[inline(always)]
fn move_of_2<I: Recursion, L: LastMoveScore<I>, const LOOK: bool>(
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
            best = -L::last_move_score(isa, b, board.opponent ^ flipped, !alpha);
            if counted(Cut, 2, first, best > alpha) {
                return best;
            }
        }
    }
    if !LOOK || counted(Neighbour, 2, second, near(b)) {
        let flipped = isa.flip(b, board.player, board.opponent);
        if counted(Legal, 2, second, flipped != 0) {
            search.nodes += 1;
            best = best.max(-L::last_move_score(
                isa,
                a,
                board.opponent ^ flipped,
                !alpha,
            ));
        }
    }
    best
}
