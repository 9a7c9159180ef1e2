//! Positions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use numpy::{IntoPyArray, PyArray1};
use outflank::diagram::Diagram;
use outflank::kernels::levels::portable;
use outflank::notation::{Contents, obf, position, read_one, read_position};
use outflank::search::Passes;
use outflank::{Board as Discs, Isa, Side, Square, search};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::arguments as argument;
use super::errors::{ArgumentError, BoardError, IllegalMoveError, OrRaise};
use super::game::Game;
use super::kernels::depth_of_perft;
use super::square::{ply, square as read_square};

/// A position: the discs of the side to move and those of the other side, as bitboards with A1 = bit 0. Without
/// arguments, that of the start of a game. Colours are the business of games and texts.
#[pyclass(frozen, eq, module = "outflank")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board(pub(crate) Discs);

impl Board {
    /// The board, if it has discs and no square is held twice.
    pub(crate) fn checked(board: Discs) -> PyResult<Board> {
        match fault_of(board) {
            None => Ok(Board(board)),
            Some(fault) => Err(BoardError::new_err(fault)),
        }
    }
}

/// The reason why discs are no position, if they are none.
pub(crate) fn fault_of(board: Discs) -> Option<String> {
    let squares = board.player & board.opponent;
    if squares != 0 {
        return Some(outflank::SearchError::Overlap { squares }.to_string());
    }
    (board.empty_count() == 64).then(|| obf::BoardFault::NoDiscs.to_string())
}

/// Reads a side: "black" or "white".
pub(crate) fn side(name: &str) -> PyResult<Side> {
    match name.to_ascii_lowercase().as_str() {
        "black" | "x" | "b" => Ok(Side::Black),
        "white" | "o" | "w" => Ok(Side::White),
        _ => {
            let message = format!("{name:?} is no side: there are \"black\" and \"white\"");
            Err(pyo3::exceptions::PyValueError::new_err(message))
        }
    }
}

/// Reads the 64 squares and the side to move.
pub(crate) fn from_text(text: &str) -> PyResult<(Discs, Side)> {
    let read = read_position(text);
    let (board, side) = read.map_err(|error| BoardError::new_err(error.to_string()))?;
    Ok((Board::checked(board)?.0, side))
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (player=Discs::START.player, opponent=Discs::START.opponent))]
    fn new(
        #[pyo3(from_py_with = argument::player)] player: u64,
        #[pyo3(from_py_with = argument::opponent)] opponent: u64,
    ) -> PyResult<Board> {
        Board::checked(Discs { player, opponent })
    }

    /// Reads 64 squares A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty) and, after a blank, the side to
    /// move ("X" or "O"; without it black).
    #[classmethod]
    fn from_text(_: &Bound<'_, PyType>, text: Bound<'_, PyAny>) -> PyResult<Board> {
        from_text(argument::text("text", &text)?).map(|(board, _)| Board(board))
    }

    /// The discs of the side to move.
    #[getter]
    fn player(&self) -> u64 {
        self.0.player
    }

    /// The discs of the other side.
    #[getter]
    fn opponent(&self) -> u64 {
        self.0.opponent
    }

    /// The empty squares.
    #[getter]
    fn empties(&self) -> u64 {
        self.0.empties()
    }

    /// The number of empty squares.
    #[getter]
    fn empty_count(&self) -> u32 {
        self.0.empty_count()
    }

    /// The number of discs of the side to move.
    #[getter]
    fn player_count(&self) -> u32 {
        self.0.player.count_ones()
    }

    /// The number of discs of the other side.
    #[getter]
    fn opponent_count(&self) -> u32 {
        self.0.opponent.count_ones()
    }

    /// The number of discs of both sides.
    #[getter]
    fn disc_count(&self) -> u32 {
        64 - self.0.empty_count()
    }

    /// Returns `True` if there is a disc on the square: `"D4" in board`.
    fn __contains__(&self, square: Bound<'_, PyAny>) -> PyResult<bool> {
        let square = read_square("square", &square)?;
        Ok(self.0.empties() & square.bit() == 0)
    }

    /// The squares where the side to move may play, as a bitboard.
    #[getter]
    fn mobility(&self) -> u64 {
        self.0.mobility()
    }

    /// The names of the squares where the side to move may play.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let squares = Square::all_in(self.0.mobility());
        squares.map(|square| square.to_string()).collect()
    }

    /// Whether the side to move has no move and the other has one.
    #[getter]
    fn must_pass(&self) -> bool {
        self.0.must_pass()
    }

    /// Whether neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_game_over()
    }

    /// The score of a finished game in discs for the side to move, empty squares to the winner; `None` where it is not
    /// over.
    #[getter]
    fn final_score(&self) -> Option<i32> {
        self.0.is_game_over().then(|| self.0.final_score())
    }

    /// The discs that a move turns, as a bitboard; 0 where the move is not legal.
    fn flip(&self, square: Bound<'_, PyAny>) -> PyResult<u64> {
        let after = self.0.play(read_square("square", &square)?);
        Ok(after.map_or(0, |after| after.player ^ self.0.opponent))
    }

    /// The position after a move, or after a pass (`"PS"`, 64) where it is due.
    fn play(&self, square: Bound<'_, PyAny>) -> PyResult<Board> {
        let ply = ply("square", &square)?;
        let after = match ply {
            Some(square) => self.0.play(square),
            None => self.0.must_pass().then(|| self.0.pass()),
        };
        let name = || outflank::notation::ply_name(ply);
        let message = || format!("{} is not legal here", name());
        after
            .map(Board)
            .ok_or_else(|| IllegalMoveError::new_err(message()))
    }

    /// The same discs with the other side to move.
    fn swapped(&self) -> Board {
        Board(self.0.pass())
    }

    /// Of the eight images under the symmetries of the square the lowest one.
    fn canonical(&self) -> Board {
        let Discs { player, opponent } = self.0;
        let [player, opponent] = portable::canonical::selected(player, opponent);
        Board(Discs { player, opponent })
    }

    /// The leaves of the game tree `depth` plies below. With `passes=False` a pass is not a ply.
    #[pyo3(signature = (depth, *, passes=true))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::passes)] passes: bool,
    ) -> PyResult<u64> {
        let depth = depth_of_perft(&depth)?;
        let passes = if passes { Passes::Plies } else { Passes::Free };
        let isa = Isa::choose(None).or_raise()?;
        py.detach(|| search::perft(isa, self.0, depth, passes))
            .or_raise()
    }

    /// The 64 squares and the side to move, which is "black" unless said otherwise.
    #[pyo3(signature = (side="black"))]
    fn to_text(
        self_: PyRef<'_, Self>,
        #[pyo3(from_py_with = argument::side)] side: &str,
    ) -> PyResult<String> {
        Ok(position(self_.0, self::side(side)?))
    }

    /// The two bitboards as an array of uint64.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            let message = "the bitboards of a Board cannot be had as an array without a copy";
            return Err(PyValueError::new_err(message));
        }
        let array: Bound<'py, PyArray1<u64>> =
            vec![self.0.player, self.0.opponent].into_pyarray(py);
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array.into_any()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64, u64)) {
        (py.get_type::<Board>(), (self.0.player, self.0.opponent))
    }

    /// Eight lines of eight squares: "X" the side to move, "O" the other.
    fn __str__(&self) -> String {
        let squares = self.0.to_string();
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
        rows.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("Board({:#018x}, {:#018x})", self.0.player, self.0.opponent)
    }

    /// A picture, the side to move black.
    fn _repr_svg_(&self) -> String {
        Diagram::new(self.0, Side::Black).svg()
    }
}

/// A position as an argument: a board, a game (its last position), or a text of one of them.
pub(crate) struct Position(pub(crate) Discs);

impl Position {
    /// Reads a position, or a game in any format. A text that is neither has the fault of a position.
    fn read(text: &str) -> PyResult<Position> {
        let fault = match from_text(text) {
            Ok((board, _)) => return Ok(Position(board)),
            Err(fault) => fault,
        };
        let board = match read_one(text) {
            Ok(Contents::Game(record)) => record.game.board(),
            Ok(Contents::Position(problem)) => problem.board,
            Err(_) => return Err(fault),
        };
        Ok(Position(Board::checked(board)?.0))
    }
}

impl<'py> FromPyObject<'_, 'py> for Position {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Position> {
        if let Ok(board) = object.cast::<Board>() {
            return Ok(Position(board.get().0));
        }
        if let Ok(game) = object.cast::<Game>() {
            return Ok(Position(game.get().lock().game.board()));
        }
        if object.is_instance_of::<PyString>() {
            return Position::read(argument::text("position", &object)?);
        }
        let message = "a position is a Board, a Game, or a text of one: 64 squares and the side to move, or moves";
        Err(ArgumentError::new_err(message))
    }
}
