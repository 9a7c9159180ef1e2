//! Positions as arguments of functions.

use outflank::Board;
use outflank::notation::{Contents, read_one};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::arguments;
use super::board::{PyBoard, from_text};
use super::errors::ArgumentError;
use super::game::PyGame;

/// Argument `position`: a board, a game (its last position), or a text of one of them.
pub(crate) struct PositionArgument(pub(crate) Board);

impl PositionArgument {
    /// Reads a position, or a game in any format. The error for other texts is that of a position.
    fn read(text: &str) -> PyResult<PositionArgument> {
        let error = match from_text(text) {
            Ok((board, _)) => return Ok(PositionArgument(board)),
            Err(error) => error,
        };
        let board = match read_one(text) {
            Ok(Contents::Game(record)) => record.game.board(),
            Ok(Contents::Position(problem)) => problem.board,
            Err(_) => return Err(error),
        };
        Ok(PositionArgument(PyBoard::checked(board)?.0))
    }
}

impl<'py> FromPyObject<'_, 'py> for PositionArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionArgument> {
        if let Ok(board) = object.cast::<PyBoard>() {
            return Ok(PositionArgument(board.get().0));
        }
        if let Ok(game) = object.cast::<PyGame>() {
            return Ok(PositionArgument(game.get().lock().game.board()));
        }
        if object.is_instance_of::<PyString>() {
            return PositionArgument::read(arguments::text("position", &object)?);
        }
        let message = "a position is a Board, a Game, or a text of one: 64 squares and the side to move, or moves";
        Err(ArgumentError::new_err(message))
    }
}
