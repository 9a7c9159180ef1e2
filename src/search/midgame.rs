//! Nodes with an evaluation, searched to a depth or to the end of the game, selectively or not. `endgame` takes over if
//! few empties are left and the depth reaches the end.
//!
//! Scores are in discs and fail-soft.

use super::children::MidgameChildren;
use super::endgame;
use super::eval_state::{EvalState, Position};
use super::last_ply::last_ply;
use super::line::{BestLine, Line};
use super::local_table::{LocalKey, MAX_LOCAL_EMPTIES};
use super::node::BestMove;
use super::parallel;
use super::probcut::probcut;
use super::recursion::{self, SearchRecursion};
use super::selectivity::FULL;
use super::split::SplitTask;
use super::stability::stability_cut;
use super::statistics::Branch::{ChildCut, NoMove, TableCut};
use super::statistics::count_branch;
use super::window::Window;
use super::worker::Worker;
use crate::board::Board;
use crate::eval::{DISC, Evaluator, in_discs};
use crate::table::{OptionalSquare, SearchDepth, TableEntry};

/// The minimum depth at which all children are probed in the table before any is searched.
const ETC_DEPTH: u8 = 5;

/// The minimum depth at which a null-window node searches one ply ahead to order its moves. A wrong first move costs
/// most there, and nodes this deep are rare, so the cost is negligible.
const LOOK_AHEAD_DEPTH: u8 = 17;

/// The maximum depth at which a null-window node without a table move tries the killer first. The killer is the move
/// that last made such a node with this number of empties fail high. Mostly it fails high again, and then no child
/// needs an order score.
const KILLER_DEPTH: u8 = 2;

/// The maximum depth of a search whose best move is not stored in the table. That move is often a killer, just good
/// enough to fail high. Static values order moves no worse.
pub(super) const NO_MOVE_DEPTH: u8 = 3;

/// The minimum number of nodes of an endgame search whose result is shared by the threads. A repeated search of fewer
/// nodes costs less than the slot.
const MIN_SHARED_NODES: u64 = 64;

/// The score of a position at `depth`. The plies must not exceed the number of empty squares.
#[inline(always)]
pub(super) fn score<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    position: Position<'_, E::State>,
    depth: SearchDepth,
    window: Window,
    line: &mut L,
) -> i32 {
    let board = position.board;
    let empties = board.empty_count();
    if is_endgame(depth, empties) {
        worker.expects_fail_low = false;
        if !L::OPEN && empties == MAX_LOCAL_EMPTIES && worker.shared.pool.is_some() {
            return endgame_by_table(isa, worker, board, window.alpha);
        }
        let mobility = isa.mobility(board.player, board.opponent);
        endgame::score(isa, &mut worker.endgame, board, mobility, window, line)
    } else if depth.plies == 0 {
        line.clear();
        in_discs(position.value(isa, worker.shared.evaluator))
    } else {
        search(isa, worker, position, depth, window, line)
    }
}

/// Solves a board with [`MAX_LOCAL_EMPTIES`] empties in the null window above `alpha`, with the transposition table as
/// well as the local one. Other threads may reach the same board, but they do not see this thread's local table.
#[inline(always)]
fn endgame_by_table<I: SearchRecursion, E>(
    isa: I,
    worker: &mut Worker<'_, E>,
    board: Board,
    alpha: i32,
) -> i32 {
    let empties = board.empty_count();
    let depth = SearchDepth {
        plies: empties as u8,
        selectivity: FULL,
    };
    let hash = isa.board_hash(board.player, board.opponent);
    if let Some(entry) = worker.shared.table.probe(hash, board)
        && let Some(score) = table_cut(&entry, depth, empties, alpha)
    {
        return score;
    }
    let nodes_before = worker.nodes();
    let mobility = isa.mobility(board.player, board.opponent);
    let score = endgame::null_window_score(isa, &mut worker.endgame, board, mobility, alpha);
    let nodes = worker.nodes() - nodes_before;
    if nodes >= MIN_SHARED_NODES {
        let bounds = Window::null(alpha).proven_bounds(score);
        let entry = TableEntry::new(bounds, depth, OptionalSquare::NONE, nodes);
        worker.store(isa, hash, board, entry);
    }
    score
}

/// Searches a position 1 or more plies deep, with an evaluation.
#[inline(always)]
fn search<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    Position { board, eval }: Position<'_, E::State>,
    depth: SearchDepth,
    window: Window,
    line: &mut L,
) -> i32 {
    match line.as_open() {
        Some(line) => recursion::midgame_open(isa, worker, board, eval, depth, window, line),
        None => recursion::midgame_null(isa, worker, board, eval, depth, window.alpha),
    }
}

/// Returns `true` if boards with `empties` empty squares are searched without an evaluation at `depth`. Their results
/// are then in the local table.
#[inline(always)]
fn is_endgame(depth: SearchDepth, empties: u32) -> bool {
    empties <= MAX_LOCAL_EMPTIES && u32::from(depth.plies) >= empties
}

/// The body of every midgame node: the score of a position in a window.
#[inline(always)]
pub(super) fn node<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    position: Position<'_, E::State>,
    depth: SearchDepth,
    window: Window,
    line: &mut L,
) -> i32 {
    let (board, alpha) = (position.board, window.alpha);
    line.clear();
    let expects_fail_low = std::mem::take(&mut worker.expects_fail_low);
    worker.poll_stop();
    if worker.stopped {
        return alpha;
    }
    let empties = board.empty_count();
    if !L::OPEN
        && let Some(bound) = stability_cut(isa, board, empties, alpha)
    {
        return bound;
    }
    let mobility = isa.mobility(board.player, board.opponent);
    if count_branch(NoMove, empties as usize, 0, mobility == 0) {
        worker.expects_fail_low = !expects_fail_low;
        return no_move(isa, worker, position, depth, window, line);
    }
    if depth.plies == 1 {
        return last_ply(isa, worker, position, mobility, window.beta, line);
    }

    let nodes_before = worker.subtree_nodes();
    let hash = isa.board_hash(board.player, board.opponent);
    let entry = worker.shared.table.probe(hash, board);
    // An open window needs the line, which the table does not have.
    if !L::OPEN
        && let Some(entry) = &entry
        && let Some(score) = table_cut(entry, depth, empties, alpha)
    {
        return score;
    }
    let mut hash_moves = entry.map_or([OptionalSquare::NONE; 2], |entry| entry.moves);
    let has_killer = !L::OPEN && depth.plies <= KILLER_DEPTH;
    if has_killer && entry.is_none() {
        hash_moves[0] = *worker.killer(depth.plies, empties);
    }
    let mut children = MidgameChildren::new(hash_moves);
    // Table cuts come first, since they need no search.
    let has_etc = !L::OPEN && depth.plies >= ETC_DEPTH;
    if has_etc {
        let in_local = is_endgame(depth.one_ply_less(), empties - 1);
        let in_table = !in_local || worker.shared.pool.is_some();
        children.generate(isa, worker.shared.table, board, mobility, in_table);
        let tables = (in_local, in_table);
        if let Some(score) = etc(isa, worker, &children, depth, empties, tables, alpha) {
            return score;
        }
    }
    if !L::OPEN
        && let Some(score) = probcut(isa, worker, position, mobility, depth, alpha)
    {
        return score;
    }
    if !has_etc {
        children.generate(isa, worker.shared.table, board, mobility, false);
    }
    let mut best = BestMove::new(empties, window, line);
    let expects_fail_low = match entry.map(|entry| entry.bounds()) {
        Some((_, upper)) if upper <= alpha => true,
        Some((lower, _)) if lower > alpha => false,
        _ => expects_fail_low,
    };
    search_children(
        isa,
        worker,
        position,
        &mut children,
        depth,
        expects_fail_low,
        &mut best,
    );
    if worker.stopped {
        return alpha;
    }
    if has_killer && best.score > alpha {
        *worker.killer(depth.plies, empties) = best.square;
    }
    let square = match depth.plies {
        ..=NO_MOVE_DEPTH => OptionalSquare::NONE,
        _ => best.square,
    };
    let nodes = worker.subtree_nodes().wrapping_sub(nodes_before);
    let entry = TableEntry::new(window.proven_bounds(best.score), depth, square, nodes);
    worker.store(isa, hash, board, entry);
    best.score
}

/// The score of a position without a legal move: by a pass, or the final score if the game is over.
#[inline(always)]
fn no_move<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    Position { board, eval }: Position<'_, E::State>,
    depth: SearchDepth,
    window: Window,
    line: &mut L,
) -> i32 {
    if isa.mobility(board.opponent, board.player) == 0 {
        return board.final_score();
    }
    let eval = EvalState::new(worker.shared.evaluator.pass(isa, &eval.state));
    let position = Position {
        board: board.pass(),
        eval: &eval,
    };
    let mut rest = L::default();
    let window = window.for_opponent();
    let score = -search(isa, worker, position, depth, window, &mut rest);
    line.set(None, &rest);
    score
}

/// The bound of a table entry, if it decides the null window above `alpha`.
#[inline(always)]
fn table_cut(entry: &TableEntry, depth: SearchDepth, empties: u32, alpha: i32) -> Option<i32> {
    if !entry.depth.covers(depth) {
        return None;
    }
    let (lower, upper) = entry.bounds();
    let (fails_high, fails_low) = (lower > alpha, upper <= alpha);
    let cuts = count_branch(TableCut, empties as usize, 0, fails_high || fails_low);
    cuts.then_some(if fails_high { lower } else { upper })
}

/// Enhanced transposition cut-off: the score of a child whose entry makes this node fail high before anything is
/// searched. The entries are in the local table if the children are `in_local`, and in the table if they are `in_table`.
#[inline(always)]
fn etc<I: SearchRecursion, E, S: Copy>(
    isa: I,
    worker: &Worker<'_, E>,
    children: &MidgameChildren<S>,
    depth: SearchDepth,
    empties: u32,
    (in_local, in_table): (bool, bool),
    alpha: i32,
) -> Option<i32> {
    let (table, child_depth) = (worker.shared.table, depth.one_ply_less());
    for child in children.as_slice() {
        let mut upper = 64;
        if in_local {
            let key = LocalKey::new(isa, child.board, empties - 1);
            upper = key.probe(worker.endgame.local).upper;
        }
        if in_table
            && let Some(entry) = table.probe(child.hash, child.board)
            && entry.depth.covers(child_depth)
        {
            upper = upper.min(entry.bounds().1);
        }
        if count_branch(ChildCut, empties as usize, 0, -upper > alpha) {
            return Some(-upper);
        }
    }
    None
}

/// Searches the children until one fails high, by principal variation search. The result is in `best`, unless the
/// search is stopped.
#[inline(always)]
fn search_children<I: SearchRecursion, E: Evaluator<I>, L: BestLine>(
    isa: I,
    worker: &mut Worker<'_, E>,
    Position { board, eval }: Position<'_, E::State>,
    children: &mut MidgameChildren<E::State>,
    depth: SearchDepth,
    expects_fail_low: bool,
    best: &mut BestMove<'_, L>,
) {
    let empties = board.empty_count();
    let policy = worker.shared.pool.as_ref().map(|pool| pool.policy);
    let can_split = !L::OPEN && policy.is_some_and(|policy| policy.allow(depth, empties));
    // In exact searches the additional nodes would cost more time than the threads wait.
    let before_first = expects_fail_low
        && depth.selectivity < FULL
        && can_split
        && policy.is_some_and(|policy| policy.before_first)
        && worker.member_with_helpers().is_some();
    if before_first {
        let history = worker.history.of_node(empties);
        children.score_all(isa, worker.shared.evaluator, &eval.state, 0, history);
    }
    let child_depth = depth.one_ply_less();
    let mut previous = OptionalSquare::NONE;
    for i in 0..children.len() {
        let history = worker.history.of_node(empties);
        let were_scored = children.are_scored();
        let mut index = children.select(isa, worker.shared.evaluator, &eval.state, i, history);
        if !L::OPEN
            && depth.plies >= LOOK_AHEAD_DEPTH
            && were_scored != children.are_scored()
            && i + 1 < children.len()
        {
            index = look_ahead(isa, worker, children);
        }
        if can_split
            && (i > 0 || before_first)
            && i + 1 < children.len()
            && let Some(member) = worker.member_with_helpers()
        {
            let task = SplitTask {
                depth: child_depth,
                alpha: best.window.alpha,
                probcut_nesting: worker.probcut_nesting,
            };
            let (scored, unsearched) = (best.scored(), children.unsearched_moves());
            (best.score, best.square) =
                parallel::share(isa, worker, member, task, scored, unsearched);
            if let Some(square) = best.square.get()
                && best.score > best.window.alpha
                && !worker.stopped
            {
                worker.history.update(empties, square, previous);
            }
            return;
        }
        worker.endgame.nodes += 1;
        let (square, child) = children.take(index);
        worker.history.enter(empties - 1, square);
        let mut score = best.window.beta;
        if best.has_null_search(i) {
            let window = best.null_window();
            // A node that probably fails high does so by its first child, which fails low. After another first child, it
            // probably fails low, and its children fail high.
            worker.expects_fail_low = !expects_fail_low && i == 0;
            score = -self::score(isa, worker, child, child_depth, window, &mut ());
        }
        if best.has_open_search(i, score) {
            let window = best.open_window();
            score = -self::score(isa, worker, child, child_depth, window, &mut best.rest);
        } else {
            best.rest.clear();
        }
        if worker.stopped {
            break;
        }
        if best.update(i, square, score) {
            // Shallower nodes have killers instead of history.
            if !L::OPEN && depth.plies > KILLER_DEPTH {
                worker.history.update(empties, square, previous);
            }
            break;
        }
        previous = square.into();
    }
}

/// Corrects the order of the children by searches of one ply. Returns the index of the child to search first.
#[inline(always)]
fn look_ahead<I: SearchRecursion, E: Evaluator<I>>(
    isa: I,
    worker: &mut Worker<'_, E>,
    children: &mut MidgameChildren<E::State>,
) -> usize {
    const PLY: SearchDepth = SearchDepth {
        plies: 1,
        selectivity: FULL,
    };
    children.look_ahead(isa, worker.shared.evaluator, |position| {
        let line = &mut Line::default();
        DISC * score(isa, worker, position, PLY, Window::ALL, line)
    })
}
