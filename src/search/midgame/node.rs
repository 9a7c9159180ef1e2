//! The nodes of the trainer's search.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use outflank_kernels::stamp;

use super::memory::Entry;
use super::{INFINITE, Search};
use crate::board::Board;
use crate::eval::{DISC, Evaluator};
use crate::search::ordering::MAX_MOVES;
use crate::table::NO_MOVE;

stamp! {
    /// The recursion point of this search, at one level.
    pub(crate) trait Recursion;
    /// The value of a board by a search of 1 or more plies with an evaluation at the leaves.
    fn search_node[E: Evaluator](search: &mut Search<'_, E>, board: Board, state: &E::State, depth: u32, alpha: i32, beta: i32) -> i32
        = node::<Self, E>;
}

/// What a move of the opponent subtracts from an order score.
const MOBILITY_WEIGHT: i32 = DISC / 2;

/// The minimum depth at which a node checks for a stop.
const STOP_DEPTH: u32 = 4;

/// A move, the board after it and the evaluation's state there.
struct Child<S> {
    square: u8,
    /// The child with the greatest order score is searched first.
    order_score: i32,
    board: Board,
    state: S,
}

type Children<S> = ArrayVec<Child<S>, MAX_MOVES>;

/// The value of `board`, fail-soft, by a search of `depth` plies (1 or more).
#[inline(always)]
fn node<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let mobility = isa.mobility(board.player, board.opponent);
    if mobility == 0 {
        let mut value = board.final_score() * DISC;
        if isa.mobility(board.opponent, board.player) != 0 {
            let state = search.evaluator.pass(isa, state);
            value = -search_node(isa, search, board.pass(), &state, depth, -beta, -alpha);
        }
        search.best = NO_MOVE;
        return value;
    }
    if depth == 1 {
        return last_ply(isa, search, board, state, mobility, beta);
    }
    if depth >= STOP_DEPTH && search.stop.load(Relaxed) {
        search.stopped = true;
    }
    if search.stopped {
        return alpha;
    }

    let hash = isa.board_hash(board.player, board.opponent);
    let mut hash_move = NO_MOVE;
    if let Some(entry) = search.memory.probe(hash, board) {
        hash_move = entry.best;
        if let Some(value) = table_cut(entry, depth, alpha, beta) {
            search.best = hash_move;
            return value;
        }
    }
    let mut children = Children::new();
    generate(
        isa,
        search,
        board,
        state,
        mobility,
        hash_move,
        &mut children,
    );
    let (best, best_move) = search_children(isa, search, &mut children, depth, alpha, beta);
    if search.stopped {
        return alpha;
    }
    search.best = best_move;
    let lower = if best > alpha { best } else { -INFINITE };
    let upper = if best < beta { best } else { INFINITE };
    search
        .memory
        .store(hash, board, depth, (lower, upper), best_move);
    best
}

/// The bound of an entry of the same depth that decides the window.
#[inline(always)]
fn table_cut(entry: &Entry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
    let cuts = lower >= beta || upper <= alpha || lower == upper;
    (u32::from(entry.depth) == depth && cuts).then_some(if lower >= beta { lower } else { upper })
}

/// Adds all children of `board`, with their order scores, to `children`.
#[inline(always)]
fn generate<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    mobility: u64,
    hash_move: u8,
    children: &mut Children<E::State>,
) {
    let mut rest = mobility;
    while rest != 0 {
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        let next = board.after(square, flipped);
        let state = search.evaluator.update(isa, state, square, flipped);
        let order_score = if square == usize::from(hash_move) {
            INFINITE
        } else {
            let opponent_mobility = isa.mobility(next.player, next.opponent).count_ones() as i32;
            -search.evaluator.value(isa, &state, next) - MOBILITY_WEIGHT * opponent_mobility
        };
        children.push(Child {
            square: square as u8,
            order_score,
            board: next,
            state,
        });
    }
    search.nodes += children.len() as u64;
}

/// Principal variation search of the children: the best value and move, unless the search is stopped.
#[inline(always)]
fn search_children<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    children: &mut Children<E::State>,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> (i32, u8) {
    let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
    for i in 0..children.len() {
        let mut first = i;
        for other in i + 1..children.len() {
            if children[other].order_score > children[first].order_score {
                first = other;
            }
        }
        children.swap(i, first);
        let Child { board, state, .. } = &children[i];
        let mut search_child = |alpha: i32, beta: i32| {
            -search_node(isa, search, *board, state, depth - 1, -beta, -alpha)
        };
        let mut value = if i == 0 {
            search_child(alpha, beta)
        } else {
            search_child(alpha, alpha + 1)
        };
        if i > 0 && alpha < value && value < beta {
            value = search_child(value - 1, beta);
        }
        if search.stopped {
            break;
        }
        if value > best {
            (best, best_move) = (value, children[i].square);
            if value >= beta {
                break;
            }
            alpha = alpha.max(value);
        }
    }
    (best, best_move)
}

/// The value of `board`, which has the moves `mobility`, by a search of one ply.
#[inline(always)]
fn last_ply<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    mobility: u64,
    beta: i32,
) -> i32 {
    let mut best = -INFINITE;
    let mut rest = mobility;
    while rest != 0 {
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        search.nodes += 1;
        // A side without discs has lost; no pattern knows what that is worth.
        let value = if flipped == board.opponent {
            64 * DISC
        } else {
            let state = search.evaluator.update(isa, state, square, flipped);
            -search
                .evaluator
                .value(isa, &state, board.after(square, flipped))
        };
        if value > best {
            (best, search.best) = (value, square as u8);
            if value >= beta {
                break;
            }
        }
    }
    best
}
