//! One iteration at the root: null-window searches narrow the window, and an open window gives the principal variation.

use super::eval_state::{EvalState, Position};
use super::line::Line;
use super::midgame::{NO_MOVE_DEPTH, score};
use super::recursion::SearchRecursion;
use super::report::{Progress, Reporter, RootMove, RootResult};
use super::result::Bound;
use super::selectivity::{FULL, PREPARATORY};
use super::window::Window;
use super::worker::Worker;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::square::{Ply, Square};
use crate::table::{OptionalSquare, SearchDepth};

/// The magnitude of a score above which iterations before the last do not narrow the window further. Greater scores
/// differ only in whether the losing side keeps a disc. To decide this short of the end, a search needs all moves of
/// the winning side (FFO #39).
const DECIDED_SCORE: i32 = 62;

/// One iteration of iterative deepening.
pub(super) struct Iteration {
    pub(super) depth: SearchDepth,
    pub(super) window: Window,
    /// `true` for the last iteration, whose whole line is needed.
    pub(super) is_last: bool,
}

/// A score and its line.
pub(super) type ScoredLine = (i32, Vec<Ply>);

/// The window left by null-window searches.
struct NarrowedWindow {
    window: Window,
    /// The best move, if the table has it.
    best: OptionalSquare,
}

/// A searcher of root positions.
pub(super) struct RootSearcher<'r, 'w, 'p, I, E> {
    pub(super) isa: I,
    pub(super) worker: &'r mut Worker<'w, E>,
    pub(super) reporter: &'r mut Reporter<'p>,
}

impl<I: SearchRecursion, E: Evaluator<I>> RootSearcher<'_, '_, '_, I, E> {
    /// Reports a result with the nodes of all threads.
    pub(super) fn report(&mut self, result: RootResult) {
        self.reporter.report(result, self.worker.all_nodes());
    }

    /// Returns `true` if bounds of `iteration` are reported: the search is long enough to be watched, and the iteration
    /// is not preparatory.
    fn reports_bounds(&self, iteration: &Iteration) -> bool {
        /// Nodes of some milliseconds.
        const MIN_NODES: u64 = 1 << 16;
        self.worker.nodes() >= MIN_NODES
            && iteration.depth.selectivity != PREPARATORY
            && !self.worker.stopped
    }

    /// Reports a bound of an unfinished iteration.
    fn report_bound(&mut self, iteration: &Iteration, score: i32, bound: Bound, line: Vec<Ply>) {
        self.report(RootResult {
            depth: iteration.depth,
            score,
            progress: Progress::Bounded(bound),
            line,
            moves: Vec::new(),
        });
    }

    fn eval_state(&self, board: Board) -> EvalState<E::State> {
        EvalState::new(self.worker.shared.evaluator.set(self.isa, board))
    }

    /// Searches `board`. The line of the last iteration is the principal variation. Lines of other iterations end where
    /// the table has no move.
    pub(super) fn search_root(
        &mut self,
        board: Board,
        iteration: &Iteration,
        guess: i32,
    ) -> ScoredLine {
        let eval = &self.eval_state(board);
        let position = Position { board, eval };
        let narrowed = self.mtdf(position, iteration, guess, true);
        self.resolve_pv(position, iteration, narrowed)
    }

    /// Searches the boards after all `moves`, one ply shallower than `iteration`, until the scores of the best
    /// `lines` moves are exact. Sorts the moves, best first, and returns the score and the line of the best.
    pub(super) fn search_root_moves_separately(
        &mut self,
        moves: &mut [RootMove],
        iteration: &Iteration,
        lines: usize,
    ) -> ScoredLine {
        let Window { alpha, beta } = iteration.window;
        self.worker.endgame.nodes += moves.len() as u64;
        let mut best_scores: Vec<i32> = Vec::new();
        for root_move in moves.iter_mut() {
            self.worker.poll_stop();
            if self.worker.stopped {
                break;
            }
            // The score that a move has to exceed to be among the best.
            let worst = best_scores.get(lines - 1);
            let floor = worst.map_or(alpha, |&score| score.clamp(alpha, beta - 1));
            let mut rest = Vec::new();
            if root_move.next.is_game_over() {
                root_move.score = -root_move.next.final_score();
            } else if worst.is_some() && !iteration.is_last && floor >= DECIDED_SCORE {
                root_move.score = floor;
            } else {
                let board = root_move.next;
                let eval = &self.eval_state(board);
                let position = Position { board, eval };
                let child_iteration = Iteration {
                    depth: iteration.depth.one_ply_less(),
                    window: Window { alpha: floor, beta }.for_opponent(),
                    is_last: iteration.is_last,
                };
                let narrowed = self.mtdf(position, &child_iteration, -root_move.score, false);
                root_move.score = floor;
                if worst.is_none() || narrowed.window.alpha + 1 < -floor {
                    let score;
                    (score, rest) = self.resolve_pv(position, &child_iteration, narrowed);
                    root_move.score = -score;
                }
            }
            let score = root_move.score;
            root_move.line = [&[Some(root_move.square)], rest.as_slice()].concat();
            root_move.is_worse = worst.is_some() && score <= floor;
            let is_best = best_scores.first().is_none_or(|&best| score > best);
            if is_best && score > alpha && self.reports_bounds(iteration) {
                self.report_bound(iteration, score, Bound::Lower, root_move.line.clone());
            }
            let rank = best_scores.partition_point(|&other| other >= score);
            best_scores.insert(rank, score);
        }
        moves.sort_by_key(|root_move| (root_move.is_worse, -root_move.score));
        for root_move in moves.iter_mut().skip(lines) {
            root_move.is_worse = true;
        }
        (moves[0].score, moves[0].line.clone())
    }

    /// The score in the window left by [`RootSearcher::mtdf`], and its line. The last iteration needs an open-window
    /// search for the line; other iterations take the line from the table.
    fn resolve_pv(
        &mut self,
        position: Position<'_, E::State>,
        iteration: &Iteration,
        NarrowedWindow { window, best }: NarrowedWindow,
    ) -> ScoredLine {
        let Iteration {
            depth,
            window: Window { alpha, beta },
            is_last,
        } = *iteration;
        // The table has no best moves of shallower searches, so these need an open window, too.
        if !is_last && depth.plies > NO_MOVE_DEPTH {
            let score = match window.beta - window.alpha {
                1 if window.alpha == alpha => alpha,
                1 => beta,
                _ => (window.alpha + window.beta) / 2,
            };
            return (score, self.table_line(position.board, best, depth));
        }
        let (isa, mut line) = (self.isa, Line::default());
        let mut open = |window| score(isa, self.worker, position, depth, window, &mut line);
        let mut score = open(window);
        // A selective search may find another score when it is repeated.
        if score <= window.alpha && alpha < window.alpha
            || window.beta <= score && window.beta < beta
        {
            score = open(iteration.window);
        }
        (score, line.to_vec())
    }

    /// The line that begins with the move `best` and continues with the table's moves.
    fn table_line(
        &self,
        mut board: Board,
        mut best: OptionalSquare,
        depth: SearchDepth,
    ) -> Vec<Ply> {
        let mut line = Vec::new();
        let mut plies = depth.plies;
        let play = |board: Board, square: Square| Some((square, board.play(square)?));
        while plies > 0 && !board.is_game_over() {
            if board.mobility() == 0 {
                line.push(None);
                board = board.pass();
            } else if let Some((square, next)) = best.get().and_then(|best| play(board, best)) {
                line.push(Some(square));
                board = next;
                plies -= 1;
            } else {
                break;
            }
            best = self.table_move(board);
        }
        line
    }

    /// The table's move for a board.
    fn table_move(&self, board: Board) -> OptionalSquare {
        let hash = self.isa.board_hash(board.player, board.opponent);
        let entry = self.worker.shared.table.probe(hash, board);
        entry.map_or(OptionalSquare::NONE, |entry| entry.moves[0])
    }

    /// Narrows the iteration's window by null-window searches (MTD(f): Plaat, 1995). The first search is at `guess`,
    /// and each further one at the bound that was found last. These searches are cheap and fill the table. With
    /// `reports` each bound is reported.
    fn mtdf(
        &mut self,
        position: Position<'_, E::State>,
        iteration: &Iteration,
        guess: i32,
        reports: bool,
    ) -> NarrowedWindow {
        let (board, depth, window) = (position.board, iteration.depth, iteration.window);
        let to_end = u32::from(depth.plies) >= board.empty_count();
        let may_be_decided = !iteration.is_last && !to_end;
        let is_decided = |narrowed: Window| {
            may_be_decided && (narrowed.alpha >= DECIDED_SCORE || narrowed.beta <= -DECIDED_SCORE)
        };
        // Exact scores are even, so the odd windows between them suffice.
        let (mut null_alpha, spacing) = match to_end && depth.selectivity == FULL {
            true => ((guess & !1) - 1, 2),
            false => (guess - 1, 1),
        };
        // The score is strictly inside this window, unless it is outside the iteration's window.
        let mut narrowed = window;
        let mut best = OptionalSquare::NONE;
        while narrowed.beta - narrowed.alpha > 2 && !is_decided(narrowed) && !self.worker.stopped {
            null_alpha = null_alpha.clamp(narrowed.alpha.max(-64), (narrowed.beta - 1).min(63));
            let null_window = Window::null(null_alpha);
            let score = score(self.isa, self.worker, position, depth, null_window, &mut ());
            let mut bound = Bound::Upper;
            if score > null_alpha {
                bound = Bound::Lower;
                narrowed.alpha = narrowed.alpha.max(score - 1);
                null_alpha = score + spacing - 1;
                best = self.table_move(board);
            } else {
                narrowed.beta = narrowed.beta.min(score + 1);
                null_alpha = score - 1;
            }
            if reports && self.reports_bounds(iteration) {
                let line = self.table_line(board, best, depth);
                // A window of two has one score inside.
                match narrowed.beta - narrowed.alpha {
                    2 => self.report_bound(iteration, narrowed.alpha + 1, Bound::Exact, line),
                    _ => self.report_bound(iteration, score, bound, line),
                }
            }
        }
        if best == OptionalSquare::NONE {
            best = self.table_move(board);
        }
        // If the score is outside the iteration's window, no score is left inside `narrowed`. The result is then the
        // null window at that end of the iteration's window.
        narrowed.alpha = narrowed.alpha.clamp(window.alpha, window.beta - 1);
        narrowed.beta = narrowed.beta.clamp(narrowed.alpha + 1, window.beta);
        let window = narrowed;
        NarrowedWindow { window, best }
    }
}
