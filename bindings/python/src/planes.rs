//! Boards as planes of squares, the inputs of networks.

use numpy::{Element, PyArrayDescr, PyArrayDescrMethods};
use outflank::batch::{self, Planes};
use pyo3::prelude::*;

use super::arguments::{self, OptionalArg};
use super::arrays::Boards;
use super::errors::ArgumentError;
use super::kernels::KernelCall;

/// Item types that planes can have.
const PLANE_TYPES: &str = "float32, uint8 or bool";

/// Discs as planes of shape (N, 2, 8, 8): those of the side to move, then those of the opponent; 1 is a disc. Rows are
/// ranks 1 to 8, columns files A to H. With `moves=True` a third plane has the legal moves. `dtype` is "float32", "uint8"
/// or "bool".
#[pyfunction]
#[pyo3(signature = (boards, *, moves=false, dtype=None, isa=None, out=None))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    #[pyo3(from_py_with = arguments::moves)] moves: bool,
    dtype: OptionalArg<'py>,
    isa: OptionalArg<'py>,
    out: OptionalArg<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let set = match moves {
        true => Planes::DiscsAndMoves,
        false => Planes::Discs,
    };
    let item = match &dtype {
        None => numpy::dtype::<f32>(py),
        Some(dtype) => PyArrayDescr::new(py, dtype)
            .map_err(|_| arguments::type_error("dtype", PLANE_TYPES, dtype))?,
    };
    let call = KernelCall::new(&boards, isa, out);
    if item.is_equiv_to(&numpy::dtype::<f32>(py)) {
        planes_of::<f32>(py, call, set)
    } else if item.is_equiv_to(&numpy::dtype::<u8>(py)) {
        planes_of::<u8>(py, call, set)
    } else if item.is_equiv_to(&numpy::dtype::<bool>(py)) {
        planes_of::<bool>(py, call, set)
    } else {
        let message = format!("dtype: expected {PLANE_TYPES}, got {item}");
        Err(ArgumentError::new_err(message))
    }
}

fn planes_of<'py, T: Element + Send + From<bool>>(
    py: Python<'py>,
    call: KernelCall<'_, 'py>,
    set: Planes,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = [call.boards.count(), set.count(), 8, 8];
    let planes = call.run(py, shape, |token, boards, out| {
        batch::planes::<T>(token, set, boards, out)
    })?;
    Ok(planes.into_any())
}
