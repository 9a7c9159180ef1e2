//! Search of many positions at once, on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{RecvTimeoutError, unbounded};
use outflank::batch::Discs;
use outflank::{Engine, StopHandle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::answers::{Progress, RowResult, check_rows, solutions};
use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::engine::build_engine;
use super::errors::EngineError;
use super::evaluation::{WeightsArgument, evaluation};
use super::kernels::token;
use super::limits::{DepthArguments, RequestedLimits};
use super::worker::{POLL_INTERVAL, STACK_SIZE, engine_fault};

/// Queue of rows. Those with the most empty squares come first: they take longest, and must not be left for the end.
struct RowQueue {
    order: Vec<u32>,
    next: AtomicUsize,
}

impl RowQueue {
    fn new(boards: &[Discs]) -> RowQueue {
        let mut order: Vec<u32> = (0..boards.len() as u32).collect();
        order.sort_by_key(|&row| empties(boards[row as usize]));
        order.reverse();
        RowQueue {
            order,
            next: AtomicUsize::new(0),
        }
    }

    /// Takes the next rows: a single long one, or several that together take some milliseconds.
    fn take(&self, boards: &[Discs]) -> Option<&[u32]> {
        let begin = self.next.load(Relaxed);
        let first = *self.order.get(begin)?;
        // Another thread may take rows in between. The count is then that of a nearby row, which takes about as long.
        let count = 1
            << 18_u32
                .saturating_sub(empties(boards[first as usize]))
                .min(8);
        let begin = self.next.fetch_add(count, Relaxed);
        let end = (begin + count).min(self.order.len());
        self.order.get(begin..end)
    }
}

fn empties([player, opponent]: Discs) -> u32 {
    (!(player | opponent)).count_ones()
}

/// State that the threads of `solve_many` share.
struct SharedWork<'a> {
    boards: &'a [Discs],
    queue: RowQueue,
    requested: RequestedLimits,
    keep_tables: bool,
    stop: StopHandle,
}

impl SharedWork<'_> {
    /// Takes rows until none are left, and reports their results.
    fn search_rows(&self, engine: &mut Engine, report: impl Fn(Vec<(u32, RowResult)>)) {
        while let Some(rows) = self.queue.take(self.boards) {
            let mut results = Vec::with_capacity(rows.len());
            for &row in rows {
                if self.stop.is_stopped() {
                    break;
                }
                if !self.keep_tables {
                    // The node count of a row must not depend on other rows.
                    engine.clear();
                }
                let board = self.boards[row as usize];
                results.push((row, RowResult::search(engine, board, &self.requested)));
            }
            report(results);
            if self.stop.is_stopped() {
                return;
            }
        }
    }
}

/// Searches many positions on all cores and returns `Solutions` in the order of the rows. The default is an exact search.
///
/// `threads` positions are searched at once, each on one thread with its part of a table of `hash_mib` MiB. The table
/// is cleared for each position unless `keep_tables` is set. With `exact`, positions with at most that many empty
/// squares are solved and the others searched. An invalid row raises `RowError`, or is marked with `errors="mark"`.
/// `progress(done, all, nodes)` is called at most ten times a second. If it returns `False`, the search ends.
#[pyfunction]
#[pyo3(signature = (
    boards, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None, threads=None,
    hash_mib=256, weights=None, isa=None, keep_tables=false, errors="raise", progress=None
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    level: OptionalArg<'py>,
    depth: OptionalArg<'py>,
    selectivity: OptionalArg<'py>,
    exact: OptionalArg<'py>,
    time: OptionalArg<'py>,
    nodes: OptionalArg<'py>,
    window: OptionalArg<'py>,
    threads: OptionalArg<'py>,
    #[pyo3(from_py_with = arguments::hash_mib)] hash_mib: usize,
    weights: Option<WeightsArgument<'py>>,
    isa: OptionalArg<'py>,
    #[pyo3(from_py_with = arguments::keep_tables)] keep_tables: bool,
    #[pyo3(from_py_with = arguments::errors)] errors: &str,
    progress: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let boards = boards.discs();
    if u32::try_from(boards.len()).is_err() {
        return Err(PyValueError::new_err(
            "more than 4,294,967,295 rows: solve them in parts",
        ));
    }
    check_rows(boards, errors)?;
    let depth = DepthArguments::new(level, depth, selectivity, exact);
    let requested = depth.limits(&time, &nodes, &window)?;
    let isa = token(&isa)?.isa();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments::optional(&threads, arguments::threads)?.unwrap_or_else(cores);
    let threads = threads.min(boards.len()).max(1);
    let evaluation = evaluation(py, weights)?;
    let hash_mib = (hash_mib / threads).max(1);
    let work = SharedWork {
        boards,
        queue: RowQueue::new(boards),
        requested,
        keep_tables,
        stop: StopHandle::default(),
    };
    let engines = (0..threads)
        .map(|_| build_engine(1, hash_mib, evaluation.clone(), isa, &work.stop).map(Mutex::new))
        .collect::<PyResult<Vec<_>>>()?;
    let mut progress = Progress::new(&progress, boards.len())?;
    let rows = search_all(py, &work, &engines, &mut progress)?;
    solutions(py, &rows)
}

/// Searches all rows, one thread per engine. The calling thread checks for signals and reports progress.
fn search_all(
    py: Python<'_>,
    work: &SharedWork<'_>,
    engines: &[Mutex<Engine>],
    progress: &mut Progress<'_, '_>,
) -> PyResult<Vec<RowResult>> {
    let mut rows = vec![RowResult::NOT_SEARCHED; work.boards.len()];
    let (sender, finished) = unbounded::<Vec<(u32, RowResult)>>();
    let mut raised = None;
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for engine in engines {
            let sender = sender.clone();
            let search = move || {
                let mut engine = engine.lock().expect("each thread has its own");
                work.search_rows(&mut engine, |results| drop(sender.send(results)));
            };
            // If the system has no more threads, the started ones do all the work.
            let thread = thread::Builder::new().stack_size(STACK_SIZE);
            threads.extend(thread.spawn_scoped(scope, search));
        }
        drop(sender);
        if threads.is_empty() {
            raised = Some(EngineError::new_err("no thread to search on"));
        }
        let mut polled = Instant::now();
        loop {
            match py.detach(|| finished.recv_timeout(POLL_INTERVAL)) {
                Ok(results) => {
                    for (row, result) in results {
                        progress.add(&[result]);
                        rows[row as usize] = result;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if polled.elapsed() < POLL_INTERVAL && !progress.is_done() {
                continue;
            }
            polled = Instant::now();
            match py.check_signals().and_then(|()| progress.report()) {
                Ok(true) => {}
                Ok(false) => work.stop.stop(),
                Err(error) => {
                    work.stop.stop();
                    raised = raised.take().or(Some(error));
                }
            }
        }
        for thread in threads {
            if thread.join().is_err() {
                raised = raised.take().or_else(|| Some(engine_fault()));
            }
        }
    });
    raised.map_or(Ok(rows), Err)
}
