//! Six to twelve empties: the exact negamax search without an evaluation, that cuts with the local
//! table, with stability and with the order of moves.
//!
//! Almost every node asks a null window ("is the score over `alpha`?"); the nodes on the line of best
//! play have an open window. Scores are fail-soft: a bound that is better than asked for is returned.

use super::line::BestLine;
use super::local::{self, Key, Known, Local};
use super::node::Node;
use super::ordering::{Moves, choose, list_moves, rate, take};
use super::recursion::{self, Recursion};
use super::shallow::up_to_5;
use super::statistics::Branch::{ChildCut, CountStable, Cut, NoMove, StableCut, TableCut};
use super::statistics::counted;
use super::variants::LastEmpties;
use crate::board::Board;
use crate::table::NO_MOVE;

/// The state of one thread's search to the end of the game.
pub(crate) struct Search<'a> {
    pub(crate) local: &'a mut Local,
    /// Boards that were gone to by a move.
    pub(crate) nodes: u64,
    /// The functions for the last empties.
    pub(crate) last: LastEmpties,
}

/// The most empties that this search is for: with more, an evaluation orders the moves.
pub(super) const MAX_EMPTIES: u32 = local::MAX;

/// By the number of empties: the `alpha` from which it pays to count the opponent's stable discs.
/// A cut needs (64 - alpha) / 2 of them, and the emptier the board, the fewer there are.
pub(super) const STABILITY_ALPHA: [i32; 65] = stability_alpha();

const fn stability_alpha() -> [i32; 65] {
    let mut all = [99; 65];
    let mut empties = 0;
    while empties < 65 {
        all[empties] = match empties {
            0..=3 => 99,
            4..=7 => 2 * empties as i32 - 2,
            8..=11 => 2 * empties as i32 - 8,
            12..=26 => 12 + 2 * (empties as i32 - 11),
            _ => 99,
        };
        empties += 1;
    }
    all
}

/// The most that the mover can still get, because the opponent's stable discs stay.
#[inline(always)]
pub(super) fn stability_bound<I: Recursion>(isa: I, board: Board) -> i32 {
    64 - 2 * isa.stability(board.opponent, board.player).count_ones() as i32
}

/// The number of empties from which every child is looked up in the local table before any is searched.
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
    if board.empty_count() >= local::MIN {
        recursion::null_window(isa, search, board, mobility, alpha)
    } else {
        up_to_5(isa, search, board, mobility, alpha)
    }
}

/// Looks every move's board up in the local table. The score of this node where one of them refutes the
/// null window; otherwise moves that cannot do better than `alpha` are taken out, and the most that one
/// of them can get is left in `best`.
#[inline(always)]
fn look_up<I: Recursion>(
    isa: I,
    search: &Search<'_>,
    moves: &mut Moves,
    empties: u32,
    alpha: i32,
    best: &mut i32,
) -> Option<i32> {
    let mut i = 0;
    while i < moves.len() {
        let Known { lower, upper, .. } =
            Key::new(isa, moves[i].next, empties - 1).probe(search.local);
        if counted(ChildCut, empties as usize, 0, -upper > alpha) {
            return Some(-upper);
        }
        if -lower <= alpha {
            *best = (-lower).max(*best);
            moves.swap_remove(i);
        } else {
            i += 1;
        }
    }
    None
}

/// The body of every node: the score of `board`, which has the moves `mobility`, in the window from `alpha`
/// to `beta`. At most [`MAX_EMPTIES`] empties, and [`local::MIN`] where the window is not open.
#[inline(always)]
pub(super) fn node<I: Recursion, N: Node>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    mobility: u64,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    line.clear();
    let empties = board.empty_count();
    let row = empties as usize;
    if !N::OPEN && counted(CountStable, row, 0, alpha >= STABILITY_ALPHA[row]) {
        let bound = stability_bound(isa, board);
        if counted(StableCut, row, 0, bound <= alpha) {
            return bound;
        }
    }
    let mut rest = N::Line::default();
    if counted(NoMove, row, 0, mobility == 0) {
        let replies = isa.mobility(board.opponent, board.player);
        if replies == 0 {
            return board.final_score();
        }
        let window = (-beta, -alpha);
        let score = -N::exact(isa, search, board.pass(), replies, window, &mut rest);
        line.set_pass(&rest);
        return score;
    }
    let mut known = Known::NOTHING;
    let key = (empties >= local::MIN).then(|| Key::new(isa, board, empties));
    if let Some(key) = key {
        known = key.probe(search.local);
        // An open window wants the line, which the table does not have.
        let (proved, refuted) = (known.lower > alpha, known.upper <= alpha);
        if !N::OPEN && counted(TableCut, row, 0, proved || refuted) {
            return if proved { known.lower } else { known.upper };
        }
    }
    let mut moves = Moves::new();
    list_moves(isa, board, mobility, &mut moves);
    let (mut best, mut best_move) = (-65, NO_MOVE);
    if !N::OPEN
        && empties >= ETC_EMPTIES
        && let Some(score) = look_up(isa, search, &mut moves, empties, alpha, &mut best)
    {
        return score;
    }
    let mut first = 0;
    if let [only] = &mut moves[..] {
        only.mobility = isa.mobility(only.next.player, only.next.opponent);
    } else {
        first = rate(isa, board, &mut moves, known.moves);
    }
    let mut low = alpha;
    for i in 0..moves.len() {
        search.nodes += 1;
        let place = if i == 0 { first } else { choose(&moves) };
        let one = take(&mut moves, place);
        let mut score = beta;
        if !N::OPEN || i > 0 {
            score = -null_window_of(isa, search, one.next, one.mobility, !low);
        }
        // Most moves after the first only had to be shown to be no better.
        if N::OPEN && (i == 0 || low < score && score < beta) {
            let window = (-beta, -low);
            score = -N::exact(isa, search, one.next, one.mobility, window, &mut rest);
        } else {
            rest.clear();
        }
        let cut = counted(Cut, row, i, score >= beta.min(64));
        if score > best {
            (best, best_move) = (score, one.square);
            line.set_move(one.square, &rest);
            if cut {
                break;
            }
            low = low.max(score);
        }
    }
    if let Some(key) = key {
        key.store(search.local, known, (alpha, beta), best, best_move);
    }
    best
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
        for &level in Isa::available() {
            for order in [[0, 1], [1, 0]] {
                for alpha in (-63..64).step_by(2) {
                    let mut local = Local::new();
                    let mut search = Search {
                        local: &mut local,
                        nodes: 0,
                        last: with_isa!(level.token().unwrap(), isa => LastEmpties::selected(isa)),
                    };
                    for (squares, score) in order.map(|i| boards[i]) {
                        let board = board(squares);
                        let found = with_isa!(level.token().unwrap(), isa => {
                            recursion::null_window(isa, &mut search, board, board.mobility(), alpha)
                        });
                        let agrees = if found > alpha {
                            found <= score
                        } else {
                            found >= score
                        };
                        assert!(
                            agrees,
                            "{level}: {found} for {score} above {alpha} on {squares}"
                        );
                    }
                }
            }
        }
    }
}
