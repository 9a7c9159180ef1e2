//! The search that an evaluation guides: to some depth, or to the end of the game, selective or not.
//! With few empties left and none but them to search, [`endgame`] goes on.
//!
//! Scores are discs, fail-soft.

use arrayvec::ArrayVec;

use super::endgame::{self, STABILITY_ALPHA, stability_bound};
use super::line::BestLine;
use super::node::{Node, Null};
use super::ordering::{MAX_MOVES, replies};
use super::parallel;
use super::recursion::Recursion;
use super::selective::{FULL, MIN_DEPTH, reduced};
use super::statistics::Branch::{
    ChildCut, CountStable, Cut, NoMove, SelectiveCut, StableCut, TableCut, TrySelective,
};
use super::statistics::counted;
use super::thread::Tree;
use crate::board::Board;
use crate::eval::{DISC, Evaluator, in_discs};
use crate::table::{Draft, Entry, NO_MOVE};

/// The plies from which every child is looked up in the table before any is searched.
const ETC_DEPTH: u8 = 5;

/// The most shallow searches inside one another.
const MAX_PROBING: u32 = 2;

/// What one reply less is worth in the order of moves, in 1/128 disc: the opponent's freedom costs
/// more nodes than it wins discs.
const REPLY: i32 = 3 * DISC;

/// What a disc that a corner makes stable is worth in the order of moves.
const CORNER: i32 = DISC / 2;

/// A move, and what comes after it. Children change places, so their evaluation's states, which are
/// large, lie elsewhere.
struct Child {
    square: u8,
    /// The place of its state, once it was rated.
    state: u8,
    /// How promising it is; the most promising is searched first.
    promise: i32,
    flipped: u64,
    board: Board,
    hash: u64,
}

type Children = ArrayVec<Child, MAX_MOVES>;

/// More than any promise.
const FIRST: i32 = 1 << 30;

/// The score of a board for `draft`, which looks no further than the end of the game.
#[inline(always)]
pub(super) fn score<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &E::State,
    draft: Draft,
    window: (i32, i32),
    line: &mut N::Line,
) -> i32 {
    let empties = board.empty_count();
    if empties <= endgame::MAX_EMPTIES && u32::from(draft.depth) >= empties {
        let mobility = isa.mobility(board.player, board.opponent);
        N::exact(isa, &mut tree.exact, board, mobility, window, line)
    } else if draft.depth == 0 {
        line.clear();
        in_discs(tree.shared.evaluator.value(isa, state, empties))
    } else {
        N::tree(isa, tree, board, state, draft, window, line)
    }
}

/// The body of every node: the score of `board` in the window from `alpha` to `beta`.
#[inline(always)]
pub(super) fn node<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &E::State,
    draft: Draft,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    line.clear();
    tree.look_up();
    if tree.stopped {
        return alpha;
    }
    let empties = board.empty_count();
    let row = empties as usize;
    if !N::OPEN && counted(CountStable, row, 0, alpha >= STABILITY_ALPHA[row]) {
        let bound = stability_bound(isa, board);
        if counted(StableCut, row, 0, bound <= alpha) {
            return bound;
        }
    }
    let mobility = isa.mobility(board.player, board.opponent);
    let mut rest = N::Line::default();
    if counted(NoMove, row, 0, mobility == 0) {
        if isa.mobility(board.opponent, board.player) == 0 {
            return board.final_score();
        }
        let state = tree.shared.evaluator.pass(isa, state);
        let window = (-beta, -alpha);
        let score = -N::tree(isa, tree, board.pass(), &state, draft, window, &mut rest);
        line.set_pass(&rest);
        return score;
    }
    if draft.depth == 1 {
        return last_ply::<I, E, N>(isa, tree, board, state, mobility, beta, line);
    }

    let before = tree.exact.nodes;
    let hash = isa.board_hash(board.player, board.opponent);
    let mut known = [NO_MOVE; 2];
    if let Some(entry) = tree.shared.table.probe(hash, board) {
        let (lower, upper) = entry.bounds();
        // An open window wants the line, which the table does not have.
        if !N::OPEN && entry.draft.covers(draft) {
            let (proved, refuted) = (lower > alpha, upper <= alpha);
            if counted(TableCut, row, 0, proved || refuted) {
                return if proved { lower } else { upper };
            }
        }
        known = entry.moves;
    }
    let looks_up = looks_up(draft, empties);
    let mut children = list(isa, tree, board, mobility, looks_up);
    let mut states = ArrayVec::<E::State, MAX_MOVES>::new();
    if !N::OPEN
        && looks_up
        && let Some(score) = etc(tree, &children, draft, alpha)
    {
        return score;
    }
    if !N::OPEN
        && draft.selectivity < FULL
        && draft.depth >= MIN_DEPTH
        && tree.probing < MAX_PROBING
        && let Some(score) = probcut(isa, tree, board, state, draft, alpha)
    {
        return score;
    }
    let below = Draft {
        depth: draft.depth - 1,
        ..draft
    };
    let (mut best, mut best_move) = (-65, NO_MOVE);
    let (mut low, mut rated) = (alpha, false);
    let mut helped = 0;
    for i in 0..children.len() {
        // A move that an earlier search found best mostly is, and then the others need no rating.
        if i == 0 && bring(&mut children, known[0]) {
            let child = &mut children[0];
            let square = usize::from(child.square);
            states.push(
                tree.shared
                    .evaluator
                    .update(isa, state, square, child.flipped),
            );
            child.state = 0;
        } else {
            if !rated {
                rated = true;
                rate(
                    isa,
                    tree,
                    state,
                    empties - 1,
                    &mut children[i..],
                    &mut states,
                    known[1],
                );
            }
            choose(&mut children[i..]);
        }
        if !N::OPEN
            && i > 0
            && i + 1 < children.len()
            && let Some(pool) = &tree.shared.pool
            && pool.has_idle()
            && parallel::is_worth(draft, empties)
        {
            let rest = offers(&mut children[i..]);
            let found = parallel::share(isa, tree, pool, rest, below, alpha, (best, best_move));
            ((best, best_move), helped) = found;
            if tree.stopped {
                return alpha;
            }
            break;
        }
        tree.exact.nodes += 1;
        let child = &children[i];
        let state = &states[usize::from(child.state)];
        let mut score = beta;
        if !N::OPEN || i > 0 {
            let window = (!low, -low);
            score =
                -self::score::<I, E, Null>(isa, tree, child.board, state, below, window, &mut ());
        }
        // Most moves after the first only had to be shown to be no better.
        if N::OPEN && (i == 0 || low < score && score < beta) {
            let window = (-beta, -low);
            score =
                -self::score::<I, E, N>(isa, tree, child.board, state, below, window, &mut rest);
        } else {
            rest.clear();
        }
        if tree.stopped {
            return alpha;
        }
        let cut = counted(Cut, row, i, score >= beta.min(64));
        if score > best {
            (best, best_move) = (score, child.square);
            line.set_move(child.square, &rest);
            if cut {
                break;
            }
            low = low.max(score);
        }
    }
    let lower = if best > alpha { best } else { -64 };
    let upper = if best < beta { best } else { 64 };
    let nodes = tree.exact.nodes - before + helped;
    let found = Entry::new(lower, upper, draft, best_move, nodes);
    tree.store(isa, hash, board, found);
    best
}

/// Whether the children of a board with `empties` empty squares are looked up: not where they are searched
/// without an evaluation, to the end, because such boards are not in this table.
#[inline(always)]
fn looks_up(draft: Draft, empties: u32) -> bool {
    let to_the_end = u32::from(draft.depth) >= empties;
    draft.depth >= ETC_DEPTH && !(to_the_end && empties <= endgame::MAX_EMPTIES + 1)
}

/// All children, without their evaluation; with the hashes by which they are looked up, if they will be.
#[inline(always)]
fn list<I: Recursion, E>(
    isa: I,
    tree: &Tree<'_, E>,
    board: Board,
    mut mobility: u64,
    looks_up: bool,
) -> Children {
    let mut children = Children::new();
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        let next = board.after(square, flipped);
        let mut hash = 0;
        if looks_up {
            hash = isa.board_hash(next.player, next.opponent);
            tree.shared.table.prefetch(hash);
        }
        children.push(Child {
            square: square as u8,
            promise: 0,
            flipped,
            board: next,
            hash,
            state: 0,
        });
    }
    children
}

/// Enhanced transposition cut-off: a child of which the table knows enough refutes the null window
/// before anything is searched. The score of such a child, for this node.
#[inline(always)]
fn etc<E>(tree: &Tree<'_, E>, children: &Children, draft: Draft, alpha: i32) -> Option<i32> {
    let empties = children[0].board.empty_count() as usize + 1;
    let below = Draft {
        depth: draft.depth - 1,
        ..draft
    };
    for child in children {
        if let Some(entry) = tree.shared.table.probe(child.hash, child.board)
            && entry.draft.covers(below)
            && counted(ChildCut, empties, 0, -entry.bounds().1 > alpha)
        {
            return Some(-entry.bounds().1);
        }
    }
    None
}

/// A shallow search whose value is so far from the null window above `alpha` that the deep one is
/// taken to be on the same side: a bound of the deep one.
#[inline(always)]
fn probcut<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &E::State,
    draft: Draft,
    alpha: i32,
) -> Option<i32> {
    let empties = board.empty_count();
    let row = empties as usize;
    let margins = tree.shared.margins;
    let margin = margins.of(empties, draft.depth, draft.selectivity);
    let now = in_discs(tree.shared.evaluator.value(isa, state, empties));
    let (high, low) = (alpha + 1 + margin, alpha - margin);
    let mut search = |window| {
        let less = Draft {
            depth: reduced(draft.depth),
            ..draft
        };
        tree.probing += 1;
        let found = score::<I, E, Null>(isa, tree, board, state, less, window, &mut ());
        tree.probing -= 1;
        (!tree.stopped).then_some(found)
    };
    // Searches that stay under the window rarely cut: the static value has to be there already. Those
    // over it mostly do, and it need only be on their side (docs/lab/search.md).
    if counted(TrySelective, row, 0, now > alpha && high < 64) {
        let cuts = search((high - 1, high)).is_some_and(|found| found >= high);
        if counted(SelectiveCut, row, 0, cuts) {
            return Some(alpha + 1);
        }
    }
    if counted(TrySelective, row, 1, now <= low && low > -64) {
        let cuts = search((low, low + 1)).is_some_and(|found| found <= low);
        if counted(SelectiveCut, row, 1, cuts) {
            return Some(alpha);
        }
    }
    None
}

/// Rates children, which have `empties` empty squares, and adds their states to `states`; `known` is a
/// move that an earlier search found to be good.
///
/// By the static value, but a child with few replies first: its tree is smaller, and evaluations know
/// less of mobility than a search makes of it.
#[inline(always)]
fn rate<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &Tree<'_, E>,
    state: &E::State,
    empties: u32,
    children: &mut [Child],
    states: &mut ArrayVec<E::State, MAX_MOVES>,
    known: u8,
) {
    let is_only = children.len() == 1;
    for child in children {
        let Board { player, opponent } = child.board;
        let after =
            tree.shared
                .evaluator
                .update(isa, state, usize::from(child.square), child.flipped);
        child.promise = if player == 0 {
            FIRST
        } else if child.square == known {
            FIRST - 1
        } else if is_only {
            0
        } else {
            let value = tree.shared.evaluator.value(isa, &after, empties);
            CORNER * isa.corner_stability(opponent) - value - REPLY * replies(isa, child.board)
        };
        child.state = states.len() as u8;
        states.push(after);
    }
}

/// Brings the child of `square` to the front; whether there is one.
#[inline(always)]
fn bring(children: &mut Children, square: u8) -> bool {
    for i in 0..children.len() {
        if children[i].square == square {
            children.swap(0, i);
            return true;
        }
    }
    false
}

/// Brings the most promising child to the front.
#[inline(always)]
fn choose(children: &mut [Child]) {
    let mut best = 0;
    for i in 1..children.len() {
        if children[i].promise > children[best].promise {
            best = i;
        }
    }
    children.swap(0, best);
}

/// Children as other threads take them, the most promising last.
fn offers(children: &mut [Child]) -> ArrayVec<parallel::Offer, MAX_MOVES> {
    children.sort_by_key(|child| child.promise);
    children
        .iter()
        .map(|child| (child.square, child.board))
        .collect()
}

/// The score of `board`, which has the moves `mobility`, by a search of one ply.
#[inline(always)]
fn last_ply<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &E::State,
    mut mobility: u64,
    beta: i32,
    line: &mut N::Line,
) -> i32 {
    let empties = board.empty_count() - 1;
    let mut best = -65;
    while mobility != 0 {
        let square = mobility.trailing_zeros() as usize;
        mobility &= mobility - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        tree.exact.nodes += 1;
        // A side without discs has lost; no pattern knows what that is worth.
        let score = if flipped == board.opponent {
            64
        } else {
            let after = tree.shared.evaluator.update(isa, state, square, flipped);
            -in_discs(tree.shared.evaluator.value(isa, &after, empties))
        };
        if score > best {
            best = score;
            line.set_move(square as u8, &N::Line::default());
            if best >= beta {
                break;
            }
        }
    }
    best
}
