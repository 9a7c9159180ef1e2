//! Growth of opening books. The caller in Python runs the searches, possibly on other machines.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outflank::eval::Evaluation;
use outflank::search::Strength;
use outflank::{Board, Selectivity, Square};
use outflank_book::learn::{Learner, Plan, SearchAnswer, SearchRequest, Work};
use outflank_book::{ManualValue, Writer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments;
use super::board::PyBoard;
use super::errors::OrRaise;
use super::evaluation::evaluation_of;
use super::optional;
use super::position::position_of;
use super::square::ply;

/// Search that a `BookLearner` requests for its book.
#[pyclass(name = "BookSearch", frozen, module = "outflank")]
pub(crate) struct PyBookSearch {
    /// Position to search.
    #[pyo3(get)]
    board: PyBoard,
    /// Depth of the search, in plies.
    #[pyo3(get)]
    depth: u32,
    /// Selectivity of the search: the confidence of its cuts, in percent.
    #[pyo3(get)]
    selectivity: u32,
    /// Excluded moves: they lead to positions of the book.
    #[pyo3(get)]
    without: Vec<String>,
    /// Request of the learner; `None` after the answer.
    search: Mutex<Option<SearchRequest>>,
    /// Identity of the learner that requested the search.
    identity: Arc<()>,
}

/// Book in memory, and its file.
struct OpenBook {
    learner: Learner,
    writer: Writer,
}

/// Opening book that grows by searches of the caller. Any number of searches may be open, and they may be answered in
/// any order.
#[pyclass(name = "BookLearner", frozen, module = "outflank")]
pub(crate) struct PyBookLearner {
    book: Mutex<Option<OpenBook>>,
    /// Its address is unique to this learner.
    identity: Arc<()>,
}

impl PyBookLearner {
    fn lock(&self) -> MutexGuard<'_, Option<OpenBook>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `action` with the open book, and leaves the interpreter to other threads. A closed book is an error.
    fn with_book<T: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut OpenBook) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| match &mut *self.lock() {
            Some(book) => action(book),
            None => Err(PyValueError::new_err("the book is closed")),
        })
    }
}

#[pymethods]
impl PyBookLearner {
    /// Opens the book at `path`, or makes a new one. Positions are searched at `level` of Edax. At most about
    /// `positions` positions are added, none with fewer than `empties` empty squares. `weights` are those of the
    /// engines that search.
    #[new]
    #[pyo3(signature = (path, *, level=16, empties=30, positions=None, weights=None))]
    fn new(
        py: Python<'_>,
        path: Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::level)] level: u32,
        #[pyo3(from_py_with = arguments::learner_empties)] empties: u32,
        #[pyo3(from_py_with = optional::positions)] positions: Option<usize>,
        #[pyo3(from_py_with = evaluation_of)] weights: Option<Arc<Evaluation>>,
    ) -> PyResult<PyBookLearner> {
        let path = arguments::path("path", &path)?;
        let plan = Plan {
            strength: Strength::Level(level),
            min_empties: empties,
            deadline: None,
            positions,
        };
        let errors = weights.unwrap_or_else(Evaluation::embedded).errors;
        py.detach(|| {
            let mut writer = Writer::open_or_create(&path).or_raise()?;
            writer.set("level", level.into()).or_raise()?;
            let learner = Learner::new(&writer, &plan, Work::Expand, errors).or_raise()?;
            Ok(PyBookLearner {
                book: Mutex::new(Some(OpenBook { learner, writer })),
                identity: Arc::new(()),
            })
        })
    }

    /// Next search; `None` if the book is complete, or needs results of earlier searches first.
    fn next(&self, py: Python<'_>) -> PyResult<Option<PyBookSearch>> {
        let search = self.with_book(py, |book| Ok(book.learner.next()))?;
        Ok(search.map(|search| PyBookSearch {
            board: PyBoard(search.board),
            depth: search.limits.depth,
            selectivity: search.limits.selectivity.percent(),
            without: Square::all_in(search.limits.without)
                .map(|square| square.to_string())
                .collect(),
            search: Mutex::new(Some(search)),
            identity: self.identity.clone(),
        }))
    }

    /// Adds the result of a search that `next` returned. `score` is in discs for the side that makes `move`, the best
    /// move. `depth` (plies) and `selectivity` (percent) are those that the search reached.
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
        let search = arguments::instance::<PyBookSearch>("search", &search)?.get();
        let range = i32::MIN.into()..=i32::MAX.into();
        let score: i32 = arguments::integer("score", &score, range)?;
        let depth: u32 = arguments::integer("depth", &depth, 0..=u32::MAX.into())?;
        let selectivity = arguments::integer("selectivity", &selectivity, 0..=u32::MAX.into())?;
        let known = Selectivity::of_percent(selectivity);
        let is_possible = (-64..=64).contains(&score) && (1..=60).contains(&depth);
        let Some(selectivity) = known.filter(|_| is_possible) else {
            let message =
                format!("no search finds {score} discs by {depth} plies at {selectivity} %");
            return Err(PyValueError::new_err(message));
        };
        let result = SearchAnswer {
            ply,
            score,
            depth,
            selectivity,
        };
        if !Arc::ptr_eq(&search.identity, &self.identity) {
            return Err(PyValueError::new_err("a search of another learner"));
        }
        self.with_book(py, |book| {
            let mut search = search.search.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(search) = search.take() else {
                return Err(PyValueError::new_err("the search was answered before"));
            };
            let added = book.learner.answer(search, result);
            added.map_err(|error| PyValueError::new_err(error.to_string()))
        })
    }

    /// Sets the value of a position by hand, in discs for the side to move, with a reason of one line. `None` removes such a
    /// value. Returns `False` if the book does not know the position.
    #[pyo3(signature = (position, value, reason=""))]
    fn set_value(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
        #[pyo3(from_py_with = optional::value)] value: Option<i32>,
        #[pyo3(from_py_with = arguments::reason)] reason: &str,
    ) -> PyResult<bool> {
        let manual = value
            .map(|value| ManualValue::new(value, reason))
            .transpose();
        let manual = manual.map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.with_book(py, |book| {
            Ok(book.learner.set_manual_value(position, manual))
        })
    }

    /// Writes all results to the file. They are safe from then on.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        self.with_book(py, |OpenBook { learner, writer }| {
            learner.commit(writer).or_raise()
        })
    }

    /// Links all moves to positions of the book, commits, and unlocks the file. Returns the score of the start of the game,
    /// which a link can change; `None` if it is unknown or the book was closed before.
    fn close(&self, py: Python<'_>) -> PyResult<Option<i32>> {
        py.detach(|| {
            let book = self.lock().take();
            let Some(OpenBook {
                learner,
                mut writer,
            }) = book
            else {
                return Ok(None);
            };
            Ok(learner.finish(&mut writer).or_raise()?.start)
        })
    }

    /// Number of added positions.
    #[getter]
    fn added(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_book(py, |book| Ok(book.learner.progress().added))
    }

    /// Number of answered searches.
    #[getter]
    fn searches(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_book(py, |book| Ok(book.learner.progress().searches))
    }

    /// Score of the start of the game in discs for black; `None` until it is known.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Option<i32>> {
        self.with_book(py, |book| Ok(book.learner.progress().start))
    }

    /// Number of positions of the book.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_book(py, |book| Ok(book.learner.progress().positions))
    }
}

#[pymethods]
impl PyBookSearch {
    fn __repr__(&self) -> String {
        let PyBookSearch {
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
