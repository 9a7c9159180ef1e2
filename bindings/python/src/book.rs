//! Opening books.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use outflank::Board;
use outflank::book::BookMove;
use outflank::notation::ply_name;
use outflank_book::{Book, BookPlayer, Graph, LineCounts, ManualValue, Tolerance};
use pyo3::prelude::*;

use super::arguments;
use super::errors::OrRaise;
use super::optional;
use super::position::position_of;
use super::result::record_class;
use super::square::ply_names;

record_class! {
    /// Move of an opening book.
    #[derive(Eq, Hash)]
    PyBookMove = "BookMove", of known: &BookMove {
        /// Move, "F5" or "PS".
        r#move: String = ply_name(known.ply);
        /// Score after the move, in discs for the side that makes it.
        score: i32 = known.score;
        /// Depth of the score in plies: book moves from here, then the search that gave the score.
        depth: u32 = known.depth;
        /// Selectivity of that search: the confidence of its cuts, in percent.
        selectivity: u32 = known.selectivity.percent();
    }

    fn __repr__(&self) -> String {
        format!("<outflank.BookMove {} {:+}>", self.r#move, self.score)
    }
}

record_class! {
    /// Numbers of lines of best play from a position of a book. A line ends where it leaves the book.
    #[derive(Eq, Hash)]
    PyLineCounts = "LineCounts", of counts: &LineCounts {
        /// Lines in which both sides make best moves.
        all: u64 = counts.all;
        /// Fewest lines that the mover has to know to keep the value.
        mover: u64 = counts.mover;
        /// Fewest lines that the opponent has to know to keep the value.
        opponent: u64 = counts.opponent;
    }

    fn __repr__(&self) -> String {
        let (all, mover, opponent) = (self.all, self.mover, self.opponent);
        format!("<outflank.LineCounts {all}, mover {mover}, opponent {opponent}>")
    }
}

/// Opening book, open for reading.
#[pyclass(name = "Book", frozen, module = "outflank")]
pub(crate) struct PyBook {
    player: Mutex<BookPlayer>,
    positions: u64,
    /// The whole book with the numbers of lines of its nodes, read when it is first needed.
    graph_with_counts: OnceLock<(Graph, Vec<LineCounts>)>,
}

impl PyBook {
    fn player(&self) -> MutexGuard<'_, BookPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn graph_with_counts(&self) -> PyResult<&(Graph, Vec<LineCounts>)> {
        if self.graph_with_counts.get().is_none() {
            let graph = Graph::read(self.player().book()).or_raise()?;
            let counts = graph.line_counts();
            // Another thread may have read the same book meanwhile.
            let _ = self.graph_with_counts.set((graph, counts));
        }
        Ok(self.graph_with_counts.get().expect("the book is read"))
    }
}

#[pymethods]
impl PyBook {
    /// Opens the book at `path`, by default the built-in book. `choose` picks moves that lose at most `tolerance` discs
    /// against the best one. In one game they lose at most `game_tolerance` discs together, by default twice the
    /// tolerance. Equal seeds make equal choices.
    #[new]
    #[pyo3(signature = (path=None, *, tolerance=0, game_tolerance=None, seed=0))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = optional::path)] path: Option<PathBuf>,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: i32,
        #[pyo3(from_py_with = optional::game_tolerance)] game_tolerance: Option<i32>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<PyBook> {
        let (of_move, of_game) = (tolerance, game_tolerance.unwrap_or(2 * tolerance));
        py.detach(|| {
            let book = match path {
                Some(path) => Book::open(&path),
                None => Book::built_in(),
            };
            let book = book.or_raise()?;
            let positions = book.len().or_raise()?;
            let player = BookPlayer::new(book, Tolerance { of_move, of_game }, seed);
            Ok(PyBook {
                player: Mutex::new(player),
                positions,
                graph_with_counts: OnceLock::new(),
            })
        })
    }

    /// Known moves of a position, the best first. Empty if the book does not know the position.
    fn moves(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Vec<PyBookMove>> {
        let known = py.detach(|| self.player().look_up(position));
        Ok(known.or_raise()?.iter().map(PyBookMove::new).collect())
    }

    /// Chooses a move of a position at random, within the tolerance. `None` if the book does not know the position.
    fn choose(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Option<PyBookMove>> {
        let picked = py.detach(|| self.player().pick(position));
        Ok(picked.or_raise()?.as_ref().map(PyBookMove::new))
    }

    /// Value of a position in discs for the side to move: the one set by hand, or that of its best move. `None` if the
    /// book does not know the position.
    fn value(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Option<i32>> {
        let entry = py.detach(|| self.player().book().entry(position));
        Ok(entry.or_raise()?.map(|entry| entry.value()))
    }

    /// Reason of the value of a position that was set by hand. `None` if there is no such value.
    fn reason(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Option<String>> {
        let entry = py
            .detach(|| self.player().book().entry(position))
            .or_raise()?;
        let manual = entry.as_ref().and_then(|entry| entry.manual_value());
        Ok(manual.map(ManualValue::reason).map(str::to_owned))
    }

    /// Numbers of lines of best play from a position. `None` if the book does not know the position. The first call reads
    /// the whole book, and later calls see no change of it.
    fn line_counts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
    ) -> PyResult<Option<PyLineCounts>> {
        let (graph, counts) = py.detach(|| self.graph_with_counts())?;
        let number = graph.find(position);
        Ok(number.map(|number| PyLineCounts::new(&counts[number as usize])))
    }

    /// Lines of best play from a position, of at most `plies` plies each, the first `limit` of them. Empty if the book does
    /// not know the position, or the game is over. The first call reads the whole book, and later calls see no change of it.
    #[pyo3(signature = (position, *, plies=60, limit=100))]
    fn best_lines(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = position_of)] position: Board,
        #[pyo3(from_py_with = arguments::plies)] plies: usize,
        #[pyo3(from_py_with = arguments::limit)] limit: usize,
    ) -> PyResult<Vec<Vec<String>>> {
        py.detach(|| {
            let (graph, _) = self.graph_with_counts()?;
            let lines = graph.best_lines(position, plies).take(limit);
            let known = lines.filter(|line| !line.is_empty());
            Ok(known.map(|line| ply_names(&line)).collect())
        })
    }

    /// Returns `True` if the book knows the position.
    fn __contains__(&self, py: Python<'_>, position: Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(!self.moves(py, position_of(&position)?)?.is_empty())
    }

    /// Number of positions when the book was opened.
    fn __len__(&self) -> usize {
        self.positions as usize
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Book of {} positions>", self.positions)
    }
}
