//! Eight empties and more: the exact negamax search that cuts with the table, with stability and with
//! the order of moves.
//!
//! Almost every node asks a null window ("is the score over `alpha`?"); the nodes on the line of best
//! play have an open window. Scores are fail-soft: a bound that is better than asked for is returned.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::line::{BestLine, Line};
use super::ordering::{MOST_MOVES, Moves, choose, list_moves, rate};
use super::recursion::{self, Recursion};
use super::shallow::up_to_7;
use super::variants::LastEmpties;
use crate::board::Board;
use crate::table::{Entry, NO_MOVE, Table};

/// The state of one solve.
pub(crate) struct Search<'a> {
    pub(crate) table: &'a Table,
    /// Set from outside to stop.
    pub(crate) stop: &'a AtomicBool,
    /// Whether the search saw the stop: scores returned since then mean nothing.
    pub(crate) stopped: bool,
    /// Boards reached by a move.
    pub(crate) nodes: u64,
    /// The functions for the last empties.
    pub(crate) last: LastEmpties,
}

/// The number of empties up to which solid discs are looked for in a table probe: with more, too few
/// boards have any (docs/speed.md).
const SOLID_EMPTIES: u32 = 8;

/// The number of empties from which every child is looked up in the table before any is searched.
const ETC_EMPTIES: u32 = 10;

/// The number of empties from which a node looks whether to stop.
const STOP_EMPTIES: u32 = 12;

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

/// What a table probe is made with: the board with solid discs given to the mover, whose colour no
/// longer matters to play, and what that added to its score.
struct Key {
    board: Board,
    hash: u64,
    added: u8,
}

impl Key {
    #[inline(always)]
    fn new<I: Recursion>(isa: I, board: Board, empties: u32) -> Key {
        let mut key = Key {
            board,
            hash: 0,
            added: 0,
        };
        if empties <= SOLID_EMPTIES {
            let solid = isa.solid_discs(board.player, board.opponent) & board.opponent;
            key.board.player ^= solid;
            key.board.opponent ^= solid;
            key.added = 2 * solid.count_ones() as u8;
        }
        key.hash = isa.board_hash(key.board.player, key.board.opponent);
        key
    }

    /// What the table knows, as bounds of the board's own score, and the moves to try first.
    #[inline(always)]
    fn probe(&self, table: &Table) -> Option<(i32, i32, [u8; 2])> {
        let entry = table.probe(self.hash, self.board)?;
        let (lower, upper) = entry.bounds(self.added);
        Some((lower, upper, entry.moves))
    }

    /// Stores that a search of `nodes` nodes (1 or more) found `score`: a lower bound where it is over
    /// `alpha`, an upper bound where it is under `beta`, exact where it is both.
    #[inline(always)]
    fn store(&self, table: &Table, alpha: i32, beta: i32, score: i32, best: u8, nodes: u64) {
        let lower = if score > alpha { score } else { -64 };
        let upper = if score < beta { score } else { 64 };
        let found = Entry::new(lower, upper, self.added, best, nodes);
        table.store(self.hash, self.board, found);
    }
}

/// Enhanced transposition cut-off: a child of which the table knows enough refutes the null window
/// before anything is searched. The score of such a child, for this node.
#[inline(always)]
fn etc<I: Recursion>(
    isa: I,
    table: &Table,
    moves: &Moves,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    // A loop, not a closure for an iterator: only code compiled for the level takes the kernels in.
    let mut keys = ArrayVec::<Key, MOST_MOVES>::new();
    for one in moves {
        let key = Key::new(isa, one.next, empties - 1);
        table.prefetch(key.hash);
        keys.push(key);
    }
    for key in &keys {
        if let Some((_, upper, _)) = key.probe(table)
            && -upper > alpha
        {
            return Some(-upper);
        }
    }
    None
}

/// The score of any board against the null window above `alpha`.
#[inline(always)]
fn null_window_of<I: Recursion>(isa: I, search: &mut Search<'_>, board: Board, alpha: i32) -> i32 {
    if board.empty_count() >= 8 {
        recursion::null_window(isa, search, board, alpha)
    } else {
        up_to_7(isa, search, board, alpha)
    }
}

/// The kind of a node, known when it is compiled: whether its window is open.
pub(super) trait Node {
    /// Whether the window is wider than one score, so that the exact score and its line matter.
    const OPEN: bool;
    /// Where the line goes.
    type Line: BestLine;

    /// Searches another node of this kind.
    fn search<I: Recursion>(
        isa: I,
        search: &mut Search<'_>,
        board: Board,
        window: (i32, i32),
        line: &mut Self::Line,
    ) -> i32;
}

/// A node with a null window, `beta` one over `alpha`. 8 and more empties.
pub(super) struct Null;

impl Node for Null {
    const OPEN: bool = false;
    type Line = ();

    #[inline(always)]
    fn search<I: Recursion>(
        isa: I,
        search: &mut Search<'_>,
        board: Board,
        (alpha, _): (i32, i32),
        (): &mut (),
    ) -> i32 {
        recursion::null_window(isa, search, board, alpha)
    }
}

/// A node with an open window. Any number of empties.
pub(super) struct Open;

impl Node for Open {
    const OPEN: bool = true;
    type Line = Line;

    #[inline(always)]
    fn search<I: Recursion>(
        isa: I,
        search: &mut Search<'_>,
        board: Board,
        (alpha, beta): (i32, i32),
        line: &mut Line,
    ) -> i32 {
        recursion::open_window(isa, search, board, alpha, beta, line)
    }
}

/// The body of every node: the score of `board` in the window from `alpha` to `beta`.
#[inline(always)]
pub(super) fn node<I: Recursion, N: Node>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    line.clear();
    let empties = board.empty_count();
    if empties >= STOP_EMPTIES && search.stop.load(Relaxed) {
        search.stopped = true;
    }
    if search.stopped {
        return alpha;
    }
    if !N::OPEN && alpha >= STABILITY_ALPHA[empties as usize] {
        let bound = stability_bound(isa, board);
        if bound <= alpha {
            return bound;
        }
    }
    let key = Key::new(isa, board, empties);
    search.table.prefetch(key.hash);
    let mobility = isa.mobility(board.player, board.opponent);
    let mut rest = N::Line::default();
    if mobility == 0 {
        if isa.mobility(board.opponent, board.player) == 0 {
            return board.final_score();
        }
        let score = -N::search(isa, search, board.pass(), (-beta, -alpha), &mut rest);
        line.set_pass(&rest);
        return score;
    }
    let before = search.nodes;
    let mut moves = Moves::new();
    list_moves(isa, search, board, mobility, &mut moves);
    let mut known = [NO_MOVE; 2];
    if let Some((lower, upper, best)) = key.probe(search.table) {
        // An open window wants the line, which the table does not have.
        if !N::OPEN && lower > alpha {
            return lower;
        }
        if !N::OPEN && upper <= alpha {
            return upper;
        }
        known = best;
    }
    if !N::OPEN
        && empties >= ETC_EMPTIES
        && let Some(score) = etc(isa, search.table, &moves, empties, alpha)
    {
        return score;
    }
    if moves.len() > 1 {
        rate(isa, search, board, &mut moves, known);
    }
    let (mut best, mut best_move) = (-65, NO_MOVE);
    let mut low = alpha;
    for i in 0..moves.len() {
        let one = choose(&mut moves, i);
        let mut score = beta;
        if !N::OPEN || i > 0 {
            score = -null_window_of(isa, search, one.next, !low);
        }
        // Most moves after the first only had to be shown to be no better.
        if N::OPEN && (i == 0 || low < score && score < beta) {
            score = -N::search(isa, search, one.next, (-beta, -low), &mut rest);
        } else {
            rest.clear();
        }
        if search.stopped {
            return alpha;
        }
        if score > best {
            (best, best_move) = (score, one.square);
            line.set_move(one.square, &rest);
            if score >= beta.min(64) {
                break;
            }
            low = low.max(score);
        }
    }
    let nodes = search.nodes - before;
    key.store(search.table, alpha, beta, best, best_move, nodes);
    best
}

/// The score of `board` in the window from `alpha` to `beta`, and its best line.
///
/// Null windows close in on the score first, each a step from what the last one showed: they are cheap,
/// and they leave the table full. Then one open window walks the line of best play. Beginning with the
/// open window took 1.3 times the nodes on FFO #24-37: a poor first line costs much of the tree.
pub(super) fn solve<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    alpha: i32,
    beta: i32,
    line: &mut Line,
) -> i32 {
    let (mut low, mut high) = (alpha, beta);
    // All scores are even, so the odd windows between them are enough.
    let mut below = -1;
    while high - low > 1 && !search.stopped {
        below = below.clamp(low, high - 1);
        let score = null_window_of(isa, search, board, below);
        if score > below {
            low = low.max(score - 1);
            below = score + 1;
        } else {
            high = high.min(score + 1);
            below = score - 1;
        }
        if high - low == 2 {
            break;
        }
    }
    // A score outside leaves nothing between the ends: ask at the end that it passed.
    let low = low.clamp(alpha, beta - 1);
    let high = high.clamp(low + 1, beta);
    recursion::open_window(isa, search, board, low, high, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::{Level, with_isa};

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
        for &level in Level::available() {
            for order in [[0, 1], [1, 0]] {
                for alpha in (-63..64).step_by(2) {
                    let table = Table::new(1).unwrap();
                    let mut search = Search {
                        table: &table,
                        stop: &AtomicBool::new(false),
                        stopped: false,
                        nodes: 0,
                        last: with_isa!(level.token().unwrap(), isa => LastEmpties::selected(isa)),
                    };
                    for (squares, score) in order.map(|i| boards[i]) {
                        let found = with_isa!(level.token().unwrap(), isa => {
                            recursion::null_window(isa, &mut search, board(squares), alpha)
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
