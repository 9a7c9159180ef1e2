//! Arrays of NumPy as slices of Rust. What is not contiguous is copied.
//!
//! The interpreter runs other threads while a kernel works on these slices. As with NumPy's own functions, a
//! thread of Python must not write to an array that another one has given to a function.

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArrayMethods, PyReadonlyArray, PyReadwriteArray, PyUntypedArray,
    PyUntypedArrayMethods,
};
use outflank::batch::Discs;
use pyo3::prelude::*;

use super::errors::ArrayError;
use super::square::{PlyArgument, ply_number};

/// An argument of one type and number of dimensions, its items next to each other.
enum Items<'py, T: Element, D: Dimension> {
    Borrowed(PyReadonlyArray<'py, T, D>),
    Copied(Vec<T>),
}

impl<'py, T: Element + Copy, D: Dimension> Items<'py, T, D> {
    /// The array `object`; `None` where it is something else.
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Option<Items<'py, T, D>>> {
        let Ok(array) = object.cast::<PyArray<T, D>>() else {
            return Ok(None);
        };
        let array = array.try_readonly();
        let array = array.map_err(|error| ArrayError::new_err(error.to_string()))?;
        let is_in_order = array.is_c_contiguous();
        Ok(Some(match is_in_order {
            true => Items::Borrowed(array),
            false => Items::Copied(array.as_array().iter().copied().collect()),
        }))
    }

    fn slice(&self) -> &[T] {
        match self {
            Items::Borrowed(array) => array.as_slice().expect("it was looked at"),
            Items::Copied(items) => items,
        }
    }
}

/// Boards: an array of uint64 of shape (N, 2), the discs of the side to move first.
pub(crate) struct Boards<'py>(Items<'py, u64, numpy::Ix2>);

impl Boards<'_> {
    pub(crate) fn discs(&self) -> &[Discs] {
        self.0.slice().as_chunks().0
    }
}

impl<'py> FromPyObject<'_, 'py> for Boards<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Boards<'py>> {
        let is_of_two = match object.cast::<PyUntypedArray>() {
            Ok(array) => array.shape().get(1) == Some(&2),
            Err(_) => false,
        };
        match Items::of(&object)? {
            Some(items) if is_of_two => Ok(Boards(items)),
            _ => Err(unfit("boards", "uint64", "(N, 2)", &object)),
        }
    }
}

/// Plies: an array of uint8 of shape (N,), or one ply for all boards.
pub(crate) enum Plies<'py> {
    Each(EachPly<'py>),
    Same(u8),
}

/// A ply for each board.
pub(crate) struct EachPly<'py>(Items<'py, u8, numpy::Ix1>);

impl Plies<'_> {
    /// As many as there are boards; `name` is what the array is called.
    pub(crate) fn of_boards(
        &self,
        boards: usize,
        name: &str,
    ) -> PyResult<std::borrow::Cow<'_, [u8]>> {
        let plies = match self {
            Plies::Same(ply) => return Ok(vec![*ply; boards].into()),
            Plies::Each(plies) => plies.0.slice(),
        };
        match plies.len() == boards {
            true => Ok(plies.into()),
            false => {
                let count = plies.len();
                let message =
                    format!("{name}: expected one for each of {boards} boards, got {count}");
                Err(ArrayError::new_err(message))
            }
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Plies<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Plies<'py>> {
        if object.cast::<PyUntypedArray>().is_err() {
            let PlyArgument(ply) = object.extract()?;
            return Ok(Plies::Same(ply_number(ply)));
        }
        let items = Items::of(&object)?;
        let items = items.ok_or_else(|| unfit("squares", "uint8", "(N,)", &object))?;
        Ok(Plies::Each(EachPly(items)))
    }
}

/// A one-dimensional array of another column.
pub(crate) fn column<'py, T: Element + Copy>(
    object: &Bound<'py, PyAny>,
    name: &str,
    dtype: &str,
) -> PyResult<Vec<T>> {
    let items = Items::<T, numpy::Ix1>::of(object)?;
    let items = items.ok_or_else(|| unfit(name, dtype, "(N,)", object))?;
    Ok(items.slice().to_vec())
}

/// The array that a function writes to: `out` where it was given, else a new one.
pub(crate) fn output<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: &str,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let shape = shape.into_dimension();
    let Some(out) = out else {
        return Ok(PyArray::zeros(py, shape, false).readwrite());
    };
    let lengths: Vec<String> = shape.slice().iter().map(usize::to_string).collect();
    let expected = format!("({})", lengths.join(", "));
    let Ok(array) = out.cast::<PyArray<T, D>>() else {
        return Err(unfit("out", dtype, &expected, out));
    };
    if array.shape() != shape.slice() {
        return Err(unfit("out", dtype, &expected, out));
    }
    if !array.is_c_contiguous() {
        return Err(ArrayError::new_err("out: expected a contiguous array"));
    }
    let array = array.try_readwrite();
    array.map_err(|error| ArrayError::new_err(format!("out: {error}")))
}

/// `boards: expected an array of uint64 of shape (N, 2), got int64 of shape (5,)`.
fn unfit(name: &str, dtype: &str, shape: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let got = match got.cast::<PyUntypedArray>() {
        Ok(array) => match array.getattr("shape") {
            Ok(shape) => format!("{} of shape {shape}", array.dtype()),
            Err(_) => array.dtype().to_string(),
        },
        Err(_) => match got.get_type().name() {
            Ok(name) => name.to_string(),
            Err(_) => "something else".to_owned(),
        },
    };
    let message = format!("{name}: expected an array of {dtype} of shape {shape}, got {got}");
    ArrayError::new_err(message)
}
