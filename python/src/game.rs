//! Games.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use outflank::diagram::Diagram;
use outflank::notation::obf::Problem as Line;
use outflank::notation::{Contents, GameRecord, ggf, read_one, transcript};
use outflank::{Board as Discs, Game as Played, Side};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice, PyString, PyType};

use super::arguments::{self as argument, Given, whole};
use super::board::{Board, from_text};
use super::errors::{BoardError, FormatError, OrRaise};
use super::square::{names, plies_of, ply as read_ply, square as read_square};

/// A game as far as it was played, with what a file says about it. Every ply is legal; passes that are due are
/// inserted before a move.
#[pyclass(frozen, module = "outflank")]
pub(crate) struct Game {
    /// Never held while Python code runs: arguments are converted before locking, so a re-entrant call cannot deadlock.
    record: Mutex<GameRecord>,
}

/// A game as an argument.
pub(crate) struct GameArgument<'py>(pub(crate) Bound<'py, Game>);

impl<'py> FromPyObject<'_, 'py> for GameArgument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<GameArgument<'py>> {
        let game = object.cast::<Game>();
        let game = game.map_err(|_| argument::unfit("game", "a Game", &object))?;
        Ok(GameArgument(game.to_owned()))
    }
}

impl GameArgument<'_> {
    pub(crate) fn record(&self) -> GameRecord {
        self.0.get().lock().clone()
    }
}

impl Game {
    pub(crate) fn of(record: GameRecord) -> Game {
        Game {
            record: Mutex::new(record),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, GameRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the game; what was said of plies that are no longer there goes with them.
    fn change<T>(&self, change: impl FnOnce(&mut Played) -> T) -> T {
        let mut record = self.lock();
        let result = change(&mut record.game);
        let plies = record.game.plies().len();
        record.notes.truncate(plies);
        result
    }
}

#[pymethods]
impl Game {
    /// A game: `Game("f5d6c3")`. `start` is another position than the usual one, a board with `side` to move or a text
    /// with its side.
    #[new]
    #[pyo3(signature = (moves=None, *, start=None, side="black"))]
    fn new(
        moves: Given<'_>,
        start: Given<'_>,
        #[pyo3(from_py_with = argument::side)] side: &str,
    ) -> PyResult<Game> {
        let mover = super::board::side(side)?;
        let is_usual = start.is_none() && mover == Side::Black;
        let (board, mover) = match start {
            None => (Discs::START, mover),
            Some(start) => match start.cast::<Board>() {
                Ok(board) => (board.get().0, mover),
                Err(_) if start.is_instance_of::<PyString>() => {
                    from_text(argument::text("start", &start)?)?
                }
                Err(_) => return Err(argument::unfit("start", "a Board or a text", &start)),
            },
        };
        let game = Played::from_start(board, mover);
        let mut game = game.map_err(|error| BoardError::new_err(error.to_string()))?;
        match moves {
            None => {}
            Some(text) if text.is_instance_of::<PyString>() => {
                let text = argument::text("moves", &text)?;
                match transcript::moves(text) {
                    Ok(moves) => moves
                        .iter()
                        .try_for_each(|&square| game.play(square))
                        .or_raise()?,
                    Err(error) => match read_one(text) {
                        // With tags, or in another format.
                        Ok(Contents::Game(record)) if is_usual => return Ok(Game::of(record)),
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
        Ok(Game::of(GameRecord::new(game)))
    }

    /// Reads one game of GGF.
    #[classmethod]
    fn from_ggf(_: &Bound<'_, PyType>, text: Bound<'_, PyAny>) -> PyResult<Game> {
        let text = argument::text("text", &text)?;
        let game = ggf::read(text.as_bytes()).next();
        let game = game.ok_or_else(|| FormatError::new_err("no game of GGF in the text"))?;
        let game = game.map_err(|error| FormatError::new_err(error.to_string()))?;
        Ok(Game::of(game.record))
    }

    /// Plays on a square for the side whose turn it is; a pass that is due is inserted.
    fn play(&self, square: Bound<'_, PyAny>) -> PyResult<()> {
        let square = read_square("square", &square)?;
        self.change(|game| game.play(square)).or_raise()
    }

    /// Passes, where the side to move has to.
    #[pyo3(name = "pass_")]
    fn pass(&self) -> PyResult<()> {
        self.change(Played::pass).or_raise()
    }

    /// Takes back the last ply and returns it; `None` at the start.
    fn undo(&self) -> Option<String> {
        let ply = self.change(Played::undo)?;
        Some(outflank::notation::ply_name(ply))
    }

    /// The position now.
    #[getter]
    fn board(&self) -> Board {
        Board(self.lock().game.board())
    }

    /// The side to move, "black" or "white".
    #[getter]
    fn side(&self) -> String {
        self.lock().game.side().to_string()
    }

    /// The position that the game began with, and the side to move.
    #[getter]
    fn start(&self) -> (Board, String) {
        let (board, side) = self.lock().game.start();
        (Board(board), side.to_string())
    }

    /// What was played, passes as "PS".
    #[getter]
    fn plies(&self) -> Vec<String> {
        names(self.lock().game.plies())
    }

    /// The moves, without passes.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.lock()
            .game
            .moves()
            .map(|square| square.to_string())
            .collect()
    }

    /// The start and the position after each ply, with the side to move.
    #[getter]
    fn positions(&self) -> Vec<(Board, String)> {
        let record = self.lock();
        let positions = record.game.positions().iter();
        positions
            .map(|&(board, side)| (Board(board), side.to_string()))
            .collect()
    }

    /// The boards of `positions` as an array of uint64 of shape (N, 2).
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let positions = self.lock().game.positions().to_vec();
        let words = positions
            .iter()
            .flat_map(|(board, _)| [board.player, board.opponent]);
        let words: Vec<u64> = words.collect();
        words.into_pyarray(py).reshape([positions.len(), 2])
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().game.is_over()
    }

    /// The result in discs from black's side, empty squares to the winner; where the game is not over, what a file says,
    /// or `None`.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.lock().score()
    }

    /// What a file says about the game: names as in GGF ("PB" and "PW" are the players), and texts.
    #[getter]
    fn properties(&self) -> Vec<(String, String)> {
        let record = self.lock();
        let properties = record.properties();
        properties
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// The value of a property; `None` where it has none.
    fn property(&self, #[pyo3(from_py_with = argument::name)] name: &str) -> Option<String> {
        self.lock().property(name).map(str::to_owned)
    }

    /// Sets a property.
    fn set_property(
        &self,
        #[pyo3(from_py_with = argument::name)] name: &str,
        #[pyo3(from_py_with = argument::value)] value: &str,
    ) -> PyResult<()> {
        let set = self.lock().set(name, value);
        set.map_err(|error| FormatError::new_err(error.to_string()))
    }

    /// The game as GGF, with all that is known about it.
    fn to_ggf(&self) -> String {
        ggf::write(&self.lock())
    }

    /// The game as a transcript, "f5d6c3".
    fn to_transcript(&self) -> PyResult<String> {
        let text = transcript::write(&self.lock().game);
        text.map_err(|error| FormatError::new_err(error.to_string()))
    }

    /// The position now as a line of OBF.
    fn to_obf(&self) -> String {
        let (board, side) = self.lock().game.position();
        line(board, side).to_string()
    }

    /// The number of plies.
    fn __len__(&self) -> usize {
        self.lock().game.plies().len()
    }

    /// A ply by its number, from 0 or counted from the end, or a list of those of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Copied before the index is read, which may run code of Python.
        let plies = self.lock().game.plies().to_vec();
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(plies.len() as isize)?;
            let chosen = (0..indices.slicelength as isize)
                .map(|number| plies[(indices.start + number * indices.step) as usize])
                .collect::<Vec<_>>();
            return Ok(names(&chosen).into_pyobject(py)?.into_any());
        }
        let number: i64 = whole("index", &index, i64::MIN.into()..=i64::MAX.into())?;
        let count = plies.len() as i64;
        let from_start = if number < 0 { number + count } else { number };
        match usize::try_from(from_start)
            .ok()
            .and_then(|at| plies.get(at))
        {
            Some(&ply) => Ok(outflank::notation::ply_name(ply)
                .into_pyobject(py)?
                .into_any()),
            None => {
                let message = format!("the game has {count} plies, none at {number}");
                Err(PyIndexError::new_err(message))
            }
        }
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

    fn __eq__(&self, other: &Game) -> bool {
        // Plies of which nothing is said may have an empty note, or none.
        // One lock after the other: the two may be one game.
        let own = self.lock().clone();
        let others = other.lock().clone();
        own.game == others.game
            && own.properties().eq(others.properties())
            && own.noted_plies().eq(others.noted_plies())
    }

    fn __copy__(&self) -> Game {
        Game::of(self.lock().clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.get_type::<Game>().getattr("from_ggf")?;
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
                let start = outflank::notation::position(board, side);
                format!("Game({moves:?}, start={start:?})")
            }
        }
    }

    /// A picture of the position, with the last move marked and the legal moves as dots.
    fn _repr_svg_(&self) -> String {
        let record = self.lock();
        let (board, side) = record.game.position();
        let last = record.game.plies().last().copied().flatten();
        Diagram::new(board, side).last(last).svg()
    }
}

/// A position as a line of OBF of which nothing else is known.
pub(crate) fn line(board: Discs, side: Side) -> Line {
    Line {
        board,
        side,
        moves: Vec::new(),
        score: None,
        name: None,
        line: 0,
    }
}
