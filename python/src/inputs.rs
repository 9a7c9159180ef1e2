//! Boards as the inputs of networks: planes of squares, masks of legal moves, and all eight images.

use numpy::{Element, PyArray2, PyArray3, PyArrayDescr, PyArrayDescrMethods};
use outflank::batch::{self, Planes};
use pyo3::prelude::*;

use super::arguments::{self as argument, Given};
use super::arrays::Boards;
use super::errors::ArgumentError;
use super::kernels::{Keywords, NO_PLIES, run};

/// The discs as planes of shape (N, 2, 8, 8): those of the side to move, then those of the opponent, 1 where there is one.
/// Rows are ranks 1 to 8, columns files A to H. With `moves=True` a third plane has the legal moves. `dtype` is
/// "float32", "uint8" or "bool".
#[pyfunction]
#[pyo3(signature = (boards, *, moves=false, dtype=None, isa=None, out=None))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    #[pyo3(from_py_with = argument::moves)] moves: bool,
    dtype: Given<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let set = match moves {
        true => Planes::DiscsAndMoves,
        false => Planes::Discs,
    };
    let wanted = match &dtype {
        None => numpy::dtype::<f32>(py),
        Some(dtype) => match PyArrayDescr::new(py, dtype) {
            Ok(wanted) => wanted,
            Err(_) => return Err(argument::unfit("dtype", PLANE_TYPES, dtype)),
        },
    };
    if wanted.is_equiv_to(&numpy::dtype::<f32>(py)) {
        planes_of::<f32>(py, &boards, set, isa, out, "float32")
    } else if wanted.is_equiv_to(&numpy::dtype::<u8>(py)) {
        planes_of::<u8>(py, &boards, set, isa, out, "uint8")
    } else if wanted.is_equiv_to(&numpy::dtype::<bool>(py)) {
        planes_of::<bool>(py, &boards, set, isa, out, "bool")
    } else {
        let message = format!("dtype: expected {PLANE_TYPES}, got {wanted}");
        Err(ArgumentError::new_err(message))
    }
}

/// Types that planes can have.
const PLANE_TYPES: &str = "float32, uint8 or bool";

fn planes_of<'py, T: Element + Send + From<bool>>(
    py: Python<'py>,
    boards: &Boards<'py>,
    set: Planes,
    isa: Given<'py>,
    out: Given<'py>,
    dtype: &'static str,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords { isa, out, dtype };
    let shape = [boards.discs().len(), set.count(), 8, 8];
    let made = run(
        py,
        boards,
        keywords,
        shape,
        NO_PLIES,
        |token, boards, to| batch::planes::<T>(token, set, boards, to),
    )?;
    Ok(made.into_any())
}

/// The legal moves of the side to move as bool of shape (N, 64), A1 to H8. A board without a legal move has none set.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn move_masks<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let dtype = "bool";
    let keywords = Keywords { isa, out, dtype };
    let shape = [boards.discs().len(), 64];
    run(py, &boards, keywords, shape, NO_PLIES, batch::move_masks)
}

/// The eight images of each board under the symmetries of the square, of shape (N, 8, 2). Image 0 is the board. Image
/// `s` exchanges rows and columns where `s & 4`, then mirrors left to right where `s & 1`, and upside down where `s & 2`.
#[pyfunction]
#[pyo3(signature = (boards, *, isa=None, out=None))]
pub(crate) fn symmetries<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    isa: Given<'py>,
    out: Given<'py>,
) -> PyResult<Bound<'py, PyArray3<u64>>> {
    let dtype = "uint64";
    let keywords = Keywords { isa, out, dtype };
    let shape = [boards.discs().len(), 8, 2];
    run(
        py,
        &boards,
        keywords,
        shape,
        NO_PLIES,
        |token, boards, to| batch::images(token, boards, to.as_chunks_mut().0),
    )
}
