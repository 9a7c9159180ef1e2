//! Class `Engine`.

use std::sync::Arc;
use std::time::Duration;

use outflank::analysis::judge;
use outflank::eval::Evaluation;
use outflank::notation::ply_name;
use outflank::{Board, Engine, Isa, Limits, SearchResult, Selectivity, Square, StopHandle, Window};
use outflank_certificate::{Budget, Certifier, CertifyError, claims};
use outflank_verifier::MAGIC;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::answers::{Progress, RowResult, check_rows, search_in_order, solutions};
use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::errors::{OrRaise, ToException};
use super::evaluation::evaluation_of;
use super::game::{PyGame, game_of};
use super::kernels::token;
use super::limits::{RequestedLimits, strength, strength_or_default};
use super::optional;
use super::position::position_of;
use super::result::{PyJudgement, PySearchResult};
use super::skill::PySkillPlayer;
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
        #[pyo3(from_py_with = evaluation_of)] weights: Option<Arc<Evaluation>>,
        isa: OptionalArg<'_>,
    ) -> PyResult<PyEngine> {
        let isa = token(&isa)?.isa();
        let evaluation = weights.unwrap_or_else(Evaluation::embedded);
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
    /// of the game.
    ///
    /// - `level` sets depth and selectivity as Edax does. It excludes `depth` and `selectivity`.
    /// - `depth` is in plies. `selectivity` is the confidence of selective cuts in percent, by default 100: no cuts.
    /// - `time` (seconds) and `nodes` end a search early. Without `level` and `depth` they are its only limits.
    /// - Positions with at most `exact` empty squares are solved instead, without selective cuts. `time` and `nodes`
    ///   still limit the search.
    /// - `window` is a pair of scores; a score outside it is only a bound. `lines` is the number of best moves to
    ///   find. Moves in `without` are excluded, unless there are no others.
    /// - `progress` is called with the result so far after each depth.
    #[pyo3(signature = (
        position, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None,
        lines=1, without=None, progress=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = position_of)] position: Board,
        #[pyo3(from_py_with = optional::level)] level: Option<u32>,
        #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
        #[pyo3(from_py_with = optional::exact)] exact: Option<u32>,
        #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
        #[pyo3(from_py_with = optional::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = optional::window)] window: Option<Window>,
        #[pyo3(from_py_with = arguments::lines)] lines: u32,
        #[pyo3(from_py_with = optional::without)] without: Option<Vec<Square>>,
        #[pyo3(from_py_with = optional::progress)] progress: OptionalArg<'py>,
    ) -> PyResult<PySearchResult> {
        if level.or(depth).is_none() && time.is_none() && nodes.is_none() {
            let message =
                "say how far to search: level, depth, time or nodes; solve() searches to the end";
            return Err(PyValueError::new_err(message));
        }
        let strength = strength(level, depth, selectivity)?;
        let mut requested = RequestedLimits::new(strength, exact, time, nodes, window);
        requested.lines = lines;
        let without = without.into_iter().flatten();
        requested.without = without.fold(0, |all, square| all | square.bit());
        self.search_position(py, position, requested, progress)
    }

    /// Searches a position to the end of the game for its exact score. A score outside `window` is a bound. `time` and
    /// `nodes` may end the search early.
    #[pyo3(signature = (position, *, window=None, time=None, nodes=None, lines=1, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = position_of)] position: Board,
        #[pyo3(from_py_with = optional::window)] window: Option<Window>,
        #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
        #[pyo3(from_py_with = optional::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = arguments::lines)] lines: u32,
        #[pyo3(from_py_with = optional::progress)] progress: OptionalArg<'py>,
    ) -> PyResult<PySearchResult> {
        let mut requested = RequestedLimits::new(None, None, time, nodes, window);
        requested.lines = lines;
        self.search_position(py, position, requested, progress)
    }

    /// Solves a position and returns the bytes of a file that proves its exact score. `verify` and `outflank verify` check
    /// such files. The verifier solves positions with at most `leaf_empties` empty squares, 0 to 14, by itself. Fewer make a
    /// larger file, which is verified faster. Raises `EngineError` if the position is not solved within `time` seconds.
    #[pyo3(signature = (position, *, leaf_empties=12, time=None))]
    fn certify<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = position_of)] position: Board,
        #[pyo3(from_py_with = arguments::leaf_empties)] leaf_empties: u32,
        #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let certify = move |engine: &mut Engine, _: &dyn Fn(())| {
            let result = engine.search(
                position,
                &Limits {
                    time,
                    ..Limits::EXACT
                },
            )?;
            if !result.complete {
                return Err(CertifyError::Stopped);
            }
            let mut file = MAGIC.to_vec();
            let mut certifier = Certifier::new(engine).budget(Budget::LeafEmpties(leaf_empties));
            for claim in claims(position, result.score, result.bound) {
                file.extend(certifier.certify(claim)?.bytes());
            }
            Ok::<_, CertifyError>(file)
        };
        let file = self.worker.run(py, certify, |_, ()| Ok(()))?.or_raise()?;
        Ok(PyBytes::new(py, &file))
    }

    /// Searches the current position of a game, plays the best move, and returns it. Returns `None` if the game is
    /// over. The limits are those of `search`; without any of them the level is 16. A `skill` draws a move instead, for
    /// weaker play; it sets the depth of the search, which `time` and `nodes` may end early.
    #[pyo3(signature = (
        game, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, skill=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn play<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = game_of)] game: Bound<'py, PyGame>,
        #[pyo3(from_py_with = optional::level)] level: Option<u32>,
        #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
        #[pyo3(from_py_with = optional::exact)] exact: Option<u32>,
        #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
        #[pyo3(from_py_with = optional::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = optional::skill)] skill: Option<Bound<'py, PySkillPlayer>>,
    ) -> PyResult<Option<String>> {
        let is_limited = time.is_some() || nodes.is_some();
        let has_depth = level.or(depth).or(exact).is_some() || selectivity.is_some();
        if skill.is_some() && has_depth {
            let message = "a skill sets the depth: leave out level, depth, selectivity and exact";
            return Err(PyValueError::new_err(message));
        }
        let strength = strength_or_default(level, depth, selectivity, is_limited)?;
        let requested = RequestedLimits::new(strength, exact, time, nodes, None);
        let before = game.get().lock().game.clone();
        if before.is_over() {
            return Ok(None);
        }
        let (board, side) = before.position();
        let mut limits = match &skill {
            None => requested.limits(board.empty_count()),
            Some(player) => Limits {
                time,
                nodes,
                ..player.get().lock().limits(board)
            },
        };
        // A search of 0 plies has no best move.
        limits.depth = limits.depth.max(1);
        let search = move |engine: &mut Engine, _: &dyn Fn(())| engine.search(board, &limits);
        let result = self.worker.run(py, search, |_, ()| Ok(()))?.or_raise()?;
        let mut record = game.get().lock();
        if record.game != before {
            let message = "the game was changed while its move was searched for";
            return Err(PyValueError::new_err(message));
        }
        let chosen = match &skill {
            Some(player) if !board.must_pass() => player.get().lock().choose(board, side, &result),
            _ => None,
        };
        let ply = chosen.map_or(result.best(), |chosen| chosen.ply);
        match ply {
            Some(square) => record.game.play(square),
            None => record.game.pass(),
        }
        .or_raise()?;
        Ok(Some(ply_name(ply)))
    }

    /// Judges every move of a game: its loss against the best one. The default is level 16. A `selectivity` needs a `depth`.
    /// `progress` is called with the number of judged moves.
    #[pyo3(signature = (game, *, level=None, depth=None, selectivity=None, progress=None))]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = game_of)] game: Bound<'py, PyGame>,
        #[pyo3(from_py_with = optional::level)] level: Option<u32>,
        #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
        #[pyo3(from_py_with = optional::progress)] progress: OptionalArg<'py>,
    ) -> PyResult<Vec<PyJudgement>> {
        let strength = strength_or_default(level, depth, selectivity, false)?.unwrap_or_default();
        let game = game.get().lock().game.clone();
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
        #[pyo3(from_py_with = optional::level)] level: Option<u32>,
        #[pyo3(from_py_with = optional::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = optional::selectivity)] selectivity: Option<Selectivity>,
        #[pyo3(from_py_with = optional::exact)] exact: Option<u32>,
        #[pyo3(from_py_with = optional::time)] time: Option<Duration>,
        #[pyo3(from_py_with = optional::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = optional::window)] window: Option<Window>,
        #[pyo3(from_py_with = arguments::errors)] errors: &str,
        #[pyo3(from_py_with = optional::progress)] progress: OptionalArg<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = boards.discs().to_vec();
        check_rows(&boards, errors)?;
        let strength = strength(level, depth, selectivity)?;
        let requested = RequestedLimits::new(strength, exact, time, nodes, window);
        let count = boards.len();
        let mut progress = Progress::new(progress, count);
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
        board: Board,
        requested: RequestedLimits,
        progress: OptionalArg<'_>,
    ) -> PyResult<PySearchResult> {
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
