//! Search of many positions at once, on all cores.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use outflank::batch::Discs;
use outflank::eval::Evaluation;
use outflank::{Engine, Selectivity, StopHandle, Window};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::answers::{Progress, RowResult, check_rows, solutions};
use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::engine::build_engine;
use super::errors::EngineError;
use super::evaluation::evaluation_of;
use super::kernels::token;
use super::limits::{RequestedLimits, strength};
use super::optional;
use super::worker::{POLL_INTERVAL, engine_fault};

/// State that the threads of `solve_many` share.
struct SharedWork<'a> {
    boards: &'a [Discs],
    /// Rows that no thread has taken yet.
    rows: Mutex<&'a [u32]>,
    requested: RequestedLimits,
    keep_tables: bool,
    stop: StopHandle,
}

impl SharedWork<'_> {
    /// Takes the next rows: one with many empty squares, or several that take some milliseconds together; none at the
    /// end.
    fn take_rows(&self) -> &[u32] {
        let mut rest = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let empties = rest.first().map(|&row| empties(self.boards[row as usize]));
        let count = empties.map_or(0, |empties| 1 << 18_u32.saturating_sub(empties).min(8));
        let (rows, others) = rest.split_at(rest.len().min(count));
        *rest = others;
        rows
    }

    /// Takes rows until none are left, and sends their results.
    fn search_rows(&self, mut engine: Engine, finished: &Sender<Vec<(u32, RowResult)>>) {
        loop {
            let rows = self.take_rows();
            if rows.is_empty() || self.stop.is_stopped() {
                return;
            }
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
                results.push((row, RowResult::search(&mut engine, board, &self.requested)));
            }
            let _ = finished.send(results);
        }
    }
}

fn empties([player, opponent]: Discs) -> u32 {
    (!(player | opponent)).count_ones()
}

/// Searches many positions on all cores and returns `Solutions` in the order of the rows. The default is an exact
/// search. The limits are those of `Engine.search`, for each position. A `selectivity` without a `depth` holds for a
/// search to the end of the game.
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
    #[pyo3(from_py_with = optional::level)] level: Option<u32>,
    #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
    #[pyo3(from_py_with = optional::exact)] exact: Option<u32>,
    #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
    #[pyo3(from_py_with = optional::nodes)] nodes: Option<u64>,
    #[pyo3(from_py_with = optional::window)] window: Option<Window>,
    #[pyo3(from_py_with = optional::threads)] threads: Option<usize>,
    #[pyo3(from_py_with = arguments::hash_mib)] hash_mib: usize,
    #[pyo3(from_py_with = evaluation_of)] weights: Option<Arc<Evaluation>>,
    isa: OptionalArg<'py>,
    #[pyo3(from_py_with = arguments::keep_tables)] keep_tables: bool,
    #[pyo3(from_py_with = arguments::errors)] errors: &str,
    #[pyo3(from_py_with = optional::progress)] progress: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let boards = boards.discs();
    if u32::try_from(boards.len()).is_err() {
        return Err(PyValueError::new_err(
            "more than 4,294,967,295 rows: solve them in parts",
        ));
    }
    check_rows(boards, errors)?;
    let strength = strength(level, depth, selectivity)?;
    let requested = RequestedLimits::new(strength, exact, time, nodes, window);
    let isa = token(&isa)?.isa();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(cores).min(boards.len()).max(1);
    let evaluation = weights.unwrap_or_else(Evaluation::embedded);
    let hash_mib = (hash_mib / threads).max(1);
    // The rows with the most empty squares come first: they take longest, and must not be left for the end.
    let mut rows: Vec<u32> = (0..boards.len() as u32).collect();
    rows.sort_by_key(|&row| Reverse(empties(boards[row as usize])));
    let work = SharedWork {
        boards,
        rows: Mutex::new(&rows),
        requested,
        keep_tables,
        stop: StopHandle::default(),
    };
    let engines = (0..threads)
        .map(|_| build_engine(1, hash_mib, evaluation.clone(), isa, &work.stop))
        .collect::<PyResult<Vec<_>>>()?;
    let mut progress = Progress::new(progress, boards.len());
    let rows = search_all(py, &work, engines, &mut progress)?;
    solutions(py, &rows)
}

/// Searches all rows, one thread per engine. The calling thread checks for signals and reports progress.
fn search_all(
    py: Python<'_>,
    work: &SharedWork<'_>,
    engines: Vec<Engine>,
    progress: &mut Progress<'_>,
) -> PyResult<Vec<RowResult>> {
    let mut rows = vec![RowResult::NOT_SEARCHED; work.boards.len()];
    let (sender, finished) = unbounded::<Vec<(u32, RowResult)>>();
    let mut raised = None;
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for engine in engines {
            let sender = sender.clone();
            let search = move || work.search_rows(engine, &sender);
            // If the system has no more threads, the started ones do all the work.
            let thread = thread::Builder::new().stack_size(outflank::search::STACK_BYTES);
            threads.extend(thread.spawn_scoped(scope, search));
        }
        drop(sender);
        if threads.is_empty() {
            raised = Some(EngineError::new_err("no thread to search on"));
        }
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
