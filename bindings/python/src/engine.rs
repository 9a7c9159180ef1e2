//! Class `Engine`.

use std::sync::Arc;

use outflank::analysis::judge;
use outflank::eval::Evaluation;
use outflank::notation::ply_name;
use outflank::search::Strength;
use outflank::{Engine, Isa, SearchResult, StopHandle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::answers::{Progress, RowResult, check_rows, search_in_order, solutions};
use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::errors::{OrRaise, ToException};
use super::evaluation::{WeightsArgument, evaluation};
use super::game::GameArgument;
use super::kernels::token;
use super::limits::{DepthArguments, RequestedLimits};
use super::position::PositionArgument;
use super::result::{PyJudgement, PySearchResult};
use super::square::squares_of;
use super::worker::Worker;

/// Engine that searches one position at a time. Other Python threads run meanwhile; Ctrl-C ends a search.
///
/// The hash table keeps the results of earlier searches until `clear`. Searches of several Python threads run one after
/// another.
#[pyclass(name = "Engine", frozen, module = "outflank")]
pub(crate) struct PyEngine {
    worker: Worker,
    /// Instruction-set level of the kernels.
    #[pyo3(get)]
    isa: &'static str,
    /// Number of search threads.
    #[pyo3(get)]
    threads: usize,
    /// Size limit of the hash table, in MiB.
    #[pyo3(get)]
    hash_mib: usize,
}

/// Builds an engine of the library.
pub(crate) fn build_engine(
    threads: usize,
    hash_mib: usize,
    evaluation: Arc<Evaluation>,
    isa: Isa,
    stop: &StopHandle,
) -> PyResult<Engine> {
    let builder = Engine::builder().threads(threads).hash_mib(hash_mib);
    let builder = builder
        .isa(isa)
        .evaluation(evaluation)
        .stop_handle(stop.clone());
    builder.build().or_raise()
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, threads=1, hash_mib=256, weights=None, isa=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        #[pyo3(from_py_with = arguments::hash_mib)] hash_mib: usize,
        weights: Option<WeightsArgument<'_>>,
        isa: OptionalArg<'_>,
    ) -> PyResult<PyEngine> {
        let isa = token(&isa)?.isa();
        let evaluation = evaluation(py, weights)?;
        let engine =
            py.detach(|| build_engine(threads, hash_mib, evaluation, isa, &StopHandle::default()))?;
        Ok(PyEngine {
            worker: Worker::new(engine)?,
            isa: isa.name(),
            threads,
            hash_mib,
        })
    }

    /// Searches a position within at least one limit: `level`, `depth`, `time` or `nodes`. `solve` searches to the end
    /// of the game. Moves in `without` are excluded, unless there are no others.
    #[pyo3(signature = (
        position, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None,
        lines=1, without=None, progress=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        position: PositionArgument,
        level: OptionalArg<'py>,
        depth: OptionalArg<'py>,
        selectivity: OptionalArg<'py>,
        exact: OptionalArg<'py>,
        time: OptionalArg<'py>,
        nodes: OptionalArg<'py>,
        window: OptionalArg<'py>,
        #[pyo3(from_py_with = arguments::lines)] lines: u32,
        without: OptionalArg<'py>,
        progress: OptionalArg<'py>,
    ) -> PyResult<PySearchResult> {
        let depth = DepthArguments::new(level, depth, selectivity, exact);
        let mut requested = depth.limits(&time, &nodes, &window)?;
        requested.lines = lines;
        let without = arguments::optional(&without, |squares| squares_of("without", squares))?;
        let without = without.into_iter().flatten();
        requested.without = without.fold(0, |all, square| all | square.bit());
        if !requested.is_limited() {
            let message =
                "say how far to search: level, depth, time or nodes; solve() searches to the end";
            return Err(PyValueError::new_err(message));
        }
        self.search_position(py, &position, requested, progress)
    }

    /// Searches a position to the end of the game for its exact score. A score outside `window` is a bound. `time` and
    /// `nodes` may end the search early.
    #[pyo3(signature = (position, *, window=None, time=None, nodes=None, lines=1, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: PositionArgument,
        window: OptionalArg<'py>,
        time: OptionalArg<'py>,
        nodes: OptionalArg<'py>,
        #[pyo3(from_py_with = arguments::lines)] lines: u32,
        progress: OptionalArg<'py>,
    ) -> PyResult<PySearchResult> {
        let mut requested = DepthArguments::default().limits(&time, &nodes, &window)?;
        requested.lines = lines;
        self.search_position(py, &position, requested, progress)
    }

    /// Searches the current position of a game, plays the best move, and returns it. Returns `None` if the game is
    /// over. The default is level 16.
    #[pyo3(signature = (game, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn play<'py>(
        &self,
        py: Python<'py>,
        game: GameArgument<'py>,
        level: OptionalArg<'py>,
        depth: OptionalArg<'py>,
        selectivity: OptionalArg<'py>,
        exact: OptionalArg<'py>,
        time: OptionalArg<'py>,
        nodes: OptionalArg<'py>,
    ) -> PyResult<Option<String>> {
        let depth = DepthArguments::new(level, depth, selectivity, exact);
        let mut requested = depth.limits(&time, &nodes, &None)?;
        if !requested.is_limited() {
            requested.strength = Some(Strength::default());
        }
        let before = game.record().game.clone();
        if before.is_over() {
            return Ok(None);
        }
        let board = before.board();
        let mut limits = requested.limits(board.empty_count());
        // A search of 0 plies has no best move.
        limits.depth = limits.depth.max(1);
        let search = move |engine: &mut Engine, _: &dyn Fn(())| engine.search(board, &limits);
        let result = self.worker.run(py, search, |_, ()| Ok(()))?.or_raise()?;
        let mut record = game.0.get().lock();
        if record.game != before {
            let message = "the game was changed while its move was searched for";
            return Err(PyValueError::new_err(message));
        }
        let ply = result.best();
        match ply {
            Some(square) => record.game.play(square),
            None => record.game.pass(),
        }
        .or_raise()?;
        Ok(Some(ply_name(ply)))
    }

    /// Judges every move of a game: its loss against the best one. The default is level 16. `progress` is called with the
    /// number of judged moves.
    #[pyo3(signature = (game, *, level=None, depth=None, selectivity=None, progress=None))]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        game: GameArgument<'py>,
        level: OptionalArg<'py>,
        depth: OptionalArg<'py>,
        selectivity: OptionalArg<'py>,
        progress: OptionalArg<'py>,
    ) -> PyResult<Vec<PyJudgement>> {
        let depth = DepthArguments::new(level, depth, selectivity, None);
        let strength = depth.strength()?.unwrap_or_default();
        let game = game.record().game.clone();
        arguments::callable("progress", &progress)?;
        let judge = move |engine: &mut Engine, report: &dyn Fn(usize)| {
            let mut judged = 0;
            judge(engine, &game, strength, |_| {
                judged += 1;
                report(judged);
            })
        };
        let judged = self.worker.run(py, judge, |_, judged| match &progress {
            Some(progress) => progress.call1((judged,)).map(drop),
            None => Ok(()),
        })?;
        let judged = judged.or_raise()?;
        let judged = judged.ok_or_else(|| outflank::SearchError::Stopped.exception())?;
        Ok(judged.iter().map(PyJudgement::new).collect())
    }

    /// Searches boards one after another and returns `Solutions`. The default is an exact search. Results of earlier
    /// boards speed up later ones. The arguments have the same meaning as in `outflank.solve_many`.
    #[pyo3(signature = (
        boards, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None,
        errors="raise", progress=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        boards: Boards<'py>,
        level: OptionalArg<'py>,
        depth: OptionalArg<'py>,
        selectivity: OptionalArg<'py>,
        exact: OptionalArg<'py>,
        time: OptionalArg<'py>,
        nodes: OptionalArg<'py>,
        window: OptionalArg<'py>,
        #[pyo3(from_py_with = arguments::errors)] errors: &str,
        progress: OptionalArg<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = boards.discs().to_vec();
        check_rows(&boards, errors)?;
        let depth = DepthArguments::new(level, depth, selectivity, exact);
        let requested = depth.limits(&time, &nodes, &window)?;
        let count = boards.len();
        let mut progress = Progress::new(&progress, count)?;
        let mut rows = Vec::with_capacity(count);
        let search = move |engine: &mut Engine, report: &dyn Fn(Vec<RowResult>)| {
            search_in_order(engine, &boards, &requested, report);
        };
        self.worker.run(py, search, |_, finished| {
            progress.add(&finished);
            rows.extend(finished);
            if !progress.report()? {
                self.worker.stop();
            }
            Ok(())
        })?;
        rows.resize(count, RowResult::NOT_SEARCHED);
        solutions(py, &rows)
    }

    /// Ends the search of another Python thread, which returns its result so far.
    fn stop(&self) {
        self.worker.stop();
    }

    /// Clears the hash table, so that the next search counts the same nodes as that of a new engine.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let clear = |engine: &mut Engine, _: &dyn Fn(())| engine.clear();
        self.worker.run(py, clear, |_, ()| Ok(()))
    }

    fn __repr__(&self) -> String {
        let PyEngine {
            isa,
            threads,
            hash_mib,
            ..
        } = self;
        format!("<outflank.Engine {isa}, threads={threads}, hash_mib={hash_mib}>")
    }
}

impl PyEngine {
    /// Searches, and calls `progress` with each intermediate result.
    fn search_position(
        &self,
        py: Python<'_>,
        position: &PositionArgument,
        requested: RequestedLimits,
        progress: OptionalArg<'_>,
    ) -> PyResult<PySearchResult> {
        arguments::callable("progress", &progress)?;
        let board = position.0;
        let empties = board.empty_count();
        let limits = requested.limits(empties);
        let reports = progress.is_some();
        let search = move |engine: &mut Engine, report: &dyn Fn(SearchResult)| {
            engine.search_and_report(board, &limits, |so_far| {
                if reports {
                    report(so_far.clone());
                }
            })
        };
        let result = self.worker.run(py, search, |_, so_far| match &progress {
            Some(progress) => progress
                .call1((PySearchResult::new(&so_far, empties),))
                .map(drop),
            None => Ok(()),
        })?;
        Ok(PySearchResult::new(&result.or_raise()?, empties))
    }
}
