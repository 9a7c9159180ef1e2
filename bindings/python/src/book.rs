//! Opening books.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outflank::Board;
use outflank::book::BookMove;
use outflank::notation::ply_name;
use outflank_book::{Book, BookPlayer, Tolerance};
use pyo3::prelude::*;

use super::arguments;
use super::errors::OrRaise;
use super::optional;
use super::position::position_of;
use super::result::record_class;

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

/// Opening book, open for reading.
#[pyclass(name = "Book", frozen, module = "outflank")]
pub(crate) struct PyBook {
    player: Mutex<BookPlayer>,
    positions: u64,
}

impl PyBook {
    fn player(&self) -> MutexGuard<'_, BookPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
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
