//! Conversion of squares and plies. In Python they are names, or numbers: 0 to 63 (A1, B1 ... H8), and 64 for a pass.

use outflank::batch::PASS;
use outflank::notation::{is_pass, ply_name};
use outflank::{Ply, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{integer, replace_type_error, type_error};

/// Reads a square or a pass: `"F5"`, `"PS"`, or a number.
pub(crate) fn ply(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Ply> {
    if let Ok(text) = value.extract::<String>() {
        if is_pass(&text) {
            return Ok(None);
        }
        let square = text.parse::<Square>();
        return square
            .map(Some)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")));
    }
    ply_from_number(name, value)
}

/// Reads a square: `"F5"`, or a number.
pub(crate) fn square(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Square> {
    ply(name, value)?.ok_or_else(|| pass_error(name))
}

/// Reads a sequence of squares.
pub(crate) fn squares_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Square>> {
    let squares = plies_of(name, value)?;
    let squares = squares
        .into_iter()
        .map(|square| square.ok_or_else(|| pass_error(name)));
    squares.collect()
}

/// Reads a sequence of plies.
pub(crate) fn plies_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Ply>> {
    let plies = value.try_iter();
    let plies = plies.map_err(|_| type_error(name, "squares one after another", value))?;
    plies.map(|value| ply(name, &value?)).collect()
}

fn pass_error(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: expected a square, got a pass"))
}

/// Reads the number of a ply, 0 to 64.
fn ply_from_number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Ply> {
    let expected = "a square, such as 'F5', or its number";
    let number = integer(name, value, 0..=PASS.into());
    let number: u8 = number.map_err(|error| replace_type_error(error, name, expected, value))?;
    Ok(Square::new(number))
}

/// Number of a ply, 0 to 64.
pub(crate) fn ply_number(ply: Ply) -> u8 {
    ply.map_or(PASS, |square| square.index() as u8)
}

/// Names of plies.
pub(crate) fn ply_names(line: &[Ply]) -> Vec<String> {
    line.iter().copied().map(ply_name).collect()
}

/// Name of a square, or of a pass: ``square_name(37) == "F5"``, ``square_name(64) == "PS"``.
#[pyfunction]
pub(crate) fn square_name(index: Bound<'_, PyAny>) -> PyResult<String> {
    ply_from_number("index", &index).map(ply_name)
}

/// Number of a square, or of a pass: ``square_index("F5") == 37``, ``square_index("PS") == 64``.
#[pyfunction]
pub(crate) fn square_index(name: Bound<'_, PyAny>) -> PyResult<u8> {
    ply("name", &name).map(ply_number)
}
