//! The engine: what searches positions, how far, and what it answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_utils::thread::scope;
use outflank_kernels::{Isa, IsaError, Token, with_isa};

use super::deepen::{Found, Task, deepen};
use super::limits::Limits;
use super::local::Local;
use super::monitor::Monitor;
use super::parallel::{self, Pool};
use super::result::{Bound, Candidate, SearchResult};
use super::selective::{Margins, Selectivity};
use super::thread::{Shared, Tree};
use super::variants::{LastEmpties, Variant};
use super::watch::Watch;
use crate::board::Board;
use crate::eval::{Evaluation, Patterns};
use crate::square::{Ply, Square};
use crate::table::{Draft, Table, TableError};

/// Why a search gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The stop handle was used, and half a search is of no use: only of [`Engine::solve`] and
    /// [`Midgame::search`](super::Midgame::search).
    #[error("stopped")]
    Stopped,
    /// The board has a square that both sides hold.
    #[error("both sides hold {}", Square::names(*.squares))]
    Overlap {
        /// The squares held twice.
        squares: u64,
    },
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The CPU lacks the level.
    #[error(transparent)]
    Isa(#[from] IsaError),
    /// The table was asked to be larger than the memory that is free, or than the system grants.
    #[error("a hash table of {asked} MiB does not fit in memory ({available} MiB available)")]
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB available.
        available: usize,
    },
    /// A table has at least 1 MiB.
    #[error("a hash table has at least 1 MiB")]
    NoTable,
    /// Too few threads, or too many.
    #[error("{0} threads: an engine has 1 to {MAX_THREADS}")]
    Threads(usize),
}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        match error {
            TableError::Empty => EngineError::NoTable,
            TableError::Memory { asked, available } => EngineError::Memory { asked, available },
        }
    }
}

/// Stops a running search from another thread or a signal handler.
///
/// ```
/// use std::{thread, time::Duration};
/// use outflank::{Board, Engine, Limits};
///
/// let mut engine = Engine::builder().hash_mib(16).build()?;
/// let stop = engine.stop_handle();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     stop.stop();
/// });
/// let found = engine.search(Board::START, &Limits::EXACT)?; // would take years
/// assert!(!found.complete && found.best().is_some());
/// engine.stop_handle().reset(); // for the next search
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the running search within milliseconds, and every later one at its beginning, until
    /// [`StopHandle::reset`]: they answer what they have.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets later searches go on to their ends.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What searches look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// The most threads that an engine can have.
pub const MAX_THREADS: usize = 512;

/// What an engine is made of: [`Engine::builder`].
///
/// ```
/// use outflank::{Engine, EngineError, Isa};
///
/// let builder = Engine::builder().threads(2).hash_mib(16).isa(Isa::Portable);
/// assert_eq!(builder.build()?.isa(), Isa::Portable);
/// let error = Engine::builder().threads(0).build().err().unwrap();
/// assert_eq!(error.to_string(), "0 threads: an engine has 1 to 512");
/// # Ok::<(), EngineError>(())
/// ```
#[derive(Default)]
pub struct Builder {
    level: Option<Isa>,
    threads: Option<usize>,
    hash_mib: Option<usize>,
    evaluation: Option<Arc<Evaluation>>,
    stop: StopHandle,
}

impl Builder {
    /// The instruction-set level of the kernels; without it the best that the CPU has.
    pub fn isa(mut self, level: Isa) -> Builder {
        self.level = Some(level);
        self
    }

    /// The number of threads that search, 1 to [`MAX_THREADS`]; without it 1. Each takes half a megabyte
    /// besides the hash table.
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = Some(threads);
        self
    }

    /// The most memory that the hash table may take, in MiB, 1 or more; without it 64. The table begins
    /// small and grows with a search.
    pub fn hash_mib(mut self, mib: usize) -> Builder {
        self.hash_mib = Some(mib);
        self
    }

    /// The evaluation; without it the one that the library was built with.
    pub fn evaluation(mut self, evaluation: Arc<Evaluation>) -> Builder {
        self.evaluation = Some(evaluation);
        self
    }

    /// What stops it; without it a handle of its own.
    pub fn stop_handle(mut self, stop: StopHandle) -> Builder {
        self.stop = stop;
        self
    }

    /// The engine. An error where the CPU lacks the level, where there are too many threads or none, and
    /// where the hash table does not fit in memory.
    pub fn build(self) -> Result<Engine, EngineError> {
        let token = self.level.unwrap_or_else(Isa::detect).token()?;
        let threads = self.threads.unwrap_or(1);
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(EngineError::Threads(threads));
        }
        let evaluation = self.evaluation.unwrap_or_else(Evaluation::embedded);
        Ok(Engine {
            token,
            last: with_isa!(token, isa => LastEmpties::selected(isa)),
            table: Table::new(self.hash_mib.unwrap_or(64))?,
            locals: (0..threads).map(|_| Local::new()).collect(),
            margins: Margins::new(&evaluation.errors),
            evaluation,
            stop: self.stop,
            monitor: Monitor::default(),
        })
    }
}

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
    last: LastEmpties,
    table: Table,
    /// One for each thread.
    locals: Vec<Local>,
    margins: Margins,
    evaluation: Arc<Evaluation>,
    stop: StopHandle,
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

    /// Goes over to `variant` and its level: a search finds the same by the same nodes, in another
    /// time. For measurements. An error where the CPU lacks the level.
    pub fn set_variant(&mut self, variant: &Variant) -> Result<(), IsaError> {
        self.token = variant.level.token()?;
        self.last = LastEmpties::of(variant)?;
        Ok(())
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
        self.locals.iter_mut().for_each(Local::clear);
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
        let several = self.locals.len() > 1 && parallel::is_worth(task.goal, board.empty_count());
        let shared = Shared {
            evaluator: &self.evaluation.patterns,
            margins: &self.margins,
            table: &self.table,
            last: self.last,
            watch: Watch::new(
                self.stop.flag(),
                limits.time.and_then(|time| start.checked_add(time)),
                limits.nodes,
                self.monitor.nodes(),
            ),
            pool: several.then(Pool::default),
        };
        let (own, others) = self.locals.split_first_mut().expect("one thread or more");
        let mut found = None;
        self.monitor.begin();
        let mut note = |tree: &Tree<'_, Patterns>, step: Found| {
            let is_running = step.bound.is_some();
            let step = result(&task, step, tree.all_nodes(), start);
            self.monitor.tell(start, &step);
            if !is_running {
                report(&step);
                found = Some(step);
            }
        };
        let token = self.token;
        // Not the scope of the standard library: it makes a handle of the calling thread, which is never freed
        // where a program in C has made that thread.
        let searched = scope(|scope| {
            let mut tree = Tree::new(&shared, own);
            if let Some(pool) = &shared.pool {
                for local in others {
                    let help = |_: &_| {
                        let mut tree = Tree::new(&shared, local);
                        with_isa!(token, isa => parallel::help(isa, &mut tree, pool));
                    };
                    // Where the system has no more threads, those that there are search.
                    let _ = scope.builder().stack_size(STACK).spawn(help);
                }
            }
            let _closing = shared.pool.as_ref().map(Closing);
            with_isa!(token, isa => {
                deepen(isa, &mut tree, &task, &mut note);
                tree.finish(isa);
            });
        });
        self.monitor.end();
        searched.expect("no thread of a search panics");
        let found = found.expect("the first search is never ended");
        Ok(SearchResult {
            nodes: shared.watch.nodes(),
            time: start.elapsed(),
            ..found
        })
    }
}

/// Memory of a thread's stack: the longest game takes less than a tenth of it.
const STACK: usize = 16 << 20;

/// Sends the threads of a pool home in the end, however that comes.
struct Closing<'a>(&'a Pool);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What is to be searched of `board`.
fn task(board: Board, limits: &Limits) -> Task {
    let empties = board.empty_count();
    // A finished game has its score, however little is searched.
    let depth = match board.is_game_over() {
        true => empties,
        false => limits.depth.min(empties),
    };
    let selectivity = limits.selectivity.of_depth(depth, depth == empties);
    // The ends of the scale are scores like others: let them lie inside.
    let (alpha, beta) = (limits.window.alpha(), limits.window.beta());
    Task {
        board,
        goal: Draft {
            depth: depth as u8,
            selectivity: selectivity as u8,
        },
        ends: (
            if alpha == -64 { -65 } else { alpha },
            if beta == 64 { 65 } else { beta },
        ),
        lines: limits.lines.max(1) as usize,
    }
}

/// What one of the searches found, as it is told.
fn result(task: &Task, found: Found, nodes: u64, start: Instant) -> SearchResult {
    let complete = found.draft == task.goal && found.bound.is_none();
    let (alpha, beta) = if complete { task.ends } else { (-65, 65) };
    let bound_of = |score| match score {
        _ if score >= beta => Bound::Lower,
        _ if score <= alpha => Bound::Upper,
        _ => Bound::Exact,
    };
    let bound = found.bound.unwrap_or(bound_of(found.score));
    // Where all moves fail low, none is known to be better than another.
    let line = match bound {
        Bound::Upper => Vec::new(),
        Bound::Exact | Bound::Lower => found.line,
    };
    let candidate = |score: i32, line: Vec<Ply>| Candidate {
        ply: line[0],
        score,
        bound: bound_of(score),
        line,
    };
    let moves = found.moves.into_iter();
    let moves = moves.filter(|one| bound_of(one.score) != Bound::Upper);
    let mut candidates: Vec<_> = moves.map(|one| candidate(one.score, one.line)).collect();
    // A pass is the only one.
    if task.lines > 1 && candidates.is_empty() && !line.is_empty() {
        candidates.push(candidate(found.score, line.clone()));
    }
    SearchResult {
        score: found.score,
        bound,
        depth: found.draft.depth.into(),
        selectivity: Selectivity::ALL[usize::from(found.draft.selectivity)],
        complete,
        line,
        candidates,
        nodes,
        time: start.elapsed(),
    }
}
