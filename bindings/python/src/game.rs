//! Games.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray2;
use outflank::diagram::Diagram;
use outflank::notation::obf::Problem;
use outflank::notation::{
    Contents, GameRecord, ggf, ply_name, read_one, transcript, write_position,
};
use outflank::{Board, Game, Side};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice, PyString, PyType};

use super::arguments::{self, I64_RANGE, OptionalArg, integer};
use super::arrays::boards_array;
use super::board::{self, PyBoard, from_text};
use super::errors::{FormatError, OrRaise};
use super::square::{plies_of, ply as read_ply, ply_names, square as read_square};

/// Game record: plies, and the properties that a file gives. Every ply is legal; a pass that is due is inserted before a
/// move.
#[pyclass(name = "Game", frozen, module = "outflank")]
pub(crate) struct PyGame {
    /// Never locked while Python code runs: arguments are converted first, so that a re-entrant call cannot deadlock.
    record: Mutex<GameRecord>,
}

/// Reads the argument `game`.
pub(crate) fn game_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyGame>> {
    arguments::instance("game", value).cloned()
}

impl PyGame {
    pub(crate) fn of(record: GameRecord) -> PyGame {
        PyGame {
            record: Mutex::new(record),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, GameRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the game, and drops the notes of plies that were taken back.
    fn change<T>(&self, change: impl FnOnce(&mut Game) -> T) -> T {
        let mut record = self.lock();
        let result = change(&mut record.game);
        let plies = record.game.plies().len();
        record.notes.truncate(plies);
        result
    }
}

#[pymethods]
impl PyGame {
    /// Makes a game of `moves`: a sequence of squares, or a text, which is a transcript or PGN. `start` is a board with
    /// `side` to move, or a text that has the side. Without `start` and `side` the text may be one game in any format
    /// that `read` reads.
    #[new]
    #[pyo3(signature = (moves=None, *, start=None, side="black"))]
    fn new(
        moves: OptionalArg<'_>,
        start: OptionalArg<'_>,
        #[pyo3(from_py_with = arguments::side)] side: &str,
    ) -> PyResult<PyGame> {
        let mover = board::side(side)?;
        let usual_start = start.is_none() && mover == Side::Black;
        let (board, mover) = match start {
            None => (Board::START, mover),
            Some(start) => match start.cast::<PyBoard>() {
                Ok(board) => (board.get().0, mover),
                Err(_) if start.is_instance_of::<PyString>() => {
                    from_text(arguments::text("start", &start)?)?
                }
                Err(_) => return Err(arguments::type_error("start", "a Board or a text", &start)),
            },
        };
        let mut game = Game::from_start(board, mover).or_raise()?;
        match moves {
            None => {}
            Some(text) if text.is_instance_of::<PyString>() => {
                let text = arguments::text("moves", &text)?;
                match transcript::moves(text) {
                    Ok(moves) => moves
                        .iter()
                        .try_for_each(|&square| game.play(square))
                        .or_raise()?,
                    Err(error) => match read_one(text) {
                        // A text with tags, or in another format.
                        Ok(Contents::Game(record)) if usual_start => return Ok(PyGame::of(record)),
                        _ => return Err(FormatError::new_err(error.to_string())),
                    },
                }
            }
            Some(squares) => {
                for ply in plies_of("moves", &squares)? {
                    match ply {
                        Some(square) => game.play(square),
                        None => game.pass(),
                    }
                    .or_raise()?;
                }
            }
        }
        Ok(PyGame::of(GameRecord::new(game)))
    }

    /// Reads one game of GGF.
    #[classmethod]
    fn from_ggf(_: &Bound<'_, PyType>, text: Bound<'_, PyAny>) -> PyResult<PyGame> {
        let text = arguments::text("text", &text)?;
        let game = ggf::read(text.as_bytes()).next();
        let game = game.ok_or_else(|| FormatError::new_err("no game of GGF in the text"))?;
        Ok(PyGame::of(game.or_raise()?.record))
    }

    /// Plays a move of the side to move. A pass that is due is inserted before.
    fn play(&self, square: Bound<'_, PyAny>) -> PyResult<()> {
        let square = read_square("square", &square)?;
        self.change(|game| game.play(square)).or_raise()
    }

    /// Passes, if the side to move has to.
    #[pyo3(name = "pass_")]
    fn pass(&self) -> PyResult<()> {
        self.change(Game::pass).or_raise()
    }

    /// Takes back the last ply and returns it. `None` at the start.
    fn undo(&self) -> Option<String> {
        let ply = self.change(Game::undo)?;
        Some(ply_name(ply))
    }

    /// Current position.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.lock().game.board())
    }

    /// Side to move, "black" or "white".
    #[getter]
    fn side(&self) -> String {
        self.lock().game.side().to_string()
    }

    /// First position of the game, and its side to move.
    #[getter]
    fn start(&self) -> (PyBoard, String) {
        let (board, side) = self.lock().game.start();
        (PyBoard(board), side.to_string())
    }

    /// Plies of the game; a pass is "PS".
    #[getter]
    fn plies(&self) -> Vec<String> {
        ply_names(self.lock().game.plies())
    }

    /// Plies of the game, without passes.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.lock()
            .game
            .moves()
            .map(|square| square.to_string())
            .collect()
    }

    /// First position and the position after each ply, with the side to move.
    #[getter]
    fn positions(&self) -> Vec<(PyBoard, String)> {
        let record = self.lock();
        let positions = record.game.positions().iter();
        positions
            .map(|&(board, side)| (PyBoard(board), side.to_string()))
            .collect()
    }

    /// Boards of `positions`, as an array of uint64 of shape (N, 2).
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let positions = self.lock().game.positions().to_vec();
        let boards = positions.iter();
        let boards = boards.map(|(board, _)| [board.player, board.opponent]);
        boards_array(py, boards.collect())
    }

    /// `True` if neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().game.is_over()
    }

    /// Result in discs for black; empty squares go to the winner. For an unfinished game it is the result that a file
    /// gives, or `None`.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.lock().score()
    }

    /// Properties of the game: pairs of a name of GGF ("PB" and "PW" are the players) and a text.
    #[getter]
    fn properties(&self) -> Vec<(String, String)> {
        let record = self.lock();
        let properties = record.properties();
        properties
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// Value of a property; `None` if the game lacks it.
    fn property(&self, #[pyo3(from_py_with = arguments::name)] name: &str) -> Option<String> {
        self.lock().property(name).map(str::to_owned)
    }

    /// Sets a property, by its name in GGF.
    fn set_property(
        &self,
        #[pyo3(from_py_with = arguments::name)] name: &str,
        #[pyo3(from_py_with = arguments::value)] value: &str,
    ) -> PyResult<()> {
        self.lock().set(name, value).or_raise()
    }

    /// Writes the game as GGF, with its properties and notes.
    fn to_ggf(&self) -> String {
        ggf::write(&self.lock())
    }

    /// Writes the game as a transcript, "f5d6c3".
    fn to_transcript(&self) -> PyResult<String> {
        transcript::write(&self.lock().game).or_raise()
    }

    /// Writes the current position as a line of OBF.
    fn to_obf(&self) -> String {
        let (board, side) = self.lock().game.position();
        bare_problem(board, side).to_string()
    }

    /// Number of plies.
    fn __len__(&self) -> usize {
        self.lock().game.plies().len()
    }

    /// Ply of an index, or list of the plies of a slice. Negative indices count from the end.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The plies are copied first: reading the index may run Python code.
        let plies = self.plies();
        if index.is_instance_of::<PySlice>() {
            return plies.into_pyobject(py)?.get_item(index);
        }
        let number: i64 = integer("index", &index, I64_RANGE)?;
        let count = plies.len() as i64;
        let from_start = if number < 0 { number + count } else { number };
        let ply = usize::try_from(from_start).ok();
        let ply = ply.and_then(|from_start| plies.get(from_start));
        let message = || format!("the game has {count} plies, none at {number}");
        let ply = ply.ok_or_else(|| PyIndexError::new_err(message()))?;
        Ok(ply.into_pyobject(py)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.plies().into_pyobject(py)?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let mut plies = self.plies();
        plies.reverse();
        plies.into_pyobject(py)?.try_iter()
    }

    /// Returns `True` if the ply was played: `"F5" in game`.
    fn __contains__(&self, ply: Bound<'_, PyAny>) -> PyResult<bool> {
        let ply = read_ply("ply", &ply)?;
        Ok(self.lock().game.plies().contains(&ply))
    }

    fn __eq__(&self, other: &PyGame) -> bool {
        // The locks are taken one after the other, because both objects may be the same game. `noted_plies` makes a
        // missing note equal to an empty one.
        let left = self.lock().clone();
        let right = other.lock().clone();
        left.game == right.game
            && left.properties().eq(right.properties())
            && left.noted_plies().eq(right.noted_plies())
    }

    fn __copy__(&self) -> PyGame {
        PyGame::of(self.lock().clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.get_type::<PyGame>().getattr("from_ggf")?;
        Ok((read, (self.to_ggf(),)))
    }

    fn __repr__(&self) -> String {
        let record = self.lock();
        let moves: String = record
            .game
            .moves()
            .map(|square| format!("{square:#}"))
            .collect();
        match record.game.has_usual_start() {
            true => format!("Game({moves:?})"),
            false => {
                let (board, side) = record.game.start();
                let start = write_position(board, side);
                format!("Game({moves:?}, start={start:?})")
            }
        }
    }

    /// SVG picture of the current position, with the last move marked and the legal moves as dots.
    fn _repr_svg_(&self) -> String {
        let record = self.lock();
        let (board, side) = record.game.position();
        let last = record.game.plies().last().copied().flatten();
        Diagram::new(board, side).last(last).svg()
    }
}

/// Problem without scores or a name.
pub(crate) fn bare_problem(board: Board, side: Side) -> Problem {
    Problem {
        board,
        side,
        moves: Vec::new(),
        score: None,
        name: None,
        line: 0,
    }
}
