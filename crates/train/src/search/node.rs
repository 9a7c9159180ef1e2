//! Nodes of the trainer's search.

use arrayvec::ArrayVec;
use outflank::eval::{DISC, Evaluator};
use outflank::{Board, Ply, Square};
use outflank_kernels::stamp;

use super::table::FixedDepthEntry;
use super::{INFINITE, SearchState};

stamp! {
    /// Recursion point of the trainer's search, compiled for every level.
    pub(crate) trait ValueRecursion;
    /// Value of a board by a search of 1 or more plies.
    fn search_node[E: Evaluator](search: &mut SearchState<'_, E>, board: Board, state: &E::State, depth: u32, alpha: i32, beta: i32) -> i32
        = node::<Self, E>;
}

/// Penalty in the order score for each reply of the opponent.
const MOBILITY_WEIGHT: i32 = DISC / 2;

/// Minimum depth at which a node checks for a stop.
const STOP_DEPTH: u32 = 4;

/// Move with the board and the evaluation state after it.
struct ScoredChild<S> {
    square: Square,
    /// Children with greater scores are searched first.
    order_score: i32,
    board: Board,
    state: S,
}

/// Children of a node. No board is known to have more than 34 moves.
type ScoredChildren<S> = ArrayVec<ScoredChild<S>, 60>;

/// Value of `board`, fail-soft, by a search of `depth` plies (1 or more).
#[inline(always)]
fn node<I: ValueRecursion, E: Evaluator<I>>(
    isa: I,
    search: &mut SearchState<'_, E>,
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
        search.best = None;
        return value;
    }
    if depth == 1 {
        return last_ply(isa, search, board, state, mobility, beta);
    }
    if depth >= STOP_DEPTH && search.stop.is_stopped() {
        search.stopped = true;
    }
    if search.stopped {
        return alpha;
    }

    let hash = isa.board_hash(board.player, board.opponent);
    let mut hash_move = None;
    if let Some(entry) = search.table.probe(hash, board) {
        hash_move = entry.best;
        if let Some(value) = table_cut(entry, depth, alpha, beta) {
            search.best = hash_move;
            return value;
        }
    }
    let mut children = generate(isa, search, board, state, mobility, hash_move);
    let (value, best) = search_children(isa, search, &mut children, depth, alpha, beta);
    if search.stopped {
        return alpha;
    }
    search.best = best;
    let lower = if value > alpha { value } else { -INFINITE };
    let upper = if value < beta { value } else { INFINITE };
    let bounds = (lower, upper);
    search.table.store(hash, board, depth, bounds, best);
    value
}

/// Bound of a table entry; `None` unless the entry has exactly this depth and a bound that ends the node.
#[inline(always)]
fn table_cut(entry: &FixedDepthEntry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
    let cuts = lower >= beta || upper <= alpha || lower == upper;
    (u32::from(entry.depth) == depth && cuts).then_some(if lower >= beta { lower } else { upper })
}

/// Generates all children of `board` with their order scores.
#[inline(always)]
fn generate<I: ValueRecursion, E: Evaluator<I>>(
    isa: I,
    search: &mut SearchState<'_, E>,
    board: Board,
    state: &E::State,
    mobility: u64,
    hash_move: Ply,
) -> ScoredChildren<E::State> {
    let mut children = ScoredChildren::new();
    for square in Square::all_in(mobility) {
        let flipped = isa.flip(square.index(), board.player, board.opponent);
        let next = board.after(square, flipped);
        let state = search.evaluator.update(isa, state, square, flipped);
        let order_score = if Some(square) == hash_move {
            INFINITE
        } else {
            let replies = isa.mobility(next.player, next.opponent).count_ones() as i32;
            -search.evaluator.value(isa, &state, next) - MOBILITY_WEIGHT * replies
        };
        children.push(ScoredChild {
            square,
            order_score,
            board: next,
            state,
        });
    }
    search.nodes += children.len() as u64;
    children
}

/// Searches the children by principal variation search. Returns the best value and move, which are meaningless if the
/// search was stopped.
#[inline(always)]
fn search_children<I: ValueRecursion, E: Evaluator<I>>(
    isa: I,
    search: &mut SearchState<'_, E>,
    children: &mut [ScoredChild<E::State>],
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> (i32, Ply) {
    let (mut best_value, mut best) = (-INFINITE, None);
    for i in 0..children.len() {
        let mut first = i;
        for other in i + 1..children.len() {
            if children[other].order_score > children[first].order_score {
                first = other;
            }
        }
        children.swap(i, first);
        let ScoredChild { board, state, .. } = &children[i];
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
        if value > best_value {
            (best_value, best) = (value, Some(children[i].square));
            if value >= beta {
                break;
            }
            alpha = alpha.max(value);
        }
    }
    (best_value, best)
}

/// Value of `board`, whose legal moves are `mobility`, by a search of one ply.
#[inline(always)]
fn last_ply<I: ValueRecursion, E: Evaluator<I>>(
    isa: I,
    search: &mut SearchState<'_, E>,
    board: Board,
    state: &E::State,
    mobility: u64,
    beta: i32,
) -> i32 {
    let mut best = -INFINITE;
    for square in Square::all_in(mobility) {
        let flipped = isa.flip(square.index(), board.player, board.opponent);
        search.nodes += 1;
        // A side without discs has lost. The evaluation does not know that.
        let value = if flipped == board.opponent {
            64 * DISC
        } else {
            let state = search.evaluator.update(isa, state, square, flipped);
            let next = board.after(square, flipped);
            -search.evaluator.value(isa, &state, next)
        };
        if value > best {
            (best, search.best) = (value, Some(square));
            if value >= beta {
                break;
            }
        }
    }
    best
}
