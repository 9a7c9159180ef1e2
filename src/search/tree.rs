//! Nodes with an evaluation: a search to some depth or to the end of the game, selective or not. With few
//! empties left and the end in reach, `endgame` takes over.
//!
//! Scores are discs, fail-soft.

use super::children::Children;
use super::evaluated::Evaluated;
use super::line::{BestLine, Line};
use super::local::{Key, MAX_EMPTIES};
use super::node::{Best, Node, Null, Open};
use super::parallel;
use super::pool::is_worth;
use super::probcut::probcut;
use super::recursion::Recursion;
use super::selective::FULL;
use super::stability::stability_cut;
use super::statistics::Branch::{ChildCut, NoMove, TableCut};
use super::statistics::counted;
use super::thread::Tree;
use crate::board::Board;
use crate::eval::{DISC, Evaluator, in_discs};
use crate::table::{Draft, Entry, NO_MOVE, proven_bounds};

/// The minimum depth at which all children are looked up in their table before any is searched.
const ETC_DEPTH: u8 = 5;

/// The minimum depth of a null-window node that looks a ply further ahead before it decides on the order of its
/// moves: so few nodes are as deep that this costs nothing, and a wrong first move costs most there.
const LOOK_AHEAD_DEPTH: u8 = 17;

/// The maximum depth of a null-window node that without a table move first tries the killer: the move that
/// last made such a node with as many empties fail high. Mostly it does so again, and no child is rated.
const KILLER_DEPTH: u8 = 2;

/// The maximum depth of a search whose best move the table does not keep: the killer's is only good
/// enough to fail high, and a static value orders moves no worse.
pub(super) const NO_MOVE_DEPTH: u8 = 3;

/// The score of a board for `draft`, whose depth does not exceed the number of empty squares.
#[inline(always)]
pub(super) fn score<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &Evaluated<E::State>,
    draft: Draft,
    window: (i32, i32),
    line: &mut N::Line,
) -> i32 {
    let empties = board.empty_count();
    if is_without_evaluation(draft, empties) {
        let mobility = isa.mobility(board.player, board.opponent);
        N::exact(isa, &mut tree.exact, board, mobility, window, line)
    } else if draft.depth == 0 {
        line.clear();
        in_discs(state.value(isa, tree.shared.evaluator, board))
    } else {
        N::tree(isa, tree, board, state, draft, window, line)
    }
}

/// Whether boards with `empties` empty squares are searched for `draft` without an evaluation, so that what is found
/// of them is in the local table.
#[inline(always)]
fn is_without_evaluation(draft: Draft, empties: u32) -> bool {
    empties <= MAX_EMPTIES && u32::from(draft.depth) >= empties
}

/// The body of every node: the score of `board` in the window from `alpha` to `beta`.
#[inline(always)]
pub(super) fn node<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &Evaluated<E::State>,
    draft: Draft,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    line.clear();
    tree.poll_stop();
    if tree.stopped {
        return alpha;
    }
    let empties = board.empty_count();
    if !N::OPEN
        && let Some(bound) = stability_cut(isa, board, empties, alpha)
    {
        return bound;
    }
    let mobility = isa.mobility(board.player, board.opponent);
    if counted(NoMove, empties as usize, 0, mobility == 0) {
        return no_move::<I, E, N>(isa, tree, board, state, draft, (alpha, beta), line);
    }
    if draft.depth == 1 {
        return last_ply::<I, E, N>(isa, tree, board, state, mobility, beta, line);
    }

    let nodes_before = tree.exact.nodes;
    let hash = isa.board_hash(board.player, board.opponent);
    let entry = tree.shared.table.probe(hash, board);
    // An open window wants the line, which the table does not have.
    if !N::OPEN
        && let Some(entry) = &entry
        && let Some(score) = table_cut(entry, draft, empties, alpha)
    {
        return score;
    }
    let mut hash_moves = entry.map_or([NO_MOVE; 2], |entry| entry.moves);
    let has_killer = !N::OPEN && draft.depth <= KILLER_DEPTH;
    if has_killer && entry.is_none() {
        hash_moves[0] = *tree.killer(draft.depth, empties);
    }
    let mut children = Children::new(hash_moves);
    // What cuts without children goes first.
    let has_etc = !N::OPEN && draft.depth >= ETC_DEPTH;
    if has_etc {
        let in_local = is_without_evaluation(draft.one_ply_less(), empties - 1);
        children.generate(isa, tree.shared.table, board, mobility, !in_local);
        let found = match in_local {
            true => local_etc(isa, tree, &children, empties, alpha),
            false => etc(tree, &children, draft, empties, alpha),
        };
        if let Some(score) = found {
            return score;
        }
    }
    if !N::OPEN
        && let Some(score) = probcut(isa, tree, board, state, draft, alpha)
    {
        return score;
    }
    if !has_etc {
        children.generate(isa, tree.shared.table, board, mobility, false);
    }
    let mut best = Best::<N>::new((alpha, beta), line);
    let helped = search_children(isa, tree, state, &mut children, draft, empties, &mut best);
    if tree.stopped {
        return alpha;
    }
    if has_killer && best.score > alpha {
        *tree.killer(draft.depth, empties) = best.square;
    }
    let (lower, upper) = proven_bounds(best.score, (alpha, beta));
    let square = match draft.depth {
        ..=NO_MOVE_DEPTH => NO_MOVE,
        _ => best.square,
    };
    let nodes = tree.exact.nodes - nodes_before + helped;
    let found = Entry::new(lower, upper, draft, square, nodes);
    tree.store(isa, hash, board, found);
    best.score
}

/// The score of a board without a move: of the board after a pass, or of the finished game.
#[inline(always)]
fn no_move<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &Evaluated<E::State>,
    draft: Draft,
    (alpha, beta): (i32, i32),
    line: &mut N::Line,
) -> i32 {
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    let state = Evaluated::new(tree.shared.evaluator.pass(isa, &state.state));
    let mut rest = N::Line::default();
    let window = (-beta, -alpha);
    let score = -N::tree(isa, tree, board.pass(), &state, draft, window, &mut rest);
    line.set_pass(&rest);
    score
}

/// The bound of a table entry that decides the null window above `alpha`.
#[inline(always)]
fn table_cut(entry: &Entry, draft: Draft, empties: u32, alpha: i32) -> Option<i32> {
    if !entry.draft.covers(draft) {
        return None;
    }
    let (lower, upper) = entry.bounds();
    let (fails_high, fails_low) = (lower > alpha, upper <= alpha);
    let cuts = counted(TableCut, empties as usize, 0, fails_high || fails_low);
    cuts.then_some(if fails_high { lower } else { upper })
}

/// Enhanced transposition cut-off: the score of a child whose table entry makes this node fail high before
/// anything is searched.
#[inline(always)]
fn etc<E, S: Copy>(
    tree: &Tree<'_, E>,
    children: &Children<S>,
    draft: Draft,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    let below = draft.one_ply_less();
    for child in children.as_slice() {
        if let Some(entry) = tree.shared.table.probe(child.hash, child.board)
            && entry.draft.covers(below)
            && counted(ChildCut, empties as usize, 0, -entry.bounds().1 > alpha)
        {
            return Some(-entry.bounds().1);
        }
    }
    None
}

/// The same for children that are searched without an evaluation: they are in the local table.
#[inline(always)]
fn local_etc<I: Recursion, E, S: Copy>(
    isa: I,
    tree: &Tree<'_, E>,
    children: &Children<S>,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    for child in children.as_slice() {
        let key = Key::new(isa, child.board, empties - 1);
        let upper = key.probe(tree.exact.local).upper;
        if counted(ChildCut, empties as usize, 0, -upper > alpha) {
            return Some(-upper);
        }
    }
    None
}

/// Principal variation search of the children, until one fails high; what it finds is in `best`, unless the
/// search is stopped. The nodes that other threads searched.
#[inline(always)]
fn search_children<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    state: &Evaluated<E::State>,
    children: &mut Children<E::State>,
    draft: Draft,
    empties: u32,
    best: &mut Best<'_, N>,
) -> u64 {
    let below = draft.one_ply_less();
    let mut before = NO_MOVE;
    for i in 0..children.len() {
        let history = tree.history.of_node(empties);
        let were_scored = children.are_scored();
        let mut place = children.select(isa, tree.shared.evaluator, &state.state, i, history);
        if !N::OPEN
            && draft.depth >= LOOK_AHEAD_DEPTH
            && were_scored != children.are_scored()
            && i + 1 < children.len()
        {
            place = look_ahead(isa, tree, children);
        }
        if !N::OPEN
            && i > 0
            && i + 1 < children.len()
            && let Some(pool) = &tree.shared.pool
            && pool.has_idle()
            && is_worth(draft, empties)
        {
            let offers = children.offers();
            let so_far = (best.score, best.square);
            let (found, helped) =
                parallel::share(isa, tree, pool, offers, below, best.alpha, so_far);
            (best.score, best.square) = found;
            return helped;
        }
        tree.exact.nodes += 1;
        let (child, state) = children.take(place);
        tree.history.enter(empties - 1, child.square);
        let mut score = best.beta;
        if best.has_null_search(i) {
            let window = best.null_window();
            score =
                -self::score::<I, E, Null>(isa, tree, child.board, state, below, window, &mut ());
        }
        if best.has_open_search(i, score) {
            let window = best.open_window();
            let rest = &mut best.rest;
            score = -self::score::<I, E, N>(isa, tree, child.board, state, below, window, rest);
        } else {
            best.rest.clear();
        }
        if tree.stopped {
            break;
        }
        if best.take(empties, i, child.square, score) {
            // Shallower nodes have killers.
            if !N::OPEN && draft.depth > KILLER_DEPTH {
                tree.history.note(empties, child.square, before);
            }
            break;
        }
        before = child.square;
    }
    0
}

/// Orders the children that are not searched by the values of searches of one ply, too. The place of the child to
/// search first.
#[inline(always)]
fn look_ahead<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    children: &mut Children<E::State>,
) -> usize {
    const PLY: Draft = Draft {
        depth: 1,
        selectivity: FULL,
    };
    let evaluator = tree.shared.evaluator;
    children.look_ahead(isa, evaluator, |board, state| {
        let window = (-65, 65);
        let line = &mut Line::default();
        DISC * score::<I, E, Open>(isa, tree, board, state, PLY, window, line)
    })
}

/// The score of `board`, which has the moves `mobility`, by a search of one ply.
///
/// The killer is tried alone, since it mostly fails high, and the other moves two at a time: their values take less
/// time together.
#[inline(always)]
fn last_ply<I: Recursion, E: Evaluator<I>, N: Node>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    state: &Evaluated<E::State>,
    mut mobility: u64,
    beta: i32,
    line: &mut N::Line,
) -> i32 {
    let evaluator = tree.shared.evaluator;
    let empties = board.empty_count();
    // A bit for `NO_MOVE` would be that of square 0.
    let killer = 1_u64.checked_shl((*tree.killer(1, empties)).into());
    let mut killer = mobility & killer.unwrap_or(0);
    let mut best = -65;
    while mobility != 0 {
        let first = if killer == 0 { mobility } else { killer }.trailing_zeros() as usize;
        mobility &= !(1 << first);
        let leaf = Leaf::new(isa, evaluator, board, state, first);
        let (scores, squares) = if killer != 0 || mobility == 0 {
            killer = 0;
            let value = evaluator.value(isa, &leaf.state, leaf.board);
            ([leaf.score(value); 2], [first; 2])
        } else {
            let second = mobility.trailing_zeros() as usize;
            mobility &= mobility - 1;
            let other = Leaf::new(isa, evaluator, board, state, second);
            let states = [&leaf.state, &other.state];
            let values = evaluator.values(isa, states, [leaf.board, other.board]);
            tree.exact.nodes += 1;
            (
                [leaf.score(values[0]), other.score(values[1])],
                [first, second],
            )
        };
        tree.exact.nodes += 1;
        let (score, square) = match scores[1] > scores[0] {
            true => (scores[1], squares[1]),
            false => (scores[0], squares[0]),
        };
        if N::OPEN && score > best {
            line.set_move(square as u8, &N::Line::default());
        }
        best = best.max(score);
        if best >= beta {
            *tree.killer(1, empties) = square as u8;
            break;
        }
    }
    best
}

/// A board at the end of a search.
struct Leaf<S> {
    board: Board,
    state: S,
}

impl<S: Copy> Leaf<S> {
    /// The one after the move on the square of index `square` of `board`, the state of which is `state`.
    #[inline(always)]
    fn new<I: Recursion, E: Evaluator<I, State = S>>(
        isa: I,
        evaluator: &E,
        board: Board,
        state: &Evaluated<S>,
        square: usize,
    ) -> Leaf<S> {
        let flipped = isa.flip(square, board.player, board.opponent);
        Leaf {
            board: board.after(square, flipped),
            state: evaluator.update(isa, &state.state, square, flipped),
        }
    }

    /// The score of the side that has moved, by the board's static value.
    #[inline(always)]
    fn score(&self, value: i32) -> i32 {
        // A side without discs has lost; no pattern knows what that is worth.
        match self.board.player {
            0 => 64,
            _ => -in_discs(value),
        }
    }
}
