//! Squares and plies as Python has them: names, or numbers 0 to 63 (A1, B1 ... H8), and 64 for a pass.

use outflank::batch::PASS;
use outflank::notation::{is_pass, ply_name};
use outflank::{Ply, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::{refused, unfit, whole};

/// Reads a square or a pass: `"F5"`, `"PS"`, or a number.
pub(crate) fn ply(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Ply> {
    if let Ok(text) = given.extract::<String>() {
        if is_pass(&text) {
            return Ok(None);
        }
        let square = text.parse::<Square>();
        return square
            .map(Some)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")));
    }
    ply_of_number(name, given)
}

/// Reads a square: `"F5"`, or a number.
pub(crate) fn square(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Square> {
    ply(name, given)?.ok_or_else(|| a_pass(name))
}

/// The squares of an argument that is a sequence of them.
pub(crate) fn squares_of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Square>> {
    let squares = plies_of(name, given)?;
    let squares = squares
        .into_iter()
        .map(|square| square.ok_or_else(|| a_pass(name)));
    squares.collect()
}

/// The plies of an argument that is a sequence of them.
pub(crate) fn plies_of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Ply>> {
    let plies = given.try_iter();
    let plies = plies.map_err(|_| unfit(name, "squares one after another", given))?;
    plies.map(|given| ply(name, &given?)).collect()
}

fn a_pass(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: expected a square, got a pass"))
}

/// Reads the number of a ply, 0 to 64.
fn ply_of_number(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Ply> {
    let expected = "a square, such as 'F5', or its number";
    let number = whole(name, given, 0..=PASS.into());
    let number: u8 = number.map_err(|error| refused(error, name, expected, given))?;
    Ok(Square::new(number))
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
pub(crate) fn square_name(index: Bound<'_, PyAny>) -> PyResult<String> {
    ply_of_number("index", &index).map(ply_name)
}

/// The number of a square, or of a pass: ``square_index("F5") == 37``, ``square_index("PS") == 64``.
#[pyfunction]
pub(crate) fn square_index(name: Bound<'_, PyAny>) -> PyResult<u8> {
    ply("name", &name).map(ply_number)
}
