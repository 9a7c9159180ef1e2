//! Many positions at once, on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{RecvTimeoutError, unbounded};
use outflank::batch::Discs;
use outflank::{Engine, StopHandle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::answers::{Answer, Progress, check_rows, solutions};
use super::arguments::{self as argument, Given};
use super::arrays::Boards;
use super::engine::searcher;
use super::errors::EngineError;
use super::evaluation::{WeightsArgument, evaluation};
use super::kernels::token;
use super::limits::{Depth, Effort};
use super::worker::{POLL, STACK, fault};

/// Rows that threads take, the ones with the most empty squares first: they take the longest, and none of them shall
/// be begun last.
struct Rows {
    order: Vec<u32>,
    next: AtomicUsize,
}

impl Rows {
    fn new(boards: &[Discs]) -> Rows {
        let mut order: Vec<u32> = (0..boards.len() as u32).collect();
        order.sort_by_key(|&row| empties(boards[row as usize]));
        order.reverse();
        Rows {
            order,
            next: AtomicUsize::new(0),
        }
    }

    /// The next rows: one that takes long, or several that together take some milliseconds.
    fn take(&self, boards: &[Discs]) -> Option<&[u32]> {
        let begin = self.next.load(Relaxed);
        let first = *self.order.get(begin)?;
        // Which rows another thread takes meanwhile changes little.
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

/// What the threads of `solve_many` share.
struct Work<'a> {
    boards: &'a [Discs],
    rows: Rows,
    effort: Effort,
    keep_tables: bool,
    stop: StopHandle,
}

impl Work<'_> {
    /// Takes rows and hands over their answers, until there are no more.
    fn carry_out(&self, engine: &mut Engine, tell: impl Fn(Vec<(u32, Answer)>)) {
        while let Some(rows) = self.rows.take(self.boards) {
            let mut answers = Vec::with_capacity(rows.len());
            for &row in rows {
                if self.stop.is_stopped() {
                    break;
                }
                if !self.keep_tables {
                    // The node count of a row must not depend on others.
                    engine.clear();
                }
                answers.push((
                    row,
                    Answer::find(engine, self.boards[row as usize], &self.effort),
                ));
            }
            tell(answers);
            if self.stop.is_stopped() {
                return;
            }
        }
    }
}

/// Solves many positions on all cores, exactly where no level or depth is given; answers come in the order of
/// the rows, as `Solutions`.
///
/// `threads` positions are searched at once, each on one thread with its part of a table of `hash_mib` MiB, which is
/// cleared for each position unless `keep_tables` is set. With `exact`, positions with no more empty squares are solved
/// and the others searched. A row that is no position is raised, or with `errors="mark"` marked. `progress(done, all,
/// nodes)` is called ten times a second; where it returns `False` no more is searched.
#[pyfunction]
#[pyo3(signature = (
    boards, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None, threads=None,
    hash_mib=256, weights=None, isa=None, keep_tables=false, errors="raise", progress=None
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    level: Given<'py>,
    depth: Given<'py>,
    selectivity: Given<'py>,
    exact: Given<'py>,
    time: Given<'py>,
    nodes: Given<'py>,
    window: Given<'py>,
    threads: Given<'py>,
    #[pyo3(from_py_with = argument::hash_mib)] hash_mib: usize,
    weights: Option<WeightsArgument<'py>>,
    isa: Given<'py>,
    #[pyo3(from_py_with = argument::keep_tables)] keep_tables: bool,
    #[pyo3(from_py_with = argument::errors)] errors: &str,
    progress: Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let boards = boards.discs();
    if u32::try_from(boards.len()).is_err() {
        return Err(PyValueError::new_err(
            "more than 4,294,967,295 rows: solve them in parts",
        ));
    }
    check_rows(boards, errors)?;
    let effort = Effort::new(&Depth {
        level,
        depth,
        selectivity,
        exact,
    })?;
    let effort = effort.within(&time, &nodes)?.window(&window)?;
    let isa = token(&isa)?.isa();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = argument::optional(&threads, argument::threads)?.unwrap_or_else(cores);
    let threads = threads.min(boards.len()).max(1);
    let evaluation = evaluation(py, weights)?;
    let hash_mib = (hash_mib / threads).max(1);
    let work = Work {
        boards,
        rows: Rows::new(boards),
        effort,
        keep_tables,
        stop: StopHandle::default(),
    };
    let engines = (0..threads)
        .map(|_| searcher(1, hash_mib, evaluation.clone(), isa, &work.stop).map(Mutex::new))
        .collect::<PyResult<Vec<_>>>()?;
    let mut progress = Progress::new(&progress, boards.len())?;
    let answers = carry_out(py, &work, &engines, &mut progress)?;
    solutions(py, answers)
}

/// Carries out the work, one thread an engine, while this one looks for signals and tells the progress.
fn carry_out(
    py: Python<'_>,
    work: &Work<'_>,
    engines: &[Mutex<Engine>],
    progress: &mut Progress<'_, '_>,
) -> PyResult<Vec<Answer>> {
    let mut answers = vec![Answer::NONE; work.boards.len()];
    let (sender, found) = unbounded::<Vec<(u32, Answer)>>();
    let mut raised = None;
    thread::scope(|scope| {
        let mut begun = Vec::new();
        for engine in engines {
            let sender = sender.clone();
            let search = move || {
                let mut engine = engine.lock().expect("each thread has its own");
                work.carry_out(&mut engine, |answers| drop(sender.send(answers)));
            };
            // Where the system has no more threads, those that there are search.
            let thread = thread::Builder::new().stack_size(STACK);
            begun.extend(thread.spawn_scoped(scope, search));
        }
        drop(sender);
        if begun.is_empty() {
            raised = Some(EngineError::new_err("no thread to search on"));
        }
        let mut polled = Instant::now();
        loop {
            match py.detach(|| found.recv_timeout(POLL)) {
                Ok(rows) => {
                    for (row, answer) in rows {
                        progress.add(&[answer]);
                        answers[row as usize] = answer;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if polled.elapsed() < POLL && !progress.is_done() {
                continue;
            }
            polled = Instant::now();
            match py.check_signals().and_then(|()| progress.tell()) {
                Ok(true) => {}
                Ok(false) => work.stop.stop(),
                Err(error) => {
                    work.stop.stop();
                    raised = raised.take().or(Some(error));
                }
            }
        }
        for thread in begun {
            if thread.join().is_err() {
                raised = raised.take().or_else(|| Some(fault()));
            }
        }
    });
    raised.map_or(Ok(answers), Err)
}
