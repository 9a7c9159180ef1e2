//! Reader of positions.

use outflank::Board;
use outflank::notation::{Contents, read_one};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::arguments;
use super::board::{PyBoard, from_text};
use super::errors::ArgumentError;
use super::game::PyGame;

/// Reads the argument `position`: a board, a game (its last position), or a text of one of them.
pub(crate) fn position_of(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    if let Ok(board) = value.cast::<PyBoard>() {
        return Ok(board.get().0);
    }
    if let Ok(game) = value.cast::<PyGame>() {
        return Ok(game.get().lock().game.board());
    }
    if value.is_instance_of::<PyString>() {
        return read_board(arguments::text("position", value)?);
    }
    let message = "a position is a Board, a Game, or a text of one: 64 squares and the side to move, or moves";
    Err(ArgumentError::new_err(message))
}

/// Reads a position, or a game in any format. Any other text raises the error for a position.
fn read_board(text: &str) -> PyResult<Board> {
    let error = match from_text(text) {
        Ok((board, _)) => return Ok(board),
        Err(error) => error,
    };
    let board = match read_one(text) {
        Ok(Contents::Game(record)) => record.game.board(),
        Ok(Contents::Position(problem)) => problem.board,
        Err(_) => return Err(error),
    };
    Ok(PyBoard::checked(board)?.0)
}
