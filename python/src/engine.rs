//! The engine.

use std::sync::Arc;

use outflank::analysis::judge;
use outflank::eval::Evaluation;
use outflank::notation::ply_name;
use outflank::search::Strength;
use outflank::{Engine as Searcher, Isa, SearchResult as Searched, StopHandle};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::answers::{Answer, Progress, check_rows, one_by_one, solutions};
use super::arguments::{self as argument, Given};
use super::arrays::Boards;
use super::board::Position;
use super::errors::{OrRaise, ToException};
use super::evaluation::{WeightsArgument, evaluation};
use super::game::GameArgument;
use super::kernels::token;
use super::limits::{Depth, Effort};
use super::result::{Judgement, SearchResult};
use super::square::squares_of;
use super::worker::Worker;

/// Searches positions, one at a time. Other threads of Python run meanwhile; Ctrl-C ends a search.
///
/// The hash table keeps what earlier searches found: `clear` forgets it. Searches that several threads of
/// Python ask for are carried out one after another.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct Engine {
    worker: Worker,
    /// The instruction-set level that the kernels run at.
    #[pyo3(get)]
    isa: &'static str,
    /// Threads that search.
    #[pyo3(get)]
    threads: usize,
    /// The most memory of the hash table, in MiB.
    #[pyo3(get)]
    hash_mib: usize,
}

/// An engine as keyword arguments describe it.
pub(crate) fn searcher(
    threads: usize,
    hash_mib: usize,
    evaluation: Arc<Evaluation>,
    isa: Isa,
    stop: &StopHandle,
) -> PyResult<Searcher> {
    let builder = Searcher::builder().threads(threads).hash_mib(hash_mib);
    let builder = builder
        .isa(isa)
        .evaluation(evaluation)
        .stop_handle(stop.clone());
    builder.build().or_raise()
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads=1, hash_mib=256, weights=None, isa=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = argument::threads)] threads: usize,
        #[pyo3(from_py_with = argument::hash_mib)] hash_mib: usize,
        weights: Option<WeightsArgument<'_>>,
        isa: Given<'_>,
    ) -> PyResult<Engine> {
        let isa = token(&isa)?.isa();
        let evaluation = evaluation(py, weights)?;
        let engine =
            py.detach(|| searcher(threads, hash_mib, evaluation, isa, &StopHandle::default()))?;
        Ok(Engine {
            worker: Worker::new(engine)?,
            isa: isa.name(),
            threads,
            hash_mib,
        })
    }

    /// Searches a position as far as `level`, `depth`, `time` or `nodes` say, one of which is needed; `solve` goes
    /// to the end of the game. Moves of `without` are not looked at.
    #[pyo3(signature = (
        position, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None,
        lines=1, without=None, progress=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        position: Position,
        level: Given<'py>,
        depth: Given<'py>,
        selectivity: Given<'py>,
        exact: Given<'py>,
        time: Given<'py>,
        nodes: Given<'py>,
        window: Given<'py>,
        #[pyo3(from_py_with = argument::lines)] lines: u32,
        without: Given<'py>,
        progress: Given<'py>,
    ) -> PyResult<SearchResult> {
        let depth = Depth {
            level,
            depth,
            selectivity,
            exact,
        };
        let mut effort = Effort::new(&depth)?
            .within(&time, &nodes)?
            .window(&window)?;
        effort.lines = lines;
        let without = argument::optional(&without, |squares| squares_of("without", squares))?;
        let without = without.into_iter().flatten();
        effort.without = without.fold(0, |all, square| all | square.bit());
        let has_limit =
            effort.strength.is_some() || effort.time.is_some() || effort.nodes.is_some();
        if !has_limit {
            let message =
                "say how far to search: level, depth, time or nodes; solve() searches to the end";
            return Err(PyValueError::new_err(message));
        }
        self.find(py, &position, effort, progress)
    }

    /// The exact score of a position, or where a window is given, which side of it the score lies on.
    /// `time` and `nodes` end the search earlier.
    #[pyo3(signature = (position, *, window=None, time=None, nodes=None, lines=1, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: Position,
        window: Given<'py>,
        time: Given<'py>,
        nodes: Given<'py>,
        #[pyo3(from_py_with = argument::lines)] lines: u32,
        progress: Given<'py>,
    ) -> PyResult<SearchResult> {
        let mut effort = Effort::new(&Depth::default())?;
        effort = effort.within(&time, &nodes)?.window(&window)?;
        effort.lines = lines;
        self.find(py, &position, effort, progress)
    }

    /// Searches the position of a game, plays the best move on it, and returns the move. Level 16 where no limit is
    /// given. `None` where the game is over.
    #[pyo3(signature = (game, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn play<'py>(
        &self,
        py: Python<'py>,
        game: GameArgument<'py>,
        level: Given<'py>,
        depth: Given<'py>,
        selectivity: Given<'py>,
        exact: Given<'py>,
        time: Given<'py>,
        nodes: Given<'py>,
    ) -> PyResult<Option<String>> {
        let depth = Depth {
            level,
            depth,
            selectivity,
            exact,
        };
        let mut effort = Effort::new(&depth)?.within(&time, &nodes)?;
        if effort.strength.is_none() && effort.time.is_none() && effort.nodes.is_none() {
            effort.strength = Some(Strength::default());
        }
        let before = game.record().game.clone();
        if before.is_over() {
            return Ok(None);
        }
        let board = before.board();
        let mut limits = effort.limits(board.empty_count());
        // A move is needed, and 0 plies find none.
        limits.depth = limits.depth.max(1);
        let search = move |engine: &mut Searcher, _: &dyn Fn(())| engine.search(board, &limits);
        let found = self.worker.run(py, search, |_, ()| Ok(()))?.or_raise()?;
        let mut record = game.0.get().lock();
        if record.game != before {
            let message = "the game was changed while its move was searched for";
            return Err(PyValueError::new_err(message));
        }
        let ply = found.best();
        match ply {
            Some(square) => record.game.play(square),
            None => record.game.pass(),
        }
        .or_raise()?;
        Ok(Some(ply_name(ply)))
    }

    /// Judges every move of a game: what it cost against the best one. Level 16 where nothing else is asked for.
    /// `progress` is called with the number of judged moves.
    #[pyo3(signature = (game, *, level=None, depth=None, selectivity=None, progress=None))]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        game: GameArgument<'py>,
        level: Given<'py>,
        depth: Given<'py>,
        selectivity: Given<'py>,
        progress: Given<'py>,
    ) -> PyResult<Vec<Judgement>> {
        let depth = Depth {
            level,
            depth,
            selectivity,
            exact: None,
        };
        let strength = depth.strength()?.unwrap_or_default();
        let game = game.record().game.clone();
        argument::function("progress", &progress)?;
        let judge = move |engine: &mut Searcher, tell: &dyn Fn(usize)| {
            let mut judged = 0;
            judge(engine, &game, strength, |_| {
                judged += 1;
                tell(judged);
            })
        };
        let judged = self.worker.run(py, judge, |_, judged| match &progress {
            Some(progress) => progress.call1((judged,)).map(drop),
            None => Ok(()),
        })?;
        let judged = judged.or_raise()?;
        let judged = judged.ok_or_else(|| outflank::SearchError::Stopped.exception())?;
        Ok(judged.iter().map(Judgement::new).collect())
    }

    /// Searches boards one after another, exactly where no level or depth is given, and returns `Solutions`. What the
    /// engine found for earlier boards helps with later ones. The rest is as with `outflank.solve_many`.
    #[pyo3(signature = (
        boards, *, level=None, depth=None, selectivity=None, exact=None, time=None, nodes=None, window=None,
        errors="raise", progress=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        boards: Boards<'py>,
        level: Given<'py>,
        depth: Given<'py>,
        selectivity: Given<'py>,
        exact: Given<'py>,
        time: Given<'py>,
        nodes: Given<'py>,
        window: Given<'py>,
        #[pyo3(from_py_with = argument::errors)] errors: &str,
        progress: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = boards.discs().to_vec();
        check_rows(&boards, errors)?;
        let depth = Depth {
            level,
            depth,
            selectivity,
            exact,
        };
        let effort = Effort::new(&depth)?
            .within(&time, &nodes)?
            .window(&window)?;
        let count = boards.len();
        let mut progress = Progress::new(&progress, count)?;
        let mut answers = Vec::with_capacity(count);
        let search = move |engine: &mut Searcher, tell: &dyn Fn(Vec<Answer>)| {
            one_by_one(engine, &boards, &effort, tell);
        };
        self.worker.run(py, search, |_, found| {
            progress.add(&found);
            answers.extend(found);
            if !progress.tell()? {
                self.worker.stop();
            }
            Ok(())
        })?;
        answers.resize(count, Answer::NONE);
        solutions(py, answers)
    }

    /// Ends the search that another thread of Python has begun, which returns what it has found.
    fn stop(&self) {
        self.worker.stop();
    }

    /// Forgets all earlier results, so that the next search counts the same nodes as a new engine's.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let clear = |engine: &mut Searcher, _: &dyn Fn(())| engine.clear();
        self.worker.run(py, clear, |_, ()| Ok(()))
    }

    fn __repr__(&self) -> String {
        let Engine {
            isa,
            threads,
            hash_mib,
            ..
        } = self;
        format!("<outflank.Engine {isa}, threads={threads}, hash_mib={hash_mib}>")
    }
}

impl Engine {
    fn find(
        &self,
        py: Python<'_>,
        position: &Position,
        effort: Effort,
        progress: Given<'_>,
    ) -> PyResult<SearchResult> {
        argument::function("progress", &progress)?;
        let board = position.0;
        let empties = board.empty_count();
        let limits = effort.limits(empties);
        let tells = progress.is_some();
        let search = move |engine: &mut Searcher, tell: &dyn Fn(Searched)| {
            engine.search_and_report(board, &limits, |so_far| {
                if tells {
                    tell(so_far.clone());
                }
            })
        };
        let found = self.worker.run(py, search, |_, so_far| match &progress {
            Some(progress) => progress
                .call1((SearchResult::new(&so_far, empties),))
                .map(drop),
            None => Ok(()),
        })?;
        Ok(SearchResult::new(&found.or_raise()?, empties))
    }
}
