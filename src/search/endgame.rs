//! Exact negamax search of boards with 12 or fewer empties, without an evaluation. The local table and stable discs cut
//! nodes, and moves are ordered fastest first. With 5 or fewer empties and a null window `shallow` takes over.
//!
//! Almost every node has a null window ("is the score above `alpha`?"). Only the nodes of the principal
//! variation have an open window. Scores are fail-soft: a bound can be tighter than the window.

use super::line::BestLine;
use super::local_table::{LocalKey, LocalProbe, LocalTable, MAX_LOCAL_EMPTIES, MIN_LOCAL_EMPTIES};
use super::node::BestMove;
use super::ordering::EndgameMoves;
use super::recursion::{self, SearchRecursion};
use super::shallow::up_to_5;
use super::stability::stability_cut;
use super::statistics::Branch::{ChildCut, NoMove, TableCut};
use super::statistics::count_branch;
use super::window::Window;
use super::worker::EndgameWorker;
use crate::board::Board;

/// The minimum number of empties at which all children are probed in the local table before any is searched.
const ETC_EMPTIES: u32 = 10;

/// The score of a board with at most [`MAX_LOCAL_EMPTIES`] empties and the legal moves `mobility` against the null
/// window above `alpha`.
#[inline(always)]
pub(super) fn null_window_score<I: SearchRecursion>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    if board.empty_count() >= MIN_LOCAL_EMPTIES {
        recursion::endgame_null(isa, worker, board, mobility, alpha)
    } else {
        up_to_5(isa, worker, board, mobility, alpha)
    }
}

/// Solves a node with at most [`MAX_LOCAL_EMPTIES`] empties, whose legal moves are `mobility`.
#[inline(always)]
pub(super) fn score<I: SearchRecursion, L: BestLine>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    mobility: u64,
    window: Window,
    line: &mut L,
) -> i32 {
    match line.as_open() {
        Some(line) => recursion::endgame_open(isa, worker, board, mobility, window, line),
        None => null_window_score(isa, worker, board, mobility, window.alpha),
    }
}

/// The body of every endgame node: the score of `board`, whose legal moves are `mobility`, in a window. The board has
/// at most [`MAX_LOCAL_EMPTIES`] empties, and at least [`MIN_LOCAL_EMPTIES`] for a null window.
#[inline(always)]
pub(super) fn node<I: SearchRecursion, L: BestLine>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    mobility: u64,
    window: Window,
    line: &mut L,
) -> i32 {
    line.clear();
    let empties = board.empty_count();
    let alpha = window.alpha;
    debug_assert!(empties <= MAX_LOCAL_EMPTIES);
    if !L::OPEN
        && let Some(bound) = stability_cut(isa, board, empties, alpha)
    {
        return bound;
    }
    if count_branch(NoMove, empties as usize, 0, mobility == 0) {
        return no_move(isa, worker, board, window, line);
    }
    let mut probe = LocalProbe::MISS;
    let key = (empties >= MIN_LOCAL_EMPTIES).then(|| LocalKey::new(isa, board, empties));
    if let Some(key) = key {
        probe = key.probe(worker.local);
        // An open window needs the line, which the table does not have.
        if !L::OPEN
            && let Some(score) = table_cut(&probe, empties, alpha)
        {
            return score;
        }
    }
    let mut moves = EndgameMoves::new(board.empties());
    let mut first = moves.add(isa, board, mobility, probe.moves);
    let mut remaining = moves.len();
    let mut best = BestMove::new(empties, window, line);
    if !L::OPEN && empties >= ETC_EMPTIES {
        if let Some(score) = etc(isa, worker, &mut moves, empties, alpha, &mut best.score) {
            return score;
        }
        (first, remaining) = (moves.select(), moves.remaining());
    }
    search_moves(isa, worker, &mut moves, (first, remaining), &mut best);
    if let Some(key) = key {
        key.store(worker.local, probe, window, best.score, best.square);
    }
    best.score
}

/// The score of a board without a legal move: by a pass, or the final score if the game is over.
#[inline(always)]
fn no_move<I: SearchRecursion, L: BestLine>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    board: Board,
    window: Window,
    line: &mut L,
) -> i32 {
    let mobility = isa.mobility(board.opponent, board.player);
    if mobility == 0 {
        return board.final_score();
    }
    let (board, window) = (board.pass(), window.for_opponent());
    let mut rest = L::default();
    let score = -self::score(isa, worker, board, mobility, window, &mut rest);
    line.set(None, &rest);
    score
}

/// The bound of the local table, if it decides the null window above `alpha`.
#[inline(always)]
fn table_cut(probe: &LocalProbe, empties: u32, alpha: i32) -> Option<i32> {
    let (fails_high, fails_low) = (probe.lower > alpha, probe.upper <= alpha);
    let cuts = count_branch(TableCut, empties as usize, 0, fails_high || fails_low);
    cuts.then_some(if fails_high { probe.lower } else { probe.upper })
}

/// Enhanced transposition cut-off: probes every child in the local table. Returns the score of a child that makes this
/// node fail high. Otherwise it consumes the children that cannot exceed `alpha` and leaves their best upper bound in
/// `best`.
#[inline(always)]
fn etc<I: SearchRecursion>(
    isa: I,
    worker: &EndgameWorker<'_>,
    moves: &mut EndgameMoves,
    empties: u32,
    alpha: i32,
    best: &mut i32,
) -> Option<i32> {
    let table: &LocalTable = worker.local;
    for index in 0..moves.len() {
        let next = moves.get(index).next;
        let LocalProbe { lower, upper, .. } = LocalKey::new(isa, next, empties - 1).probe(table);
        if count_branch(ChildCut, empties as usize, 0, -upper > alpha) {
            return Some(-upper);
        }
        if -lower <= alpha {
            *best = (-lower).max(*best);
            moves.take(index);
        }
    }
    None
}

/// Searches the `remaining` moves of a node by principal variation search until one fails high. The first is at
/// `index`. The result is in `best`.
#[inline(always)]
fn search_moves<I: SearchRecursion, L: BestLine>(
    isa: I,
    worker: &mut EndgameWorker<'_>,
    moves: &mut EndgameMoves,
    (mut index, remaining): (usize, usize),
    best: &mut BestMove<'_, L>,
) {
    for searched in 0..remaining {
        if searched > 0 {
            index = moves.select();
        }
        let child = moves.take(index);
        worker.nodes += 1;
        let mut score = best.window.beta;
        if best.has_null_search(searched) {
            let alpha = best.null_window().alpha;
            score = -null_window_score(isa, worker, child.next, child.mobility, alpha);
        }
        if best.has_open_search(searched, score) {
            let window = best.open_window();
            let rest = &mut best.rest;
            score = -self::score(isa, worker, child.next, child.mobility, window, rest);
        } else {
            best.rest.clear();
        }
        if best.update(searched, child.square, score) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::{Isa, with_isa};

    /// The two boards differ only in the colour of one solid disc, so they share a table entry. The first is won and
    /// the second lost. Both games end with empty squares, which go to different winners.
    #[test]
    fn scores_are_exact_for_solid_discs_of_either_colour() {
        let won = "O---XOOOO--OXOO-XOOOOOXOOXOOOOOOO--OXOXXOOOOXOXOOOOOOXOXOXOOOXOX";
        let lost = "O---XOOOO--OXOO-XOOOOOXOOXOOOOOOO--OXOXXOOOOOOXOOOOOOXOXOXOOOXOX";
        let boards = [(won, 2), (lost, -2)];
        for &isa in Isa::available() {
            for order in [[0, 1], [1, 0]] {
                for alpha in (-63..64).step_by(2) {
                    let mut local = LocalTable::new();
                    let mut worker = EndgameWorker {
                        local: &mut local,
                        nodes: 0,
                    };
                    for (squares, score) in order.map(|i| boards[i]) {
                        let board: Board = format!("{squares} X").parse().unwrap();
                        let found = with_isa!(isa.token().unwrap(), isa => {
                            recursion::endgame_null(isa, &mut worker, board, board.mobility(), alpha)
                        });
                        let agrees = match found > alpha {
                            true => found <= score,
                            false => found >= score,
                        };
                        let case = format!("{isa}: {score} above {alpha} on {squares}");
                        assert!(agrees, "{found} for {case}");
                    }
                }
            }
        }
    }
}
