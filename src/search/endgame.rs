//! Eight empties and more: the exact negamax search that cuts with the table, with stability and with
//! the order of moves.
//!
//! Almost every node asks a null window ("is the score over `alpha`?"); the nodes on the line of best
//! play have an open window. Scores are fail-soft: a bound that is better than asked for is returned.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::line::Line;
use super::ordering::{Moves, choose, list_moves, rate};
use super::recursion::{self, Recursion};
use super::shallow::up_to_7;
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
}

/// The number of empties up to which solid discs are looked for in a table probe: with more, too few
/// boards have any (Edax AVX measured 8 and 9).
const SOLID_EMPTIES: u32 = 9;

/// The number of empties from which every child is looked up in the table before any is searched.
const ETC_EMPTIES: u32 = 10;

/// The number of empties from which a node looks whether to stop.
const STOP_EMPTIES: u32 = 12;

/// By the number of empties: the `alpha` from which it pays to count the opponent's stable discs.
/// A cut needs (64 - alpha) / 2 of them, and the emptier the board, the fewer there are.
pub(super) const STABILITY_ALPHA: [i32; 61] = stability_alpha();

const fn stability_alpha() -> [i32; 61] {
    let mut all = [99; 61];
    let mut empties = 0;
    while empties < 61 {
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

/// The score of a finished game with `empties` empty squares, which go to the winner.
#[inline(always)]
pub(super) fn final_score(board: Board, empties: i32) -> i32 {
    let difference = 2 * board.player.count_ones() as i32 - (64 - empties);
    difference + difference.signum() * empties
}

/// What a table probe is made with: the board with solid discs given to the mover, whose colour
/// no longer matters, and what that added to its score.
struct Key {
    board: Board,
    hash: u64,
    added: i32,
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
            key.added = 2 * solid.count_ones() as i32;
        }
        key.hash = isa.board_hash(key.board.player, key.board.opponent);
        key
    }

    /// What the table knows, as bounds of the board's own score.
    #[inline(always)]
    fn probe(&self, table: &Table) -> Option<(i32, i32, [u8; 2])> {
        let entry = table.probe(self.hash, self.board)?;
        let own = |bound: i8| i32::from(bound) - self.added;
        Some((
            own(entry.lower).max(-64),
            own(entry.upper).min(64),
            entry.moves,
        ))
    }

    /// Stores that a search of `nodes` nodes found `score`: a lower bound where it is over `alpha`, an
    /// upper bound where it is under `beta`, exact where it is both.
    #[inline(always)]
    fn store(&self, table: &Table, alpha: i32, beta: i32, score: i32, best: u8, nodes: u64) {
        let kept = (score + self.added).clamp(-64, 64) as i8;
        let entry = Entry {
            lower: if score > alpha { kept } else { -64 },
            upper: if score < beta { kept } else { 64 },
            moves: [best, NO_MOVE],
            cost: nodes.ilog2() as u8,
        };
        table.store(self.hash, self.board, entry);
    }
}

/// Enhanced transposition cut-off: a child of which the table knows enough refutes the null window
/// before anything is searched. The score of such a child, for this node, and its move.
#[inline(always)]
fn etc<I: Recursion>(
    isa: I,
    table: &Table,
    moves: &Moves,
    empties: u32,
    alpha: i32,
) -> Option<(i32, u8)> {
    let keys: ArrayVec<Key, 34> = moves
        .iter()
        .map(|one| Key::new(isa, one.next, empties - 1))
        .collect();
    for key in &keys {
        table.prefetch(key.hash);
    }
    for (key, one) in keys.iter().zip(moves) {
        if let Some((_, upper, _)) = key.probe(table)
            && -upper > alpha
        {
            return Some((-upper, one.square));
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

/// 8 and more empties against the null window above `alpha`.
#[inline(always)]
pub(super) fn null_window<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    alpha: i32,
) -> i32 {
    let empties = board.empty_count();
    if empties >= STOP_EMPTIES && search.stop.load(Relaxed) {
        search.stopped = true;
    }
    if search.stopped {
        return alpha;
    }
    if alpha >= STABILITY_ALPHA[empties as usize] {
        let bound = stability_bound(isa, board);
        if bound <= alpha {
            return bound;
        }
    }
    let key = Key::new(isa, board, empties);
    search.table.prefetch(key.hash);
    let mobility = isa.mobility(board.player, board.opponent);
    if mobility == 0 {
        if isa.mobility(board.opponent, board.player) == 0 {
            return final_score(board, empties as i32);
        }
        return -recursion::null_window(isa, search, board.pass(), !alpha);
    }
    let mut moves = Moves::new();
    list_moves(isa, board, mobility, &mut moves);
    let mut known = [NO_MOVE; 2];
    if let Some((lower, upper, best)) = key.probe(search.table) {
        if lower > alpha {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
        known = best;
    }
    if empties >= ETC_EMPTIES
        && let Some((score, _)) = etc(isa, search.table, &moves, empties, alpha)
    {
        return score;
    }
    if moves.len() > 1 {
        rate(isa, search, board, &mut moves, known);
    }
    let before = search.nodes;
    let (mut best, mut best_move) = (-65, NO_MOVE);
    for i in 0..moves.len() {
        let one = choose(&mut moves, i);
        search.nodes += 1;
        let score = if empties == 8 {
            -up_to_7(isa, search, one.next, !alpha)
        } else {
            -recursion::null_window(isa, search, one.next, !alpha)
        };
        if score > best {
            (best, best_move) = (score, one.square);
            if score > alpha {
                break;
            }
        }
    }
    if !search.stopped {
        key.store(
            search.table,
            alpha,
            alpha + 1,
            best,
            best_move,
            search.nodes - before,
        );
    }
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
    while high - low > 2 && !search.stopped {
        below = below.clamp(low, high - 2);
        let score = null_window_of(isa, search, board, below);
        if score > below {
            low = score - 1;
            below = score + 1;
        } else {
            high = score + 1;
            below = score - 1;
        }
    }
    // A score outside leaves nothing between the ends: ask at the end that it passed.
    let low = low.clamp(alpha, beta - 1);
    let high = high.clamp(low + 1, beta);
    recursion::open_window(isa, search, board, low, high, line)
}

/// Any number of empties in the window from `alpha` to `beta`; the best line goes to `line`.
#[inline(always)]
pub(super) fn open_window<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    alpha: i32,
    beta: i32,
    line: &mut Line,
) -> i32 {
    line.clear();
    let empties = board.empty_count();
    let mobility = isa.mobility(board.player, board.opponent);
    let mut rest = Line::default();
    if mobility == 0 {
        if isa.mobility(board.opponent, board.player) == 0 {
            return final_score(board, empties as i32);
        }
        let score = -recursion::open_window(isa, search, board.pass(), -beta, -alpha, &mut rest);
        line.set(None, &rest);
        return score;
    }
    let key = Key::new(isa, board, empties);
    let known = key
        .probe(search.table)
        .map_or([NO_MOVE; 2], |(_, _, best)| best);
    let mut moves = Moves::new();
    list_moves(isa, board, mobility, &mut moves);
    rate(isa, search, board, &mut moves, known);
    let before = search.nodes;
    let (mut best, mut best_move) = (-65, NO_MOVE);
    let mut low = alpha;
    for i in 0..moves.len() {
        let one = choose(&mut moves, i);
        search.nodes += 1;
        // Most moves after the first only have to be shown to be no better.
        let bound = (i > 0).then(|| -null_window_of(isa, search, one.next, !low));
        let score = match bound {
            Some(score) if score <= low || score >= beta => {
                rest.clear();
                score
            }
            _ => -recursion::open_window(isa, search, one.next, -beta, -low, &mut rest),
        };
        if search.stopped {
            return low;
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
    if empties >= 8 {
        key.store(
            search.table,
            alpha,
            beta,
            best,
            best_move,
            (search.nodes - before).max(1),
        );
    }
    best
}
