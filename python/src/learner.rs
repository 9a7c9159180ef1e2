//! Opening books that grow by searches that Python carries out, on other machines perhaps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outflank::search::Strength;
use outflank::{Selectivity, Square};
use outflank_book::Writer;
use outflank_book::learn::{Found, Learner, Plan, Search, Work};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{self as argument, Given};
use super::board::Board;
use super::errors::OrRaise;
use super::evaluation::{WeightsArgument, evaluation};
use super::square::ply;

/// A search that a book is to grow by.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct BookSearch {
    /// The position.
    #[pyo3(get)]
    board: Board,
    /// Plies.
    #[pyo3(get)]
    depth: u32,
    /// How certain the search has to be, in percent.
    #[pyo3(get)]
    selectivity: u32,
    /// The moves that are not looked at: they lead to positions of the book.
    #[pyo3(get)]
    without: Vec<String>,
    /// What the learner wants back, until it has it.
    search: Mutex<Option<Search>>,
    /// That of its learner: no other can take the answer.
    identity: Arc<()>,
}

/// The book in memory, and its file.
struct Growing {
    learner: Learner,
    writer: Writer,
}

/// An opening book that grows by searches of the caller: any number at once, answered in any order.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct BookLearner {
    growing: Mutex<Option<Growing>>,
    /// Nothing but an address of its own.
    identity: Arc<()>,
}

impl BookLearner {
    fn lock(&self) -> MutexGuard<'_, Option<Growing>> {
        self.growing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `ask` says of the book, without holding the interpreter.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut Growing) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| match &mut *self.lock() {
            Some(growing) => ask(growing),
            None => Err(PyValueError::new_err("the book is closed")),
        })
    }
}

#[pymethods]
impl BookLearner {
    /// Opens the book at `path`, or makes it. Positions are searched as Edax does at `level`; those with fewer than `empties`
    /// empty squares are not added, and about `positions` at most. `weights` are those of the engines that search.
    #[new]
    #[pyo3(signature = (path, *, level=16, empties=30, positions=None, weights=None))]
    fn new(
        py: Python<'_>,
        path: Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::level)] level: u32,
        #[pyo3(from_py_with = argument::learner_empties)] empties: u32,
        positions: Given<'_>,
        weights: Option<WeightsArgument<'_>>,
    ) -> PyResult<BookLearner> {
        let path = argument::path("path", &path)?;
        let plan = Plan {
            strength: Strength::Level(level),
            min_empties: empties,
            deadline: None,
            positions: argument::optional(&positions, |positions| {
                argument::whole("positions", positions, argument::WORDS)
            })?,
        };
        let errors = evaluation(py, weights)?.errors;
        py.detach(|| {
            let mut writer = Writer::open_or_create(&path).or_raise()?;
            writer.set("level", level.into()).or_raise()?;
            let learner = Learner::new(&writer, &plan, Work::Expand, errors).or_raise()?;
            Ok(BookLearner {
                growing: Mutex::new(Some(Growing { learner, writer })),
                identity: Arc::new(()),
            })
        })
    }

    /// What to search next; `None` where there is nothing, or nothing before others are answered.
    fn next(&self, py: Python<'_>) -> PyResult<Option<BookSearch>> {
        let search = self.with(py, |growing| Ok(growing.learner.next()))?;
        Ok(search.map(|search| BookSearch {
            board: Board(search.board),
            depth: search.limits.depth,
            selectivity: search.limits.selectivity.percent(),
            without: Square::all_in(search.limits.without)
                .map(|square| square.to_string())
                .collect(),
            search: Mutex::new(Some(search)),
            identity: self.identity.clone(),
        }))
    }

    /// Takes the answer to a search of `next`: the best move, what it is worth in discs for who makes it, and the depth and
    /// selectivity (percent) that the search reached.
    fn found(
        &self,
        py: Python<'_>,
        search: Bound<'_, PyAny>,
        r#move: Bound<'_, PyAny>,
        score: Bound<'_, PyAny>,
        depth: Bound<'_, PyAny>,
        selectivity: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ply = ply("move", &r#move)?;
        let search = search
            .cast::<BookSearch>()
            .map_err(|_| argument::unfit("search", "a BookSearch", &search))?;
        let search = search.get();
        let any = i32::MIN.into()..=i32::MAX.into();
        let score: i32 = argument::whole("score", &score, any)?;
        let depth: u32 = argument::whole("depth", &depth, 0..=u32::MAX.into())?;
        let selectivity = argument::whole("selectivity", &selectivity, 0..=u32::MAX.into())?;
        let known = Selectivity::of_percent(selectivity);
        let is_good = (-64..=64).contains(&score) && (1..=60).contains(&depth);
        let Some(selectivity) = known.filter(|_| is_good) else {
            let message =
                format!("no search finds {score} discs by {depth} plies at {selectivity} %");
            return Err(PyValueError::new_err(message));
        };
        let found = Found {
            ply,
            score,
            depth,
            selectivity,
        };
        if !Arc::ptr_eq(&search.identity, &self.identity) {
            return Err(PyValueError::new_err("a search of another learner"));
        }
        self.with(py, |growing| {
            let mut asked = search.search.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(asked) = asked.take() else {
                return Err(PyValueError::new_err("the search was answered before"));
            };
            let taken = growing.learner.found(asked, found);
            taken.map_err(|error| PyValueError::new_err(error.to_string()))
        })
    }

    /// Writes what was found to the file: from then on it is safe.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |Growing { learner, writer }| {
            learner.commit(writer).or_raise()
        })
    }

    /// Commits, and gives the file to others.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let done = match py.detach(|| self.lock().is_some()) {
            true => self.commit(py),
            false => Ok(()),
        };
        py.detach(|| *self.lock() = None);
        done
    }

    /// Positions that were added.
    #[getter]
    fn added(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |growing| Ok(growing.learner.progress().added))
    }

    /// Searches that were answered.
    #[getter]
    fn searches(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |growing| Ok(growing.learner.progress().searches))
    }

    /// What the start of the game is worth for black; `None` as long as it is not known.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Option<i32>> {
        self.with(py, |growing| Ok(growing.learner.progress().start))
    }

    /// The positions of the book.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |growing| Ok(growing.learner.progress().positions))
    }
}

#[pymethods]
impl BookSearch {
    fn __repr__(&self) -> String {
        let BookSearch {
            depth,
            selectivity,
            without,
            ..
        } = self;
        let without = match without.is_empty() {
            true => String::new(),
            false => format!(" without {}", without.join(" ")),
        };
        format!("<outflank.BookSearch {depth} plies at {selectivity} %{without}>")
    }
}
