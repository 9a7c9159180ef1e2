//! Moves that prove a bound: the parts of which certificates of exact scores are made.

use std::sync::Mutex;

use outflank_kernels::with_isa;

use super::clock::Clock;
use super::endgame::null_window_score;
use super::engine::{Engine, lock, run_thread};
use super::error::SearchError;
use super::eval_state::{EvalState, Position};
use super::local_table::{LocalKey, MAX_LOCAL_EMPTIES, MIN_LOCAL_EMPTIES};
use super::midgame;
use super::recursion::SearchRecursion;
use super::selectivity::FULL;
use super::stop::StopControl;
use super::window::{Window, opponent_alpha};
use super::worker::{Shared, Worker};
use crate::board::Board;
use crate::eval::{Evaluator, with_evaluator};
use crate::square::Square;
use crate::table::{OptionalSquare, SearchDepth};
use crate::time::Instant;

/// One thread's searcher for moves that prove a bound.
pub trait MoveProver {
    /// Returns `true` if the mover of `board` scores more than `bound`, in discs, with best play. `None` if the engine was
    /// stopped.
    fn exceeds(&mut self, board: Board, bound: i32) -> Option<bool>;

    /// A legal move after which the mover of `board` scores more than `bound`. `None` if no move does, or if the engine was
    /// stopped.
    ///
    /// The results of earlier searches make this fast: call it for a board before the boards that follow it.
    fn proving_move(&mut self, board: Board, bound: i32) -> Option<Square>;
}

impl Engine {
    /// Calls `work` on each thread of the engine at once, with a searcher of its own. All searchers share the engine's
    /// table, which keeps the results of earlier searches.
    ///
    /// ```
    /// use outflank::{Board, Engine, Limits};
    ///
    /// let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    /// let board: Board = text.parse()?;
    /// let mut engine = Engine::builder().hash_mib(16).build()?;
    /// assert_eq!(engine.solve(board)?.score, 18);
    /// engine.prove_moves(&|prover| {
    ///     assert_eq!(prover.proving_move(board, 17), "G8".parse().ok());
    ///     assert_eq!(prover.proving_move(board, 18), None);
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prove_moves(
        &mut self,
        work: &(dyn Fn(&mut dyn MoveProver) + Sync),
    ) -> Result<(), SearchError> {
        let threads = self.locals.len();
        let token = self.token;
        with_evaluator!(self.evaluation, evaluator => {
            let shared = Shared {
                evaluator,
                margins: &self.margins,
                table: &self.table,
                stop: StopControl::new(&self.stop, self.interrupt.as_ref(), self.monitor.nodes()),
                clock: Clock::new(Instant::now(), threads, self.cores),
                pool: None,
            };
            self.monitor.begin();
            shared.stop.arm();
            let locals = Mutex::new((0..).zip(&mut self.locals));
            let panic = Mutex::new(None);
            let run = || {
                let next = lock(&locals).next();
                let Some((thread, local)) = next else { return };
                run_thread(&shared, thread, local, &panic, |worker| {
                    with_isa!(token, isa => {
                        work(&mut Prover { isa, worker });
                        worker.finish(isa);
                    });
                });
            };
            self.thread_pool.run(threads - 1, &run, &mut |start| {
                start();
                run();
            });
            match lock(&panic).take() {
                Some(message) => Err(SearchError::Panicked { message }),
                None => Ok(()),
            }
        })
    }
}

struct Prover<'r, 'w, I, E> {
    isa: I,
    worker: &'r mut Worker<'w, E>,
}

impl<I: SearchRecursion, E: Evaluator<I>> Prover<'_, '_, I, E> {
    /// The score of `board` in the null window above `alpha`.
    fn null_window_score(&mut self, board: Board, alpha: i32) -> i32 {
        let (isa, empties) = (self.isa, board.empty_count());
        if empties <= MAX_LOCAL_EMPTIES {
            self.worker.poll_stop();
            let mobility = isa.mobility(board.player, board.opponent);
            return null_window_score(isa, &mut self.worker.endgame, board, mobility, alpha);
        }
        let eval = &EvalState::new(self.worker.shared.evaluator.set(isa, board));
        let depth = SearchDepth {
            plies: empties as u8,
            selectivity: FULL,
        };
        let position = Position { board, eval };
        let window = Window::null(alpha);
        midgame::score(isa, self.worker, position, depth, window, &mut ())
    }

    /// The best moves of `board` in earlier searches.
    fn known_moves(&self, board: Board) -> [OptionalSquare; 2] {
        let empties = board.empty_count();
        match empties {
            MIN_LOCAL_EMPTIES..=MAX_LOCAL_EMPTIES => {
                let key = LocalKey::new(self.isa, board, empties);
                key.probe(self.worker.endgame.local).moves
            }
            _ => {
                let hash = self.isa.board_hash(board.player, board.opponent);
                let entry = self.worker.shared.table.probe(hash, board);
                entry.map_or([OptionalSquare::NONE; 2], |entry| entry.moves)
            }
        }
    }
}

impl<I: SearchRecursion, E: Evaluator<I>> MoveProver for Prover<'_, '_, I, E> {
    fn exceeds(&mut self, board: Board, bound: i32) -> Option<bool> {
        let score = self.null_window_score(board, bound);
        (!self.worker.stopped).then_some(score > bound)
    }

    fn proving_move(&mut self, board: Board, bound: i32) -> Option<Square> {
        let mut untried = self.isa.mobility(board.player, board.opponent);
        let mut is_searched = false;
        while untried != 0 {
            let known = self.known_moves(board).into_iter();
            let mut known = known.filter_map(OptionalSquare::get);
            let square = match known.find(|square| untried & square.bit() != 0) {
                Some(square) => square,
                None if is_searched => Square::lowest_in(untried),
                None if self.exceeds(board, bound)? => {
                    // The search has left its best move in a table.
                    is_searched = true;
                    continue;
                }
                None => return None,
            };
            untried &= !square.bit();
            let next = board.play(square).expect("a legal move");
            if !self.exceeds(next, opponent_alpha(bound))? {
                return Some(square);
            }
        }
        None
    }
}
