//! The searches of a position one after another, each deeper or more certain than the one before,
//! which leaves its best moves in the table and a guess of the score.

use arrayvec::ArrayVec;

use super::evaluated::Evaluated;
use super::line::Line;
use super::node::{Null, Open};
use super::recursion::Recursion;
use super::result::Bound;
use super::selective::{FULL, ROUGH, Selectivity};
use super::thread::Tree;
use super::tree::{self, NO_MOVE_DEPTH};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::square::{Ply, Square};
use crate::table::{Draft, NO_MOVE};

/// Plies by which the searches to a depth that come before a solve stay short of the end.
const SHORT: u32 = 12;

/// The selective searches to the end that come before a solve, and the fewest empties from which they do. With
/// [`Evaluator::IS_ROUGH`] the first one is [`ROUGH`].
const SELECTIVE: [(u32, Selectivity); 2] = [(18, Selectivity::P73), (24, Selectivity::P95)];

/// From so many discs on, won or lost, a search that only prepares another need not know the score better: to a depth
/// short of the end, only a search of all the opponent's moves shows that a side keeps a disc (FFO #39).
const FAR: i32 = 62;

/// A move of the position, and what the last search found of it.
#[derive(Clone)]
pub(super) struct Move {
    square: Square,
    next: Board,
    pub(super) score: i32,
    pub(super) line: Vec<Ply>,
    /// Whether it was shown to be no better than the moves that were asked for.
    worse: bool,
}

/// What one of the searches found, or knows so far.
#[derive(Default)]
pub(super) struct Found {
    pub(super) draft: Draft,
    pub(super) score: i32,
    /// What a search that still runs knows about the score; [`Bound::Exact`] after a rough one. `None` where any other
    /// has ended.
    pub(super) bound: Option<Bound>,
    pub(super) line: Vec<Ply>,
    /// The best moves, the best first, if several were asked for.
    pub(super) moves: Vec<Move>,
}

/// The drafts that lead up to `goal` from a board with `empties` empties, and `goal`. With `is_rough` the first selective one to
/// the end is [`ROUGH`].
fn steps(empties: u32, goal: Draft, is_rough: bool) -> ArrayVec<Draft, 64> {
    let to_end = u32::from(goal.depth) >= empties;
    let deepest = match to_end {
        true => empties.saturating_sub(SHORT),
        false => u32::from(goal.depth),
    };
    let by = |depth: u32, selectivity: Selectivity| Draft {
        depth: depth as u8,
        selectivity: selectivity.of_depth(depth, depth >= empties).rank(),
    };
    // By two plies: one side is to move at all leaves, so that the scores resemble each other.
    let first = if deepest.is_multiple_of(2) { 2 } else { 1 };
    let short = (first..=deepest).step_by(2);
    let mut steps: ArrayVec<Draft, 64> = short.map(|depth| by(depth, Selectivity::P73)).collect();
    for (least, selectivity) in SELECTIVE {
        let mut draft = by(empties, selectivity);
        if to_end && empties >= least && draft.selectivity < goal.selectivity {
            if is_rough && selectivity == Selectivity::P73 {
                draft.selectivity = ROUGH;
            }
            steps.push(draft);
        }
    }
    if steps.last() != Some(&goal) {
        steps.push(goal);
    }
    steps
}

/// A search of a position, up to a draft.
pub(super) struct Task {
    pub(super) board: Board,
    pub(super) goal: Draft,
    /// The scores to tell apart.
    pub(super) ends: (i32, i32),
    /// How many of the best moves to find.
    pub(super) lines: usize,
    /// The moves to choose from, as a bitboard.
    pub(super) moves: u64,
}

/// One of the searches.
struct Step {
    draft: Draft,
    /// The scores to tell apart.
    ends: (i32, i32),
    /// Whether it is the last one, so that its line is wanted.
    last: bool,
}

/// Searches up to the goal of the task. What each search found goes to `report`, the last one being the
/// goal's unless the search was ended before; and while a long search runs, each bound that it finds.
pub(super) fn deepen<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    task: &Task,
    report: &mut dyn FnMut(&Tree<'_, E>, Found),
) {
    let Task {
        board,
        goal,
        ends,
        lines,
        moves: chosen,
    } = *task;
    let one_by_one = lines > 1 || chosen != board.mobility();
    let mut moves = match one_by_one && goal.depth > 0 {
        true => moves(board, chosen),
        false => Vec::new(),
    };
    let mut guess = 0;
    let mut told = Draft::default();
    for draft in steps(board.empty_count(), goal, E::IS_ROUGH) {
        let last = draft == goal;
        let ends = if last { ends } else { (-65, 65) };
        let step = Step { draft, ends, last };
        let (score, line) = match moves.is_empty() {
            true => search(isa, tree, board, &step, guess, report),
            false => best_moves(isa, tree, &mut moves, &step, lines, report),
        };
        if tree.stopped {
            return;
        }
        guess = score;
        tree.arm();
        // Users know no certainty as low as that of a rough search. They are told its result as a better one of the
        // draft before.
        let is_rough = draft.selectivity == ROUGH;
        if !is_rough {
            told = draft;
        }
        let moves = moves.iter().filter(|one| !one.worse).cloned().collect();
        report(
            tree,
            Found {
                draft: told,
                score,
                bound: is_rough.then_some(Bound::Exact),
                line,
                moves,
            },
        );
    }
}

/// Whether the bounds of a step are told: the search is long enough for somebody to read what it knows before it ends,
/// and the step is not rough.
fn tells_bounds<E>(tree: &Tree<'_, E>, step: &Step) -> bool {
    /// Some milliseconds.
    const MIN_NODES: u64 = 1 << 16;
    tree.exact.nodes >= MIN_NODES && step.draft.selectivity != ROUGH
}

/// The `chosen` moves of a board.
fn moves(board: Board, chosen: u64) -> Vec<Move> {
    let after = |square| Move {
        square,
        next: board.play(square).expect("a legal move"),
        score: 0,
        line: Vec::new(),
        worse: false,
    };
    Square::all_in(chosen).map(after).collect()
}

/// Searches the boards after all `moves`, each one ply shallower than `step`, until the scores of the best
/// `lines` moves are exact, and sorts the moves, best first. The score and the line of the best.
fn best_moves<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    moves: &mut [Move],
    step: &Step,
    lines: usize,
    report: &mut dyn FnMut(&Tree<'_, E>, Found),
) -> (i32, Vec<Ply>) {
    let Step { draft, ends, last } = *step;
    let (alpha, beta) = ends;
    let below = draft.one_ply_less();
    tree.exact.nodes += moves.len() as u64;
    let mut best: Vec<i32> = Vec::new();
    for one in moves.iter_mut() {
        tree.poll_stop();
        if tree.stopped {
            break;
        }
        // What a move must pass to be among the best.
        let worst = best.get(lines - 1);
        let floor = worst.map_or(alpha, |&score| score.clamp(alpha, beta - 1));
        let mut rest = Vec::new();
        if one.next.is_game_over() {
            one.score = -one.next.final_score();
        } else if worst.is_some() && !last && floor >= FAR {
            one.score = floor;
        } else {
            let state = Evaluated::new(tree.shared.evaluator.set(isa, one.next));
            let ends = (-beta, -floor);
            let position = (one.next, &state);
            let guess = -one.score;
            let step = Step {
                draft: below,
                ends,
                last,
            };
            let narrowed = mtdf(isa, tree, position, &step, guess, |_, _, _, _| ());
            one.score = floor;
            if worst.is_none() || narrowed.low + 1 < -floor {
                let score;
                (score, rest) = resolve_pv(isa, tree, position, &step, narrowed);
                one.score = -score;
            }
        }
        one.line = [&[Some(one.square)], rest.as_slice()].concat();
        one.worse = worst.is_some() && one.score <= floor;
        let is_best = best.first().is_none_or(|&best| one.score > best);
        if is_best && one.score > alpha && tells_bounds(tree, step) && !tree.stopped {
            report(
                tree,
                Found {
                    draft,
                    score: one.score,
                    bound: Some(Bound::Lower),
                    line: one.line.clone(),
                    moves: Vec::new(),
                },
            );
        }
        best.insert(best.partition_point(|&other| other >= one.score), one.score);
    }
    moves.sort_by_key(|one| (one.worse, -one.score));
    for one in moves.iter_mut().skip(lines) {
        one.worse = true;
    }
    (moves[0].score, moves[0].line.clone())
}

/// The score of `board` by `step`, and a line: that of best play if the step is the last one, otherwise as
/// far as the table knows it.
fn search<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    board: Board,
    step: &Step,
    guess: i32,
    report: &mut dyn FnMut(&Tree<'_, E>, Found),
) -> (i32, Vec<Ply>) {
    let draft = step.draft;
    let state = Evaluated::new(tree.shared.evaluator.set(isa, board));
    let position = (board, &state);
    let bounded = |tree: &Tree<'_, E>, score, bound, best| {
        if !tells_bounds(tree, step) {
            return;
        }
        let found = Found {
            draft,
            score,
            bound: Some(bound),
            line: table_line(isa, tree, board, best, draft),
            moves: Vec::new(),
        };
        report(tree, found);
    };
    let narrowed = mtdf(isa, tree, position, step, guess, bounded);
    resolve_pv(isa, tree, position, step, narrowed)
}

/// The score and the line of the window that [`mtdf`] left. The line of the last step is that of an open-window
/// search, otherwise what the table has of it.
fn resolve_pv<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    (board, state): (Board, &Evaluated<E::State>),
    step: &Step,
    Narrowed { low, high, best }: Narrowed,
) -> (i32, Vec<Ply>) {
    let Step { draft, ends, last } = *step;
    let (alpha, beta) = ends;
    // The table has no moves of so few plies.
    if !last && draft.depth > NO_MOVE_DEPTH {
        let score = match high - low {
            1 if low == alpha => alpha,
            1 => beta,
            _ => (low + high) / 2,
        };
        return (score, table_line(isa, tree, board, best, draft));
    }
    let mut line = Line::default();
    let mut open = |tree: &mut _, window| {
        tree::score::<I, E, Open>(isa, tree, board, state, draft, window, &mut line)
    };
    let mut score = open(tree, (low, high));
    // A selective search need not find twice what it found once.
    if score <= low && alpha < low || high <= score && high < beta {
        score = open(tree, (alpha, beta));
    }
    (score, line.to_vec())
}

/// The line that begins with the move `best` (a square's index) and continues with the table's moves.
fn table_line<I: Recursion, E>(
    isa: I,
    tree: &Tree<'_, E>,
    mut board: Board,
    mut best: u8,
    draft: Draft,
) -> Vec<Ply> {
    let mut line = Vec::new();
    let mut plies = draft.depth;
    while plies > 0 && !board.is_game_over() {
        if board.mobility() == 0 {
            line.push(None);
            board = board.pass();
        } else {
            let Some((square, next)) = Square::new(best).and_then(|square| {
                let next = board.play(square)?;
                Some((square, next))
            }) else {
                break;
            };
            line.push(Some(square));
            board = next;
            plies -= 1;
        }
        best = table_move(isa, tree, board);
    }
    line
}

/// The move that the table has for a board.
fn table_move<I: Recursion, E>(isa: I, tree: &Tree<'_, E>, board: Board) -> u8 {
    let hash = isa.board_hash(board.player, board.opponent);
    let entry = tree.shared.table.probe(hash, board);
    entry.map_or(NO_MOVE, |entry| entry.moves[0])
}

/// The window that null-window searches left.
struct Narrowed {
    low: i32,
    high: i32,
    /// The best move, if the table has it.
    best: u8,
}

/// Narrows the window from `alpha` to `beta` by null-window searches, the first at `guess`, each next one at
/// the bound that the last one found (MTD(f): Plaat, 1995). They are cheap, and they fill the table. Each
/// bound goes to `bounded`, with the best move so far.
fn mtdf<I: Recursion, E: Evaluator<I>>(
    isa: I,
    tree: &mut Tree<'_, E>,
    (board, state): (Board, &Evaluated<E::State>),
    step: &Step,
    guess: i32,
    mut bounded: impl FnMut(&Tree<'_, E>, i32, Bound, u8),
) -> Narrowed {
    let Step { draft, ends, last } = *step;
    let (alpha, beta) = ends;
    let to_end = u32::from(draft.depth) >= board.empty_count();
    // Where all scores are even, the odd windows between them are enough.
    let even = to_end && draft.selectivity == FULL;
    let (mut low, mut high, mut best) = (alpha, beta, NO_MOVE);
    let apart = if even { 2 } else { 1 };
    let mut below = if even { (guess & !1) - 1 } else { guess - 1 };
    let is_far = |low: i32, high: i32| !last && !to_end && (low >= FAR || high <= -FAR);
    // Only the scores between the ends are left.
    while high - low > 2 && !is_far(low, high) && !tree.stopped {
        below = below.clamp(low.max(-64), (high - 1).min(63));
        let window = (below, below + 1);
        let score = tree::score::<I, E, Null>(isa, tree, board, state, draft, window, &mut ());
        let bound;
        if score > below {
            low = low.max(score - 1);
            below = score + apart - 1;
            best = table_move(isa, tree, board);
            bound = Bound::Lower;
        } else {
            high = high.min(score + 1);
            below = score - 1;
            bound = Bound::Upper;
        }
        if !tree.stopped {
            match high - low {
                2 => bounded(tree, low + 1, Bound::Exact, best),
                _ => bounded(tree, score, bound, best),
            }
        }
    }
    if best == NO_MOVE {
        best = table_move(isa, tree, board);
    }
    // A score outside leaves nothing between the ends: ask at the end that it passed.
    let low = low.clamp(alpha, beta - 1);
    Narrowed {
        low,
        high: high.clamp(low + 1, beta),
        best,
    }
}
