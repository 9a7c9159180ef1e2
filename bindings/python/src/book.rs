//! Opening books.

use std::sync::{Mutex, MutexGuard, PoisonError};

use outflank::book::BookMove;
use outflank::notation::ply_name;
use outflank_book::{Book, BookPlayer, Tolerance};
use pyo3::prelude::*;

use super::arguments::{self, OptionalArg};
use super::errors::OrRaise;
use super::position::PositionArgument;
use super::result::pickled_methods;

/// Move of an opening book.
#[pyclass(name = "BookMove", frozen, eq, hash, get_all, module = "outflank")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyBookMove {
    /// Move, "F5" or "PS".
    r#move: String,
    /// Score after the move, in discs for the side that makes it.
    score: i32,
    /// Depth of the score in plies: book moves from here, then the search that gave the score.
    depth: u32,
    /// Selectivity of that search: the confidence of its cuts, in percent.
    selectivity: u32,
}

impl PyBookMove {
    fn new(known: &BookMove) -> PyBookMove {
        PyBookMove {
            r#move: ply_name(known.ply),
            score: known.score,
            depth: known.depth,
            selectivity: known.selectivity.percent(),
        }
    }
}

pickled_methods! {
    PyBookMove { r#move: String, score: i32, depth: u32, selectivity: u32 }

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
        path: OptionalArg<'_>,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: i32,
        game_tolerance: OptionalArg<'_>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<PyBook> {
        let path = arguments::optional(&path, |path| arguments::path("path", path))?;
        let of_game = arguments::optional(&game_tolerance, |discs| {
            arguments::integer("game_tolerance", discs, 0..=128)
        })?;
        let (of_move, of_game) = (tolerance, of_game.unwrap_or(2 * tolerance));
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
    fn moves(&self, py: Python<'_>, position: PositionArgument) -> PyResult<Vec<PyBookMove>> {
        let known = py.detach(|| self.player().look_up(position.0));
        Ok(known.or_raise()?.iter().map(PyBookMove::new).collect())
    }

    /// Chooses a move of a position at random, within the tolerance. `None` if the book does not know the position.
    fn choose(&self, py: Python<'_>, position: PositionArgument) -> PyResult<Option<PyBookMove>> {
        let picked = py.detach(|| self.player().pick(position.0));
        Ok(picked.or_raise()?.as_ref().map(PyBookMove::new))
    }

    /// Returns `True` if the book knows the position.
    fn __contains__(&self, py: Python<'_>, position: PositionArgument) -> PyResult<bool> {
        Ok(!self.moves(py, position)?.is_empty())
    }

    /// Number of positions when the book was opened.
    fn __len__(&self) -> usize {
        self.positions as usize
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Book of {} positions>", self.positions)
    }
}
