//! Positions.

use numpy::{IntoPyArray, PyArray1};
use outflank::diagram::Diagram;
use outflank::kernels::levels::portable;
use outflank::notation::{obf, ply_name, read_position, write_position};
use outflank::search::Passes;
use outflank::{Board, Isa, Side, Square, search};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::arguments;
use super::errors::{BoardError, IllegalMoveError, OrRaise};
use super::kernels::perft_depth;
use super::square::{ply, square as read_square};

/// Position as two bitboards with A1 = bit 0: the discs of the side to move and of the opponent. The default is the
/// start of a game. A board has no colours; games and texts have.
#[pyclass(name = "Board", frozen, eq, hash, from_py_object, module = "outflank")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard(pub(crate) Board);

impl PyBoard {
    /// Raises a `BoardError` for a board without discs, or with a square that both sides hold.
    pub(crate) fn checked(board: Board) -> PyResult<PyBoard> {
        match invalid_reason(board) {
            None => Ok(PyBoard(board)),
            Some(reason) => Err(BoardError::new_err(reason)),
        }
    }
}

/// Returns the reason why a board is invalid; `None` for a valid one.
pub(crate) fn invalid_reason(board: Board) -> Option<String> {
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
            Err(PyValueError::new_err(message))
        }
    }
}

/// Reads 64 squares and the side to move.
pub(crate) fn from_text(text: &str) -> PyResult<(Board, Side)> {
    let (board, side) = read_position(text).or_raise()?;
    Ok((PyBoard::checked(board)?.0, side))
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (player=Board::START.player, opponent=Board::START.opponent))]
    fn new(
        #[pyo3(from_py_with = arguments::player)] player: u64,
        #[pyo3(from_py_with = arguments::opponent)] opponent: u64,
    ) -> PyResult<PyBoard> {
        PyBoard::checked(Board { player, opponent })
    }

    /// Reads 64 squares A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty). After a blank follows the side to
    /// move, "X" or "O"; the default is black.
    #[classmethod]
    fn from_text(_: &Bound<'_, PyType>, text: Bound<'_, PyAny>) -> PyResult<PyBoard> {
        from_text(arguments::text("text", &text)?).map(|(board, _)| PyBoard(board))
    }

    /// Discs of the side to move, as a bitboard.
    #[getter]
    fn player(&self) -> u64 {
        self.0.player
    }

    /// Discs of the opponent, as a bitboard.
    #[getter]
    fn opponent(&self) -> u64 {
        self.0.opponent
    }

    /// Empty squares, as a bitboard.
    #[getter]
    fn empties(&self) -> u64 {
        self.0.empties()
    }

    /// Number of empty squares.
    #[getter]
    fn empty_count(&self) -> u32 {
        self.0.empty_count()
    }

    /// Number of discs of the side to move.
    #[getter]
    fn player_count(&self) -> u32 {
        self.0.player.count_ones()
    }

    /// Number of discs of the opponent.
    #[getter]
    fn opponent_count(&self) -> u32 {
        self.0.opponent.count_ones()
    }

    /// Number of discs of both sides.
    #[getter]
    fn disc_count(&self) -> u32 {
        64 - self.0.empty_count()
    }

    /// Returns `True` if there is a disc on the square: `"D4" in board`.
    fn __contains__(&self, square: Bound<'_, PyAny>) -> PyResult<bool> {
        let square = read_square("square", &square)?;
        Ok(self.0.empties() & square.bit() == 0)
    }

    /// Legal moves of the side to move, as a bitboard.
    #[getter]
    fn mobility(&self) -> u64 {
        self.0.mobility()
    }

    /// Names of the legal moves of the side to move.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let squares = Square::all_in(self.0.mobility());
        squares.map(|square| square.to_string()).collect()
    }

    /// `True` if the side to move has no move and the opponent has one.
    #[getter]
    fn must_pass(&self) -> bool {
        self.0.must_pass()
    }

    /// `True` if neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_game_over()
    }

    /// Score of a finished game in discs for the side to move; empty squares go to the winner. `None` if the game is not
    /// over.
    #[getter]
    fn final_score(&self) -> Option<i32> {
        self.0.is_game_over().then(|| self.0.final_score())
    }

    /// Flipped discs of a move, as a bitboard; 0 if the move is not legal.
    fn flip(&self, square: Bound<'_, PyAny>) -> PyResult<u64> {
        let after = self.0.play(read_square("square", &square)?);
        Ok(after.map_or(0, |after| after.player ^ self.0.opponent))
    }

    /// Position after a move, or after a pass (`"PS"`, 64) if the side to move has to pass.
    fn play(&self, square: Bound<'_, PyAny>) -> PyResult<PyBoard> {
        let ply = ply("square", &square)?;
        let after = match ply {
            Some(square) => self.0.play(square),
            None => self.0.must_pass().then(|| self.0.pass()),
        };
        let message = || format!("{} is not legal here", ply_name(ply));
        after
            .map(PyBoard)
            .ok_or_else(|| IllegalMoveError::new_err(message()))
    }

    /// Board with the discs of both sides exchanged: the opponent is to move.
    fn swapped(&self) -> PyBoard {
        PyBoard(self.0.pass())
    }

    /// Lowest of the eight images under the symmetries of the square.
    fn canonical(&self) -> PyBoard {
        let Board { player, opponent } = self.0;
        let [player, opponent] = portable::canonical::selected(player, opponent);
        PyBoard(Board { player, opponent })
    }

    /// Number of leaves of the game tree `depth` plies below. With `passes=False` a pass is not a ply.
    #[pyo3(signature = (depth, *, passes=true))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::passes)] passes: bool,
    ) -> PyResult<u64> {
        let depth = perft_depth(&depth)?;
        let passes = if passes { Passes::Plies } else { Passes::Free };
        let isa = Isa::choose(None).or_raise()?;
        py.detach(|| search::perft(isa, self.0, depth, passes))
            .or_raise()
    }

    /// Writes the 64 squares and the side to move.
    #[pyo3(signature = (side="black"))]
    fn to_text(
        self_: PyRef<'_, Self>,
        #[pyo3(from_py_with = arguments::side)] side: &str,
    ) -> PyResult<String> {
        Ok(write_position(self_.0, self::side(side)?))
    }

    /// Array of uint64 with the two bitboards.
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64, u64)) {
        (py.get_type::<PyBoard>(), (self.0.player, self.0.opponent))
    }

    /// Eight lines of eight squares: "X" is the side to move, "O" the opponent.
    fn __str__(&self) -> String {
        let squares = self.0.to_string();
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
        rows.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("Board({:#018x}, {:#018x})", self.0.player, self.0.opponent)
    }

    /// SVG picture; the side to move is black.
    fn _repr_svg_(&self) -> String {
        Diagram::new(self.0, Side::Black).svg()
    }
}
