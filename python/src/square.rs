//! Squares and plies as Python has them: names, or numbers 0 to 63 (A1, B1 ... H8), and 64 for a pass.

use outflank::batch::PASS;
use outflank::notation::{is_pass, ply_name};
use outflank::{Ply, Square};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A square or a pass, as it was given: `"F5"`, `"PS"`, or a number.
pub(crate) struct PlyArgument(pub(crate) Ply);

impl<'py> FromPyObject<'_, 'py> for PlyArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PlyArgument> {
        if let Ok(text) = object.extract::<String>() {
            if is_pass(&text) {
                return Ok(PlyArgument(None));
            }
            let square = text.parse::<Square>();
            let square = square.map_err(|error| PyValueError::new_err(error.to_string()))?;
            return Ok(PlyArgument(Some(square)));
        }
        let Ok(number) = object.extract::<i64>() else {
            let message = "a square is a name such as 'F5', or a number from 0 to 63";
            return Err(PyTypeError::new_err(message));
        };
        ply_of(number).map(PlyArgument)
    }
}

/// A square, as it was given.
pub(crate) struct SquareArgument(pub(crate) Square);

impl<'py> FromPyObject<'_, 'py> for SquareArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SquareArgument> {
        let PlyArgument(ply) = object.extract()?;
        let square = ply.ok_or_else(|| PyValueError::new_err("a pass is no square"))?;
        Ok(SquareArgument(square))
    }
}

/// The ply of a number, 0..=64.
fn ply_of(number: i64) -> PyResult<Ply> {
    if number == i64::from(PASS) {
        return Ok(None);
    }
    let square = u8::try_from(number).ok().and_then(Square::new);
    let message = || format!("{number} is no square: A1 to H8 are 0 to 63, and a pass is 64");
    square
        .map(Some)
        .ok_or_else(|| PyValueError::new_err(message()))
}

/// The number of a ply.
pub(crate) fn ply_number(ply: Ply) -> u8 {
    ply.map_or(PASS, |square| square.index() as u8)
}

/// The names of plies.
pub(crate) fn names(line: &[Ply]) -> Vec<String> {
    line.iter().copied().map(ply_name).collect()
}

/// The name of a square, or of a pass: ``square_name(37) == "F5"``, ``square_name(64) == "PS"``.
#[pyfunction]
pub(crate) fn square_name(index: i64) -> PyResult<String> {
    ply_of(index).map(ply_name)
}

/// The number of a square, or of a pass: ``square_index("F5") == 37``, ``square_index("PS") == 64``.
#[pyfunction]
pub(crate) fn square_index(name: PlyArgument) -> u8 {
    ply_number(name.0)
}
