//! The engine: searches of positions within limits.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outflank_kernels::{Isa, Token, with_isa};

use super::clock::Clock;
use super::deepen::deepen;
use super::error::SearchError;
use super::limits::Limits;
use super::local_table::LocalTable;
use super::monitor::Monitor;
use super::parallel;
use super::pool::{Member, Pool};
use super::report::{Reporter, RootTask};
use super::result::SearchResult;
use super::root::RootSearcher;
use super::selectivity::Margins;
use super::split::SplitPolicy;
use super::stop::{Interrupt, StopControl, StopHandle};
use super::thread_pool::ThreadPool;
use super::thread_work::ThreadWork;
use super::worker::{Shared, Worker};
use crate::board::Board;
use crate::eval::{Evaluation, Parameters, with_evaluator};
use crate::table::Table;
use crate::time::Instant;

/// Searches positions, one at a time, at one instruction-set level.
///
/// The hash table keeps the results of earlier searches. Give all positions of a game to one engine, in their order.
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
/// // A cleared engine searches the same nodes again.
/// engine.clear();
/// assert_eq!(engine.search(board, &Limits::EXACT)?.nodes, found.nodes);
///
/// // Print the result of each depth up to 6 plies.
/// let limits = Limits::depth(6, Selectivity::Full);
/// engine.search_and_report(Board::START, &limits, |so_far| {
///     println!("{} plies: {:+}", so_far.depth, so_far.score);
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    pub(super) token: Token,
    pub(super) table: Table,
    /// One table for each thread, `None` until the thread is needed.
    pub(super) locals: Vec<Option<LocalTable>>,
    pub(super) margins: Margins,
    pub(super) evaluation: Arc<Evaluation>,
    pub(super) stop: StopHandle,
    pub(super) interrupt: Option<Interrupt>,
    pub(super) thread_pool: Box<dyn ThreadPool>,
    pub(super) monitor: Monitor,
    /// The number of cores that this process may use.
    pub(super) cores: usize,
}

impl Engine {
    /// The instruction-set level of the kernels.
    pub fn isa(&self) -> Isa {
        self.token.isa()
    }

    /// The evaluation of positions.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// A handle that stops this engine.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// A monitor through which other threads read the latest result of a running search.
    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }

    /// Clears all earlier results: the next search visits the same nodes as that of a new engine. Clearing takes almost
    /// no time. Memory stays allocated for later searches.
    pub fn clear(&mut self) {
        self.table.clear(self.token);
        let locals = self.locals.iter_mut().flatten();
        locals.for_each(LocalTable::clear);
    }

    /// Searches `board` for its score. A score outside the window is a bound.
    ///
    /// [`Limits`] describes how far a search goes and how limits combine.
    ///
    /// With one thread, a cleared engine visits the same nodes at every instruction-set level. With several threads the
    /// nodes differ from run to run, but the scores of exact solves do not.
    ///
    /// A stopped search is not an error: its result has [`SearchResult::complete`] `false`. It is an error if both
    /// sides hold a square.
    pub fn search(&mut self, board: Board, limits: &Limits) -> Result<SearchResult, SearchError> {
        self.search_and_report(board, limits, |_| ())
    }

    /// Solves `board` by [`Engine::search`] with [`Limits::EXACT`]. A stopped search is an error here.
    pub fn solve(&mut self, board: Board) -> Result<SearchResult, SearchError> {
        let result = self.search(board, &Limits::EXACT)?;
        // With few empty squares a search completes before its first poll, even if a stop was requested.
        match result.complete && !self.stop.is_stopped() {
            true => Ok(result),
            false => Err(SearchError::Stopped),
        }
    }

    /// Searches like [`Engine::search`], and passes the result of each depth to `report`.
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
        let task = RootTask::new(board, limits);
        let empties = board.empty_count();
        let policy = SplitPolicy::new(self.locals.len(), empties);
        let is_parallel = self.locals.len() > 1 && policy.allow(task.goal, empties);
        let threads = if is_parallel { self.locals.len() } else { 1 };
        // Only with linear weights does a preparatory search save more nodes than it costs (docs/lab/search.md).
        let with_preparatory = matches!(self.evaluation.parameters, Parameters::Linear(_));
        with_evaluator!(self.evaluation, evaluator => {
            let shared = Shared {
                evaluator,
                margins: &self.margins,
                table: &self.table,
                stop: StopControl {
                    deadline: limits.time.and_then(|time| start.checked_add(time)),
                    max_nodes: limits.nodes,
                    ..StopControl::new(&self.stop, self.interrupt.as_ref(), self.monitor.nodes())
                },
                clock: Clock::new(start, threads, self.cores),
                pool: is_parallel.then(|| Pool::new(threads, policy)),
            };
            let (own_local, other_locals) = self.locals.split_first_mut().expect("one thread or more");
            self.monitor.begin();
            let mut reporter = Reporter {
                task: &task,
                start,
                monitor: &self.monitor,
                on_result: &mut report,
                latest: None,
            };
            let token = self.token;
            let other_locals = Mutex::new((1..).zip(other_locals));
            let panic = Mutex::new(None);
            let help = || {
                let next = lock(&other_locals).next();
                let Some((thread, local)) = next else { return };
                run_thread(&shared, thread, local, &panic, |worker| {
                    with_isa!(token, isa => parallel::help(isa, worker));
                });
            };
            let mut search = |start: &dyn Fn()| {
                shared.clock.begin(0);
                let local = own_local.get_or_insert_with(LocalTable::new);
                let mut worker = Worker::new(&shared, 0, local);
                worker.start_helpers = Some(start);
                let member = worker.member();
                let _close = member.map(CloseOnDrop);
                let mut run = || with_isa!(token, isa => {
                    let (worker, reporter) = (&mut worker, &mut reporter);
                    deepen(&mut RootSearcher { isa, worker, reporter }, &task, with_preparatory);
                    worker.finish(isa);
                });
                match member {
                    Some(member) => member.work(run),
                    None => run(),
                }
            };
            self.thread_pool.run(threads - 1, &help, &mut search);
            self.monitor.end();
            if let Some(message) = lock(&panic).take() {
                return Err(SearchError::Panicked { message });
            }
            let time = shared.clock.elapsed(0);
            Ok(SearchResult {
                nodes: shared.stop.nodes(),
                time,
                thread_work: match &shared.pool {
                    Some(pool) => pool.thread_work(time),
                    None => ThreadWork { searching: time, ..ThreadWork::default() },
                },
                ..reporter.into_latest()
            })
        })
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on a thread with its local table. A panic ends the search of all threads, and its message is left in `panic`.
pub(super) fn run_thread<'a, E>(
    shared: &'a Shared<'a, E>,
    thread: usize,
    local: &'a mut Option<LocalTable>,
    panic: &Mutex<Option<String>>,
    work: impl FnOnce(&mut Worker<'a, E>),
) {
    shared.clock.begin(thread);
    let finished = catch_unwind(AssertUnwindSafe(|| {
        let local = local.get_or_insert_with(LocalTable::new);
        work(&mut Worker::new(shared, thread, local));
    }));
    if let Err(payload) = finished {
        shared.stop.end();
        *lock(panic) = Some(panic_message(&*payload));
    }
    shared.clock.end(thread);
}

/// The message of a panic.
fn panic_message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().map(|&text| text.to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

/// Closes the pool when the search ends, even by a panic.
struct CloseOnDrop<'a>(Member<'a>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.0.clock.end(0);
    }
}
