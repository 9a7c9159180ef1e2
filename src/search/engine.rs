//! The engine: what searches positions, how far, and what it answers.

mod builder;
mod task;
mod threads;

use std::sync::{Arc, Mutex, PoisonError};

use outflank_kernels::{Isa, Token, with_isa};

use super::deepen::{Found, deepen};
use super::error::SearchError;
use super::limits::Limits;
use super::local::LocalTable;
use super::monitor::Monitor;
use super::parallel;
use super::pool::{Pool, is_worth};
use super::result::SearchResult;
use super::selective::Margins;
use super::stop::StopHandle;
use super::thread::{Shared, Tree};
use super::watch::Watch;
use crate::board::Board;
use crate::eval::{Evaluation, with_values};
use crate::table::Table;
use crate::time::Instant;
use builder::Interrupt;
pub use builder::{Builder, DEFAULT_HASH_MIB};
use task::{fill_from, result, task};
pub use threads::ThreadPool;

/// Searches positions, one at a time, at one instruction-set level.
///
/// Its hash table keeps what earlier searches found, so the moves of one game are best given to one
/// engine, in their order.
///
/// ```
/// use outflank::{Board, Engine, Limits, Selectivity};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// // FFO #1, from its 64 squares and the side to move: 14 empty squares.
/// let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
/// let board: Board = text.parse()?;
/// let found = engine.search(board, &Limits::EXACT)?;
/// assert_eq!((found.score, found.best()), (18, "G8".parse().ok()));
///
/// // Again, as if for the first time: the same nodes.
/// engine.clear();
/// assert_eq!(engine.search(board, &Limits::EXACT)?.nodes, found.nodes);
///
/// // What was found on the way to 6 plies.
/// let limits = Limits::depth(6, Selectivity::Full);
/// engine.search_and_report(Board::START, &limits, |so_far| {
///     println!("{} plies: {:+}", so_far.depth, so_far.score);
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    token: Token,
    table: Table,
    /// One for each thread.
    locals: Vec<LocalTable>,
    margins: Margins,
    evaluation: Arc<Evaluation>,
    stop: StopHandle,
    interrupt: Option<Interrupt>,
    thread_pool: Box<dyn ThreadPool>,
    monitor: Monitor,
}

impl Engine {
    /// How an engine is made.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The level that the kernels run at.
    pub fn isa(&self) -> Isa {
        self.token.isa()
    }

    /// What judges positions.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// A handle that stops this engine.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// What tells other threads how far a search of this engine has come.
    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }

    /// Forgets all earlier results, so that the next search counts the same nodes as a new engine's. This
    /// takes no time to speak of; the memory that earlier searches used stays for later ones.
    pub fn clear(&mut self) {
        self.table.clear(self.token);
        self.locals.iter_mut().for_each(LocalTable::clear);
    }

    /// The score of `board`, or which side of the window it lies on. The same board after
    /// [`Engine::clear`] takes the same nodes at every level; with several threads nodes differ from run
    /// to run, and exact scores of searches to the end do not.
    ///
    /// A stop is no error: [`SearchResult::complete`] tells. A board with squares that both sides hold is
    /// one.
    pub fn search(&mut self, board: Board, limits: &Limits) -> Result<SearchResult, SearchError> {
        self.search_and_report(board, limits, |_| ())
    }

    /// The exact score of `board`: as [`Engine::search`] with [`Limits::EXACT`], but a search that was stopped
    /// is an error.
    pub fn solve(&mut self, board: Board) -> Result<SearchResult, SearchError> {
        let found = self.search(board, &Limits::EXACT)?;
        // Few squares are solved before a search looks whether it is to end.
        match found.complete && !self.stop.is_stopped() {
            true => Ok(found),
            false => Err(SearchError::Stopped),
        }
    }

    /// As [`Engine::search`], and what was found so far goes to `report` whenever that is more: after each of the
    /// searches, deeper and deeper, that lead up to the last one.
    pub fn search_and_report(
        &mut self,
        board: Board,
        limits: &Limits,
        mut report: impl FnMut(&SearchResult),
    ) -> Result<SearchResult, SearchError> {
        let start = Instant::now();
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SearchError::Overlap { squares });
        }
        let task = task(board, limits);
        with_values!(&self.evaluation.values, evaluator => {
            let several = self.locals.len() > 1 && is_worth(task.goal, board.empty_count());
            let shared = Shared {
                evaluator,
                margins: &self.margins,
                table: &self.table,
                watch: Watch::new(
                    self.stop.flag(),
                    self.interrupt.as_deref(),
                    limits.time.and_then(|time| start.checked_add(time)),
                    limits.nodes,
                    self.monitor.nodes(),
                ),
                pool: several.then(Pool::default),
            };
            let (own, others) = self.locals.split_first_mut().expect("one thread or more");
            let mut found: Option<SearchResult> = None;
            self.monitor.begin();
            let mut note = |tree: &Tree<'_, _>, step: Found| {
                let is_finished = step.bound.is_none();
                let mut step = result(&task, step, tree.all_nodes(), start);
                if !is_finished && let Some(before) = found.take() {
                    fill_from(&mut step, before, task.lines);
                }
                self.monitor.tell(start, &step);
                if is_finished {
                    report(&step);
                }
                found = Some(step);
            };
            let token = self.token;
            let helpers = if several { others.len() } else { 0 };
            let others = Mutex::new(others.iter_mut());
            let help = || {
                let local = others.lock().unwrap_or_else(PoisonError::into_inner).next();
                if let (Some(pool), Some(local)) = (&shared.pool, local) {
                    let mut tree = Tree::new(&shared, local);
                    with_isa!(token, isa => parallel::help(isa, &mut tree, pool));
                }
            };
            let mut own = || {
                let mut tree = Tree::new(&shared, own);
                let _close = shared.pool.as_ref().map(CloseOnDrop);
                with_isa!(token, isa => {
                    deepen(isa, &mut tree, &task, &mut note);
                    tree.finish(isa);
                });
            };
            self.thread_pool.run(helpers, &help, &mut own);
            self.monitor.end();
            let found = found.expect("the first search is never ended");
            Ok(SearchResult {
                nodes: shared.watch.nodes(),
                time: start.elapsed(),
                ..found
            })
        })
    }
}

/// Ends the threads of a pool when the search ends, also by a panic.
struct CloseOnDrop<'a>(&'a Pool);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
