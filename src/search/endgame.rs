//! Six to twelve empties: the exact negamax search without an evaluation. It cuts with the local table,
//! with stability and with the order of moves.
//!
//! Almost every node has a null window ("is the score above `alpha`?"). Only the nodes of the principal
//! variation have an open window. Scores are fail-soft: a bound that is tighter than asked for is returned.

use super::line::BestLine;
use super::local::{self, Key, LocalTable, MAX_EMPTIES, Probe};
use super::node::{Best, Node};
use super::ordering::Moves;
use super::recursion::{self, Recursion};
use super::shallow::up_to_5;
use super::stability::stability_cut;
use super::statistics::Branch::{ChildCut, NoMove, TableCut};
use super::statistics::counted;
use super::thread::Search;
use crate::board::Board;

/// The number of empties from which all children are probed in the local table before any is searched.
const ETC_EMPTIES: u32 = 10;

/// The score of a board with at most [`MAX_EMPTIES`] empties and the moves `mobility` against the null
/// window above `alpha`.
#[inline(always)]
pub(super) fn null_window_of<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    mobility: u64,
    alpha: i32,
) -> i32 {
    if board.empty_count() >= local::MIN_EMPTIES {
        recursion::null_window(isa, search, board, mobility, alpha)
    } else {
        up_to_5(isa, search, board, mobility, alpha)
    }
}

/// The body of every node: the score of `board`, which has the moves `mobility`, in the window from `alpha`
/// to `beta`. At most [`MAX_EMPTIES`] empties, and [`local::MIN_EMPTIES`] or more where the window is not
/// open.
#[inline(always)]
pub(super) fn node<I: Recursion, N: Node>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    mobility: u64,
    window: (i32, i32),
    line: &mut N::Line,
) -> i32 {
    line.clear();
    let empties = board.empty_count();
    let alpha = window.0;
    debug_assert!(empties <= MAX_EMPTIES);
    if !N::OPEN
        && let Some(bound) = stability_cut(isa, board, empties, alpha)
    {
        return bound;
    }
    if counted(NoMove, empties as usize, 0, mobility == 0) {
        return no_move::<I, N>(isa, search, board, window, line);
    }
    let mut probe = Probe::MISS;
    let key = (empties >= local::MIN_EMPTIES).then(|| Key::new(isa, board, empties));
    if let Some(key) = key {
        probe = key.probe(search.local);
        // An open window wants the line, which the table does not have.
        if !N::OPEN
            && let Some(score) = table_cut(&probe, empties, alpha)
        {
            return score;
        }
    }
    let mut moves = Moves::new(board.empties());
    let mut first = moves.add(isa, board, mobility, probe.moves);
    let mut left = moves.len();
    let mut best = Best::<N>::new(window, line);
    if !N::OPEN && empties >= ETC_EMPTIES {
        if let Some(score) = etc(isa, search, &mut moves, empties, alpha, &mut best.score) {
            return score;
        }
        (first, left) = (moves.select(), moves.left());
    }
    search_moves(isa, search, &mut moves, (first, left), empties, &mut best);
    if let Some(key) = key {
        key.store(search.local, probe, window, best.score, best.square);
    }
    best.score
}

/// The score of a board without a move: of the board after a pass, or of the finished game.
#[inline(always)]
fn no_move<I: Recursion, N: Node>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    let opponent_mobility = isa.mobility(board.opponent, board.player);
    if opponent_mobility == 0 {
        return board.final_score();
    }
    let mut rest = N::Line::default();
    let window = (-beta, -alpha);
    let score = -N::exact(
        isa,
        search,
        board.pass(),
        opponent_mobility,
        window,
        &mut rest,
    );
    line.set_pass(&rest);
    score
}

/// The bound of the local table that decides the null window above `alpha`.
#[inline(always)]
fn table_cut(probe: &Probe, empties: u32, alpha: i32) -> Option<i32> {
    let (fails_high, fails_low) = (probe.lower > alpha, probe.upper <= alpha);
    let cuts = counted(TableCut, empties as usize, 0, fails_high || fails_low);
    cuts.then_some(if fails_high { probe.lower } else { probe.upper })
}

/// Enhanced transposition cut-off: probes every child in the local table. The score of a child that makes
/// this node fail high. Otherwise children that cannot exceed `alpha` are removed, and the best upper bound
/// of those is left in `best`.
#[inline(always)]
fn etc<I: Recursion>(
    isa: I,
    search: &Search<'_>,
    moves: &mut Moves,
    empties: u32,
    alpha: i32,
    best: &mut i32,
) -> Option<i32> {
    let table: &LocalTable = search.local;
    for place in 0..moves.len() {
        let next = moves.get(place).next;
        let Probe { lower, upper, .. } = Key::new(isa, next, empties - 1).probe(table);
        if counted(ChildCut, empties as usize, 0, -upper > alpha) {
            return Some(-upper);
        }
        if -lower <= alpha {
            *best = (-lower).max(*best);
            moves.take(place);
        }
    }
    None
}

/// Principal variation search of the moves of a node, until one fails high; what it finds is in `best`.
#[inline(always)]
fn search_moves<I: Recursion, N: Node>(
    isa: I,
    search: &mut Search<'_>,
    moves: &mut Moves,
    (mut place, left): (usize, usize),
    empties: u32,
    best: &mut Best<'_, N>,
) {
    for searched in 0..left {
        if searched > 0 {
            place = moves.select();
        }
        let one = moves.take(place);
        search.nodes += 1;
        let mut score = best.beta;
        if best.has_null_search(searched) {
            let (alpha, _) = best.null_window();
            score = -null_window_of(isa, search, one.next, one.mobility, alpha);
        }
        if best.has_open_search(searched, score) {
            let window = best.open_window();
            score = -N::exact(isa, search, one.next, one.mobility, window, &mut best.rest);
        } else {
            best.rest.clear();
        }
        if best.take(empties, searched, one.square, score) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::{Isa, with_isa};

    fn board(squares: &str) -> Board {
        let discs = |side: char| {
            squares
                .chars()
                .enumerate()
                .filter(|&(_, square)| square == side)
                .fold(0, |bits, (i, _)| bits | 1 << i)
        };
        Board {
            player: discs('X'),
            opponent: discs('O'),
        }
    }

    /// Two boards that differ in one solid disc, and so share a table entry. The first is won and the
    /// second lost, and the games end with empty squares: those go to different winners.
    #[test]
    fn solid_discs_of_either_colour_leave_scores_exact() {
        let boards = [
            (
                "O---XOOOO--OXOO-XOOOOOXOOXOOOOOOO--OXOXXOOOOXOXOOOOOOXOXOXOOOXOX",
                2,
            ),
            (
                "O---XOOOO--OXOO-XOOOOOXOOXOOOOOOO--OXOXXOOOOOOXOOOOOOXOXOXOOOXOX",
                -2,
            ),
        ];
        for &isa in Isa::available() {
            for order in [[0, 1], [1, 0]] {
                for alpha in (-63..64).step_by(2) {
                    let mut local = LocalTable::new();
                    let mut search = Search {
                        local: &mut local,
                        nodes: 0,
                    };
                    for (squares, score) in order.map(|i| boards[i]) {
                        let board = board(squares);
                        let found = with_isa!(isa.token().unwrap(), isa => {
                            recursion::null_window(isa, &mut search, board, board.mobility(), alpha)
                        });
                        let agrees = if found > alpha {
                            found <= score
                        } else {
                            found >= score
                        };
                        assert!(
                            agrees,
                            "{isa}: {found} for {score} above {alpha} on {squares}"
                        );
                    }
                }
            }
        }
    }
}
