//! Opening books.

use std::sync::{Mutex, MutexGuard, PoisonError};

use outflank::book::BookMove as Known;
use outflank::notation::ply_name;
use outflank_book::{Book as File, BookPlayer, Tolerance};
use pyo3::prelude::*;

use super::arguments::{self as argument, Given};
use super::board::Position;
use super::errors::OrRaise;
use super::result::Restored;

/// A move of an opening book.
#[pyclass(frozen, eq, hash, get_all, module = "outflank")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct BookMove {
    /// The move, "F5" or "PS".
    r#move: String,
    /// What it is worth, in discs for who makes it.
    score: i32,
    /// Plies of the search that the score comes from, with those that lead there by moves of the book.
    depth: u32,
    /// How certain that search was, in percent.
    selectivity: u32,
}

impl BookMove {
    fn new(one: &Known) -> BookMove {
        BookMove {
            r#move: ply_name(one.ply),
            score: one.value,
            depth: one.depth,
            selectivity: one.selectivity.percent(),
        }
    }
}

#[pymethods]
impl BookMove {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, (String, i32, u32, u32)>> {
        let restore = py.get_type::<BookMove>().getattr("_restore")?;
        let parts = (
            self.r#move.clone(),
            self.score,
            self.depth,
            self.selectivity,
        );
        Ok((restore, parts))
    }

    /// The move of the parts that `__reduce__` gives.
    #[staticmethod]
    fn _restore(r#move: String, score: i32, depth: u32, selectivity: u32) -> BookMove {
        BookMove {
            r#move,
            score,
            depth,
            selectivity,
        }
    }

    fn __repr__(&self) -> String {
        format!("<outflank.BookMove {} {:+}>", self.r#move, self.score)
    }
}

/// An opening book that is read.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct Book {
    player: Mutex<BookPlayer>,
    positions: u64,
}

impl Book {
    fn player(&self) -> MutexGuard<'_, BookPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Book {
    /// Opens the book at `path`, or without a path the one that comes with the package. `choose` takes any move that is worth
    /// at most `tolerance` discs less than the best one, and gives away at most `game_tolerance` in a game, twice as much
    /// unless it is given; the same `seed` makes the same choices.
    #[new]
    #[pyo3(signature = (path=None, *, tolerance=0, game_tolerance=None, seed=0))]
    fn new(
        py: Python<'_>,
        path: Given<'_>,
        #[pyo3(from_py_with = argument::tolerance)] tolerance: i32,
        game_tolerance: Given<'_>,
        #[pyo3(from_py_with = argument::seed)] seed: u64,
    ) -> PyResult<Book> {
        let path = argument::optional(&path, |path| argument::path("path", path))?;
        let of_game = argument::optional(&game_tolerance, |discs| {
            argument::whole("game_tolerance", discs, 0..=128)
        })?;
        let (of_move, of_game) = (tolerance, of_game.unwrap_or(2 * tolerance));
        py.detach(|| {
            let file = match path {
                Some(path) => File::open(&path),
                None => File::built_in(),
            };
            let file = file.or_raise()?;
            let positions = file.len().or_raise()?;
            let player = BookPlayer::new(file, Tolerance { of_move, of_game }, seed);
            Ok(Book {
                player: Mutex::new(player),
                positions,
            })
        })
    }

    /// The moves of a position that the book knows, the best first; none where it does not know the position.
    fn moves(&self, py: Python<'_>, position: Position) -> PyResult<Vec<BookMove>> {
        let known = py.detach(|| self.player().look_up(position.0));
        Ok(known.or_raise()?.iter().map(BookMove::new).collect())
    }

    /// The move to play in a position, chosen by chance within the tolerance; `None` where the book does not know the
    /// position.
    fn choose(&self, py: Python<'_>, position: Position) -> PyResult<Option<BookMove>> {
        let picked = py.detach(|| self.player().pick(position.0));
        Ok(picked.or_raise()?.as_ref().map(BookMove::new))
    }

    /// Whether the book knows a position.
    fn __contains__(&self, py: Python<'_>, position: Position) -> PyResult<bool> {
        Ok(!self.moves(py, position)?.is_empty())
    }

    /// How many positions it had when it was opened.
    fn __len__(&self) -> usize {
        self.positions as usize
    }

    fn __repr__(&self) -> String {
        format!("<outflank.Book of {} positions>", self.positions)
    }
}
